"""Notices on the person's desktop, over the session's D-Bus (Desktop Notifications Specification 1.2).

The daemon sends them, no cell ever does. What this stops: a text standing on a command line, which everybody on the
machine can read; a text being read as markup (a link, a picture),
or a desktop that does not answer holding anything up.
What it does not: know that a person looked.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING, Any

from kernel.desktop.session import variables
from permissions.naming import shown

if TYPE_CHECKING:
    from jeepney.low_level import Message

NAME, PATH = "org.freedesktop.Notifications", "/org/freedesktop/Notifications"
PATIENCE_S = 3.0
LONGEST = 400


async def notify(title: str, text: str, environ: Mapping[str, str] | None = None) -> bool:
    """Show a notice that goes away by itself; tell whether the desktop took it. False where nothing shows notices."""
    return not await asyncio.to_thread(Notices(environ).show, title, text, stays=False)


class Notices:
    """The notices of the person's session, if there is one."""

    def __init__(self, environ: Mapping[str, str] | None = None) -> None:
        self._environ = os.environ if environ is None else environ

    def show(self, title: str, text: str, *, stays: bool = True) -> str:
        """Show a notice, which ``stays`` until it is closed. Return why it could not be shown, empty when it was."""
        hints = {"urgency": ("y", 1), "category": ("s", "x-steward.reminder" if stays else "x-steward.notice")}
        cut = text if len(text) <= LONGEST else text[:LONGEST] + " …"
        body = escape("\n".join(map(shown, cut.split("\n"))), quote=False)
        _, why = self._call("Notify", "susssasa{sv}i", ("Steward", 0, "", shown(title)[:LONGEST], body, [], hints,
                                                      0 if stays else -1))  # fmt: skip
        return why

    def state(self) -> tuple[bool, str]:
        """Tell whether notifications can be shown, and by whom or why not."""
        found, why = self._call("GetServerInformation", "", ())
        return (not why, why or f"shown by {shown(str(found[0]))} {shown(str(found[2]))}")

    def _call(self, method: str, signature: str, arguments: tuple[Any, ...]) -> tuple[tuple[Any, ...], str]:
        """Return the answer of the notification service, and why there is none."""
        address = variables(self._environ).get("DBUS_SESSION_BUS_ADDRESS", "")
        if not address:
            return (), "there is no desktop session here (no session bus)"
        try:
            from jeepney import DBusAddress, new_method_call  # the start waits for none of it
            from jeepney.io.blocking import open_dbus_connection

            service = DBusAddress(PATH, bus_name=NAME, interface=NAME)
            message = new_method_call(service, method, signature or None, arguments)
            with open_dbus_connection(bus=address) as connection:
                reply = connection.send_and_get_reply(message, timeout=PATIENCE_S)
        except ImportError:
            return (), "the package jeepney is not installed"
        except Exception as error:  # whatever answers on that bus: nothing waits for it
            return (), f"the session bus does not answer: {type(error).__name__}: {shown(str(error)[:100])}"
        return _answer(reply)


def _answer(reply: Message) -> tuple[tuple[Any, ...], str]:
    from jeepney import MessageType

    if reply.header.message_type is MessageType.method_return:
        return reply.body, ""
    what = str(reply.body[0]) if reply.body and isinstance(reply.body[0], str) else "it refused"
    return (), f"no program shows notifications on this desktop ({shown(what[:100])})"
