"""A skill that needs as much memory as it is told to, and says when it takes it."""

from __future__ import annotations

from collections.abc import Mapping

from kernel import Folders
from tests.kernel.small_skill import lay_skill

_CODE = '''"""Needs memory."""

from __future__ import annotations

import time
from pathlib import Path

from skills.sdk import Context, Folder, Text, ToolError

MIB = 1 << 20


def _hold(ctx: Context, mib: int) -> None:
    """Take memory in steps; say before each how much there will be, and when that was."""
    parts = []
    while len(parts) * 8 < mib:
        ctx.progress(None, f"{(len(parts) + 1) * 8} {time.time()}")
        parts.append(bytearray(b"x") * (8 * MIB))
        time.sleep(0.06)


def hold(ctx: Context, mib: int) -> int:
    """Hold.

    Args:
        mib: how much.
    """
    _hold(ctx, mib)
    return mib


def feast(ctx: Context) -> str:
    """Feast."""
    _hold(ctx, 160)
    ctx.say("It was enough.")
    return "full"


def modest(ctx: Context, mib: int) -> int:
    """Hold, within a small limit of its own.

    Args:
        mib: how much.
    """
    return hold(ctx, mib)


def write(ctx: Context, folder: Folder, mib: int) -> str:
    """Write.

    Args:
        folder: where.
        mib: how much it holds.
    """
    ctx.write(f"{folder.path}/made.txt", "whole")
    _hold(ctx, mib)
    return "made"


def work(ctx: Context, folder: Folder, mib: int) -> str:
    """Work.

    Args:
        folder: where.
        mib: how much it holds.
    """
    half, given = Path(folder.path, "half.txt"), sorted(path.name for path in Path(folder.path).iterdir())
    half.write_text("half")
    _hold(ctx, mib)
    half.unlink()
    Path(folder.path, "made.txt").write_text(" ".join(given))
    return "made"


def send(ctx: Context, mib: int) -> str:
    """Send.

    Args:
        mib: how much it holds.
    """
    text = ctx.fetch("http://example.org:PORT/", method="POST", body=b"x").text
    _hold(ctx, mib)
    return text


def read(ctx: Context, mib: int) -> str:
    """Read.

    Args:
        mib: how much it holds.
    """
    text = ctx.fetch("http://example.org:PORT/").text
    _hold(ctx, mib)
    return text


def pass_on(ctx: Context, mib: int) -> str:
    """Have it sent.

    Args:
        mib: how much it holds.
    """
    try:
        text = ctx.call("hungry.send", mib=0).value
    except ToolError as error:
        text = f"{error.code} {error}"
    _hold(ctx, mib)
    return text


def delegate(ctx: Context, whom: Text, mib: int) -> int:
    """Have another one hold.

    Args:
        whom: which.
        mib: how much.
    """
    return ctx.call(whom, mib=mib).value


def bear(ctx: Context, whom: Text, mib: int) -> str:
    """Have another one hold, and live with it when it cannot.

    Args:
        whom: which.
        mib: how much.
    """
    try:
        return str(ctx.call(whom, mib=mib).value)
    except ToolError as error:
        return error.code
'''

_CALLS = ", ".join(f'{{ action = "skill.call", scope = "hungry.{name}", reason = "to have it held" }}'
                   for name in ("hold", "modest", "delegate"))  # fmt: skip
_HOST = '{ action = "net.connect", scope = "example.org:PORT", reason = "to send it" }'
_TREE = ", ".join(f'{{ action = "fs.{action}", scope = "{{folder}}/**", reason = "to work" }}'
                  for action in ("read", "create", "write", "delete"))  # fmt: skip
_SENTENCES = {"feast": 'examples.en = ["feed the hungry skill"]\nexamples.de = ["füttere die hungrige Fähigkeit"]'}
_TOOLS: Mapping[str, tuple[str, str, str]] = {
    "hold": ("pure", "", ""),
    "feast": ("pure", "", ""),
    "delegate": ("pure", _CALLS, ""),
    "bear": ("pure", _CALLS, ""),
    "modest": ("pure", "", ""),
    "write": ("idempotent", _TREE, ""),
    "work": ("idempotent", _TREE, 'works_in = ["folder"]'),
    "send": ("once", _HOST, ""),
    "read": ("idempotent", _HOST, ""),
    "pass_on": ("once", f'{_HOST}, {{ action = "skill.call", scope = "hungry.send", reason = "to have it sent" }}', ""),
}  # fmt: skip


def install(folders: Folders, port: int = 80) -> None:
    """Put the skill where a user's skills lie; ``port`` is that of the host it talks to."""
    lines: list[str] = []
    for name, (effect, rights, more) in _TOOLS.items():
        sentences, limit = (
            _SENTENCES.get(name, f'examples.en = ["{name} the hungry"]'),
            128 if name == "modest" else 1024,
        )
        lines += [f"[tools.{name}]", f'effect = "{effect}"', sentences, more, f"rights = [{rights}]",
                  f"limits = {{ memory_mib = {limit} }}"]  # fmt: skip
    manifest, code = (text.replace("PORT", str(port)) for text in ("\n".join(lines) + "\n", _CODE))
    lay_skill(folders, "hungry", manifest, code, "needs memory")
