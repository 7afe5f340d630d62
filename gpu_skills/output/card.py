"""The card of a kernel: one HTML page, with its roofline and its search as inline SVG. No request leaves it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

_STYLE = """
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #6a737d; --line: #d0d7de; --mark: #0969da; --bad: #cf222e;
  --paper: #fff; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #9198a1; --line: #3d444d; --mark: #58a6ff;
  --bad: #ff7b72; --paper: #0d1117; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 60rem;
  margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; margin: .5rem 0 1.5rem; }
th, td { text-align: left; padding: .25rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top; }
td.n { text-align: right; font-variant-numeric: tabular-nums; }
code { font-size: 13px; overflow-wrap: anywhere; }
figure { margin: 1rem 0; } figcaption, .soft { color: var(--soft); }
svg { width: 100%; height: auto; } svg text { fill: var(--soft); font: 12px system-ui, sans-serif; }
.roof, .axis { stroke: var(--soft); fill: none; } .best { stroke: var(--mark); fill: none; stroke-width: 2; }
.dot { fill: var(--mark); } .out { fill: var(--bad); }
"""
_WIDE, _HIGH, _LEFT, _BOTTOM = 640, 280, 60, 40


def card(certificate: Mapping[str, Any]) -> str:
    """Return the page for a certificate."""
    title = escape(str(certificate["name"]))
    parts = "".join(_part(certificate, one) for one in certificate["parts"])
    policy = escape(str(certificate["allocation"]))
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<style>{_STYLE}</style></head><body><h1>{title}</h1>{_machine(certificate)}{parts}"
        f'<p class="soft">Allocation: {policy}.</p></body></html>\n'
    )


def _machine(told: Mapping[str, Any]) -> str:
    machine, peaks = told["machine"], told["ceilings"]
    threads = "one thread" if told["threads"] == 1 else f"{told['threads']} threads"
    said = f"{machine['cpu']}, {threads}; {told['made_at']}"
    flops = f"{peaks['multiply_add_gflop_s']:.0f} GFLOP/s"
    ceilings = (
        f"measured ceilings of one thread: copy {peaks['copy_gb_s']:.1f} GB/s, past the caches "
        f"{peaks['copy_past_cache_gb_s']:.1f}, read {peaks['read_gb_s']:.1f}, {flops}"
    )
    notes = "".join(f"<li>{escape(str(one))}</li>" for one in told["notes"])
    return f"<p>{escape(said)}</p><p class='soft'>{escape(ceilings)}</p>{f'<ul>{notes}</ul>' if notes else ''}"


def _part(told: Mapping[str, Any], part: Mapping[str, Any]) -> str:
    state = "kernel used" if part["kept"] else "library kept"
    head = f"<h2>Steps {part['begin'] + 1} to {part['end']}: {state}</h2><p>{escape(part['why'])}</p>"
    return head + _ratios(part) + _roofline(told["ceilings"], part) + _search(part) + _gates(part) + _genome(part)


def _ratios(part: Mapping[str, Any]) -> str:
    rows = [one for race in part["races"] for one in race["ratios"]]
    if not rows:
        return ""
    cells = "".join(
        f"<tr><td>{escape(one['against'])}</td><td class=n>{one['median']:.2f}×</td>"
        f"<td class=n>{one['low']:.2f} to {one['high']:.2f}</td><td class=n>{one['wall_median']:.2f}×</td></tr>"
        for one in rows
    )
    return (
        "<table><tr><th>against</th><th>processor time</th><th>95 % interval</th><th>wall time</th></tr>"
        f"{cells}</table>"
    )


def _gates(part: Mapping[str, Any]) -> str:
    if not part["verdict"]:
        return ""
    rows = "".join(
        f"<tr><td>{escape(one['name'])}</td><td>{'passed' if one['passed'] else 'not passed'}</td>"
        f"<td>{escape(one['said'])}</td></tr>" for one in part["verdict"]["gates"]
    )  # fmt: skip
    return f"<table><tr><th>gate</th><th></th><th>found</th></tr>{rows}</table>"


def _genome(part: Mapping[str, Any]) -> str:
    made = part["kernel"]
    if not made:
        return ""
    choices = ", ".join(f"{key}={value}" for key, value in made["genome"].items())
    source, by = escape(made["source"]), escape(made["made_by"])
    return f"<p class='soft'>{source}: <code>{escape(choices)}</code>, proposed by {by}</p>"


def _roofline(peaks: Mapping[str, float], part: Mapping[str, Any]) -> str:
    """Both axes are logarithms: operations a byte, and what is reached of bandwidth or of the processor's peak."""
    floor, timing = part["floor"], (part["verdict"] or {}).get("timing")
    if not floor or not timing:
        return ""
    work = max(floor["operations"], 1)
    intensity, reached = work / max(floor["size_bytes"], 1), work / timing["cpu_ns"]
    slope = floor["size_bytes"] / max(floor["memory_ns"], 1e-9)
    peak = peaks["multiply_add_gflop_s"]
    if not floor["operations"]:  # nothing but memory is counted: a bar says more than a point without a place
        return _bar(floor, timing, slope)
    xs = (min(intensity, peak / slope) / 8, max(intensity, peak / slope) * 8)
    ys = (min(reached, xs[0] * slope) / 2, peak * 2)
    knee = peak / slope
    roof = " ".join(_at(x, min(x * slope, peak), xs, ys) for x in (xs[0], knee, xs[1]))
    x, y = _at(intensity, reached, xs, ys).split(",")
    return _figure(
        f'<polyline class="roof" points="{roof}"/><circle class="dot" cx="{x}" cy="{y}" r="5"/>'
        f'<text x="{_LEFT + 8}" y="16">GFLOP/s, of {peak:.0f}</text>'
        f'<text x="{_WIDE - 190}" y="{_HIGH - 8}">operations a byte ({intensity:.2g})</text>',
        f"Roofline: {part['percent_of_ceiling']:.0f} % of the measured ceiling ({floor['bound']})",
    )


def _bar(floor: Mapping[str, Any], timing: Mapping[str, Any], ceiling: float) -> str:
    reached = floor["size_bytes"] / timing["cpu_ns"]
    share = min(reached / ceiling, 1.2)
    full = (_WIDE - _LEFT - 20) / 1.25
    return _figure(
        f'<rect class="dot" x="{_LEFT}" y="40" height="34" width="{share * full:.1f}"/>'
        f'<line class="roof" x1="{_LEFT + full:.1f}" x2="{_LEFT + full:.1f}" y1="20" y2="94"/>'
        f'<text x="{_LEFT}" y="32">{reached:.1f} GB/s</text>'
        f'<text x="{_LEFT + full - 130:.1f}" y="112">measured: {ceiling:.1f} GB/s</text>',
        f"Roofline: {100 * reached / ceiling:.0f} % of the measured bandwidth", high=120,
    )  # fmt: skip


def _search(part: Mapping[str, Any]) -> str:
    found = part["search"]
    trials = [(one["samples"], one["refusal"]) for one in found["trials"]] if found else []
    times = [min(samples) for samples, _ in trials if samples]
    if not times:
        return ""
    xs, ys = (0.0, float(max(len(trials), 2))), (min(times) * 0.9, max(times) * 1.1)
    marks = "".join(_marks(trials, xs, ys))
    line = " ".join(_best(trials, xs, ys))
    said = (
        f"Search: {len(trials)} candidates in {found['seconds']:.0f} s, {len(trials) - len(times)} were not timed; "
        f"stopped: {found['stopped']}"
    )
    return _figure(
        f'{marks}<polyline class="best" points="{line}"/><text x="{_LEFT + 8}" y="16">µs, {max(times) / 1e3:.4g} to '
        f'{min(times) / 1e3:.4g}</text><text x="{_WIDE - 110}" y="{_HIGH - 8}">candidates</text>', escape(said)
    )  # fmt: skip


def _marks(trials: Sequence[tuple[Any, Any]], xs: tuple[float, float], ys: tuple[float, float]) -> Iterator[str]:
    for place, (samples, refusal) in enumerate(trials):
        if samples:
            x, y = _place(place + 0.5, min(samples), xs, ys)
            yield f'<circle class="{"out" if refusal else "dot"}" cx="{x:.1f}" cy="{y:.1f}" r="3"/>'


def _best(trials: Sequence[tuple[Any, Any]], xs: tuple[float, float], ys: tuple[float, float]) -> Iterator[str]:
    best = math.inf
    for place, (samples, refusal) in enumerate(trials):
        best = min(best, *samples) if samples and not refusal else best
        if best < math.inf:
            x, y = _place(place + 0.5, best, xs, ys)
            yield f"{x:.1f},{y:.1f}"


def _place(x: float, y: float, xs: tuple[float, float], ys: tuple[float, float]) -> tuple[float, float]:
    high = (math.log(y) - math.log(ys[0])) / max(math.log(ys[1]) - math.log(ys[0]), 1e-9)
    wide = (x - xs[0]) / max(xs[1] - xs[0], 1e-9)
    return _LEFT + wide * (_WIDE - _LEFT - 20), _HIGH - _BOTTOM - high * (_HIGH - _BOTTOM - 30)


def _at(x: float, y: float, xs: tuple[float, float], ys: tuple[float, float]) -> str:
    wide = (math.log(xs[0]), math.log(xs[1]))
    left, top = _place(math.log(x), y, wide, ys)
    return f"{left:.1f},{top:.1f}"


def _figure(inside: str, caption: str, high: int = _HIGH) -> str:
    axes = f'<path class="axis" d="M{_LEFT},20 V{high - _BOTTOM} H{_WIDE - 20}"/>' if high == _HIGH else ""
    drawn = f'<svg viewBox="0 0 {_WIDE} {high}" role="img">{axes}{inside}</svg>'
    return f"<figure>{drawn}<figcaption>{caption}</figcaption></figure>"
