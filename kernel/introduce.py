"""What the kernel says of itself: what it can do, in sentences of the installed skills; hello; you are welcome.

Every example is one that a skill's own manifest gives for a tool of its; nothing is named that is not installed.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from skills.model import Example, Skill, Tool, ValueKind


class Own(StrEnum):
    """What the kernel answers itself."""

    UNDO = "undo"
    HELP = "help"
    GREETING = "greeting"
    THANKS = "thanks"


SAYINGS = 3
"""How many example sentences of a tool a client is shown, in each language."""

MOST_SKILLS = 8
"""So many skills are named with an example; of more, the number."""

_PLACES = frozenset({ValueKind.FILE, ValueKind.FOLDER, ValueKind.TABLE})
_SENTENCES = {
    "en": {
        Own.HELP: "Say in your own words what you want done. You see the plan first, you allow exactly what it needs, "
                  "and what it changed can be taken back. For example:",
        Own.GREETING: "Hello! Say what you want done, for example:",
        Own.THANKS: "You are welcome.",
        "more": "… and {count} more skills: ./steward skills lists them all.",
        "none": "No skill is installed yet.",
    },
    "de": {
        Own.HELP: "Sag in deinen eigenen Worten, was getan werden soll. Du siehst zuerst den Plan, erlaubst genau, was "
                  "er braucht, und kannst zurücknehmen, was sich geändert hat. Zum Beispiel:",
        Own.GREETING: "Hallo! Sag, was getan werden soll, zum Beispiel:",
        Own.THANKS: "Gern geschehen.",
        "more": "… und {count} weitere Fähigkeiten: ./steward skills zeigt alle.",
        "none": "Es ist noch keine Fähigkeit installiert.",
    },
}  # fmt: skip


def introduction(own: Own, skills: Sequence[Skill], language: str) -> str:
    """Return the answer to a question for help, a greeting or thanks."""
    words = _SENTENCES[language]
    if own is Own.THANKS:
        return words[own]
    examples = [(skill.named(language), said) for skill in skills if (said := saying(skill, language))]
    if not examples:
        return words["none"]
    if own is Own.GREETING:
        return f"{words[own]} {_quoted(examples[0][1], language)}"
    lines = [f"  {title}: {_quoted(said, language)}" for title, said in examples[:MOST_SKILLS]]
    more = [words["more"].format(count=len(examples) - MOST_SKILLS)] if len(examples) > MOST_SKILLS else []
    return "\n".join([words[own], *lines, *more])


def saying(skill: Skill, language: str) -> str:
    """Return one sentence that ``skill`` understands; in English where it has none in ``language``."""
    for tongue in (language, "en"):
        found = [
            (_lacks(tool, one), one.text) for tool in skill.tools for one in tool.examples if one.language == tongue
        ]
        if found:
            return min(found, key=lambda pair: pair[0])[1]
    return ""


def sayings(tool: Tool) -> dict[str, list[str]]:
    """Return a few sentences that mean ``tool``, by language: whole ones, with no file that only the example has."""
    found: dict[str, list[str]] = {}
    for example in sorted(tool.examples, key=lambda one: _lacks(tool, one)):
        found.setdefault(example.language, []).append(example.text)
    return {language: texts[:SAYINGS] for language, texts in found.items()}


def _lacks(tool: Tool, example: Example) -> tuple[int, int]:
    """Count the values that are not given, then the places that a person may not have."""
    named = {slot.parameter for slot in example.slots}
    needed = {parameter.name for parameter in tool.parameters if parameter.required}
    return len(needed - named), sum(tool.parameter(name).type.kind in _PLACES for name in named)


def _quoted(text: str, language: str) -> str:
    return f"„{text}“" if language == "de" else f"“{text}”"
