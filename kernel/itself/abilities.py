"""What one skill can do, told when somebody asks for it by name: each of its tools, and a sentence for it.

Only a whole question that names an installed skill ("what can the calendar do?", "was kannst du mit Kontakten machen?")
is one; "what can Anna do?" is a request like any other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from kernel.itself.examples import Places
from kernel.itself.introduce import quoted, sayings
from kernel.language import words_of
from kernel.model import Intent
from permissions.naming import shown
from skills.model import Skill, Tool

MOST_TOOLS = 20
"""So many tools are told; of more, the number."""

_LONGEST = 12
_KIND = "(?: (?:skill|skills|server|tool|tools|module|fähigkeit|werkzeuge?|modul))?"
_NAME = r"(?P<name>\S+(?: \S+){0,2}?)"
_QUESTIONS = {
    "en": (
        rf"what (?:all )?(?:can|does|could) (?:the |my |your )?{_NAME}{_KIND} (?:do|offer)(?: for me)?",
        rf"what (?:all )?(?:can|could) (?:you|i|we) do (?:with|in|using) (?:the |my |your )?{_NAME}{_KIND}",
        rf"what is (?:the |my |your )?{_NAME} (?:skill|server) (?:for|good for)",
        rf"(?:how do i|how can i|how to) use (?:the |my |your )?{_NAME} (?:skill|server)",
    ),
    "de": (
        rf"was kann (?:alles )?(?:der |die |das |mein |meine )?{_NAME}{_KIND}"
        r"(?: (?:alles|so|denn))*(?: (?:tun|machen))?",
        r"was (?:kannst du|kann ich|können wir)(?: alles)? mit (?:dem |der |den |meinem |meiner |meinen )?"
        rf"{_NAME}{_KIND}(?: alles)?(?: (?:tun|machen|anfangen))?",
        rf"(?:wofür ist|was macht) (?:der |die |das )?(?:skill|server|fähigkeit) {_NAME}(?: da| gut)?",
    ),
}
_SENTENCES = {
    "en": {
        "head": "What {skill} can do, and how it is said:",
        "plain": "What {skill} can do:",
        "more": "… and {count} more: ./steward skills lists them all.",
        "named": "Name it in your own words, such as “… with {skill}”.",
        "text": "{skill} is instructions that a language model follows: {about}",
    },
    "de": {
        "head": "Was {skill} kann, und wie man es sagt:",
        "plain": "Was {skill} kann:",
        "more": "… und {count} weitere: ./steward skills zeigt alle.",
        "named": "Nenn es in deinen eigenen Worten, etwa „… with {skill}“.",
        "text": "{skill} ist eine Anleitung, der ein Sprachmodell folgt: {about}",
    },
}


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """No start waits for them."""
    return tuple((language, re.compile(one)) for language, said in _QUESTIONS.items() for one in said)


def asked_skill(intent: Intent, skills: Sequence[Skill]) -> tuple[Skill, str] | None:
    """Return the skill whose abilities the whole sentence asks for, and in which language; None for any other."""
    words = [word for word in words_of(intent.text) if word[0].isalnum()]
    if not 2 < len(words) <= _LONGEST:
        return None
    text = " ".join(words)
    for language, pattern in _patterns():
        found = pattern.fullmatch(text)
        skill = _called(found["name"], skills) if found else None
        if skill is not None:
            return skill, language
    return None


def _called(name: str, skills: Sequence[Skill]) -> Skill | None:
    """Return the skill that is called so, by its id or its title, in one or several ("contacts", "contact")."""
    return next((one for one in skills if any(_alike(name, own) for own in _names(one))), None)


def _names(skill: Skill) -> set[str]:
    said = {skill.id, skill.id.replace("-", " "), skill.title, *(skill.named(one) for one in skill.says)}
    return {one.casefold() for one in said}


def _alike(name: str, own: str) -> bool:
    return name == own or name in (f"{own}s", f"{own}n", f"{own}en") or own == f"{name}s"


def told(skill: Skill, language: str, places: Places | None = None) -> str:
    """Return what the skill can do, in words: its tools with a sentence each."""
    words, name = _SENTENCES[language], shown(str(skill.id))
    if not skill.tools:
        return words["text"].format(skill=name, about=shown(skill.description))
    rows = [(tool, _example(tool, language, places)) for tool in skill.tools[:MOST_TOOLS]]
    spoken = any(example for _, example in rows)
    lines = [words["head" if spoken else "plain"].format(skill=name)]
    for tool, example in rows:
        said = f" {quoted(example, language)}" if example else ""
        lines.append(f"  {shown(tool.said(tool.summary, language))}{said}")
    left = len(skill.tools) - MOST_TOOLS
    lines += [words["more"].format(count=left)] if left > 0 else []
    lines += [] if spoken else [words["named"].format(skill=name)]
    return "\n".join(lines)


def _example(tool: Tool, language: str, places: Places | None) -> str:
    found = sayings(tool, places)
    return next(iter(found.get(language) or found.get("en") or ()), "")
