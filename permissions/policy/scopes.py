"""What a right covers: comparison of scopes by path components and host labels, never by string prefix.

What this stops: ``/home/u/Downloads-private`` passing for ``/home/u/Downloads``, ``evilexample.org`` for a host of
``*.example.org``; ``..``, NUL, relative and unnormalised paths being compared at all; a file called ``**`` whose right
reads as everything beside it.
What it does not: links. Callers resolve a path first; the wall and the commit hold descriptors.
"""

from __future__ import annotations

import ipaddress
import os
import re

from permissions.errors import BadScope
from permissions.model import EVERYTHING, Action, Right

_FILE_ACTIONS = frozenset({Action.FS_READ, Action.FS_CREATE, Action.FS_WRITE, Action.FS_DELETE})
_HOST_PORT = re.compile(r"(?:\*|(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*):(?:(?P<port>[0-9]{1,5})|\*)")
_SKILL = re.compile(r"[a-z][a-z0-9-]{1,62}(?:\.[a-z_][a-z0-9_]{0,62})?")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 _.:/-]{0,126}[A-Za-z0-9]|[A-Za-z0-9]")
_SEEN = re.compile(r"(?:\*|facts|files|results)@(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\]):(?P<port>[0-9]{1,5})")
_WEB = re.compile(r"https?://[^\s/?#\\]+(?:[/?#][^\s\\]*)?")
_LONGEST = 4096
_LONGEST_PROGRAM = 128

_OWN_NAMES = ("localhost", "ip6-localhost", "metadata")
_OWN_DOMAINS = (".localhost", ".local", ".internal", ".home.arpa", ".lan")


def is_text(text: str) -> bool:
    """Tell whether ``text`` can be written as bytes: a lone half of a character is in no name, file or message."""
    try:
        os.fsencode(text)
    except UnicodeEncodeError:
        return False
    return True


def is_file_action(action: Action) -> bool:
    """Tell whether the scope of ``action`` is a path."""
    return action in _FILE_ACTIONS


def checked(right: Right) -> Right:
    """Return ``right`` if its scope is well formed for its action. Raises BadScope."""
    scope = right.scope
    if "\0" in scope or not scope or len(scope) > _LONGEST or not is_text(scope):
        message = "A scope is empty, too long, or holds a NUL or a broken character."
        raise BadScope("scope.malformed", message, subject=repr(scope[:100]))
    if is_file_action(right.action):
        _check_path(scope)
    elif right.tree:
        raise BadScope("scope.tree", f"Only a path can mean everything below it, {scope!r} cannot.", subject=scope)
    elif scope != EVERYTHING:
        _check_name(right.action, scope)
    return right


def _check_path(scope: str) -> None:
    if not scope.startswith("/") or os.path.normpath(scope) != scope or scope.startswith("//"):
        raise BadScope(
            "scope.path",
            f"{scope!r} is not an absolute, normalised path.",
            subject=scope,
            hint="Write the whole path, without '..', '//' or a trailing slash.",
        )
    if scope.endswith("/**"):
        raise BadScope("scope.path", f"{scope!r} is called like everything beside it.", subject=scope,
                       hint="Give that file another name.")  # fmt: skip


def _check_name(action: Action, scope: str) -> None:
    if action is Action.NET_CONNECT:
        found = _HOST_PORT.fullmatch(scope)
        if not found or not 0 < int(found["port"] or 1) < 1 << 16 or len(scope) > 259:
            raise BadScope("scope.host", f"{scope!r} is not host:port.", subject=scope)
    elif action is Action.SKILL_CALL:
        if not _SKILL.fullmatch(scope):
            raise BadScope("scope.skill", f"{scope!r} is not the id of a skill or of a tool.", subject=scope)
    elif action is Action.MODEL_SEE:
        seen = _SEEN.fullmatch(scope)
        if not seen or not 0 < int(seen["port"]) < 1 << 16 or len(scope) > 259:
            raise BadScope("scope.seen", f"{scope[:100]!r} is no class of data at a host.", subject=scope[:100],
                           hint="Write facts, files, results or * and where: facts@127.0.0.1:11434")  # fmt: skip
    elif action is Action.DESKTOP_OPEN:
        _check_opened(scope)
    elif action is Action.SYSTEM_STOP:
        if not scope.isprintable() or scope != scope.strip() or len(scope) > _LONGEST_PROGRAM:
            raise BadScope("scope.program", f"{scope[:100]!r} is not the name of a program.", subject=scope[:100])
    elif not _NAME.fullmatch(scope) or ".." in scope:
        raise BadScope("scope.name", f"{scope!r} is not the name of a device, a label or a secret.", subject=scope)


def _check_opened(scope: str) -> None:
    """What is opened is a whole path or a web address; a hidden character in it would show another one on the card."""
    if scope.startswith("/"):
        _check_path(scope)
    elif not _WEB.fullmatch(scope) or not scope.isprintable():
        raise BadScope("scope.opened", f"{scope[:100]!r} is neither a whole path nor a web address.",
                       subject=scope[:100])  # fmt: skip


def is_everything(right: Right) -> bool:
    """Tell whether ``right`` stands for every host, device, secret ...; of files the ceilings decide how wide."""
    return right.scope == EVERYTHING and not is_file_action(right.action)


def everything(action: Action) -> Right:
    """Return the right that implies every other one of ``action``."""
    return Right(action, "/", True) if is_file_action(action) else Right(action, EVERYTHING)


def is_own_network(right: Right) -> bool:
    """Tell whether ``right`` is for an address of this machine or of the network it stands in, as it is written.

    A name that resolves to one is refused by who connects; here only what can be read is refused.
    """
    if right.action is not Action.NET_CONNECT:
        return False
    host = right.scope.rpartition(":")[0].removeprefix("*.")
    if host in _OWN_NAMES or host.endswith(_OWN_DOMAINS) or f".{host}" in _OWN_DOMAINS:
        return True
    return not _is_public(host)


def _is_public(host: str) -> bool:
    """Tell whether ``host`` is a name, or an address of the internet, in any form that inet_aton(3) reads."""
    if not all(re.fullmatch(r"[0-9]+|0x[0-9a-f]*", part) for part in host.split(".")):
        return True
    try:
        return ipaddress.IPv4Address(host).is_global
    except ValueError:  # 127.1, 0x7f000001, 2130706433: written to be misread
        return False


def covers(wide: Right, narrow: Right) -> bool:
    """Tell whether holding ``wide`` implies ``narrow``: same action, and all that one means is meant by the other."""
    if wide.action is not narrow.action:
        return False
    if not is_file_action(wide.action):
        return wide in narrow.wider()
    if not wide.tree:
        return wide.scope == narrow.scope and not narrow.tree
    return holds_path(wide.scope, narrow.scope)


def holds_path(path: str, inner: str) -> bool:
    """Tell whether ``inner`` is ``path`` or lies below it; both are normalised, so a slash ends a component."""
    return path == inner or inner.startswith(path if path.endswith("/") else f"{path}/")


def parse_right(text: str, home: str) -> Right:
    """Read ``fs.read:~/Downloads/**`` as a person types it. Raises BadScope with what is expected."""
    action_name, colon, scope = text.partition(":")
    if not colon or action_name not in set(Action):
        raise BadScope(
            "scope.right",
            f"{text!r} is not a right.",
            subject=text,
            hint="Write ACTION:SCOPE, e.g. fs.read:~/Downloads/** ; actions: " + ", ".join(Action),
        )
    action = Action(action_name)
    if not is_file_action(action):
        return checked(Right(action, scope.lower() if action is Action.NET_CONNECT else scope))
    tree = scope.endswith("/**")
    scope = "/" if scope == "/**" else scope.removesuffix("/**")
    if scope == "~" or scope.startswith("~/"):
        scope = home + scope[1:]
    if not tree and scope.endswith("/") and scope != "/":
        scope, tree = scope.rstrip("/"), True
    return checked(Right(action, scope, tree))
