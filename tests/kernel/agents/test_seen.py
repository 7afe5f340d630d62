"""What a model did is seen whole, or none of it counts."""

from __future__ import annotations

import pytest

from kernel.agents.seen import refuse_unseen
from kernel.errors import TaskFailed
from permissions.model import Change, ChangeKind, ChangeSet
from permissions.transactions import FileDiff

MADE = tuple(Change(ChangeKind.CREATED, f"/h/{name}") for name in "ab")
SET = ChangeSet("seal", "r1", MADE)


def drawn(*cut: bool) -> list[FileDiff]:
    some = zip(MADE, cut, strict=False)
    return [FileDiff(one.path, one.kind, "+x\n", "text, 9 MB, new", truncated) for one, truncated in some]


def test_what_is_shown_whole_counts() -> None:
    refuse_unseen(SET, drawn(False, False))


@pytest.mark.parametrize(
    ("shown", "why"), [(drawn(False, True), "from /h/b .text, 9 MB, new. on"), (drawn(False), "2 changes")]
)
def test_what_is_not_shown_whole_does_not(shown: list[FileDiff], why: str) -> None:
    with pytest.raises(TaskFailed, match=why) as refused:
        refuse_unseen(SET, shown)
    assert refused.value.code == "commit.unseen"
