"""A ledger that was tampered with: the daemon refuses to write to it, and the commands still tell about it."""

from __future__ import annotations

import shutil

import pytest

from tests.portal.conftest import Installation

pytestmark = pytest.mark.slow


def test_a_cut_ledger_can_be_looked_at_without_a_daemon(installation: Installation) -> None:
    ledger = installation.places.data / "ledger"
    with installation.daemon():
        installation.steward("ask", "what is 1+1")
    shutil.copytree(ledger, installation.root / "older")
    with installation.daemon():
        installation.steward("ask", "what is 2+2")
    for file in ledger.glob("ledger.db*"):
        file.unlink()
    for file in (installation.root / "older").glob("ledger.db*"):
        shutil.copy2(file, ledger)
    found = installation.steward("ledger", "verify", "--json")
    assert found.code == 3
    assert found.json["ok"] is False
    assert found.json["problems"]
    asked = installation.steward("ask", "what is 1+1")
    assert asked.code == 3
    assert "./steward ledger verify" in asked.err


def test_doctor_checks_the_whole_ledger(installation: Installation) -> None:
    with installation.daemon():
        installation.steward("ask", "what is 1+1")
        lines = {line["name"]: line for line in installation.steward("doctor", "--json").json["capabilities"]}
    assert lines["ledger"]["ok"]
    assert "whole" in lines["ledger"]["state"]
