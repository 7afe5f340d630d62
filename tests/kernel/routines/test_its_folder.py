"""In a rule about files "that folder" is the one in which they come or change."""

from __future__ import annotations

from pathlib import Path

import pytest

from kernel.context.mind import Mind
from kernel.context.world import HomeWorld
from kernel.interpret import read
from kernel.language.free_text import covered
from kernel.model import ConversationId, Utterance
from kernel.routines.hearing import Heard, left_of
from kernel.routines.hearing.happenings import hear_happening
from kernel.routines.rewording.its_folder import its_folder
from tests.kernel.homes import furnish
from tests.kernel.routines.test_hearing_happenings import NOW


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("If I move a file into Backup, tell me how much space that folder takes up now.",
         "tell me how much space ~/Backup takes up now"),
        ("whenever a PDF lands in Downloads, list the files in the same folder", "list the files in ~/Downloads"),
        ("Wenn in Downloads eine PDF landet, sag mir, wie viel Platz der Ordner jetzt braucht.",
         "sag mir, wie viel Platz ~/Downloads jetzt braucht"),
        ("whenever a PDF lands in Downloads, list the files in the folder Backup",
         "list the files in the folder Backup"),
        ("Wenn in Downloads eine PDF landet, öffne den Ordner namens Backup", "öffne den Ordner namens Backup"),
        ("when the battery drops below 20 percent, open that folder", "open that folder"),
    ],
)  # fmt: skip
def test_that_folder_is_the_one_of_the_rule(text: str, left: str, tmp_path: Path, mind: Mind) -> None:
    home = str(furnish(tmp_path / "kim", ["Backup/", "Downloads/"]))
    line = read(Utterance(text, ConversationId("c"), home, home, NOW), mind.lexicon)
    heard = hear_happening(line, HomeWorld(home), home, mind.lexicon)
    assert isinstance(heard, Heard)
    assert left_of(line, heard.gone, its_folder(line, covered(heard.gone), heard.trigger, home)) == left
