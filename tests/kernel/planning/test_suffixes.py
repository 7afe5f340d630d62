"""Files by the suffix that a person names in words: found by it, and by nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.kernel.planner import Planner


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("find all bak files", "files.find(name=*.bak)"),
        ("list files with the extension iso", "files.find(name=*.iso)"),
        ("which files end in .log?", "files.find(name=*.log)"),
        ("alle Dateien mit der Endung bak", "files.find(name=*.bak)"),
        ("finde alle Dateien, die auf .swp enden", "files.find(name=*.swp)"),
        ("delete the log files in Downloads",
         "files.find(folder=~/Downloads, name=*.log); files.delete(files=<t1>)"),
        ("delete all *.iso files", "files.find(name=*.iso); files.delete(files=<t1>)"),
        (".bak-Dateien löschen", "files.find(name=*.bak); files.delete(files=<t1>)"),
        ("verschiebe alle Dateien mit der Endung iso nach Archive",
         "files.find(name=*.iso); files.move(files=<t1>, to=~/Archive)"),
        ("list all pdf files", "files.find(kind=pdf)"),
    ],
)  # fmt: skip
def test_a_suffix_named_in_words_is_a_condition(planner: Planner, sentence: str, expected: str) -> None:
    assert planner.shape(planner.say(sentence)) == expected
