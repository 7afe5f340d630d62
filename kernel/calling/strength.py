"""How strong the wall must be around a skill: what ships with Steward runs at L2 too, what others wrote needs L3.

What this stops: code of others in a cell that shares the file system with everything else, because a machine forbids
user namespaces and nobody noticed. A person may let a skill run with less, by its name (setting ``below_l3``).
What it does not: decide what level a machine gives (``permissions.confine``).
"""

from __future__ import annotations

from collections.abc import Container

from kernel.authorize import Circumstances
from kernel.errors import TaskFailed
from permissions.errors import PermissionsError
from permissions.model import Action, Level
from permissions.naming import shown
from skills.errors import SkillError
from skills.model import EffectClass, Skill, Tool, ToolId


def least_level(skill: Skill, below: Container[str]) -> Level:
    """Return the level that a call of ``skill`` needs at least; ``below`` are the skills that may have less."""
    return Level.L2 if skill.shipped or skill.id in below else Level.L3


def in_words(error: PermissionsError | SkillError | TaskFailed, called: ToolId, around: Circumstances) -> Exception:
    """Return ``error``; where the wall is too weak for a skill of others, with what a person can do about it."""
    if error.code != "wall.too_weak":
        return error
    tool = around.tool(called)
    skill = around.skill(tool.skill)
    always = _always(tool)
    if skill.shipped or (skill.id in around.below_l3 and not always):
        return error
    name = shown(skill.id)
    mend = "./steward doctor names what is missing, and the command that mends it."
    mends = "./steward doctor sagt, was fehlt und womit es sich beheben lässt."
    names = " ".join(sorted({*around.below_l3, name}))
    setting = "./steward config set below_l3 " + (f'"{names}"' if " " in names else names)
    trust = "" if always else f" If you trust it as it is: {setting}"
    trusts = "" if always else f" Wenn du ihr auch so traust: {setting}"
    return TaskFailed(
        "wall.too_weak", f"{name} is a skill of others, which runs behind the whole wall (L3) alone. {error}",
        subject=skill.id, hint=mend + trust,
        de=f"{name} ist eine Fähigkeit von anderen und läuft nur hinter der ganzen Mauer (L3), die es hier nicht gibt.",
        de_hint=mends + trusts,
    )  # fmt: skip


def _always(tool: Tool) -> bool:
    """Tell whether nothing but the whole wall will do for ``tool``, whoever is trusted.

    It works in folders, is a server's, or its programs connect.
    """
    connects = tool.effect is not EffectClass.PURE and any(one.action is Action.NET_CONNECT for one in tool.rights)
    return bool(tool.works_in or tool.works_at or tool.served or (tool.runs_programs and connects))
