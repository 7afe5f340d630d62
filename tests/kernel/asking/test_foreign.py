"""A skill without examples in the language of the request: asked about, learnt with the yes, or offered to teach."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from kernel import Ask, Folders
from tests.kernel.conftest import Bench, opened
from tests.kernel.small_skill import with_skill

CODE = '''"""A radio."""

from __future__ import annotations

from skills.sdk import Context, Text


def tune(ctx: Context, station: Text) -> str:
    """Tune the radio to a station.

    Args:
        station: what it is called.
    """
    ctx.say(f"Now: {station}")
    return station


def gift(ctx: Context) -> str:
    """Tell what the present of the day is."""
    ctx.say("A book.")
    return "A book."
'''
TOML = """[tools.tune]
effect = "pure"
examples.en = ["tune radio {station:BBC Four}", "radio {station:Jazz Hits}", "start radio {station:Kiss}"]
[tools.gift]
effect = "pure"
examples.en = ["gift", "gift of the day", "show the gift"]
"""
_radio = with_skill("radio", TOML, CODE, "plays")


@pytest.fixture
async def radio(tmp_path: Path) -> AsyncIterator[Bench]:
    """A kernel with a skill that has English examples alone."""
    async with opened(tmp_path, _radio) as one:
        yield one


async def _draft(bench: Bench, text: str) -> dict[str, Any]:
    return await bench.kernel.draft(Ask(text, conversation="other", cwd=str(bench.home)))


async def test_in_its_own_language_it_acts(radio: Bench) -> None:
    assert (await radio.ask("tune radio BBC Four"))["resolution"] == "executed"
    assert (await radio.ask("show the gift"))["resolution"] == "executed"


@pytest.mark.parametrize("text", ["zeig mir das Gift", "bitte das Radio Kiss"])
async def test_in_another_it_asks_and_knows_it_from_then_on(
    radio: Bench, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as before:
        before.setattr("kernel.plan.about_language", lambda *_: None)
        assert (await _draft(radio, text))["resolution"] == "planned", "the control: English examples alone would do"
    view = await radio.ask(text, yes=True)
    assert view["resolution"] == "clarify", "a yes in advance is no answer to it"
    assert "Beispiele auf Deutsch gibt es nicht, nur auf Englisch" in view["answer"]
    assert "radio" in view["answer"]
    assert (await radio.ask("ja"))["resolution"] == "executed"
    house = radio.kernel._house
    own = house.learning.own(house.ledger)
    own.learn(await house.learning.mind())
    assert (await _draft(radio, text))["resolution"] == "planned"


async def test_a_no_does_and_teaches_nothing(radio: Bench) -> None:
    assert (await radio.ask("zeig mir das Gift"))["resolution"] == "clarify"
    assert (await radio.ask("nein"))["resolution"] in ("declined", "blocked")
    house = radio.kernel._house
    house.learning.own(house.ledger).learn(await house.learning.mind())
    assert (await _draft(radio, "zeig mir das Gift"))["resolution"] == "clarify"


async def test_an_english_request_of_somebody_who_speaks_german_is_not_asked_about(radio: Bench) -> None:
    await radio.ask("wie viel ist 3 plus 4?")
    assert (await radio.ask("show the gift of the day"))["resolution"] == "executed"


async def test_what_nothing_says_is_declined_and_can_be_taught(radio: Bench) -> None:
    text = "das Gift des Tages wegwerfen"
    assert (await radio.ask(text))["resolution"] == "declined"
    assert (await radio.ask("damit meine ich: gift of the day"))["resolution"] == "executed"
    assert (await radio.ask(text, conversation="later"))["answer"].startswith("A book.")


def test_the_offer_names_the_words_and_the_command(tmp_path: Path) -> None:
    from kernel.itself.nearest import near_words
    from kernel.model import Candidate
    from skills import Registry

    folders = Folders({"HOME": str(tmp_path), "STEWARD_HOME": str(tmp_path / "s")})
    _radio(folders)
    registry = Registry([folders.data / "skills"])
    (tune,) = (tool for tool in registry.tools() if tool.function == "tune")
    near = [Candidate(tune.id, 0, 4, 9.0, {})]
    said = near_words(near, registry.tool, "de", None)
    assert "damit meine ich: " in said
    assert "Englisch" in said
    assert "./steward memory learned" in said
    assert "damit meine ich" not in near_words(near, registry.tool, "en", None)
    far = [Candidate(tune.id, 0, 4, 0.5, {})]
    assert near_words(far, registry.tool, "de", None) == ""
