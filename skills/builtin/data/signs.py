"""The sign of an amount in a table whose own amounts carry one: what was spent stands there with a minus."""

# ruff: noqa: S608 - only our own column numbers stand in SQL
from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from skills.sdk import ToolError

from .frame import Frame


def followed(
    frame: Frame, placed: Mapping[int, object], amount: Decimal | None
) -> tuple[dict[int, object], tuple[str, str]]:
    """Return the row with the sign that the table gives amounts, and what to say about it, English and German.

    Where every amount of the column is negative, an amount without a sign becomes negative. Where most are and some are
    not, nothing says which it is. Raises ToolError there.
    """
    row = dict(placed)
    at = next((at for at, value in row.items() if amount is not None and value is amount), None)
    if at is None or amount is None or amount <= 0 or not frame.columns[at].numeric:
        return row, ("", "")
    below, above = _counted(frame, at)
    name = frame.columns[at].name
    if not below or above >= below:
        return row, ("", "")
    if above:
        raise _unsaid(frame, row, at, amount, (below, above))
    row[at] = -amount
    return row, (
        f"Every {name} there is negative, so this one is too.",
        f"Dort ist jeder Wert in {name} negativ, also auch dieser.",
    )


def remark(frame: Frame, placed: Mapping[int, object]) -> tuple[str, str]:
    """Return what to say where a person named a positive amount and every other one of the column is negative."""
    for at, value in placed.items():
        if (
            frame.columns[at].numeric
            and isinstance(value, Decimal)
            and value > 0
            and _signs(frame, at) == (True, False)
        ):
            name = frame.columns[at].name
            return f"Every other {name} there is negative.", f"Jeder andere Wert in {name} ist negativ."
    return "", ""


def _signs(frame: Frame, at: int) -> tuple[bool, bool]:
    below, above = _counted(frame, at)
    return below > 0, above > 0


def _counted(frame: Frame, at: int) -> tuple[int, int]:
    """Return how many values of the column are negative and how many positive."""
    below, above = frame.query(f"SELECT count(*) FILTER (c{at} < 0), count(*) FILTER (c{at} > 0) FROM t")[0]
    return int(below), int(above)


def _unsaid(frame: Frame, row: Mapping[int, object], at: int, amount: Decimal, counted: tuple[int, int]) -> ToolError:
    """Ask for the sign with the sentence that says it: the amount and the texts that were to go in."""
    name, (below, above), label = frame.columns[at].name, counted, frame.label
    texts = [f"{frame.columns[one].name} {value}" for one, value in row.items() if isinstance(value, str)]
    english, german = (" and ".join([*texts[:1], f"{name} -{amount:.2f}"]), f"{name} -{amount:.2f}".replace(".", ","))
    german = " und ".join([*texts[:1], german])
    return ToolError(
        f"{label} has {below} negative and {above} positive values for {name}, and {amount:.2f} has no sign.",
        hint=f"Say the sign, as in: add a row to {label} with {english}.",
        code="data.which-sign",
        de=f"{label} hat {below} negative und {above} positive Werte für {name}, und "
        f"{f'{amount:.2f}'.replace('.', ',')} hat kein Vorzeichen.",
        de_hint=f"Sag das Vorzeichen: füge {label} eine Zeile mit {german} hinzu.",
    )
