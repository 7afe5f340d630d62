from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from skills.sdk import ToolError
from skills.sdk.testing import load

web = load(Path(__file__).parent.parent)
page, passages, naming = (getattr(web, name) for name in ("page", "passages", "naming"))

WORDS = "The tower was built of oak in a single summer, and nobody who saw it then believed that it would stand. " * 4
NEWS = f"""<!doctype html><html lang="en"><head><title>The tower | Daily Word</title>
<meta property="og:title" content="The tower | Daily Word">
<meta property="article:published_time" content="2024-05-06T08:00Z">
<script>var cookie = "script-word";</script><style>.x{{color:red}}</style></head><body>
<header><a href="/">Daily Word</a></header><nav><ul><li><a href="/a">menu-word</a></li></ul></nav>
<div class="cookie-banner">cookie-word: we value your privacy</div>
<div class="layout"><div class="story-body"><h1>The tower</h1><p>{WORDS}</p><h2>Later</h2><p>It burned. {WORDS}</p>
<ul><li>first item</li><li>second <b>item</b></li></ul>
<pre>  kept   as it is
  line two</pre><div style="display:none">hidden-word</div></div>
<div class="sidebar"><p>related-word, {WORDS}</p></div></div>
<div id="comments"><p>comment-word</p></div><footer>footer-word</footer></body></html>"""
SHOP = """<html><head><title>Bakery Müller</title></head><body><h1>Bakery Müller</h1>
<p>Bread since 1911.</p><h2>Opening hours</h2><table><tr><th>Mon to Fri</th><td>7 to 18</td></tr>
<tr><th>Sat</th><td>7 to 12</td></tr></table><h2>Contact</h2><p>Phone: 030 123</p>
<p>Mail us any time.</p></body></html>"""


def test_a_character_set_that_is_none_for_pages() -> None:
    assert page.decoded("Grüße .. x".encode(), "idna") == "Grüße .. x"


def test_a_page_that_leads_on_to_no_address_is_said() -> None:
    with pytest.raises(ToolError):
        web.fetching._onward("https://a.test/", "https://a.test/", "http://[x")


def test_the_main_text_is_read_and_nothing_else() -> None:
    found = page.read(NEWS)
    assert (found.title, found.day) == ("The tower", date(2024, 5, 6))
    assert found.lines[:4] == ("# The tower", WORDS.strip(), "## Later", f"It burned. {WORDS.strip()}")
    assert found.lines[4:] == ("- first item", "- second item", "  kept   as it is\n  line two")
    for word in ("script", "menu", "cookie", "hidden", "related", "comment", "footer"):
        assert f"{word}-word" not in found.text


def test_a_short_page_is_read_whole_with_its_tables() -> None:
    assert page.read(SHOP).lines == (
        "# Bakery Müller", "Bread since 1911.", "## Opening hours", "Mon to Fri | 7 to 18", "Sat | 7 to 12",
        "## Contact", "Phone: 030 123", "Mail us any time.",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("head", "day"),
    [
        ('<meta name="date" content="2023-01-02">', date(2023, 1, 2)),
        ('<script type="application/ld+json">{"datePublished": "2022-03-04T00:00"}</script>', date(2022, 3, 4)),
        ('<script type="application/ld+json">{broken</script>', None),
        ('<meta name="date" content="2023-13-77">', None),
        ('<meta name="date" content="yesterday">', None),
    ],
)
def test_the_day_is_what_the_page_says(head: str, day: date | None) -> None:
    assert page.read(f"<html><head>{head}</head><body><p>words</p></body></html>").day == day


@pytest.mark.parametrize(
    ("body", "named", "text"),
    [
        ("grüezi".encode(), "", "grüezi"),
        ("grüezi".encode("latin-1"), "iso-8859-1", "grüezi"),
        ("grüezi".encode("latin-1"), "", "grüezi"),
        (b'<meta charset="windows-1251">' + "привет".encode("cp1251"), "", '<meta charset="windows-1251">привет'),
        ("grüezi".encode("utf-16"), "utf-8", "grüezi"),
        (b"\xef\xbb\xbf" + "grüezi".encode(), "latin-1", "grüezi"),
        ("grüezi".encode(), "no-such-charset", "grüezi"),
    ],
)
def test_the_character_set_is_found(body: bytes, named: str, text: str) -> None:
    assert page.decoded(body, named).lstrip("\ufeff") == text


@pytest.mark.parametrize(
    "text",
    [
     "", "   ", "<", "<!doctype html>", "\0\0", "<html></html>", "<p>" * 50_000, "<div>" * 5_000 + "deep",
     "<table>" * 3_000, "<a href='http://[::1'>x</a>", "<base href='http://['><a href=x>y</a>",
     "<svg><p>x", "<!--" * 999,
    ],
)  # fmt: skip
def test_what_is_no_good_page_ends_in_a_reading(text: str) -> None:
    assert isinstance(page.read(text).text, str)
    assert isinstance(page.links(text, "https://example.org/"), list)


def test_links_are_whole_and_once() -> None:
    text = """<base href="/b/"><a href="c">one</a><a href="c#x">again</a>
    <a href="//other.test/d">two</a>
    <a href="javascript:alert(1)">no</a><a href="mailto:a@b">no</a><a href="file:///etc/passwd">no</a>
    <a href="e"></a>"""
    assert page.links(text, "https://example.org/a") == [
        ("one", "https://example.org/b/c"), ("two", "https://other.test/d"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("words", "heading", "text"),
    [
        ("the opening hours", "Opening hours", "Mon to Fri | 7 to 18\nSat | 7 to 12"),
        ("phone", "Contact", "Phone: 030 123"),
        ("breads", "Bakery Müller", "Bread since 1911."),
        ("MÜLLER", "Bakery Müller", "Bread since 1911."),
        ("Mueller", "Bakery Müller", "Bread since 1911."),
        ("phone number", "Contact", "Phone: 030 123"),
    ],
)
def test_a_place_is_found_by_words(words: str, heading: str, text: str) -> None:
    first = passages.passages(page.read(SHOP).lines, words)[0]
    assert (first.heading, first.text) == (heading, text)


@pytest.mark.parametrize("words", ["parking", "hour glass repair shop", "xyz", "?"])
def test_what_is_not_there_is_not_found(words: str) -> None:
    assert passages.passages(page.read(SHOP).lines, words) == []


@pytest.mark.parametrize(
    ("url", "disposition", "kind", "name"),
    [
        ("https://e.org/a/b.pdf?x=1", "", "application/pdf", "b.pdf"),
        ("https://e.org/a/r%C3%BCbe.pdf", "", "", "rübe.pdf"),
        ("https://e.org/get", 'attachment; filename="my file.pdf"', "", "my file.pdf"),
        ("https://e.org/get", "attachment; filename*=UTF-8''r%C3%BCbe.txt; filename=x.txt", "", "rübe.txt"),
        ("https://e.org/get", 'attachment; filename="../../.bashrc"', "", "bashrc"),
        ("https://e.org/get", 'attachment; filename="..\\\\..\\\\evil.exe"', "", "evil.exe"),
        ("https://e.org/get", 'attachment; filename="/etc/passwd"', "", "passwd"),
        ("https://e.org/get", 'attachment; filename="a\u202egnp.exe"', "", "agnp.exe"),
        ("https://e.org/get", 'attachment; filename="a\r\nb:c.txt"', "", "a b c.txt"),
        ("https://e.org/get", 'attachment; filename=".."', "", "get"),
        ("https://e.org/", "", "text/html; charset=x", "e.org.html"),
        ("https://e.org/report", "", "text/csv", "report.csv"),
        ("https://e.org/..%2f..%2fx", "", "", "x"),
        (
            "https://e.org/get",
            'attachment; filename="Mr. Smith and his report"',
            "text/csv",
            "Mr. Smith and his report.csv",
        ),
    ],
)
def test_a_name_is_safe(url: str, disposition: str, kind: str, name: str) -> None:
    assert naming.file_name(url, disposition, kind) == name


@pytest.mark.parametrize("name", ["a" * 400 + ".pdf", "ü" * 300 + ".tar.gz", "." * 50, "\u202e" * 9, "con/" * 9])
def test_a_name_has_room_on_a_disk(name: str) -> None:
    found = naming.safe(name)
    assert len(found.encode()) <= 200
    assert "/" not in found
    assert not found.startswith(".")
