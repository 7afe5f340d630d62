"""Opening a file, a folder or a web address with the program that the person has chosen for it (xdg-open(1)).

What this stops: anything that could run being opened: a program, a script that may run, a ``.desktop`` file, an
installer, whatever it is called and whichever link leads there; a device or a pipe; a web address of this machine or
its network, or one that carries a name and a password.
What it does not: look into a document. A viewer may have holes, and what it opens may change between the look and the
opening; that is why a person is asked about each, with the whole path.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import stat
from collections.abc import Mapping
from io import FileIO

from kernel.desktop.programs import lacking
from kernel.desktop.session import session
from kernel.errors import TaskFailed
from kernel.firewall import leads_inside
from permissions.egress import place_of

_STARTS = tuple(
    ".desktop .appimage .bat .bin .cmd .com .command .cpl .deb .exe .flatpak .flatpakref .hta .inf .jar .jnlp .js .jse "
    ".lnk .msi .msp .pif .ps1 .reg .rpm .run .scr .sh .snap .url .vbe .vbs .webloc .wsf .wsh .xpi".split()
)
_PROGRAMS = (b"\x7fELF", b"MZ", b"[Desktop Entry]")
_LOOKED_AT = 4096
_WAIT_S = 3.0
_LOOK_S = 10.0
_ABSENT, _NO_PROGRAM = 2, 3
_DETACHED = '(xdg-open "$1" >/dev/null 2>&1 3>&-; echo $? >&3) 3>&1 >/dev/null 2>&1 </dev/null &'
"""What it opens is no child of the daemon's: it lives on, and may be ended by its person. Only a status comes back."""


async def open_place(place: str, around: Mapping[str, str] | None = None) -> None:
    """Open ``place``, a whole path or a web address, in the person's session. Raises TaskFailed, PermissionsError."""
    target = await _looked_at(place) if place.startswith("/") else _checked_address(place)
    shown = session(around).variables
    if shutil.which("xdg-open", path=shown.get("PATH")) is None:
        raise lacking("that opens files", "das Dateien öffnet", "xdg-utils")
    status = await _status(target, shown)
    if status:
        raise _not_opened(place, status)


async def _status(target: str, variables: Mapping[str, str]) -> int:
    """Return the status of xdg-open; 0 where it goes on, since then it is the viewer itself."""
    reader, writer = os.pipe()
    with FileIO(reader) as said:
        try:
            process = await asyncio.create_subprocess_exec(
                "/bin/sh", "-c", _DETACHED, "sh", target, env=dict(variables), cwd="/", start_new_session=True,
                stdin=asyncio.subprocess.DEVNULL, stdout=writer, stderr=asyncio.subprocess.DEVNULL,
            )  # fmt: skip
        finally:
            os.close(writer)
        await process.wait()
        word = await _said(said)
    return int(word) if word.strip().isdigit() else 1


async def _said(pipe: FileIO) -> bytes:
    """Return what is said first on a pipe; "0" where nothing is said in time."""
    stream = asyncio.StreamReader()
    transport, _ = await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(stream), pipe
    )
    try:
        async with asyncio.timeout(_WAIT_S):
            return await stream.read(16)
    except TimeoutError:
        return b"0"
    finally:
        transport.close()


async def _looked_at(place: str) -> str:
    """Return where ``place`` really is; a disk that does not answer holds nothing else up. Raises TaskFailed."""
    try:
        async with asyncio.timeout(_LOOK_S):
            return await asyncio.to_thread(_checked_path, place)
    except TimeoutError as error:
        raise _not_opened(place, _ABSENT) from error


def _checked_path(place: str) -> str:
    real = os.path.realpath(place)
    try:
        descriptor = os.open(real, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError as error:
        raise _not_opened(place, _ABSENT) from error
    try:
        named = any(name.casefold().endswith(_STARTS) for name in (place, real))  # folders too: some start a bundle
        if named or _could_run(descriptor):
            raise _would_run(place)
    finally:
        os.close(descriptor)
    return real


def _could_run(descriptor: int) -> bool:
    """Tell whether what was opened could run, or is no file or folder."""
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISDIR(mode):
        return False
    return not stat.S_ISREG(mode) or bool(mode & 0o111) or _begins_as_program(descriptor)


def _begins_as_program(descriptor: int) -> bool:
    """Tell whether a file begins as what runs; a script that may not run is a text and is shown as one."""
    try:
        head = os.read(descriptor, _LOOKED_AT)
    except OSError:
        return True
    return head.startswith(_PROGRAMS[:2]) or _PROGRAMS[2] in head


def _checked_address(address: str) -> str:
    place_of(address)
    if leads_inside(address):
        raise TaskFailed(
            "desktop.inside", f"{address} leads to this machine or its own network.", subject=address,
            hint="Only addresses of the internet are opened.",
            de=f"{address} führt zu diesem Rechner oder in sein eigenes Netz.",
            de_hint="Geöffnet werden nur Adressen des Internets.",
        )  # fmt: skip
    return address


def _would_run(place: str) -> TaskFailed:
    return TaskFailed(
        "desktop.program_file", f"{place} could run as a program, so it was not opened.", subject=place,
        hint="Start programs yourself; if it is a document, take away its right to run (chmod -x).",
        de=f"{place} könnte als Programm laufen und wurde deshalb nicht geöffnet.",
        de_hint="Starte Programme selbst; ist es ein Dokument, nimm ihm das Recht, zu laufen (chmod -x).",
    )  # fmt: skip


def _not_opened(place: str, status: int) -> TaskFailed:
    if status == _ABSENT:
        return TaskFailed(
            "desktop.absent", f"{place} is not there, or cannot be read.", subject=place, hint="Check the name.",
            de=f"{place} ist nicht da oder nicht lesbar.", de_hint="Prüfe den Namen.",
        )  # fmt: skip
    return TaskFailed(
        "desktop.no_handler", f"Your desktop knows no program that opens {place}.", subject=place,
        hint="Choose one in the file manager (Open with), then ask again.",
        de=f"Dein Desktop kennt kein Programm, das {place} öffnet.",
        de_hint="Wähle im Dateimanager eines aus (Öffnen mit) und frag dann noch einmal.",
    )  # fmt: skip
