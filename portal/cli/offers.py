"""The commands of offers."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from portal.cli.house import connected, shown
from portal.cli.outcome import say, tell
from portal.cli.words import one_line

_NONE = "Nothing is offered now. Offers come of what you ask again and again, from the third time on."

_NONE_FITS = "Of what you ask again and again nothing begins like that, or nothing is probable enough."


def listed(as_json: bool) -> int:
    """List what may be wanted next."""
    with connected() as client:
        found = client.offers()
    return shown(found, as_json, _print)


def fitting(typed: str, as_json: bool) -> int:
    """List what a sentence that was begun may become."""
    with connected() as client:
        found = client.fitting_offers(typed)
    return shown(found, as_json, partial(_print, none=_NONE_FITS))


def _print(found: Mapping[str, Any], none: str = _NONE) -> None:
    for one in found["offers"]:
        tell(one_line(str(one["text"]), 200))
        say(f"  {one['chance'] * 100:.0f} %  {one_line(str(one['why']), 200)}")
        say(f"  not this again: ./steward offers dismiss {one['key']}")
    if not found["offers"]:
        tell(none)
    off = [source for source, on in found["sources"].items() if not on]
    if off:
        say(f"Turned off: {', '.join(off)}. On again: ./steward offers on {off[0]}")


def dismiss(key: str, as_json: bool) -> int:
    """Put one away."""
    with connected() as client:
        client.dismiss_offer(key)
    return shown({"dismissed": key}, as_json, lambda _: tell("It is not offered again until you ask for it yourself."))


def switch(source: str, as_json: bool, *, on: bool) -> int:
    """Turn a source off or on."""
    with connected() as client:
        found = client.switch_offers(source, on=on)
    state = "on" if on else "off"
    return shown(found, as_json, lambda _: tell(f"Offers from {one_line(source, 60)} are {state}."))


def ahead(as_json: bool) -> int:
    """List what was made ahead lately, and what came of it."""
    with connected() as client:
        found = client.made_ahead()
    return shown(found, as_json, _print_ahead)


def _print_ahead(found: Mapping[str, Any]) -> None:
    for one in found["ahead"]:
        why = f" ({one_line(str(one['why']), 60)})" if one["why"] else ""
        size = f"{one['size_bytes'] / 1024:.0f} KiB"
        tell(f"{one_line(str(one['tool']), 80)}  {one['state']}{why}")
        say(f"  {one['cpu_s']:.2f} s of a processor, {one['wall_s']:.2f} s long, {size}; from {one['source']}")
    if not found["ahead"]:
        tell("Nothing was made ahead since Steward was started.")
    if found["cpu_s"]:
        say(f"Left of this hour: {found['cpu_left_s']:.0f} of {found['cpu_s']:.0f} s.")
    else:
        say("Turned off. On again: ./steward config set ahead_cpu_s 60")
    off = [source for source, on in found["sources"].items() if not on]
    if off:
        say(f"Nothing for offers from {', '.join(off)}. Again: ./steward offers ahead on {off[0]}")


def switch_ahead(source: str, as_json: bool, *, on: bool) -> int:
    """Have something made ahead for offers of a source, or no longer."""
    with connected() as client:
        found = client.switch_ahead(source, on=on)
    said = "First steps are made ahead" if on else "Nothing is made ahead"
    return shown(found, as_json, lambda _: tell(f"{said} for offers from {one_line(source, 60)}."))
