"""Charts as PNG pictures, drawn without a screen: what to draw follows from the columns' kinds."""

# ruff: noqa: S608 - only our own column numbers and checked settings stand in SQL; values are parameters
from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from skills.sdk import ToolError

from .figures import part_of
from .frame import Frame
from .kinds import Column

NAMES = {
    "bar": ("bar chart", "Balkendiagramm"),
    "line": ("line chart", "Liniendiagramm"),
    "scatter": ("scatter plot", "Streudiagramm"),
    "histogram": ("histogram", "Histogramm"),
    "pie": ("pie chart", "Kreisdiagramm"),
}
"""The kinds of chart in words, English and German."""

_MOST_BARS = 30
_MOST_SLICES = 8
_MOST_POINTS = 50_000


@dataclass(frozen=True, slots=True)
class Chart:
    """What to draw: kind, the columns' positions (None where not used), and the points or groups."""

    kind: str
    x: int | None
    y: int | None
    points: tuple[tuple[Any, Any], ...]
    folded: int = 0  # groups that were put together as "other"
    axis: str = ""  # the name of what is along the bottom, where it is no column


@dataclass(frozen=True, slots=True)
class _Grouping:
    """What the values are added up by: its SQL, the order of the groups, its column or its name."""

    key: str
    order: str
    x: int | None
    name: str = ""


def chosen(frame: Frame, x: str | None, y: str | None, kind: str | None) -> Chart:
    """Choose columns, kind and points. Raises ToolError when there is nothing that can be drawn."""
    if x and (part := part_of(frame, x)):
        grouping = _Grouping(part[0], "1", None, part[1])
        return _groups(frame, kind if kind in ("bar", "line", "pie") else "bar", grouping, _values(frame, y))
    at_x = frame.find(x) if x else None
    at_y = frame.find(y) if y else None
    if kind == "histogram":
        at = at_x if at_x is not None else at_y if at_y is not None else _first_numeric(frame, None)
        return _histogram(frame, at)
    if at_y is None and (kind is not None or at_x is None or not frame.columns[at_x].numeric):
        at_y = _first_numeric(frame, at_x)
    if at_x is None:
        at_x = _first_axis(frame, at_y)
    if kind is None:
        kind = _fitting(frame, at_x, at_y)
    if kind == "histogram" or at_y is None:
        return _histogram(frame, at_x if at_y is None else at_y)
    _check_numeric(frame.columns[at_y])
    if kind in ("bar", "pie"):
        name = "CAST(n + 1 AS VARCHAR)" if at_x is None else f"coalesce(CAST(c{at_x} AS VARCHAR), '–')"
        by_place = at_x is not None and frame.columns[at_x].kind != "text"
        return _groups(frame, kind, _Grouping(name, "min(n)" if by_place else "sum DESC", at_x), at_y)
    return _points(frame, kind, at_x, at_y)


def draw(frame: Frame, chart: Chart, real: Path, language: str) -> None:
    """Write the picture to ``real``."""
    # Its caches are not worth keeping: a call has no place of its own that outlives it.
    os.environ.setdefault("MPLCONFIGDIR", tempfile.gettempdir())
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 5.5), dpi=120, layout="constrained")
    FigureCanvasAgg(figure)
    axes: Any = figure.subplots()
    _DRAWN[chart.kind](axes, [point[0] for point in chart.points], [point[1] for point in chart.points])
    _label(axes, frame, chart, language)
    figure.savefig(real, format="png")


def title(frame: Frame, chart: Chart, language: str) -> str:
    """Return what the picture shows, e.g. ``amount by category``."""
    joiner = "nach" if language == "de" else "by"
    name_x = frame.names[chart.x] if chart.x is not None else chart.axis
    if chart.y is None:
        return name_x
    return f"{frame.names[chart.y]} {joiner} {name_x}" if name_x else frame.names[chart.y]


def _first_numeric(frame: Frame, but: int | None) -> int:
    found = [at for at, column in enumerate(frame.columns) if column.numeric and at != but]
    if not found:
        raise ToolError(
            f"{frame.label} has no column with numbers to draw.",
            hint="Name a table with a numeric column.",
            code="data.nothing-to-draw",
            de=f"{frame.label} hat keine Spalte mit Zahlen, die sich zeichnen ließe.",
            de_hint="Nenne eine Tabelle mit einer Zahlenspalte.",
        )
    return found[-1] if but is None and len(found) > 1 and _is_key(frame.columns[found[0]]) else found[0]


def _is_key(column: Column) -> bool:
    return column.kind == "integer" and column.name.casefold().replace("_", " ").split()[-1] in (
        "id",
        "nr",
        "no",
        "number",
    )


def _first_axis(frame: Frame, but: int | None) -> int | None:
    for kinds in (("date", "time"), ("text",), ("integer", "number")):
        for at, column in enumerate(frame.columns):
            if column.kind in kinds and at != but:
                return at
    return None


def _fitting(frame: Frame, x: int | None, y: int | None) -> str:
    if x is None or y is None:
        return "histogram"
    kind = frame.columns[x].kind
    return {"date": "line", "time": "line", "text": "bar"}.get(kind, "scatter")


def _check_numeric(column: Column) -> None:
    if not column.numeric:
        raise ToolError(
            f"The column {column.name} holds no numbers, so it cannot be drawn as values.",
            hint="Name a column with numbers.",
            code="data.not-numeric",
            de=f"Die Spalte {column.name} enthält keine Zahlen und lässt sich nicht als Werte zeichnen.",
            de_hint="Nenne eine Spalte mit Zahlen.",
        )


def _histogram(frame: Frame, at: int | None) -> Chart:
    at = _first_numeric(frame, None) if at is None else at
    _check_numeric(frame.columns[at])
    rows = frame.query(f"SELECT CAST(c{at} AS DOUBLE) FROM t WHERE c{at} IS NOT NULL ORDER BY n LIMIT {_MOST_POINTS}")
    return Chart("histogram", at, None, tuple((row[0], None) for row in _some(frame, rows)))


def _values(frame: Frame, y: str | None) -> int:
    at = frame.find(y) if y else _first_numeric(frame, None)
    _check_numeric(frame.columns[at])
    return at


def _groups(frame: Frame, kind: str, grouping: _Grouping, y: int) -> Chart:
    """Add up ``y`` for each group; what exceeds the space is put together."""
    rows = frame.query(
        f"SELECT {grouping.key} AS name, CAST(sum(c{y}) AS DOUBLE) AS sum FROM t"
        f" WHERE c{y} IS NOT NULL GROUP BY 1 ORDER BY {grouping.order}"
    )
    x, axis = grouping.x, grouping.name
    if kind == "pie" and any(value < 0 for _, value in rows):
        raise ToolError(
            f"The column {frame.names[y]} has negative sums, which a pie cannot show.",
            hint="Draw a bar chart.",
            code="data.negative-pie",
            de=f"Die Spalte {frame.names[y]} hat negative Summen, die ein Kreisdiagramm nicht zeigen kann.",
            de_hint="Zeichne ein Balkendiagramm.",
        )
    most = _MOST_SLICES if kind == "pie" else _MOST_BARS
    rows = _some(frame, rows)
    if len(rows) <= most or kind == "line":
        return Chart(kind, x, y, tuple((row[0], row[1]) for row in rows), axis=axis)
    kept, rest = rows[: most - 1], rows[most - 1 :]
    points = (*((row[0], row[1]) for row in kept), ("…", sum(row[1] for row in rest)))
    return Chart(kind, x, y, points, len(rest), axis)


def _points(frame: Frame, kind: str, x: int | None, y: int) -> Chart:
    name = "n" if x is None else f"c{x}"
    order = name if kind == "line" and x is not None and frame.columns[x].kind != "text" else "n"
    both = f"c{y} IS NOT NULL" + (f" AND c{x} IS NOT NULL" if x is not None else "")
    rows = frame.query(f"SELECT {name}, CAST(c{y} AS DOUBLE) FROM t WHERE {both} ORDER BY {order} LIMIT {_MOST_POINTS}")
    numeric = x is not None and frame.columns[x].numeric
    return Chart(kind, x, y, tuple((float(row[0]) if numeric else row[0], row[1]) for row in _some(frame, rows)))


def _some(frame: Frame, rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    if not rows:
        raise ToolError(
            f"{frame.label} has no values to draw.",
            hint="Name other columns.",
            code="data.nothing-to-draw",
            de=f"{frame.label} hat keine Werte, die sich zeichnen ließen.",
            de_hint="Nenne andere Spalten.",
        )
    return rows


def _label(axes: Any, frame: Frame, chart: Chart, language: str) -> None:
    axes.set_title(_plain(title(frame, chart, language)))
    if chart.kind == "pie":
        return
    axes.set_xlabel(_plain(frame.names[chart.x] if chart.x is not None else chart.axis))
    axes.set_ylabel(_plain(frame.names[chart.y]) if chart.y is not None else "Anzahl" if language == "de" else "count")
    axes.grid(axis="y", alpha=0.3)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    if chart.kind == "bar" and (len(chart.points) > 6 or max(len(str(name)) for name, _ in chart.points) > 12):
        axes.tick_params(axis="x", rotation=60)


def _plain(text: Any) -> str:
    """Return a label without the dollar signs that would begin a formula, and not too long."""
    return str(text).replace("$", r"\$")[:60]


def _bar(axes: Any, names: Sequence[Any], values: Sequence[Any]) -> None:
    axes.bar(range(len(names)), values, color="#2f6f9f")
    axes.set_xticks(range(len(names)), [_plain(name) for name in names])


def _line(axes: Any, names: Sequence[Any], values: Sequence[Any]) -> None:
    axes.plot([_plain(name) if isinstance(name, str) else name for name in names], values, color="#2f6f9f")


def _scatter(axes: Any, names: Sequence[Any], values: Sequence[Any]) -> None:
    axes.scatter([_plain(name) if isinstance(name, str) else name for name in names], values, s=16, color="#2f6f9f")


def _bins(axes: Any, values: Sequence[Any], _unused: Sequence[Any]) -> None:
    axes.hist(values, bins=min(40, max(5, round(len(values) ** 0.5))), color="#2f6f9f", edgecolor="white")


def _pie(axes: Any, names: Sequence[Any], values: Sequence[Any]) -> None:
    axes.pie(values, labels=[_plain(name) for name in names], autopct="%1.0f%%", startangle=90, counterclock=False)


_DRAWN = {"bar": _bar, "line": _line, "scatter": _scatter, "histogram": _bins, "pie": _pie}
