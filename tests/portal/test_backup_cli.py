"""``backup`` and ``restore`` at the command line: a running daemon, a stopped one, a question, an error."""

from __future__ import annotations

import json
import os
import threading
from typing import Any

import httpx
import pytest

from portal.wire import DaemonError, is_listening
from tests.portal.terminal import Terminal

Installation = Any  # tests/portal/conftest.py

pytestmark = pytest.mark.slow


def _asked(installation: Installation, text: str) -> Any:
    done = installation.steward("ask", "--json", "--yes", text)
    assert done.code == 0, done.err
    return done.json


def test_there_and_back(installation: Installation, tmp_path: Any) -> None:
    file = tmp_path / "one.backup"
    _asked(installation, "make a note called shopping saying milk")
    taken = installation.steward("backup", str(file), "--json").json
    assert (taken["path"], taken["secrets"]) == (str(file), False)
    assert file.stat().st_mode & 0o777 == 0o600
    later = _asked(installation, "make a note called second saying hello")["run"]

    asked = installation.steward("restore", str(file), "--json")
    assert asked.code == 4
    assert asked.json["restored"] is None
    assert asked.json["backup"]["notes"] == ["secrets"]
    assert "--yes" in asked.err
    with installation.client() as client:
        assert later in [one["run"] for one in client.runs()]  # nothing happened yet
        before = client.status()["pid"]
    done = installation.steward("restore", str(file), "--yes", "--json")
    assert done.code == 0, done.err
    assert done.json["started"]
    assert os.path.isdir(done.json["restored"]["kept_beside"])
    with installation.client() as client:
        assert client.status()["pid"] != before
        assert client.verify_ledger()["ok"]
        assert later not in [one["run"] for one in client.runs()]
        assert "shopping" in str(client.runs())
        line = next(line for line in client.doctor() if line["name"] == "backups")
    assert str(file) in line["state"]  # where backups lie is not part of one, and stays known
    told = installation.steward("restore", str(file), "--yes")
    assert told.code == 0, told.err
    assert "Restored: Steward is as on" in told.out
    assert "no passwords" in told.out


def test_refusals_change_nothing_and_the_daemon_goes_on(installation: Installation, tmp_path: Any) -> None:
    letter = installation.home / "letter.txt"
    letter.write_text("mine")
    _asked(installation, "make a note called shopping saying milk")
    for command, code in ((("restore", str(letter), "--yes"), "backup.foreign"),
                          (("restore", str(tmp_path / "none"), "--yes"), "backup.foreign"),
                          (("backup", str(letter)), "backup.exists"),
                          (("backup", str(letter), "--yes"), "backup.place"),
                          (("backup", str(tmp_path / "no/such/folder")), "backup.place")):  # fmt: skip
        done = installation.steward(*command, "--json")
        assert (done.code, done.json["error"]["code"]) == (2, code), done.err
        assert done.json["error"]["hint"]
        assert is_listening(installation.places)
    assert letter.read_text() == "mine"
    good = installation.steward("backup", str(tmp_path / "good"))
    assert "No passwords are in it" in good.out
    cut = tmp_path / "cut"
    cut.write_bytes((tmp_path / "good").read_bytes()[:-100])
    done = installation.steward("restore", str(cut), "--yes")
    assert done.code == 2
    assert "damaged" in done.err
    assert "Nothing was changed" in done.err
    assert is_listening(installation.places)


def test_a_restore_that_was_killed_is_finished_by_the_next_start(installation: Installation, tmp_path: Any) -> None:
    file = tmp_path / "one.backup"
    _asked(installation, "make a note called shopping saying milk")
    assert installation.steward("backup", str(file)).code == 0
    later = _asked(installation, "make a note called second saying hello")["run"]
    assert installation.steward("down").code == 0
    places = installation.places
    aside = places.state / "before-2026-01-01-000000"
    coming = places.data.parent / ".steward-coming-0"
    assert installation.steward("restore", str(file), "--yes").code == 0
    assert installation.steward("down").code == 0
    places.data.rename(coming)  # as a restore leaves it that died between its two renames
    (aside / "data").mkdir(mode=0o700, parents=True)
    moves = [{"coming": str(coming), "place": str(places.data), "aside": str(aside / "data")}]
    (places.state / "restoring.json").write_text(json.dumps({"moves": moves}))
    up = installation.steward("up", "--json")
    assert up.code == 0, up.err + installation.log
    assert "an interrupted restore was finished" in installation.log
    with installation.client() as client:
        assert "shopping" in str(client.runs())
        assert later not in [one["run"] for one in client.runs()]


def test_no_restore_while_a_daemon_runs_beside(installation: Installation, tmp_path: Any) -> None:
    """A daemon that is started meanwhile finds the lock held, and the restored state once it is free."""
    file = tmp_path / "one.backup"
    _asked(installation, "make a note called shopping saying milk")
    assert installation.steward("backup", str(file)).code == 0
    codes: list[int] = []

    def restore() -> None:
        codes.append(installation.steward("restore", str(file), "--yes").code)

    threads = [threading.Thread(target=restore), *(threading.Thread(target=lambda: codes.append(
        installation.steward("up").code)) for _ in range(2))]  # fmt: skip
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert set(codes) <= {0, 3}
    if not is_listening(installation.places):
        assert installation.steward("up").code == 0
    with installation.client() as client:
        assert client.verify_ledger()["ok"]
        assert "shopping" in str(client.runs())


def test_the_route_is_the_persons(running: Installation, tmp_path: Any) -> None:
    with running.client() as client:
        address = client.status()["address"]
        taken = client.take_backup(str(tmp_path / "peer"), secrets=True, replace=False)
        assert taken["secrets"]
        assert client.backups()["backups"][0]["there"]
        with pytest.raises(DaemonError) as told:
            client.take_backup("relative", secrets=False, replace=False)
        assert (told.value.code, told.value.status) == ("backup.place", 400)
    token = running.places.token.read_text().strip()
    headers = {"Authorization": f"Bearer {token}"}
    with httpx.Client(base_url=address, headers=headers) as program:
        assert program.get("/api/v1/status").status_code == 200  # control: the token counts
        for body in ({"path": str(tmp_path / "a")}, {"path": str(tmp_path / "a"), "secrets": True}):
            assert program.post("/api/v1/backups", json=body).status_code == 403
        assert program.get("/api/v1/backups").status_code == 403
    assert not (tmp_path / "a").exists()


def test_in_a_terminal_both_ask_first(installation: Installation, tmp_path: Any) -> None:
    file = tmp_path / "one.backup"
    first = Terminal(installation, "backup", str(file)).end()
    assert first[0] == 0, first[1]
    assert "Written:" in first[1]
    digest = file.read_bytes()
    for typed, changed in (("n\n", False), ("y\n", True)):
        over = Terminal(installation, "backup", str(file))
        over.read("Write over that backup? [y/N]")
        over.type(typed)
        assert over.end()[0] == 0
        assert (file.read_bytes() != digest) == changed
    for typed, said in (("n\n", "Nothing was restored."), ("y\n", "Restored: Steward is as on")):
        back = Terminal(installation, "restore", str(file))
        shown = back.read("Put this in place of what Steward keeps now?")
        assert "Rights are those of that day" in shown
        assert "stopped and started again" in back.read("[y/N]")
        back.type(typed)
        code, rest = back.end()
        assert (code, said in rest) == (0, True), rest
    assert is_listening(installation.places)
