"""Lending: which rights a call hands on to one that it asks for. Pure.

What this stops: a tool doing through another one what it may not do itself (the confused deputy): what is lent is the
meet of what the caller holds in that call and what the called tool needs for its arguments, without what was denied to
the caller inside of what it holds. A value of untrusted code deciding where something goes. A called tool that changes
anything but what lies in a private folder of its caller; one whose effect is greater than its caller's.
What it does not: ask anybody. What a person denies the called tool is denied here, too.

Source: N. Hardy, The Confused Deputy (1988); attenuation as in capability systems.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kernel.authorize import Circumstances, Reach, forbidden, is_held
from kernel.calling.deciding import Answered
from kernel.errors import TaskFailed
from permissions.model import Action, Right
from permissions.policy import covers, holds_path, intersection, normal
from skills.deciding import deciding_parts
from skills.model import EffectClass, ParamRole, Tool

_RANK = {EffectClass.PURE: 0, EffectClass.IDEMPOTENT: 1, EffectClass.ONCE: 2}
_CHANGES = frozenset({Action.FS_CREATE, Action.FS_WRITE, Action.FS_DELETE})
FILE_ACTIONS = (Action.FS_READ, Action.FS_CREATE, Action.FS_WRITE, Action.FS_DELETE)


@dataclass(frozen=True, slots=True)
class Loan:
    """What a called tool gets: rights on the person's things, rights in the caller's private folder, and what not."""

    rights: tuple[Right, ...]
    own: tuple[Right, ...]
    withheld: tuple[Right, ...]

    def all(self) -> tuple[Right, ...]:
        """Return every right of it."""
        return (*self.rights, *self.own)


def may_ask(caller: Tool, held: Iterable[Right], name: str) -> None:
    """Raise TaskFailed unless ``caller``, which holds ``held``, may ask for the tool called ``name``."""
    right = Right(Action.SKILL_CALL, name)
    if not is_held(right, frozenset(held)):
        shown = ascii(name)[1:-1]
        raise TaskFailed(
            "call.right", f"{caller.id} may not call {shown}.", subject=shown,
            hint="Its steward.toml must name it as a right (skill.call), and so must that of whoever calls it.",
            de=f"{caller.id} darf {shown} nicht aufrufen.",
            de_hint="In seiner steward.toml muss es als Recht stehen (skill.call), und in der des Aufrufers auch.",
        )  # fmt: skip


def check_hidden(caller: Tool, held: Iterable[Right], hidden: Sequence[str], rights: Iterable[Right]) -> None:
    """Raise TaskFailed where one of ``rights`` lies in a place that is ``hidden`` from ``caller`` in what it holds.

    What it holds by a right of its own in there was decided after all, and is no hidden thing to it.
    """
    own = [right for right in held if right.action in FILE_ACTIONS]
    for right in (one for one in rights if one.action in FILE_ACTIONS):
        places = [place for place in hidden if holds_path(place, right.scope)]
        if all(any(holds_path(place, have.scope) and covers(have, right) for have in own) for place in places):
            continue
        raise TaskFailed(
            "call.denied", f"{caller.id} was denied {right}, so nobody does it for it.", subject=caller.id,
            hint=f"./steward perms explain {caller.id} {right}",
            de=f"{right} ist {caller.id} verboten, also tut es auch niemand für ihn.",
            de_hint=f"./steward perms explain {caller.id} {right}",
        )  # fmt: skip


def check_effect(caller: Tool, called: Tool) -> None:
    """Raise TaskFailed where ``called`` may do more to the world than ``caller`` says of itself."""
    if _RANK[called.effect] > _RANK[caller.effect]:
        raise TaskFailed(
            "call.effect",
            f"{caller.id} is declared {caller.effect} and may not call {called.id}, which is {called.effect}.",
            subject=called.id, hint="The author must declare the effect of what it calls as its own.",
            de=f"{caller.id} ist als {caller.effect} erklärt und darf {called.id} nicht aufrufen: das ist "
               f"{called.effect}.",
            de_hint="Wer die Fähigkeit schreibt, muss die Wirkung des aufgerufenen Werkzeugs als eigene erklären.",
        )  # fmt: skip


def check_sinks(
    called: Tool, values: Mapping[str, Any], reaches: Mapping[str, Iterable[Reach]], rooms: Sequence[str],
    answered: Answered,
) -> None:  # fmt: skip
    """Raise TaskFailed where a value that decides where something goes comes from a caller, whose values nobody trusts.

    ``values`` are what it hands over: of a record, what stands in it counts. A private folder of the caller's, or a
    place in it, is no such value: nothing leaves the run by it. Nor is one for which somebody ``answered``.
    """
    for name, places in reaches.items():
        found, parameter = tuple(places), called.parameter(name)
        inside = bool(found) and all(any(_is_below(place.path, room) for room in rooms) for place in found)
        decides = parameter.role is ParamRole.SINK or deciding_parts(called, name, values.get(name))
        if decides and not inside and not answered.for_all_of(parameter, values.get(name)):
            raise TaskFailed(
                "call.sink", f"{called.id} lets only a person decide on {name}, and no other tool.",
                subject=called.id,
                hint="Take it as a parameter of this tool with the role sink, and hand that on as it is.",
                de=f"Bei {called.id} bestimmt nur ein Mensch über {name}, nicht ein anderes Werkzeug.",
                de_hint="Nimm es als Parameter dieses Werkzeugs mit der Rolle sink, und gib ihn weiter, wie er ist.",
            )  # fmt: skip


def lend(
    called: Tool, needs: Sequence[Right], held: Sequence[Right], rooms: Sequence[str], around: Circumstances,
    *, step: bool = False,
) -> Loan:  # fmt: skip
    """Return what a call of ``called`` that ``needs`` rights gets of ``held`` and of the private folders ``rooms``.

    As a ``step`` it may say what it wants changed, where its caller holds the right to that change itself; a tool that
    works in a folder in its own way may not.

    Raises TaskFailed where it would change anything else than what lies in those, where it is denied something, or
    where it would go without its skill's own folder, which is handed to nobody else.
    """
    own = tuple(need for need in needs if any(_lies_in(need, room) for room in rooms))
    others = [need for need in needs if need not in own]
    says = step and not called.works_in
    had = frozenset(held)
    _check_own(called, (need for need in others if not is_held(need, had)), around)
    changed = next((need for need in others if need.action in _CHANGES and not (says and is_held(need, had))), None)
    if changed is not None:
        raise TaskFailed(
            "call.changes", f"{called.id} would need {changed}; a tool that another one calls changes nothing but what "
            "lies in a folder that it was handed.",
            subject=called.id, hint="Let it be a step of the plan of its own, or hand it a folder of ctx.workroom.",
            de=f"{called.id} bräuchte {changed}; ein aufgerufenes Werkzeug ändert nur, was in einem übergebenen Ordner "
               "liegt.",
            de_hint="Lass es einen eigenen Schritt des Plans sein, oder gib ihm einen Ordner von ctx.workroom.",
        )  # fmt: skip
    rights = tuple(sorted(_meet(others, held)))
    denied = next((right for right in rights if forbidden(right, called, around)), None)
    if denied is not None:
        raise TaskFailed(
            "call.denied", f"{called.id} was denied {denied}.", subject=called.id,
            hint=f"./steward perms explain {called.id} {denied}",
            de=f"{denied} ist {called.id} verboten.", de_hint=f"./steward perms explain {called.id} {denied}",
        )  # fmt: skip
    given = frozenset(rights)
    return Loan(rights, own, tuple(need for need in others if not is_held(need, given)))


def _check_own(called: Tool, withheld: Iterable[Right], around: Circumstances) -> None:
    """Raise TaskFailed where the folder that the skill of ``called`` has for itself is withheld."""
    if not any(around.policy.is_own(called.skill, right) for right in withheld):
        return
    raise TaskFailed(
        "call.own", f"{called.id} works with what {called.skill} keeps for itself, which it does for no other tool.",
        subject=called.id, hint="Let it be a step of the plan of its own.",
        de=f"{called.id} arbeitet mit dem, was {called.skill} für sich behält, und das nicht für ein anderes Werkzeug.",
        de_hint="Lass es einen eigenen Schritt des Plans sein.",
    )  # fmt: skip


def _lies_in(need: Right, room: str) -> bool:
    """Tell whether ``need`` is about something below ``room``, which itself is never handed on."""
    return need.action in FILE_ACTIONS and _is_below(need.scope, room)


def _is_below(path: str, room: str) -> bool:
    return path != room and path.startswith("/") and holds_path(room, path)


def _meet(needs: Iterable[Right], held: Sequence[Right]) -> frozenset[Right]:
    """Return the meet of both, in normal form."""
    known, found = frozenset(held), set[Right]()
    for need in needs:
        if is_held(need, known):
            found.add(need)
        elif need.tree or need.action not in FILE_ACTIONS:  # of a single file there is nothing narrower
            found |= {both for right in held if (both := intersection(need, right)) is not None}
    return normal(found)
