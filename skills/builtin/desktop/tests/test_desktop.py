"""What the tools of the desktop ask for at the daemon's doors, and what they say. The doors: tests/kernel/desktop."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from skills.builtin.desktop import skill
from skills.sdk import ToolError
from skills.sdk.testing import PracticeHome

PNG = b"\x89PNG\r\n\x1a\n" + b"picture" * 100


class Screen:
    """A desktop that writes down what it was asked, and gives what the test put there."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.clipboard = ""
        self.notices = True
        self.locked = False

    def __call__(self, door: str, given: Mapping[str, Any]) -> Any:
        self.asked.append((door, dict(given)))
        if self.locked:
            raise ToolError("There is no desktop here.", hint="Log in on the screen.", code="desktop.none")
        match door:
            case "clipboard.read":
                return self.clipboard
            case "clipboard.write":
                self.clipboard = given["text"]
                return None
            case "screenshot":
                return base64.b64encode(PNG).decode()
            case "notify":
                return self.notices
        return None


@pytest.fixture
def screen() -> Screen:
    return Screen()


@pytest.fixture
def home(tmp_path: Path, screen: Screen) -> PracticeHome:
    made = PracticeHome(tmp_path, doors=screen)
    made.add("Documents/report.pdf", "%PDF")
    return made


def test_a_file_is_opened_by_its_whole_path(home: PracticeHome, screen: Screen) -> None:
    done = home.do(skill.open_file, file=home.file("Documents/report.pdf"))
    assert screen.asked == [("open", {"place": str(home.path / "Documents/report.pdf")})]
    assert (done.answer, done.effects) == ("I opened ~/Documents/report.pdf.", ())


def test_a_folder_is_opened_by_its_whole_path(home: PracticeHome, screen: Screen) -> None:
    home.language = "de"
    done = home.do(skill.open_folder, folder=home.folder("Documents"))
    assert screen.asked == [("open", {"place": str(home.path / "Documents")})]
    assert done.answer == "Ich habe ~/Documents im Dateimanager geöffnet."


def test_an_address_is_opened_as_it_was_said(home: PracticeHome, screen: Screen) -> None:
    done = home.do(skill.browse, url="https://example.org/a?b=c")
    assert screen.asked == [("open", {"place": "https://example.org/a?b=c"})]
    assert done.answer == "I opened https://example.org/a?b=c in your browser."


def test_what_is_copied_can_be_pasted(home: PracticeHome, screen: Screen) -> None:
    text = "Grüße\n\tan alle 👋"
    assert home.do(skill.copy, text=text).answer == f"I put the text on the clipboard ({len(text)} characters)."
    done = home.do(skill.paste)
    assert done.value.text == text
    assert done.answer == f"On the clipboard is:\n{text}"
    assert [door for door, _ in screen.asked] == ["clipboard.write", "clipboard.read"]


@pytest.mark.parametrize("held", ["", "  \n\t"])
def test_an_empty_clipboard_is_said(home: PracticeHome, screen: Screen, held: str) -> None:
    screen.clipboard = held
    done = home.do(skill.paste)
    assert (done.value.text, done.answer) == ("", "There is no text on the clipboard.")


def test_a_long_text_is_shown_cut_and_given_on_whole(home: PracticeHome, screen: Screen) -> None:
    screen.clipboard = "word " * 2000
    done = home.do(skill.paste)
    assert done.value.text == screen.clipboard
    assert len(done.answer) < 4100
    assert done.answer.endswith(" …")


def test_a_picture_of_the_screen_is_a_file_beside_the_earlier_ones(home: PracticeHome) -> None:
    first, second = home.do(skill.screenshot), home.do(skill.screenshot)
    name = "Pictures/Screenshots/Screenshot 2025-03-14 12-00-00"
    assert home.tree()[f"{name}.png"] == home.tree()[f"{name} (2).png"] == PNG
    assert first.files == (str(home.path / f"{name}.png"),)
    assert f"~/{name} (2).png" in second.answer
    assert [effect["op"] for effect in first.effects if effect["op"] != "mkdir"] == ["write"]


def test_a_notice_is_shown_with_its_text(home: PracticeHome, screen: Screen) -> None:
    done = home.do(skill.notify, text="The cake is ready")
    assert screen.asked == [("notify", {"title": "Steward", "text": "The cake is ready"})]
    assert done.answer == "I showed a notice: The cake is ready"


def test_a_notice_that_nobody_shows_is_no_success(home: PracticeHome, screen: Screen) -> None:
    screen.notices = False
    with pytest.raises(ToolError, match="Nothing here shows notices") as refused:
        home.do(skill.notify, text="The cake is ready")
    assert refused.value.hint


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        (skill.browse, {"url": "https://example.org"}),
        (skill.paste, {}),
        (skill.copy, {"text": "a"}),
        (skill.screenshot, {}),
        (skill.notify, {"text": "a"}),
    ],
)
def test_without_a_desktop_nothing_is_said_to_be_done(
    home: PracticeHome, screen: Screen, tool: Any, given: dict[str, Any]
) -> None:
    screen.locked = True
    before = home.tree()
    with pytest.raises(ToolError, match="no desktop"):
        home.do(tool, **given)
    assert home.tree() == before


def test_without_the_right_no_door_is_there(tmp_path: Path) -> None:
    """A cell whose call was given no door has none to knock at."""
    with pytest.raises(ToolError) as refused:
        PracticeHome(tmp_path).do(skill.screenshot)
    assert refused.value.hint
