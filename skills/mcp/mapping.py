"""From the JSON schema of a tool's arguments to typed parameters, as far as the schema says what is meant.

What a schema leaves open is read from names and descriptions: "the folder to list" is a folder. Nothing is lost by
that: the whole schema is kept (``Tool.served``), and arguments are held to it in the cell before the server sees them.

Sources: JSON Schema 2020-12, core and validation; MCP 2025-11-25 and 2026-07-28 (``tools/list``).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from skills.deciding import role_by_schema
from skills.errors import BadResult, BadSkill
from skills.mcp.texts import plain, unseen
from skills.model import Parameter, Tool, ValueKind, ValueType
from skills.values import check, to_json, to_python

Schema = Mapping[str, Any]

_PARAMETER = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,62}")
_MOST_CHOICES, _LONGEST_CHOICE, _MOST_DOC = 100, 100, 400
_DEEPEST = 6
_PLAIN = {"integer": ValueKind.INTEGER, "number": ValueKind.NUMBER, "boolean": ValueKind.BOOLEAN,
          "object": ValueKind.RECORD}  # fmt: skip
_FOLDER = re.compile(r"\b(folder|directory|directories|dir|repo|repository)\b")
_FILE = re.compile(r"\b(file|files|filename|filepath)\b")
_PATH = re.compile(r"\b(path|paths|filename|filepath|folder|directory|dir|file|files)\b")
_MAKES = re.compile(r"^(write|create|save|make|new|add|export|generate|touch)\b")
_GOAL = re.compile(r"\b(destination|target|output|new)\b")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_TEXT = ValueType(ValueKind.TEXT)


def parameters_of(tool: str, schema: Schema, *, safe: bool = False) -> tuple[Parameter, ...]:
    """Return the parameters of a tool, which a person may have called ``safe``.

    Raises BadSkill where it requires one that nobody here could name.
    """
    top = resolved(schema, schema)
    properties, required = top.get("properties"), top.get("required")
    wanted = {name for name in required if isinstance(name, str)} if isinstance(required, list) else set()
    found = []
    for name, one in properties.items() if isinstance(properties, Mapping) else ():
        if _PARAMETER.fullmatch(name):
            found.append(_parameter(tool, name, resolved(one, schema), schema, required=name in wanted))
    lacking = wanted - {one.name for one in found}
    if lacking:
        raise BadSkill("server.schema", f"{plain(tool, 80)} requires {ascii(min(lacking))[:80]}, which it does not "
                       "describe, or not by a name that can be said.", subject=tool)  # fmt: skip
    forms = {one.name: _form((properties or {})[one.name], schema) for one in found}
    found = [replace(one, role=role_by_schema(tool, one, forms[one.name], forms, safe=safe)) for one in found]
    return tuple(sorted(found, key=lambda one: not one.required))


def _form(one: object, whole: Schema) -> object:
    """Return the format of a text, or of the texts in a list."""
    schema = resolved(one, whole)
    return schema.get("format") or resolved(schema.get("items"), whole).get("format")


def _parameter(tool: str, name: str, one: Schema, whole: Schema, *, required: bool) -> Parameter:
    kind = _type(tool, name, one, whole)
    doc = plain(one.get("description") or one.get("title"), _MOST_DOC) or _told_by_fields(name, kind)
    words = {choice: {"en": (choice.replace("_", " ").replace("-", " ").lower(),)} for choice in kind.choices}
    default = _default(one, kind) if not required else None
    return Parameter(name, kind, required, doc, default=default, words=words)


def _told_by_fields(name: str, kind: ValueType) -> str:
    """Return a name in words, of an object with those of its fields: "entities: name, entity type"."""
    return ": ".join(filter(None, (_spaced(name), ", ".join(map(_spaced, kind.fields)))))


def _default(one: Schema, kind: ValueType) -> Any:
    value = one.get("default")
    fits = {ValueKind.INTEGER: int, ValueKind.NUMBER: int | float, ValueKind.BOOLEAN: bool, ValueKind.TEXT: str}
    if kind.many or isinstance(value, bool) is not (kind.kind is ValueKind.BOOLEAN):
        return None
    if kind.kind is ValueKind.CHOICE:
        return value if value in kind.choices else None
    return value if kind.kind in fits and isinstance(value, fits[kind.kind]) else None


def _type(tool: str, name: str, one: Schema, whole: Schema, depth: int = 0) -> ValueType:
    """Return what kind of value a schema means."""
    choices = _choices(one)
    if choices:
        return ValueType(ValueKind.CHOICE, choices=choices)
    named = one.get("type")
    named = next((kind for kind in named if kind != "null"), None) if isinstance(named, list) else named
    if named == "array":
        inner = resolved(one.get("items"), whole)
        item = _type(tool, name, inner, whole, depth + 1) if depth < _DEEPEST else _TEXT
        return ValueType(item.kind, True, item.choices, item.fields)
    if named == "object" or (named is None and isinstance(one.get("properties"), Mapping)):
        return ValueType(ValueKind.RECORD, fields=_inner(tool, one, whole, depth))
    if named in _PLAIN:
        return ValueType(_PLAIN[str(named)])
    return ValueType(_text_kind(tool, name, one)) if named in ("string", None) else _TEXT


def _inner(tool: str, one: Schema, whole: Schema, depth: int) -> dict[str, ValueType]:
    """Return the fields that an object has to have; none where one of them is an object itself."""
    properties, required = one.get("properties"), _list(one.get("required"))
    if not isinstance(properties, Mapping) or depth >= _DEEPEST:
        return {}
    named = [name for name in properties if name in required and _PARAMETER.fullmatch(name)]
    found = {name: _type(tool, name, resolved(properties[name], whole), whole, depth + 1) for name in named}
    return {} if any(kind.kind is ValueKind.RECORD for kind in found.values()) else found


def _choices(one: Schema) -> tuple[str, ...]:
    found = [one["const"]] if isinstance(one.get("const"), str) else one.get("enum")
    if not isinstance(found, list):
        return ()
    texts = [choice for choice in found if isinstance(choice, str) and choice]
    short = all(len(choice) <= _LONGEST_CHOICE and not unseen(choice) for choice in texts)
    rest = [choice for choice in found if choice is not None and choice not in texts]
    return tuple(dict.fromkeys(texts)) if texts and short and not rest and len(texts) <= _MOST_CHOICES else ()


def _text_kind(tool: str, name: str, one: Schema) -> ValueKind:
    """Return what a text is: a day, a file, a folder, or a text."""
    form, said = one.get("format"), plain(one.get("description"), _MOST_DOC).lower()
    if form == "date":
        return ValueKind.DATE
    if form in ("uri", "email", "hostname", "date-time", "time", "uuid", "regex"):
        return ValueKind.TEXT
    words, does = _spaced(name), _spaced(tool)
    if form not in ("path", "file-path", "directory-path") and not (_PATH.search(words) or _FOLDER.search(words)):
        return ValueKind.TEXT
    return _place(words, does, said) or (ValueKind.FILE if form == "file-path" else ValueKind.TEXT)


def _place(words: str, does: str, said: str) -> ValueKind | None:
    """Return what kind of place an argument names by its name, by what its tool does, by what is said of it."""
    for text in (words, does, said):
        folder, file = bool(_FOLDER.search(text)), bool(_FILE.search(text))
        if folder is not file:
            makes = _MAKES.search(does) or _GOAL.search(words)
            return ValueKind.FOLDER if folder else ValueKind.NEW_FILE if makes else ValueKind.FILE
    return None


def _spaced(name: str) -> str:
    """Return a name in words: ``repoPath`` and ``repo_path`` are ``repo path``."""
    return re.sub(r"[^A-Za-z0-9]+", " ", _CAMEL.sub(" ", name)).strip().lower()


def resolved(one: object, whole: Schema) -> Schema:
    """Return a schema with its local reference followed, and without the other arm of "or nothing"."""
    for _ in range(_DEEPEST):
        if not isinstance(one, Mapping):
            return {}
        told = {key: one[key] for key in ("description", "title", "default") if key in one}
        arms = [arm for key in ("anyOf", "oneOf") for arm in _list(one.get(key))]
        arms = [arm for arm in arms if isinstance(arm, Mapping) and arm.get("type") != "null"]
        if isinstance(one.get("$ref"), str):
            one = {**_pointed(one["$ref"], whole), **told}
        elif len(arms) == 1:
            one = {**arms[0], **told}
        else:
            return one
    return one if isinstance(one, Mapping) else {}


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _pointed(reference: str, whole: Schema) -> Schema:
    if not reference.startswith("#/"):
        return {}
    found: Any = whole
    for part in reference[2:].split("/"):
        found = found.get(part.replace("~1", "/").replace("~0", "~")) if isinstance(found, Mapping) else None
    return found if isinstance(found, Mapping) else {}


# --- results ------------------------------------------------------------------------------------------------------


def result_of(schema: Schema | None) -> tuple[ValueType, str]:
    """Return the type of a tool's result, and the key under which it stands in the structured content ("": all of it).

    A server that returns something else than an object wraps it as ``{"result": ...}``.
    """
    if schema is None:
        return _TEXT, ""
    top = resolved(schema, schema)
    properties = top.get("properties")
    if isinstance(properties, Mapping) and list(properties) == ["result"]:
        return _found(resolved(properties["result"], schema), schema), "result"
    return _found(top, schema), ""


def _found(one: Schema, whole: Schema, depth: int = 0) -> ValueType:
    named = one.get("type")
    if depth >= _DEEPEST or isinstance(named, list) or "anyOf" in one or "oneOf" in one:
        return ValueType(ValueKind.ANY)
    if named == "array":
        item = _found(resolved(one.get("items"), whole), whole, depth + 1)
        return ValueType(ValueKind.ANY) if item.many else ValueType(item.kind, True, fields=item.fields)
    if named == "string":
        return _TEXT
    if named == "object":
        return ValueType(ValueKind.RECORD, fields=_fields(one, whole, depth))
    return ValueType(_PLAIN.get(str(named), ValueKind.ANY))


def _fields(one: Schema, whole: Schema, depth: int) -> dict[str, ValueType]:
    """Return the fields that are always there."""
    properties, required = one.get("properties"), _list(one.get("required"))
    if not isinstance(properties, Mapping):
        return {}
    return {
        name: _found(resolved(inner, whole), whole, depth + 1)
        for name, inner in properties.items()
        if name in required and not _may_be_null(inner)
    }


def _may_be_null(one: object) -> bool:
    arms = [*_list(one.get("anyOf")), *_list(one.get("oneOf"))] if isinstance(one, Mapping) else []
    return any(isinstance(arm, Mapping) and arm.get("type") == "null" for arm in arms)


# --- values -------------------------------------------------------------------------------------------------------


def as_argument(value: Any, kind: ValueType) -> Any:
    """Return a value of ours in the form that a server takes: a file is its path, a record its fields."""
    if kind.many:
        return [as_argument(item, ValueType(kind.kind)) for item in (value if isinstance(value, list) else [value])]
    if not isinstance(value, Mapping):
        return value
    if kind.kind in (ValueKind.FILE, ValueKind.FOLDER, ValueKind.NEW_FILE):
        return value.get("path")
    fields = value.get("fields")
    return dict(fields) if kind.kind is ValueKind.RECORD and isinstance(fields, Mapping) else dict(value)


def arguments_of(tool: Tool, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a server is handed for the arguments of a call. Raises BadResult where one is of another type."""
    known = {one.name: one.type for one in tool.parameters}
    unknown = next((name for name in given if name not in known), None)
    lacking = next((one.name for one in tool.parameters if one.required and given.get(one.name) is None), None)
    if unknown or lacking:
        what = f"takes no {unknown}" if unknown else f"needs {lacking}"
        raise BadResult("result.argument", f"{tool.id} {what}.", subject=tool.id, hint="Say it in another way.")
    values = {name: to_json(to_python(value, known[name], name)) for name, value in given.items() if value is not None}
    return {name: as_argument(value, known[name]) for name, value in values.items()}


def value_of(tool: Tool, text: str, structured: Any) -> Any:
    """Return the value that a reply comes to. Raises BadResult where it is not what the tool declares."""
    kind, key = result_of(tool.served.output if tool.served else None)
    if kind.kind is ValueKind.TEXT and not kind.many and not key:
        return text
    value = structured.get(key) if key and isinstance(structured, Mapping) else structured
    check(value, kind)
    return value
