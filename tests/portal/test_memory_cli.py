"""``./steward memory`` and ``ledger retention``: every command, its JSON, its exit code, and text that is not to be
trusted.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from typing import Any

import httpx
import pytest

from portal.cli.words import size

Installation = Any  # tests/portal/conftest.py

pytestmark = pytest.mark.slow


def test_what_was_told_is_found_listed_and_shown(running: Installation) -> None:
    run = running.steward
    assert run("ask", "remember that Anna Berg works at Xenon since March 2024").code == 0
    assert run("ask", "Merke dir, dass Anna Berg in Bonn wohnt").code == 0
    (fact,) = run("memory", "search", "xenon", "--json").json["facts"]
    assert (fact["subject_name"], fact["predicate"], fact["object_name"]) == ("Anna Berg", "works_at", "Xenon")
    assert fact["label"]["integrity"] == "user"
    assert "Anna Berg lives in Bonn" in run("memory", "facts", "Anna").out
    assert run("memory", "facts", "--at", "2020-01-01", "--relation", "works_at", "--json").json["total"] == 0
    assert run("memory", "facts", "--as-known", "2020-01-01", "--json").json["total"] == 0
    shown = run("memory", "entity", "anna berg", "--json").json
    assert [one["name"] for one in shown["entities"]] == ["Anna Berg"]
    assert len(shown["facts"]) == 2
    assert run("memory", "entity", "Anna Berg", "--also-called", "Annchen").code == 0
    assert "Annchen" in run("memory", "entity", "Annchen").out
    assert run("memory", "stats", "--json").json["facts"] >= 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("facts", "Nobody Known"), "remember that"),
        (("facts", "--at", "yesterday"), "2026-03-31"),
        (("facts", "--at", "2026-02-30"), "2026-03-31"),
        (("facts", "--as-known", "1e9"), "2026-03-31"),
        (("facts", "--relation", "no_such"), "works_at"),
        (("search", " "), "./steward memory search"),
        (("forget", "Nobody Known"), "./steward memory entity"),
        (("entity", "x\u202e\x07y"), "remember that"),
        (("entity", "A" * 3_000), "remember that"),
        (("export", "--form", "doc"), "graphml"),
        (("import", "/nowhere/at/all"), "export wrote"),
    ],
)
def test_what_is_wrong_is_said_with_the_next_step(
    running: Installation, arguments: tuple[str, ...], words: str
) -> None:
    done = running.steward("memory", *arguments)
    assert done.code == 2, done
    assert words in done.err
    assert "\u202e" not in done.err + done.out
    assert "\x07" not in done.err + done.out
    failed = running.steward("memory", *arguments, "--json").json
    assert failed["error"]["code"]
    assert failed["error"]["hint"]


def test_out_and_in(running: Installation) -> None:
    run = running.steward
    run("ask", "remember that Otto Meier lives in Kiel")
    out = running.home / "known.jsonl"
    assert run("memory", "export", "--out", str(out)).code == 0
    assert out.stat().st_mode & 0o777 == 0o600
    assert run("memory", "export", "--out", str(out)).code == 2  # never over what is there
    assert "Otto Meier" in out.read_text()
    assert "<graphml" in run("memory", "export", "--form", "graphml").out
    assert run("memory", "import", str(out), "--json").json["facts"] >= 1
    voices = {fact["extractor"] for fact in run("memory", "facts", "Otto Meier", "--json").json["facts"]}
    assert voices == {"user", "import:user"}
    bad = running.home / "bad.jsonl"
    bad.write_text(out.read_text() + "not json\n")
    done = run("memory", "import", str(bad))
    assert done.code != 0
    assert "Line" in done.err


def test_a_forget_shows_first_and_does_what_was_shown(running: Installation) -> None:
    run = running.steward
    run("ask", "remember that Zenobia lives in Kiel")
    assert run("ask", "--yes", "forget what you know about Zenobia").code == 4
    waiting = json.loads(run("approve", "--json").out)["approvals"][0]["run"]
    assert run("approve", waiting, "--answer", "no").code == 5
    shown = run("memory", "forget", "Zenobia", "--json")
    assert shown.code == 4
    preview = shown.json["preview"]
    assert preview["facts"] == 1
    assert "Zenobia" in preview["words"]
    assert run("memory", "forget", "Zenobia", "--confirm", "forget:0000").code == 2
    done = run("memory", "forget", "Zenobia", "--confirm", preview["seal"], "--json")
    assert done.code == 0, done
    assert done.json["forgotten"]["facts"] == 1
    assert run("memory", "facts", "Zenobia").code == 2
    assert "(forgotten)" in run("runs").out
    assert "Zenobia" not in run("runs", "--json").out
    assert "Zenobia" not in run("log", "--limit", "500").out
    assert run("ledger", "verify").code == 0


def test_a_private_request_is_answered_and_listed_without_a_word(running: Installation) -> None:
    done = running.steward("ask", "--private", "what is 17 * 4", "--json")
    assert done.code == 0
    assert "68" in done.json["answer"]
    assert running.steward("ask", "--private", "remember that Anna lives in Ulm").code == 6


def test_how_long_words_are_kept(running: Installation) -> None:
    run = running.steward
    assert run("ledger", "retention", "--json").json["days"] is None
    assert run("ledger", "retention", "90", "--json").json["days"] == 90
    assert "90 days" in run("ledger", "retention").out
    assert run("ledger", "retention", "off", "--json").json["days"] is None
    for wrong in ("0", "-3", "soon", "99999999"):
        assert run("ledger", "retention", "--", wrong).code == 2
    assert set(run("status", "--json").json["sizes"]) == {
        "ledger_bytes",
        "known_bytes",
        "recall_bytes",
        "undo_bytes",
        "staged_bytes",
    }
    undo = run("status", "--json").json["undo"]
    assert (undo["most_bytes"], undo["keep_days"]) == (50 << 30, 90)
    assert "for 90 days" in run("status").out


def test_status_says_what_is_kept(running: Installation) -> None:
    """One line with a size for each of them, and what it says grows with what was told."""
    run = running.steward

    def line() -> str:
        (kept,) = (one for one in run("status").out.splitlines() if one.startswith("Kept"))
        return kept

    before = run("status", "--json").json["sizes"]
    named = ", ".join(rf"{name} (\S+ \S+)" for name in ("ledger", "knowledge", "recall", "for undo", "staged"))
    assert re.fullmatch(f"Kept +{named}", line()), line()
    for number in range(3):
        assert run("ask", f"remember that Person{number} lives in Ulm").code == 0
    after = run("status", "--json").json["sizes"]
    assert after["ledger_bytes"] > before["ledger_bytes"]
    assert after["known_bytes"] > before["known_bytes"]
    assert size(after["ledger_bytes"]) in line()
    assert size(after["known_bytes"]) in line()


def test_a_program_with_the_token_may_look_and_not_forget(running: Installation) -> None:
    address = running.steward("status", "--json").json["address"]
    token = (running.places.socket.parent.parent / "state" / "api-token").read_text().strip()
    with httpx.Client(base_url=f"{address}/api/v1", headers={"Authorization": f"Bearer {token}"}) as client:
        assert client.get("/memory/stats").status_code == 200
        assert client.get("/memory/facts", params={"language": "de"}).status_code == 200
        assert client.get("/ledger/retention").status_code == 200
        for path in ("/memory/forget", "/memory/entity", "/memory/import", "/ledger/retention"):
            assert client.post(path, json={}).status_code in (400, 403)
        body = {"name": "Anna", "also": [], "seal": "forget:0"}
        assert client.post("/memory/forget", json=body).status_code == 403
        assert client.post("/ledger/retention", json={"days": 1}).status_code == 403
        assert client.get("/memory/export").status_code == 403


def test_a_start_loads_nothing_of_the_graph() -> None:
    code = "import sys, kernel.daemon, kernel.opening; print([m for m in sys.modules if m.startswith('memory.graph')])"
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_what_was_said_is_searched_with_the_facts(running: Installation) -> None:
    run = running.steward
    assert run("ask", "what is 17 percent of 230", "--conversation", "sums").code == 0
    found = run("memory", "search", "percent", "--json").json
    assert {"facts", "hits"} == set(found)
    hit = next(one for one in found["hits"] if one["speaker"] == "user" and "17 percent" in one["text"])
    assert hit["run"]
    assert hit["conversation"] == "sums"
    assert hit["after"]["speaker"] == "steward"
    shown = run("memory", "search", "percent", "--person", "me", "--since", "2020-01-01")
    assert "17 percent of 230" in shown.out
    assert "words +" in shown.out or "length +" in shown.out
    assert run("memory", "search", "percent", "--until", "2020-01-01", "--json").json["hits"] == []
    assert run("memory", "search", "percent", "--since", "yesterday").code == 2


def test_a_search_is_narrowed_by_label_and_reader(running: Installation) -> None:
    run = running.steward
    assert run("ask", "remember that Xaver Lang lives in Ulm").code == 0
    mine = run("memory", "search", "Xaver Lang Ulm", "--label", "user", "--json").json["hits"]
    assert mine
    assert {hit["label"]["integrity"] for hit in mine} == {"user"}
    assert run("memory", "search", "Xaver Lang Ulm", "--reader", "mcp:claude", "--json").json["hits"] == []
    wrong = run("memory", "search", "Xaver", "--label", "secret")
    assert wrong.code == 2
    assert "trusted_source" in wrong.err
