"""A skill whose numbers are in units: how far one walks in metres, how heavy a bag is in kilograms."""

from __future__ import annotations

from kernel import Folders

CODE = '''"""Walks."""

from __future__ import annotations

from skills.sdk import Context


def plan(ctx: Context, distance: int) -> str:
    """Plan a walk.

    Args:
        distance: how far.
    """
    ctx.say(f"A walk of {distance}.")
    return str(distance)


def bag(ctx: Context, weight: float) -> float:
    """Pack a bag.

    Args:
        weight: how heavy.
    """
    ctx.say(f"A bag of {weight}.")
    return weight
'''
TOML = """version = "1.0.0"
title = "Walks"
[tools.plan]
effect = "pure"
units = { distance = "m" }
examples.en = ["plan a walk of {distance:500 m}", "plan a walk of {distance:800}"]
examples.de = ["plane einen Spaziergang von {distance:500 m}", "plane einen Spaziergang von {distance:800}"]
[tools.bag]
effect = "pure"
units = { weight = "kg" }
examples.en = ["pack a bag of {weight:3 kg}", "pack a bag of {weight:2.5}"]
"""


def install_walks(folders: Folders) -> None:
    """Put the skill among the person's own."""
    folders.make()
    folder = folders.data / "skills" / "walks"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text("---\nname: walks\ndescription: plans walks\n---\n")
    (folder / "skill.py").write_text(CODE)
    (folder / "steward.toml").write_text(TOML)
