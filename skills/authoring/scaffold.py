"""A new skill that works: one tool, examples in two languages, and tests that pass."""

from __future__ import annotations

import os
from pathlib import Path

from skills.authoring.schema_file import directive
from skills.errors import BadSkill
from skills.loading import checked_id

_INSTRUCTIONS = """---
name: {id}
description: Keep lines of text in ~/{title}. Use when someone wants to write something into {words}.
---

# {title}

Lines go to the end of `~/{title}/{title}.md`. Nothing that stands there is changed.
"""

_MANIFEST = """{schema}version = "0.1.0"
title = "{title}"

[tools.add]
effect = "idempotent"
examples.en = [
  "write {{text:water the roses}} into {words}",
  "add {{text:call the bank on Monday}} to {words}",
  "put {{text:it}} into {words}",
  "{words}: {{text:a new tyre for the bike}}",
  "can you add {{text:return the books}} to {words}, please?",
  "I want {{text:the gate code is 4711}} in {words}",
]
examples.de = [
  "schreib {{text:Rosen gießen}} in {words}",
  "füge {{text:am Montag die Bank anrufen}} zu {words} hinzu",
  "setz {{text:das}} in {words}",
  "{words}: {{text:ein neuer Reifen fürs Rad}}",
  "kannst du bitte {{text:Bücher zurückbringen}} in {words} schreiben?",
  "ich möchte {{text:Türcode 4711}} in {words} haben",
]
rights = [
  {{ action = "fs.read", scope = "~/{title}/**", reason = "to find the page" }},
  {{ action = "fs.create", scope = "~/{title}/**", reason = "to begin the page" }},
  {{ action = "fs.write", scope = "~/{title}/**", reason = "to add the line at its end" }},
]
[tools.add.roles]
text = "payload"

[says.de]
"Add a line at the end of the page." = "Eine Zeile ans Ende der Seite schreiben."
"what to write." = "was geschrieben wird."
"to find the page" = "um die Seite zu finden"
"to begin the page" = "um die Seite anzulegen"
"to add the line at its end" = "um die Zeile ans Ende zu schreiben"
"""

_SOURCE = '''"""Keep lines of text in ~/{title}."""

from __future__ import annotations

from dataclasses import dataclass

from skills.sdk import Context, File, Text, ToolError

PAGE = "~/{title}/{title}.md"


@dataclass(frozen=True, slots=True)
class Line:
    """A line that was added, and the page that holds it."""

    text: str
    file: File


def add(ctx: Context, text: Text) -> Line:
    """Add a line at the end of the page.

    Args:
        text: what to write.
    """
    line = " ".join(text.split())
    if not line:
        raise ToolError("There is nothing to write.", hint="Say what to write.",
                        de="Es gibt nichts zu schreiben.", de_hint="Sag, was ich schreiben soll.")  # fmt: skip
    ctx.append(PAGE, f"- {{line}}\\n")
    shown = ctx.shown(PAGE)
    ctx.say(f"I added “{{line}}” to {{shown}}.", de=f"Ich habe „{{line}}“ in {{shown}} geschrieben.")
    return Line(line, ctx.file(PAGE))
'''

_TESTS = """from __future__ import annotations

from pathlib import Path

import pytest

from skills.sdk import ToolError
from skills.sdk.testing import PracticeHome, load

skill = load(Path(__file__).parent.parent)
PAGE = "{title}/{title}.md"


def test_lines_go_to_the_end_of_the_page(tmp_path: Path) -> None:
    home = PracticeHome(tmp_path)
    home.do(skill.add, text="water the roses")
    done = home.do(skill.add, text="call  the bank")
    assert home.text(PAGE) == "- water the roses\\n- call the bank\\n"
    assert done.answer == "I added “call the bank” to ~/{title}/{title}.md."


def test_it_answers_in_german(tmp_path: Path) -> None:
    done = PracticeHome(tmp_path, language="de").do(skill.add, text="Rosen gießen")
    assert done.answer == "Ich habe „Rosen gießen“ in ~/{title}/{title}.md geschrieben."


def test_nothing_is_not_written(tmp_path: Path) -> None:
    home = PracticeHome(tmp_path)
    with pytest.raises(ToolError, match="nothing to write"):
        home.do(skill.add, text="  ")
    assert home.tree() == {{}}
"""


def new_skill(name: str, folder: Path) -> tuple[Path, ...]:
    """Write a new skill called ``name`` into ``folder``; return its files. Raises BadSkill, and writes nothing then."""
    skill = checked_id(name)
    if "--" in name or name.endswith("-"):
        hint = "Use single hyphens, between letters or digits: the open Agent Skills format has no others."
        raise BadSkill("skill.id", f"{name!r} cannot be the name of a skill.", subject=name, hint=hint)
    place = folder / skill
    if os.path.lexists(place):
        raise BadSkill(
            "skill.taken", f"There is already something at {place}.", subject=name,
            hint="Take another name, or another folder with --in FOLDER.",
        )  # fmt: skip
    files = {place / path: text for path, text in texts(skill).items()}
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tuple(files)


def texts(skill: str) -> dict[str, str]:
    """Return the files of a new skill, by their paths below its folder."""
    words = skill.replace("-", " ")
    known = {"id": skill, "words": words, "title": words[:1].upper() + words[1:], "schema": directive()}
    return {
        "SKILL.md": _INSTRUCTIONS.format(**known),
        "steward.toml": _MANIFEST.format(**known),
        "skill.py": _SOURCE.format(**known),
        f"tests/test_{skill.replace('-', '_')}.py": _TESTS.format(**known),
    }
