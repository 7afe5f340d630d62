"""``ask``, ``approve``, ``undo`` and the reading commands against the real kernel and the shipped skills."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from portal.cli import asking
from portal.client import Client
from portal.wire import DaemonError
from tests.portal.asked import PROMISED, PURE, WRITES

pytestmark = pytest.mark.slow

Installation = Any  # tests/portal/conftest.py

READS = "list the files in ~/Downloads"
NONSENSE = "reticulate the splines of the quux"


@pytest.fixture(scope="module", autouse=True)
def _files(running: Installation) -> None:
    downloads = running.home / "Downloads"
    downloads.mkdir()
    for number, size in enumerate((10, 3000, 200000)):
        (downloads / f"file {number}.bin").write_bytes(b"x" * size)


def test_a_run_without_rights_needs_no_answer(running: Installation) -> None:
    done = running.steward("ask", PURE, "--json")
    assert done.code == 0
    assert set(done.json) >= PROMISED
    assert done.json["resolution"] == "executed"
    assert "51" in done.json["answer"]
    plain = running.steward("ask", PURE)
    assert plain.code == 0
    assert "51" in plain.out


def test_without_a_terminal_the_run_stays_pending_and_goes_on_after_approve(running: Installation) -> None:
    title = "groceries"
    asked = running.steward("ask", WRITES.format(title=title), "--json")
    assert asked.code == 4, asked
    assert asked.json["resolution"] == "pending"
    assert asked.json["effects"] == []
    assert not list(running.home.glob(f"Notes/{title}*"))
    run = asked.json["run"]
    with running.client() as client:
        assert run in [waiting["run"] for waiting in client.approvals()]
    approved = running.steward("approve", run, "--json")
    assert (approved.code, approved.json["resolution"]) == (0, "confirmed"), approved
    assert [Path(effect["path"]) for effect in approved.json["effects"] if effect["path"].endswith(".md")]
    assert list(running.home.glob(f"Notes/{title}*"))
    again = running.steward("approve", run, "--json")
    assert again.code == 3
    assert again.json["run"] == run


def test_no_is_blocked(running: Installation) -> None:
    run = running.steward("ask", WRITES.format(title="plumber"), "--json").json["run"]
    refused = running.steward("approve", run, "--answer", "no", "--json")
    assert (refused.code, refused.json["resolution"]) == (5, "blocked")
    assert refused.json["error"]["code"] == "approval.refused"
    assert not list(running.home.glob("Notes/plumber*"))


def test_yes_runs_and_undo_takes_it_back(running: Installation) -> None:
    done = running.steward("ask", WRITES.format(title="packing"), "--yes", "--json", "--conversation", "c-undo")
    assert (done.code, done.json["resolution"], done.json["conversation"]) == (0, "confirmed", "c-undo"), done
    assert list(running.home.glob("Notes/packing*"))
    undone = running.steward("undo", "--json")
    assert undone.code == 0
    assert set(undone.json) >= PROMISED
    assert undone.json["run"] == done.json["run"]
    assert not list(running.home.glob("Notes/packing*"))
    listed = {run["run"]: run for run in running.steward("runs", "--json").json["runs"]}
    assert listed[done.json["run"]]["undone"]
    twice = running.steward("undo", done.json["run"], "--json")
    assert twice.code == 3
    assert twice.json["error"]["code"]


def test_single_files_of_a_run_are_taken_back(running: Installation) -> None:
    done = running.steward("ask", WRITES.format(title="rope"), "--yes", "--json")
    (note,) = running.home.glob("Notes/rope*")
    wrong = running.steward("undo", done.json["run"], "--path", "~/Music", "--json")
    assert (wrong.code, wrong.json["error"]["code"]) == (2, "undo.part")
    assert note.is_file()
    part = running.steward("undo", done.json["run"], "--path", f"~/Notes/{note.name}", "--json")
    assert (part.code, part.json["run"]) == (0, done.json["run"]), part
    assert not note.exists()


def test_nothing_fits_is_6(running: Installation) -> None:
    done = running.steward("ask", NONSENSE, "--json")
    assert (done.code, done.json["resolution"]) == (6, "declined")
    assert done.json["answer"]


def test_too_much_text_is_2_and_the_daemon_lives(running: Installation) -> None:
    done = running.steward("ask", "find " * 20_000, "--json")
    assert done.code == 2
    assert done.json["error"]["hint"]
    assert running.steward("status", "--json").json["running"]


def test_a_run_that_is_not_there_is_2(running: Installation) -> None:
    for command in ("approve", "undo"):
        done = running.steward(command, "r-none", "--json")
        assert (done.code, done.json["error"]["code"]) == (2, "run.unknown")


def test_text_in_several_words_is_one_request(running: Installation) -> None:
    assert "51" in running.steward("ask", *PURE.split()).out


def test_a_client_that_dies_does_not_stop_its_run(running: Installation) -> None:
    request = ["ask", WRITES.format(title="ideas"), "--conversation", "c-left"]
    child = subprocess.Popen(
        [sys.executable, "-P", "-m", "portal.cli", *request],
        env=running.environ, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    with running.client() as client:
        while not (mine := [run for run in client.runs() if run["conversation"] == "c-left"]):
            time.sleep(0.01)
        child.send_signal(signal.SIGKILL)
        child.wait()
        assert client.view(mine[0]["run"], wait=True)["resolution"] == "pending"
        client.cancel(mine[0]["run"])


def test_the_reading_commands_give_one_object_and_a_page_for_people(running: Installation) -> None:
    keys = {
        ("runs",): "runs", ("skills",): "skills", ("perms",): "grants", ("perms", "show"): "grants", ("log",): "events",
        ("doctor",): "capabilities", ("ledger", "verify"): "ok", ("status",): "address", ("log", "--daemon"): "lines",
    }  # fmt: skip
    for command, key in keys.items():
        found = running.steward(*command, "--json")
        assert found.code == 0, found
        assert key in found.json
        assert running.steward(*command).out.strip()


def test_every_line_of_doctor_has_a_state_and_each_fault_a_remedy(running: Installation) -> None:
    lines = running.steward("doctor", "--json").json["capabilities"]
    assert {"page", "page guard", "private folders"} <= {line["name"] for line in lines}
    for line in lines:
        assert line["state"]
        assert line["ok"] or line["remedy"], line


def test_grants_are_given_shown_and_taken_back(running: Installation) -> None:
    skill = running.steward("skills", "--json").json["skills"][0]["id"]
    given = running.steward("perms", "grant", skill, "fs.read:~/Downloads/**", "--json")
    assert given.code == 0, given
    assert given.json["grant"] in [grant["id"] for grant in running.steward("perms", "--json").json["grants"]]
    assert running.steward("perms", "revoke", given.json["grant"]).code == 0
    assert given.json["grant"] not in [grant["id"] for grant in running.steward("perms", "--json").json["grants"]]
    assert running.steward("perms", "revoke", given.json["grant"]).code == 2
    assert running.steward("perms", "grant", "no-such-skill", "fs.read:~/x", "--json").code != 0


def test_a_terminal_is_a_conversation_and_a_pipe_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "is_interactive", lambda: True)
    here = asking.terminal_conversation()
    assert here is not None
    assert here == asking.terminal_conversation()
    monkeypatch.setattr(asking, "is_interactive", lambda: False)
    assert asking.terminal_conversation() is None


def test_a_session_led_from_outside_is_known_by_the_shell_that_called(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "is_interactive", lambda: True)
    monkeypatch.setattr(os, "getsid", lambda _process: 0)  # what a process sees of a leader in another namespace
    here = asking.terminal_conversation()
    assert here is not None
    assert here.startswith(f"t-{os.getppid()}-")


def test_a_file_name_that_is_not_text_goes_through(running: Installation) -> None:
    place = os.fsencode(running.home) + b"/Downloads"
    os.makedirs(place, exist_ok=True)
    with open(place + b"/od\xff.txt", "wb") as file:
        file.write(b"x" * 100)
    done = running.steward("ask", "--json", "--yes", "show the largest file in Downloads")
    assert done.json["resolution"] == "confirmed"
    assert running.steward("log", "--json").code == 0
    assert running.steward("runs", "--json").code == 0


def test_an_answer_to_something_else_is_refused(running: Installation) -> None:
    view = running.steward("ask", "--json", "save a note called 'x' saying 'y'").json
    with Client(running.places) as client:
        with pytest.raises(DaemonError) as refused:
            client.approve(view["run"], "once", seal="0" * 64)
        assert refused.value.code == "approval.other"
        client.approve(view["run"], "once")


@pytest.mark.parametrize(("level", "said"), [("L2", True), ("L1", True), ("L3", False), ("", False)])
def test_what_ran_below_l3_is_said_whoever_consented(
    level: str, said: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    view = {"run": "r-1", "conversation": "c", "resolution": "executed", "answer": "Done.", "level": level}
    assert asking.close(view, False, asked_back=False) == 0
    assert (f"Ran at {level} and not L3" in capsys.readouterr().err) is said
