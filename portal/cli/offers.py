"""The commands of offers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from portal.cli.house import connected, shown
from portal.cli.outcome import say, tell
from portal.cli.words import one_line

_NONE = "Nothing is offered now. Offers come of what you ask again and again, from the third time on."


def listed(as_json: bool) -> int:
    """List what may be wanted next."""
    with connected() as client:
        found = client.offers()
    return shown(found, as_json, _print)


def _print(found: Mapping[str, Any]) -> None:
    for one in found["offers"]:
        tell(one_line(str(one["text"]), 200))
        say(f"  {one['chance'] * 100:.0f} %  {one_line(str(one['why']), 200)}")
        say(f"  not this again: ./steward offers dismiss {one['key']}")
    if not found["offers"]:
        tell(_NONE)
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
