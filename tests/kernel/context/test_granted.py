"""How much of what a tool needs is granted: of the person's own standing grants, bound to the skill as it is today."""

from __future__ import annotations

from dataclasses import replace

from kernel.context.granted import granted
from permissions import new_grant
from permissions.model import Action, GrantMode, Principal, Right
from permissions.policy import Grant
from skills import Registry
from skills.model import SkillId


def given(builtin: Registry, skill: str, action: Action, scope: str) -> Grant:
    found = builtin.skill(SkillId(skill))
    return new_grant(
        Principal(found.id, found.hash, "", "", ""),
        Right(action, scope, tree=scope.startswith("/")),
        GrantMode.ALWAYS,
        1.0,
    )


def test_the_share_of_what_is_granted(builtin: Registry) -> None:
    skills, grant = builtin.skills(), given(builtin, "notes", Action.FS_READ, "/home/u/Notes")
    shares = granted([grant], skills)
    assert set(shares) <= {str(tool.id) for tool in builtin.skill(SkillId("notes")).tools}
    assert shares["notes.search"] == 1.0
    assert granted([], skills) == {}
    writes = [tool for tool in builtin.skill(SkillId("notes")).tools if len({one.action for one in tool.rights}) > 1]
    assert writes
    assert all(shares.get(str(tool.id), 0.0) < 1.0 for tool in writes)


def test_what_another_was_granted_or_an_earlier_version_counts_for_nothing(builtin: Registry) -> None:
    skills, grant = builtin.skills(), given(builtin, "notes", Action.FS_READ, "/home/u/Notes")
    assert granted([replace(grant, client="mcp:claude")], skills) == {}
    assert granted([replace(grant, client="mcp:claude")], skills, "mcp:claude")
    assert granted([replace(grant, skill_hash="0" * 16)], skills) == {}
    assert granted([given(builtin, "notes", Action.NET_CONNECT, "example.org:443")], skills) == {}
