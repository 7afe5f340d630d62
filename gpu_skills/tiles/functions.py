"""Functions of elements in Triton: what the language has, and what it has not, as functions of our own.

A kernel must run in Triton's interpreter as on a GPU, so nothing of a device library is called by name. Every function
passes on what is no number. The quotients of polynomials are those of the C++ family; expm1 is a polynomial below 0.5
(Taylor, relative error below 3e-8) and a difference above; log1p follows Kahan (log(u) x / (u - 1), u = 1 + x). Errors
are a few ulp of float32 of the result, but for ``power``, whose error grows with the logarithm of its result.
"""

from __future__ import annotations

from typing import Final

from gpu_skills.graph import Fn

FORMS: Final[dict[Fn, str]] = {
    Fn.ADD: "{0} + {1}", Fn.SUB: "{0} - {1}", Fn.MUL: "{0} * {1}", Fn.DIV: "{0} / {1}", Fn.NEG: "-{0}",
    Fn.MAXIMUM: "larger({0}, {1})", Fn.MINIMUM: "smaller({0}, {1})", Fn.POW: "power({0}, {1})", Fn.ABS: "tl.abs({0})",
    Fn.SIGN: "sign({0})", Fn.EXP: "tl.exp({0})", Fn.EXPM1: "expm1({0})", Fn.LOG: "tl.log({0})",
    Fn.LOG1P: "log1p({0})", Fn.SQRT: "tl.sqrt({0})", Fn.RSQRT: "tl.rsqrt({0})", Fn.TANH: "tanh({0})",
    Fn.ERF: "tl.erf({0})", Fn.SIGMOID: "1.0 / (1.0 + tl.exp(-{0}))", Fn.SIN: "tl.sin({0})", Fn.COS: "tl.cos({0})",
    Fn.FLOOR: "tl.floor({0})", Fn.CEIL: "tl.ceil({0})", Fn.ROUND: "nearest({0})", Fn.LT: "{0} < {1}",
    Fn.LE: "{0} <= {1}", Fn.EQ: "{0} == {1}", Fn.NE: "{0} != {1}",
}  # fmt: skip
"""How a function is written, its arguments as floats; ``AND``, ``NOT`` and ``WHERE`` take masks and stand apart."""

PRECISE_DIVISION: Final = "tl.div_rn({0}, {1})"

_HELPERS: Final[dict[str, str]] = {
    "larger": """
@triton.jit
def larger(a, b):
    return tl.maximum(a, b, propagate_nan=tl.PropagateNan.ALL)
""",
    "smaller": """
@triton.jit
def smaller(a, b):
    return tl.minimum(a, b, propagate_nan=tl.PropagateNan.ALL)
""",
    "sign": """
@triton.jit
def sign(x):
    return tl.where(x > 0.0, 1.0, tl.where(x < 0.0, -1.0, x))
""",
    "nearest": """
@triton.jit
def nearest(x):
    size = tl.abs(x)
    whole = (size + 8388608.0) - 8388608.0  # 2^23: what is added rounds to the even one of two neighbours
    apart = (size < 8388608.0) & (whole != size)
    return tl.where(apart, tl.where(x < 0.0, whole * -1.0, whole), x)  # "-whole" has no -0.0 there
""",
    "expm1": """
@triton.jit
def expm1(x):
    q = 1.0 / 5040.0 + x * (1.0 / 40320.0 + x * (1.0 / 362880.0))
    q = 1.0 / 24.0 + x * (1.0 / 120.0 + x * (1.0 / 720.0 + x * q))
    near = x + x * x * (0.5 + x * (1.0 / 6.0 + x * q))
    return tl.where(tl.abs(x) < 0.5, near, tl.exp(x) - 1.0)
""",
    "log1p": """
@triton.jit
def log1p(x):
    u = 1.0 + x
    lost = u - 1.0
    apart = tl.log(u) * (x / tl.where(lost == 0.0, 1.0, lost))
    return tl.where(lost == 0.0, x, tl.where(x == INF, x, apart))
""",
    "tanh": """
@triton.jit
def tanh(x):
    c = smaller(larger(x, -8.0), 8.0)
    t = c * c
    p = 0.0035716228171861434 + t * (2.1895065613404554e-05 + t * 1.5230970056631448e-08)
    p = 0.999999993585525 + t * (0.13444518958846913 + t * p)
    q = 0.026164537569741103 + t * (0.00034113323689006364 + t * 8.522674108727813e-07)
    q = 1.0 + t * (0.4677784628989241 + t * q)
    return c * p / q
""",
    "power": """
@triton.jit
def power(x, y):
    size = tl.exp2(y * tl.log2(tl.abs(x)))
    whole = tl.floor(y) == y
    odd = whole & (tl.floor(y * 0.5) != y * 0.5)
    below = (x < 0.0) | ((x == 0.0) & (1.0 / x < 0.0))
    r = tl.where(odd & below, -size, size)
    r = tl.where((x < 0.0) & (x != -INF) & (whole == 0), NAN, r)
    r = tl.where((y == 0.0) | (x == 1.0), 1.0, r)
    return tl.where((x != x) & (y != 0.0), x, r)
""",
}
"""Those that call others stand behind them."""


def helpers(body: str) -> str:
    """Return the functions of our own that ``body`` calls, and those that they call."""
    found: list[str] = []
    for name in reversed(_HELPERS):
        if any(f"{name}{mark}" in text for text in (body, *found) for mark in ("(", ",")):
            found.insert(0, _HELPERS[name])
    return "".join(found)
