"""From a module or a function of PyTorch to values: torch.export, then one operation after the other.

A program gives back values and changes nothing else: what writes to an input, a buffer or a weight is refused.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gpu_skills.errors import NotTraced
from gpu_skills.graph import DType, Library, Role
from gpu_skills.trace.dims import row_major
from gpu_skills.trace.folds import FOLDS, PRODUCTS
from gpu_skills.trace.moves import VIEWS
from gpu_skills.trace.operations import ELEMENTWISE, Handler, Operation, Unsupported
from gpu_skills.trace.terms import Load
from gpu_skills.trace.values import Value, Values

_HANDLERS: Mapping[str, Handler] = {**ELEMENTWISE, **VIEWS, **FOLDS, **PRODUCTS}
_RANDOM = "it gives other numbers each time"
_WHY = (
    ("convolution", "a convolution"), ("pool", "it goes over windows"), ("sort", "it sorts"), ("topk", "it sorts"),
    ("cum", "each element depends on the one before"), ("lstm", "each step depends on the one before"),
    ("gru", "each step depends on the one before"), ("rnn", "each step depends on the one before"),
    ("scatter", "it writes where an index says"), ("index_put", "it writes where an index says"),
    ("upsample", "it samples between elements"), ("arg", "it gives a place, not a value"),
    ("attention", "a whole attention"), ("nonzero", "its size depends on its values"), ("rand", _RANDOM),
    ("dropout", _RANDOM), ("bernoulli", _RANDOM), ("prod", "a product of elements"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Called:
    """How the step of a library is run again: its operation, and arguments in which names stand for tensors."""

    target: Any
    args: Any
    kwargs: Any


@dataclass(frozen=True, slots=True)
class Held:
    """Stands in the arguments of ``Called`` for a tensor: its name and the shape it is seen in."""

    name: str
    shape: tuple[int, ...]


@dataclass(slots=True)
class Capture:
    """A trace on its way: values, live weights by name, library calls by what they write.

    ``input_names`` and ``weight_names`` are the program's names by those of the module.
    """

    values: Values = field(default_factory=Values)
    inputs: list[str] = field(default_factory=list)
    weights: dict[str, Any] = field(default_factory=dict)
    input_names: dict[str, str] = field(default_factory=dict)
    weight_names: dict[str, str] = field(default_factory=dict)
    calls: dict[str, Called] = field(default_factory=dict)
    outputs: list[Value] = field(default_factory=list)
    work: list[tuple[str, int, bool]] = field(default_factory=list)
    forced: frozenset[str] = frozenset()
    wanted: frozenset[str] = frozenset()
    made_of: dict[str, Value] = field(default_factory=dict)


def exported(module: Any, inputs: Sequence[Any]) -> Any:
    """Return torch.export's program of a module or function, in few kinds of operations. Raises NotTraced."""
    import torch

    wrapped = module if isinstance(module, torch.nn.Module) else as_module(module)
    try:
        with torch.no_grad():
            program = torch.export.export(wrapped, tuple(inputs), strict=False)
            return program.run_decompositions(_decompositions())
    except Exception as error:  # torch.export raises many kinds, among them bare Exceptions
        first = str(error).strip().splitlines()[:1] or [""]
        raise NotTraced(
            "trace.export",
            f"torch.export cannot trace {_name(module)}: {type(error).__name__}: {first[0]}",
            hint="control flow that depends on values, and shapes that do, cannot be traced",
        ) from error


def _name(module: Any) -> str:
    return str(getattr(module, "__name__", type(module).__name__))


def as_module(function: Any) -> Any:
    """Return a function as a module."""
    import torch

    class Function(torch.nn.Module):  # type: ignore[misc]
        def forward(self, *args: Any) -> Any:
            return function(*args)

    return Function()


def _decompositions() -> Any:
    """Return the table of decompositions without those whose operation we know as a whole."""
    import torch

    table = torch.export.default_decompositions()
    for target in list(table.keys()):
        if target.overloadpacket.__name__ in _HANDLERS and not _composite(target):
            table.pop(target)
    return table


def _composite(target: Any) -> bool:
    return target.overloadpacket.__name__ in ("reshape", "softmax", "log_softmax", "norm", "flatten", "rms_norm")


def captured(program: Any, names: Sequence[str], forced: frozenset[str] = frozenset()) -> Capture:
    """Return the values of an exported program; the ``forced`` nodes are stored. Raises NotTraced."""
    _changes_nothing(program.graph_signature, names)
    found = Capture(forced=forced, wanted=frozenset(map(str, program.graph_signature.user_outputs)))
    specs = {spec.arg.name: spec for spec in program.graph_signature.input_specs}
    state = {**program.state_dict, **program.constants}
    env: dict[Any, Any] = {}
    rest = list(names)
    for node in program.graph.nodes:
        if node.op == "placeholder":
            env[node] = _placeholder(found, node, specs[node.name], state, rest)
        elif node.op == "call_function":
            env[node] = _called(found, node, env)
        elif node.op == "output":
            _outputs(found, node, env)
        else:
            raise NotTraced("trace.node", f"a node of kind {node.op} cannot be traced")
    return found


def _changes_nothing(signature: Any, names: Sequence[str]) -> None:
    """Raise NotTraced where a call would leave anything else than outputs behind: a program could not."""
    given = [spec.arg.name for spec in signature.input_specs if spec.kind.name == "USER_INPUT"]
    called = dict(zip(given, names, strict=False))
    for spec in signature.output_specs:
        kind = spec.kind.name
        if kind == "USER_OUTPUT":
            continue
        what = {"USER_INPUT_MUTATION": "input", "BUFFER_MUTATION": "buffer", "PARAMETER_MUTATION": "weight"}.get(kind)
        target = called.get(str(spec.target), str(spec.target))
        raise NotTraced(
            "trace.mutation",
            f"it writes to its {what} {target}" if what else f"it leaves something else than outputs ({kind.lower()})",
            hint="trace a norm over the batch after .eval(); write x.relu() for x.relu_(), and give back what is new",
        )


def _placeholder(found: Capture, node: Any, spec: Any, state: Mapping[str, Any], rest: list[str]) -> Any:
    kind = spec.kind.name
    given = node.meta.get("val")
    if kind == "USER_INPUT":
        called = rest.pop(0) if rest else node.name
        if not hasattr(given, "shape"):
            return getattr(spec.arg, "value", given)
        name = found.input_names[called] = _identifier(called, found)
        found.inputs.append(name)
        return found.values.tensor(name, given.shape, dtype_of(given), Role.INPUT)
    name = found.weight_names[str(spec.target)] = _identifier(str(spec.target), found)
    found.weights[name] = state[spec.target]
    return found.values.tensor(name, given.shape, dtype_of(given), Role.WEIGHT)


def _identifier(name: str, found: Capture) -> str:
    """Return a name that no other tensor has and that is none of ours (``out``, ``t0`` ...)."""
    plain = re.sub(r"\W", "_", name)
    plain = plain if plain[:1].isalpha() else f"v{plain}"
    while plain in ("out", *found.values.tensors) or re.fullmatch(r"(t|out)\d+", plain):
        plain = f"{plain}_given"
    return plain


def dtype_of(tensor: Any) -> DType:
    """Return the type of a tensor's elements. Raises NotTraced."""
    name = str(tensor.dtype).removeprefix("torch.")
    try:
        return DType(name)
    except ValueError as error:
        raise NotTraced("trace.dtype", f"elements of type {name} cannot be traced",
                        hint="float32, float16, bfloat16, float64, int64, int32 and bool can") from error  # fmt: skip


def _called(found: Capture, node: Any, env: Mapping[Any, Any]) -> Any:
    if node.target.__name__ == "getitem":
        return env[node.args[0]][node.args[1]]
    if not hasattr(node.target, "_schema"):
        raise NotTraced("trace.operation", f"{node.target} cannot be traced")
    if node.target.overloadpacket.__name__ in ("sym_size", "_assert_tensor_metadata", "_assert_scalar"):
        return None
    name = node.target.overloadpacket.__name__
    made = _own(found, node, name, env)
    if isinstance(made, Value):
        found.made_of[node.name] = made
        if node.name in found.forced and not made.stored:
            found.values.cut(made)
    return made


def _own(found: Capture, node: Any, name: str, env: Mapping[Any, Any]) -> Any:
    if _reason(name) == _RANDOM:
        raise NotTraced("trace.random", f"{name} cannot be traced: {_RANDOM}", hint="trace the model after .eval()")
    own = _HANDLERS.get(name)
    if own is None:
        return _library(found, node, name, env, _reason(name))
    try:
        made = own(_operation(found, node, name, env))
    except Unsupported as error:
        return _library(found, node, name, env, str(error))
    if _unmade(found, node, made):
        return _library(found, node, name, env, "its places are wanted, not only its values")
    found.work.append((name, _elements(node), True))
    return made


def _unmade(found: Capture, node: Any, made: Any) -> bool:
    """Tell whether a part of the result that is used was not made; what only a buffer would keep is not used."""
    if not isinstance(made, tuple):
        return False
    parts = [user for user in node.users if getattr(user.target, "__name__", "") == "getitem"]
    used = [one for one in parts if one.name in found.wanted or any(user.op != "output" for user in one.users)]
    wanted = {one.args[1] for one in used}
    return any(made[place] is None for place in wanted)


def _operation(found: Capture, node: Any, name: str, env: Mapping[Any, Any]) -> Operation:
    given = {}
    schema = node.target._schema.arguments
    for argument, value in zip(schema, node.args, strict=False):
        given[argument.name] = _filled_in(value, env)
    given |= {key: _filled_in(value, env) for key, value in node.kwargs.items()}
    val = node.meta["val"]
    first: Any = next((one for one in val if one is not None), None) if isinstance(val, tuple | list) else val
    if not hasattr(first, "shape"):
        raise Unsupported("it gives no tensor")
    if any(not isinstance(size, int) for size in first.shape):
        raise NotTraced("trace.dynamic", f"the shape of what {name} gives depends on values")
    return Operation(found.values, name, given, tuple(first.shape), dtype_of(first))


def _filled_in(value: Any, env: Mapping[Any, Any]) -> Any:
    if isinstance(value, list | tuple):
        return [_filled_in(one, env) for one in value]
    return env.get(value, value) if _hashable(value) else value


def _hashable(value: Any) -> bool:
    return type(value).__module__.startswith("torch.fx")


def _elements(node: Any) -> int:
    """Return how many elements an operation reads and gives: what it costs where memory is the bound."""
    vals = [one.meta.get("val") for one in node.all_input_nodes] + [node.meta.get("val")]
    flat = [each for one in vals for each in (one if isinstance(one, tuple | list) else [one])]
    return sum(int(one.numel()) for one in flat if hasattr(one, "numel"))


def _reason(name: str) -> str:
    return next((why for part, why in _WHY if part in name), "no sweep of ours makes it")


def _library(found: Capture, node: Any, name: str, env: Mapping[Any, Any], why: str) -> Any:
    reads: list[str] = []

    def held(value: Any) -> Any:
        if isinstance(value, list | tuple):
            return [held(one) for one in value]
        given = env.get(value, value) if _hashable(value) else value
        if not isinstance(given, Value):
            return given
        stored = whole_in_memory(found.values, given)
        reads.append(stored)
        return Held(stored, given.shape)

    args, kwargs = held(node.args), {key: held(value) for key, value in node.kwargs.items()}
    val = node.meta["val"]
    several = isinstance(val, tuple | list)
    results = list(val) if several else [val]
    there: list[Any] = [one for one in results if hasattr(one, "shape")]
    if len(there) != len([one for one in results if one is not None]):
        raise NotTraced(
            "trace.operation", f"{name} gives no tensor", hint="what it gives decides what is computed next"
        )
    if any(not isinstance(size, int) for one in there for size in one.shape):
        raise NotTraced("trace.dynamic", f"the shape of what {name} gives depends on values")
    writes = tuple(found.values.fresh() for _ in there)
    step = Library(name, tuple(dict.fromkeys(reads)), writes, why)
    made = found.values.stays(step, [(tuple(one.shape), dtype_of(one)) for one in there], name)
    found.calls[writes[0]] = Called(node.target, args, kwargs)
    found.work.append((name, _elements(node), False))
    rest = iter(made)
    return tuple(next(rest) if one is not None else None for one in results) if several else made[0]


def whole_in_memory(values: Values, value: Value) -> str:
    """Return the tensor that holds a value whole, row by row; it is stored if there is none."""
    pieces = values.pieces(value)
    term = pieces[0].term
    if len(pieces) == 1 and isinstance(term, Load) and term.at == row_major(pieces[0].over):
        tensor = values.tensors[term.tensor]
        if math.prod(tensor.shape) == value.numel:
            return term.tensor
    return values.cut(value)


def _outputs(found: Capture, node: Any, env: Mapping[Any, Any]) -> None:
    for arg in node.args[0]:
        if isinstance(env.get(arg) if _hashable(arg) else None, Value):
            found.outputs.append(env[arg])
        else:
            raise NotTraced("trace.output", "an output is no tensor")
    if not found.outputs:
        raise NotTraced("trace.output", "it gives no tensor")
