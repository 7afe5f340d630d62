"""A call knows of what was staged only where it has a right: names of the rest are nobody's business."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from kernel.calling import visible
from permissions.model import Action, Right

A = Right(Action.FS_READ, "/h/A", True)
NOTE = Right(Action.FS_READ, "/h/N/a.md")
HOST = Right(Action.NET_CONNECT, "example.org:443")


def write(path: str) -> Mapping[str, Any]:
    return {"op": "write", "path": path, "blob_path": f"/stage{path}"}


def move(source: str, path: str, op: str = "move") -> Mapping[str, Any]:
    return {"op": op, "source": source, "path": path}


@pytest.mark.parametrize(
    ("view", "needs", "shown"),
    [
        ([write("/h/A/x"), write("/h/B/secret")], [A], [write("/h/A/x")]),
        ([write("/h/Ab/x")], [A], []),
        ([{"op": "mkdir", "path": "/h"}], [A], [{"op": "mkdir", "path": "/h"}]),
        ([write("/h/N/a.md"), write("/h/N/b.md")], [NOTE], [write("/h/N/a.md")]),
        ([write("/h/A/x")], [HOST], []),
        ([write("/h/A/x")], [], []),
        ([move("/h/A/x", "/h/B/secret")], [A], [{"op": "delete", "path": "/h/A/x"}]),
        ([move("/h/A/x", "/h/B/secret", "copy")], [A], []),
        ([move("/h/B/x", "/h/A/x")], [A], [move("/h/B/x", "/h/A/x")]),
        (
            [write("/h/C/x"), write("/h/C/y"), move("/h/C/x", "/h/B/x"), move("/h/B/x", "/h/A/x")],
            [A],
            [write("/h/C/x"), move("/h/C/x", "/h/B/x"), move("/h/B/x", "/h/A/x")],
        ),
    ],
)
def test_staged_places_outside_of_the_rights_are_not_told(view: Any, needs: Any, shown: Any) -> None:
    assert list(visible(view, needs)) == shown
