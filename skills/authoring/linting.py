"""Everything that can be said of a skill before it runs: by loading, by the reviewer, by the format, by experience."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from pathlib import Path

from skills.authoring.code import Code
from skills.authoring.code_rules import Looked, of_modules, of_reminding, of_tool_code
from skills.authoring.instructions import of_instructions
from skills.authoring.model import Finding, Severity
from skills.authoring.word_rules import of_manifest_words, of_tool_words
from skills.contents import shipped_folders, ships
from skills.errors import BadSkill, SkillError
from skills.loading import each_tool, load_skill
from skills.manifest import MANIFEST, SOURCE, Manifest, misfits, read_manifest
from skills.model import Skill, Tool
from skills.packages.likeness import check_likeness
from skills.packages.model import Bounds
from skills.packages.opening import check_folder
from skills.packages.sums import signer_of
from skills.packages.texts import check_texts
from skills.schema import Signature, read_signatures

_PLACED = re.compile(r"(?P<path>/.*?):(?P<line>\d+): (?P<what>.*)", re.DOTALL)


def lint(folder: Path, known: Collection[str] = ()) -> tuple[Finding, ...]:
    """Return what is wrong with the skill in ``folder``, in the order of files and lines; nothing of it is run.

    ``known`` are the ids of other skills that are installed, beside those of Steward.
    """
    folder = folder.absolute()
    if not folder.is_dir():
        hint = "Give the folder of a skill, or make one: ./steward skills new NAME"
        return (Finding(".", 1, Severity.ERROR, "skill.folder", f"There is no folder {folder}.", hint),)
    found = set(_all(folder, frozenset(known) | shipped_ids()))
    return tuple(sorted(found))


def shipped_ids() -> frozenset[str]:
    """Return the ids of the skills that are part of Steward."""
    return frozenset(shipped_folders())


def _all(folder: Path, known: frozenset[str]) -> Iterator[Finding]:
    yield from _package(folder)
    yield from of_instructions(folder)
    if (folder / MANIFEST).exists():
        yield from _with_tools(folder)
    else:
        message = "It has no steward.toml: a skill without tools, which Steward can only read."
        yield Finding(".", 1, Severity.WARNING, "skill.no_tools", message, "Add steward.toml and skill.py for tools.")
    try:
        skill = load_skill(folder)
    except (SkillError, RecursionError) as error:
        yield _of_error(folder, error)
        return
    yield from _reviewed(folder, skill, known)


def _package(folder: Path) -> Iterator[Finding]:
    """Yield what would have the folder refused as a package."""
    try:
        check_folder(folder, Bounds())
    except SkillError as error:
        hint = error.hint or "Take it out: a package is taken as it is, or refused."
        yield Finding(".", 1, Severity.ERROR, error.code, str(error), hint)
    if not any((folder / "tests").glob("test_*.py")):
        hint = "Write tests/test_....py with PracticeHome; ./steward skills test runs them."
        yield Finding(".", 1, Severity.WARNING, "tests.none", "It has no tests.", hint)


def _with_tools(folder: Path) -> Iterator[Finding]:
    yield from (wrong := [_of_error(folder, error) for error in misfits(folder)])
    if wrong:
        return
    manifest, text = read_manifest(folder), (folder / MANIFEST).read_text(encoding="utf-8")
    try:
        signatures = read_signatures(folder / SOURCE)
        made = list(each_tool(folder, manifest, signatures, shipped=ships(folder)))
    except BadSkill as error:
        yield _of_error(folder, error)
        return
    yield from (_of_error(folder, one) for one in made if isinstance(one, BadSkill))
    tools = [one for one in made if isinstance(one, Tool)]
    yield from _forgotten(manifest, signatures)
    yield from _ruled(Code(folder), manifest, text, tools)


def _ruled(code: Code, manifest: Manifest, text: str, tools: list[Tool]) -> Iterator[Finding]:
    for tool in tools:
        one = Looked(tool, manifest.tools[tool.function], text, code)
        yield from of_tool_words(one)
        yield from of_tool_code(one)
    yield from of_reminding(code, manifest, text, tools)
    yield from of_modules(code)
    yield from of_manifest_words(manifest, text, tools)


def _forgotten(manifest: Manifest, signatures: Collection[str] | dict[str, Signature]) -> Iterator[Finding]:
    """Yield the functions that look like tools and that the manifest does not name."""
    for name in sorted(set(signatures) - set(manifest.tools)):
        message = f"skill.py has a tool {name} that steward.toml does not name."
        hint = f"Add [tools.{name}], or call the function _{name}."
        yield Finding(SOURCE, 1, Severity.WARNING, "tools.unnamed", message, hint)


def _reviewed(folder: Path, skill: Skill, known: frozenset[str]) -> Iterator[Finding]:
    """Yield what the reviewer of a package would refuse it for."""
    try:
        check_texts(skill, known)
    except SkillError as error:
        yield _of_error(folder, error)
    try:
        check_likeness(skill.id, known)
    except SkillError as error:
        yield _of_error(folder, error)
    try:
        publisher = read_manifest(folder).publisher if (folder / MANIFEST).exists() else ""
        signer_of(folder, publisher)
    except SkillError as error:
        yield _of_error(folder, error)


def _of_error(folder: Path, error: SkillError | RecursionError) -> Finding:
    """Return an error of loading or reviewing as a finding; where its text begins with file and line, at that place."""
    text = str(error)
    code, hint = getattr(error, "code", "skill.file"), getattr(error, "hint", "")
    hint = hint or "docs/guides/skills.md says what is refused, and why."
    found = _PLACED.match(text)
    if found is None or not Path(found["path"]).is_relative_to(folder):
        return Finding(".", 1, Severity.ERROR, code, text, hint)
    file = Path(found["path"]).relative_to(folder).as_posix()
    return Finding(file, int(found["line"]), Severity.ERROR, code, found["what"], hint)
