"""The machine's resolver, asked in threads of its own."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Sequence
from typing import Any

import pytest

from permissions.egress.addresses import refusal
from permissions.egress.resolver import SystemResolver, public_addresses
from permissions.egress.targets import Target
from permissions.errors import Refused, Unreachable


async def test_a_name_is_asked_for_as_it_is_and_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, real = [], socket.getaddrinfo

    def answer(host: str, *rest: Any, **words: Any) -> Any:
        asked.append(host)
        return real("127.0.0.1", *rest, **words)

    monkeypatch.setattr(socket, "getaddrinfo", answer)
    with pytest.raises(Refused, match="loopback"):
        await public_addresses(Target("http", "inside.test", 80, "/"), SystemResolver(), refusal)
    assert asked == ["inside.test."]  # with the dot, no search domain of this machine is tried


async def test_a_name_that_nobody_has_is_an_error_in_words() -> None:
    with pytest.raises(Unreachable) as found:
        await public_addresses(Target("http", "no-such-name.invalid", 80, "/"), SystemResolver(), lambda _: "")
    assert (found.value.code, found.value.retryable) == ("net.name", True)


async def test_an_address_is_not_looked_up() -> None:
    async def never(_host: str) -> Sequence[str]:
        raise AssertionError

    assert await public_addresses(Target("http", "8.8.8.8", 80, "/"), never, lambda _: "") == ["8.8.8.8"]


async def test_a_name_with_hundreds_of_addresses_is_cut_after_all_were_judged() -> None:
    async def many(_host: str) -> Sequence[str]:
        return [f"8.8.{part // 250}.{part % 250 + 1}" for part in range(600)]

    judged: list[str] = []
    found = await public_addresses(Target("http", "a.b", 80, "/"), many, lambda one: judged.append(one) or "")
    assert (len(found), len(judged)) == (8, 600)


async def test_name_servers_that_do_not_answer_hold_up_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    release, real = threading.Event(), socket.getaddrinfo

    def slow(host: str, *rest: Any, **words: Any) -> Any:
        if host.startswith("slow"):
            release.wait(10)
        return real("127.0.0.1", *rest, **words)

    monkeypatch.setattr(socket, "getaddrinfo", slow)
    resolver, troubles = SystemResolver(), list[object]()
    asyncio.get_running_loop().set_exception_handler(lambda _, trouble: troubles.append(trouble))
    stuck = [asyncio.create_task(resolver(f"slow{number}.test")) for number in range(30)]
    await asyncio.sleep(0)
    assert await asyncio.wait_for(asyncio.to_thread(lambda: "other work"), 2) == "other work"
    assert sum(thread.name == "steward-dns" for thread in threading.enumerate()) <= 4
    for one in stuck[:4]:
        one.cancel()  # whoever asked has left; the threads have not, and count
    await asyncio.sleep(0)
    assert sum(thread.name == "steward-dns" for thread in threading.enumerate()) <= 4
    release.set()
    assert await asyncio.gather(*stuck[4:]) == [["127.0.0.1"]] * 26
    await asyncio.gather(*stuck[:4], return_exceptions=True)
    assert troubles == [], "an answer for who has left is nobody's trouble"
