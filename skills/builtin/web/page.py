"""What a page says: its title, its day, its main text as lines, its links. Nothing of it is run or loaded.

The main text is found by where the words are: an element counts what its paragraphs say without what is a link, and
what is a menu, a banner or a comment by its kind or its name is taken out before. lxml reads the page; the walk over it
has no recursion, so that no page is nested too deeply.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any
from urllib.parse import urljoin, urlsplit

from lxml import etree, html  # type: ignore[import-untyped]

from skills.sdk import words

_GONE = (
    "script style noscript template nav aside footer form iframe svg button select textarea dialog object embed canvas "
    "audio video map"
).split()
_UNLIKELY = re.compile(
    r"\b(?:ad|ads|advert\w*|banner|breadcrumbs?|comments?|consent|cookies?|disqus|footer|menu|modal|nav|navbar|navigation|"
    r"newsletter|pager|pagination|popup|promo|recommended|related|share|sharing|sidebar|skip|social|sponsor\w*|subscribe|"
    r"toolbar|widget)\b", re.IGNORECASE,
)  # fmt: skip
_LIKELY = re.compile(r"\b(?:article|body|content|entry|main|page|post|story|text)\b", re.IGNORECASE)
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_HEADINGS = {f"h{level}": "#" * level for level in range(1, 7)}
_BLOCKS = frozenset(
    "address article blockquote body caption center dd details div dl dt fieldset figcaption figure h1 h2 h3 h4 h5 h6 "
    "header hr li main ol p pre section summary table tbody td tfoot th thead tr ul br".split()
)
_SAYING = ("p", "li", "pre", "blockquote", "dd", "dt", "td", "th", "h2", "h3", "h4", "figcaption")
_CELLS = frozenset({"td", "th"})
_META_TITLES = ("og:title", "twitter:title")
_META_DAYS = ("article:published_time", "date", "dc.date", "dc.date.issued", "dcterms.created", "datepublished",
              "pubdate", "publish-date", "og:updated_time", "article:modified_time", "last-modified")  # fmt: skip
_DAY = re.compile(r"(?:19|20)\d\d-\d\d-\d\d")
_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([A-Za-z0-9_:-]{1,40})", re.IGNORECASE)
_HEAD_BYTES = 4096
_SHORT = 3000
_LEAST_SHARE = 0.35
_GREATER = 1.25
MOST_LINKS = 1000
_LONGEST_TITLE = 300


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read of a page: ``lines`` are paragraphs, headings ("## ..."), items ("- ...") and rows ("a | b")."""

    title: str
    day: date | None
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        """The main text, with an empty line between paragraphs."""
        return "\n".join(_spaced(self.lines)).strip()


def decoded(body: bytes, named: str) -> str:
    """Return a page as text: in the character set that the host names, else a mark, the page, UTF-8, Windows-1252."""
    found = _CHARSET.search(body[:_HEAD_BYTES])
    inside = found[1].decode("ascii") if found else ""
    marked = body.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"))
    for charset in (*(() if marked else (named, inside)), words.encoding_of(body)):
        try:
            return body.decode(charset or "?", errors="replace" if charset == named else "strict")
        except (LookupError, UnicodeError):  # of idna and the like no UnicodeDecodeError
            continue
    return body.decode("utf-8", errors="replace")


def read(text: str) -> Reading:
    """Return what a page in HTML says."""
    tree = _tree(text)
    if tree is None:
        return Reading("", None, ())
    title, day = _title(tree), _day(tree)
    _clean(tree)
    body = tree.find("body")
    top = _main(body if body is not None else tree)
    return Reading(title, day, tuple(_lines(top)))


def links(text: str, base: str) -> list[tuple[str, str]]:
    """Return the links of a page in HTML as (words, address), each address once."""
    tree = _tree(text)
    if tree is None:
        return []
    start = tree.find(".//base[@href]")
    base = (_address(base, start.get("href", "")) or base) if start is not None else base
    found: dict[str, str] = {}
    for one in tree.iter("a"):
        address = _address(base, one.get("href", ""))
        shown = _one_line(one.text_content()) or _one_line(one.get("title", "") or one.get("aria-label", ""))
        if address and shown and len(found) < MOST_LINKS:
            found.setdefault(address, shown[:_LONGEST_TITLE])
    return [(shown, address) for address, shown in found.items()]


def _address(base: str, link: str) -> str:
    try:
        whole = urljoin(base, link.strip())
        parts = urlsplit(whole)
    except ValueError:
        return ""
    return whole.partition("#")[0] if parts.scheme in ("http", "https") and parts.hostname else ""


def _tree(text: str) -> Any:
    parser = html.HTMLParser(encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True)
    try:
        return html.document_fromstring(text.replace("\0", "").encode("utf-8", "replace"), parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, AssertionError):
        return None


def _meta(tree: Any) -> dict[str, str]:
    found: dict[str, str] = {}
    for one in tree.iter("meta"):
        name = one.get("property") or one.get("name") or one.get("itemprop") or ""
        found.setdefault(name.casefold(), _one_line(one.get("content", "")))
    return found


def _title(tree: Any) -> str:
    told = _meta(tree)
    heads = [_one_line(one.text_content()) for one in tree.iter("h1")]
    whole = next((told[name] for name in _META_TITLES if told.get(name)), "") or _one_line(
        tree.findtext(".//title") or ""
    )
    if len(heads) == 1 and heads[0] and (not whole or whole.startswith(heads[0])):
        whole = heads[0]
    return whole[:_LONGEST_TITLE]


def _day(tree: Any) -> date | None:
    """The day on which a page says that it was published, or last changed."""
    told = _meta(tree)
    named = [told[name] for name in _META_DAYS if told.get(name)]
    times = [one.get("datetime", "") for one in tree.iter("time")]
    for text in (*named[:1], *_published(tree), *named[1:], *times):
        match = _DAY.search(text)
        try:
            if match:
                return date.fromisoformat(match[0])
        except ValueError:
            continue
    return None


def _published(tree: Any) -> Iterator[str]:
    """What a page says of itself as data (schema.org)."""
    for one in tree.iter("script"):
        if one.get("type") == "application/ld+json":
            try:
                data = json.loads(one.text or "")
            except (ValueError, RecursionError):
                continue
            for item in data if isinstance(data, list) else [data]:
                if isinstance(item, dict) and isinstance(item.get("datePublished"), str):
                    yield item["datePublished"]


def _clean(tree: Any) -> None:
    """Take out what is no text of the page itself."""
    out = [one for one in tree.iter() if isinstance(one.tag, str) and _is_out(one)]
    for one in out:
        if one.getparent() is not None:
            one.drop_tree()


def _is_out(one: Any) -> bool:
    if one.tag in _GONE:
        return True
    if one.tag in ("html", "body", "main", "article"):
        return False
    if one.get("hidden") is not None or one.get("aria-hidden") == "true" or _HIDDEN.search(one.get("style", "")):
        return True
    if one.tag == "header":
        return next(one.iter("h1"), None) is None
    if one.get("role") in ("navigation", "banner", "contentinfo", "complementary", "search", "dialog"):
        return True
    called = f"{one.get('class', '')} {one.get('id', '')}".replace("_", " ").replace("-", " ")
    return bool(_UNLIKELY.search(called)) and not _LIKELY.search(called)


def _main(body: Any) -> Any:
    """The element that holds the main text: marked as such, or where most is said."""
    whole = len(_one_line(body.text_content()))
    marked = [one for one in body.iter("main", "article") if len(_one_line(one.text_content())) > 200]
    if len(marked) == 1 or (marked and marked[0].tag == "main"):
        return marked[0]
    scores: dict[Any, float] = {}
    for one in body.iter(*_SAYING):
        said = _said(one)
        for step, above in enumerate(one.iterancestors()):
            if step > 1 or above is body.getparent():
                break
            scores[above] = scores.get(above, 0.0) + said / (1 + step)
    if not scores:
        return body
    best = max(scores, key=lambda one: scores[one])
    while best.getparent() in scores and scores[best.getparent()] * _GREATER >= scores[best] and best is not body:
        best = best.getparent()
    found = len(_one_line(best.text_content()))
    return body if found < _LEAST_SHARE * whole or whole < _SHORT else best


def _said(one: Any) -> float:
    """How much an element says that is no link."""
    text = len(_one_line(one.text_content()))
    linked = sum(len(_one_line(link.text_content())) for link in one.iter("a"))
    return max(text - 1.5 * linked, 0.0)


def _lines(top: Any) -> Iterator[str]:
    """Yield the text of an element block by block."""
    parts: list[str] = []
    begin, raw = "", 0

    def block() -> Iterator[str]:
        text = "".join(parts)
        parts.clear()
        yield from (
            [begin + text.strip("\n")] if raw and text.strip() else [begin + _one_line(text)] * bool(text.strip())
        )

    for event, one in etree.iterwalk(top, events=("start", "end")):
        if not isinstance(one.tag, str):
            continue
        cell = one.tag in _CELLS
        if one.tag in _BLOCKS and not (cell and parts and event == "start"):
            if cell or (event == "start" and one.getparent() is not None and one.getparent().tag in _CELLS):
                parts += [" | "] if event == "end" and cell and parts else [" "]
            else:
                yield from _without_bars(block())
                begin = _beginning(one) if event == "start" else ""
        raw += (one.tag == "pre") * (1 if event == "start" else -1)
        if event == "start":
            parts.append(one.text or "")
        elif one is not top:
            parts.append(one.tail or "")
    yield from _without_bars(block())


def _without_bars(lines: Iterator[str]) -> Iterator[str]:
    """A row ends with its last cell, and one that holds nothing is none."""
    for line in lines:
        shown = re.sub(r"(?:\s*\|)+\s*$", "", line)
        if shown.strip("#-| "):
            yield shown


def _beginning(one: Any) -> str:
    if one.tag in _HEADINGS:
        return _HEADINGS[one.tag] + " "
    return "- " if one.tag == "li" else ""


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _spaced(lines: tuple[str, ...]) -> Iterator[str]:
    """Put an empty line between paragraphs, and none between the items of a list or the rows of a table."""
    before = ""
    for line in lines:
        together = (line.startswith("- ") and before.startswith("- ")) or (" | " in line and " | " in before)
        if before and not together:
            yield ""
        yield line
        before = line
