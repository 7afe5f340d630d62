"""Doctor: one line per capability of this machine and installation, and the one command that mends it."""

from __future__ import annotations

import importlib.util
import os
import shutil
from typing import TYPE_CHECKING, Any

from kernel.errors import BadRequest
from kernel.limits.rule import FIRST_BYTES
from permissions import survey

if TYPE_CHECKING:
    from kernel.house import House


def examine(house: House) -> list[dict[str, Any]]:
    """Return name, ok, state and remedy of every capability, the wall first."""
    level, note = house.level()
    state = f"calls run at level {level}" + (f": {note}" if note else "")
    lines = [_line("sandbox", level == "L3", state, _wall_remedy(level)), _wall_test(house)]
    lines += [_line(found.name, found.ok, found.state, found.remedy) for found in survey()]
    lines += [
        _memory(house),
        _encoder(house),
        _line("vectors", *house.recollection.vectors.examine()),
        _skills(house),
        _reminders(house),
        _ledger(house),
        _changes(house),
        _disk(house),
        _backups(house),
        _model(house),
        _voice(),
        _gpu(),
    ]
    return lines


def _line(name: str, ok: bool, state: str, remedy: str = "") -> dict[str, Any]:
    return {"name": name, "ok": ok, "state": state, "remedy": "" if ok else remedy}


def _wall_remedy(level: str) -> str:
    return "" if level == "L3" else "see the lines below for what is missing"


def wall_words(house: House) -> str:
    """Say what the self-test of the wall has found."""
    found = house.wall
    if found is None:
        return "not tried yet: it is, a few seconds after the start"
    if not found.tried:
        return f"could not be tried: {found.why}" if found.why else f"nothing is refused at {found.claimed}"
    told = (
        f"{found.tried - len(found.failed)} of {found.tried} forbidden acts were refused in a cell of {found.claimed}"
    )
    return f"{told}; {found.why}" if found.why else told


def _wall_test(house: House) -> dict[str, Any]:
    found = house.wall
    good = found is None or (not found.failed and found.tried > 0)
    return _line("wall test", good, wall_words(house), "./steward down, ./steward up; if it stays, report it")


def _memory(house: House) -> dict[str, Any]:
    """Say what the next calls begin with, where that was learned from earlier ones."""
    seen = set(house.memory.tools())
    tools = [tool for tool in house.registry.tools() if tool.id in seen]
    known = [one for tool in tools for one in house.memory.view(tool.id, tool.limits.memory_bytes)]
    if not known:
        return _line(
            "memory limits",
            True,
            f"nothing is learned yet: a tool begins with what it asks for, {FIRST_BYTES >> 20} MiB at most",
        )
    most = max(known, key=lambda one: int(one["reserve_bytes"]))
    state = f"learned for {len(tools)} tools; {most['tool']} begins with the most: {most['reserve_bytes'] >> 20} MiB"
    return _line("memory limits", True, f"{state} (./steward perms explain TOOL memory)")


def _encoder(house: House) -> dict[str, Any]:
    state = house.learning.encoder_state
    return _line("encoder", not state.startswith("missing"), state, "./steward setup")


def _skills(house: House) -> dict[str, Any]:
    problems = house.registry.problems()
    count = len(house.registry.skills())
    if problems:
        return _line("skills", False, f"{count} loaded, {len(problems)} not: {problems[0]}", "./steward skills")
    return _line("skills", True, f"{count} loaded")


def _reminders(house: House) -> dict[str, Any]:
    """Say where reminders are shown, and whether what skills keep on the clock can be read."""
    from kernel.desktop import Notices

    problems = house.keeper.problems if house.keeper is not None else {}
    if problems:
        skill, why = next(iter(problems.items()))
        return _line("reminders", False, f"{skill}: {why}", f"./steward skills, and report it to {skill}'s author")
    shows, state = Notices().state()
    return _line("reminders", True, f"on the page and the desktop, {state}" if shows else f"on the page only: {state}")


def _ledger(house: House) -> dict[str, Any]:
    found = house.ledger.verify()
    if found.ok:
        return _line("ledger", True, f"{found.events} events, all whole")
    first = found.problems[0]
    state = f"{len(found.problems)} of {found.events} events are damaged, the first is {first.seq}: {first.reason}"
    return _line("ledger", False, state, "./steward ledger verify")


def _changes(house: House) -> dict[str, Any]:
    """Say whether every change is made or taken back; name what waits for its disk."""
    found = list(house.half_done("en").values())
    if not found:
        return _line("changes", True, "each is made, or taken back")
    more = f" And {len(found) - 1} more." if len(found) > 1 else ""
    why = f" ({found[0]['why']})" if found[0]["why"] else ""
    return _line("changes", False, f"{found[0]['message']}{why}{more}", found[0]["hint"])


def _disk(house: House) -> dict[str, Any]:
    free = shutil.disk_usage(house.folders.data).free
    return _line("disk", free > 1 << 30, f"{free / 1e9:.1f} GB free for Steward's data", "free some space")


def _backups(house: House) -> dict[str, Any]:
    """Say when the last backup was taken, and which ones may hold what was forgotten since."""
    from kernel.backup.book import read_book  # no start waits for it

    try:
        taken = read_book(house.folders.data).taken
    except BadRequest as error:
        return _line("backups", False, str(error), error.hint)
    if not taken:
        return _line("backups", True, "none was taken yet: ./steward backup FILE")
    last = max(taken, key=lambda one: one.at_s)
    days = max(0, int((house.clock().timestamp() - last.at_s) // 86_400))
    when = "today" if days == 0 else "yesterday" if days == 1 else f"{days} days ago"
    state = f"the last was taken {when}: {last.path}" + ("" if os.path.isfile(last.path) else " (not there now)")
    behind = [one.path for one in taken if one.behind]
    if behind:
        state = f"{len(behind)} could not be reached by a forget and may hold what is forgotten; {state}"
        return _line("backups", False, state, f"remove it: {behind[0]}")
    return _line("backups", True, state)


def _model(house: House) -> dict[str, Any]:
    from kernel.models.desk import state_of  # no start waits for it

    good, state, remedy = state_of(house)
    return _line("model", good, state, remedy)


def _voice() -> dict[str, Any]:
    have = importlib.util.find_spec("pocketsphinx") is not None
    state = "pocketsphinx is installed" if have else "no speech recogniser for this Python"
    return _line("voice", have, state, "./steward setup")


def _gpu() -> dict[str, Any]:
    have = os.path.exists("/dev/nvidia0")
    return _line("gpu", True, "an NVIDIA GPU is there" if have else "none; kernels are optimised for the CPU")
