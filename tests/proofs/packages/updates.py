"""What comes as an update: attacks that must be refused, and every way of wanting more, each of which must be asked for."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from minisign import KeyPair

from tests.proofs.packages.ground import Attack, Scene, entries_of, hot, naive_import, zipped
from tests.skills.packages.wares import GOOD, laid, signed

PAIR, OTHER = KeyPair.generate(), KeyPair.generate()
FIRST = "2.0.0"


def first(one: Scene) -> Path:
    """The version that is in use when the update comes: signed, and harmless."""
    return signed(laid(one.folder / "first" / "moon", _versioned(GOOD, FIRST)), PAIR)


def _versioned(files: Mapping[str, str | bytes], version: str) -> dict[str, str | bytes]:
    return {**files, "steward.toml": str(files["steward.toml"]).replace("1.0.0", version)}


def _titled(files: Mapping[str, str | bytes], name: str) -> dict[str, str | bytes]:
    return {**files, "steward.toml": str(files["steward.toml"]).replace('"Moon"', f'"{name.title()}"')}


def _update(version: str, pair: KeyPair | None, name: str = "moon") -> Callable[[Scene], str]:
    def make(one: Scene) -> str:
        folder = laid(one.folder / "made" / name, _titled(_versioned(hot(one), version), name))
        if pair is not None:
            signed(folder, pair)
        files = {f"{name}/{path.name}": path.read_bytes() for path in folder.iterdir()}
        return str(zipped(one.path("moon.zip"), entries_of(files)))

    return make


def _replaces(name: str = "moon") -> Callable[[Scene], bool]:
    """An updater that fetches what the place has now and puts it where the other was."""

    def harm(one: Scene) -> bool:
        shelf = Path(shutil.copytree(one.folder / "first", one.into / "shelf"))
        shutil.rmtree(shelf / "moon")
        shutil.unpack_archive(one.ware / "moon.zip", shelf)
        return naive_import(one, shelf / name)

    return harm


UPDATES = [
    Attack("update: not signed any more", "not signed any more", _update("3.0.0", None), _replaces(), "moon"),
    Attack("update: signed by another key", "signed by another key", _update("3.0.0", OTHER), _replaces(), "moon"),
    Attack("update: an older version, honestly signed", "older than", _update("1.0.0", PAIR), _replaces(), "moon"),
    Attack("update: another skill from the same place", "holds the skill", _update("3.0.0", PAIR, "sunshine"), _replaces("sunshine"), "moon"),
]  # fmt: skip

# --- wanting more -------------------------------------------------------------------------------------------------

_TOOLS = '''"""The moon."""

from skills.sdk import Context, Folder, Text


def phase(ctx: Context, to: Text, about: Text = "it") -> str:
    """Say how the moon looks.

    Args:
        to: whom to tell.
        about: what to tell.
    """
    ctx.say("Full.")
    return "full"
'''
_MORE_TOOLS = '''

def rise(ctx: Context) -> str:
    """Say when the moon rises."""
    ctx.say("Soon.")
    return "soon"


def keep(ctx: Context, place: Folder) -> str:
    """Keep the table of the moon.

    Args:
        place: where.
    """
    ctx.say("Kept.")
    return "kept"
'''
_BASE = """version = "1.0.0"
title = "Moon"

[tools.phase]
effect = "idempotent"
examples.en = ["tell {to:Anna} about {about:the moon}"]
roles = { to = "sink" }

[[tools.phase.rights]]
action = "fs.read"
scope = "~/Moon/2026/**"
reason = "to read the table of the moon"

[[tools.phase.rights]]
action = "fs.write"
scope = "~/Moon/notes.md"
reason = "to keep what was seen"
"""


def _right(action: str, scope: str, tool: str = "phase") -> str:
    return f'\n[[tools.{tool}.rights]]\naction = "{action}"\nscope = "{scope}"\nreason = "to look at the moon"\n'


def _tool(name: str, effect: str = "pure", more: str = "") -> str:
    return f'\n[tools.{name}]\neffect = "{effect}"\nexamples.en = ["{name} of the moon"]\n{more}'


@dataclass(frozen=True)
class Wider:
    """An update that wants more. ``what`` is how the review must call it; source and manifest as they come."""

    name: str
    what: str
    manifest: str
    source: str = _TOOLS

    def laid(self, folder: Path) -> Path:
        """Lay it, a version later, signed by the same hand, so that nothing but what it wants tells it apart."""
        files = {**GOOD, "steward.toml": self.manifest.replace('"1.0.0"', '"1.1.0"'), "skill.py": self.source}
        return signed(laid(folder / "moon", files), PAIR)


def base(folder: Path) -> Path:
    """Lay the version in use."""
    return signed(laid(folder / "moon", {**GOOD, "steward.toml": _BASE, "skill.py": _TOOLS}), PAIR)


def same(folder: Path) -> Path:
    """Lay an update that wants nothing more: the control, which keeps its grants."""
    return Wider("nothing more", "", _BASE, _TOOLS + "\n# tidier\n").laid(folder)


def _changed(name: str, what: str, old: str, new: str) -> Wider:
    assert old in _BASE, old
    return Wider(name, what, _BASE.replace(old, new))


WIDER = [
    Wider("a right to read elsewhere", "fs.read", _BASE + _right("fs.read", "~/Documents/**")),
    _changed("a wider folder", "fs.read", "~/Moon/2026/**", "~/Moon/**"),
    _changed("the whole home", "fs.read", "~/Moon/2026/**", "~/**"),
    _changed("a folder where a file was", "fs.write", "~/Moon/notes.md", "~/Moon/**"),
    Wider("a right to write what was read", "fs.write", _BASE + _right("fs.write", "~/Moon/2026/**")),
    Wider("a right to delete", "fs.delete", _BASE + _right("fs.delete", "~/Moon/2026/**")),
    Wider("a right to make files", "fs.create", _BASE + _right("fs.create", "~/Moon/**")),
    Wider("a host", "net.connect", _BASE + _right("net.connect", "moon.example.org:443")),
    Wider("every host of a name", "net.connect", _BASE + _right("net.connect", "*.example.org:443")),
    Wider("another skill's tool", "skill.call", _BASE + _right("skill.call", "files.find")),
    Wider("reading and reaching in one tool", "flow", _BASE + _right("net.connect", "moon.example.org:443")),
    _changed("a graver effect", "effect", '"idempotent"', '"once"'),
    _changed("a sink that is none any more", "sink", 'roles = { to = "sink" }', 'roles = { to = "payload" }'),
    _changed("a sink more", "sink", 'to = "sink"', 'to = "sink", about = "sink"'),
    Wider("a sink under another name", "sink", _BASE.replace('to = "sink"', 'about = "payload"').replace("{to:Anna}", "{whom:Anna}"),
          _TOOLS.replace("to: Text", "whom: Text").replace("to: whom", "whom: whom")),
    _changed("programs of this machine", "programs", 'roles = {', 'runs_programs = "to draw the moon"\nroles = {'),
    Wider("a tool that only answers", "tool", _BASE + _tool("rise"), _TOOLS + _MORE_TOOLS),
    Wider("a tool that acts once", "tool", _BASE + _tool("rise", "once"), _TOOLS + _MORE_TOOLS),
    Wider("a tool that works in a folder in its own way", "works in",
          _BASE + _tool("keep", "idempotent", 'works_in = ["place"]\n').replace("keep of the moon", "keep it in {place:~/Moon}"), _TOOLS + _MORE_TOOLS),
    Wider("a right among many that are the same", "fs.read",
          _BASE + _right("fs.read", "~/Moon/2026/a.md") * 1 + _right("fs.read", "~/.ssh/**") + _right("fs.read", "~/Moon/2026/b.md")),
]  # fmt: skip
