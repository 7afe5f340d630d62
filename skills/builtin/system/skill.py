"""What can be said about this computer, and ending one of its programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Literal

from skills.sdk import Context, ErrorWords, Query, Title, words

from . import judging, naming, telling

What = Literal["memory", "processor"]
Manner = Literal["ask", "force"]

_MOST_NAMED = 40

_no_disks = ErrorWords(
    "system.nothing", "This computer shows no disks.", "./steward doctor",
    "Dieser Rechner zeigt keine Festplatten.", "./steward doctor",
)  # fmt: skip
_no_sensors = ErrorWords(
    "system.nothing", "This computer has no sensors that tell a temperature.", "Virtual machines have none.",
    "Dieser Rechner hat keine Fühler, die eine Temperatur melden.", "Virtuelle Maschinen haben keine.",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Disk:
    """A disk: where it is, how large it is, and what is free."""

    place: str
    total_bytes: int
    free_bytes: int


@dataclass(frozen=True, slots=True)
class Memory:
    """The memory of the computer, and what programs can still have of it."""

    total_bytes: int
    free_bytes: int


@dataclass(frozen=True, slots=True)
class Program:
    """A program that runs: how many processes, how much memory, and which share of one processor."""

    name: str
    processes: int
    memory_bytes: int
    processor: float


@dataclass(frozen=True, slots=True)
class Answer:
    """What was found, in one line."""

    text: str


def disks(ctx: Context) -> list[Disk]:
    """Tell how much space is free on the disks of this computer."""
    found = [Disk(**one) for one in ctx.system("disks")["disks"]]
    if not found:
        raise _no_disks()
    ctx.table(telling.heads(ctx, "disk", "free", "size"),
              [(one.place, words.size(one.free_bytes, ctx.language), words.size(one.total_bytes, ctx.language))
               for one in found])  # fmt: skip
    ctx.say(telling.disks(found, "en"), de=telling.disks(found, "de"))
    return found


def memory(ctx: Context) -> Memory:
    """Tell how much memory this computer has, and how much of it is free."""
    fact = ctx.system("memory")
    ctx.say(telling.memory(fact, "en"), de=telling.memory(fact, "de"))
    return Memory(fact["total_bytes"], fact["available_bytes"])


def load(ctx: Context) -> Answer:
    """Tell how busy the processor of this computer is."""
    fact = ctx.system("load")
    return _answer(ctx, telling.load(fact, "en"), telling.load(fact, "de"))


def hungriest(ctx: Context, what: What = "memory", count: int = 5) -> list[Program]:
    """Tell which programs use the most memory, or the most of the processor.

    Args:
        what: memory or processor.
        count: how many programs to name.
    """
    fact = ctx.system("programs")
    key = "memory_bytes" if what == "memory" else "busy"
    found = sorted(fact["programs"], key=lambda one: -one[key])[: max(count, 1)]
    found = [one for one in found if one[key] > 0] or found[:1]
    _program_table(ctx, found)
    ctx.say(telling.hungriest(found, what, "en"), de=telling.hungriest(found, what, "de"))
    return [_program(one) for one in found]


def programs(ctx: Context) -> list[Program]:
    """List the programs that are running."""
    every = ctx.system("programs")["programs"]
    found = sorted((one for one in every if one["mine"]), key=lambda one: str(one["name"]).casefold())
    _program_table(ctx, found)
    names = [str(one["name"]) for one in found]
    ctx.say(
        f"{words.count(len(found), 'program', 'programs')} of yours {'is' if len(found) == 1 else 'are'} running: "
        f"{words.listing(names, most=_MOST_NAMED)}.",
        de=f"{'Es läuft' if len(found) == 1 else 'Es laufen'} {words.count(len(found), 'Programm', 'Programme')} von "
        f"dir: {words.listing(names, 'de', most=_MOST_NAMED)}.",
    )
    return [_program(one) for one in found]


def running(ctx: Context, program: Query) -> list[Program]:
    """Tell whether a program is running.

    Args:
        program: what it is called.
    """
    found = naming.called(ctx.system("programs")["programs"], program)
    if found:
        ctx.say(telling.running(found, "en"), de=telling.running(found, "de"))
    else:
        ctx.say(f"No, {program} is not running.", de=f"Nein, {program} läuft nicht.")
    return [_program(one) for one in found]


def battery(ctx: Context) -> Answer:
    """Tell how full the battery is, and how long it lasts."""
    fact = ctx.system("battery")
    return _answer(ctx, telling.battery(fact, "en"), telling.battery(fact, "de"))


def network(ctx: Context) -> Answer:
    """Tell what this computer is connected to: its network, wifi and addresses, and whether there is a way out."""
    fact = ctx.system("network")
    return _answer(ctx, telling.network(fact, "en"), telling.network(fact, "de"))


def uptime(ctx: Context) -> Answer:
    """Tell how long this computer has been running."""
    passed = timedelta(seconds=ctx.system("uptime")["seconds"])
    since = ctx.now - passed
    english, german = telling.duration(passed, "en"), telling.duration(passed, "de")
    return _answer(
        ctx,
        f"This computer has been running for {english}, since {words.day(since.date())}, {since:%H:%M}.",
        f"Dieser Rechner läuft seit {german}, seit dem {words.day(since.date(), 'de')}, {since:%H:%M} Uhr.",
    )


def versions(ctx: Context) -> Answer:
    """Tell which system this computer runs, in which version."""
    fact = ctx.system("versions")
    return _answer(ctx, telling.versions(fact, "en"), telling.versions(fact, "de"))


def temperatures(ctx: Context) -> Answer:
    """Tell how hot this computer is."""
    sensors = ctx.system("temperatures")["sensors"]
    if not sensors:
        raise _no_sensors()
    sensors = sorted(sensors, key=lambda one: -one["celsius"])
    ctx.table(telling.heads(ctx, "sensor", "temperature"),
              [(one["name"], telling.degrees(one["celsius"])) for one in sensors])  # fmt: skip
    return _answer(ctx, telling.temperatures(sensors, "en"), telling.temperatures(sensors, "de"))


def slow(ctx: Context) -> Answer:
    """Tell what makes this computer slow."""
    facts = {name: ctx.system(name) for name in ("memory", "load", "disks", "temperatures", "programs")}
    reasons = judging.reasons(facts)
    return _answer(ctx, telling.slow(reasons, facts, "en"), telling.slow(reasons, facts, "de"))


def stop(ctx: Context, program: Title, manner: Manner = "ask") -> Answer:
    """End a program that is running.

    Args:
        program: what it is called.
        manner: ask it to end, or force it.
    """
    done = ctx.stop_program(str(program), force=manner == "force")
    name = words.name(str(done["program"]))
    if done["left"]:
        return _answer(
            ctx,
            f"I asked {name} to end, and it is still running; it may be asking you to save something. "
            f"To end it at once: force {name} to quit.",
            f"Ich habe {name} gebeten, sich zu beenden, und es läuft noch; vielleicht fragt es dich, ob etwas "
            f"gespeichert werden soll. Um es sofort zu beenden: erzwinge das Ende von {name}.",
        )
    return _answer(ctx, f"I ended {name}.", f"Ich habe {name} beendet.")


def _answer(ctx: Context, english: str, german: str) -> Answer:
    ctx.say(english, de=german)
    return Answer(german if ctx.language == "de" else english)


def _program(one: Mapping[str, Any]) -> Program:
    return Program(str(one["name"]), one["processes"], one["memory_bytes"], one["busy"])


def _program_table(ctx: Context, found: Sequence[Mapping[str, Any]]) -> None:
    rows = [
        (str(one["name"]), one["processes"], words.size(one["memory_bytes"], ctx.language),
         telling.percent(one["busy"], ctx.language)) for one in found
    ]  # fmt: skip
    ctx.table(telling.heads(ctx, "program", "processes", "memory", "processor"), rows)
