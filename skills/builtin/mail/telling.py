"""What is said of mails: lists, one mail with its text, what was not looked at; in English and German."""

from __future__ import annotations

from skills.sdk import Context, ToolError, words

from .choosing import Found, Wish
from .headers import Head

LISTED = 20

_NOUNS = {
    "en": {
        (False, False): "mail",
        (True, False): "unread mail",
        (False, True): "mail with attachments",
        (True, True): "unread mail with attachments",
    },
    "de": {
        (False, False): "Mail",
        (True, False): "ungelesene Mail",
        (False, True): "Mail mit Anhang",
        (True, True): "ungelesene Mail mit Anhang",
    },
}


_BOXES = {
    "drafts": ("among your drafts", "unter deinen Entwürfen"), "sent": ("among the sent ones", "unter den gesendeten"),
    "archive": ("in the archive", "im Archiv"), "spam": ("in the spam folder", "im Spam-Ordner"),
    "trash": ("among the deleted ones", "unter den gelöschten"),
}  # fmt: skip
_OWN = frozenset(("drafts", "sent"))


def line(head: Head, language: str, *, own: bool = False) -> str:
    """Return a mail as a line: day, sender (of one's ``own`` to whom it is), subject."""
    new = (" (ungelesen)" if language == "de" else " (unread)") if head.unread else ""
    subject = head.subject or ("ohne Betreff" if language == "de" else "no subject")
    to = ("an" if language == "de" else "to") + f" {head.to or '?'}"
    return f"{words.day(head.when.date(), language)}, {to if own else head.sender}: {subject}{new}"


def say_found(ctx: Context, wish: Wish, found: Found, shown: list[Head]) -> None:
    """Say how many mails fit, and list them."""
    if not found.count:
        ctx.say(
            f"There is no {_noun(wish, 1, 'en')}{_which(wish, 'en')}.",
            de=f"Es gibt keine {_noun(wish, 1, 'de')}{_which(wish, 'de')}.",
        )
    else:
        said = [_summary(wish, found, len(shown), one) for one in ("en", "de")]
        lists = ["\n".join(f"- {line(one, tongue, own=wish.box in _OWN)}" for one in shown) for tongue in ("en", "de")]
        ctx.say(f"{said[0]}\n{lists[0]}", de=f"{said[1]}\n{lists[1]}")
    say_rest(ctx, found)


def _summary(wish: Wish, found: Found, shown: int, language: str) -> str:
    count, some = found.count, shown < found.count
    what = f"{count} {_noun(wish, count, language)}{_which(wish, language)}"
    if language == "de":
        return f"{what}; die neuesten {shown}:" if some else f"{what}:"
    return f"{what}; the newest {shown}:" if some else f"{what}:"


def _noun(wish: Wish, count: int, language: str) -> str:
    noun = _NOUNS["de" if language == "de" else "en"][wish.unread, wish.mixed]
    if count == 1:
        return noun
    return noun.replace("Mail", "Mails") if language == "de" else noun.replace("mail", "mails")


def _which(wish: Wish, language: str) -> str:
    german = language == "de"
    parts = [f" von {wish.sender}" if german else f" from {wish.sender}"] if wish.sender else []
    parts += [f" über „{wish.about}“" if german else f" about “{wish.about}”"] if wish.about else []
    if wish.when is not None:
        parts.append(" aus dieser Zeit" if german else " of that time")
    parts += [f" {_BOXES[wish.box][german]}"] if wish.box else []
    parts += [" in diesem Ordner" if german else " in that folder"] if wish.folder else []
    return "".join(parts)


def say_rest(ctx: Context, found: Found) -> None:
    """Say what was not looked at, so that nobody takes a part for the whole."""
    if found.left:
        ctx.say(
            f"I looked through the newest mails only; {found.left} older ones were not looked at.",
            de=f"Ich habe nur die neuesten Mails durchgesehen; {found.left} ältere nicht.",
        )
    if found.broken:
        en, de = words.count(found.broken, "mail", "mails"), words.count(found.broken, "Mail", "Mails")
        ctx.say(f"Passed over, because it cannot be read: {en}.", de=f"Übergangen, weil nicht lesbar: {de}.")


def say_letter(ctx: Context, head: Head, text: str, files: list[str], cut: bool) -> None:
    """Say one mail: who, when, about what, its text, its files."""
    subject = (head.subject or "no subject", head.subject or "ohne Betreff")
    intro = f"{head.sender} wrote on {words.day(head.when.date())}: {subject[0]}"
    anfang = f"{head.sender} schrieb am {words.day(head.when.date(), 'de')}: {subject[1]}"
    body, leer = text or "(no text)", text or "(kein Text)"
    ctx.say(f"{intro}\n\n{body}", de=f"{anfang}\n\n{leer}")
    if files:
        ctx.say(f"Attachments: {words.listing(files)}.", de=f"Anhänge: {words.listing(files, 'de')}.")
    if cut:
        ctx.say(
            "This is not all of it: the mail is too long, or broken.",
            de="Das ist nicht alles: die Mail ist zu lang oder beschädigt.",
        )


def no_files(head: Head) -> ToolError:
    """The mail that is meant brings no files."""
    return ToolError(
        f"The mail of {head.sender} has no attachments.",
        hint="Name another mail.",
        code="tool.missing",
        de=f"Die Mail von {head.sender} hat keine Anhänge.",
        de_hint="Nenne eine andere Mail.",
    )


def no_address() -> ToolError:
    """The mail says nobody to answer to."""
    return ToolError(
        "That mail says no address to answer to.",
        hint="Say whom to write to.",
        code="tool.missing",
        de="Diese Mail nennt keine Adresse, an die man antworten kann.",
        de_hint="Sag, an wen du schreiben willst.",
    )


def nothing(wish: Wish) -> ToolError:
    """No mail fits."""
    return ToolError(
        f"There is no {_noun(wish, 1, 'en')}{_which(wish, 'en')}.",
        hint="Say other words, or fetch your mail first.",
        code="tool.missing",
        de=f"Es gibt keine {_noun(wish, 1, 'de')}{_which(wish, 'de')}.",
        de_hint="Nenne andere Wörter, oder ruf zuerst deine Mails ab.",
    )
