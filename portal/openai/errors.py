"""Every error in the shape that OpenAI's clients read, with the same code words as ``portal.problems`` has."""

from __future__ import annotations

import json
from collections.abc import Mapping

from starlette.responses import Response

V1 = "/v1/"

_TYPES = {401: "authentication_error", 403: "permission_error", 429: "rate_limit_error"}


def error_body(status: int, code: str, message: str, hint: str = "", param: str | None = None) -> dict[str, object]:
    """Return an error as an object; these programs show the message alone, so the hint stands in it."""
    kind = _TYPES.get(status, "server_error" if status >= 500 else "invalid_request_error")
    said = " ".join(part for part in (message, hint) if part).encode("utf-8", "replace").decode()
    return {"error": {"message": said, "type": kind, "code": code, "param": param}}


def error(
    status: int,
    code: str,
    message: str,
    hint: str = "",
    headers: Mapping[str, str] | None = None,
    *,
    param: str | None = None,
) -> Response:
    """Build the answer for an error. Only where too much was asked does it help to send it again."""
    again = {} if status == 429 else {"x-should-retry": "false"}
    body = json.dumps(error_body(status, code, message, hint, param))
    return Response(body, status, {**(headers or {}), **again}, "application/json")
