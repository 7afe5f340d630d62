"""What the kernel says of itself: what it can do (in sentences of the installed skills), who it is, hello, welcome.

Every example is one that a skill's own manifest gives for a tool of its (``examples`` puts in places that are there);
nothing is named that is not installed.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any

from kernel.itself.examples import Places, Shown, shown
from kernel.paths import tilded
from permissions.naming import shown as named
from skills import Registry
from skills.model import Skill, Tool


class Own(StrEnum):
    """What the kernel answers itself."""

    UNDO = "undo"
    HELP = "help"
    GREETING = "greeting"
    THANKS = "thanks"
    WHO = "who"
    LAST = "last"
    CANCEL = "cancel"


SAYINGS = 3
"""How many example sentences of a tool a client is shown, in each language."""

MOST_SKILLS = 16
"""So many skills are named with an example; of more, the number."""

_SENTENCES = {
    "en": {
        Own.HELP: "Say in your own words what you want done. You see the plan first, you allow exactly what it needs, "
                  "and what it changed can be taken back. For example:",
        Own.GREETING: "Hello! Say what you want done, for example:",
        Own.THANKS: "You are welcome.",
        Own.WHO: "I am Steward, a personal Agent-OS. You say what you want done, I plan it and ask for the rights it "
                 "needs, and what it changed can be taken back. {models} “What can you do?” shows more. For "
                 "example:",
        "alone": "I work on this computer alone, without a language model.",
        "models": "I work on this computer; where my own plans end I ask the model that you have set ({names}).",
        "more": "… and {count} more skills: ./steward skills lists them all.",
        "none": "No skill is installed yet.",
    },
    "de": {
        Own.HELP: "Sag in deinen eigenen Worten, was getan werden soll. Du siehst zuerst den Plan, erlaubst genau, was "
                  "er braucht, und kannst zurücknehmen, was sich geändert hat. Zum Beispiel:",
        Own.GREETING: "Hallo! Sag, was getan werden soll, zum Beispiel:",
        Own.THANKS: "Gern geschehen.",
        Own.WHO: "Ich bin Steward, ein persönliches Agent-OS. Du sagst, was getan werden soll, ich plane es und frage "
                 "nach den Rechten dafür, und was sich geändert hat, lässt sich zurücknehmen. {models} „Was kannst "
                 "du?“ zeigt mehr. Zum Beispiel:",
        "alone": "Ich arbeite nur auf diesem Rechner, ohne Sprachmodell.",
        "models": "Ich arbeite auf diesem Rechner; wo meine eigenen Pläne enden, frage ich das Modell, das du gesetzt "
                  "hast ({names}).",
        "more": "… und {count} weitere Fähigkeiten: ./steward skills zeigt alle.",
        "none": "Es ist noch keine Fähigkeit installiert.",
    },
}  # fmt: skip


def introduction(
    own: Own, skills: Sequence[Skill], language: str, places: Places | None = None, models: Sequence[str] = ()
) -> str:
    """Return the answer to a question for help, a greeting or thanks; ``models`` are those that are bound."""
    words = _SENTENCES[language]
    if own is Own.THANKS:
        return words[own]
    examples = [(skill.named(language), said) for skill in skills if (said := saying(skill, language, places))]
    if not examples:
        return words["none"]
    if own in (Own.GREETING, Own.WHO):
        asks = words["models" if models else "alone"].format(names=", ".join(map(named, models)))
        return f"{words[own].format(models=asks)} {quoted(examples[0][1], language)}"
    lines = [f"  {title}: {quoted(said, language)}" for title, said in examples[:MOST_SKILLS]]
    more = [words["more"].format(count=len(examples) - MOST_SKILLS)] if len(examples) > MOST_SKILLS else []
    return "\n".join([words[own], *lines, *more])


def saying(skill: Skill, language: str, places: Places | None = None) -> str:
    """Return one sentence that ``skill`` understands; in English where it has none in ``language``."""
    every = [one for tool in skill.tools for one in _shown(tool, places)]
    for tongue in (language, "en"):
        found = [one for one in every if one.language == tongue]
        if found:
            return min(found, key=lambda one: one.lacks).text
    return ""


def sayings(tool: Tool, places: Places | None = None) -> dict[str, list[str]]:
    """Return a few sentences that mean ``tool``, by language: whole ones, with no file that only the example has."""
    found: dict[str, list[str]] = {}
    for example in sorted(_shown(tool, places), key=lambda one: one.lacks):
        found.setdefault(example.language, []).append(example.text)
    return {language: list(dict.fromkeys(texts))[:SAYINGS] for language, texts in found.items()}


def skills_view(registry: Registry, places: Places | None = None) -> list[dict[str, Any]]:
    """Return the installed skills as a client shows them, their sentences with places of this home."""
    return [
        {
            "id": skill.id, "title": skill.title, "version": skill.version, "description": skill.description,
            "packages": [f"{one.name} {one.version}" for one in skill.packages],
            "hash": skill.hash, "shipped": skill.shipped, "kind": "tools" if skill.tools else "instructions",
            "tools": [
                {"id": tool.id, "summary": tool.summary, "effect": str(tool.effect),
                 "examples": [example.text for example in tool.examples[:3]], "sayings": sayings(tool, places)}
                for tool in skill.tools
            ],
        }
        for skill in registry.skills()
    ]  # fmt: skip


def problems_view(registry: Registry, home: str) -> list[dict[str, Any]]:
    """Return which folders hold a skill that could not be loaded, why, and what to do; paths in the person's form."""
    return [
        {"skill": Path(one.folder).name, "folder": one.folder, "code": one.code,
         "message": tilded(one.message, home), "hint": one.hint}
        for one in registry.problems()
    ]  # fmt: skip


def _shown(tool: Tool, places: Places | None) -> list[Shown]:
    return [shown(tool, example, places) for example in tool.examples]


def quoted(text: str, language: str) -> str:
    """Return a sentence in the quotation marks of ``language``."""
    return f"„{text}“" if language == "de" else f"“{text}”"
