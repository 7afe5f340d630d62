"""The commands of the policy tree. Whatever a skill or a person has written is made visible before it is shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from portal.cli.events import held_by, lasts, told
from portal.cli.house import connected, list_rows, shown
from portal.cli.outcome import tell
from portal.cli.words import homely, one_line, short_path, size

View = Mapping[str, Any]


def show(node: str, as_json: bool) -> int:
    """Show grants, denies and limits: all of them, or what holds at one node."""
    with connected() as client:
        found = client.perms(node)
    return shown(found, as_json, _print_tree)


def _print_tree(found: View) -> None:
    rows = [(one["id"], held_by(one), right_words(one["right"]), lasts(one), _cut(one.get("why")))
            for one in found["grants"]]  # fmt: skip
    list_rows(("grant", "skill", "right", "holds", "why"), rows, "No standing grants: every right is asked for.")
    denies = [(one["id"], short_node(one["node"]), right_words(one["right"]), _end(one), _cut(one["why"]))
              for one in found["denies"]]  # fmt: skip
    _section(("denied", "at", "right", "holds", "why"), denies)
    limits = [
        (short_node(one["node"]), one["meter"], one["words"], _bound(one["meter"], one["total"]),
         one["left_words"] or "", _end(one["origin"]), _cut(one["origin"]["why"]))
        for one in found["limits"]
    ]  # fmt: skip
    _section(("limited at", "what", "amount", "for", "left", "holds", "why"), limits)
    if found.get("effective"):
        _print_effective(found["node"], found["effective"])


def _section(columns: tuple[str, ...], rows: Sequence[tuple[Any, ...]]) -> None:
    if rows:
        tell("")
        list_rows(columns, list(rows), "")


def _print_effective(node: str, effective: View) -> None:
    tell("")
    tell(f"What may be asked for at {short_node(node)} at most:")
    for controller, rights in effective["rights"].items():
        words = sorted(map(right_words, rights), key=lambda one: ":~" not in one)  # the home first: the rest is cut off
        named = ", ".join(words[:6]) + (" …" if len(words) > 6 else "")
        tell(f"  {controller:<11} {one_line(named, 200) or 'nothing'}")
    tell(f"  {'denied':<11} {len(effective['denied'])} places")
    for limit in effective["limits"]:
        tell(f"  {limit['meter']:<11} {limit['words']} {_bound(limit['meter'])} (set at {short_node(limit['node'])})")


def _end(one: View) -> str:
    """Say until when a deny or a limit holds that a person set for a time."""
    return lasts(one) if one.get("expires_s") is not None else "for good"


def _cut(text: Any) -> str:
    return one_line(str(text or ""), 60)


def short_node(path: str) -> str:
    """Write a node as a person types it: ``files.find``."""
    below = path.removeprefix("root/user/workspace/")
    return below.replace("/", ".") if below != path else path.rpartition("/")[2]


def right_words(right: str) -> str:
    """Write a right as a person does, who may give it back in this form: ``fs.read:~/Documents/**``."""
    action, colon, scope = right.partition(":")
    return f"{action}{colon}{short_path(scope)}"


def grant(skill: str, right: str, as_json: bool, *, lasting: str, until: str, why: str) -> int:
    """Give a skill a right, for good or for a time."""
    with connected() as client:
        given = client.grant(skill, right, lasting=lasting, until=until, why=why)
        ends = "".join(
            f" {lasts(one)}" for one in client.perms()["grants"] if one["id"] == given and (lasting or until)
        )
    return shown(
        {"grant": given}, as_json, lambda _: tell(f"Granted {right_words(right)} to {skill}{ends} as {given}.")
    )


def deny(node: str, right: str, as_json: bool, *, lasting: str, until: str, why: str) -> int:
    """Deny a right at a node and below."""
    with connected() as client:
        given = client.deny(node, right, why, lasting=lasting, until=until)
    return shown({"deny": given}, as_json, lambda _: tell(f"Denied {right_words(right)} at {node} as {given}."))


def revoke(one: str, as_json: bool) -> int:
    """Take a grant or a deny back."""
    with connected() as client:
        client.revoke(one)
    return shown({"grant": one, "revoked": True}, as_json, lambda _: tell(f"Revoked {one}."))


def _bound(meter: str, total: bool = False) -> str:
    """Say what an amount is for; the limit on processor time holds for one process and its threads."""
    if total:
        return "in total"
    return "each process of a call" if meter == "cpu" else "each call"


def revoke_all(skill: str, as_json: bool) -> int:
    """Take every grant of a skill back."""
    with connected() as client:
        gone = client.revoke_all(skill)
    return shown({"skill": skill, "revoked": gone}, as_json, lambda _: tell(f"Revoked {', '.join(gone)}."))


def limit(
    node: str, controller: str, value: str, as_json: bool, *, total: bool, lasting: str, until: str, why: str
) -> int:
    """Bound an amount at a node and below."""
    with connected() as client:
        found = client.limit(node, controller, value, total=total, why=why, lasting=lasting, until=until)
    return shown(found, as_json, _print_limit)


def _print_limit(found: View) -> None:
    which = _bound(found["meter"], found["total"])
    place = f"{found['meter']} at {short_node(found['node'])}, {which if found['total'] else f'for {which}'}"
    tell(f"Limited {place}: {found['words']}." if found["words"] else f"No longer limited: {place}.")
    if note := found.get("note"):
        tell(str(note))


def explain(node: str, action: str, as_json: bool) -> int:
    """Say which node decides, why, and what would change it."""
    with connected() as client:
        found = client.explain(node, action)
    return shown(found, as_json, _print_amounts if "amounts" in found else _print_decision)


def _print_decision(found: View) -> None:
    tell(f"{found['verdict']}: {right_words(found['right'])} at {short_node(found['node'])}")
    rows = [(short_node(step["node"]), step["verdict"], one_line(step["reason"], 120)) for step in found["steps"]]
    list_rows(("node", "says", "because"), rows, "")
    tell(f"Decided by {short_node(found['decided_by'])}: {one_line(found['reason'], 160)}.")
    tell(f"To change it: {homely(found['command'])}" if found["command"] else "No command changes this.")


def _print_amounts(found: View) -> None:
    for one in found["amounts"]:
        which = _bound(found["meter"], one["total"])
        place = f" (set at {short_node(one['decided_by'])})" if one["decided_by"] else ""
        left = f", {one['left_words']} left" if one["left_words"] else ""
        tell(f"{found['meter']}, {which}: {one['words']}{left}{place}")
        tell(f"To change it: {one['command']}")
    for one in found.get("learned") or ():
        tell(_learned(one))


def _learned(one: View) -> str:
    """Say with how much memory the next call of a tool begins, and what it was learned from."""
    calls = f"{one['calls']} call{'s' if one['calls'] != 1 else ''} on files of up to {size(one['reads_bytes'])}"
    killed = f", {one['killed']} of them ended for lack of it" if one["killed"] else ""
    return (
        f"{one['tool']} begins with {size(one['reserve_bytes'])} and may have {size(one['most_bytes'])}: "
        f"learned from {calls}; the most needed was {size(one['peak_bytes'])}{killed}."
    )


def history(as_json: bool, limit_: int) -> int:
    """Show the latest changes of the tree."""
    with connected() as client:
        events = client.perms_history(limit_)
    rows = [(event["at"][:19].replace("T", " "), told(event["kind"], event["body"])) for event in events]
    nothing = "Nothing was granted, denied or limited yet."
    return shown({"events": events}, as_json, lambda _: list_rows(("when", "what"), rows, nothing))
