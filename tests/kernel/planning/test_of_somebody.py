"""What is asked of somebody is looked up where a text would stand: it is not the words that are meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from skills.model import ToolId

if TYPE_CHECKING:
    from tests.kernel.planner import Planner


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("copy Lena's phone number to the clipboard",
         "contacts.find(name=Lena, what=phone); desktop.copy(text=<t1>)"),
        ("I want to have Lena's phone number on the clipboard",
         "contacts.find(name=Lena, what=phone); desktop.copy(text=<t1>)"),
        ("kopiere Lenas Nummer in die Zwischenablage",
         "contacts.find(name=Lenas, what=phone); desktop.copy(text=<t1>)"),
        ("show me Lena's phone number as a notification",
         "contacts.find(name=Lena, what=phone); desktop.notify(text=<t1>)"),
        ("zeig mir Lenas Nummer als Hinweis", "contacts.find(name=Lenas, what=phone); desktop.notify(text=<t1>)"),
        ("write Lena's email address into my note Ideas",
         "contacts.find(name=Lena, what=email); notes.add(text=<t1>, title=Ideas)"),
        ("change Vogt's phone number to Lena's phone number",
         "contacts.find(name=Lena, what=phone); contacts.change(detail=phone, name=Vogt, value=<t1>)"),
    ],
)  # fmt: skip
def test_it_is_looked_up(planner: Planner, sentence: str, expected: str) -> None:
    assert planner.shape(planner.say(sentence)) == expected


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        ("show a notification saying Lena's birthday", "Lena's birthday"),
        ("add the number of the plumber to my note Ideas", "the number of the plumber"),
        ("zeig mir einen Hinweis, dass die Wäsche trocken ist", "die Wäsche ist trocken"),
        ("flash up the words eye drops", "eye drops"),
        ("zeig mir als Hinweis an, dass das Essen fertig ist", "das Essen ist fertig"),
        ("show me dinner is ready as a notification", "dinner is ready"),
    ],
)
def test_what_is_said_to_be_the_text_is_the_text(planner: Planner, sentence: str, text: str) -> None:
    shape = planner.shape(planner.say(sentence))
    assert f"(text={text}" in shape
    assert "contacts" not in shape


def test_a_reminder_is_called_as_it_was_said(planner: Planner) -> None:
    shape = planner.shape(planner.say("remind me of Lena's birthday tomorrow at 9"))
    assert shape.startswith("timers.remind(")
    assert "text=Lena's birthday" in shape


def test_a_file_that_can_go_in_the_bin_is_deleted(planner: Planner) -> None:
    shape = planner.shape(planner.say("Downloads/setup.exe can go in the bin"))
    assert shape.startswith("files.delete(")


@pytest.mark.parametrize("language", ["en", "de"])
def test_sums_over_words_come_to_the_same_in_any_order(planner: Planner, language: str) -> None:
    box = planner.toolbox
    profile = box.profile(ToolId("desktop.notify"), language)
    words = sorted({feature for one in profile.skeletons for feature in one.features})
    assert box.shared(profile, words) == box.shared(profile, words[::-1]) == box.shared(profile, set(words))
