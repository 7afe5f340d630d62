"""The words of ``./steward perms`` without a daemon."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from portal.cli import perms


def test_of_what_may_be_asked_for_the_home_comes_first(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    deeds = ("create", "delete", "read", "write")
    rights = [f"fs.{deed}:{place}/**" for deed in deeds for place in ("/media", "/mnt", tmp_path)]
    effective: dict[str, Any] = {"rights": {"files": rights, "network": []}, "denied": [], "limits": []}
    found = {"node": "root/user", "grants": [], "denies": [], "limits": [], "effective": effective}
    monkeypatch.setattr(perms, "connected", lambda: _Daemon(found))
    assert perms.show("user", as_json=False) == 0
    shown = capsys.readouterr().out
    assert "  files       fs.create:~/**, fs.delete:~/**, fs.read:~/**, fs.write:~/**, fs.create:/media/**, " in shown
    assert "  network     nothing" in shown


class _Daemon:
    """Answers with one tree."""

    def __init__(self, found: dict[str, Any]) -> None:
        self._found = found

    def __enter__(self) -> _Daemon:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def perms(self, _node: str) -> dict[str, Any]:
        return self._found
