"""The plain forms of when: each is heard as it stands, in front of what is to be done, as one trigger and no more."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from kernel.context.mind import Mind
from kernel.context.world import HomeWorld
from kernel.interpret import read
from kernel.language import Line
from kernel.language.spelling import mend
from kernel.model import ConversationId, Utterance
from kernel.routines.hearing import Heard, Unclear, left_of
from kernel.routines.hearing.asides import without_asides
from kernel.routines.hearing.clock import hear_clock
from kernel.routines.hearing.forms import LIMITS, TRIGGERS
from kernel.routines.hearing.happenings import hear_happening
from kernel.routines.hearing.when.coming import coming
from kernel.routines.hearing.when.mending import mended
from tests.kernel.homes import furnish
from tests.kernel.routines.conftest import NOW

DEEDS = {"en": "list the files in Backup", "de": "liste die Dateien in Backup auf"}
HOME = ["Downloads/", "Backup/", "Documents/Done/", "Finance/expenses.csv", "Mail/Inbox/", "Calendar/Calendar.ics"]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> HomeWorld:
    home = tmp_path_factory.mktemp("forms") / "home"
    furnish(home, HOME)
    world = HomeWorld(str(home))
    world.look()
    return world


def heard(text: str, language: str, world: HomeWorld, mind: Mind) -> tuple[Line, Heard | Unclear | None]:
    said = Utterance(text, ConversationId("c"), world.home, world.home, NOW)
    line = mend(read(said, mind.lexicon, language), mind.lexicon, world.has_word)
    found = hear_clock(line) or hear_happening(line, world, world.home, mind.lexicon)
    if found is None and (moment := coming(mended(read(said, mind.lexicon, language)))):
        return line, moment.heard
    return line, without_asides(line, found, mind.lexicon) if isinstance(found, Heard) else found


def forms(table: object) -> Iterator[tuple[str, str]]:
    assert isinstance(table, dict)
    yield from ((language, one) for language, several in table.items() for one in several)


@pytest.mark.parametrize(("language", "form"), list(forms(TRIGGERS)))
def test_a_form_is_heard_and_leaves_what_is_to_be_done(language: str, form: str, world: HomeWorld, mind: Mind) -> None:
    line, found = heard(f"{form}, {DEEDS[language]}", language, world, mind)
    assert isinstance(found, Heard), found
    assert left_of(line, found.gone) == DEEDS[language]


@pytest.mark.parametrize(("language", "limit"), list(forms(LIMITS)))
def test_a_limit_is_heard_behind_a_happening(language: str, limit: str, world: HomeWorld, mind: Mind) -> None:
    happening = next(one for one in TRIGGERS[language] if "PDF" in one)
    plain = heard(f"{happening}, {DEEDS[language]}", language, world, mind)[1]
    line, found = heard(f"{happening}, {DEEDS[language]}, {limit}", language, world, mind)
    assert isinstance(found, Heard), found
    assert isinstance(plain, Heard)
    assert len(found.limits) > len(plain.limits), found
    assert left_of(line, found.gone) == DEEDS[language]
