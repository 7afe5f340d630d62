"""What a skill's code does with its context, read from the source: which calls a tool can come to. Nothing is run.

A tool reaches a function where its name stands in one that it reaches, whoever it belongs to: rather one too many than
one too few. So what is never reached is surely not done, and what is reached is perhaps done.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from skills.manifest import SOURCE
from skills.model import Tool
from skills.schema import is_context

_SDK = "skills.sdk."
_HELD = frozenset({"ctx", "_ctx", "context", "_context"})
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_Place = tuple[str, Definition]


@dataclass(frozen=True, slots=True)
class Use:
    """A method of the context that is called, and where."""

    method: str
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class Module:
    """One source file of the skill; ``file`` is its path below the folder."""

    file: str
    tree: ast.Module


class Code:
    """The modules of a skill, beside its tests, and those of the SDK that it takes from (``skills.sdk.people``)."""

    def __init__(self, folder: Path) -> None:
        self.modules = tuple(_modules(folder))
        self._top: dict[tuple[str, str], Definition] = {}
        self._methods: dict[str, list[_Place]] = {}
        self._imports: dict[str, dict[str, tuple[str, str]]] = {}
        self._uses: dict[int, tuple[Use, ...]] = {}
        self._following: dict[int, tuple[_Place, ...]] = {}
        """Of the definitions that were looked at, by ``id``: most are reached by many tools."""
        for module in (*self.modules, *_of_sdk(self.modules)):
            self._imports[module.file] = dict(_siblings(module.tree))
            for node in module.tree.body:
                if isinstance(node, Definition):
                    self._top[module.file, node.name] = node
            for one in ast.walk(module.tree):
                for inner in one.body if isinstance(one, ast.ClassDef) else ():
                    if isinstance(inner, ast.FunctionDef):
                        self._methods.setdefault(inner.name, []).append((module.file, inner))

    def uses(self, tool: Tool) -> Mapping[str, Use]:
        """Return the methods of the context that ``tool`` may come to call, each with its first place."""
        found: dict[str, Use] = {}
        for file, node in self._reached(tool.function):
            for use in self._uses_of(file, node):
                found.setdefault(use.method, use)
        return found

    def reads_paths(self, tool: Tool) -> bool:
        """Tell whether ``tool`` may read a file by its path, past the methods of the context."""
        nodes = (node for _, top in self._reached(tool.function) for node in ast.walk(top))
        return any(isinstance(node, ast.Attribute) and node.attr == "path" for node in nodes)

    def _reached(self, function: str) -> Iterator[_Place]:
        """Yield the functions that a tool may come to, itself first; of a class what is called by its name."""
        waiting = [(SOURCE, self._top[SOURCE, function])] if (SOURCE, function) in self._top else []
        seen = {id(node) for _, node in waiting}
        while waiting:
            file, node = waiting.pop(0)
            if not isinstance(node, ast.ClassDef):
                yield file, node
            for place in self._after(file, node):
                if id(place[1]) not in seen:
                    seen.add(id(place[1]))
                    waiting.append(place)

    def _uses_of(self, file: str, top: Definition) -> tuple[Use, ...]:
        if id(top) not in self._uses:
            self._uses[id(top)] = tuple(_uses(file, top))
        return self._uses[id(top)]

    def _after(self, file: str, top: Definition) -> tuple[_Place, ...]:
        if id(top) not in self._following:
            places: dict[int, _Place] = {}
            for place in self._next(file, top):
                places.setdefault(id(place[1]), place)
            self._following[id(top)] = tuple(places.values())
        return self._following[id(top)]

    def _next(self, file: str, top: Definition) -> Iterator[_Place]:
        if isinstance(top, ast.ClassDef):
            made = ("__init__", "__post_init__", "__enter__", "__iter__", "__call__")
            yield from ((file, node) for node in top.body if isinstance(node, ast.FunctionDef) and node.name in made)
            return
        for node in ast.walk(top):
            if isinstance(node, ast.Name):
                yield from self._named(file, node.id)
            elif isinstance(node, ast.Attribute):
                owner = node.value.id if isinstance(node.value, ast.Name) else ""
                other, name = self._imports[file].get(owner, ("", ""))
                if other and not name:
                    yield from self._named(other, node.attr)
                elif _owner(node) not in _HELD:
                    yield from self._methods.get(node.attr, ())

    def _named(self, file: str, name: str) -> Iterator[_Place]:
        """Yield what a name means in a module: its own, or what it has from a sibling."""
        other, original = self._imports.get(file, {}).get(name, ("", ""))
        found = self._top.get((other, original)) if original else self._top.get((file, name))
        if found is not None:
            yield (other if original else file), found


def _siblings(tree: ast.Module) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield by name what a module has from its siblings: (file, "") is a module, (file, name) one of its own."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level == 0 and (node.module or "").startswith(_SDK):
            for alias in node.names:
                yield alias.asname or alias.name, (f"{node.module}.py", alias.name)
        if isinstance(node, ast.ImportFrom) and node.level == 1:
            for alias in node.names:
                name = alias.asname or alias.name
                yield name, ((f"{node.module}.py", alias.name) if node.module else (f"{alias.name}.py", ""))


def _of_sdk(modules: Sequence[Module]) -> Iterator[Module]:
    """Yield the modules of the SDK, beside its door, that a skill takes something from."""
    taken = {file for module in modules for _, (file, _) in _siblings(module.tree) if file.startswith(_SDK)}
    folder = Path(__file__).parents[1] / "sdk"
    for file in sorted(taken):
        path = folder / file.removeprefix(_SDK)
        if path.is_file():
            yield Module(file, ast.parse(path.read_bytes()))


def _modules(folder: Path) -> Iterator[Module]:
    for path in sorted(folder.glob("*.py")):
        try:
            yield Module(path.name, ast.parse(path.read_bytes()))
        except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):  # said where signatures are read
            continue


def _owner(node: ast.Attribute) -> str:
    """Return the name of what an attribute is taken of: ``ctx`` in ``ctx.say`` and ``self.ctx.say``."""
    owner = node.value
    return owner.id if isinstance(owner, ast.Name) else owner.attr if isinstance(owner, ast.Attribute) else ""


def _uses(file: str, top: Definition) -> Iterator[Use]:
    held = _HELD | {
        one.arg for node in ast.walk(top) if isinstance(node, ast.arguments) for one in _all(node) if is_context(one)
    }
    for node in ast.walk(top):
        if not isinstance(node, ast.Attribute):
            continue
        if _owner(node) in held:
            yield Use(node.attr, file, node.lineno)


def _all(arguments: ast.arguments) -> Iterator[ast.arg]:
    yield from (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
