"""Packages that must be taken: the shapes in which honest people give what they made, and ones that are merely lively.

Each holds code that would leave the canary as soon as anybody imports it, or runs a file of it: so what is taken has
been looked at, and nothing more.
"""

from __future__ import annotations

import tarfile
from collections.abc import Callable
from dataclasses import dataclass

from minisign import KeyPair

from tests.proofs.packages.contents import as_commit, as_folder, as_tar, as_zip
from tests.proofs.packages.ground import (
    Files,
    Scene,
    below,
    entries_of,
    git,
    hot,
    members_of,
    naive_copy,
    naive_import,
    naive_run,
    repository,
    tarred,
    zipped,
)
from tests.skills.packages.wares import laid, member, signed

_PAIR = KeyPair.generate()
_FRONT = "---\nname: {name}\ndescription: {text}\n{more}---\n\n# {name}\n\nDo it step by step.\n"
_LONG = "A line of a long text about the moon.\n" * 20_000


def instructions(
    name: str = "moon", text: str = "Reads the moon. Use for tides.", more: str = "", body: str = ""
) -> dict[str, str | bytes]:
    """A package of instructions alone."""
    return {"SKILL.md": _FRONT.format(name=name, text=text, more=more) + body}


@dataclass(frozen=True)
class Honest:
    """One package, and the kind that it must be shown as."""

    name: str
    make: Callable[[Scene], str]
    kind: str = "tools"


@dataclass(frozen=True)
class Lively:
    """One package whose files run by themselves in careless hands (``harm``), and do not here."""

    name: str
    make: Callable[[Scene], str]
    harm: Callable[[Scene], bool]


def _with(form: Callable[..., str], **more: str | bytes) -> Callable[[Scene], str]:
    named = {name.replace("__", "/").replace("_DOT_", "."): text for name, text in more.items()}
    return lambda one: form(one, {**hot(one), **named})


def _also(form: Callable[..., str], more: Files) -> Callable[[Scene], str]:
    return lambda one: form(one, {**hot(one), **more})


def _text(form: Callable[..., str], **about: str) -> Callable[[Scene], str]:
    return lambda one: form(one, instructions(**about))


def _signed(form: str) -> Callable[[Scene], str]:
    def make(one: Scene) -> str:
        one.ware.mkdir()
        folder = signed(laid(one.ware / "moon", hot(one)), _PAIR)
        if form == "folder":
            return str(folder)
        if form == "git":
            git(folder, "init", "-q", "-b", "main")
            git(folder, "add", "-A")
            git(folder, "commit", "-qm", "One")
            return f"git:{folder}"
        return str(
            zipped(
                one.folder / "m.zip", entries_of({f"moon/{path.name}": path.read_bytes() for path in folder.iterdir()})
            )
        )

    return make


def _summed(one: Scene) -> str:
    from skills.packages.sums import SUMS, sums_of

    folder = laid(one.path("moon"), hot(one))
    (folder / SUMS).write_text(sums_of(folder))
    return str(folder)


def _as_github(one: Scene) -> str:
    """The archive of a branch: one folder around everything, the skill in it."""
    inside = {f"repository-main/skills/moon/{name}": text for name, text in hot(one).items()}
    return f"{zipped(one.path('main.zip'), entries_of({'repository-main/README.md': '# Skills', **inside}))}#repository-main/skills/moon"


def _at_the_top(one: Scene) -> str:
    return str(zipped(one.path("anything.zip"), entries_of(hot(one))))


def _with_folders(one: Scene) -> str:
    """As tar makes it: each folder is a member of its own."""
    folders = [
        (member("moon", tarfile.DIRTYPE, mode=0o755), b""),
        (member("moon/references", tarfile.DIRTYPE, mode=0o755), b""),
    ]
    files = below({**hot(one), "references/table.csv": "a,b\n"})
    return str(tarred(one.path("moon.tar.bz2"), [*folders, *members_of(files)]))


def _gnu(one: Scene) -> str:
    return str(
        tarred(
            one.path("moon.tgz"),
            members_of(below({**hot(one), "references/" + "long-name-" * 11 + ".md": "x"})),
            tarfile.GNU_FORMAT,
        )
    )


def _tagged(one: Scene) -> str:
    one.ware.mkdir()
    folder = repository(one.ware, hot(one))
    git(folder, "tag", "v1.0")
    return f"git:{folder}@v1.0"


def _pinned(one: Scene) -> str:
    one.ware.mkdir()
    folder = repository(one.ware, hot(one))
    return f"git:{folder}@{git(folder, 'rev-parse', 'HEAD')}"


def _beside_links(one: Scene) -> str:
    """One skill of a repository in which other things are links."""
    one.ware.mkdir()
    folder = repository(one.ware, {**below(hot(one), "skills/moon"), "AGENTS.md": "# Agents"}, "many")
    (folder / "CLAUDE.md").symlink_to("AGENTS.md")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "Two")
    return f"git:{folder}#skills/moon"


def _as_committed(one: Scene) -> str:
    """Attributes would turn ends of lines, fill in words, and leave the signature out: it is taken as committed."""
    one.ware.mkdir()
    laid(
        one.ware / "moon",
        {
            **hot(one),
            ".gitattributes": "*.md text eol=crlf export-subst\nSHA256SUMS* export-ignore\n",
            "notes.md": "$Format:%H$\n",
        },
    )
    signed(one.ware / "moon", _PAIR)
    folder = one.ware / "moon"
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "One")
    return f"git:{folder}"


def _index(one: Scene) -> str:
    place = zipped(one.path("moon.zip"), entries_of(below(hot(one))))
    laid(one.ware, {"skills.json": f'{{"skills": {{"moon": "{place.name}"}}}}'})
    return f"index:{one.ware / 'skills.json'}#moon"


def _kept_by_agents(one: Scene) -> str:
    laid(one.folder / ".agents" / "skills" / "moon", hot(one))
    return "agents:moon"


def _kept_by_a_link(one: Scene) -> str:
    """As installers of skills lay them: one folder, and links to it."""
    laid(one.folder / ".agents" / "skills" / "moon", hot(one))
    (one.folder / ".claude" / "skills").mkdir(parents=True)
    (one.folder / ".claude" / "skills" / "moon").symlink_to("../../.agents/skills/moon")
    return "agents:moon"


def _executable(one: Scene) -> str:
    folder = laid(one.path("moon"), {**hot(one), "scripts/draw.sh": f"#!/bin/sh\n{one.shell}\n"})
    (folder / "scripts" / "draw.sh").chmod(0o755)
    return str(folder)


HONEST = [
    Honest("a folder", lambda one: as_folder(one, hot(one))), Honest("a zip", lambda one: as_zip(one, hot(one))),
    Honest("a tar.xz", lambda one: as_tar(one, hot(one))), Honest("a commit", lambda one: as_commit(one, hot(one))),
    Honest("a zip with the skill at its top", _at_the_top), Honest("a zip of a branch", _as_github),
    Honest("a tar with its folders", _with_folders), Honest("a tar with long names, as GNU writes them", _gnu),
    Honest("a tag", _tagged), Honest("a commit by its id", _pinned), Honest("one of a repository with links", _beside_links),
    Honest("a commit with attributes", _as_committed), Honest("by an index", _index), Honest("kept by other agents", _kept_by_agents),
    Honest("kept by other agents, by a link", _kept_by_a_link),
    Honest("signed, a folder", _signed("folder")), Honest("signed, a zip", _signed("zip")), Honest("signed, a commit", _signed("git")),
    Honest("sums without a signature", _summed),
    Honest("names in other alphabets", _also(as_zip, {"references/月.md": "# 月", "references/луна.md": "# Луна", "references/Übersicht.md": "# Ü"})),
    Honest("names with spaces and marks", _also(as_zip, {"references/how to read it (2026), v1.md": "x", "references/a+b&c=d.md": "x"})),
    Honest("deep, but not too deep", _also(as_tar, {"a/b/c/d/e/f/x.md": "x"})),
    Honest("empty files", _also(as_folder, {"references/empty.md": "", "scripts/__init__.py": ""})),
    Honest("large texts", _also(as_folder, {"references/long.md": _LONG, "references/longer.txt": _LONG * 2})),
    Honest("a picture and a font", _also(as_zip, {"assets/moon.png": bytes(range(256)) * 40, "assets/font.ttf": b"\0\1\0\0" + bytes(range(256)) * 10})),
    Honest("a script that may be run", _executable),
    Honest("many files", _also(as_zip, {f"references/{number:03}.md": f"# {number}" for number in range(600)})),
    Honest("settings for git in the tree", _also(as_zip, {".gitignore": "*.tmp\n", ".gitattributes": "* text=auto\n", ".github/workflows/ci.yml": "on: push\n"})),
    Honest("instructions alone", _text(as_folder), "instructions"), Honest("instructions, zipped", _text(as_zip), "instructions"),
    Honest("instructions from a repository", _text(as_commit), "instructions"),
    Honest("instructions with a colon that is no YAML", _text(as_folder, text="Use when: somebody asks: what moon"), "instructions"),
    Honest("instructions with keys of others", _text(as_folder, more="license: MIT\nallowed-tools: Bash(git:*), Read\nargument-hint: [topic]\nmetadata:\n  openclaw:\n    emoji: x\n"), "instructions"),
    Honest("instructions with a folded description", _text(as_zip, text=">\n  Reads the moon.\n  Use for tides."), "instructions"),
    Honest("instructions in another language", _text(as_zip, text="Liest den Mond – auch „Übergröße“ – と月を読む。"), "instructions"),
    Honest("instructions with pictures in the text", _text(as_folder, text="Reads the moon 🌙 for the team 👩‍💻 ✔️."), "instructions"),
    Honest("instructions with Arabic and its marks", _text(as_folder, body="\nيقرأ القمر\u200f (المد)\n"), "instructions"),
    Honest("instructions with lines as on Windows", lambda one: as_folder(one, {"SKILL.md": str(instructions()["SKILL.md"]).replace("\n", "\r\n")}), "instructions"),
    Honest("instructions with a mark of byte order", lambda one: as_folder(one, {"SKILL.md": "\ufeff" + str(instructions()["SKILL.md"])}), "instructions"),
    Honest("instructions without front matter", lambda one: as_folder(one, {"SKILL.md": "# Moon\n\nReads the moon, step by step.\n"}), "instructions"),
    Honest("instructions with scripts, references and assets", lambda one: as_zip(one, {**instructions(), "scripts/read.py": one.code, "references/tides.md": "# Tides", "assets/t.csv": "a,b\n"}), "instructions"),
    Honest("a front matter that would unfold", lambda one: as_folder(one, {"SKILL.md": bomb()}), "instructions"),
]  # fmt: skip


def bomb() -> str:
    """A front matter that stands for a billion words where a reader writes it out."""
    lines = ["a: &a [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"{chr(98 + n)}: &{chr(98 + n)} [{', '.join([f'*{chr(97 + n)}'] * 10)}]" for n in range(8)]
    return "---\nname: moon\ndescription: Reads the moon.\n" + "\n".join(lines) + "\n---\n# Moon\n"


# --- lively -------------------------------------------------------------------------------------------------------


def _imported(one: Scene) -> bool:
    return naive_import(one, naive_copy(one, one.ware / "moon"))


def _runs(*words: str) -> Callable[[Scene], bool]:
    return lambda one: naive_run(one, *words, cwd=naive_copy(one, one.ware / "moon"), seconds=60)


def _path_has_it(one: Scene) -> bool:
    folder = naive_copy(one, one.ware / "moon")
    return naive_run(one, "python", "-c", f"import site; site.addsitedir({str(folder)!r})")


def _starts_with(name: str) -> Callable[[Scene], bool]:
    def harm(one: Scene) -> bool:
        folder = naive_copy(one, one.ware / "moon")
        return naive_run(one, "env", f"PYTHONPATH={folder}", "python3", "-c", f"import {name}")

    return harm


def _hooked(one: Scene) -> str:
    """A repository whose own settings run programs: a hook, a filter, a watcher."""
    one.ware.mkdir()
    folder = repository(one.ware, hot(one, __gitattributes="* filter=moon\n"))
    git(folder, "config", "filter.moon.smudge", f"{one.shell}; cat")
    git(folder, "config", "core.fsmonitor", one.shell)
    hook = folder / ".git" / "hooks" / "post-checkout"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\n{one.shell}\n")
    hook.chmod(0o755)
    one.canary.unlink(missing_ok=True)
    return f"git:{folder}"


def _checked_out(one: Scene) -> bool:
    return naive_run(one, "git", "checkout", "-q", "HEAD", "--", ".", cwd=naive_copy(one, one.ware / "moon"))


def _setup(one: Scene) -> str:
    text = f"{one.code}from setuptools import setup\nsetup(name='moon', py_modules=['skill'])\n"
    return as_folder(one, {**hot(one), "setup.py": text})


LIVELY = [
    Lively("code at import", lambda one: as_folder(one, hot(one)), _imported),
    Lively("setup.py", _setup, _runs("python", "setup.py", "--version")),
    Lively("conftest.py", lambda one: as_folder(one, {**hot(one), "conftest.py": one.code, "test_moon.py": "def test(): pass\n"}),
           _runs("python", "-m", "pytest", "-q", "-p", "no:cacheprovider", ".")),
    Lively("sitecustomize.py", lambda one: as_folder(one, {**hot(one), "sitecustomize.py": one.code}), _starts_with("sitecustomize")),
    Lively("usercustomize.py", lambda one: as_folder(one, {**hot(one), "usercustomize.py": one.code}), _starts_with("usercustomize")),
    Lively("a file of paths that runs", lambda one: as_folder(one, {**hot(one), "moon.pth": f"import os; {one.code}"}), _path_has_it),
    Lively("__init__.py", lambda one: as_folder(one, {**hot(one), "__init__.py": one.code}),
           lambda one: naive_run(one, "python", "-c", f"import sys; sys.path.insert(0, {str(naive_copy(one, one.ware / 'moon').parent)!r}); import moon")),
    Lively("__main__.py", lambda one: as_folder(one, {**hot(one), "__main__.py": one.code}),
           lambda one: naive_run(one, "python", str(naive_copy(one, one.ware / "moon")))),
    Lively("a Makefile", lambda one: as_folder(one, {**hot(one), "Makefile": f"all:\n\t{one.shell}\n"}), _runs("make")),
    Lively("a default that is worked out", lambda one: as_folder(one, {**hot(one), "skill.py": _DEFAULT.replace("CODE", repr(one.code))}), _imported),
    Lively("a decorator that runs", lambda one: as_folder(one, {**hot(one), "skill.py": _DECORATED.replace("CODE", repr(one.code))}), _imported),
    Lively("hooks, filters and a watcher of git", _hooked, _checked_out),
]  # fmt: skip

_DEFAULT = '''"""The moon."""

from skills.sdk import Context

LATER = exec(CODE)


def phase(ctx: Context) -> str:
    """Say how the moon looks."""
    return "full"
'''
_DECORATED = '''"""The moon."""

from skills.sdk import Context


def soon(function):
    exec(CODE)
    return function


@soon
def phase(ctx: Context) -> str:
    """Say how the moon looks."""
    return "full"
'''
