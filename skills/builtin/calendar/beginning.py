"""What begins soon, told so that a rule can wait for it: each time of an event, and what tells it from all others."""

from __future__ import annotations

from datetime import timedelta
from hashlib import blake2b

from .book import Book
from .choosing import is_called
from .entries import Entry
from .occurrences import Occurrence, between

MOST = 2000


def beginnings(book: Book, within: timedelta, words: str) -> list[Occurrence]:
    """Return what begins from now on within some time, by its beginning; ``words`` are what it is called."""
    found = between(book.entries, book.now, book.now + within)
    ahead = (one for one in found if one.begins(book.local) >= book.now)
    return [one for one in ahead if not words or is_called(one.entry, words)][:MOST]


def people_of(entry: Entry) -> list[str]:
    """Return who takes part, by name, else by address."""
    return [" ".join((name or address).split()) for name, address in entry.people]


def key_of(entry: Entry) -> str:
    """Return a digest that tells an event from every other, also where two are called alike."""
    text = entry.uid or f"{entry.file.path}\0{entry.title}"
    return blake2b(text.encode("utf-8", "replace"), digest_size=12).hexdigest()
