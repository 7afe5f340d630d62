"""The routes of the mail account and of secrets, for the command line alone. A secret's value goes in, never out."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Depends
from pydantic import BaseModel, ConfigDict, SecretStr

from portal.callers import Json, TheKernel, peer_only
from portal.careful import CarefulRoute

router = APIRouter(prefix="/api/v1", route_class=CarefulRoute, dependencies=[Depends(peer_only)])


class AccountBody(BaseModel):
    """A mail account as ``./steward mail set`` asks for it; the kernel reads it strictly."""

    model_config = ConfigDict(extra="forbid")
    account: dict[str, Any]


class SecretBody(BaseModel):
    """The value of a secret; it is shown nowhere, not even in an error."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)
    value: SecretStr
    hosts: list[str] = []


@router.get("/mail")
async def account(kernel: TheKernel) -> Json:
    """Return the account, and whether its password is kept."""
    return kernel.rooms.mail.shown()


@router.put("/mail")
async def set_account(kernel: TheKernel, body: AccountBody) -> Json:
    """Check and keep an account."""
    return await kernel.rooms.mail.set(body.account)


@router.delete("/mail")
async def forget_account(kernel: TheKernel) -> Json:
    """Let go of the account."""
    await kernel.rooms.mail.forget()
    return {}


@router.get("/secrets")
async def secrets(kernel: TheKernel) -> Json:
    """Return the names of the secrets that are kept, and the hosts that each is for."""
    found = kernel.rooms.mail.secrets()
    return {"secrets": list(found), "hosts": found}


@router.put("/secrets/{name}")
async def put_secret(kernel: TheKernel, name: str, body: SecretBody) -> Json:
    """Keep a secret."""
    await kernel.rooms.mail.put_secret(name, body.value.get_secret_value(), tuple(body.hosts))
    return {"name": name, "hosts": body.hosts}


@router.delete("/secrets/{name}")
async def remove_secret(kernel: TheKernel, name: str) -> Json:
    """Destroy a secret."""
    await kernel.rooms.mail.remove_secret(name)
    return {"name": name}
