"""The tree of a new installation: what anybody may be asked for, and what nobody gets."""

from __future__ import annotations

from collections.abc import Iterable

from permissions.model import Action, Right, Verdict
from permissions.policy.grants import Rule
from permissions.policy.node import CEILINGS, FILES, Node, allow_trees
from permissions.policy.scopes import covers, everything, is_file_action
from permissions.policy.tree import Policy

SYSTEM_TREES = ("/bin", "/boot", "/dev", "/etc", "/lib", "/lib32", "/lib64", "/proc", "/root", "/run", "/sbin", "/sys",
                "/usr", "/var/cache", "/var/lib", "/var/log", "/var/spool")  # fmt: skip
"""Never a skill's, unless the user's home lies inside."""

SHARED_TREES = ("/media", "/mnt", "/run/media", "/srv", "/tmp", "/var/tmp")  # noqa: S108  (scopes, not our files)
"""Where people keep data outside the home: may be asked for, is never granted by itself."""

_OTHERS = tuple(Rule(everything(action), Verdict.ALLOW, "") for action in Action if not is_file_action(action))
"""Hosts, devices, skills, labels, secrets: each may be asked for by its name."""


def default_policy(home: str, private: Iterable[tuple[str, str]], own: str = "") -> Policy:
    """Return the tree of a new installation; ``own`` is the folder that holds the skills' own ones.

    The user's home and shared data folders are the ceiling of what may be asked for; system folders and the
    ``private`` trees (path, reason) are denied to everybody. Paths are absolute and resolved.
    """
    at_home = Right(Action.FS_READ, home, True)
    denied = [(tree, "it belongs to the system") for tree in SYSTEM_TREES
              if not covers(Right(Action.FS_READ, tree, True), at_home)]  # fmt: skip
    root = allow_trees(("/",), "") + tuple(
        Rule(Right(action, path, True), Verdict.DENY, reason)
        for path, reason in (*denied, *private) for action in FILES
    )  # fmt: skip
    user = allow_trees((home,), "your home folder") + allow_trees(SHARED_TREES, "a shared data folder") + _OTHERS
    rules = dict(zip(CEILINGS, (root + _OTHERS, user, user), strict=True))
    return Policy({path: Node(path, held) for path, held in rules.items()}, own=own)
