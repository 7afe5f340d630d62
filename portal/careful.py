"""The request edge of the routes: whatever they raise becomes an answer in the shape of ``portal.problems``."""

from __future__ import annotations

import logging
from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.responses import Response

from portal.problems import Told, problem, status_of

log = logging.getLogger("steward.portal")


class CarefulRoute(APIRoute):
    """The request edge: whatever a handler raises becomes an answer, and the unforeseen goes to the log."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Wrap the handler."""
        handler = super().get_route_handler()

        async def careful(request: Request) -> Response:
            try:
                return await handler(request)
            except (HTTPException, RequestValidationError):
                raise
            except Exception as error:
                return _answer_for(request, error)

        return careful


def _answer_for(request: Request, error: Exception) -> Response:
    if isinstance(error, Told):
        return problem(status_of(error), error.code, str(error), error.hint)
    log.error("%s %s failed", request.method, request.url.path, exc_info=error)
    message = "Something went wrong inside Steward; this request changed nothing."
    return problem(500, "internal", message, "The log says more: ./steward log --daemon")


async def _invalid(_request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    place = ".".join(str(part) for part in first.get("loc", ())[1:])
    return problem(400, "request.invalid", f"{place or 'The body'}: {first.get('msg', 'not valid')}.")


async def _http_error(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return problem(error.status_code, f"http.{error.status_code}", str(error.detail), headers=error.headers)


def install(app: FastAPI) -> None:
    """Answer what the framework itself refuses in this shape, too."""
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http_error)
