"""Read pages of the web, search in them, list their links, keep them, and download files."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import Literal

from skills.sdk import Context, ErrorWords, File, Folder, Query, Response, Title, Url, words

from . import naming, page, passages
from .fetching import get, host_of, is_open
from .page import Reading

MOST_BYTES = 300 << 20
ASKED_BYTES = 50 * 10**6
_DOWNLOAD_S = 540.0
_SHOWN = 12_000
_LINKS_SHOWN = 30
_CHARSET = re.compile(r"charset=\"?([A-Za-z0-9_:.-]{1,40})", re.IGNORECASE)
_HTML = ("text/html", "application/xhtml+xml")
_TEXTS = ("text/", "application/json", "application/xml", "application/ld+json")

Form = Literal["note", "markdown", "text"]

_no_page = ErrorWords(
    "web.kind", "{place} is no page but {kind}, and was not read.", "Ask to download it.",
    "{place} ist keine Seite, sondern {kind}, und wurde nicht gelesen.", "Lass es herunterladen.",
)  # fmt: skip
_says_nothing = ErrorWords(
    "web.empty", "{place} shows no text unless its scripts run, and Steward runs none.",
    "Open it in your browser, or name another page.",
    "{place} zeigt keinen Text, solange seine Skripte nicht laufen, und Steward führt keine aus.",
    "Öffne die Seite im Browser, oder nenne eine andere.",
)  # fmt: skip
_no_links = ErrorWords(
    "web.links", "{place} has no links about that.", "Ask for all links of the page.",
    "{place} hat dazu keine Links.", "Frag nach allen Links der Seite.",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Page:
    """What a page says; ``day`` is when it says that it was published."""

    title: str
    text: str
    day: date | None
    url: str


@dataclass(frozen=True, slots=True)
class Place:
    """A place of a page: what it says, and the heading above."""

    heading: str
    text: str
    url: str


@dataclass(frozen=True, slots=True)
class Link:
    """A link: what it is called and where it leads."""

    title: str
    url: str


def read(ctx: Context, url: Url) -> Page:
    """Read a page of the web: its title, its date and its main text.

    Args:
        url: the address of the page.
    """
    found = _page(ctx, url)
    day, tag = (f", {words.day(found.day, language)}" if found.day else "" for language in ("en", "de"))
    host, shown = host_of(found.url), _shown(found.text, ctx.language)
    ctx.say(f"“{found.title}” ({host}{day}{_open(found.url, 'en')}):\n{shown}",
            de=f"„{found.title}“ ({host}{tag}{_open(found.url, 'de')}):\n{shown}")  # fmt: skip
    return found


def find(ctx: Context, url: Url, words: Query) -> list[Place]:
    """Find what a page of the web says about something.

    Args:
        url: the address of the page.
        words: what to look for.
    """
    answer = get(ctx, url)
    reading, host = _reading(answer), host_of(answer.url)
    hits = passages.passages(reading.lines, words)
    if not hits:
        ctx.say(f"{host} says nothing about “{words}” on this page.",
                de=f"Auf dieser Seite von {host} steht nichts über „{words}“.")  # fmt: skip
        return []
    lines = [f"{hit.heading}: {hit.text}" if hit.heading and hit.heading not in hit.text else hit.text for hit in hits]
    near = hits[0].share < 1
    told = "\n".join(lines)
    english = "has only something near" if near else "says about"
    german = "hat nur etwas Ähnliches zu" if near else "sagt zu"
    ctx.say(f"{host} {english} “{words}”:\n{told}", de=f"{host} {german} „{words}“:\n{told}")
    return [Place(hit.heading, hit.text, answer.url) for hit in hits]


def links(ctx: Context, url: Url, about: Query | None = None) -> list[Link]:
    """List the links of a page of the web.

    Args:
        url: the address of the page.
        about: words that the links have in them; all links when absent.
    """
    answer = get(ctx, url)
    every = page.links(_html(answer), answer.url)
    kept = [one for one in every if about is None or passages.passages([" ".join(one)], about)]
    host = host_of(answer.url)
    if not kept:
        raise _no_links(host)
    heads = ("Link", "Adresse") if ctx.language == "de" else ("link", "address")
    ctx.table(heads, kept)
    shown = "\n".join(f"- {title}: {address}" for title, address in kept[:_LINKS_SHOWN])
    more = len(kept) - _LINKS_SHOWN
    count, zahl = words.count(len(kept), "link", "links"), words.count(len(kept), "Link", "Links")
    ctx.say(
        f"{host} has {count}:\n{shown}" + (f"\n… and {more} more." if more > 0 else ""),
        de=f"{host} hat {zahl}:\n{shown}" + (f"\n… und {more} weitere." if more > 0 else ""),
    )
    return [Link(title, address) for title, address in kept]


def download(ctx: Context, url: Url, folder: Folder | None = None) -> File:
    """Download a file from the web into a folder.

    Args:
        url: the address of the file.
        folder: where to put it; Downloads when absent.
    """
    answer = get(ctx, url, limit_bytes=MOST_BYTES, timeout_s=_DOWNLOAD_S)
    name = naming.file_name(answer.url, answer.header("content-disposition"), answer.header("content-type"))
    wanted = f"{ctx.path(folder) if folder else ctx.path('~/Downloads')}/{name}"
    path, size = ctx.unused(wanted), len(answer.body)
    host, shown = host_of(answer.url), words.size(size, ctx.language)
    large = (
        f"{words.name(name)} hat {shown} und kommt von {host}."
        if ctx.language == "de"
        else f"{words.name(name)} has {shown} and comes from {host}."
    )
    ctx.write(path, answer.body, note=large if size > ASKED_BYTES else "")
    other, anders = ("", "") if path == wanted else (" Its name was taken.", " Der Name war vergeben.")
    ctx.say(
        f"I downloaded {ctx.shown(path)} ({shown}) from {host}{_open(answer.url, 'en')}.{other}",
        de=f"Ich habe {ctx.shown(path)} ({shown}) von {host}{_open(answer.url, 'de')} heruntergeladen.{anders}",
    )
    return ctx.file(path)


def save(ctx: Context, url: Url, title: Title | None = None, form: Form = "note") -> File:
    """Save a page of the web as a note, or as a Markdown or text file.

    Args:
        url: the address of the page.
        title: what it is saved as; the title of the page when absent.
        form: as a note, as a Markdown file or as a plain text file.
    """
    found = _page(ctx, url)
    name = words.file_name(title or found.title) or host_of(found.url)
    folder, suffix = ("~/Notes" if form == "note" else "~/Downloads"), (".txt" if form == "text" else ".md")
    path = ctx.unused(f"{folder}/{name}{suffix}")
    ctx.write(path, _kept(found, plain=form == "text", language=ctx.language))
    host = host_of(found.url)
    ctx.say(f"I saved “{found.title}” ({host}) as {ctx.shown(path)}.",
            de=f"Ich habe „{found.title}“ ({host}) als {ctx.shown(path)} gespeichert.")  # fmt: skip
    return ctx.file(path)


def _page(ctx: Context, url: Url) -> Page:
    answer = get(ctx, url)
    reading = _reading(answer)
    return Page(reading.title or host_of(answer.url), reading.text, reading.day, answer.url)


def _reading(answer: Response) -> Reading:
    """Return what a page says; a text that is no page is its own main text."""
    kind = _kind(answer)
    text = page.decoded(answer.body, _charset(answer))
    if kind in _HTML or (not kind and re.match(r"\s*<(?:!doctype html|html)", text, re.IGNORECASE)):
        found = page.read(text)
        if not found.lines:
            raise _says_nothing(host_of(answer.url))
        return found
    if kind.startswith(_TEXTS) or (not kind and "\0" not in text):
        lines = tuple(line.rstrip() for line in text.splitlines() if line.strip())
        return Reading(naming.safe(answer.url.rpartition("/")[2]), None, lines)
    raise _no_page(host_of(answer.url), kind=kind or "data")


def _html(answer: Response) -> str:
    kind = _kind(answer)
    if kind and kind not in _HTML:
        raise _no_page(host_of(answer.url), kind=kind)
    return page.decoded(answer.body, _charset(answer))


def _kind(answer: Response) -> str:
    return answer.header("content-type").partition(";")[0].strip().casefold()


def _charset(answer: Response) -> str:
    named = _CHARSET.search(answer.header("content-type"))
    return named[1] if named else ""


def _open(url: str, language: str) -> str:
    """Say that something came without encryption: whoever was on the way could have changed it."""
    if not is_open(url):
        return ""
    return ", unverschlüsselt" if language == "de" else ", not encrypted"


def _shown(text: str, language: str) -> str:
    if len(text) <= _SHOWN:
        return text
    end = "… (gekürzt)" if language == "de" else "… (cut short)"
    return text[:_SHOWN].rsplit("\n", 1)[0] + f"\n{end}"


def _kept(found: Page, *, plain: bool, language: str) -> str:
    """The file of a page: its title, where it is from, and its text."""
    day = f", {words.day(found.day, language)}" if found.day else ""
    head = found.title if plain else f"# {found.title}"
    text = re.sub(r"^#+ ", "", found.text, flags=re.MULTILINE) if plain else found.text
    return f"{head}\n\n{found.url}{day}\n\n{text}\n"
