"""``./steward secrets``: kept with the hosts it is for, listed, never shown, refused in words, gone when removed."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

Installation = Any  # tests/portal/conftest.py

pytestmark = pytest.mark.slow
VALUE = "s3cr3t-value-of-the-person"


def kept(running: Installation, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Set a secret whose value comes from standard input."""
    command = [sys.executable, "-P", "-m", "portal.cli", "secrets", "set", *arguments]
    return subprocess.run(command, input=f"{VALUE}\n", capture_output=True, text=True, env=running.environ, check=False)


def test_a_secret_is_kept_for_hosts_listed_and_removed(running: Installation) -> None:
    done = kept(running, "weather", "--for", "api.example.org", "--for", "b.example.org:8443")
    assert (done.returncode, done.stdout.strip()) == (
        0, "The secret weather is kept, for api.example.org:443, b.example.org:8443.",
    )  # fmt: skip
    assert kept(running, "plain", "--json").returncode == 0
    listed = running.steward("secrets", "list", "--json").json
    assert listed["hosts"] == {"plain": [], "weather": ["api.example.org:443", "b.example.org:8443"]}
    said = running.steward("secrets", "list").out
    assert "weather  for api.example.org:443, b.example.org:8443" in said
    assert VALUE not in said + running.log + running.steward("log", "--json").out
    wrong = kept(running, "weather", "--for", "*.example.org")
    assert wrong.returncode != 0
    assert "no host:port that a secret can be for" in wrong.stderr
    assert running.steward("secrets", "remove", "weather").code == 0
    assert running.steward("secrets", "list", "--json").json["secrets"] == ["plain"]
