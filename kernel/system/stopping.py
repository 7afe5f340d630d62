"""Ending a program: its processes are asked to end, or made to.

What this stops: ending by one name what many different things run under (an interpreter, a shell), or what the
person's session stands on (by its name, or because most of what runs for the person runs below it); ending what is
another user's, Steward's own (the daemon, what it started, and what it runs under), or a process that took the number
of the one that was looked at meanwhile: a descriptor holds it (pidfd_open(2)), and it is looked at once more by that.
What it does not: know everything that others need (a server that another program talks to has a name like any other;
that is why a person is asked about each), or save anybody's work. A program that is asked to end may ask its person;
one that is made to cannot.
"""

from __future__ import annotations

import os
import re
import select
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Set
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from kernel.errors import TaskFailed
from kernel.system.processes import CUT, Process, process_of, processes
from kernel.system.reading import PROC

_WAIT_S = 4.0
_FEW = 8
"""Of fewer programs than these nothing is said by what runs below which."""
_NUMBER = re.compile(r"[\d.]+$")
_SHARED = frozenset(
    "python pypy perl ruby node nodejs deno bun java php lua tclsh wish mono dotnet r rscript julia sh bash dash zsh "
    "fish ksh csh tcsh busybox env sudo su doas ssh sshd login getty agetty init systemd (sd-pam) dbus-daemon "
    "dbus-broker xorg x xwayland wayland weston sway hyprland gnome-shell gnome-session gnome-session-binary mutter "
    "kwin_x11 kwin_wayland plasmashell ksmserver startplasma-x11 startplasma-wayland xfce4-session xfwm4 cinnamon "
    "mate-session lxsession lxqt-session openbox i3 gdm gdm-session-worker sddm lightdm pipewire wireplumber "
    "pulseaudio tmux screen docker-init tini dumb-init containerd-shim electron gjs wine wine64 wine-preloader "
    "wine64-preloader wineserver beam.smp pwsh nu xonsh elvish xvnc xtigervnc xvfb niri river labwc wayfire "
    "cosmic-comp cosmic-session dbus-run-session dbus-launch xdg-desktop-portal gnome-keyring-daemon ssh-agent "
    "gpg-agent".split()
)
"""By these names nothing is ended: one of them runs many things, or the session."""
Signal = Callable[[int, signal.Signals], None]


def stop(name: str, *, force: bool = False, wait_s: float = _WAIT_S, proc: Path = PROC) -> Mapping[str, Any]:
    """End every process of the person's that is called ``name``; return how many ``ended`` and are ``left``.

    Raises TaskFailed where there is none, or where it may not be ended.
    """
    if is_shared(name):
        raise _shared(name)
    everybody = processes(proc)
    called = [one for one in everybody if one.name.casefold() == name.casefold()]
    mine = [one for one in called if one.uid == os.getuid()]
    kept = ours(everybody)
    meant = [one for one in mine if one.pid not in kept]
    if not meant:
        raise _not_ended(name, called=bool(called), mine=bool(mine))
    if carries_session({one.pid for one in meant}, everybody):
        raise _shared(name)
    with ExitStack() as until:
        held = [(one, file) for one in meant if (file := _held(one, until, proc)) is not None]
        for _, file in held:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(file, signal.SIGKILL if force else signal.SIGTERM)
        left = _wait([file for _, file in held], wait_s)
    return {"program": meant[0].name, "ended": len(meant) - left, "left": left}


def is_shared(name: str) -> bool:
    """Tell whether a name is no one program's: scripts of all sorts are called ``python3``, a server ``tmux: server``.

    A name that Linux cut is that of every one that begins with it.
    """
    plain = name.casefold().partition(":")[0].strip()
    if plain in _SHARED or _NUMBER.sub("", plain) in _SHARED:
        return True
    return len(plain.encode()) >= CUT and any(one.startswith(plain) for one in _SHARED)


def carries_session(pids: Set[int], everybody: list[Process], uid: int | None = None) -> bool:
    """Tell whether most of the programs that run for a person run below ``pids``: that is a session, not a program.

    Processes of one name count once: a browser is not taken for a session because it starts many of itself.
    """
    uid = os.getuid() if uid is None else uid
    by_pid = {one.pid: one for one in everybody}
    mine = [one for one in everybody if one.uid == uid]
    names = {one.name for one in mine}
    below = {one.name for one in mine if not pids.isdisjoint(_above(one.pid, by_pid))}
    return len(names) >= _FEW and 2 * len(below) > len(names)


def ours(everybody: list[Process], self_pid: int = 0) -> frozenset[int]:
    """Return what is Steward's own: the daemon, what it started, what it runs under, and the first process."""
    by_pid = {one.pid: one for one in everybody}
    found = {1, self_pid or os.getpid()}
    found.update(_above(self_pid or os.getpid(), by_pid))
    grown = {self_pid or os.getpid()}
    while grown:
        grown = {one.pid for one in everybody if one.parent in grown and one.pid not in found}
        found |= grown
    return frozenset(found)


def _above(pid: int, by_pid: Mapping[int, Process]) -> Iterator[int]:
    seen: set[int] = set()
    while pid in by_pid and pid not in seen:
        seen.add(pid)
        pid = by_pid[pid].parent
        yield pid


def _held(one: Process, until: ExitStack, proc: Path) -> int | None:
    """Hold a process by a descriptor, if it is still the one that was looked at; None where it has ended."""
    try:
        file = os.pidfd_open(one.pid)
    except ProcessLookupError:
        return None
    until.callback(os.close, file)
    now = process_of(one.pid, proc)
    return file if now is not None and (now.started, now.uid) == (one.started, one.uid) else None


def _wait(files: list[int], wait_s: float) -> int:
    """Wait for the ends of the processes behind ``files``; return how many have not ended."""
    poll, ends_at = select.poll(), time.monotonic() + wait_s
    waiting = set(files)
    for file in files:
        poll.register(file, select.POLLIN)
    while waiting and (left_s := ends_at - time.monotonic()) > 0:
        for file, _ in poll.poll(left_s * 1000):
            poll.unregister(file)
            waiting.discard(file)
    return len(waiting)


def _shared(name: str) -> TaskFailed:
    return TaskFailed(
        "system.shared", f"Many different things run under the name {name}, so nothing was ended by it.", subject=name,
        hint="Name the program itself, or end it where it was started.",
        de=f"Unter dem Namen {name} läuft vieles Verschiedene, deshalb wurde nichts beendet.",
        de_hint="Nenne das Programm selbst, oder beende es dort, wo es gestartet wurde.",
    )  # fmt: skip


def _not_ended(name: str, *, called: bool, mine: bool) -> TaskFailed:
    if mine:
        return TaskFailed(
            "system.own", f"{name} is Steward itself, or what it runs under, and is not ended from here.", subject=name,
            hint="To end Steward: ./steward down",
            de=f"{name} ist Steward selbst oder das, worunter er läuft, und wird von hier aus nicht beendet.",
            de_hint="Steward beendest du mit: ./steward down",
        )  # fmt: skip
    if called:
        return TaskFailed(
            "system.others", f"{name} runs for another user, so it was not ended.", subject=name,
            hint="Only your own programs can be ended.",
            de=f"{name} läuft für einen anderen Benutzer und wurde deshalb nicht beendet.",
            de_hint="Nur deine eigenen Programme können beendet werden.",
        )  # fmt: skip
    return TaskFailed(
        "system.none", f"No program called {name} is running.", subject=name, hint="Ask which programs are running.",
        de=f"Es läuft kein Programm namens {name}.", de_hint="Frag, welche Programme laufen.",
    )  # fmt: skip
