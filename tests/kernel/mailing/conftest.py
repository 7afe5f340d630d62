"""A kernel whose mail account leads to a real SMTP server on this machine."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest

from tests.mail_servers import PASSWORD, USER, PostOffice, post_office
from tests.permissions.egress.conftest import PUBLIC, Authority, Internet, authority, internet

__all__ = ["authority", "internet"]

HOST = "post.test"
Bench = Any  # tests/kernel/conftest.py


@dataclass
class Posted:
    """A kernel, the server that takes its mail, and the network between."""

    bench: Bench
    office: PostOffice
    internet: Internet
    authority: Authority

    async def ask(self, text: str, *, yes: bool = False, conversation: str = "c") -> dict[str, Any]:
        """Ask; what the plan needs is allowed, so that the run waits for its mail or has ended."""
        view = await self.bench.ask(text, yes=yes, conversation=conversation)
        while view["stage"] == "plan":
            view = await self.bench.answer(view["run"], "once")
        return dict(view)

    def connect(self) -> None:
        """Let the kernel find the server, which stands for one of the internet."""
        self.bench.kernel._house.post.egress = self.internet.egress(ca_file=self.authority.file)

    def events(self, run: str) -> list[tuple[str, dict[str, Any]]]:
        """Return the events about the mail of a run."""
        events = self.bench.kernel._house.ledger.events(run=run)
        return [(one.kind, dict(one.body or {})) for one in events if one.kind.startswith("mail.")]


@pytest.fixture
async def posted(bench: Bench, internet: Internet, authority: Authority) -> AsyncIterator[Posted]:
    async with post_office(authority.context(HOST), PUBLIC) as office:
        internet.names[HOST] = [[PUBLIC]]
        one = Posted(bench, office, internet, authority)
        one.connect()
        account = {"address": USER, "name": "Me", "smtp": {"host": HOST, "port": office.port}}
        await bench.kernel.rooms.mail.set(account)
        await bench.kernel.rooms.mail.put_secret("mail", PASSWORD)
        yield one
