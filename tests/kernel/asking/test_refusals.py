"""What may not be acted on: negations that nothing explains, and what no skill does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kernel.model import (
    Decline,
    Plan,
    Question,
)

if TYPE_CHECKING:
    from tests.kernel.planner import Planner


@pytest.mark.parametrize(
    "sentence",
    [
        "what is my name",
        "what's my name?",
        "what was the name?",
        "wie heiße ich",
        "wie ist mein Name?",
        "what is my kind",
    ],
)
def test_a_tool_without_a_value_does_only_what_its_examples_say(planner: Planner, sentence: str) -> None:
    assert not isinstance(planner.say(sentence), Plan)


@pytest.mark.parametrize("sentence", ["list files", "what files do I have", "zeige meine Notizen", "what time is it"])
def test_what_an_example_says_needs_no_value(planner: Planner, sentence: str) -> None:
    assert isinstance(planner.say(sentence), Plan)


@pytest.mark.parametrize(
    "sentence",
    [
        "delete everything except the pdfs",
        "delete old.zip except the pdfs",
        "don't delete old.zip",
        "do not remind me to call Anna",
        "don't add milk to the shopping list",
        "copy all photos except photo1.jpg to Desktop",
        "never move report.pdf to Archive",
        "move report.pdf but not a.pdf to Archive",
        "lösche alles außer old.zip",
        "you shouldn't delete old.zip",
        "I wouldn't want you to delete old.zip",
        "I don't think you should delete old.zip",
        "could you not delete old.zip",
        "ich möchte nicht, dass du old.zip löschst",
        "du solltest old.zip nicht löschen",
    ],
)
def test_a_negation_that_nothing_explains_is_never_acted_on(planner: Planner, sentence: str) -> None:
    assert not isinstance(planner.say(sentence), Plan)


def test_a_refusal_names_the_words_that_nobody_understood(planner: Planner) -> None:
    negated, other = planner.say("never move report.pdf to Archive"), planner.say("play some music")
    assert isinstance(negated, Decline)
    assert negated.unclear == "never"
    assert isinstance(other, Decline)
    assert not other.unclear


@pytest.mark.parametrize(
    "sentence",
    [
        "I was wondering if I should delete old.zip",
        "I wonder whether to delete old.zip",
        "ich frage mich, ob ich old.zip löschen soll",
        "delete old.zip if it is older than a year",
        "I was going to delete old.zip",
    ],
)
def test_who_thinks_about_a_deed_has_not_asked_for_it(planner: Planner, sentence: str) -> None:
    assert not isinstance(planner.say(sentence), Plan)


@pytest.mark.parametrize(
    "sentence",
    [
        "book a flight to Paris",
        "send a fax to Anna",
        "turn off the lights",
        "what is the weather tomorrow?",
        "translate report.pdf to German",
        "order a pizza",
        "who is the president of France?",
        "play some music",
        "asdf qwer",
        "hello",
        "thanks",
        "???",
    ],
)
def test_what_no_skill_does_is_declined(planner: Planner, sentence: str) -> None:
    proposal = planner.say(sentence)
    assert isinstance(proposal, Decline)
    assert proposal.text
    assert all(planner.toolbox.knows(tool) for tool in proposal.nearest)


def test_a_decline_is_one_sentence_in_the_language_of_the_request(planner: Planner) -> None:
    english, german = planner.say("play some music"), planner.say("spiele mir bitte etwas Musik vor")
    assert isinstance(english, Decline)
    assert english.nearest
    assert english.text.count(".") == 1
    assert not any(str(tool) in english.text for tool in english.nearest)
    assert isinstance(german, Decline)
    assert german.text.startswith("Dafür")


def test_a_verb_of_another_tool_is_not_overridden_by_a_tool_that_only_mentions_it(planner: Planner) -> None:
    """ "move x to the trash" is an example of deleting; "move x" alone must not delete."""
    proposal = planner.say("move report.pdf")
    assert isinstance(proposal, Question)
    assert proposal.parameter == "to"


@pytest.mark.parametrize(
    "sentence",
    [
        "delete the lease but not the letter",
        "remove the lease but keep the letter",
        "delete the letter and not the lease",
        "get rid of the letter, except the old one",
        "lösche die Notiz Miete aber nicht Urlaub",
        "delete the packing list without the tent",
        "delete the note rent instead of the note travel",
    ],
)
def test_two_things_set_apart_are_no_one_name(planner: Planner, sentence: str) -> None:
    assert not isinstance(planner.say(sentence), Plan)


def test_a_name_in_quotation_marks_may_hold_any_word(planner: Planner) -> None:
    assert planner.shape(planner.say('delete the note "now but not then"')) == "notes.delete(title=now but not then)"


@pytest.mark.parametrize(
    "sentence",
    [
        "zip the folder Work",
        "archive the folder Work",
        "give old.zip to Grandma",
        "let Anna have report.pdf",
        "gib Jörg die Datei old.zip",
        "gib report.pdf an Oma",
    ],
)
def test_nothing_leaves_its_place_where_no_word_says_so(planner: Planner, sentence: str) -> None:
    assert not isinstance(planner.say(sentence), Plan)


@pytest.mark.parametrize(
    "sentence",
    ["get rid of old.zip", "old.zip kann weg", "old.zip in den Papierkorb",
     "nenne old.zip alt.zip", "give old.zip the name past"],
)  # fmt: skip
def test_what_says_so_in_few_words_is_done(planner: Planner, sentence: str) -> None:
    assert isinstance(planner.say(sentence), Plan)


def test_a_number_to_compare_with_is_not_how_many(planner: Planner) -> None:
    shown = planner.say("show rows over 150 in expenses.csv")
    assert not isinstance(shown, Plan) or shown.tasks[0].tool != "data.show"
