"""A number that is declared to be in a unit: said in another it is converted and told, and never guessed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from decimal import Decimal
from pathlib import Path
from typing import Any, get_args

import pytest

from kernel import Ask, Folders
from kernel.dispatching.coercion import coerce, said_otherwise
from kernel.errors import TaskFailed
from kernel.language.amounts.measures import MEASURES, in_unit
from skills.manifest import Unit
from skills.model import Parameter, ValueKind, ValueType
from tests.kernel.conftest import Bench, opened
from tests.kernel.walks import install_walks

METRES = Parameter("distance", ValueType(ValueKind.INTEGER), True, "", unit="m")
KILOS = Parameter("weight", ValueType(ValueKind.NUMBER), True, "", unit="kg")
PLAIN = Parameter("number", ValueType(ValueKind.NUMBER), True, "")


@pytest.fixture
async def walks(tmp_path: Path) -> AsyncIterator[Bench]:
    """A kernel with a skill whose numbers are in units."""
    async with opened(tmp_path, install_walks) as one:
        yield one


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("plan a walk of 20 km", "A walk of 20000.\n(took 20 km as 20000 m)"),
        ("plan a walk of 1.5 km", "A walk of 1500.\n(took 1.5 km as 1500 m)"),
        ("plan a walk of 2 miles", None),
        ("plan a walk of 800 m", "A walk of 800."),
        ("plan a walk of 800 meters", "A walk of 800."),
        ("plan a walk of 800", "A walk of 800."),
        ("plane einen Spaziergang von 20 km", "A walk of 20000.\n(20 km als 20000 m genommen)"),
        ("plane einen Spaziergang von 3 Kilometern", "A walk of 3000.\n(3 Kilometern als 3000 m genommen)"),
        ("pack a bag of 500 g", "A bag of 0.5.\n(took 500 g as 0.5 kg)"),
        ("pack a bag of 3 kg", "A bag of 3.0."),
    ],
)
async def test_what_is_said_in_another_unit_is_converted_and_told(walks: Bench, text: str, said: str | None) -> None:
    view = await walks.ask(text)
    if said is None:  # 3218.688 whole metres there are not
        assert view["resolution"] == "clarify"
        return
    assert view["resolution"] == "executed", view["answer"]
    assert view["answer"] == said


@pytest.mark.parametrize(
    ("text", "asked", "reply", "said"),
    [
        ("plan a walk of 20 kg", "“20 kg” cannot be taken here: this is counted in m", "20 km", "A walk of 20000."),
        ("plan a walk of 20 minutes", "counted in m", "300 m", "A walk of 300."),
        ("plan a walk of $20", "counted in m", "300", "A walk of 300."),
        ("plane einen Spaziergang von 20 kg", "„20 kg“ passt hier nicht", "2 km", "A walk of 2000."),
        ("pack a bag of 3 litres", "counted in kg", "500 g", "A bag of 0.5."),
    ],
)
async def test_an_impossible_unit_is_asked_about(walks: Bench, text: str, asked: str, reply: str, said: str) -> None:
    view = await walks.ask(text)
    assert view["resolution"] == "clarify", view["answer"]
    assert asked in view["answer"]
    again = await walks.ask("5 seconds")
    assert again["resolution"] != "executed", "an answer of another measure is none"
    view = await walks.ask(text)
    view = await walks.ask(reply)
    assert view["resolution"] == "executed", view["answer"]
    assert view["answer"].startswith(said)


async def test_the_plan_shows_what_was_said(walks: Bench) -> None:
    view = await walks.kernel.draft(Ask("plan a walk of 20 km", cwd=str(walks.home)))
    assert view["resolution"] == "planned"
    assert view["plan"]["tasks"][0]["arguments"] == {"distance": "20000 m (20 km)"}
    plain = await walks.kernel.draft(Ask("plan a walk of 800", cwd=str(walks.home)))
    assert plain["plan"]["tasks"][0]["arguments"] == {"distance": "800 m"}


@pytest.mark.parametrize(
    ("value", "parameter", "made", "note"),
    [
        ({"value": "20", "unit": "km"}, METRES, 20000, "took 20 km as 20000 m"),
        ("1,5 km", METRES, 1500, "took '1,5 km' as 1500 m"),
        ("20", METRES, 20, "took '20' as 20 m"),
        (20, METRES, 20, ""),
        ({"value": "500", "unit": "g"}, KILOS, "0.5", "took 500 g as 0.5 kg"),
        ({"value": "20", "unit": "km"}, PLAIN, "20", "took 20 km as 20"),
    ],
)
def test_a_result_is_converted(value: Any, parameter: Parameter, made: Any, note: str) -> None:
    assert coerce(value, parameter, "en") == (made, note)


@pytest.mark.parametrize(
    ("value", "parameter"),
    [
        ({"value": "20", "unit": "kg"}, METRES), ("20 kg", METRES), ("20 bananas", METRES), ("1.5 mm", METRES),
        ({"value": "2", "unit": "EUR"}, KILOS), ("3 €", METRES), ({"value": "x", "unit": "m"}, METRES),
    ],
)  # fmt: skip
def test_a_result_of_another_measure_is_refused_with_what_to_do(value: Any, parameter: Parameter) -> None:
    with pytest.raises(TaskFailed) as wrong:
        coerce(value, parameter, "de")
    assert parameter.unit in str(wrong.value)
    assert wrong.value.hint


def test_a_note_is_only_where_the_unit_is_another_one() -> None:
    assert said_otherwise("20 km", 20000, METRES, "en") == "took 20 km as 20000 m"
    assert said_otherwise("20 m", 20, METRES, "en") == said_otherwise("20", 20, METRES, "en") == ""
    assert said_otherwise("20 km", 20, PLAIN, "en") == ""


def test_every_unit_that_a_manifest_may_name_is_known_and_exact() -> None:
    assert all(unit.casefold() in MEASURES for unit in get_args(Unit))
    assert in_unit(Decimal(1), "mile", "m") == Decimal("1609.344")
    assert in_unit(Decimal(3), "h", "min") == 180
    assert in_unit(Decimal(1), "kg", "m") is None
    assert in_unit(Decimal(1), "EUR", "USD") is None


async def test_a_unit_of_what_is_no_number_is_refused(tmp_path: Path) -> None:
    from skills import Registry

    folders = Folders({"HOME": str(tmp_path), "STEWARD_HOME": str(tmp_path / "s")})
    install_walks(folders)
    manifest = folders.data / "skills" / "walks" / "steward.toml"
    good = manifest.read_text()
    for wrong, said in (('{ distance = "parsec" }', "units"), ('{ pace = "m" }', "pace")):
        manifest.write_text(good.replace('{ distance = "m" }', wrong))
        (problem,) = Registry([folders.data / "skills"]).problems()
        assert said in str(problem)
