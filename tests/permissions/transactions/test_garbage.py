"""Leftovers that are removed behind the user's back: nobody waits for a thread that is not there."""

from __future__ import annotations

import threading
from typing import Any

from permissions.transactions import garbage
from permissions.transactions.files import remove_tree


def test_a_forked_child_does_not_wait_until_its_parent_has_emptied(lab: Any, tools: Any, monkeypatch: Any) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def slowly(folders: Any, path: str) -> None:
        if threading.current_thread() is not threading.main_thread():
            begun.set()
            go_on.wait(30)
        remove_tree(folders, path)

    monkeypatch.setattr(garbage, "remove_tree", slowly)
    lab.commit("r1", *[lab.over(lab.file(f"f{number}"), "new") for number in range(400)])
    lab.tx.undo("r1")
    assert begun.wait(10), "what an undo of many files leaves is removed by a thread"

    def inside() -> None:
        lab.open().recover()
        assert not list(lab.store.glob("garbage/*"))

    late = threading.Timer(20, go_on.set)
    late.start()
    try:
        assert tools[1](inside) == 0
        assert not go_on.is_set(), "the child waited"
    finally:
        late.cancel()
        go_on.set()
