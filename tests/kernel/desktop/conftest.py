"""A real X server without a screen (Xvfb), and a home in which the test says which program opens what."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

HANDLER = """#!/bin/sh
printf '%s' "$1" > '{seen}.part' && mv '{seen}.part' '{seen}'
"""
ENTRY = """[Desktop Entry]
Type=Application
Name=Handler of a test
Exec={program} %u
MimeType=text/plain;inode/directory;x-scheme-handler/https;x-scheme-handler/http;
"""


@pytest.fixture(scope="session")
def display(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The name of a display that is really there."""
    if shutil.which("Xvfb") is None:
        pytest.skip("no X server to try this with; install the package xvfb")
    reader, writer = os.pipe()
    arguments = ["Xvfb", "-displayfd", str(writer), "-screen", "0", "320x200x24", "-nolisten", "tcp"]
    log = (tmp_path_factory.mktemp("x") / "log").open("wb")
    server = subprocess.Popen(arguments, pass_fds=[writer], stdout=log, stderr=log)
    os.close(writer)
    with os.fdopen(reader) as told:
        number = told.readline().strip()
    try:
        assert number, "Xvfb did not start"
        yield f":{number}"
    finally:
        server.terminate()
        server.wait(10)
        log.close()


@pytest.fixture
def around(tmp_path: Path) -> dict[str, str]:
    """The variables of a session with a home of its own; without a display."""
    home = tmp_path / "home"
    (home / ".local/share/applications").mkdir(parents=True)
    (home / ".config").mkdir()
    runtime = tmp_path / "runtime"
    runtime.mkdir(mode=0o700)
    return {
        "HOME": str(home), "PATH": os.environ.get("PATH", "/usr/bin:/bin"), "XDG_RUNTIME_DIR": str(runtime),
        "XDG_DATA_HOME": str(home / ".local/share"), "XDG_CONFIG_HOME": str(home / ".config"),
        "XDG_CURRENT_DESKTOP": "X-Generic", "LANG": "C.UTF-8",
    }  # fmt: skip


@pytest.fixture
def session(around: dict[str, str], display: str) -> dict[str, str]:
    """The variables of a session with a display."""
    return {**around, "DISPLAY": display}


@pytest.fixture
def opened(session: dict[str, str], tmp_path: Path) -> Path:
    """Where the handler of this test writes down what it was given to open."""
    home, seen = Path(session["HOME"]), tmp_path / "seen"
    program = tmp_path / "handler.sh"
    program.write_text(HANDLER.format(seen=seen))
    program.chmod(0o755)
    (home / ".local/share/applications/test-handler.desktop").write_text(ENTRY.format(program=program))
    kinds = ("text/plain", "inode/directory", "x-scheme-handler/https", "x-scheme-handler/http", "text/html")
    lines = "\n".join(f"{kind}=test-handler.desktop" for kind in kinds)
    (home / ".config/mimeapps.list").write_text(f"[Default Applications]\n{lines}\n")
    session["BROWSER"] = str(program)
    return seen
