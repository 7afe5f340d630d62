"""Real clients of the protocol's own library against a real daemon: over HTTP and over the command, in both modes."""

from __future__ import annotations

import asyncio
import itertools
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from portal.wire import is_listening

Installation = Any  # tests/portal/conftest.py

WAYS = [("http", "auto"), ("http", "legacy"), ("command", "auto"), ("command", "legacy")]
WAIT_S = 60
"""So long a call waits for the person here (STEWARD_CLIENT_WAIT_S)."""

_numbers = itertools.count(1)
_made: dict[str, list[str]] = {}
_MOST = 20
"""Clients of one installation at a time; the tests of those made earlier are over."""


def new_client(installation: Installation, *offers: str) -> tuple[str, str]:
    """Make a client that may call ``offers`` besides; return its name and its token. There are never too many.

    What a command would do is done in this process: a test of its own tries the commands.
    """
    if not is_listening(installation.places):
        assert installation.steward("up").code == 0
    name, made_here = f"client-{next(_numbers)}", _made.setdefault(str(installation.places.socket), [])
    with installation.client() as person:
        if len(made_here) >= _MOST:
            person.remove_client(made_here.pop(0))
        made_here.append(name)
        token = str(person.add_client(name)["token"])
        if offers:
            person.allow_client(name, offers)
    return name, token


def address(installation: Installation) -> str:
    with installation.client() as client:
        return f"{client.status()['address']}/mcp"


def serving(installation: Installation, name: str) -> StdioServerParameters:
    """The command as a program's configuration has it."""
    return StdioServerParameters(
        command=sys.executable, args=["-P", "-m", "portal.cli", "mcp", "serve", "--client", name],
        env=installation.environ, cwd=str(installation.home),
    )  # fmt: skip


@asynccontextmanager
async def over_http(installation: Installation, token: str, **more: Any) -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {token}"}
    timeout = httpx2.Timeout(30, read=100)
    url = address(installation)
    async with (
        httpx2.AsyncClient(headers=headers, timeout=timeout) as http,
        Client(streamable_http_client(url, http_client=http), **more) as client,
    ):
        yield client


@asynccontextmanager
async def connected(
    installation: Installation, way: tuple[str, str], who: tuple[str, str], **more: Any
) -> AsyncIterator[Client]:
    """A client of this name and token, connected in one of the WAYS."""
    kind, mode = way
    if kind == "http":
        async with over_http(installation, who[1], mode=mode, **more) as client:
            yield client
    else:
        async with Client(serving(installation, who[0]), mode=mode, **more) as client:
            yield client


async def waiting_run(installation: Installation, client: str, longest_s: float = 60) -> str:
    """Return the run of ``client`` that waits for the person, when there is one."""
    async with asyncio.timeout(longest_s):
        while True:
            for one in await asyncio.to_thread(_approvals, installation):
                if one["client"] == client:
                    return str(one["run"])
            await asyncio.sleep(0.05)


def _approvals(installation: Installation) -> list[dict[str, Any]]:
    with installation.client() as client:
        return client.approvals()


def view_of(installation: Installation, run: str) -> dict[str, Any]:
    with installation.client() as client:
        return client.view(run)


async def ended(installation: Installation, run: str, longest_s: float = 30) -> str:
    """Return how a run ended, when it has."""
    async with asyncio.timeout(longest_s):
        return await asyncio.to_thread(_end_of, installation, run)


def _end_of(installation: Installation, run: str) -> str:
    while (view := view_of(installation, run))["resolution"] == "pending":
        time.sleep(0.05)
    return str(view["resolution"])
