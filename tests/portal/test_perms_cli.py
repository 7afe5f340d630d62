"""``./steward perms``: every command, its JSON, its exit code, and text that would take the terminal over."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

Installation = Any  # tests/portal/conftest.py

pytestmark = pytest.mark.slow


def test_a_timed_grant_is_given_shown_explained_told_and_taken_back(running: Installation) -> None:
    run = running.steward
    given = run("perms", "grant", "files", "fs.read:~/Music/**", "--for", "2h", "--why", "for a while", "--json")
    assert given.code == 0, given
    name = given.json["grant"]
    (grant,) = [one for one in run("perms", "show", "files", "--json").json["grants"] if one["id"] == name]
    assert (grant["mode"], grant["why"], grant["by"]) == ("until", "for a while", "person")
    assert 7100 < grant["expires_s"] - grant["at_s"] <= 7200
    listed = run("perms").out
    assert "fs.read:~/Music/**" in listed
    assert "until 20" in listed
    why = run("perms", "explain", "files.find", "fs.read:~/Music/a.mp3", "--json").json
    assert (why["verdict"], why["command"]) == ("allow", f"./steward perms revoke {name}")
    assert why["decided_by"] == f"root/user/workspace/files#{name}"
    assert run("perms", "revoke", name).code == 0
    why = run("perms", "explain", "files.find", "fs.read:~/Music/a.mp3")
    assert "ask: fs.read:~/Music/a.mp3 at files.find" in why.out
    assert f"./steward perms grant files fs.read:{running.home}/Music/a.mp3".replace(str(running.home), "~") in why.out
    told = run("perms", "history").out
    assert "files may fs.read:~/Music/** (until 20" in told
    assert "(for a while)" in told
    assert f"taken away: {name}" in told
    kinds = [event["kind"] for event in run("perms", "history", "--json").json["events"]]
    assert kinds[-2:] == ["grant.added", "grant.revoked"]


def test_every_grant_of_a_skill_goes_at_once(running: Installation) -> None:
    names = {running.steward("perms", "grant", "notes", f"fs.read:~/{place}/**", "--json").json["grant"]
             for place in ("A", "B")}  # fmt: skip
    gone = running.steward("perms", "revoke", "--all", "notes", "--json")
    assert set(gone.json["revoked"]) == names
    assert running.steward("perms", "revoke", "--all", "notes").code == 2
    assert not running.steward("perms", "show", "notes", "--json").json["grants"]


def test_a_limit_and_a_budget_are_set_shown_and_taken_away(running: Installation) -> None:
    run = running.steward
    before = run("perms", "show", "--json").json["hash"]
    assert run("perms", "limit", "files", "memory", "512MB").out == "Limited memory at files, for each call: 512 MB.\n"
    assert run("perms", "limit", "user", "money.EUR", "2.50", "--total", "--json").json["amount"] == 2_500_000
    shown = run("perms", "show", "files.find", "--json").json
    assert shown["hash"] != before
    assert {(one["meter"], one["words"], one["left_words"]) for one in shown["limits"]} == {
        ("memory", "512 MB", ""), ("money.EUR", "2.50 EUR", "2.50 EUR")
    }  # fmt: skip
    assert shown["effective"]["limits"][0]["node"] == "root/user/workspace/files"
    assert "memory, each call: 512 MB (set at files)" in run("perms", "explain", "files.find", "memory").out
    assert "2.50 EUR left" in run("perms", "explain", "files", "money.EUR").out
    for words in (("files", "memory", "none"), ("user", "money.EUR", "none", "--total")):
        assert run("perms", "limit", *words).code == 0
    assert run("perms", "show", "--json").json["hash"] == before, "the tree is the same value again"


def test_a_deny_holds_against_a_grant_and_is_taken_back_from_the_command_line_only(running: Installation) -> None:
    run = running.steward
    denied = run("perms", "deny", "user", "fs.read:~/Diary/**", "--why", "mine", "--json").json["deny"]
    refused = run("perms", "grant", "files", "fs.read:~/Diary/a.txt", "--json")
    assert (refused.code, refused.json["error"]["code"]) == (5, "grant.denied")
    assert refused.json["error"]["hint"] == f"./steward perms revoke {denied}"
    with running.client() as client:
        address = client.status()["address"]
    token = {"Authorization": f"Bearer {running.places.token.read_text().strip()}"}
    for path in (f"/api/v1/perms/denies/{denied}", f"/api/v1/perms/{denied}"):
        assert httpx.delete(address + path, headers=token).status_code in (403, 404), path
    body = {"node": "user", "controller": "memory", "value": "none"}
    assert httpx.post(f"{address}/api/v1/perms/limits", json=body, headers=token).status_code == 403
    assert denied in run("perms").out
    assert run("perms", "revoke", denied).code == 0
    assert run("perms", "explain", "files", "fs.read:~/Diary/a.txt", "--json").json["verdict"] == "ask"


def test_reasons_are_said_in_german_where_they_are_asked_for(running: Installation) -> None:
    with running.client() as client:
        address = client.status()["address"]
    token = {"Authorization": f"Bearer {running.places.token.read_text().strip()}"}
    query = {"node": "files", "action": "fs.read:/etc/shadow", "language": "de"}
    found = httpx.get(f"{address}/api/v1/perms/explain", params=query, headers=token).json()
    assert (found["verdict"], found["reason"]) == ("deny", "es gehört zum System")


def test_a_reason_full_of_escape_codes_is_shown_and_not_carried_out(running: Installation) -> None:
    evil = "\x1b[2J\x1b]0;owned\x07 \u202egnp.exe <b>yes</b>\n grant everything? yes"
    given = running.steward("perms", "grant", "calc", "fs.read:~/Evil/**", "--why", evil, "--json")
    assert json.loads(given.out)["grant"]
    for command in (("perms",), ("perms", "show", "calc"), ("perms", "history"), ("log",)):
        shown = running.steward(*command).out
        assert "\x1b" not in shown
        assert "\x07" not in shown
        assert "\u202e" not in shown
        assert "\\x1b[2J" in shown, "it is there to be seen"
    running.steward("perms", "revoke", "--all", "calc")


@pytest.mark.parametrize(
    ("arguments", "code", "error"),
    [
        (("show", "../files"), 2, "scope.node"),
        (("show", "nobody"), 2, "*"),
        (("grant", "files", "fs.read:~/x", "--for", "soon"), 2, "limit.amount"),
        (("grant", "files", "fs.read:~/x", "--for", "-5m"), 2, "*"),
        (("grant", "files", "fs.read:~/x", "--for", "nan"), 2, "limit.amount"),
        (("grant", "files", "fs.read:~/x", "--for", "0s"), 2, "grant.expiry"),
        (("grant", "files", "fs.read:~/x", "--until", "yesterday"), 2, "grant.expiry"),
        (("grant", "files", "fs.read:~/x", "--until", "2001-01-01"), 2, "grant.expiry"),
        (("grant", "files", "fs.read:~/x", "--until", "25:00"), 2, "grant.expiry"),
        (("grant", "files", "fs.read:~/x", "--for", "999999999h"), 2, "grant.expiry"),
        (("grant", "files", "fs.read:~/x", "--until", "9999-12-31T23:59:59-12:00"), 2, "grant.expiry"),
        (("grant", "files.find", "fs.read:~/x"), 2, "grant.tool"),
        (("grant", "nobody.find", "fs.read:~/x"), 2, "*"),
        (("deny", "files.fnid", "fs.read:~/x/**"), 2, "tool.unknown"),
        (("limit", "files.fnid", "memory", "1GB"), 2, "tool.unknown"),
        (("show", "files.fnid"), 2, "tool.unknown"),
        (("explain", "files.fnid", "fs.read:~/x"), 2, "tool.unknown"),
        (("grant", "files", "fs.read:~/x", "--for", "1h", "--until", "18:00"), 2, "grant.expiry"),
        (("grant", "files", "fs.read:~/../../etc/x"), 2, "scope.path"),
        (("grant", "files", "net.connect:*"), 5, "grant.denied"),
        (("grant", "files", "net.connect:127.0.0.1:8377"), 5, "grant.denied"),
        (("grant", "files", "fs.read:~/x", "--why", "x" * 501), 2, "grant.why"),
        (("limit", "files", "memory", "-1"), 2, "*"),
        (("limit", "files", "memory", "NaN"), 2, "limit.amount"),
        (("limit", "files", "memory", "1GB", "--total"), 2, "limit.kind"),
        (("limit", "files", "tokens", "5"), 2, "limit.kind"),
        (("limit", "files", "happiness", "5"), 2, "limit.controller"),
        (("limit", "nobody", "memory", "5"), 2, "*"),
        (("explain", "files", "fs.fly:~/x"), 2, "scope.right"),
        (("explain", "files", "happiness"), 2, "limit.controller"),
        (("explain", "~/Downloads", "fs.read:~/x"), 2, "scope.node"),
        (("deny", "files", "nonsense"), 2, "scope.right"),
        (("revoke",), 2, "usage"),
        (("revoke", "g-1", "--all", "files"), 2, "usage"),
        (("revoke", "d-none"), 2, "deny.unknown"),
        (("revoke", "--all", "nobody"), 2, "grant.unknown"),
        (("history", "--limit", "0"), 2, "usage"),
    ],
)
def test_what_cannot_be_meant_is_refused_by_name(
    running: Installation, arguments: tuple[str, ...], code: int, error: str
) -> None:
    before = running.steward("perms", "--json").json
    done = running.steward("perms", *arguments, "--json")
    assert done.code == code, done
    assert error in ("*", done.json["error"]["code"])
    assert done.json["error"]["message"]
    assert running.steward("perms", "--json").json == before


def test_processor_time_is_said_to_be_that_of_a_process(running: Installation) -> None:
    run = running.steward
    assert "cpu at files, for each process of a call: 30 s" in run("perms", "limit", "files", "cpu", "30s").out
    assert "each process of a call" in run("perms").out
    assert "30 s each process of a call" in run("perms", "show", "files").out
    assert "cpu, each process of a call: 30 s" in run("perms", "explain", "files", "cpu").out
    assert run("perms", "limit", "files", "cpu", "none").code == 0
    assert "memory at files, for each call" in run("perms", "limit", "files", "memory", "1GB").out
    assert run("perms", "limit", "files", "memory", "none").code == 0


def test_a_bound_that_nothing_counts_against_says_so(running: Installation) -> None:
    run = running.steward
    assert "Nothing charges GPU time yet" in run("perms", "limit", "user", "gpu", "1h", "--total").out
    assert "yet" not in run("perms", "limit", "user", "tokens", "100k", "--total").out
    assert "yet" not in run("perms", "limit", "user", "gpu", "none", "--total").out
    assert run("perms", "limit", "user", "tokens", "none", "--total").code == 0
