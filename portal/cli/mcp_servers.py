"""The commands of MCP servers. Whatever a server says is made visible and cut before it is shown."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from portal.cli.house import connected, list_rows, shown
from portal.cli.outcome import DENIED, OK, PENDING, emit, is_interactive, refuse, tell
from portal.cli.prompt import confirm
from portal.cli.words import one_line
from portal.client import Client

View = Mapping[str, Any]

_LARGEST_FILE = 1 << 20


def add(
    wish: Mapping[str, Any], env: Sequence[str], secrets: Sequence[str], safe: Sequence[str], *, yes: bool,
    as_json: bool,
) -> int:  # fmt: skip
    """Show the card, start, show the tools, add."""
    told, kept = _pairs(env, "--env NAME=VALUE"), _pairs(secrets, "--secret NAME=SECRET")
    with connected() as client:
        found = client.look_at_server({**wish, "env": told, "secret": kept, "cwd": os.getcwd()})
        return _through(client, found, safe, yes=yes, as_json=as_json)


def _pairs(given: Sequence[str], form: str) -> dict[str, str]:
    wrong = next((one for one in given if "=" not in one), None)
    if wrong is not None:
        refuse(f"{wrong!r} sets nothing.", f"Write {form}")
    return dict(one.split("=", 1) for one in given)


def import_file(file: str, *, yes: bool, as_json: bool) -> int:
    """Take over the servers of a file."""
    try:
        with Path(file).open("rb") as opened:
            body = json.loads(opened.read(_LARGEST_FILE + 1))
    except (OSError, ValueError, RecursionError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        refuse(f"{file} cannot be read: {why}.", 'Give a JSON file with {"mcpServers": {...}}.')
    worst, results = OK, []
    with connected() as client:
        for found in client.look_at_servers_of(body, os.getcwd()):
            if "refused" in found:
                results.append(dict(found))
                worst = max(worst, DENIED)
                if not as_json:
                    tell(f"{_cut(found['name'], 60)}: {_cut(found['refused'], 300)}\n    {_cut(found['hint'], 400)}")
                continue
            worst = max(worst, _through(client, found, [], yes=yes, as_json=as_json, results=results))
    if as_json:
        emit({"servers": results})
    return worst


def _through(
    client: Client, found: View, safe: Sequence[str], *, yes: bool, as_json: bool,
    results: list[dict[str, Any]] | None = None,
) -> int:  # fmt: skip
    """Go on with a server that was looked at: two questions, and what comes of them."""
    review: View = {}
    done: View | None = None
    if not as_json:
        print_server_card(found)
    if _agreed("Start it once, in a cell of its own with just this? [y/n] ", yes):
        review = client.start_server(found["server"])
        if not as_json:
            _print_review(review, safe)
        if review["same"] and not safe:
            client.drop_server(found["server"])
            return _ended(
                {"card": found, "review": review, "added": None}, OK, "Nothing has changed.", as_json, results
            )
        if _agreed("Add it with these tools? [y/n] ", yes):
            done = client.add_server(found["server"], safe)
    if done is None:
        client.drop_server(found["server"])
    body = {"card": found, "review": review or None, "added": done}
    if done is None:
        return _ended(body, DENIED if is_interactive() else PENDING, "Nothing was added.", as_json, results)
    said = f"{done['skill']} is there. Each of its tools asks before its first use. Take it out: ./steward mcp remove "
    return _ended(body, OK, said + str(done["skill"]), as_json, results)


def _ended(body: dict[str, Any], code: int, said: str, as_json: bool, results: list[dict[str, Any]] | None) -> int:
    if results is not None:
        results.append(body)
    elif as_json:
        emit(body)
    if not as_json:
        tell(said)
    return code


def _agreed(question: str, yes: bool) -> bool:
    return yes or (is_interactive() and confirm(question))


def print_server_card(found: View) -> None:
    """Print how a server is started, in full, and what it may see."""
    tell(f"{found['name']}: {one_line(found['url'] or shlex.join(found['command']), 40_000)}")
    for key, words in (("programs", "its program"), ("reads", "may read"), ("writes", "may work in"),
                       ("hosts", "may reach"), ("env", "is told"), ("secrets", "is told the secret")):  # fmt: skip
        if found[key]:
            tell(f"    {words}: {_cut(', '.join(found[key]), 400)}")
    if not (found["reads"] or found["writes"] or found["hosts"]):
        tell("    sees nothing of yours, and reaches no host")
    for note in found["notes"]:
        tell(f"    ! {_cut(note, 300)}")


def _print_review(found: View, safe: Sequence[str]) -> None:
    tell(f"It calls itself {_cut(found['title'] or '(nothing)', 60)} {_cut(found['says_version'], 40)} "
         f"(MCP {_cut(found['protocol'], 20)}) and lists:")  # fmt: skip
    for tool in found["tools"]:
        effect = "you call it safe" if tool["safe"] or tool["name"] in safe else "counts as changing something"
        tell(f"    {_cut(tool['name'], 60)} ({effect}): {_cut(tool['summary'], 160)}")
        if tool["claims"]:
            tell(f"        it says of itself, and is not believed: {_cut(', '.join(tool['claims']), 160)}")
    for one in found["changes"]:
        tell(f"  CHANGED: {_cut(one['tool'], 60)}: {_cut(one['what'], 40)}")
        for key in ("was", "now"):
            if one[key]:
                tell(f"      {key}: {_cut(one[key], 300)}")


def listed(as_json: bool) -> int:
    """List."""
    with connected() as client:
        found = client.servers()
    rows = [(one["name"], one["tools"], _state(one), _cut(_sees(one), 60),
             _cut(one["url"] or " ".join(one["command"]), 60)) for one in found]  # fmt: skip
    nothing = "There is no server. Add one: ./steward mcp add NAME -- COMMAND"
    columns = ("name", "tools", "", "sees", "is")
    return shown({"servers": found}, as_json, lambda _: _print_listed(found, columns, rows, nothing))


def _print_listed(found: Sequence[View], columns: tuple[str, ...], rows: list[tuple[Any, ...]], nothing: str) -> None:
    list_rows(columns, rows, nothing)
    for one in found:
        for line in _blocked_lines(one):
            tell(line)


def _state(one: View) -> str:
    return " ".join(word for word in ("CHANGED" if one["blocked"] else "", "runs" if one["running"] else "") if word)


def _blocked_lines(one: View) -> list[str]:
    """Say which tools of a server are not called, or not offered, until somebody looks at them."""
    blocked = one["blocked"] or {}
    words = {"changed": "describes itself in another way", "gone": "is not there any more", "new": "is new"}
    said = [f"  {_cut(tool, 60)} {words[what]}" for what in words for tool in blocked.get(what, ())]
    return [*said, f"  See it, and say yes or no: ./steward mcp review {one['name']}"] if said else []


def _sees(one: View) -> str:
    return ", ".join([*one["reads"], *(f"{place} (works in)" for place in one["writes"]), *one["hosts"]])


def tools(name: str, as_json: bool) -> int:
    """Show tools."""
    with connected() as client:
        found = client.server_tools(name)
    return shown(found, as_json, _print_tools)


def _print_tools(found: View) -> None:
    for tool in found["tools"]:
        tell(f"{tool['id']} ({tool['effect']}): {_cut(tool['summary'], 200)}")
        for one in tool["parameters"]:
            kind = f"{one['kind']}{'s' if one['many'] else ''}{'' if one['required'] else ', may be left out'}"
            tell(f"    {_cut(one['name'], 60)} ({kind}): {_cut(one['doc'], 200)}")


def review(name: str, safe: Sequence[str], *, yes: bool, as_json: bool) -> int:
    """Review again."""
    with connected() as client:
        found = client.look_at_server_again(name)
        return _through(client, found, safe, yes=yes, as_json=as_json)


def remove(name: str, as_json: bool) -> int:
    """Remove."""
    with connected() as client:
        found = client.remove_server(name)
    took = f" and {len(found['revoked'])} grants were taken back" if found["revoked"] else ""
    said = f"{name} is out of use{took}. It comes back with: ./steward skills rollback {name}"
    return shown(found, as_json, lambda _: tell(said))


def _cut(text: object, most: int) -> str:
    return one_line(str(text), most)
