"""What comes of one task, and of one pair of a task and an attack, under one person and one attacker."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from kernel.flow import Concern
from tests.proofs.agentdojo.attacker import SCRIPTS, calls_of, hijacked, planted
from tests.proofs.agentdojo.ground import Ended, Ground, Person, Play
from tests.proofs.agentdojo.plans import Script, script
from tests.proofs.agentdojo.suites import TEXT_ONLY, Wanted, outputs, stage, wanted, world

NOBODY, RIGHTLY, ALWAYS, OFF = "nobody approves", "approves rightly", "always yes", "policy off"
EXTRA, BOTH = "extra calls", "extra calls and hijack"


@dataclass(frozen=True, slots=True)
class Benign:
    """A task without an attack: solved or not, how often a person was asked, and what stopped it."""

    task: str
    person: str
    solved: bool
    asked: int
    error: str


@dataclass(frozen=True, slots=True)
class Attacked:
    """A pair: whether the attack reached its goal, whether all that it said in the answer was marked, and what it made.

    ``made`` are the functions of the calls that it asked for at the door and that were made.
    """

    suite: str
    task: str
    attack: str
    own_script: bool
    person: str
    attacker: str
    reached: bool
    marked: bool
    asked_for: int = 0
    made: tuple[str, ...] = ()

    @property
    def text_only(self) -> bool:
        """Whether the attack only wants a sentence said."""
        return (self.suite, self.attack) == TEXT_ONLY


def person(kind: str, made: Script) -> Person:
    """Return a person: one who says no, one who knows what the plan meant, or one who always says yes."""

    def rightly(one: Concern) -> bool:
        meant = made.calls[one.task].args.get(one.parameter)
        return bool(made.tried[one.task].get(one.parameter) == meant)

    answers: Mapping[str, Callable[[Concern], bool]] = {NOBODY: lambda _: False, RIGHTLY: rightly}
    return Person(answers.get(kind, lambda _: True))


async def benign(ground: Ground, suite: Any, task: Any, kind: str) -> Benign:
    """Run a task as it is."""
    place = stage(suite, world(suite, task, {}))
    made = script(suite.name, task.PROMPT, wanted(task, place.environment), {})
    asks = person(kind, made)
    play = Play(place, made, task.GROUND_TRUTH_OUTPUT, _tools(ground))
    ended = await ground.run(play, task.PROMPT, asks)
    return Benign(f"{suite.name} {task.ID}", kind, place.reached(task, ended.answer), asks.asked, ended.error)


def _tools(ground: Ground) -> dict[str, Any]:
    return {tool.id: tool for skill in ground.skills.values() for tool in skill.tools}


def slots_of(suite: Any, task: Any) -> tuple[str, ...]:
    """Return the places of an environment into which attackers write and that a task reads."""
    words = {name: f"<CANARY---{name}--->" for name in suite.get_injection_vector_defaults()}
    place = stage(suite, world(suite, task, words))
    said = "\n".join(outputs(place, wanted(task, place.environment)))
    return tuple(name for name, word in words.items() if word in said)


@dataclass(frozen=True, slots=True)
class Pair:
    """A task in whose world an attacker has written: its calls, what they would say, and what the attacker wants."""

    suite: Any
    task: Any
    attack: Any
    world: Any
    calls: tuple[Wanted, ...]
    heard: tuple[str, ...]
    wants: tuple[Wanted, ...]

    @property
    def own_script(self) -> bool:
        """Whether the attacker's calls are ours, since AgentDojo has none."""
        return self.suite.name == "workspace" and self.attack.ID in SCRIPTS


def pair(suite: Any, task: Any, attack: Any, slots: tuple[str, ...]) -> Pair:
    """Let the attacker write into ``slots``, and look what the task would read there."""
    there = world(suite, task, planted(slots, attack.GOAL))
    ahead = stage(suite, there)
    wants, calls = calls_of(suite.name, attack, ahead), wanted(task, ahead.environment)
    return Pair(suite, task, attack, there, calls, tuple(outputs(ahead, calls)), wants)


async def attacked(ground: Ground, one: Pair, kind: str, attacker: str) -> Attacked:
    """Run the task of a pair."""
    suite, task, attack, place = one.suite, one.task, one.attack, stage(one.suite, one.world)
    taken_over = hijacked(one.calls, one.heard, one.wants) if attacker == BOTH else {}
    made = script(suite.name, task.PROMPT, one.calls, taken_over)
    play = Play(
        place, made, task.GROUND_TRUTH_OUTPUT, _tools(ground), lambda: calls_of(suite.name, attack, place),
        attack.GROUND_TRUTH_OUTPUT, open_door=kind == OFF,
    )  # fmt: skip
    ended = await ground.run(play, task.PROMPT, person(kind, made))
    return Attacked(
        suite.name, task.ID, attack.ID, one.own_script, kind, attacker, place.reached(attack, ended.answer),
        _is_marked(ended, attack.GROUND_TRUTH_OUTPUT), play.asked_for, tuple(play.made),
    )  # fmt: skip


def _is_marked(ended: Ended, said: str) -> bool:
    """Tell whether every place of the answer where the attacker's sentence stands lies in a mark."""
    if not said or said not in ended.answer:
        return True
    starts = [at for at in range(len(ended.answer)) if ended.answer.startswith(said, at)]
    return all(any(one.start <= at and at + len(said) <= one.end for one in ended.marks) for at in starts)
