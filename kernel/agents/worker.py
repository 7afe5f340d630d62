"""A worker: a model that follows the instructions of a skill, in the course of a plan.

What this stops: an action with more rights than the card has (each is a call of ``dispatching.perform``: its rights are
worked out from its place, held against the card's and decided again, and it runs in a cell of its own); anything that
counts before the end (every action is staged in the run's one transaction; a worker that is stopped, fails or is
cancelled leaves nothing); a model that goes on for ever (``loop``); text of others passing for an order of the person's
or for Steward's word (it is quoted to the model, and what comes of it all is untrusted).
What it does not: keep a model from being talked into something silly within the card. The person sees every change.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kernel.agents.actions import Act, Deed, NoAction, arguments_of, deeds_of, read_act
from kernel.agents.loop import Bounds, Cost, End, Observation, Step, Turn, go_on
from kernel.agents.prompt import Brief, prompt_of
from kernel.agents.wording import act_words, say, stopped
from kernel.calling import Floor
from kernel.dispatching.perform import Make, Work, perform
from kernel.errors import ModelFailed, TaskFailed
from kernel.failures import told
from kernel.model import Constant, Outcome, Task
from kernel.models.model import Endpoint, Prompt, Role, Usage
from kernel.models.sizes import needed_for
from kernel.paths import short, tilded
from kernel.remembering import bulk
from permissions.errors import PermissionsError
from permissions.labels import Label
from permissions.naming import shown
from skills.errors import SkillError
from skills.model import Skill, ToolId
from skills.packages import read_instructions

if TYPE_CHECKING:
    from kernel.run import Run

TURN_S = 120.0
"""So long one answer of the model takes at most."""

_WRONG_FORM = frozenset({"model.garbage", "model.schema"})
_ENDING = frozenset({"task.revoked", "task.flow"})
"""A person took a right away, or said no: that is the end, and nothing to go on without."""

_MOST_REFUSED = 5
_NOBODY_SAID = Label()


async def follow(run: Run, work: Work, floor: Floor, make: Make = perform) -> Outcome:
    """Have the worker's model follow the skill of ``work``; return what it came to. ``make`` makes its calls.

    Raises TaskFailed where it was stopped or the model gave nothing, PermissionsError and SkillError.
    """
    skill = floor.around.skill(floor.around.tool(work.task.tool).skill)
    endpoint = run.house.models.endpoint(Role.WORKER)
    if endpoint is None or (run.private and not endpoint.is_local):
        raise TaskFailed(
            "model.none", "There is no model for this any more.", subject=skill.id,
            hint="./steward models use worker NAME", de="Für das gibt es kein Modell mehr.",
            de_hint="./steward models use worker NAME",
        )  # fmt: skip
    await asyncio.to_thread(run.house.registry.check_unchanged, skill.id)
    body = (await asyncio.to_thread(read_instructions, Path(skill.folder))).body
    worker = _Worker(run, work, floor, make, skill, endpoint, _brief(run, work, skill, body, floor))
    begun = {"tool": work.task.tool, "arguments": {}}
    await floor.say("task.started", work.task.id, begun, False)
    try:
        ended = await go_on(worker, bounds_of(run))
    except ModelFailed as error:
        raise TaskFailed(error.code, f"{error} Nothing was changed.", subject=error.subject, hint=error.hint,
                         de=f"{error.de} Es wurde nichts geändert.", de_hint=error.de_hint) from error  # fmt: skip
    told_so = {"why": str(ended.why), "turns": len(ended.steps), "tokens": ended.spent.tokens,
               "money": ended.spent.money, "refused": len(worker.refused)}  # fmt: skip
    await floor.say("worker.ended", work.task.id, told_so, False)
    if ended.why is not End.DONE or ended.last is None:
        raise _with_refusals(stopped(ended.why, ended.of, skill=skill.id, model=endpoint.name), worker)
    return worker.outcome(ended.last.text)


def bounds_of(run: Run) -> Bounds:
    """Return what a worker has at most, as the person has set it."""
    given = run.house.settings
    return Bounds(given.worker_turns, 3 * given.worker_turns, given.worker_tokens, given.worker_money, given.worker_s)


def places_in(task: Task, name: str) -> list[str]:
    """Return the places that a parameter of ``SKILL.follow`` was given."""
    value = task.arguments.get(name)
    given = value.value if isinstance(value, Constant) else None
    return [str(one) for one in given] if isinstance(given, list) else []


def _brief(run: Run, work: Work, skill: Skill, body: str, floor: Floor) -> Brief:
    home, said = floor.around.home, run.utterance
    given = {name: [short(one, home) for one in places_in(work.task, name)] for name in _PLACES}
    read = list(dict.fromkeys(one for name in _PLACES for one in given[name]))
    write = list(dict.fromkeys([*given["writes"], *given["runs"]]))
    places = {Deed.LOOK: read, Deed.READ: read, Deed.WRITE: write, Deed.RUN: given["runs"]}
    request = work.task.arguments["request"]
    asked = str(request.value) if isinstance(request, Constant) else ""
    return Brief(
        asked, floor.language, f"{said.now:%A} {said.now.isoformat(timespec='minutes')}", skill.id, body,
        deeds_of(given), {str(deed): found for deed, found in places.items()},
        tuple(one.text for one in said.shown), home,
    )  # fmt: skip


_PLACES = ("files", "folders", "writes", "runs")


def _with_refusals(error: TaskFailed, worker: _Worker) -> TaskFailed:
    """Say of a worker that was stopped what it was not allowed."""
    if not worker.refused:
        return error
    more = "\n".join(worker.refusals())
    return TaskFailed(error.code, f"{error}\n{more}\n", subject=error.subject, hint=error.hint,
                      de=f"{error.de}\n{more}\n", de_hint=error.de_hint)  # fmt: skip


@dataclass(slots=True)
class _Worker:
    """The hands of a loop: what it asks its model, and what it does."""

    run: Run
    work: Work
    floor: Floor
    make: Make
    skill: Skill
    endpoint: Endpoint
    brief: Brief
    refused: dict[str, str] = field(default_factory=dict)
    written: dict[str, None] = field(default_factory=dict)
    staged: int = 0  # so many effects are staged so far
    _asked: tuple[int, Prompt] | None = None  # the question of a turn, by how many came before it

    # --- asking -----------------------------------------------------------------------------------------------------

    def most(self, history: Sequence[Step[Act]]) -> Cost:
        """Return what the next turn may use at most."""
        return _cost(needed_for(self.endpoint, self._prompt(history)))

    def _prompt(self, history: Sequence[Step[Act]]) -> Prompt:
        """Return what a turn is asked with, made once."""
        if self._asked is None or self._asked[0] != len(history):
            self._asked = (len(history), prompt_of(self.brief, history, self.endpoint))
        return self._asked[1]

    async def turn(self, history: Sequence[Step[Act]], left_s: float) -> Turn[Act]:
        """Ask for the next action. Raises ModelFailed where there is none to be expected."""
        prompt, deadline_s = self._prompt(history), max(0.0, min(left_s, TURN_S))
        try:
            reply = await self.run.house.models.ask(Role.WORKER, prompt, self.run, deadline_s=deadline_s)
        except ModelFailed as error:
            if error.code not in _WRONG_FORM:
                raise
            return Turn(None, self.most(history), str(error), error.said)
        cost = _cost(reply.usage)
        try:
            act = read_act(reply.value, self.brief.deeds, self.floor.around.home, self._base())
        except NoAction as problem:
            return Turn(None, cost, str(problem), reply.text)
        return Turn(act, cost)

    def _base(self) -> str:
        """Return the folder that a path is relative to: the first one of the card, else that of its first file."""
        for name in ("runs", "writes", "folders"):
            for place in places_in(self.work.task, name):
                return self.floor.around.resolve(place)
        return next((str(Path(place).parent) for place in places_in(self.work.task, "files")), "")

    async def begun(self, action: Act | None, number: int, of: int) -> None:
        """Write down what a turn does, and show it."""
        home, language, task = self.floor.around.home, self.floor.language, self.work.task.id
        text = say(language, "turn", number=number, of=of, what=act_words(action, home, language))
        body: dict[str, Any] = {"turn": number, "of": of, "do": str(action.deed) if action else "", "text": text}
        if action is not None and action.place:
            body["place"] = shown(action.place)
        await self.run.log.say("worker.turn", task, body, False, _NOBODY_SAID)
        await self.floor.say("task.progress", task, {"fraction": min(1.0, (number - 1) / of), "text": text}, False)

    # --- doing ------------------------------------------------------------------------------------------------------

    async def act(self, action: Act, number: int) -> Observation:
        """Do one thing, behind the wall, and write down what came of it."""
        seen, staged = await self._acted(action, number)
        body = {"turn": number, "ok": seen.ok, "digest": _digest(seen.text), **bulk.kept("text", seen.text),
                **bulk.kept("staged", staged)}  # fmt: skip
        await self.run.log.say("worker.acted", self.work.task.id, body, False, _NOBODY_SAID)
        return seen

    async def _acted(self, action: Act, number: int) -> tuple[Observation, list[Mapping[str, str]]]:
        """Do it, and tell what it has staged; what is refused is told to the model, and later to the person."""
        tool = ToolId(f"{self.skill.id}.{action.deed}")
        task = replace(self.work.task, tool=tool, arguments=arguments_of(action))
        name = f"{self.work.name}-{number}"
        try:
            outcome = await self.make(Work(task, self.work.rights, name, {}, self.work.decided_by), self.floor)
        except (TaskFailed, PermissionsError, SkillError) as error:
            if error.code in _ENDING or self.run.refusal:
                raise
            await self._forget(action, name)
            return await self._refused(action, error), []
        if not outcome.ok:
            await self._forget(action, name)
            return self._failed(outcome.error or {}), []
        text, changes = _said(outcome.value), self._newly_staged()
        if action.deed is Deed.WRITE:  # told by its content: the same one once more is nothing new
            evidence = frozenset({f"write {action.place} {_digest(action.text)}"})
        else:
            changed = (json.dumps(effect, sort_keys=True, default=str) for effect in changes)
            evidence = frozenset((*changed, f"{action.deed} {action.place} {action.part} {_digest(text)}"))
        seen = text if action.deed is Deed.READ else self._tilded(text)  # a file's words stay as they are
        return Observation(seen, evidence=evidence), [_mark(effect) for effect in changes]

    def _failed(self, error: Mapping[str, str]) -> Observation:
        """Return what the model sees of a call that could not do it: what the tool says."""
        code = error.get("code", "")
        if code in _ENDING or self.run.refusal:
            raise TaskFailed(code, error.get("message", ""), hint=error.get("hint", ""))
        return Observation(self._tilded(f"{error.get('message', '')} {error.get('hint', '')}".strip()), ok=False)

    def _tilded(self, text: str) -> str:
        """Return what is said to the model, and to the person, without the name of the home."""
        return tilded(text, self.floor.around.home)

    async def _refused(self, action: Act, error: TaskFailed | PermissionsError | SkillError) -> Observation:
        """Keep what was refused for the person, and tell the model."""
        what = act_words(action, self.floor.around.home, self.floor.language)
        why, _ = told(error, self.floor.language)
        self.refused.setdefault(what, self._tilded(why.rstrip(".")))
        body = {"do": str(action.deed), "place": shown(action.place), "code": error.code}
        await self.run.log.say("worker.refused", self.work.task.id, body, True, _NOBODY_SAID)
        return Observation(self._tilded(f"Refused: {error}"), ok=False)

    async def _forget(self, action: Act, name: str) -> None:
        """Let go of the layer of a command that came to nothing."""
        if action.deed is Deed.RUN:
            await asyncio.to_thread(self.floor.staging().forget, name)

    def _newly_staged(self) -> Sequence[Mapping[str, Any]]:
        """Return what the last action has staged; keep what it wrote."""
        staged = self.floor.staging().view()
        fresh, self.staged = staged[self.staged :], len(staged)
        self.written |= {str(effect["path"]): None for effect in fresh if effect["op"] == "write"}
        return fresh

    # --- the end ----------------------------------------------------------------------------------------------------

    def refusals(self) -> list[str]:
        """Say what it was not allowed, the first few by name."""
        language = self.floor.language
        said = [say(language, "refused", what=what, why=why) for what, why in self.refused.items()]
        more = [say(language, "more", count=len(said) - _MOST_REFUSED)] if len(said) > _MOST_REFUSED else []
        return [*said[:_MOST_REFUSED], *more]

    def outcome(self, text: str) -> Outcome:
        """Return what it came to: its words and the files that it wrote, nobody's word both."""
        said = say(self.floor.language, "says", model=shown(self.endpoint.name), skill=self.skill.id, text=text)
        files = [{"path": one} for one in self.written]
        value = {"text": text, "files": files}
        return Outcome(
            self.work.task.id, True, value, "\n".join([said, *self.refusals()]), _NOBODY_SAID,
            files=tuple(self.written), level=self.run.house.level()[0],
        )  # fmt: skip


def _cost(usage: Usage) -> Cost:
    return Cost(usage.tokens_in + usage.tokens_out, usage.money)


def _said(value: Any) -> str:
    """Return a result as the model sees it."""
    if isinstance(value, Mapping) and "parts" in value:
        more = f"\n[part {value['part']} of {value['parts']}]" if value["parts"] > 1 else ""
        return f"{value['text']}{more}"
    if isinstance(value, Mapping) and "path" in value:
        return "It is written."
    return str(value)


def _mark(effect: Mapping[str, Any]) -> dict[str, str]:
    """Return by what a change that was staged is known again, and no word of its content."""
    whole = json.dumps(effect, sort_keys=True, default=str)
    return {"op": str(effect.get("op")), "path": str(effect.get("path")), "digest": _digest(whole)}


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
