"""The policy tree a second time, as plainly as it can be said: no index, no normal form, no code of ours.

It reads the canonical form of a tree and answers what one right comes to, by going through everything. And it makes
random trees over a small universe, so that rules, grants and rights really meet.
"""

from __future__ import annotations

import random
from typing import Any

CEILINGS = ["root", "root/user", "root/user/workspace"]
LETTERS = ["a", "b", "ab"]
HOSTS = ["one.example.org", "two.example.org", "example.org", "example.com", "*.example.org", "*"]
PORTS = ["80", "443", "*"]

Json = dict[str, Any]


def verdict(tree: Json, who: Json, right: Json, now_s: float) -> str:
    """Return allow, ask or deny."""
    nodes = {node["path"]: node for node in tree["nodes"]}
    path = [*CEILINGS, f"{CEILINGS[-1]}/{who['skill']}"]
    if who["tool"]:
        path.append(f"{path[-1]}/{who['tool'].split('.')[-1]}")
    for place in path:
        node = nodes.get(place, {"rules": [], "expires_s": None})
        if node["expires_s"] is not None and now_s >= node["expires_s"]:
            return "deny"
        allows = [rule for rule in node["rules"] if rule["verdict"] == "allow"]
        for rule in node["rules"]:
            if rule["verdict"] == "deny" and (implies(rule, right) or contains_denied(rule, right)):
                return "deny"
        if (allows or place in CEILINGS) and not any(implies(rule, right) for rule in allows):
            return "deny"
    return "allow" if any(serves(grant, who, right, now_s) for grant in tree["grants"]) else "ask"


def serves(grant: Json, who: Json, right: Json, now_s: float) -> bool:
    """Tell whether a grant is for this call, and for this right."""
    if grant["skill"] != who["skill"] or grant["skill_hash"] != who["skill_hash"]:
        return False
    if grant["mode"] in ("once", "run") and grant["run"] != who["run"]:
        return False
    if grant["expires_s"] is not None and now_s >= grant["expires_s"]:
        return False
    return implies(grant, right)


def implies(wide: Json, narrow: Json) -> bool:
    """Tell whether everything that ``narrow`` means is meant by ``wide``."""
    if wide["action"] != narrow["action"]:
        return False
    if wide["action"] == "net.connect":
        return implies_host(wide["scope"], narrow["scope"])
    outer, inner = parts(wide["scope"]), parts(narrow["scope"])
    if not wide["tree"]:
        return outer == inner and not narrow["tree"]
    return inner[: len(outer)] == outer


def implies_host(wide: str, narrow: str) -> bool:
    if wide == "*":
        return True
    if narrow == "*":
        return False
    (host, port), (host2, port2) = wide.split(":"), narrow.split(":")
    if port not in ("*", port2):
        return False
    if host in ("*", host2):
        return True
    return host.startswith("*.") and host2.removeprefix("*").endswith(host[1:]) and host2 != "*"


def contains_denied(denied: Json, right: Json) -> bool:
    """Tell whether deleting what ``right`` names would take along a place that must not be deleted."""
    if denied["action"] != "fs.delete" or right["action"] != "fs.delete" or right["tree"]:
        return False
    outer, inner = parts(right["scope"]), parts(denied["scope"])
    return inner[: len(outer)] == outer


def parts(path: str) -> list[str]:
    return [part for part in path.split("/") if part]


def limits(tree: Json, path: str) -> dict[str, int]:
    """Return the smallest amount for one call on the way down to ``path``."""
    found: dict[str, int] = {}
    for node in tree["nodes"]:
        if path == node["path"] or path.startswith(node["path"] + "/"):
            for bound in node["bounds"]:
                if not bound["total"]:
                    found[bound["meter"]] = min(found.get(bound["meter"], bound["amount"]), bound["amount"])
    return found


# --- random trees -------------------------------------------------------------------------------------------------


def a_right(dice: random.Random) -> Json:
    """Return a random right."""
    action = dice.choice(["fs.read", "fs.delete", "net.connect"])
    if action == "net.connect":
        scope = dice.choice([f"{dice.choice(HOSTS)}:{dice.choice(PORTS)}", "*"])
        return {"action": action, "scope": scope, "tree": False}
    depth = dice.choice([0, 1, 1, 2, 2, 3])
    return {"action": action, "scope": "/" + "/".join(dice.choices(LETTERS, k=depth)), "tree": dice.random() < 0.5}


def a_tree(dice: random.Random) -> Json:
    """Return a random tree in its canonical form, in a random order."""
    origin = {"by": "person", "at_s": 1.0, "why": "", "event": 0}
    below = (f"{CEILINGS[-1]}/files", f"{CEILINGS[-1]}/files/find")
    paths = [path for path in (*CEILINGS, *below) if dice.random() < 0.96]
    nodes = [_node(dice, path, origin) for path in paths]
    grants = [_grant(dice, number) for number in range(dice.randrange(9))]
    return {"nodes": nodes, "grants": grants}


def _node(dice: random.Random, path: str, origin: Json) -> Json:
    wide = [{"action": action, "scope": "/", "tree": True} for action in ("fs.read", "fs.delete")]
    wide.append({"action": "net.connect", "scope": "*", "tree": False})
    some = [a_right(dice) for _ in range(dice.randrange(5))]
    allowed = wide + some if path in CEILINGS and dice.random() < 0.9 else some[:3] if dice.random() < 0.3 else []
    denied = [a_right(dice) for _ in range(dice.choice([0, 0, 0, 0, 1, 2]))]
    rules = [{**right, "verdict": verdict, "reason": "r", "id": "", "origin": origin}
             for verdict, rights in (("allow", allowed), ("deny", denied)) for right in rights]  # fmt: skip
    dice.shuffle(rules)
    meters = dice.sample(["memory", "wall", "pids"], k=dice.randrange(3))
    bounds = [{"meter": meter, "amount": dice.randrange(5), "total": False, "origin": origin} for meter in meters]
    return {"path": path, "rules": rules, "bounds": bounds, "expires_s": dice.choice([*[None] * 11, 50.0])}


def _grant(dice: random.Random, number: int) -> Json:
    mode = dice.choice(["once", "run", "until", "always"])
    return {
        "id": f"g-{number}", "skill": dice.choice(["files", "files", "notes"]),
        "skill_hash": dice.choice(["h1", "h1", "h2"]), **a_right(dice), "mode": mode, "at_s": float(dice.randrange(9)),
        "run": dice.choice(["r1", "r2"]), "expires_s": dice.choice([20.0, 60.0]) if mode == "until" else None,
        "by": "person", "why": "", "event": 0,
    }  # fmt: skip
