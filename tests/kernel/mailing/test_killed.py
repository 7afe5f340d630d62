"""kill -9 around the send: never twice, and what nobody knows is shown as unknown with a choice (a short mail_once)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.proofs.mail_once import prove

pytestmark = [pytest.mark.slow, pytest.mark.sandbox, pytest.mark.timeout(600)]

MOST = 3


async def test_a_mail_is_never_sent_twice(tmp_path: Path) -> None:
    """Some kills around the send; once more with other moments, a few times, until one of them was unclear."""
    found = []
    for attempt in range(MOST):
        folder = tmp_path / str(attempt)
        folder.mkdir()
        found += await prove(5, folder, seed=attempt)
        if any(one.unknown for one in found):
            break
    assert [one for one in found if one.wrong or one.copies > 1] == []
    assert sum(one.fired for one in found) >= 5
    assert any(one.unknown for one in found), "the fault fired where it is unclear"
