"""What a right covers: comparison of scopes by path components, never by string prefix.

What this stops: ``/home/u/Downloads-private`` passing for ``/home/u/Downloads``; ``..``, NUL, relative and
unnormalised paths being compared at all.
What it does not: links. Callers resolve a path first; the wall and the commit hold descriptors.
"""

from __future__ import annotations

import os
import re

from permissions.errors import BadScope
from permissions.model import Action, Right

_FILE_ACTIONS = frozenset({Action.FS_READ, Action.FS_CREATE, Action.FS_WRITE, Action.FS_DELETE})
_HOST_PORT = re.compile(r"(?:\*\.)?[a-z0-9.-]{1,253}:[0-9]{1,5}")
_SKILL = re.compile(r"[a-z][a-z0-9-]{1,62}")


def is_file_action(action: Action) -> bool:
    """Tell whether the scope of ``action`` is a path."""
    return action in _FILE_ACTIONS


def checked(right: Right) -> Right:
    """Return ``right`` if its scope is well formed for its action. Raises BadScope."""
    scope = right.scope
    if "\0" in scope or not scope:
        raise BadScope("scope.malformed", "A scope is empty or holds a NUL character.", subject=repr(scope))
    if is_file_action(right.action):
        if not scope.startswith("/") or os.path.normpath(scope) != scope or scope.startswith("//"):
            raise BadScope(
                "scope.path",
                f"{scope!r} is not an absolute, normalised path.",
                subject=scope,
                hint="Write the whole path, without '..', '//' or a trailing slash.",
            )
    elif right.tree:
        raise BadScope("scope.tree", f"Only a path can mean everything below it, {scope!r} cannot.", subject=scope)
    elif right.action is Action.NET_CONNECT and not _HOST_PORT.fullmatch(scope):
        raise BadScope("scope.host", f"{scope!r} is not host:port.", subject=scope)
    elif right.action is Action.SKILL_CALL and not _SKILL.fullmatch(scope):
        raise BadScope("scope.skill", f"{scope!r} is not the id of a skill.", subject=scope)
    return right


def covers(wide: Right, narrow: Right) -> bool:
    """Tell whether holding ``wide`` implies ``narrow``: same action, and every path of one is a path of the other."""
    if wide.action is not narrow.action:
        return False
    if not is_file_action(wide.action):
        return wide.scope == narrow.scope
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
        return checked(Right(action, scope))
    tree = scope.endswith("/**")
    scope = "/" if scope == "/**" else scope.removesuffix("/**")
    if scope == "~" or scope.startswith("~/"):
        scope = home + scope[1:]
    if not tree and scope.endswith("/") and scope != "/":
        scope, tree = scope.rstrip("/"), True
    return checked(Right(action, scope, tree))
