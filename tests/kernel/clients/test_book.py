"""Who is a client: made again from events; a token opens for exactly the one that it was given to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from kernel.clients.book import ADDED, REMOVED, ClientBook, digest_of, from_json, to_json
from kernel.clients.model import Client
from memory.model import Event


def client(name: str, token: str) -> Client:
    return Client(name, digest_of(token), f"key-{name}-{len(token)}", 1.0)


def told(*events: tuple[str, Mapping[str, Any] | None]) -> list[Event]:
    return [Event(n, n * 10**9, kind, None, None, body, None, "") for n, (kind, body) in enumerate(events, 1)]


ONE, TWO = client("one", "t-one"), client("two", "t-two")


def test_a_token_is_whose_it_is_and_nobody_s_else() -> None:
    book = ClientBook(told((ADDED, to_json(ONE)), (ADDED, to_json(TWO))))
    assert [book.whose(token) for token in ("t-one", "t-two")] == [ONE, TWO]
    assert [book.whose(token) for token in ("", "t-on", "t-one ", "T-ONE", ONE.digest.hex(), ONE.key, "\udcff")] == [
        None
    ] * 7


def test_a_removed_client_has_no_token_and_its_namesake_another_one() -> None:
    again = client("one", "t-new")
    book = ClientBook(told((ADDED, to_json(ONE)), (REMOVED, {"name": "one"})))
    assert (book.whose("t-one"), book.every()) == (None, ())
    book = ClientBook(told((ADDED, to_json(ONE)), (REMOVED, {"name": "one"}), (ADDED, to_json(again))))
    assert (book.whose("t-one"), book.whose("t-new")) == (None, again)


@pytest.mark.parametrize("change", [{"digest": "00"}, {"digest": "x"}, {"name": ""}, {"key": ""}, {"at_s": "soon"}])
def test_a_client_that_cannot_be_read_opens_nothing_and_the_others_do(change: dict[str, Any]) -> None:
    book = ClientBook(told((ADDED, {**to_json(ONE), **change}), (ADDED, to_json(TWO)), (ADDED, None)))
    assert book.every() == (TWO,)


def test_what_is_kept_gives_no_token_away() -> None:
    assert "t-one" not in str(to_json(ONE))
    assert from_json(to_json(ONE)) == ONE
