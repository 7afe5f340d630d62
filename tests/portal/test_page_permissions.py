"""The policy tree on the page: what stands where, why, what is left, and taking back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.portal.browser import MARKS, Tab, signed_in

Installation = Any  # tests/portal/conftest.py

pytestmark = MARKS

NODE = '#screen [data-node="root/user/workspace/{}"]'


@pytest.fixture
def tree(tab: Tab, running: Installation) -> Iterator[Tab]:
    """The screen, with a grant, a deny, a limit and a budget."""
    for words in (("grant", "files", "fs.read:~/Documents/**", "--why", "for the archive"),
                  ("deny", "user", "fs.read:~/Diary/**", "--why", "private"),
                  ("limit", "files", "memory", "512MB"), ("limit", "web", "wall", "1h", "--total")):  # fmt: skip
        assert running.steward("perms", *words).code == 0
    signed_in(tab, running)
    tab.js("location.hash = '#/permissions'")
    tab.until("document.querySelector('#screen .node')")
    yield tab
    with running.client() as client:
        shown = client.perms()
        for one in [*shown["grants"], *shown["denies"]]:
            running.steward("perms", "revoke", one["id"])
    for node, meter, more in (("files", "memory", ()), ("web", "wall", ("--total",))):
        running.steward("perms", "limit", node, meter, "none", *more)


def test_what_stands_at_each_node_is_there_with_why_and_since_when(tree: Tab) -> None:
    files = tree.text(NODE.format("files"))
    assert "may fs.read:~/Documents/**" in files
    assert "for the archive" in files
    assert "since" in files
    assert "at most memory: 512 MB for each call" in files
    assert "in all" in tree.text(NODE.format("web"))
    assert tree.js(f"document.querySelector('{NODE.format('web')} meter').value") == 3_600_000
    assert "never fs.read:~/Diary/**" in tree.text('#screen [data-node="root/user"]')
    assert "They ask each time: " in tree.text("#screen .bare")
    assert "calendar" in tree.text("#screen .bare")


def test_a_grant_is_taken_back_and_the_change_is_listed(tree: Tab, running: Installation) -> None:
    tree.click(f"{NODE.format('files')} [data-act=revoke]")
    tree.until(f"!document.querySelector('{NODE.format('files')} [data-act=revoke]')")
    tree.until("document.querySelector('#screen .changes-list').innerText.includes('grant.revoked')")
    with running.client() as client:
        assert client.perms()["grants"] == []


def test_why_is_told_step_by_step_with_the_command(tree: Tab) -> None:
    tree.js("document.querySelector('.explain [name=node]').value = 'files'")
    tree.js("document.querySelector('.explain [name=action]').value = 'fs.read:~/Documents/a.txt'")
    tree.click(".explain button")
    tree.until("document.querySelectorAll('.explained .steps li').length >= 4")
    said = tree.text(".explained")
    assert said.startswith("yes granted always")
    assert "./steward perms revoke g-" in said
    tree.js("document.querySelector('.explain [name=action]').value = 'fs.read:~/Diary/monday.txt'")
    tree.click(".explain button")
    tree.until("document.querySelector('.explained').innerText.startsWith('no')")
    assert "you denied it" in tree.text(".explained")
    tree.js("document.querySelector('.explain [name=action]').value = 'memory'")
    tree.click(".explain button")
    tree.until("document.querySelector('.explained').innerText.includes('512 MB')")
    tree.js("document.querySelector('.explain [name=action]').value = 'fs.eat:~/x'")
    tree.click(".explain button")
    tree.until("document.querySelector('.explained .bad')")
    assert "fs.eat" in tree.text(".explained")


def test_what_is_granted_meanwhile_appears(tree: Tab, running: Installation) -> None:
    running.steward("perms", "grant", "calendar", "fs.read:~/Plans/**")
    tree.until(f"document.querySelector('{NODE.format('calendar')}')?.innerText.includes('~/Plans/**')")
