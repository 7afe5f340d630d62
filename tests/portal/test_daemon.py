"""The daemon as a process: starting, ending, sockets, folders, crashes."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from portal.wire import is_listening

pytestmark = pytest.mark.slow

Installation = Any  # tests/portal/conftest.py

REQUEST = "what is 17 * 3"
AS_ANOTHER_USER = """
import os, socket, sys
os.setgroups([]); os.setgid(65534); os.setuid(65534)
connection = socket.socket(socket.AF_UNIX)
try:
    connection.connect(sys.argv[1])
    connection.sendall(b"GET /api/v1/status HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n")
    print("answered" if connection.recv(100) else "turned away")
except PermissionError:
    print("no permission")
except ConnectionError:
    print("turned away")
"""


def children_of(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def alive(pid: int) -> bool:
    """Tell whether a process still runs; one that only waits to be reaped by its parent does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_up_is_ready_down_leaves_nothing(installation: Installation) -> None:
    up = installation.steward("up", "--json")
    assert (up.code, up.json["started"]) == (0, True)
    assert installation.steward("up", "--json").json["started"] is False
    assert installation.steward("ask", REQUEST, "--yes", "--json").code == 0
    pid = up.json["pid"]
    family = [pid, *children_of(pid)]
    assert len(family) > 1, "a call leaves its warm launcher behind"
    assert installation.steward("down", "--json").json == {"stopped": True}
    assert not [member for member in family if alive(member)]
    places = installation.places
    assert not places.socket.exists()
    assert not places.ready.exists()
    assert installation.steward("status", "--json").json == {"running": False}


def test_everything_private_is_private(running: Installation) -> None:
    places = running.places
    for folder in (places.config, places.data, places.state, places.runtime):
        assert folder.stat().st_mode & 0o777 == 0o700, folder
    for file in (places.socket, places.ready, places.lock, places.log, places.token):
        assert file.stat().st_mode & 0o077 == 0, file


def test_the_page_has_one_loopback_port(running: Installation) -> None:
    port = int(running.steward("status", "--json").json["address"].rpartition(":")[2])
    sockets = [
        line.split() for table in ("tcp", "tcp6") for line in Path(f"/proc/net/{table}").read_text().splitlines()
    ]
    listening = [fields[1] for fields in sockets if fields[3] == "0A" and fields[1].endswith(f":{port:04X}")]
    assert listening == [f"0100007F:{port:04X}"]


def test_a_taken_port_is_no_obstacle(installation: Installation) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        status = installation.steward("up", "--json", env={"STEWARD_PORT": str(port)}).json
    assert not status["address"].endswith(f":{port}")
    assert "is taken" in installation.log


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root to become another user: run as root")
def test_another_user_is_turned_away_even_where_the_folders_let_him_in(running: Installation) -> None:
    places = running.places
    opened = [parent for parent in (places.socket, *places.socket.parents) if str(parent).startswith("/tmp/")]
    before = [(parent, parent.stat().st_mode & 0o777) for parent in opened]
    command = [sys.executable, "-c", AS_ANOTHER_USER, str(places.socket)]
    try:
        assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "no permission\n"
        for parent in opened:
            parent.chmod(0o777)
        assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "turned away\n"
    finally:
        for parent, mode in before:
            parent.chmod(mode)
    assert running.steward("status", "--json").json["running"]


def test_two_requests_at_once_start_one_daemon(installation: Installation) -> None:
    with ThreadPoolExecutor(4) as pool:
        done = [*pool.map(lambda _: installation.steward("ask", REQUEST, "--yes", "--json"), range(4))]
    assert [finished.code for finished in done] == [0] * 4, done
    assert sum("Starting" in finished.err for finished in done) == 1
    assert installation.log.count("ready at") == 1


def test_a_second_daemon_on_the_same_folders_gives_up(running: Installation) -> None:
    second = subprocess.run(
        [sys.executable, "-P", "-m", "portal.serve"], env=running.environ, capture_output=True, timeout=60, check=False
    )
    assert second.returncode == 3
    assert "Another daemon" in running.log
    assert is_listening(running.places)


def test_a_killed_daemon_is_replaced_and_keeps_its_runs(installation: Installation) -> None:
    pid = installation.steward("up", "--json").json["pid"]
    run = installation.steward("ask", REQUEST, "--yes", "--json").json["run"]
    os.kill(pid, signal.SIGKILL)
    again = installation.steward("ask", REQUEST, "--yes", "--json")
    assert again.code == 0, again.err
    assert installation.steward("status", "--json").json["pid"] != pid
    assert run in [found["run"] for found in installation.steward("runs", "--json").json["runs"]]
    assert installation.steward("ledger", "verify", "--json").json["ok"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_signals_end_it_in_order(installation: Installation, number: signal.Signals) -> None:
    with installation.daemon() as child, installation.client() as client:
        run = client.ask(REQUEST)
        client.view(run, wait=True)
        launched = children_of(child.pid)
        child.send_signal(number)
        assert child.wait(20) == 0
        assert not [pid for pid in launched if alive(pid)]
    assert installation.log.rstrip().endswith("ended")


def test_an_open_stream_does_not_hold_the_end_up(installation: Installation) -> None:
    import httpx

    with installation.daemon() as child:
        transport = httpx.HTTPTransport(uds=str(installation.places.socket))
        with (
            httpx.Client(transport=transport, base_url="http://steward", timeout=30) as http,
            http.stream("GET", "/api/v1/events") as got,
        ):
            assert got.status_code == 200
            child.send_signal(signal.SIGTERM)
            assert child.wait(10) == 0


def test_loose_folders_are_refused_with_the_command_that_mends_it(installation: Installation) -> None:
    installation.places.runtime.mkdir(parents=True)
    installation.places.runtime.chmod(0o755)
    refused = installation.steward("up", "--json")
    assert refused.code == 3
    assert "chmod 700" in refused.json["error"]["hint"]
    done = subprocess.run(
        [sys.executable, "-P", "-m", "portal.serve"],
        env=installation.environ,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 3
    assert not installation.places.socket.exists()


def test_a_daemon_that_cannot_start_says_why(installation: Installation) -> None:
    places = installation.places
    places.config.mkdir(parents=True, mode=0o700)
    places.config_file.write_text("port = 'many'\n")
    failed = installation.steward("ask", REQUEST, "--json", env={"STEWARD_PORT": "many"})
    assert failed.code == 3
    assert failed.json["error"]["code"] == "daemon.start"
    assert "port" in failed.json["answer"]
    assert str(places.log) in failed.json["error"]["hint"]


def test_a_fresh_daemon_has_loaded_nothing_heavy(running: Installation) -> None:
    code = "import sys, portal.host; print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True)
    heavy = {
        "torch",
        "transformers",
        "sentence_transformers",
        "chromadb",
        "openai",
        "mcp",
        "faster_whisper",
        "duckdb",
        "matplotlib",
    }
    assert not set(done.stdout.split()) & (heavy | {"websockets", "pypdf", "docx", "pint"})


def test_the_first_page_needs_neither_the_language_nor_the_search() -> None:
    later = (
        "kernel.language", "kernel.composition", "kernel.ranking", "kernel.handling", "kernel.habits",
        "kernel.anticipation.", "kernel.routines.watching.settling", "memory.sequences", "numpy", "rapidfuzz",
        "asyncinotify",
    )  # fmt: skip
    code = f"import sys, portal.host; print(*(name for name in sys.modules if name.startswith({later})))"
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
