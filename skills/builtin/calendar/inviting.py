"""What is done with an invitation, and how it is said. What it says is a stranger's word, and stands in marks."""

from __future__ import annotations

from skills.sdk import Context, ErrorWords, File, ToolError, words

from . import invitations, replies, replying, wording, writing
from .book import MAIN, Book, main_calendar
from .entries import Calendar, Entry
from .invitations import STATUS, Invitation, NoInvitation
from .occurrences import Occurrence
from .replies import Reply
from .strangers import named, plain, quoted

_MOST_PEOPLE = _MOST_TIMES = 8

_WHY = {
    "none": ErrorWords(
        "calendar.invitation", "{place} holds no invitation and no cancellation of an event.",
        "Name the .ics file that came with the mail, or the mail itself.",
        "{place} enthält keine Einladung und keine Absage zu einem Termin.",
        "Nenne die .ics-Datei, die mit der Mail kam, oder die Mail selbst."),
    "large": ErrorWords(
        "calendar.invitation", "{place} is too large for an invitation, and was not read.",
        "Ask who sent it for a plain one.", "{place} ist zu groß für eine Einladung und wurde nicht gelesen.",
        "Bitte den Absender um eine einfache."),
    "mixed": ErrorWords(
        "calendar.invitation", "{place} holds several events; an invitation is about one.",
        "To take its events in, import the file into your calendar.",
        "{place} enthält mehrere Termine; eine Einladung ist über einen.",
        "Um die Termine zu übernehmen, importiere die Datei in deinen Kalender."),
    "often": ErrorWords(
        "calendar.invitation", "The event in {place} repeats so often that it would fill your calendar.",
        "Ask its organizer for one that repeats by days.",
        "Der Termin in {place} wiederholt sich so oft, dass er deinen Kalender füllen würde.",
        "Bitte um einen, der sich nach Tagen wiederholt."),
    "later": ErrorWords(
        "calendar.invitation",
        "{place} is about one time of a series and all later ones, and can only be taken in whole.",
        "Ask its organizer to send the series anew.",
        "{place} betrifft einen Termin einer Reihe und alle späteren; übernehmen lässt sich nur die ganze Reihe.",
        "Bitte darum, die Reihe neu zu senden."),
    "organizer": ErrorWords(
        "calendar.invitation", "{place} does not say who invites, so nobody could be answered.",
        "To take the event in, import the file into your calendar.",
        "{place} sagt nicht, wer einlädt; so kann niemandem geantwortet werden.",
        "Um den Termin zu übernehmen, importiere die Datei in deinen Kalender."),
    "unclear": ErrorWords(
        "calendar.invitation", "{place} does not say yes, no or maybe, of one person, to one event.",
        "Ask who sent it, or change the event yourself.",
        "{place} sagt nicht ja, nein oder vielleicht, von einer Person, zu einem Termin.",
        "Frag dort nach, oder ändere den Termin selbst."),
}  # fmt: skip
_OTHER = ErrorWords(
    "calendar.organizer",
    "This is about “{title}” of your calendar, which {owner} organizes; {place} may not change it. "
    "Nothing was changed.",
    "Ask who organizes it whether that is so, or change it yourself.",
    "Das betrifft „{title}“ in deinem Kalender, den {owner} organisiert; {place} darf ihn nicht ändern. "
    "Nichts wurde geändert.",
    "Frag dort nach, oder ändere ihn selbst.",
)  # fmt: skip
_OWN = ErrorWords(
    "calendar.organizer", "“{place}” is your own event; a message of others changes nothing.",
    "To change it, do so yourself: move it, rename it, or take it out of your calendar.",
    "„{place}“ ist dein eigener Termin; eine Nachricht anderer ändert nichts daran.",
    "Um ihn zu ändern, tu es selbst: verschieb ihn, benenn ihn um oder nimm ihn aus dem Kalender.",
)  # fmt: skip
_LIES = ErrorWords(
    "calendar.sender",
    "The mail is from {place}, but names {owner} as the organizer. Nothing was changed.",
    "Ask the organizer; where it is right, save the .ics file and name that.",
    "Die Mail ist von {place}, nennt aber {owner} als einladend. Nichts wurde geändert.",
    "Frag dort nach; stimmt es, speichere die .ics-Datei und nenne sie.",
)  # fmt: skip
_OLDER = ErrorWords(
    "calendar.older", "Your calendar has a newer version of “{place}”. Nothing was changed.",
    "Name the newest message about it.", "Dein Kalender hat eine neuere Fassung von „{place}“. Nichts wurde geändert.",
    "Nenne die neueste Nachricht dazu.",
)  # fmt: skip
_UNKNOWN = ErrorWords(
    "calendar.unknown", "“{place}” is not in your calendar, so there is nothing to change.",
    "Where it is an invitation, answer it with yes, no or maybe.",
    "„{place}“ steht nicht in deinem Kalender, es gibt also nichts zu ändern.",
    "Ist es eine Einladung, beantworte sie mit ja, nein oder vielleicht.",
)  # fmt: skip
_CANCELLED = ErrorWords(
    "calendar.cancelled", "“{place}” was cancelled by its organizer; there is nothing to answer.",
    "Ask to take the cancellation into the calendar.",
    "„{place}“ wurde abgesagt; es gibt nichts zu beantworten.", "Lass die Absage in den Kalender übernehmen.",
)  # fmt: skip


def read(ctx: Context, file: File, book: Book) -> Invitation | Reply:
    """Return what a file is: an invitation, or an answer to one of the person's own. Raises ToolError where neither."""
    try:
        message = invitations.opened(ctx.read_bytes(file))
        if message.method in replies.METHODS:
            return replies.of_message(message, book.local, file.path)
        return invitations.of_message(file, message, book.local)
    except NoInvitation as error:
        raise _WHY[str(error)](words.name(file.name)) from error


def tell(ctx: Context, book: Book, one: Invitation | Reply) -> str:
    """Say what an invitation or an answer says, and return it."""
    english, german = (
        replying.told(one, book, language) if isinstance(one, Reply) else told(one, book, language)
        for language in ("en", "de")
    )
    ctx.say(english, de=german)
    return german if ctx.language == "de" else english


def told(one: Invitation, book: Book, language: str) -> str:
    """Return what an invitation says, with what speaks against it."""
    entry, german = one.first, language == "de"
    rule = f", {wording.lasting(entry.rule, book.local, language)}" if entry.rule else ""
    what = ("Absage" if german else "Cancellation") if one.method == "CANCEL" else (
        "Einladung" if german else "Invitation")  # fmt: skip
    lines = [f"{what}{' von ' if german else ' from '}{named(one.organizer)}: {quoted(entry.title, language)}",
             f"{_times(one, book, language) or _when(entry, book, language)}{rule}"]  # fmt: skip
    lines += [f"{'Ort' if german else 'Place'}: {quoted(entry.place, language)}"] if entry.place else []
    people = [named(person) for person in one.people]
    invited = words.listing(people, language, most=_MOST_PEOPLE)
    lines += [f"{'Eingeladen' if german else 'Invited'}: {invited}"] if people else []
    lines += [f"{'Dazu steht' if german else 'It says'}: {quoted(entry.notes, language)}"] if entry.notes else []
    return "\n".join([*lines, *_against(one, book, language)])


def _when(entry: Entry, book: Book, language: str) -> str:
    return wording.when(Occurrence(entry, entry.start, entry.end, entry.start), book.local, language)


def _times(one: Invitation, book: Book, language: str) -> str:
    """The single times of a series that a message is about; nothing where it is about the event as a whole."""
    return words.listing([_when(time, book, language) for time in one.times], language, most=_MOST_TIMES)


def _subject(one: Invitation, book: Book, language: str) -> str:
    """What a message is about: an event, or some times of it."""
    times = _times(one, book, language)
    return quoted(one.first.title, language) + (f" ({times})" if times else "")


def _against(one: Invitation, book: Book, language: str) -> list[str]:
    """What a person should know before they believe an invitation."""
    found = [_lie(one, language)] if one.lies else []
    known = _known(book, one)
    if known:
        error = _refusal(book, one, known)
        if error is not None:
            found.append(error.words(language)[0])
    return found


def _lie(one: Invitation, language: str) -> str:
    if language == "de":
        return f"Achtung: die Mail ist von {plain(one.sender)}, nicht von {one.organizer.address}."
    return f"Mind: the mail is from {plain(one.sender)}, not from {one.organizer.address}."


def answer(ctx: Context, book: Book, one: Invitation, said: str, me: str) -> File:
    """Take an invitation into the calendar with an answer, and write the answer into a file. Raises ToolError."""
    title = plain(one.first.title)
    if one.method == "CANCEL":
        raise _CANCELLED(title)
    known = _known(book, one)
    if known and (error := _refusal(book, one, known)) is not None:
        raise error
    address = _invited(one, me)
    one = one.meant_for(address)
    calendar = _calendar(ctx, book, known)
    old = calendar.data if calendar else writing.EMPTY
    if said != "no":
        new = invitations.taken(old, known, one, lambda _, who: STATUS[said] if who.address == address else "")
    else:
        new = _without(calendar, known, one, book) if calendar and known else old
    note = _lie(one, ctx.language) if one.lies else ""
    if new != old:
        ctx.write(calendar.file.path if calendar else MAIN, new, note=note)
    path = ctx.unused(f"~/Downloads/{words.file_name(f'Reply {title}') or 'Reply'}.ics")
    ctx.write(path, invitations.reply(one, address, STATUS[said], ctx.now), note=note)
    _say_answered(ctx, book, one, said, path)
    return ctx.file(path)


def _say_answered(ctx: Context, book: Book, one: Invitation, said: str, path: str) -> None:
    to, place = one.organizer.address, ctx.shown(path)
    english, german = {
        "yes": ("is in your calendar: you come", "steht im Kalender: du kommst"),
        "no": ("is not in your calendar: you do not come", "steht nicht im Kalender: du kommst nicht"),
        "maybe": ("is in your calendar: you may come", "steht im Kalender: du kommst vielleicht"),
    }[said]
    ctx.say(f"{_subject(one, book, 'en')} {english}. Your answer is not sent yet: {place}, for {to}.",
            de=f"{_subject(one, book, 'de')} {german}. Deine Antwort ist noch nicht gesendet: {place}, für {to}."
            )  # fmt: skip


def follow(ctx: Context, book: Book, one: Invitation) -> str:
    """Take a change or a cancellation into the calendar. Raises ToolError."""
    title, known = plain(one.first.title), _known(book, one)
    if not known:
        raise _UNKNOWN(title)
    error = _refusal(book, one, known)
    if error is not None:
        raise error
    calendar = book.of(known[0])
    if one.method == "CANCEL":
        new = _without(calendar, known, one, book)
        english, german = f"{_subject(one, book, 'en')} was cancelled and is out of your calendar.", (
            f"{_subject(one, book, 'de')} wurde abgesagt und steht nicht mehr im Kalender.")  # fmt: skip
    else:
        new = invitations.taken(calendar.data, known, one, invitations.kept_answers(one, known))
        now, jetzt = (_times(one, book, language) or _when(one.first, book, language) for language in ("en", "de"))
        english, german = f"“{title}” is now {now}.", f"„{title}“ ist jetzt {jetzt}."
    if new != calendar.data:
        ctx.write(calendar.file.path, new)
    ctx.say(english, de=german)
    return german if ctx.language == "de" else english


def _without(calendar: Calendar, known: list[Entry], one: Invitation, book: Book) -> bytes:
    """A calendar without an event, or without the times of a series that a message is about."""
    times = [entry.replaces for entry in one.calendar.entries if entry.replaces is not None]
    master = next((entry for entry in known if entry.replaces is None), None)
    if len(times) < len(one.calendar.entries) or (master is not None and not master.repeats):
        return writing.removed(calendar, known)
    replacing = [entry for entry in known if entry.replaces in times]
    if master is None:
        return writing.removed(calendar, replacing)
    left = [time for time in dict.fromkeys(times) if time not in master.without]
    return writing.left_out(calendar, master, left, replacing, book.now) if left or replacing else calendar.data


def _known(book: Book, one: Invitation) -> list[Entry]:
    """What the calendars have of an event: of the first calendar that has it."""
    own = one.calendar.file.path
    found = [entry for entry in book.entries if entry.uid == one.first.uid and entry.file.path != own]
    return [entry for entry in found if entry.file.path == found[0].file.path]


def _refusal(book: Book, one: Invitation, known: list[Entry]) -> ToolError | None:
    """Why an invitation may not change what is known of its event; None where it may."""
    owners = {invitations.organizer_of(entry.block).address for entry in known}
    title = plain(known[0].title)
    if one.organizer.address in book.of(known[0]).owners:
        return _OWN(title)
    if owners != {one.organizer.address}:
        owner = ", ".join(sorted(filter(None, owners - {one.organizer.address}))) or "?"
        return _OTHER(one.organizer.address, title=title, owner=owner)
    if one.lies and one.sender not in {name for entry in known for name in invitations.deputies_of(entry.block)}:
        return _LIES(plain(one.sender), owner=one.organizer.address)
    return _OLDER(title) if invitations.is_older(one, known) else None


def _calendar(ctx: Context, book: Book, known: list[Entry]) -> Calendar | None:
    return book.of(known[0]) if known else main_calendar(ctx, book)


def _invited(one: Invitation, me: str) -> str:
    """The person's own address among those who are invited. Raises ToolError where it is not clear."""
    invited = [person.address for person in one.people]
    meant = [address for address in invited if me and me.strip().casefold() in (address, f"mailto:{address}")]
    to_me = [address for address in invited if address in one.to] if not me else meant
    if len(to_me) == 1:
        return to_me[0]
    if len(invited) == 1 and not me:
        return invited[0]
    raise ToolError(
        f"I do not know which of those who are invited you are: {words.listing(invited, most=5) or '?'}.",
        hint="Say it: answer as ANNA@EXAMPLE.ORG.", code="calendar.me", instead_of=me, choices=invited if me else (),
        de=f"Ich weiß nicht, wer von den Eingeladenen du bist: {words.listing(invited, 'de', most=5) or '?'}.",
        de_hint="Sag es: antworte als ANNA@EXAMPLE.ORG.",
    )  # fmt: skip
