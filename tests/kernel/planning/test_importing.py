"""A calendar file or a contact file is taken into the person's own by words; what is done with it otherwise stays."""

from __future__ import annotations

import pytest

from kernel.context.mind import Mind
from tests.kernel.homes import furnish
from tests.kernel.planner import Planner

SENTENCES = {
    "import the calendar file ~/Downloads/event.ics": "calendar.import_file(file=~/Downloads/event.ics)",
    "add the appointments from party.ics to my calendar": "calendar.import_file(file=~/Downloads/party.ics)",
    "please add the events in party.ics to my calendar": "calendar.import_file(file=~/Downloads/party.ics)",
    "put everything from event.ics in my calendar": "calendar.import_file(file=~/Downloads/event.ics)",
    "importiere den Termin aus event.ics": "calendar.import_file(file=~/Downloads/event.ics)",
    "übernimm die Termine aus konferenz.ics in meinen Kalender": (
        "calendar.import_file(file=~/Downloads/konferenz.ics)"
    ),
    "trag bitte alle Termine aus konferenz.ics in den Kalender ein": (
        "calendar.import_file(file=~/Downloads/konferenz.ics)"
    ),
    "add the contacts from ~/Downloads/people.vcf": "contacts.import_file(file=~/Downloads/people.vcf)",
    "import people.vcf into my contacts": "contacts.import_file(file=~/Downloads/people.vcf)",
    "add everyone from people.vcf to my address book": "contacts.import_file(file=~/Downloads/people.vcf)",
    "füge die Kontakte aus people.vcf hinzu": "contacts.import_file(file=~/Downloads/people.vcf)",
    "übernimm die Leute aus people.vcf in meine Kontakte": "contacts.import_file(file=~/Downloads/people.vcf)",
    # what has another way
    "accept the invitation event.ics": "calendar.answer(file=~/Downloads/event.ics, reply=yes)",
    "take the update event.ics into my calendar": "calendar.follow(file=~/Downloads/event.ics)",
    "übernimm die Absage event.ics in den Kalender": "calendar.follow(file=~/Downloads/event.ics)",
    "who invites me in event.ics?": "calendar.invitation(file=~/Downloads/event.ics)",
    "copy party.ics to Documents": "files.copy(files=['~/Downloads/party.ics'], to=~/Documents)",
    "delete people.vcf": "files.delete(files=['~/Downloads/people.vcf'])",
}


@pytest.fixture(scope="module")
def planner(mind: Mind, tmp_path_factory: pytest.TempPathFactory) -> Planner:
    files = [f"Downloads/{name}" for name in ("event.ics", "party.ics", "konferenz.ics", "people.vcf")]
    return Planner.knowing(mind, furnish(tmp_path_factory.mktemp("imports"), [*files, "Documents/"]))


@pytest.mark.parametrize(("sentence", "expected"), SENTENCES.items(), ids=list(SENTENCES))
def test_a_file_of_somebody_is_taken_in_by_words(planner: Planner, sentence: str, expected: str) -> None:
    assert planner.shape(planner.say(sentence)) == expected
