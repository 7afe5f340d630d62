"""The sentences in which a computer is told of, in English and German."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from skills.sdk import Context, words

from . import judging

Fact = Mapping[str, Any]

_HEADS = {
    "disk": "Festplatte", "free": "frei", "size": "Größe", "program": "Programm", "processes": "Prozesse",
    "memory": "Speicher", "processor": "Prozessor", "sensor": "Fühler", "temperature": "Temperatur",
}  # fmt: skip
_STATES = {
    "charging": ("charging", "lädt"), "discharging": ("on battery", "wird entladen"), "full": ("full", "voll"),
    "not charging": ("not charging", "lädt nicht"), "unknown": ("", ""),
}  # fmt: skip
_UNITS = (
    (("day", "days"), ("hour", "hours"), ("minute", "minutes")),
    (("Tag", "Tagen"), ("Stunde", "Stunden"), ("Minute", "Minuten")),
)
_MOMENT = ("less than a minute", "weniger als einer Minute")
_PLUGS: Mapping[bool | None, tuple[str, str]] = {
    True: ("plugged in", "am Netz"), False: ("not plugged in", "nicht am Netz"), None: ("", ""),
}  # fmt: skip
_KINDS = {"wifi": ("wifi", "WLAN"), "cable": ("cable", "Kabel"), "virtual": ("virtual line", "virtuelle Leitung")}


def heads(ctx: Context, *names: str) -> tuple[str, ...]:
    """Return the heads of a table in the language of the request."""
    return tuple(_HEADS[name] if ctx.language == "de" else name for name in names)


def percent(share: float, language: str) -> str:
    """Return a share as a percentage: ``12%`` or ``12 %``."""
    return f"{share * 100:.0f}{' %' if language == 'de' else '%'}"


def degrees(celsius: float) -> str:
    """Return a temperature."""
    return f"{celsius:.0f} °C"


def duration(passed: timedelta, language: str) -> str:
    """Return how long something takes, in its two greatest units."""
    minutes = max(round(passed.total_seconds() / 60), 0)
    numbers = (minutes // 1440, minutes // 60 % 24, minutes % 60)
    parts = zip(numbers, _UNITS[language == "de"], strict=True)
    said = [words.count(number, *names) for number, names in parts if number]
    return words.listing(said[:2], language) or _MOMENT[language == "de"]


def disks(found: Sequence[Any], language: str) -> str:
    """Say how much space is free, of each disk."""
    of, on = ("von", "auf") if language == "de" else ("of", "on")
    parts = [
        f"{words.size(one.free_bytes, language)} {of} {words.size(one.total_bytes, language)}"
        + (f" {on} {words.name(one.place)}" if len(found) > 1 else "")
        for one in found
    ]
    if language == "de":
        return f"Frei {'ist' if len(found) == 1 else 'sind'} {words.listing(parts, 'de')}."
    return f"{words.listing(parts)} {'is' if len(found) == 1 else 'are'} free."


def memory(fact: Fact, language: str) -> str:
    """Say how much memory there is, and how much is free."""
    free, total = (words.size(fact[name], language) for name in ("available_bytes", "total_bytes"))
    swapped = fact["swap_total_bytes"] - fact["swap_free_bytes"]
    swap = words.size(swapped, language) if swapped > 0 else ""
    if language == "de":
        return f"Vom Arbeitsspeicher sind {free} von {total} frei." + (f" Ausgelagert sind {swap}." if swap else "")
    return f"{free} of {total} of memory are free." + (f" {swap} are swapped out." if swap else "")


def load(fact: Fact, language: str) -> str:
    """Say how busy the processors are."""
    busy, many = percent(fact["busy"], language), fact["processors"]
    minute, quarter = (f"{fact[name]:.1f}" for name in ("minute", "quarter_hour"))
    if language == "de":
        kerne = words.count(many, "Kern", "Kerne")
        return (
            f"Der Prozessor ist zu {busy} ausgelastet ({kerne}). Arbeit gab es in der letzten Minute für "
            f"{minute.replace('.', ',')} Kerne, in der letzten Viertelstunde für {quarter.replace('.', ',')}."
        )
    cores = words.count(many, "core", "cores")
    return (
        f"The processor is {busy} busy ({cores}). In the last minute there was work for {minute} cores, in the last "
        f"quarter of an hour for {quarter}."
    )


def hungriest(found: Sequence[Fact], what: str, language: str) -> str:
    """Say which programs use the most."""
    named, one = (
        words.listing([f"{it['name']} ({_used(it, what, language)})" for it in found], language),
        len(found) == 1,
    )
    if language == "de":
        return f"Am meisten {'Speicher' if what == 'memory' else 'Rechenzeit'} brauch{'t' if one else 'en'} {named}."
    return f"{named} use{'s' if one else ''} the most {'memory' if what == 'memory' else 'of the processor'}."


def _used(one: Fact, what: str, language: str) -> str:
    return words.size(one["memory_bytes"], language) if what == "memory" else percent(one["busy"], language)


def running(found: Sequence[Fact], language: str) -> str:
    """Say that programs run, and with what."""
    german, one = language == "de", len(found) == 1
    named = words.listing([_with_what(it, language) for it in found], language)
    if german:
        return f"Ja, {named} {'läuft' if one else 'laufen'}."
    return f"Yes, {named} {'is' if one else 'are'} running."


def _with_what(one: Fact, language: str) -> str:
    names = ("Prozess", "Prozesse") if language == "de" else ("process", "processes")
    return f"{one['name']} ({words.count(one['processes'], *names)}, {words.size(one['memory_bytes'], language)})"


def battery(fact: Fact, language: str) -> str:
    """Say how full the battery is."""
    german = language == "de"
    if not fact["batteries"]:
        return "Dieser Rechner hat keinen Akku." if german else "This computer has no battery."
    parts = [_battery(one, language) for one in fact["batteries"]]
    plug = {True: ("plugged in", "am Netz"), False: ("not plugged in", "nicht am Netz"), None: ("", "")}[
        fact["plugged_in"]
    ]
    if german:
        return f"Der Akku hat {words.listing(parts, 'de')}" + (f"; der Rechner ist {plug[1]}." if plug[1] else ".")
    return f"The battery is at {words.listing(parts)}" + (f"; the computer is {plug[0]}." if plug[0] else ".")


def _battery(one: Fact, language: str) -> str:
    german = language == "de"
    state = _STATES.get(one["status"], ("", ""))[german]
    left = duration(timedelta(seconds=one["left_s"]), language) if one["left_s"] else ""
    until = {"charging": ("full in", "voll in"), "discharging": ("it lasts for", "reicht noch")}.get(one["status"])
    tail = f", {until[german]} {left}" if left and until else ""
    level = "?" if one["percent"] is None else percent(one["percent"] / 100, language)
    return level + (f" ({state}{tail})" if state or tail else "")


def network(fact: Fact, language: str) -> str:
    """Say what the computer is connected to."""
    german = language == "de"
    up = [one for one in fact["lines"] if one["up"] and (one["addresses"] or one["way_out"])]
    if not up:
        return (
            "Dieser Rechner ist mit keinem Netz verbunden." if german else "This computer is connected to no network."
        )
    parts = [_line(one, language) for one in up]
    if german:
        way = "Es gibt einen Weg ins Internet" if fact["way_out"] else "Es gibt keinen Weg ins Internet"
        rest = "; ob es antwortet, wurde nicht ausprobiert." if fact["way_out"] else "."
        return f"Verbunden über {words.listing(parts, 'de')}. {way}{rest}"
    way = "There is a way to the internet" if fact["way_out"] else "There is no way to the internet"
    rest = "; whether it answers was not tried." if fact["way_out"] else "."
    return f"Connected by {words.listing(parts)}. {way}{rest}"


def _line(one: Fact, language: str) -> str:
    kind = _KINDS[one["kind"]][language == "de"]
    wifi = f" “{words.name(one['wifi'])}”" if one["wifi"] and language != "de" else ""
    wifi = f" „{words.name(one['wifi'])}“" if one["wifi"] and language == "de" else wifi
    return f"{kind}{wifi} ({', '.join([one['name'], *one['addresses']])})"


def versions(fact: Fact, language: str) -> str:
    """Say which system runs here."""
    processor = f", {fact['processor']}" if fact["processor"] else ""
    linux = f"Linux {fact['linux']} ({fact['machine']}{processor})"
    if language == "de":
        return f"Hier läuft {fact['system']} mit {linux} und Python {fact['python']}."
    return f"This is {fact['system']} with {linux} and Python {fact['python']}."


def temperatures(sensors: Sequence[Fact], language: str) -> str:
    """Say how hot the computer is, the hottest sensor first."""
    first, *others = sensors
    hottest = f"{degrees(first['celsius'])} ({first['name']})"
    parts = [f"{one['name']} {degrees(one['celsius'])}" for one in others[:5]]
    more = words.listing(parts, language)
    if language == "de":
        return f"Am wärmsten ist es mit {hottest}." + (f" Dazu {more}." if more else "")
    return f"The hottest sensor says {hottest}." + (f" Besides, {more}." if more else "")


def slow(reasons: Sequence[str], facts: Mapping[str, Any], language: str) -> str:
    """Say what makes the computer slow, with the program behind it."""
    german = language == "de"
    said = [_reason(name, facts, language) for name in reasons]
    if said:
        return " ".join(said)
    free = words.size(facts["memory"]["available_bytes"], language)
    busy = percent(facts["load"]["busy"], language)
    if german:
        return (
            f"Im Moment bremst nichts, was ich sehen kann: Der Prozessor ist zu {busy} ausgelastet, {free} "
            "Arbeitsspeicher sind frei, und keine Festplatte ist voll."
        )
    return (
        f"Nothing that I can see slows it down now: the processor is {busy} busy, {free} of memory are free, "
        "and no disk is full."
    )


def _reason(name: str, facts: Mapping[str, Any], language: str) -> str:
    english, german = _REASONS[name]
    return (german if language == "de" else english).format(**_holes(name, facts, language))


_REASONS = {
    "memory": ("Memory is short: {free} are free, and {first} uses the most ({used}).",
               "Der Arbeitsspeicher ist knapp: {free} sind frei, am meisten braucht {first} ({used})."),
    "processor": ("The processor is {busy} busy, most of all with {first}.",
                  "Der Prozessor ist zu {busy} ausgelastet, am meisten mit {first}."),
    "disk": ("Nearly full: {full}.", "Fast voll: {full}."),
    "heat": ("The computer is at {hottest} and probably slows down.",
             "Der Rechner ist {hottest} heiß und drosselt sich vermutlich."),
}  # fmt: skip


def _holes(name: str, facts: Mapping[str, Any], language: str) -> dict[str, str]:
    programs = facts["programs"]["programs"]
    match name:
        case "memory":
            first = max(programs, key=lambda one: one["memory_bytes"])
            free = words.size(facts["memory"]["available_bytes"], language)
            return {"free": free, "first": first["name"], "used": words.size(first["memory_bytes"], language)}
        case "processor":
            first = max(programs, key=lambda one: one["busy"])
            return {"busy": percent(facts["load"]["busy"], language), "first": first["name"]}
        case "disk":
            full = [words.name(one["place"]) for one in facts["disks"]["disks"] if judging.is_full(one)]
            return {"full": words.listing(full, language)}
        case _:
            hottest = max(one["celsius"] for one in facts["temperatures"]["sensors"])
            return {"hottest": degrees(hottest)}
