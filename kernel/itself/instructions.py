"""What is said of a request that a skill of instructions alone is about, where nobody follows it.

Such a skill is Markdown that a language model follows (``kernel.agents``). Without one, or for a program that asks in
its own name, nothing is done, and nothing is pretended.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from kernel.installing.searching import fitting
from kernel.paths import short
from permissions.naming import shown
from skills.model import Skill

_WORDS = {
    "en": {
        "bind": "The skill {name} is about this, but it is instructions for a language model, and none is bound to "
        "follow them, so nothing was done. Bind one with: ./steward models use worker NAME. Or do it yourself: {place}",
        "client": "The skill {name} is about this, but it is instructions for a language model, which is asked for you "
        "alone and not for another program, so nothing was done.",
    },
    "de": {
        "bind": "Die Fähigkeit {name} handelt davon, sie ist aber eine Anleitung für ein Sprachmodell, und keines ist "
        "gesetzt, das ihr folgt, deshalb wurde nichts getan. Eines setzen: ./steward models use worker NAME. "
        "Zum Selberlesen: {place}",
        "client": "Die Fähigkeit {name} handelt davon, sie ist aber eine Anleitung für ein Sprachmodell, und das wird "
        "nur für dich gefragt und nicht für ein anderes Programm, deshalb wurde nichts getan.",
    },
}


def instruction_words(skills: Iterable[Skill], text: str, language: str, home: str, client: str = "") -> str:
    """Return the sentence about the skill of instructions that ``text`` is about; "" where there is none.

    ``client`` is the program that asked, empty where the person did.
    """
    skill = fitting(skills, text)
    return "" if skill is None else unfollowed_words(skill, language, home, client)


def unfollowed_words(skill: Skill, language: str, home: str, client: str = "") -> str:
    """Return the sentence about ``skill``, which is instructions that nobody follows here."""
    place = short(str(Path(skill.folder) / "SKILL.md"), home)
    words = _WORDS.get(language, _WORDS["en"])["client" if client else "bind"]
    return words.format(name=shown(skill.id), place=shown(place))
