"""Every error as ``application/problem+json`` (RFC 9457), with a stable ``code`` and a ``hint``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Protocol, runtime_checkable

from starlette.responses import Response

from kernel import BadRequest, NotNow, UnknownRun


def problem(status: int, code: str, message: str, hint: str = "", headers: Mapping[str, str] | None = None) -> Response:
    """Build the answer for an error."""
    body = {"type": f"urn:steward:error:{code}", "title": code, "status": status, "detail": message}
    body |= {"code": code, "hint": hint}
    return Response(json.dumps(body), status, dict(headers or {}), "application/problem+json")


def status_of(error: Told) -> int:
    """Choose the HTTP status by what the caller does next."""
    match error:
        case UnknownRun():
            return 404
        case BadRequest():
            return 400
        case NotNow():
            return 409
        case _:
            return 422


@runtime_checkable
class Told(Protocol):
    """An error of any room below: a message for a person, with a stable code and what to do now."""

    code: str
    hint: str
