"""The mind, kept: what the manifests teach is worked out when skills or code change, and only opened otherwise.

What derives from shipped skills alone lies beside the code (``SHIPPED``), made when Steward is set up; as soon as a
person has skills of their own, words weigh differently, and it is made once more in their own folder; so it is where
nobody may write beside the code. Either is bound to the content of all skills and of the code that reads them.
"""

from __future__ import annotations

import contextlib
import hashlib
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from kernel.composition.profiles.profile import Profile
from kernel.composition.profiles.profiling import build_profile
from kernel.composition.weights import DOC_WORD
from kernel.context.packing import Parts, pack, read_parts, unpack, write_parts
from kernel.context.toolbox import LANGUAGES, Toolbox, taught
from kernel.language import lemmas
from kernel.language.lexicon import Lexicon
from kernel.ranking import document_of
from kernel.ranking.shelf import shelf_kept, texts_of
from memory import Encoder, KeptVectors
from skills import Registry
from skills.model import Skill, Tool, ToolId

SHIPPED = Path(sys.prefix) / "share" / "steward"
"""Derived from shipped data alone, so a fresh user folder rebuilds none of it."""

_CODE = Path(__file__).resolve().parents[2]
_READERS = ("kernel/language", "kernel/composition", "kernel/context", "kernel/ranking", "skills")
_NAME = "lessons"


def open_mind(registry: Registry, kept: Path, before: Toolbox | None = None) -> tuple[Lexicon, Toolbox]:
    """Return what the skills of ``registry`` teach, built where it is not kept; ``kept`` is the person's own folder.

    ``before`` is what was known until now: what it has of tools that did not change is not built again. Where nothing
    was known, that is what is kept of the shipped skills.
    """
    tools = registry.tools()
    if not taught(tools):
        return Lexicon.from_tools(tools), Toolbox.build(tools)
    folders = (SHIPPED, kept) if all(skill.shipped for skill in registry.skills()) else (kept,)
    files, key = [folder / _NAME for folder in folders], _key(registry.skills())
    found = next(filter(None, (_opened(read_parts(file, key), tools) for file in files)), None)
    if found is None:
        before = before or _shipped(registry)
        built = Lexicon.from_tools(tools), Toolbox.build(tools, before)
        packed = _packed(*built, before)
        written = next((file for file in files if write_parts(file, key, packed)), None)
        found = (_opened(read_parts(written, key), tools) if written else None) or built
    return found


def example_vectors(registry: Registry, encoder: Encoder, kept: Path) -> KeptVectors:
    """Return the encoder with the vectors of all that the skills say: the shipped ones' beside the code if they may."""
    vectors = KeptVectors(encoder)
    for folder, shipped in ((SHIPPED, True), (kept, False)):
        tools = taught(tool for skill in registry.skills() if skill.shipped is shipped for tool in skill.tools)
        if tools:
            texts = [text for tool in tools for text in texts_of(document_of(tool))]
            name = f"examples-{encoder.digest[:12]}.vectors"
            vectors.keep(folder / name, texts, kept / f"shipped-{name}" if shipped else None)
    return vectors


def remove_outdated() -> None:
    """Remove what earlier versions left beside the code: vectors in files of whole batches."""
    for path in SHIPPED.glob("vectors-*.npy"):
        with contextlib.suppress(OSError):
            path.unlink()


def _shipped(registry: Registry) -> Toolbox | None:
    """Return what is kept of the shipped skills alone; None where that is nothing."""
    skills = [skill for skill in registry.skills() if skill.shipped]
    tools = tuple(tool for skill in skills for tool in skill.tools)
    found = _opened(read_parts(SHIPPED / _NAME, _key(skills)), tools)
    return found[1] if found is not None else None


class _Profiles(dict[tuple[ToolId, str], Profile]):
    """Profiles that are made out of their bytes when they are first asked for."""

    def __init__(self, parts: Parts, tools: Mapping[ToolId, Tool]) -> None:
        super().__init__()
        self._parts = parts
        self._known = tools

    def __missing__(self, key: tuple[ToolId, str]) -> Profile:
        tool, language = key
        try:
            self[key] = unpack(self._parts.part(_name(*key)), self._known)
        except (OSError, ValueError):  # somebody wrote into the file since it was opened
            self[key] = build_profile(self._known[tool], language, DOC_WORD)
        return self[key]

    def packed(self, key: tuple[ToolId, str]) -> bytes | None:
        """Return the bytes that a profile was made out of; None where they are no longer there."""
        with contextlib.suppress(KeyError, OSError, ValueError):
            return self._parts.part(_name(*key))
        return None


def _packed(lexicon: Lexicon, toolbox: Toolbox, before: Toolbox | None = None) -> dict[str, bytes]:
    """Return all that is kept as bytes; those of profiles that ``before`` has already are taken over."""
    (segment,) = toolbox.shelf.segments
    known = before.profiles if before is not None else None

    def packed(key: tuple[ToolId, str], made: Profile) -> bytes:
        taken = known.packed(key) if isinstance(known, _Profiles) and known.get(key) is made else None
        return taken or pack(made)

    parts = {"lexicon": pack(lexicon), "shelf": pack((segment.words, segment.grams))}
    parts |= {language: pack(lessons) for language, lessons in toolbox.lessons.items()}
    return parts | {_name(*key): packed(key, made) for key, made in toolbox.profiles.items()}


def _opened(parts: Parts | None, tools: tuple[Tool, ...]) -> tuple[Lexicon, Toolbox] | None:
    if parts is None:
        return None
    known = {tool.id: tool for tool in tools}
    try:
        lexicon, postings = (unpack(parts.part(name), known) for name in ("lexicon", "shelf"))
        lessons = {language: unpack(parts.part(language), known) for language in LANGUAGES}
    except (OSError, ValueError):
        return None
    shelf = shelf_kept([document_of(tool) for tool in taught(tools)], postings)
    return lexicon, Toolbox(tools, _Profiles(parts, known), lessons, shelf)


def _name(tool: ToolId, language: str) -> str:
    return f"{language} {tool}"


def _key(skills: Iterable[Skill]) -> bytes:
    """A digest of all that a mind is made of: the skills, the code that reads them, the dictionaries of base forms."""
    digest = hashlib.sha256(repr([(skill.id, skill.hash) for skill in skills]).encode())
    for folder in _READERS:
        for path in sorted((_CODE / folder).rglob("*.py")):
            digest.update(f"\n{path.name} {path.stat().st_size}\n".encode() + path.read_bytes())
    for path in sorted(lemmas.KEPT.glob("*")):
        digest.update(f"\n{path.name} {path.stat().st_size} {path.stat().st_mtime_ns}".encode())
    return digest.digest()
