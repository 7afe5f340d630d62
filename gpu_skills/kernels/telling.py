"""What the skill says: sentences in English and German, tables, and errors with what to do now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from gpu_skills.errors import KernelsError
from skills.sdk import Context, ErrorWords, Quantity, ToolError

no_torch = ErrorWords(
    "kernels.torch",
    "PyTorch is not installed, and without it no function can be read{place}.",
    "Install it: ./steward setup kernels",
    "PyTorch ist nicht installiert, und ohne das lässt sich keine Funktion lesen{place}.",
    "Installiere es: ./steward setup kernels",
)


not_so_long = ErrorWords(
    "kernels.budget",
    "A search takes 5 seconds to 20 minutes, not {place}.",
    "Say for how long: 60 seconds, or 2 minutes.",
    "Eine Suche dauert 5 Sekunden bis 20 Minuten, nicht {place}.",
    "Sag, wie lange: 60 Sekunden, oder 2 Minuten.",
)
_SECONDS = {"s": 1, "sec": 1, "sek": 1, "m": 60, "min": 60, "h": 3600}
_USUAL_S = 60.0


def seconds_of(budget: Quantity | None) -> float:
    """Return how long a search may take, 60 s where nothing is said. Raises ToolError."""
    if budget is None:
        return _USUAL_S
    unit = next((one for one in ("sec", "sek", "min", "s", "m", "h") if budget.unit.lower().startswith(one)), "")
    found = float(budget.value) * _SECONDS.get(unit, 0)
    if not 5 <= found <= 1200:
        raise not_so_long(f"{budget.value} {budget.unit}")
    return found


@contextmanager
def in_words() -> Iterator[None]:
    """Let an error of the optimizer be one of a tool, with its code, its words and its hint."""
    try:
        yield
    except KernelsError as error:
        raise ToolError(error.message, hint=error.hint, code=error.code) from error


def gains(told: Mapping[str, Any]) -> list[tuple[str, str, float, float, float]]:
    """Return what each part gained against each side: part, side, ratio, lower and upper bound."""
    found = []
    for part in told["parts"]:
        name = f"{part['begin'] + 1}-{part['end']}"
        for race in part["races"][-1:]:
            found += [(name, one["against"], one["median"], one["low"], one["high"]) for one in race["ratios"]]
    return found


def summary(ctx: Context, told: Mapping[str, Any], where: str) -> None:
    """Say what a certificate comes to, and show its ratios."""
    kept = sum(bool(one["kept"]) for one in told["parts"])
    name, count = told["name"], len(told["parts"])
    if not kept:
        why = " ".join(dict.fromkeys(str(one["why"]) for one in told["parts"]))
        ctx.say(f"Nothing beats the library for {name}: it is kept. {why}{where}",
                de=f"Für {name} ist nichts schneller als die Bibliothek: sie bleibt. {why}{where}")  # fmt: skip
    elif count == 1:
        low, against, ratio, high = _least(told)
        ctx.say(
            f"{name} is {ratio:.2f} times as fast as {against} (95 % interval {low:.2f} to {high:.2f}).{where}",
            de=f"{name} ist {_de(ratio)}-mal so schnell wie {against} (95-%-Intervall {_de(low)} bis {_de(high)})."
               f"{where}",
        )  # fmt: skip
    else:
        whole = float((told["end_to_end"] or {}).get("ratio", 1.0))
        ctx.say(
            f"{kept} of {count} parts of {name} got a kernel; end to end it is {whole:.2f} times as fast.{where}",
            de=f"{kept} von {count} Teilen von {name} haben einen Kernel; im Ganzen ist es {_de(whole)}-mal so "
               f"schnell.{where}",
        )  # fmt: skip
    rows = [
        (part, side, round(ratio, 2), round(low, 2), round(high, 2)) for part, side, ratio, low, high in gains(told)
    ]
    if rows:
        ctx.table(("steps", "against", "times as fast", "at least", "at most"), rows)


def _least(told: Mapping[str, Any]) -> tuple[float, str, float, float]:
    beats: Mapping[str, Any] = next(one["beats"] for one in told["parts"] if one["kept"])
    return float(beats["low"]), str(beats["against"]), float(beats["ratio"]), float(beats["high"])


def _de(number: float) -> str:
    return f"{number:.2f}".replace(".", ",")


def profile(ctx: Context, seconds: float, rows: Sequence[tuple[str, int, float, float, float]]) -> None:
    """Say where a model spends its time."""
    first, share = (rows[0][0], rows[0][3]) if rows else ("", 0.0)
    ctx.say(
        f"One run takes {seconds * 1e3:.2f} ms of one thread; {first} is {share:.0%} of it.",
        de=f"Ein Lauf braucht {_de(seconds * 1e3)} ms eines Threads; davon sind {share:.0%} {first}.",
    )
    ctx.table(
        ("operation", "calls", "ms", "share", "at most times faster without it"),
        [(name, calls, round(1e3 * cost, 3), f"{part:.0%}", round(gain, 2)) for name, calls, cost, part, gain in rows],
    )
