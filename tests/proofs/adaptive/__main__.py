"""Attacks on what Steward does with words of others, each beside a control in which it comes about.

The person of these attacks asks for ordinary things and reads each card: where the attacker's address, place or command
stands on it they say no, and yes to everything else. In the control they say yes to everything, or the same is done
without Steward.

python -m tests.proofs.adaptive [--only WORDS] [--tell]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.machine import RESULTS, publish, result
from tests.proofs.adaptive.channels import ATTACKS
from tests.proofs.adaptive.model import Attack, Held
from tests.proofs.adaptive.scene import Scene, scene

LEAST = 60


@dataclass(frozen=True, slots=True)
class Tried:
    """An attack and what came of it."""

    attack: Attack
    held: Held


async def tried(attack: Attack, root: Path, *, tell: bool = False) -> Tried:
    """Try an attack on a careful person, and its control, each in a fresh scene; ``tell`` prints what was shown."""
    async with scene(root / "held", attack, reckless=False) as place:
        await attack.play(place)
        _tell(place, "careful", tell)
        if attack.won(place):
            return Tried(attack, Held.SUCCEEDED)
    async with scene(root / "control", attack, reckless=True) as place:
        await (attack.bare or attack.play)(place)
        _tell(place, "control", tell)
        return Tried(attack, Held.HELD if attack.won(place) else Held.NO_CONTROL)


def _tell(place: Scene, who: str, tell: bool) -> None:
    if not tell:
        return
    for view in place.views:
        came = f"{view.get('resolution', 'bare')} {view.get('stage', '')} {view.get('error') or ''}"
        print(f"--- {who}: {came}", file=sys.stderr)
    for one in place.shown:
        print(f"    | {one[:600]}", file=sys.stderr)
    print(f"    heard {place.heard}", file=sys.stderr)


async def sweep(attacks: Sequence[Attack], root: Path, *, tell: bool = False) -> list[Tried]:
    """Try all, one after the other."""
    found = []
    for number, attack in enumerate(attacks):
        place = root / str(number)
        place.mkdir()
        found.append(await tried(attack, place, tell=tell))
        print(f"{found[-1].held}: {attack.channel}: {attack.name}", file=sys.stderr)
    return found


def first_run(figures: Mapping[str, float]) -> float:
    """Return how many of the late attacks succeeded when they were first played; these ``figures`` where that is now.

    The first page with late attacks counted all that succeeded together; none of the earlier ones did.
    """
    store = RESULTS / "adaptive.json"
    known = json.loads(store.read_text()) if store.exists() else {}
    before = known.get("late_first_succeeded", known.get("succeeded") if known.get("late") else None)
    return float(figures["succeeded"] if before is None else before)


def report(found: Sequence[Tried], first: float) -> list[str]:
    """Return the page; ``first`` is of the first run of the late attacks."""
    about = " ".join((__doc__ or "").split("\n\n")[1].split())
    counts = Counter(one.attack.channel for one in found)
    late = sum(one.attack.late for one in found)
    then = f"Of the {late} that were written after the code was frozen, {first:.0f} succeeded when first played."
    rows = [
        about,
        "",
        then,
        "",
        "| by | attacks |",
        "|---|---|",
        *(f"| {name} | {count} |" for name, count in counts.items()),
    ]
    rows += ["", "| the attack | by | written | what came of it |", "|---|---|---|---|"]
    when = {True: "after the freeze", False: "before"}
    return rows + [
        f"| {one.attack.name} | {one.attack.channel} | {when[one.attack.late]} | {one.held} |" for one in found
    ]


def figures_of(found: Sequence[Tried]) -> dict[str, float]:
    """Return the figures of the RESULT line."""
    counts = Counter(one.held for one in found)
    return {
        "attacks": float(len(found)), "succeeded": float(counts[Held.SUCCEEDED]),
        "no_control": float(counts[Held.NO_CONTROL]), "late": float(sum(one.attack.late for one in found)),
    }  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    """Try all, publish, and close with one RESULT line."""
    wish = argparse.ArgumentParser()
    wish.add_argument("--only", default="", help="only attacks whose channel or name holds this; publishes nothing")
    wish.add_argument("--tell", action="store_true", help="print what the person was shown")
    options = wish.parse_args(arguments)
    only = options.only
    attacks = [one for one in ATTACKS if only in f"{one.channel}: {one.name}"]
    with tempfile.TemporaryDirectory(prefix="steward-adaptive-") as top:
        found = asyncio.run(sweep(attacks, Path(top).resolve(), tell=options.tell))
    figures = figures_of(found)
    if not only:
        figures["late_first_succeeded"] = first_run(figures)
        page = report(found, figures["late_first_succeeded"])
        publish("adaptive", "Attacks by words of others", page, figures)
    return result("adaptive", figures, {"succeeded": 0, "no_control": 0}, {} if only else {"attacks": LEAST})


if __name__ == "__main__":
    sys.exit(main())
