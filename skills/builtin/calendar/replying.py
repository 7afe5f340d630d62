"""What is done with an answer to an invitation of the person's own, and how it is said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from skills.sdk import Context, ErrorWords, Period, ToolError, words

from . import replies, wording
from .book import Book
from .entries import Entry, Moment
from .guests import OPEN, invited
from .invitations import Person, is_invited, organizer_of
from .meaning import nothing, sought
from .replies import NotTaken, Reply
from .strangers import named, plain, quoted

_SAID = {
    "ACCEPTED": ("comes", "kommt"), "DECLINED": ("does not come", "kommt nicht"),
    "TENTATIVE": ("may come", "kommt vielleicht"),
}  # fmt: skip
_UNKNOWN = ErrorWords(
    "calendar.unknown", "“{place}” is not in your calendar, so nobody's answer to it is kept.",
    "If you took it out, tell those who are invited that it is off.",
    "„{place}“ steht nicht in deinem Kalender; eine Antwort darauf wird nicht behalten.",
    "Hast du ihn herausgenommen, sag den Eingeladenen ab.",
)  # fmt: skip
_NOT_YOURS = ErrorWords(
    "calendar.organizer",
    "“{place}” is not yours: {owner} invites to it, and keeps who comes. Nothing was changed.",
    "Ask {owner} who comes; if that is your own address, say: write the invitation to {place} again as {owner}.",
    "„{place}“ ist nicht deiner: {owner} lädt dazu ein und hält fest, wer kommt. Nichts wurde geändert.",
    "Frag dort nach, wer kommt; ist {owner} deine eigene Adresse, sag: "
    "schreib die Einladung zu {place} noch einmal als {owner}.",
)  # fmt: skip
_LIES = ErrorWords(
    "calendar.sender", "The mail is from {place}, but holds an answer of {who}. Nothing was changed.",
    "Ask them whether they come, and to answer from their own address.",
    "Die Mail ist von {place}, enthält aber eine Antwort von {who}. Nichts wurde geändert.",
    "Frag dort, ob sie kommen, und bitte um eine Antwort von ihrer eigenen Adresse.",
)  # fmt: skip
_WHY = {
    "stranger": ErrorWords(
        "calendar.stranger", "{who} was not invited to “{place}”. Nothing was changed.",
        "To have them come, invite them: invite {who} to {place}.",
        "{who} war zu „{place}“ nicht eingeladen. Nichts wurde geändert.",
        "Soll die Person kommen, lade sie ein: lade {who} zu {place} ein.",
    ),
    "older": ErrorWords(
        "calendar.older", "{who} answered an earlier version of “{place}”, or has answered since. Nothing was changed.",
        "Name their newest answer, or write the invitation again and send it.",
        "{who} hat auf eine frühere Fassung von „{place}“ geantwortet, oder seitdem noch einmal. "
        "Nichts wurde geändert.",
        "Nenne die neueste Antwort, oder schreib die Einladung noch einmal und sende sie.",
    ),
    "time": ErrorWords(
        "calendar.unknown", "{who} answers to a time that “{place}” does not have. Nothing was changed.",
        "Ask them which one is meant.",
        "{who} antwortet auf einen Termin, den „{place}“ nicht hat. Nichts wurde geändert.",
        "Frag, welcher gemeint ist.",
    ),
}  # fmt: skip
_ANSWER = ErrorWords(
    "calendar.answered", "{place} is itself an answer, from {who}; there is nothing to answer.",
    "To take it into your calendar: take over the answer {place}.",
    "{place} ist selbst eine Antwort, von {who}; es gibt nichts zu beantworten.",
    "Um sie in den Kalender zu übernehmen: übernimm die Antwort {place}.",
)  # fmt: skip


def told(reply: Reply, book: Book, language: str) -> str:
    """Return what an answer says, with what speaks against it."""
    known, german = _known(book, reply), language == "de"
    title = known[0].title if known else reply.title
    lines = [f"{_what(reply, german)}{named(reply.who)}: {_answers(reply, book, title, language)}"]
    lines += [f"{'Dazu steht' if german else 'It says'}: {quoted(reply.comment, language)}"] if reply.comment else []
    if reply.lies:
        of = f"nicht von {reply.who.address}" if german else f"not from {reply.who.address}"
        lines.append(
            f"{'Achtung: die Mail ist von' if german else 'Mind: the mail is from'} {plain(reply.sender)}, {of}."
        )
    error = None if reply.lies else _refusal(reply, book, known)
    return "\n".join([*lines, *([error.words(language)[0]] if error else [])])


def _what(reply: Reply, german: bool) -> str:
    if reply.counters:
        return "Vorschlag von " if german else "Proposal from "
    return "Antwort von " if german else "Answer from "


def _answers(reply: Reply, book: Book, title: str, language: str) -> str:
    """What somebody answers to an event, or to which times of it; or which time they would like."""
    german = language == "de"
    if reply.counters:
        time = wording.when(reply.proposal, book.local, language) if reply.proposal is not None else ""
        return quoted(title, language) + (f" {'lieber' if german else 'rather'} {time}" if time else "")
    said = [f"{_SAID[one.said][german]}{_to(one.of, book, german)}" for one in reply.answers[:3]]
    return f"{quoted(title, language)}: {', '.join(said)}"


def _to(of: Moment | None, book: Book, german: bool) -> str:
    if of is None:
        return ""
    day = of.astimezone(book.local).date() if isinstance(of, datetime) else of
    return f" ({wording.day(day, 'de' if german else 'en')})"


def follow(ctx: Context, book: Book, reply: Reply) -> str:
    """Take what somebody answered into the event that they were invited to. Raises ToolError."""
    known = _known(book, reply)
    if reply.lies:
        raise _LIES(plain(reply.sender), who=reply.who.address)
    if (error := _refusal(reply, book, known)) is not None:
        raise error
    if reply.counters:
        return _propose(ctx, book, reply, known)
    calendar = book.of(known[0])
    new = replies.taken(book, calendar, reply)
    if new != calendar.data:
        ctx.write(calendar.file.path, new)
    who, same = _known_as(known, reply.who), new == calendar.data
    said, gesagt = (f"{who}: {_answers(reply, book, known[0].title, language)}." for language in ("en", "de"))
    english = said + (" That is in your calendar already." if same else "")
    german = gesagt + (" Das steht schon im Kalender." if same else "")
    ctx.say(english, de=german)
    return german if ctx.language == "de" else english


def _propose(ctx: Context, book: Book, reply: Reply, known: Sequence[Entry]) -> str:
    english, german = (told(reply, book, language) for language in ("en", "de"))
    title = plain(known[0].title)
    english += f"\nThat is a proposal, and nothing was changed. Where it suits you, move “{title}” yourself."
    german += f"\nDas ist ein Vorschlag, und nichts wurde geändert. Passt er dir, verschieb „{title}“ selbst."
    ctx.say(english, de=german)
    return german if ctx.language == "de" else english


def no_answer(place: str, reply: Reply) -> ToolError:
    """Return the error of an answer that is to be answered."""
    found = _ANSWER(place, who=reply.who.address)
    hint, hinweis = found.hint.format(place=place), found.other["de_hint"].format(place=place)
    return ToolError(str(found), hint=hint, code=found.code, de=found.other["de"], de_hint=hinweis)


def _known(book: Book, reply: Reply) -> list[Entry]:
    """What the calendars have of an event: of the first calendar that has it."""
    found = [entry for entry in book.entries if entry.uid == reply.uid and entry.file.path != reply.path]
    return [entry for entry in found if entry.file.path == found[0].file.path]


def _refusal(reply: Reply, book: Book, known: Sequence[Entry]) -> ToolError | None:
    """Why an answer may not be taken in; None where it may."""
    if not known:
        return _UNKNOWN(plain(reply.title))
    title, owner = plain(known[0].title), organizer_of(known[0].block).address
    mine = book.of(known[0]).owners
    if not owner:
        return _with_hint(_WHY["stranger"], title, reply.who.address)
    if owner not in mine or owner != reply.organizer.address:
        return _with_hint(_NOT_YOURS, title, owner)
    if not any(is_invited(entry, reply.who.address) for entry in known):
        return _with_hint(_WHY["stranger"], title, reply.who.address)
    try:
        replies.taken(book, book.of(known[0]), reply)
    except NotTaken as error:
        return _with_hint(_WHY[str(error)], title, reply.who.address)
    return None


def _with_hint(error: ErrorWords, title: str, who: str) -> ToolError:
    """The error with its holes filled in what to do, too."""
    made = error(title, who=who, owner=who)
    hint, hinweis = (text.format(place=title, who=who, owner=who) for text in (error.hint, error.de_hint))
    return ToolError(str(made), hint=hint, code=made.code, de=made.other["de"], de_hint=hinweis)


def _known_as(known: Sequence[Entry], who: Person) -> str:
    """What the person's own calendar calls somebody; a name in a message is a stranger's word."""
    return next((plain(one.name) or one.address for one in invited(known) if one.address == who.address), who.address)


# --- who comes ----------------------------------------------------------------------------------------------------


_ANSWERS = {"yes": "ACCEPTED", "maybe": "TENTATIVE", "no": "DECLINED", "open": OPEN}
_HEADS = {
    "ACCEPTED": ("Coming", "Zugesagt"), "TENTATIVE": ("Perhaps", "Vielleicht"), "DECLINED": ("Not coming", "Abgesagt"),
    OPEN: ("Not answered yet", "Noch ohne Antwort"),
}  # fmt: skip
_NOBODY = {
    "ACCEPTED": ("Nobody has accepted yet.", "Noch hat niemand zugesagt."),
    "TENTATIVE": ("Nobody has said perhaps.", "Niemand hat vielleicht gesagt."),
    "DECLINED": ("Nobody has declined.", "Niemand hat abgesagt."),
    OPEN: ("Everybody has answered.", "Alle haben geantwortet."),
}  # fmt: skip
_ALONE = ErrorWords(
    "calendar.guests", "Nobody is invited to “{place}”.", "To invite somebody, say: invite Anna to {place}.",
    "Zu „{place}“ ist niemand eingeladen.", "Um jemanden einzuladen, sag: lade Anna zu {place} ein.",
)  # fmt: skip


def guests(
    ctx: Context, book: Book, event: str, when: Period | None, said: str
) -> tuple[str, list[str], list[str], list[str], list[str]]:
    """Return who is invited to an event in words, and the names by what they answered. Raises ToolError."""
    found = sought(book, event, when)
    if not found:
        raise nothing(book, event, when, ctx.language)
    one = next((one for one in found if invited([one.entry])), found[0])
    people, title = invited([one.entry], book.of(one.entry).owners), plain(one.entry.title)
    if not people:
        raise _with_hint(_ALONE, title, "")
    names = {answer: [plain(who.name) or who.address for who in people if _answer_of(who) == answer]
             for answer in _HEADS}  # fmt: skip
    shown = [_ANSWERS[said]] if said in _ANSWERS else [answer for answer in _HEADS if names[answer]]
    texts = [_standing(names, shown, language) for language in ("en", "de")]
    english, german = (
        f"{wording.label(one, book.local, language)}:\n{text}"
        for language, text in zip(("en", "de"), texts, strict=True)
    )
    ctx.say(english, de=german)
    text = german if ctx.language == "de" else english
    return text, names["ACCEPTED"], names["TENTATIVE"], names["DECLINED"], names[OPEN]


def _answer_of(one: Person) -> str:
    return one.answer if one.answer in _SAID else OPEN


def _standing(names: Mapping[str, list[str]], shown: Sequence[str], language: str) -> str:
    german = language == "de"
    said = {answer: f"- {_HEADS[answer][german]}: {words.listing(names[answer], language)}" for answer in shown}
    return "\n".join(line if names[answer] else _NOBODY[answer][german] for answer, line in said.items())
