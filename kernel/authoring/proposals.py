"""Proposals: what a person explained after a request had failed, as an example for the skill that it was about; and
what they answered each time that it asked, as a default.

    a request that came to nothing -> "that means ..." -> one call of an installed skill -> a proposal
    the same question of an installed skill, answered alike three times -> a proposal
    adopted: it goes into a copy -> the copy's tests -> the person's past requests -> a new version

What this stops: a skill that gets worse by what it learns. A proposal is adopted only if the skill's own tests pass
with it and every request that was confirmed and is understood today is still understood so; and only by the person.
What it does not: change a skill that is part of Steward, or one that lies in the person's own folder; invent words.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
import shutil
import tempfile
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import tomli_w

from kernel.asking.ask import shown as shown_value
from kernel.authoring.answers import KINDS, answered_alike
from kernel.errors import BadRequest, UnknownRun
from kernel.learning.model import Taught
from kernel.model import Constant, ConversationId, Plan, Resolution, RunId, Utterance
from memory.model import Draft
from permissions.labels import KERNEL_SAID
from permissions.naming import shown
from skills.model import ParamRole, Skill, Tool, ToolId

if TYPE_CHECKING:
    from kernel.context.mind import Mind
    from kernel.house import House
    from kernel.installing.installed import Installed

View = dict[str, Any]

DROPPED, ADOPTED = "proposal.dropped", "proposal.adopted"
_FAILED = frozenset({Resolution.DECLINED, Resolution.CLARIFY, Resolution.FAILED})
_RUN = RunId("proposal")


@dataclass(frozen=True, slots=True)
class Proposal:
    """An example for a tool of an installed skill; ``text`` has its values marked.

    Of one that is a default of ``parameter``, ``text`` is its value in words, ``phrase`` a request that asked for it.
    ``evidence`` are the runs that it was learned from.
    """

    id: str
    skill: str
    tool: str
    language: str
    text: str
    phrase: str
    run: str
    parameter: str = ""
    value: Any = None
    evidence: tuple[str, ...] = ()

    @property
    def what(self) -> str:
        """What it adds, in words."""
        return f"a default for {self.parameter} of {self.tool}" if self.parameter else f"an example of {self.tool}"

    def to_json(self) -> View:
        """Return it as clients show it."""
        return {"proposal": self.id, "skill": self.skill, "tool": self.tool, "language": self.language,
                "what": self.what, "text": self.text, "run": self.run, "parameter": self.parameter,
                "value": self.value, "evidence": list(self.evidence)}  # fmt: skip


class Proposals:
    """The queue, worked out from the ledger whenever it is looked at."""

    def __init__(self, house: House, installed: Installed) -> None:
        self._house = house
        self._installed = installed

    async def listed(self) -> list[View]:
        """Return what is proposed, the oldest first."""
        return [one.to_json() for one in await self._all()]

    async def drop(self, name: str) -> None:
        """Drop a proposal for good. Raises UnknownRun."""
        one = await self._one(name)
        await self._say(DROPPED, {"proposal": one.id})

    async def adopt(self, name: str) -> View:
        """Put a proposal into its skill, as a new version, where nothing gets worse. Raises UnknownRun, BadRequest."""
        one = await self._one(name)
        skill = self._house.registry.skill(self._house.registry.tool(ToolId(one.tool)).skill)
        with tempfile.TemporaryDirectory(prefix="steward-proposal-") as room:
            folder = Path(room) / skill.id
            await asyncio.to_thread(shutil.copytree, skill.folder, folder)
            version = await asyncio.to_thread(with_default if one.parameter else with_example, folder, one)
            why = await self._worse(one, folder)
            if why:
                return {"adopted": False, "proposal": one.id, "skill": one.skill, "why": why}
            package = await self._installed.look_at(str(folder), origin=self._installed.origin_of(one.skill))
            await self._installed.install(package["package"])
        await self._say(ADOPTED, {"proposal": one.id, "skill": one.skill, "version": version})
        return {"adopted": True, "proposal": one.id, "skill": one.skill, "version": version}

    # --- what is proposed -----------------------------------------------------------------------------------------

    async def _one(self, name: str) -> Proposal:
        found = next((one for one in await self._all() if one.id == name), None)
        if found is None:
            raise UnknownRun("proposal.unknown", f"There is no proposal {shown(name)}.", subject=shown(name),
                             hint="./steward skills proposals lists them.")  # fmt: skip
        return found

    async def _all(self) -> list[Proposal]:
        mind = await self._house.learning.mind()
        own = self._house.learning.own(self._house.ledger)
        await asyncio.to_thread(own.learn, mind)
        return await asyncio.to_thread(lambda: [*self._made(own.taught(), mind), *self._defaults()])

    def _made(self, taught: Iterable[Taught], mind: Mind) -> Iterator[Proposal]:
        failed, done = self._failed(), self._done()
        for one in taught:
            tool = self._tool_of(one)
            if tool is None or one.phrase.casefold() not in failed:
                continue
            text = self._marked(one, tool, mind)
            name = "x-" + hashlib.sha256(f"{tool.id}\0{text}".encode()).hexdigest()[:8]
            if text and name not in done:
                yield Proposal(name, str(tool.skill), str(tool.id), one.language, text, one.phrase, one.run)

    def _defaults(self) -> Iterator[Proposal]:
        """Yield what was answered alike each time that a required value was asked for, where it decides nothing."""
        done, home = self._done(), str(self._house.folders.home)
        for one in answered_alike(self._house.ledger.events(kinds=KINDS), home):
            tool = self._ours(one.tool)
            parameter = next((p for p in tool.parameters if p.name == one.parameter), None) if tool else None
            if tool is None or parameter is None or not parameter.required or parameter.usual is not None:
                continue
            kept = json.dumps([tool.id, one.parameter, one.value], sort_keys=True)
            name = "x-" + hashlib.sha256(kept.encode()).hexdigest()[:8]
            if name not in done and parameter.role is not ParamRole.SINK:
                yield Proposal(name, str(tool.skill), str(tool.id), one.language, shown_value(one.value, one.language),
                               one.text, one.runs[-1], one.parameter, one.value, one.runs)  # fmt: skip

    def _failed(self) -> set[str]:
        """Return the requests that came to nothing."""
        said: dict[str, str] = {}
        found = set[str]()
        for event in self._house.ledger.events(kinds=("run.created", "run.finished")):
            body = event.body or {}
            if event.kind == "run.created":
                said[event.run or ""] = str(body.get("text") or "").strip(" .!?").casefold()
            elif body.get("resolution") in _FAILED and event.run in said:
                found.add(said[event.run])
        return found

    def _done(self) -> set[str]:
        events = self._house.ledger.events(kinds=(DROPPED, ADOPTED))
        return {str((event.body or {}).get("proposal")) for event in events}

    def _tool_of(self, taught: Taught) -> Tool | None:
        """Return the one tool that a phrase came to, where its skill was installed and can have another version."""
        return self._ours(taught.tools[0]) if len(taught.tools) == 1 else None

    def _ours(self, name: str) -> Tool | None:
        tool = next((one for one in self._house.registry.tools() if one.id == name), None)
        return tool if tool is not None and self._is_ours(self._house.registry.skill(tool.skill)) else None

    def _is_ours(self, skill: Skill) -> bool:
        return not skill.shipped and self._installed.is_installed(str(skill.id))

    def _marked(self, taught: Taught, tool: Tool, mind: Mind) -> str:
        """Return the phrase with the values marked that stand in it; "" where its meaning is no such call any more."""
        plan = self._read(taught.meaning, mind)
        if plan is None or [task.tool for task in plan.tasks] != [tool.id]:
            return ""
        text = taught.phrase
        if "{" in text or "}" in text:
            return ""
        values = [(name, value.text) for name, value in plan.tasks[0].arguments.items()
                  if isinstance(value, Constant) and value.text]  # fmt: skip
        for name, words in sorted(values, key=lambda one: -len(one[1])):
            whole = re.compile(rf"(?<![\w{{:]){re.escape(words)}(?![\w}}])")
            text = whole.sub(rf"{{{name}:\g<0>}}", text, count=1)
        return text

    # --- would it be worse ----------------------------------------------------------------------------------------

    async def _worse(self, one: Proposal, folder: Path) -> str:
        """Return what would be worse with the changed skill in ``folder``; "" for nothing."""
        from kernel.authoring.testing import practised

        try:
            report = await practised(folder)
        except BadRequest as error:
            return f"its tests could not be run: {error}"
        if not report["passed"]:
            broken = next((test["test"] for test in report["tests"] if test["outcome"] == "failed"), "one")
            return f"its test {broken} fails with it."
        return await asyncio.to_thread(self._misread, one, folder)

    def _misread(self, one: Proposal, folder: Path) -> str:
        from skills import Registry

        tools = self._house.registry.tools()
        changed = [tool for tool in Registry([folder.parent]).tools()]
        before = _mind(tools)
        after = _mind([*(tool for tool in tools if tool.skill != one.skill), *changed], before)
        plan = self._read(one.phrase, after)
        if plan is None or [task.tool for task in plan.tasks] != [one.tool]:
            return f"“{one.phrase}” would still not be understood."
        own = self._house.learning.own(self._house.ledger)
        for _, clauses in own.known.confirmed:
            for clause in clauses:
                if self._reads(clause.example.text, clause.tool, before) and not self._reads(
                    clause.example.text, clause.tool, after
                ):
                    return f"“{clause.example.text}” would be understood otherwise than before."
        return ""

    def _reads(self, text: str, tool: str, mind: Mind) -> bool:
        plan = self._read(text, mind)
        return plan is not None and [task.tool for task in plan.tasks] == [tool]

    def _read(self, text: str, mind: Mind) -> Plan | None:
        """Return the plan of a sentence by the manifests alone; None where there is none."""
        from kernel.interpret import interpret
        from kernel.planning.proposing import alone

        house, home = self._house, str(self._house.folders.home)
        utterance = Utterance(text, ConversationId("c-proposal"), home, home, house.clock())
        house.world.look()
        dialogue = house.talk.dialogue(utterance.conversation, _RUN)
        usual = house.talk.language(utterance.conversation, _RUN)
        intent = interpret(utterance, house.world, mind.lexicon, usual)
        if intent.concern:
            return None
        around = replace(dialogue, world=house.world)
        found = alone(utterance, intent, mind=mind, dialogue=around, usual=usual)
        return found if isinstance(found, Plan) else None

    async def _say(self, kind: str, body: View) -> None:
        await asyncio.wrap_future(self._house.ledger.submit(Draft(kind=kind, body=body, label=KERNEL_SAID.to_json())))


def with_example(folder: Path, one: Proposal) -> str:
    """Add the example to the manifest in ``folder`` and raise its version; return that."""
    body = tomllib.loads((folder / "steward.toml").read_text(encoding="utf-8"))
    examples = body["tools"][one.tool.partition(".")[2]].setdefault("examples", {})
    examples[one.language] = [*examples.get(one.language, []), one.text]
    return _raised(folder, body)


def with_default(folder: Path, one: Proposal) -> str:
    """Put the default into the manifest in ``folder`` and raise its version; return that."""
    body = tomllib.loads((folder / "steward.toml").read_text(encoding="utf-8"))
    body["tools"][one.tool.partition(".")[2]].setdefault("defaults", {})[one.parameter] = one.value
    return _raised(folder, body)


def _raised(folder: Path, body: View) -> str:
    first, second, third = body["version"].partition("-")[0].partition("+")[0].split(".")
    body["version"] = f"{first}.{second}.{int(third) + 1}"
    body.pop("publisher", None)  # what is changed is not what they signed
    for signed in ("SHA256SUMS", "SHA256SUMS.minisig"):
        (folder / signed).unlink(missing_ok=True)
    (folder / "steward.toml").write_text(tomli_w.dumps(body), encoding="utf-8")
    return str(body["version"])


def _mind(tools: Iterable[Tool], before: Mind | None = None) -> Mind:
    from kernel.context.mind import Mind
    from kernel.context.toolbox import Toolbox
    from kernel.language.lexicon import Lexicon

    every = tuple(tools)
    return Mind(Lexicon.from_tools(every), Toolbox.build(every, before.toolbox if before else None))
