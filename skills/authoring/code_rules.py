"""Findings about code: what it does and has no right to, what it may and never does, what it works around.

Source text only, so what is said of a tool's code is a warning: a branch may never be taken.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from permissions.model import Action
from skills.authoring.code import Code, Module, Use
from skills.authoring.model import Finding, Severity
from skills.manifest import MANIFEST, Manifest, ToolEntry, line_of
from skills.model import EffectClass, Tool

CHANGES = ("write", "append", "writing", "mkdir", "move", "copy", "delete", "schedule")
_READS = ("file", "scan", "folders", "real", "read_bytes", "read_text", "exists", "is_folder", "unused", "append",
          "move", "copy", "run", "scheduled")  # fmt: skip
_BY_ACTION: Mapping[Action, tuple[str, ...]] = {
    Action.FS_READ: _READS,
    Action.FS_CREATE: ("write", "append", "writing", "mkdir", "move", "copy", "schedule"),
    Action.FS_WRITE: ("write", "append", "writing", "schedule"),
    Action.FS_DELETE: ("delete", "move"),
    Action.NET_CONNECT: ("fetch", "run"),
    Action.SKILL_CALL: ("call", "step"),
}
_NEEDS = (
    (("write", "append", "writing", "schedule"), (Action.FS_CREATE, Action.FS_WRITE)),
    (("mkdir", "copy"), (Action.FS_CREATE,)),
    (("delete", "move"), (Action.FS_DELETE,)),
    (("fetch",), (Action.NET_CONNECT,)),
    (("call", "step"), (Action.SKILL_CALL,)),
)
_MODULES = {
    "socket": "network", "requests": "network", "httpx": "network", "aiohttp": "network", "urllib3": "network",
    "urllib.request": "network", "http.client": "network", "random": "random", "secrets": "random",
    "subprocess": "programs",
}  # fmt: skip
_INSTEAD = {
    "network": ("There is no network in a cell.", "Fetch with ctx.fetch, and name the host as a right."),
    "random": ("A run could not be replayed.", "Take random numbers from ctx.random."),
    "programs": ("A program started past the context has no time limit of its own, and no proxy.", "Use ctx.run."),
    "clock": ("A run could not be replayed.", "Ask ctx.now and ctx.today."),
}
_CLOCKS = {("datetime", "now"), ("datetime", "today"), ("datetime", "utcnow"), ("date", "today"), ("time", "time")}


@dataclass(frozen=True, slots=True)
class Looked:
    """A tool on its way through the rules, with its entry in the manifest, the manifest's text and the code."""

    tool: Tool
    entry: ToolEntry
    text: str
    code: Code

    def line(self, *keys: str) -> int:
        """Return the line of the manifest that holds the innermost of ``keys`` below the tool."""
        return line_of(self.text, ["tools", self.tool.function, *keys])

    def quoted(self, text: str) -> int:
        """Return the line at or after the tool's head that holds ``text``; that of the head where none does."""
        lines, start = self.text.splitlines(), self.line() - 1
        return next((number + 1 for number in range(start, len(lines)) if text in lines[number]), start + 1)


def of_tool_code(one: Looked) -> Iterator[Finding]:
    """Yield what is wrong between a tool's code and its entry."""
    uses = one.code.uses(one.tool)
    yield from _silent(one, uses)
    yield from _without_right(one, uses)
    yield from _without_need(one, uses)
    yield from _effect(one, uses)


def _silent(one: Looked, uses: Mapping[str, Use]) -> Iterator[Finding]:
    if "say" not in uses:
        message = f"{one.tool.function} never says anything."
        yield _warning("skill.py", 1, "code.silent", message, "End with ctx.say: a whole sentence for the person.")


def _without_right(one: Looked, uses: Mapping[str, Use]) -> Iterator[Finding]:
    had = {right.action for right in one.tool.rights}
    for methods, actions in _NEEDS:
        use = next((uses[name] for name in methods if name in uses), None)
        if use is not None and not had & {str(action) for action in actions}:
            wanted = " or ".join(actions)
            message = (
                f"{one.tool.function} may come to ctx.{use.method} and has no right {wanted}: it would be refused."
            )
            yield _warning(use.file, use.line, "rights.missing", message, f"Add a right with its reason to {MANIFEST}.")
    if "run" in uses and not one.tool.runs_programs:
        use = uses["run"]
        message = f"{one.tool.function} may come to ctx.run and does not say runs_programs: nothing would start."
        yield _warning(
            use.file, use.line, "rights.missing", message, f'Say why in {MANIFEST}: runs_programs = "to ..."'
        )


def _without_need(one: Looked, uses: Mapping[str, Use]) -> Iterator[Finding]:
    """Rights that nothing in the code asks for; what is lent to other tools or programs is needed by those."""
    lent = uses.get("call") or uses.get("step")
    if lent is not None:
        uses = {**uses, **dict.fromkeys((*CHANGES, *_READS, "fetch"), lent)}
    for right in one.entry.rights:
        methods = _BY_ACTION.get(right.action)
        if methods is None or any(name in uses for name in methods):
            continue
        if right.action is Action.FS_READ and one.code.reads_paths(one.tool):
            continue
        message = f"{one.tool.function} asks for {right.action}:{right.scope}, and nothing in its code needs that."
        yield _warning(MANIFEST, one.quoted(f'"{right.scope}"'), "rights.unneeded", message,
                       "Take the right out: a person is asked for each.")  # fmt: skip
    if one.entry.runs_programs and "run" not in uses:
        message = f"{one.tool.function} says why it runs programs, and never calls ctx.run."
        yield _warning(MANIFEST, one.line("runs_programs"), "rights.unneeded", message, "Take runs_programs out.")


def _effect(one: Looked, uses: Mapping[str, Use]) -> Iterator[Finding]:
    changing = next((uses[name] for name in CHANGES if name in uses), None)
    changes = [right for right in one.entry.rights if right.action in _CHANGING]
    if one.tool.effect is EffectClass.PURE and changes:
        message = f"{one.tool.function} is pure and asks for {changes[0].action}: it can never use that."
        yield Finding(MANIFEST, one.quoted(f'"{changes[0].action}"'), Severity.ERROR, "effect.pure", message,
                      "Take the right out, or declare the effect as idempotent or once.")  # fmt: skip
    elif one.tool.effect is EffectClass.PURE and changing is not None:
        message = f"{one.tool.function} is pure and may come to ctx.{changing.method}: it would be refused."
        yield _warning(changing.file, changing.line, "effect.pure", message, "Declare it as idempotent or once.")
    elif one.tool.effect is not EffectClass.PURE and not (one.entry.works_in or _may_change(one.tool)):
        message = f"{one.tool.function} is {one.tool.effect} and can change nothing."
        yield _warning(MANIFEST, one.line("effect"), "effect.harmless", message, 'Declare it: effect = "pure"')


_CHANGING = (Action.FS_CREATE, Action.FS_WRITE, Action.FS_DELETE)


def _may_change(tool: Tool) -> bool:
    return any(not right.action.startswith(("fs.read", "graph.read")) for right in tool.rights)


def of_reminding(code: Code, manifest: Manifest, text: str, tools: Sequence[Tool]) -> Iterator[Finding]:
    """Yield where what is put on the clock would never be told, and a reason to remind of which nothing comes."""
    use = next((uses["schedule"] for uses in map(code.uses, tools) if "schedule" in uses), None)
    if use is not None and manifest.reminds is None:
        message = "It may come to ctx.schedule and does not say reminds: it would be refused."
        yield _warning(use.file, use.line, "rights.missing", message, f'Say why in {MANIFEST}: reminds = "to ..."')
    elif use is None and manifest.reminds is not None:
        message = "It says why it reminds the person, and never calls ctx.schedule."
        yield _warning(MANIFEST, line_of(text, ["reminds"]), "rights.unneeded", message, "Take reminds out.")


def of_modules(code: Code) -> Iterator[Finding]:
    """Yield where the code works around its context: a network, a clock, random numbers or programs of its own."""
    for module in code.modules:
        yield from _imports(module)
        yield from _clocks(module)


def _imports(module: Module) -> Iterator[Finding]:
    for node in ast.walk(module.tree):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        kind = next((_MODULES[name] for name in names if name in _MODULES), None)
        if kind is not None:
            why, hint = _INSTEAD[kind]
            assert isinstance(node, ast.Import | ast.ImportFrom)
            yield _warning(module.file, node.lineno, f"code.{kind}", f"It imports {names[0]}. {why}", hint)


def _clocks(module: Module) -> Iterator[Finding]:
    why, hint = _INSTEAD["clock"]
    for node in ast.walk(module.tree):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr=name)) if (owner, name) in _CLOCKS:
                yield _warning(module.file, node.lineno, "code.clock", f"It calls {owner}.{name}(). {why}", hint)


def _warning(file: str, line: int, code: str, message: str, hint: str) -> Finding:
    return Finding(file, line, Severity.WARNING, code, message, hint)
