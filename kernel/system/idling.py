"""Whether anybody uses the machine, as logind knows it from the desktop (org.freedesktop.login1(5), ``IdleHint``).

It tells by a signal when that changes. What this does not: know more than the desktop tells logind; one that never
says that it is idle is never idle here.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from permissions.naming import shown

if TYPE_CHECKING:
    from jeepney.io.asyncio import DBusConnection
    from jeepney.low_level import Message

NAME, PATH = "org.freedesktop.login1", "/org/freedesktop/login1"
PATIENCE_S = 3.0
_USER = f"{NAME}.User"
_PROPERTIES = "org.freedesktop.DBus.Properties"
_USUAL_BUS = "unix:path=/run/dbus/system_bus_socket"


class Idling:
    """Since when nobody has used the machine. ``clock`` is the monotonic clock, in seconds, that logind goes by."""

    def __init__(self, around: Mapping[str, str], clock: Callable[[], float] = time.monotonic) -> None:
        self._address, self._clock = around.get("DBUS_SYSTEM_BUS_ADDRESS") or _USUAL_BUS, clock
        self._since: float | None = None
        self.is_known = False

    def idle_s(self) -> float | None:
        """Return for how long nobody has used it, as far as was heard; None while somebody does."""
        return None if self._since is None else max(self._clock() - self._since, 0.0)

    async def hear(self, ring: Callable[[], None]) -> None:
        """Ring once it is known, and whenever it changes, until cancelled. Raises what a bus raises that ends."""
        self.is_known = False
        connection, path = await self._begun()
        async with connection:
            await _listen(connection, path)
            while True:
                self._take_in(await _user(connection, path))
                ring()
                await _changed(connection, path)

    async def lacking(self) -> str:
        """Return why it cannot be told whether anybody uses the machine; empty where it can."""
        try:
            connection, path = await self._begun()
            async with connection:
                told = await _user(connection, path)
        except Exception as error:  # whatever answers on that bus: nothing waits for it
            return f"{type(error).__name__}: {shown(str(error)[:100])}"
        return "" if "IdleHint" in told else "no IdleHint"

    async def _begun(self) -> tuple[DBusConnection, str]:
        from jeepney.io.asyncio import open_dbus_connection  # the start waits for none of it

        async with asyncio.timeout(PATIENCE_S):
            connection = await open_dbus_connection(self._address)
        try:
            (path,) = await _asked(connection, PATH, f"{NAME}.Manager", "GetUser", "u", (os.getuid(),))
        except BaseException:
            await connection.close()
            raise
        return connection, str(path)

    def _take_in(self, told: Mapping[str, tuple[str, Any]]) -> None:
        self.is_known = True
        since = told.get("IdleSinceHintMonotonic", ("t", 0))[1] / 1e6
        if not told["IdleHint"][1]:
            self._since = None
        elif since or self._since is None:
            self._since = since or self._clock()


async def _user(connection: DBusConnection, path: str) -> Mapping[str, tuple[str, Any]]:
    (told,) = await _asked(connection, path, _PROPERTIES, "GetAll", "s", (_USER,))
    return told if isinstance(told, dict) else {}


async def _listen(connection: DBusConnection, path: str) -> None:
    rule = f"type='signal',sender='{NAME}',path='{path}',interface='{_PROPERTIES}',member='PropertiesChanged'"
    bus = "org.freedesktop.DBus"
    await _asked(connection, "/org/freedesktop/DBus", bus, "AddMatch", "s", (rule,), name=bus)


async def _asked(
    connection: DBusConnection, path: str, interface: str, member: str, signature: str, given: tuple[Any, ...],
    name: str = NAME,
) -> tuple[Any, ...]:  # fmt: skip
    """Ask, and return the answer; a signal that comes before it is older than it. Raises OSError or EOFError."""
    from jeepney import DBusAddress, HeaderFields, MessageType, new_method_call

    message = new_method_call(DBusAddress(path, bus_name=name, interface=interface), member, signature, given)
    serial = next(connection.outgoing_serial)
    async with asyncio.timeout(PATIENCE_S):
        await connection.send(message, serial=serial)
        while True:
            reply = await connection.receive()
            if reply.header.fields.get(HeaderFields.reply_serial) == serial:
                break
    if reply.header.message_type is not MessageType.method_return:
        raise OSError(f"{member}: {reply.header.fields.get(HeaderFields.error_name)}")
    body: tuple[Any, ...] = reply.body
    return body


async def _changed(connection: DBusConnection, path: str) -> None:
    while not _is_change(await connection.receive(), path):
        pass


def _is_change(message: Message, path: str) -> bool:
    from jeepney import HeaderFields, MessageType

    fields = message.header.fields
    is_signal = message.header.message_type is MessageType.signal
    return is_signal and fields.get(HeaderFields.path) == path
