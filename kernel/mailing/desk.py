"""The desk: what a person sets about their mail and their secrets. A secret goes in here and never comes out."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from kernel.errors import BadRequest
from kernel.mailing.post import SECRET
from memory.model import Draft
from permissions.errors import PermissionsError
from permissions.labels import KERNEL_SAID

if TYPE_CHECKING:
    from kernel.house import House


class MailDesk:
    """Sets, shows and forgets; every change is an event that says what was changed, and no secret's value."""

    def __init__(self, house: House) -> None:
        self._house = house

    def shown(self) -> dict[str, Any]:
        """Return the account, and whether its password is kept. Raises BadRequest where none is set."""
        try:
            account = asdict(self._house.post.account())
        except PermissionsError as error:
            raise _as_request(error) from error
        return {"account": account, "password": SECRET in self._house.post.vault.names()}

    async def set(self, said: Mapping[str, Any]) -> dict[str, Any]:
        """Check and keep an account. Raises BadRequest."""
        try:
            account = await asyncio.to_thread(self._house.post.set, said)
        except PermissionsError as error:
            raise _as_request(error) from error
        await self._written("mail.set", {"address": account.address})
        return self.shown()

    async def forget(self) -> None:
        """Let go of the account. Raises BadRequest where none is set."""
        try:
            await asyncio.to_thread(self._house.post.forget)
        except PermissionsError as error:
            raise _as_request(error) from error
        await self._written("mail.forgotten", {})

    def secrets(self) -> dict[str, list[str]]:
        """Return by name the hosts that each secret is for; one that the house itself uses is for none."""
        return {name: list(self._hosts(name)) for name in self._house.post.vault.names()}

    def _hosts(self, name: str) -> tuple[str, ...]:
        try:
            return self._house.post.vault.lend(name).hosts
        except PermissionsError:
            return ()  # who uses it is told why it cannot be used

    async def put_secret(self, name: str, value: str, hosts: tuple[str, ...] = ()) -> None:
        """Keep a secret for ``hosts`` (``host:port``), which a skill may have it sent to. Raises BadRequest."""
        try:
            await asyncio.to_thread(self._house.post.vault.put, name, value, hosts)
        except PermissionsError as error:
            raise _as_request(error) from error
        await self._written("secret.set", {"name": name, "hosts": list(hosts)})

    async def remove_secret(self, name: str) -> None:
        """Destroy a secret. Raises BadRequest where there is none."""
        try:
            await asyncio.to_thread(self._house.post.vault.remove, name)
        except PermissionsError as error:
            raise _as_request(error) from error
        await self._written("secret.removed", {"name": name})

    async def _written(self, kind: str, body: dict[str, Any]) -> None:
        draft = Draft(kind=kind, body=body, label=KERNEL_SAID.to_json(), durable=True)
        await asyncio.wrap_future(self._house.ledger.submit(draft))


def _as_request(error: PermissionsError) -> BadRequest:
    return BadRequest(error.code, str(error), subject=error.subject, hint=error.hint)
