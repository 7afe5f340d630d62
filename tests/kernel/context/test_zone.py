"""The zone of the person: as the system is set now, not as it was when the daemon started."""

from __future__ import annotations

from pathlib import Path

import pytest

from kernel.context import zone
from kernel.context.zone import local_zone


@pytest.fixture
def system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What stands for /etc/localtime."""
    monkeypatch.delenv("TZ", raising=False)
    monkeypatch.setattr(zone, "_SYSTEM", str(tmp_path / "localtime"))
    return tmp_path / "localtime"


def _set(system: Path, name: str) -> None:
    system.unlink(missing_ok=True)
    system.symlink_to(f"/usr/share/zoneinfo/{name}")


def test_a_system_that_is_set_to_another_zone_is_there_at_once(system: Path) -> None:
    for name in ("Europe/Berlin", "America/Lima"):
        _set(system, name)
        assert str(local_zone()) == name


@pytest.mark.parametrize(("said", "name"), [("Asia/Tokyo", "Asia/Tokyo"), (":Asia/Tokyo", "Asia/Tokyo")])
def test_what_is_said_goes_before_the_system(
    system: Path, monkeypatch: pytest.MonkeyPatch, said: str, name: str
) -> None:
    _set(system, "Europe/Berlin")
    monkeypatch.setenv("TZ", said)
    assert str(local_zone()) == name


@pytest.mark.parametrize("said", ["UTC+3", "/etc/localtime", "No/Where"])
def test_what_has_no_name_is_no_zone(system: Path, monkeypatch: pytest.MonkeyPatch, said: str) -> None:
    monkeypatch.setenv("TZ", said)
    assert local_zone() is None


def test_a_file_of_ones_own_has_no_name(system: Path) -> None:
    system.write_bytes(b"TZif")
    assert local_zone() is None
