"""A skill whose numbers are in units: how far one walks in metres, how heavy a bag is in kilograms."""

from __future__ import annotations

from tests.kernel.small_skill import with_skill

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
TOML = """[tools.plan]
effect = "pure"
units = { distance = "m" }
examples.en = ["plan a walk of {distance:500 m}", "plan a walk of {distance:800}"]
examples.de = ["plane einen Spaziergang von {distance:500 m}", "plane einen Spaziergang von {distance:800}"]
[tools.bag]
effect = "pure"
units = { weight = "kg" }
examples.en = ["pack a bag of {weight:3 kg}", "pack a bag of {weight:2.5}"]
"""


install_walks = with_skill("walks", TOML, CODE, "plans walks")
"""Puts the skill among the person's own."""
