"""Models that can be asked: which endpoints there are, what each may see, and how one is asked.

Steward understands requests without a language model; with one it gets better. It promises: an endpoint is set and
bound to a role by a person alone, and none stands in for another; a prompt holds only what its host may see; what a
question may use is reserved before and settled after; it ends in time whatever the server does; and it is written down.
Nothing but its nouns is loaded before a person has bound an endpoint and somebody asks it.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from kernel.errors import BadRequest, ModelFailed
from kernel.models.model import Endpoint, Message, Prompt, Reply, Role, Seen, Usage, Way
from skills import one_import

if TYPE_CHECKING:
    from kernel.models.asking import Line
    from kernel.models.book import Book
    from kernel.run import Run

__all__ = ["Endpoint", "Message", "Models", "Prompt", "Reply", "Role", "Seen", "Usage", "Way"]


class Models:
    """The models of the house. ``file`` is what a person has set, read at each use that finds it changed."""

    def __init__(self, file: Path, ca_file: Path | None = None) -> None:
        self.file = file
        self._ca_file = ca_file
        self._read: tuple[tuple[int, int, int], Book] | None = None
        self._line: Line | None = None

    def endpoint(self, role: Role) -> Endpoint | None:
        """Return the endpoint that ``role`` is bound to; None where it is to none, or what was set cannot be read."""
        try:
            bound = self._bound(role)
        except BadRequest:  # ``models list`` and the doctor say what is wrong; a request goes on without a model
            return None
        return bound[0] if bound else None

    def names(self, *roles: Role) -> tuple[str, ...]:
        """Return what the endpoints are called that these roles are bound to, each once; the first of each role."""
        found = (self.endpoint(role) for role in roles)
        return tuple(dict.fromkeys(one.name for one in found if one is not None))

    async def ask(self, role: Role, prompt: Prompt, run: Run, *, deadline_s: float) -> Reply:
        """Ask the model of a role on behalf of ``run``. Raises ModelFailed.

        A second endpoint is asked only where a person has named one for the role, and the first gave nothing.
        """
        from kernel.models import asking, wording

        ends = time.monotonic() + deadline_s
        try:
            bound = self._bound(role)
        except BadRequest as error:
            raise wording.failed("model.none", str(error).rstrip("."), hint=error.hint) from error
        if not bound:
            raise wording.failed("model.none", f"no endpoint is bound to the role {role}")
        first, *others = bound
        try:
            return await asking.ask(first, role, prompt, asking.Behalf.of(run), self.line(), deadline_s)
        except ModelFailed as error:
            left_s = ends - time.monotonic()
            if not others or error.code not in wording.ELSEWHERE or left_s <= 0:
                raise
        return await asking.ask(others[0], role, prompt, asking.Behalf.of(run), self.line(), left_s)

    def line(self) -> Line:
        """Return what all questions share."""
        if self._line is None:
            from kernel.models.asking import Line
            from kernel.models.breaker import Breakers

            self._line = Line(Breakers(), self._ca_file)
        return self._line

    def book(self) -> Book:
        """Return what a person has set. Raises BadRequest (``model.config``)."""
        from kernel.models.book import Book, read_book  # no request loads it where there is no file

        try:
            status = self.file.lstat()
        except FileNotFoundError:
            return Book()
        mark = (status.st_mtime_ns, status.st_ino, status.st_size)
        if self._read is None or self._read[0] != mark:
            self._read = (mark, read_book(self.file))
        return self._read[1]

    def _bound(self, role: Role) -> tuple[Endpoint, ...]:
        if not self.file.exists():
            return ()
        with one_import:
            return self.book().of(role)
