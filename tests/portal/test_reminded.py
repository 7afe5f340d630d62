"""What has come since a terminal was last looked at is told once; without a note of that, only what is recent."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from portal.cli.reminded import FILE, _fresh, tell_reminders
from tests.portal.conftest import Installation, wait_for


def told(*seqs: int, ago_s: float = 10.0) -> list[dict[str, Any]]:
    return [{"seq": seq, "at_s": time.time() - ago_s, "title": "Timers", "text": f"tea {seq}"} for seq in seqs]


def test_each_is_told_once(tmp_path: Path) -> None:
    note = tmp_path / FILE
    assert [one["seq"] for one in _fresh(told(4, 7), note)] == [4, 7]
    assert _fresh(told(4, 7), note) == []
    assert [one["seq"] for one in _fresh(told(4, 7, 9, ago_s=90_000), note)] == [9]


@pytest.mark.parametrize("noted", [None, "", "nonsense"])
def test_without_a_note_what_is_old_is_not_told(tmp_path: Path, noted: str | None) -> None:
    if noted is not None:
        (tmp_path / FILE).write_text(noted)
    assert _fresh(told(4, ago_s=7200.0), tmp_path / FILE) == []
    assert [one["seq"] for one in _fresh(told(5), tmp_path / FILE)] == [5]


@pytest.mark.slow
@pytest.mark.sandbox
def test_what_has_come_is_asked_of_the_daemon_and_told_once(
    running: Installation, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with running.client() as client:
        assert client.reminders() == []
        assert running.steward("ask", "set a timer for 1 second", "--yes").code == 0
        (one,) = wait_for(client.reminders)
        assert set(one) >= {"seq", "at_s", "title", "text"}
        tell_reminders(client, tmp_path)
        assert "⏰" in capsys.readouterr().err
        tell_reminders(client, tmp_path)
        assert capsys.readouterr().err == ""
