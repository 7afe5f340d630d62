"""Web addresses in a sentence: written whole, without a scheme, spoken; and what is a file, a number or an e-mail."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from kernel.context.mind import Mind
from kernel.context.world import HomeWorld
from kernel.interpret import interpret
from kernel.model import ConversationId, Intent, Utterance
from skills.model import ValueKind
from tests.kernel.homes import furnish

NOW = datetime(2026, 3, 11, 10, 0, tzinfo=UTC)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return furnish(tmp_path_factory.mktemp("addresses"), ("Papers/diary.org", "Papers/report.pdf", "readme.md"))


def read(text: str, home: Path, mind: Mind) -> Intent:
    return interpret(
        Utterance(text, ConversationId("c"), str(home), str(home), NOW), HomeWorld(str(home)), mind.lexicon
    )


def addresses(intent: Intent) -> list[str]:
    return [str(span.value) for span in intent.spans if span.kind is ValueKind.URL]


@pytest.mark.parametrize(
    ("sentence", "address"),
    [
        ("read https://example.org/a?b=c&d=1#e", "https://example.org/a?b=c&d=1#e"),
        ("read http://example.org:8080/x, please", "http://example.org:8080/x"),
        ("read (https://example.org/a).", "https://example.org/a"),
        ("what is on wikipedia.org/wiki/Berlin?", "https://wikipedia.org/wiki/Berlin"),
        ("was steht auf example.org?", "https://example.org"),
        ("lies www.example.md", "https://www.example.md"),
        ("read example.org/search?q=garden+shed", "https://example.org/search?q=garden+shed"),
        ("read example.com:8443/status", "https://example.com:8443/status"),
        ("read bücher.de", "https://bücher.de"),
        ("read Example dot org", "https://example.org"),
        ("lies beispiel Punkt de", "https://beispiel.de"),
        ("open news dot example dot com slash today", "https://news.example.com/today"),
        ("öffne beispiel punkt de schrägstrich kontakt", "https://beispiel.de/kontakt"),
    ],
)
def test_an_address_is_found_whole(sentence: str, address: str, home: Path, mind: Mind) -> None:
    intent = read(sentence, home, mind)
    assert addresses(intent) == [address]
    missing = [span for span in intent.spans if span.kind is ValueKind.FILE and span.source == "missing"]
    bare = f" {address.removeprefix('https://')}" in sentence and "/" not in address[8:] and ":" not in address[8:]
    assert bool(missing) == (bare and "www." not in address), "a host alone may as well be a file"


@pytest.mark.parametrize("sentence", ["delete emacs.info", "lösche Notes.app", "move photos.site to Papers"])
def test_a_host_alone_may_be_a_file_that_is_not_there(sentence: str, home: Path, mind: Mind) -> None:
    spans = [span for span in read(sentence, home, mind).spans if span.first == 1 and span.last == 2]
    sure = {span.kind: span.confidence for span in spans if span.source == "missing" or span.kind is ValueKind.URL}
    assert sure[ValueKind.URL] > sure[ValueKind.FILE] > 0


@pytest.mark.parametrize(
    "sentence",
    [
        "read diary.org",  # the file is there
        "read report.pdf",
        "read readme.md",
        "read Papers/report.pdf",
        "put it in rates dot csv",
        "write to anna@example.org",
        "3.5 km in miles",
        "on 3.4.2026",
        "at 9.30",
        "e.g. the big ones",
        "the dot on the i",
    ],
)
def test_what_is_no_address_is_none(sentence: str, home: Path, mind: Mind) -> None:
    assert addresses(read(sentence, home, mind)) == []
