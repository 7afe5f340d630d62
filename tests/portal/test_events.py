"""The ledger in words: every kind of event that the kernel writes is told by what it says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portal.cli.events import _TELL, told

ROOMS = [Path(__file__).parents[2] / room for room in ("kernel", "memory")]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)
LINE = {"skill": "files", "verdict": "ask", "words": "read ~/a"}
CHANGES = [{"kind": "created", "path": "/h/Notes/a.md"}]


def test_every_kind_that_is_written_is_told() -> None:
    source = "\n".join(path.read_text("utf-8") for room in ROOMS for path in room.rglob("*.py"))
    written = set(re.findall(r'kind="([a-z]+\.[a-z]+)"|(?:say|log\.say)\(\s*"([a-z]+\.[a-z]+)"', source))
    kinds = {one or other for one, other in written}
    assert {"run.created", "task.done", "grant.added", "run.undone", "commit.done"} <= kinds
    assert kinds <= set(_TELL)


@pytest.mark.parametrize(
    ("kind", "body", "words"),
    [
        ("run.created", {"text": "find\nmy lease"}, "asked: find my lease"),
        ("run.planned", {"plan": {"tasks": [{"tool": "files.find", "arguments": {"name": "lease", "count": 1}}]}},
         "plan: files.find(name=lease, count=1)"),
        ("task.started", {"tool": "files.move", "arguments": {"files": {"count": 90, "first": [*"abcd"]}}},
         "files.move(files=a, b, c, … +87)"),
        ("approval.requested", {"stage": "plan", "card": {"lines": [LINE, LINE | {"verdict": "allow"}]}},
         "asks: files read ~/a"),
        ("approval.requested", {"stage": "commit", "card": {"changes": CHANGES}}, "asks: created /h/Notes/a.md"),
        ("approval.resolved", {"answer": "once"}, "answered: once"),
        ("grant.added", {"skill": "files", "action": "fs.read", "scope": "/h/D", "mode": "until", "why": "so \x1b[2J"},
         "files may fs.read:/h/D (until) (so \\x1b[2J)"),
        ("grant.expired", {"id": "g-1"}, "ended: g-1"),
        ("deny.added", {"node": "root/user", "action": "fs.read", "scope": "/h/D", "tree": True, "why": "private"},
         "denied at user: fs.read:/h/D/** (private)"),
        ("deny.removed", {"id": "d-1"}, "no longer denied: d-1"),
        ("limit.set", {"node": "root/user/workspace/files", "meter": "memory", "amount": 5, "total": False,
                       "words": "5 B"}, "limited at files: memory for one call, 5 B"),
        ("limit.set", {"node": "root", "meter": "tokens", "amount": None, "total": True},
         "no longer limited at root: tokens in total"),
        ("budget.settled", {"used": {"wall": 12}}, "used: wall 12"),
        ("grant.added", {"skill": "files", "action": "fs.read", "scope": "/h/D", "tree": True, "mode": "always"},
         "files may fs.read:/h/D/** (always)"),
        ("commit.done", {"changes": {"count": 5000, "first": CHANGES * 10, "folders": []}},
         "changed: created /h/Notes/a.md; created /h/Notes/a.md; created /h/Notes/a.md … and 4997 more"),
        ("run.finished", {"resolution": "confirmed", "answer": "Done."}, "confirmed: Done."),
        ("run.undone", {"changes": CHANGES}, "taken back: created /h/Notes/a.md"),
        ("undo.part", {"changes": CHANGES}, "of it, taken back: created /h/Notes/a.md"),
        ("task.failed", {"message": "There is no ~/x.", "code": "tool.absent"}, "failed: There is no ~/x."),
        ("net.connected", {"host": "example.org", "port": 443, "address": "93.184.216.34", "up_bytes": 300,
                           "down_bytes": 2000, "ms": 120.0, "code": ""},
         "connected to example.org:443 at 93.184.216.34: 300 bytes up, 2 kB down (0.12 s)"),
        ("net.refused", {"host": "inside.test", "port": 80, "code": "refused.net.address"},
         "not connected to inside.test:80: refused.net.address"),
        ("call.started", {"call": "t1.1", "by": "site.build", "tool": "cc.compile", "arguments": {"source": "/h/a.c"}},
         "site.build asks for cc.compile(source=/h/a.c) [t1.1]"),
        ("call.done", {"call": "t1.1", "by": "site.build", "tool": "cc.compile", "answer": "Built.", "wall_ms": 1500,
                       "peak_bytes": 2_000_000}, "cc.compile for site.build: Built. (1.5 s, 2 MB memory) [t1.1]"),
        ("call.failed", {"call": "t1.2", "by": "site.build", "tool": "", "code": "call.right",
                         "message": "site.build may not call x.y."},
         "for site.build failed: site.build may not call x.y. [t1.2]"),
        ("skill.installed", {"skill": "moon", "version": "1.0.0"}, "installed: moon 1.0.0"),
        ("skill.refused", {"why": "It holds no skill."}, "not installed: It holds no skill."),
        ("skill.pinned", {"skill": "moon", "pinned": False}, "no longer pinned: moon"),
        ("something.new", {"of": "a later version", "deep": {}}, "of a later version"),
        ("run.created", None, "(forgotten)"),
    ],
)  # fmt: skip
def test_events_in_words(kind: str, body: Any, words: str) -> None:
    assert told(kind, body) == words


@given(st.sampled_from([*_TELL, "something.new"]), JSON)
def test_whatever_an_event_holds_is_one_line_and_no_fault(kind: str, body: Any) -> None:
    line = told(kind, body)
    assert "\n" not in line
    assert len(line) < 1000
