"""The one event that is to be changed: found by words and day, or asked for with what there is to choose from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from skills.sdk import Context, Period, ToolError, words

from . import wording
from .book import Book
from .choosing import is_of_all, matching, surely, words_of
from .entries import Entry
from .occurrences import Occurrence

_MOST_CHOICES = 8


@dataclass(frozen=True, slots=True)
class Meant:
    """An event that is to be changed: one time of it, or (``series``) all of them."""

    entry: Entry
    time: Occurrence
    series: bool


def meant(ctx: Context, book: Book, said: str, when: Period | None, which: str) -> Meant:
    """Return the event that is meant. Raises ToolError where none is, or where it is to be asked which."""
    if (labelled := _labelled(book, said)) is not None:
        return labelled
    found = _candidates(book, said, when)
    if not found:
        raise nothing(book, said, when, ctx.language)
    if not _is_sure(book, said, when, found):
        raise _several(ctx, said, _first_of_each(book, found), book)
    masters = {id(_master(book, one.entry)): _master(book, one.entry) for one in found}
    if len(masters) > 1:
        raise _several(ctx, said, _first_of_each(book, found), book)
    entry = next(iter(masters.values()))
    if not entry.repeats:
        if len(found) > 1:
            raise _several(ctx, said, found, book)
        return Meant(found[0].entry, found[0], False)
    return _of_series(ctx, book, said, entry, found, when, which)


def _is_sure(book: Book, said: str, when: Period | None, found: Sequence[Occurrence]) -> bool:
    """Tell whether what was found may be changed unasked: not for words of its notes or near ones, not for "all" of
    them, and not what is over where no day was said.
    """
    whole = [one for one in book.entries if not one.cancelled]
    if is_of_all(said, whole) or (when is None and all(is_over(one, book.now) for one in found)):
        return False
    return bool(surely(whole, said))


def _of_series(
    ctx: Context, book: Book, said: str, entry: Entry, found: Sequence[Occurrence], when: Period | None, which: str
) -> Meant:
    """One time of a series or all: as was said, the only one of the day that was said, else asked for."""
    if which == "series":
        return Meant(entry, found[0], True)
    if which == "one" or (when is not None and len(found) == 1):
        return Meant(found[0].entry, found[0], False)
    raise _which_times(ctx, book, said, entry, found)


def _candidates(book: Book, said: str, when: Period | None) -> list[Occurrence]:
    """What fits the words in the stretch that was said; without one from now on, else the latest before."""
    entries = matching([one for one in book.entries if not one.cancelled], said)
    if when is not None:
        return book.during(when, _with_others(book, entries))
    ahead = book.ahead(_with_others(book, entries))
    return ahead or book.during(Period(None, book.now.date()), _with_others(book, entries))[-1:]


def _with_others(book: Book, entries: Sequence[Entry]) -> list[Entry]:
    """The entries with what replaces times of them, whatever that is called."""
    keys = {(one.file.path, one.uid) for one in entries if one.uid}
    held = {id(one) for one in entries}
    return [one for one in book.entries if id(one) in held or (one.replaces and (one.file.path, one.uid) in keys)]


def _master(book: Book, entry: Entry) -> Entry:
    """The series of an entry that replaces one time of it; any other is itself."""
    if entry.replaces is None or not entry.uid:
        return entry
    same = (one for one in book.of(entry).entries if one.uid == entry.uid and one.replaces is None)
    return next(same, entry)


def _first_of_each(book: Book, found: Sequence[Occurrence]) -> list[Occurrence]:
    first: dict[int, Occurrence] = {}
    for one in found:
        first.setdefault(id(_master(book, one.entry)), one)
    return list(first.values())


def _labelled(book: Book, said: str) -> Meant | None:
    """What a label says that was offered before: title, day and time, or the whole series."""
    text = words.fold(said)
    if "," not in text:
        return None
    near = [one for one in book.entries if one.title and text.startswith(words.fold(one.title))]
    for entry in near:
        if entry.repeats and text in {words.fold(wording.series_label(entry, one)) for one in ("en", "de")}:
            return Meant(entry, (book.ahead([entry]) or book.during(Period(None, None), [entry]))[0], True)
    for one in book.during(Period(None, None), _with_others(book, near)):
        if text in {words.fold(wording.label(one, book.local, language)) for language in ("en", "de")}:
            return Meant(one.entry, one, False)
    return None


# --- asking -------------------------------------------------------------------------------------------------------


def _several(ctx: Context, said: str, found: Sequence[Occurrence], book: Book) -> ToolError:
    labels = list(dict.fromkeys(wording.label(one, book.local, ctx.language) for one in found))[:_MOST_CHOICES]
    listed = words.listing([f"“{one}”" for one in labels])
    gelistet = words.listing([f"„{one}“" for one in labels], "de")
    if len(labels) == 1:
        return _perhaps(said, labels[0])
    return ToolError(
        f"More than one event could be “{said}”: {listed}.",
        hint="Say which one, for example with its day.",
        code="tool.ambiguous",
        instead_of=said,
        choices=labels,
        de=f"Mehr als ein Termin könnte „{said}“ sein: {gelistet}.",
        de_hint="Sag, welcher gemeint ist, etwa mit dem Tag.",
    )


def _perhaps(said: str, label: str) -> ToolError:
    return ToolError(
        f"No event is surely “{said}”; it could be “{label}”.",
        hint="Say whether that is the one.",
        code="tool.ambiguous",
        instead_of=said,
        choices=[label],
        de=f"Kein Termin ist sicher „{said}“; es könnte „{label}“ sein.",
        de_hint="Sag, ob das der richtige ist.",
    )


def _which_times(ctx: Context, book: Book, said: str, entry: Entry, found: Sequence[Occurrence]) -> ToolError:
    labels = [wording.label(one, book.local, ctx.language) for one in found[:3]]
    labels.append(wording.series_label(entry, ctx.language))
    title = wording.untitled(entry, ctx.language)
    return ToolError(
        f"“{title}” repeats ({wording.repetition(entry.rule, 'en')}): only one time of it, or all?",
        hint="Say which.",
        code="tool.ambiguous",
        instead_of=said,
        choices=labels,
        de=f"„{title}“ wiederholt sich ({wording.repetition(entry.rule, 'de')}): nur ein Termin oder alle?",
        de_hint="Sag, welcher.",
    )


def nothing(book: Book, said: str, when: Period | None, language: str) -> ToolError:
    """Return the error of words that no event has, with what there is."""
    near = _first_of_each(book, book.during(when) if when else book.ahead())[:_MOST_CHOICES]
    labels = [wording.label(one, book.local, language) for one in near]
    then = " at that time" if when else ""
    dann = " in dieser Zeit" if when else ""
    sought = said if words_of(said) else ""
    named, benannt = (f" that is called “{said}”", f" namens „{said}“") if sought else ("", "")
    return ToolError(
        f"There is no event{named}{then} in your calendar.",
        hint=f"There is: {words.listing(labels[:4])}." if labels else "Add one first.",
        code="tool.missing",
        instead_of=said if labels else "",
        choices=labels,
        de=f"In deinem Kalender gibt es{dann} keinen Termin{benannt}.",
        de_hint=f"Es gibt: {words.listing(labels[:4], 'de')}." if labels else "Trag zuerst einen ein.",
    )


def sought(book: Book, said: str, when: Period | None) -> list[Occurrence]:
    """Return the times of all events that fit some words: in a stretch, else what is ahead and then what is past."""
    entries = _with_others(book, matching([one for one in book.entries if not one.cancelled], said))
    if when is not None:
        return book.during(when, entries)
    past = book.during(Period(None, None), entries)
    ahead = [one for one in past if one.ends(book.local) > book.now]
    return [*ahead, *reversed([one for one in past if one.ends(book.local) <= book.now])]


def is_over(one: Occurrence, now: datetime) -> bool:
    """Tell whether an event is over."""
    assert now.tzinfo is not None
    return one.ends(now.tzinfo) <= now
