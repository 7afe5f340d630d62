from __future__ import annotations

import re
from pathlib import Path

import pytest

from skills.sdk import ToolError
from skills.sdk.testing import PracticeHome, load

shell = load(Path(__file__).parent.parent)


@pytest.fixture
def home(tmp_path: Path) -> PracticeHome:
    made = PracticeHome(tmp_path)
    made.add("site/names.txt", "b\na\n")
    return made


def test_a_command_runs_in_its_folder_and_its_output_is_said(home: PracticeHome) -> None:
    done = home.work(shell.run, command=" sort names.txt | tee sorted ", folder=home.folder("site"))
    assert done.answer == "I ran `sort names.txt | tee sorted` in ~/site.\na\nb"
    assert done.value.output == "a\nb"
    assert home.text("site/sorted") == "a\nb\n"


def test_it_is_said_in_german(home: PracticeHome) -> None:
    home.language = "de"
    done = home.work(shell.run, command="true", folder=home.folder("site"))
    assert done.answer == "Ich habe `true` in ~/site ausgeführt."


@pytest.mark.parametrize(
    ("command", "how"),
    [("echo no; echo why >&2; exit 3", "ended with status 3"), ("kill -9 $$", "was ended by signal 9"),
     ("nonexistent-program", "ended with status 127")],
)  # fmt: skip
def test_a_command_that_fails_says_how_and_what_it_said(home: PracticeHome, command: str, how: str) -> None:
    with pytest.raises(ToolError, match=re.escape(f"`{command}` {how}, so nothing was changed.")) as failed:
        home.work(shell.run, command=command, folder=home.folder("site"))
    assert failed.value.code == "shell.failed"


def test_of_much_output_the_end_is_shown(home: PracticeHome) -> None:
    done = home.work(shell.run, command="yes line | head -n 20000; echo last", folder=home.folder("site"))
    assert done.value.output.endswith("line\nlast")
    assert len(done.answer) < 5000


def test_nothing_is_waiting_for_a_command_that_leaves_something_in_the_background(home: PracticeHome) -> None:
    done = home.work(shell.run, command="sleep 100 & echo started", folder=home.folder("site"))
    assert done.value.output == "started"
