"""The schema of steward.toml is what the reader of steward.toml takes, and says what each key is for."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from skills.authoring.schema_file import DESCRIBED, PLACE, directive, schema, schema_text
from skills.contents import BUILTIN

MANIFESTS = sorted(BUILTIN.glob("*/steward.toml"))


def test_the_file_in_the_docs_is_current() -> None:
    how = "write it anew: python -P -m skills.authoring.write_schema"
    assert PLACE.read_text(encoding="utf-8") == schema_text(), how


def test_every_key_says_what_it_is_for() -> None:
    made = schema()
    tables = {"Manifest": made, **{name: one for name, one in made["$defs"].items() if "properties" in one}}
    silent = [(name, key) for name, table in tables.items() for key, one in table["properties"].items()
              if not one.get("description")]  # fmt: skip
    assert silent == []
    stale = [(name, key) for name, keys in DESCRIBED.items() for key in keys if key not in tables[name]["properties"]]
    assert stale == []


def test_nothing_unknown_is_allowed() -> None:
    made = schema()
    assert made["additionalProperties"] is False
    assert all(one["additionalProperties"] is False for one in made["$defs"].values() if "properties" in one)
    assert made["$id"].startswith("urn:")
    assert made["$schema"].endswith("2020-12/schema")


def test_editors_are_led_to_it() -> None:
    assert directive() == f"#:schema {PLACE.as_uri()}\n"


@pytest.mark.parametrize("path", MANIFESTS, ids=lambda path: path.parent.name)
def test_the_manifests_of_steward_fit(path: Path) -> None:
    made = schema()
    assert list(_strange(tomllib.loads(path.read_text(encoding="utf-8")), made, made["$defs"])) == []


def test_tools_or_a_server_are_required_and_never_both() -> None:
    made = schema()
    assert made["oneOf"] == [{"required": ["tools"]}, {"required": ["server"]}]
    assert made["required"] == ["version", "title"]


def test_a_slip_does_not_fit() -> None:
    made = schema()
    slip = {"version": "1.0.0", "title": "T", "tools": {"a": {"effect": "pure", "examples": {}, "exmaples": {}}}}
    assert list(_strange(slip, made, made["$defs"])) == ["tools.a.exmaples"]


def _strange(value: Any, rule: Mapping[str, Any], defs: Mapping[str, Any], at: str = "") -> Iterator[str]:
    """Yield the keys that the schema does not know: the part of JSON Schema that guards against slips."""
    if "$ref" in rule:
        rule = defs[rule["$ref"].rpartition("/")[2]]
    if isinstance(value, dict) and rule.get("type") == "object":
        known = rule.get("properties", {})
        more = rule.get("additionalProperties")
        for key, one in value.items():
            place = f"{at}.{key}".lstrip(".")
            inner = known.get(key, more if isinstance(more, dict) else next(iter(_patterns(rule)), None))
            if inner is None:
                yield place
            else:
                yield from _strange(one, inner, defs, place)
    if isinstance(value, list) and "items" in rule:
        for one in value:
            yield from _strange(one, rule["items"], defs, at)


def _patterns(rule: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield from rule.get("patternProperties", {}).values()
