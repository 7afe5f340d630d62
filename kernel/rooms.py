"""The rooms that a person goes into now and then: skills that come and go or are written, servers, mail, offers.

Each is put together when it is first asked for, with all that it reads packages or speaks with servers with: no start
waits for it. Everything here is a person's own doing; no request comes this way.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kernel.house import House
from skills import one_import

if TYPE_CHECKING:
    from kernel.anticipation.offers import Offers
    from kernel.authoring.developing import Developing
    from kernel.authoring.proposals import Proposals
    from kernel.backup.taking import Backups
    from kernel.installing.installed import Installed
    from kernel.macros.managing import Macros
    from kernel.mailing.desk import MailDesk
    from kernel.manners import Manners
    from kernel.models.desk import ModelDesk
    from kernel.serving.servers import Servers
    from kernel.serving.wishes import Asked
    from kernel.suggestions.suggestions import Suggestions


TIDY_AFTER_S = 20.0
"""So long after its start a daemon looks for what others left: nobody who has just started it waits then."""

HOURLY_S = 3600.0
_LEFT_IN = ("skills-written", "servers-new", "quarantine", "environments")


class Rooms:
    """What a person does beside asking. ``outline`` returns a run as it is shown, ``look_on`` has the rest of what was
    done looked at.
    """

    def __init__(
        self, house: House, outline: Callable[[str], dict[str, Any]], macros: Macros, look_on: Callable[[], None]
    ) -> None:
        self._house = house
        self._look_on = look_on
        self._outline = outline
        self._macros = macros
        self._installed: Installed | None = None
        self._developing: Developing | None = None
        self._servers: Servers | None = None
        self._manners: Manners | None = None
        self._offers: Offers | None = None
        self._suggestions: Suggestions | None = None
        self._backups: Backups | None = None

    @property
    def backups(self) -> Backups:
        """What Steward keeps of the person, in one file."""
        if self._backups is None:
            from kernel.backup.taking import Backups

            self._backups = Backups(self._house)
        return self._backups

    @property
    def installed(self) -> Installed:
        """What a person does with skills: install, go back, pin, verify, remove."""
        if self._installed is None:
            with one_import:
                from kernel.installing.installed import Installed

            self._installed = Installed(self._house)
        return self._installed

    @property
    def developing(self) -> Developing:
        """Skills that a person is writing, each beside the installed ones until they stop."""
        if self._developing is None:
            with one_import:
                from kernel.authoring.developing import Developing

            self._developing = Developing(self._house, self.installed.tidy)
        return self._developing

    @property
    def proposals(self) -> Proposals:
        """What requests that failed and were then explained propose for installed skills."""
        with one_import:
            from kernel.authoring.proposals import Proposals

        return Proposals(self._house, self.installed)

    async def draft_skill(self, run: str, name: str, folder: str) -> dict[str, Any]:
        """Write a skill made of a run that went well; nothing is installed. Raises BadRequest, UnknownRun."""
        with one_import:
            from kernel.authoring.from_run import drafted

        return await asyncio.to_thread(drafted, self._house, run, self._outline(run), name, folder)

    @property
    def servers(self) -> Servers:
        """What a person does with MCP servers: add, look at again, list, remove."""
        if self._servers is None:
            with one_import:
                from kernel.serving.servers import Servers

            self._servers = Servers(self._house, self.installed)
        return self._servers

    @staticmethod
    def asked_server(told: Mapping[str, Any]) -> Asked:
        """Return a server as a client describes it."""
        from kernel.serving.wishes import Asked

        return Asked(**told)

    @property
    def manners(self) -> Manners:
        """When, and how often, something may be shown that nobody asked for."""
        if self._manners is None:
            from kernel.manners import Manners

            settings = self._house.settings
            self._manners = Manners(self._house.ledger, settings.attention, settings.quiet_hours)
        return self._manners

    def mannered(self) -> dict[str, Any]:
        """Return how often a day, and when not, something is shown that nobody asked for."""
        return self.manners.to_json(self._house.clock())

    @property
    def offers(self) -> Offers:
        """What the person may want to say next."""
        if self._offers is None:
            with one_import:
                from kernel.anticipation.offers import Offers

            self._offers = Offers(self._house, self.manners)
        return self._offers

    @property
    def suggestions(self) -> Suggestions:
        """What the person does again and again, offered to be kept."""
        if self._suggestions is None:
            with one_import:
                from kernel.suggestions.suggestions import Suggestions

            self._suggestions = Suggestions(self._house, self.manners, self._macros, self._outline, self._look_on)
        return self._suggestions

    @property
    def mail(self) -> MailDesk:
        """The person's mail account, and the secrets that the daemon keeps."""
        from kernel.mailing.desk import MailDesk

        return MailDesk(self._house)

    @property
    def models(self) -> ModelDesk:
        """The models that a person has named."""
        with one_import:
            from kernel.models.desk import ModelDesk

        return ModelDesk(self._house)

    async def keep_tidy(self, after_s: float = TIDY_AFTER_S, again_s: float = HOURLY_S) -> None:
        """Let go, some time after a start and then every hour, of what killed commands and daemons have left."""
        await asyncio.sleep(after_s)
        while True:
            try:
                await self.tidy(again_s)
            except Exception as error:  # nobody waits for this: a fault goes to the log, the next hour is another try
                self._house.report(error)
            await asyncio.sleep(again_s)

    async def tidy(self, unused_s: float = 0.0) -> None:
        """Let go of copies that nobody works on, and of Python packages that no skill needs.

        Packages that somebody tests a skill with, or did within ``unused_s``, stay: the next test finds them.
        """
        holds = {name for name in _LEFT_IN if _holds_any(self._house.folders.data / name)}
        if "skills-written" in holds and self._developing is None:
            _ = self.developing  # made for the first time, it lets go of what an earlier daemon's was written in
        if "servers-new" in holds and self._servers is None:
            _ = self.servers
        if "environments" in holds:
            await self.installed.tidy(unused_s)
        elif "quarantine" in holds and self._installed is None:
            _ = self.installed

    async def close(self) -> None:
        """End what a person left open: skills that are being written count no longer."""
        if self._developing is not None:
            await self._developing.close()


def _holds_any(folder: Path) -> bool:
    return folder.is_dir() and any(folder.iterdir())
