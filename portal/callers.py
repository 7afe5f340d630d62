"""What a route is handed: the kernel, what is known of this process, and who calls."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends, Request
from starlette.exceptions import HTTPException

from kernel import Kernel
from portal.guard import Caller, Channel
from portal.site import Site

Json = dict[str, Any]


_CHANNELS = {Channel.PEER: "cli", Channel.PAGE: "page"}


def channel_of(caller: Caller) -> str:
    """Return the word of the record for how a caller came in."""
    return _CHANNELS.get(caller.channel, "api")


def kernel_of(request: Request) -> Kernel:
    """Return the kernel that this application serves."""
    kernel: Kernel = request.app.state.kernel
    return kernel


def site_of(request: Request) -> Site:
    """Return what this application knows about its own process and port."""
    site: Site = request.app.state.site
    return site


def caller_of(request: Request) -> Caller:
    """Return who the guard let in."""
    caller: Caller = request.scope["steward.caller"]
    return caller


TheKernel = Annotated[Kernel, Depends(kernel_of)]
TheSite = Annotated[Site, Depends(site_of)]
TheCaller = Annotated[Caller, Depends(caller_of)]


def peer_only(caller: TheCaller) -> None:
    """Let only the Unix socket's callers in: these routes widen rights or end the daemon."""
    if caller.channel is not Channel.PEER:
        raise HTTPException(403, "Only the command line may do this.")


def person_only(caller: TheCaller) -> None:
    """Let in the command line and a signed-in page, where a person reads a review: no program with the token."""
    if caller.channel not in (Channel.PEER, Channel.PAGE):
        raise HTTPException(403, "Only the person may do this, on the page or at the command line.")
