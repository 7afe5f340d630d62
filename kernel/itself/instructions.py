"""What is said of a request that a skill of instructions alone is about: that it needs a model, and there is none.

Such a skill is Markdown that a language model follows. Nothing of it runs here, and nothing is pretended.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from kernel.installing.searching import fitting
from kernel.paths import short
from permissions.naming import shown
from skills.model import Skill

_WORDS = {
    "en": "The skill {name} is about this, but it is instructions for a language model, and Steward works without one: "
    "a model cannot be set up in this version, so nothing was done. You can follow it yourself: {place}",
    "de": "Die Fähigkeit {name} handelt davon, sie ist aber eine Anleitung für ein Sprachmodell, und Steward arbeitet "
    "ohne eines: In dieser Fassung lässt sich keines einrichten, deshalb wurde nichts getan. Zum Selberlesen: {place}",
}


def instruction_words(skills: Iterable[Skill], text: str, language: str, home: str) -> str:
    """Return the sentence about the skill of instructions that ``text`` is about; "" where there is none."""
    skill = fitting(skills, text)
    if skill is None:
        return ""
    place = short(str(Path(skill.folder) / "SKILL.md"), home)
    return _WORDS.get(language, _WORDS["en"]).format(name=shown(skill.id), place=shown(place))
