"""The commands of models. A key is typed unseen or read from standard input, and goes to the daemon alone."""

from __future__ import annotations

import getpass
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from portal.cli.house import connected, list_rows, shown
from portal.cli.outcome import FAILED, OK, Json, refuse, say, tell
from portal.cli.words import one_line

View = Mapping[str, Any]

_LONGEST_KEY = 4096
_MOST_TEXT = 20_000


def listed(as_json: bool) -> int:
    """List the endpoints."""
    with connected() as client:
        found = client.models()
    return shown(found, as_json, _print_models)


def _print_models(found: View) -> None:
    rows = [(one["name"], one["model"], one["url"], one["way"], ", ".join(one["roles"]) or "-", _sees(one), _key(one))
            for one in found["endpoints"]]  # fmt: skip
    none = "No model is set, and none is needed. Look for one on this machine: ./steward models detect"
    list_rows(("name", "model", "address", "way", "role", "may see", "key"), rows, none)
    if rows:
        say("What one may see: ./steward perms grant models model.see:facts@HOST:PORT (facts, files, results)")


def _sees(one: View) -> str:
    return ", ".join(one["sees"]) + (" (stays here)" if one["local"] else "")


def _key(one: View) -> str:
    return "kept" if one["key"] else "missing" if one["secret"] else "-"


def set_endpoint(name: str, said: Json, key: bool, insecure: bool, as_json: bool) -> int:
    """Set an endpoint, or change it."""
    value = _read_key(name) if key else None
    with connected() as client:
        kept = client.set_model(name, said, value, insecure)
    return shown(kept, as_json, _print_set)


def _print_set(one: View) -> None:
    tell(f"{one['name']}: {one['model']} at {one['url']}{' (on this machine)' if one['local'] else ''}")
    say(
        f"See what it can do: ./steward models test {one['name']}; then: ./steward models use ROLE {one['name']} "
        "(planner, worker or reviewer)"
    )


def _read_key(name: str) -> str:
    if sys.stdin is not None and sys.stdin.isatty():
        value = getpass.getpass(f"Key for {name}: ")
    else:
        value = sys.stdin.read(_LONGEST_KEY + 1).removesuffix("\n").removesuffix("\r")
    if not value or len(value) > _LONGEST_KEY:
        refuse("The key is empty or too long.", "Send one line on standard input.")
    return value


def remove(name: str, as_json: bool) -> int:
    """Take an endpoint away."""
    with connected() as client:
        gone = client.remove_model(name)
    return shown(gone, as_json, _print_removed)


def _print_removed(gone: View) -> None:
    """Say what went along with an endpoint, and what stays."""
    tell(f"{gone['name']} is gone{', with its key' if gone['key'] else ''}.")
    if gone["revoked"]:
        tell(f"What {gone['host']} was allowed to see is taken away.")
    elif gone["beside"]:
        tell(f"What {gone['host']} may see stays, for {', '.join(gone['beside'])}: ./steward models")
    for role, left in gone["roles"].items():
        tell(f"{role}: {', then '.join(left)}." if left else f"{role} is bound to nothing now.")


_KIN = {
    "same": "\nPlanner and reviewer are of one family; they may err alike.",
    "unknown": "\nOf which families planner and reviewer are was not said: ./steward models set NAME --family FAMILY",
}


def use(role: str, names: Sequence[str], as_json: bool) -> int:
    """Bind a role."""
    with connected() as client:
        bound = client.bind_model(role, names)
    words = f"{role}: {', then '.join(names)}." if names else f"{role} is bound to nothing."
    words += _KIN.get(str(bound.get("kinship")), "")
    return shown(bound, as_json, lambda _: tell(words))


def test(name: str, as_json: bool) -> int:
    """Measure an endpoint; one that cannot be asked is a failure."""
    with connected() as client:
        found = client.test_model(name)
    shown(found, as_json, _print_test)
    return OK if found["plain"] else FAILED


def _print_test(found: View) -> None:
    rows = [
        ("reachable", _yes(found["reachable"])), ("model listed", _yes(found["listed"])),
        ("plain text", _yes(found["plain"])), ("streams", _yes(found["streams"])),
        ("reports usage", _yes(found["usage"])), ("first token", f"{found['first_ms']} ms"),
        ("speed", f"{found['tokens_per_s']} tokens/s"), ("holds a schema", _of(found["schema"])),
        ("calls a tool", _of(found["tools"])), ("in words", _of(found["words"])), ("way", found["way"] or "none"),
    ]  # fmt: skip
    list_rows((found["name"], "found"), rows, "")
    if found["problem"]:
        tell(one_line(found["problem"], 400))


def _yes(value: bool | None) -> str:
    return "not said" if value is None else "yes" if value else "no"


def _of(held: Sequence[int]) -> str:
    return f"{held[0]} of {held[1]}" if held[1] else "not tried"


def detect(as_json: bool) -> int:
    """Look for servers on this machine."""
    with connected() as client:
        found = client.detect_models()
    return shown({"found": found}, as_json, lambda _: _print_detected(found))


def _print_detected(found: Sequence[View]) -> None:
    if not found:
        tell("No server for models answers on this machine (looked for Ollama, LM Studio, llama.cpp and vLLM).")
    for one in found:
        tell(f"{one['server']} at {one['url']}: {one_line(', '.join(one['models']), 200) or 'no models'}")
        tell("  is set already" if one["known"] else f"  {one['set']}")


def prompt(run: str, as_json: bool) -> int:
    """Show what models were asked in a run."""
    with connected() as client:
        found = client.model_prompts(run)
    return shown(found, as_json, _print_prompts)


def _print_prompts(found: View) -> None:
    if not found["asked"]:
        tell("No model was asked in this run.")
    for one in found["asked"]:
        if one["messages"] is None:
            tell("A model was asked; the words are not kept.")
            continue
        tell(f"--- {one['role']}: {one['model']} at {one['host']}, which saw {', '.join(one['seen'])}")
        for message in one["messages"]:
            tell(f"[{message['role']}]\n{message['text'][:_MOST_TEXT]}")
        tell(f"[answer{', ' + one['code'] if one.get('code') else ''}]\n{(one['reply'] or '')[:_MOST_TEXT]}")


def price(text: str) -> int:
    """Read a price for a million tokens (``2.50``) as millionths."""
    whole, _, part = text.partition(".")
    if not whole.isdecimal() or len(whole) > 6 or not (part or "0").isdecimal() or len(part) > 6:
        refuse(f"{text!r} is no price.", "The price of a million tokens: 2.50")
    return int(whole) * 10**6 + int((part or "0").ljust(6, "0"))
