"""The routes to the kernel as one application, with errors in one shape. ``portal.pages`` stands in front of it."""

from __future__ import annotations

import json
from typing import Any

from fastapi import FastAPI
from fastapi.responses import JSONResponse

from kernel import Kernel
from portal import api, careful
from portal.mcp.door import Door
from portal.openai.door import ChatDoor
from portal.routines_api import hooks
from portal.sessions import Sessions
from portal.site import Site


class PlainJson(JSONResponse):
    """JSON in ASCII: file names that are not text, and halves of characters, go through as escapes."""

    def render(self, content: Any) -> bytes:
        """Return the body."""
        return json.dumps(content, ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode("ascii")


def make_app(kernel: Kernel, site: Site, sessions: Sessions) -> FastAPI:
    """Build the application. It has no guard of its own: ``portal.host`` puts one in front of each socket."""
    app = FastAPI(
        title="Steward",
        default_response_class=PlainJson,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    app.state.kernel = kernel
    app.state.site = site
    app.state.sessions = sessions
    app.state.mcp = door = Door(kernel, site)
    app.router.routes.extend([*door.routes(), ChatDoor(kernel, site, door.pace).route()])
    app.include_router(api.api)
    app.include_router(hooks)
    careful.install(app)
    return app
