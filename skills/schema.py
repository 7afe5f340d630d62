"""Signatures of tools, read from a skill's source text: types, defaults and docs, without running a line of it.

What this stops: code of a skill running in the daemon. The source is parsed (``ast``), never imported.
What it does not: judge what the code does when it is called; that is the wall's work.

A tool is a module-level function whose first parameter is annotated ``Context``. The types that may stand in its
signature are those of ``skills.sdk`` and a few of Python's own; a dataclass of the module is a record.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from skills.docs import argument_docs, first_sentence
from skills.errors import BadSkill
from skills.model import Parameter, ValueKind, ValueType

_TEXT = ValueType(ValueKind.TEXT)
_FOLDER = ValueType(ValueKind.FOLDER, fields={"name": ValueType(ValueKind.TITLE), "path": _TEXT})
_FILE = ValueType(
    ValueKind.FILE,
    fields={
        "name": ValueType(ValueKind.TITLE),
        "path": _TEXT,
        "size_bytes": ValueType(ValueKind.INTEGER),
        "modified": ValueType(ValueKind.DATE),
        "folder": _FOLDER,
        "stem": ValueType(ValueKind.TITLE),
        "suffix": _TEXT,
    },
)
_NAMED: Mapping[str, ValueType] = {
    "str": _TEXT,
    "int": ValueType(ValueKind.INTEGER),
    "float": ValueType(ValueKind.NUMBER),
    "Decimal": ValueType(ValueKind.NUMBER),
    "bool": ValueType(ValueKind.BOOLEAN),
    "date": ValueType(ValueKind.DATE),
    "datetime": ValueType(ValueKind.DATE),
    "timedelta": ValueType(ValueKind.DURATION),
    "Text": _TEXT,
    "Title": ValueType(ValueKind.TITLE),
    "Query": ValueType(ValueKind.QUERY),
    "Expression": ValueType(ValueKind.EXPRESSION),
    "Unit": ValueType(ValueKind.UNIT),
    "Column": ValueType(ValueKind.COLUMN),
    "Url": ValueType(ValueKind.URL),
    "NewFile": ValueType(ValueKind.NEW_FILE),
    "File": _FILE,
    "Folder": _FOLDER,
    "Period": ValueType(
        ValueKind.PERIOD, fields={"start": ValueType(ValueKind.DATE), "end": ValueType(ValueKind.DATE)}
    ),
    "Hours": ValueType(ValueKind.HOURS),
    "Recurrence": ValueType(ValueKind.RECURRENCE),
    "Size": ValueType(ValueKind.SIZE),
    "Quantity": ValueType(
        ValueKind.QUANTITY, fields={"value": ValueType(ValueKind.NUMBER), "unit": ValueType(ValueKind.UNIT)}
    ),
    "Condition": ValueType(ValueKind.CONDITION),
    "Table": ValueType(ValueKind.TABLE, fields={"columns": ValueType(ValueKind.COLUMN, many=True), "source": _FILE}),
    "Record": ValueType(ValueKind.RECORD),
}
_ANY = ValueType(ValueKind.ANY)
_MANY = ("list", "tuple", "Sequence")
_DEEPEST = 4  # records inside records


@dataclass(frozen=True, slots=True)
class Signature:
    """What a tool's source says about it. Its parameters carry no words and no roles yet: the manifest has those."""

    function: str
    summary: str
    parameters: tuple[Parameter, ...]
    result: ValueType
    line: int


def read_signatures(path: Path) -> Mapping[str, Signature]:
    """Return the tools of a ``skill.py`` by function name. Raises BadSkill with the file and line that is wrong."""
    try:
        status = path.stat()
    except OSError as error:
        raise BadSkill(
            "skill.source",
            f"{path} cannot be read: {error.strerror}.",
            subject=path.parent.name,
            hint="A skill with tools needs a skill.py beside its steward.toml.",
        ) from error
    return _parsed(path, status.st_mtime_ns, status.st_size)


@functools.lru_cache(maxsize=256)
def _parsed(path: Path, _mtime_ns: int, _size: int) -> Mapping[str, Signature]:
    try:
        module = ast.parse(path.read_bytes(), filename=str(path))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:  # the last two: nested without end
        line = getattr(error, "lineno", None) or 1
        raise BadSkill(
            "skill.syntax",
            f"{path}:{line}: not valid Python: {error or 'too deeply nested'}.",
            subject=path.parent.name,
            hint="Correct the line.",
        ) from error
    return _Module(path, module).signatures()


class _Module:
    """One parsed ``skill.py`` with its aliases and records."""

    def __init__(self, path: Path, module: ast.Module) -> None:
        self._path = path
        self._functions = [node for node in module.body if isinstance(node, ast.FunctionDef)]
        self._records = {node.name: node for node in module.body if isinstance(node, ast.ClassDef) and _is_data(node)}
        self._aliases = dict(_aliases(module))

    def signatures(self) -> dict[str, Signature]:
        return {node.name: self._signature(node) for node in self._functions if _is_tool(node)}

    def _signature(self, node: ast.FunctionDef) -> Signature:
        if node.args.vararg or node.args.kwarg or node.args.posonlyargs:
            self._refuse(node, f"{node.name} has a parameter with * or /", "Give every parameter a name and a type.")
        docs = ast.get_docstring(node) or ""
        if not docs:
            self._refuse(node, f"{node.name} has no docstring", "Say in one sentence what the tool does.")
        if node.returns is None:
            self._refuse(node, f"{node.name} does not say what it returns", "Add '-> ...' with the result's type.")
        told = argument_docs(docs)
        parameters = tuple(
            self._parameter(node, argument, default, told) for argument, default in list(_arguments(node))[1:]
        )
        return Signature(node.name, first_sentence(docs), parameters, self._type(node.returns, False)[0], node.lineno)

    def _parameter(
        self, function: ast.FunctionDef, argument: ast.arg, default: ast.expr | None, told: Mapping[str, str]
    ) -> Parameter:
        name = argument.arg
        if argument.annotation is None:
            self._refuse(argument, f"{function.name}({name}) has no type", "Annotate it with a type of skills.sdk.")
        if name not in told:
            self._refuse(
                argument, f"{function.name}({name}) is not described", f"Add a line '{name}: ...' under 'Args:'."
            )
        kind, optional = self._type(argument.annotation, True)
        if optional and default is None:
            self._refuse(argument, f"{function.name}({name}) may be None but has no default", "Add '= None'.")
        return Parameter(name, kind, default is None, told[name], default=self._default(function, name, default))

    def _default(self, function: ast.FunctionDef, name: str, default: ast.expr | None) -> Any:
        if default is None:
            return None
        try:
            return ast.literal_eval(default)
        except ValueError:
            self._refuse(default, f"the default of {function.name}({name}) is not a plain value", "Write it out.")

    def _type(self, node: ast.expr, parameter: bool, depth: int = 0) -> tuple[ValueType, bool]:
        """Return the value type that an annotation means, and whether it may be None."""
        match node:
            case ast.Constant(value=None):
                return _ANY, True
            case ast.Constant(value=str() as text):
                return self._type(ast.parse(text, mode="eval").body, parameter, depth)
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                return self._union(node, [left, right], parameter, depth)
            case ast.Subscript(value=head, slice=inner):
                return self._generic(node, _last(head), inner, parameter, depth)
            case ast.Name() | ast.Attribute():
                return self._named(node, _last(node), parameter, depth), False
        return self._unknown(node, parameter), False

    def _union(self, node: ast.expr, sides: list[ast.expr], parameter: bool, depth: int) -> tuple[ValueType, bool]:
        real = [side for side in sides if not (isinstance(side, ast.Constant) and side.value is None)]
        if len(real) == 1:
            return self._type(real[0], parameter, depth)[0], True
        return self._unknown(node, parameter), False

    def _generic(
        self, node: ast.expr, head: str, inner: ast.expr, parameter: bool, depth: int
    ) -> tuple[ValueType, bool]:
        first = inner.elts[0] if isinstance(inner, ast.Tuple) and inner.elts else inner
        if head == "Literal":
            return self._choice(node, inner), False
        if head == "Optional":
            return self._type(inner, parameter, depth)[0], True
        if head in _MANY:
            one, _ = self._type(first, parameter, depth)
            return ValueType(one.kind, True, one.choices, one.fields), False
        if head in ("dict", "Mapping") and not parameter:
            return _NAMED["Record"], False
        return self._unknown(node, parameter), False

    def _choice(self, node: ast.expr, inner: ast.expr) -> ValueType:
        items = inner.elts if isinstance(inner, ast.Tuple) else [inner]
        words = [item.value for item in items if isinstance(item, ast.Constant) and isinstance(item.value, str)]
        if len(words) != len(items):
            self._refuse(node, "a Literal holds something else than text", "Use texts only.")
        return ValueType(ValueKind.CHOICE, choices=tuple(words))

    def _named(self, node: ast.expr, name: str, parameter: bool, depth: int) -> ValueType:
        if name in self._aliases and depth < _DEEPEST:
            return self._type(self._aliases[name], parameter, depth + 1)[0]
        if name in self._records and not parameter:
            return self._record(self._records[name], depth)
        return _NAMED[name] if name in _NAMED else self._unknown(node, parameter)

    def _record(self, node: ast.ClassDef, depth: int) -> ValueType:
        if depth >= _DEEPEST:
            return ValueType(ValueKind.RECORD)
        fields = {
            item.target.id: self._type(item.annotation, False, depth + 1)[0]
            for item in node.body
            if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name)
        }
        return ValueType(ValueKind.RECORD, fields=fields)

    def _unknown(self, node: ast.expr, parameter: bool) -> ValueType:
        if not parameter:
            return _ANY
        names = ", ".join(sorted(_NAMED))
        hint = f"Use one of: {names}, Literal[...], list[...] of one of them, or X | None = None."
        self._refuse(node, f"{ast.unparse(node)} is not a type that a parameter may have", hint)

    def _refuse(self, node: ast.expr | ast.stmt | ast.arg, what: str, hint: str) -> NoReturn:
        message = f"{self._path}:{node.lineno}: {what}."
        raise BadSkill("skill.signature", message, subject=self._path.parent.name, hint=hint)


def _last(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _is_data(node: ast.ClassDef) -> bool:
    heads = (item.func if isinstance(item, ast.Call) else item for item in node.decorator_list)
    return any(_last(head) == "dataclass" for head in heads)


def _aliases(module: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """Module-level names that stand for a type: ``Kind = Literal[...]``."""
    for node in module.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Subscript() as value):
                yield name, value


def _is_tool(node: ast.FunctionDef) -> bool:
    first = next(_arguments(node), None)
    return first is not None and is_context(first[0]) and not node.name.startswith("_")


def is_context(argument: ast.arg) -> bool:
    """Tell whether an argument is annotated as the context of a call."""
    return argument.annotation is not None and _last(argument.annotation) == "Context"


def _arguments(node: ast.FunctionDef) -> Iterator[tuple[ast.arg, ast.expr | None]]:
    plain = node.args.args
    defaults = [None] * (len(plain) - len(node.args.defaults)) + list(node.args.defaults)
    yield from zip(plain, defaults, strict=True)
    yield from zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
