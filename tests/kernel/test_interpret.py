"""Interpretation as a whole: places by the rules of the command line, free text, bad input, bounds."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernel.context.world import HomeWorld
from kernel.errors import BadRequest
from kernel.interpret import interpret
from kernel.language import Lexicon
from kernel.model import ConversationId, Intent, Utterance
from permissions.labels import USER_SAID
from skills.model import EffectClass, Example, ExampleSlot, Parameter, SkillId, Tool, ToolId, ValueKind, ValueType
from tests.kernel.homes import furnish

NOW = datetime(2026, 3, 11, 10, 0, tzinfo=UTC)
LEXICON = Lexicon(
    verbs=frozenset("find show list save move copy rename delete read add make open zeigen verschieben".split()),
    vocabulary=frozenset("file note photo notes files".split()),
)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    furnish(tmp_path / "work", ("Downloads/", "only-here.txt", "expenses.csv", "sub/x.txt"))
    names = (
        "Downloads/a.pdf",
        "Archive/a.pdf",
        "Finance/expenses.csv",
        "Documents/Annual Report 2024.pdf",
        "Documents/Taxes/2023.pdf",
        "Photos/2024/Berlin/one.jpg",
        "Trips/Berlin/two.jpg",
        "Übungen/Blatt eins.docx",
        "Notes/Garden.md",
        "My Music/song.mp3",
        "Desktop/todo.txt",
        "dup.txt",
    )
    return furnish(tmp_path / "home", names)


def _read(text: str, home: Path, cwd: Path | None = None) -> Intent:
    where = str(cwd or home.parent / "work")
    return interpret(Utterance(text, ConversationId("c"), where, str(home), NOW), HomeWorld(str(home)), LEXICON)


def _values(intent: Intent, kind: ValueKind, *, least: float = 0.5) -> list[str]:
    found: list[Any] = [span.value for span in intent.spans if span.kind is kind and span.confidence >= least]
    return sorted(set(found))


# --- places: the rules of the command line contract


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("list Downloads", "Downloads"),
        ("list the downloads folder", "Downloads"),
        ("list ~/Downloads", "Downloads"),
        ("list ~/Downloads/", "Downloads"),
        ("what is in my Documents?", "Documents"),
        ("files in documents", "Documents"),
        ("move it to the desktop", "Desktop"),
        ("show the folder Taxes", "Documents/Taxes"),
        ("show Documents/Taxes", "Documents/Taxes"),
        ("show documents/Taxes", "Documents/Taxes"),
        ("list my music", "My Music"),
        ('list "My Music"', "My Music"),
        ("zeige den Ordner Übungen", "Übungen"),
        ("list the folder called Finance", "Finance"),
        ("list files in Finance.", "Finance"),
        ("is there anything in Archive, please", "Archive"),
        ("show my home folder", ""),
        ("list ~", ""),
    ],
)
def test_folders_are_found_below_the_home(text: str, path: str, home: Path) -> None:
    assert str(home / path) if path else str(home) in _values(_read(text, home), ValueKind.FOLDER)
    assert _values(_read(text, home), ValueKind.FOLDER) == [str(home / path) if path else str(home)]


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("read Finance/expenses.csv", "Finance/expenses.csv"),
        ("read expenses.csv", "Finance/expenses.csv"),
        ("read EXPENSES.CSV", "Finance/expenses.csv"),
        ("read ~/Finance/expenses.csv.", "Finance/expenses.csv"),
        ("read 'Annual Report 2024.pdf'", "Documents/Annual Report 2024.pdf"),
        ("read Annual Report 2024.pdf", "Documents/Annual Report 2024.pdf"),
        ("read the annual report 2024", "Documents/Annual Report 2024.pdf"),
        ("lies Blatt eins.docx", "Übungen/Blatt eins.docx"),
        ("open dup.txt, please", "dup.txt"),
        ("read 2023.pdf", "Documents/Taxes/2023.pdf"),
    ],
)
def test_files_are_found_in_the_home(text: str, path: str, home: Path) -> None:
    assert _values(_read(text, home), ValueKind.FILE) == [str(home / path)]


def test_an_absolute_path_is_itself(home: Path) -> None:
    assert _values(_read(f"read {home}/Finance/expenses.csv", home), ValueKind.FILE) == [
        str(home / "Finance/expenses.csv")
    ]


def test_what_is_not_in_the_home_is_sought_in_the_working_directory(home: Path) -> None:
    cwd = home.parent / "work"
    assert _values(_read("read only-here.txt", home), ValueKind.FILE) == [str(cwd / "only-here.txt")]
    assert _values(_read("read sub/x.txt", home), ValueKind.FILE) == [str(cwd / "sub/x.txt")]


def test_a_dot_always_means_the_working_directory(home: Path) -> None:
    cwd = home.parent / "work"
    assert _values(_read("read ./expenses.csv", home), ValueKind.FILE) == [str(cwd / "expenses.csv")]
    assert _values(_read("list ./Downloads", home), ValueKind.FOLDER) == [str(cwd / "Downloads")]
    assert _values(_read("read ../expenses.csv", home, cwd / "sub"), ValueKind.FILE) == [str(cwd / "expenses.csv")]


def test_several_files_of_one_name_are_all_offered(home: Path) -> None:
    spans = [span for span in _read("read a.pdf", home).spans if span.kind is ValueKind.FILE]
    assert {span.value for span in spans} == {str(home / "Downloads/a.pdf"), str(home / "Archive/a.pdf")}
    assert len({(span.first, span.last, span.confidence) for span in spans}) == 1


def test_several_folders_of_one_name_are_all_offered(home: Path) -> None:
    assert _values(_read("list the folder Berlin", home), ValueKind.FOLDER) == sorted(
        [str(home / "Photos/2024/Berlin"), str(home / "Trips/Berlin")]
    )


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("save it as big.txt", "big.txt"),
        ("save it as Finance/new.csv", "Finance/new.csv"),
        ("save it to ~/Documents/new.csv", "Documents/new.csv"),
        ('save it as "my list.txt"', "my list.txt"),
        ("save it as big-files_v2.final.pdf", "big-files_v2.final.pdf"),
    ],
)
def test_new_paths_go_to_the_home(text: str, path: str, home: Path) -> None:
    intent = _read(text, home)
    assert _values(intent, ValueKind.NEW_FILE) == [str(home / path)]
    assert _values(intent, ValueKind.FILE) == []


def test_a_path_that_does_not_exist_is_said_to_be_missing(home: Path) -> None:
    spans = [span for span in _read("read nothing.pdf", home).spans if span.kind is ValueKind.FILE]
    assert [(span.value, span.source) for span in spans] == [(str(home / "nothing.pdf"), "missing")]
    assert spans[0].confidence <= 0.2
    folders = [span for span in _read("list ~/nothing/", home).spans if span.kind is ValueKind.FOLDER]
    assert [(span.value, span.source) for span in folders] == [(str(home / "nothing"), "missing")]


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("create a folder called Taxes 2026", "Taxes 2026"),
        ("move it to the folder Rent", "Rent"),
        ("move it into Invoices", "Invoices"),
        ("lege den Ordner Rechnungen an", "Rechnungen"),
    ],
)
def test_a_folder_that_does_not_exist_is_offered_as_missing(text: str, path: str, home: Path) -> None:
    spans = [span for span in _read(text, home).spans if span.kind is ValueKind.FOLDER and span.source == "missing"]
    assert [span.value for span in spans] == [str(home / path)]
    assert spans[0].confidence < 0.5


@pytest.mark.parametrize(
    "text", ["do it in March", "find it in the second half", "ask Anna to show it", "list it to me"]
)
def test_not_every_word_after_a_preposition_is_a_folder(text: str, home: Path) -> None:
    assert not [span for span in _read(text, home).spans if span.kind is ValueKind.FOLDER and span.confidence >= 0.3]


def test_a_written_path_may_have_spaces_when_it_exists(home: Path) -> None:
    assert _values(_read("read Documents/Annual Report 2024.pdf", home), ValueKind.FILE) == [
        str(home / "Documents/Annual Report 2024.pdf")
    ]
    assert _values(_read("list ~/My Music please", home), ValueKind.FOLDER) == [str(home / "My Music")]
    assert _values(_read("list Photos/2024", home), ValueKind.FOLDER) == [str(home / "Photos/2024")]


def test_a_new_files_name_may_have_spaces(home: Path) -> None:
    values = _values(_read("save these rows to big orders.csv", home), ValueKind.NEW_FILE, least=0.4)
    assert str(home / "big orders.csv") in values
    assert str(home / "orders.csv") in values


def test_places_of_others_are_still_spans_for_policy_to_refuse(home: Path) -> None:
    assert _values(_read("read /etc/hostname.txt", home), ValueKind.FILE, least=0.0) == ["/etc/hostname.txt"]
    assert _values(_read("list /etc", home), ValueKind.FOLDER) == ["/etc"]
    assert _values(_read("read ~someone/notes.txt", home), ValueKind.FILE, least=0.0) == [
        str(home.parent / "someone/notes.txt")
    ]


@pytest.mark.parametrize(
    "text",
    ["convert km/h to mph", "this and/or that", "see https://example.com/a.pdf", "mail bob@example.com",
    "convert all .heic files",
    "e.g. this", "at 7 p.m. today"],
)  # fmt: skip
def test_not_everything_with_a_dot_or_slash_is_a_path(text: str, home: Path) -> None:
    kinds = {span.kind for span in _read(text, home).spans}
    assert not kinds & {ValueKind.FILE, ValueKind.FOLDER, ValueKind.NEW_FILE}


def test_a_word_that_tools_use_is_a_place_only_weakly(home: Path) -> None:
    spans = [span for span in _read("make notes about cats", home).spans if span.kind is ValueKind.FOLDER]
    assert [span.confidence < 0.5 for span in spans] == [True]


# --- free text


def _texts(text: str, home: Path, source: str, kind: ValueKind = ValueKind.TITLE) -> list[str]:
    return [span.value for span in _read(text, home).spans if span.source == source and span.kind is kind]


@pytest.mark.parametrize(
    "text",
    ['call it "big files"', "call it 'big files'", "call it “big files”", "call it „big files“", "call it «big files»"],
)
def test_quotations_are_text_title_and_query(text: str, home: Path) -> None:
    for kind in (ValueKind.TEXT, ValueKind.TITLE, ValueKind.QUERY):
        assert _texts(text, home, "quoted", kind) == ["big files"]


def test_an_apostrophe_opens_no_quotation(home: Path) -> None:
    assert _texts("what's in Anna's and Bob's notes", home, "quoted") == []


@pytest.mark.parametrize(
    ("text", "source", "value"),
    [
        ("save it as a note called big files", "cue:called", "big files"),
        ("make a note titled Garden plan, please", "cue:titled", "Garden plan"),
        ("make a note saying buy milk and eggs", "cue:saying", "buy milk and eggs"),
        ("make a note: call the plumber", "cue::", "call the plumber"),
        ("find notes about the garden", "cue:about", "the garden"),
        ("find a document on solar power.", "cue:on", "solar power"),
        ("erstelle eine Notiz namens Einkauf", "cue:namens", "Einkauf"),
        ("finde Notizen über den Garten", "cue:über", "den Garten"),
    ],
)
def test_tails_after_cue_words(text: str, source: str, value: str, home: Path) -> None:
    assert value in _texts(text, home, source)


def test_a_tail_ends_at_the_next_clause_and_at_the_end(home: Path) -> None:
    found = _texts("make a note called big files and show it", home, "cue:called")
    assert found == ["big files", "big files and show it"]


def test_chunks_are_runs_of_content_words(home: Path) -> None:
    found = _texts("find the garden plan and show the old fence photos in Downloads", home, "chunk", ValueKind.QUERY)
    assert found == ["garden plan", "old fence photos", "Downloads"]


# --- the lattice


def test_every_span_is_labelled_and_lies_inside_the_sentence(home: Path) -> None:
    intent = _read("find 3 files in Downloads from last week larger than 10 MB and call it 'x'", home)
    assert intent.label == USER_SAID
    for span in intent.spans:
        assert span.label == USER_SAID
        assert 0 <= span.first < span.last <= len(intent.tokens)
        assert 0 < span.confidence <= 1


def test_the_language_is_guessed(home: Path) -> None:
    assert _read("show the largest files", home).language == "en"
    assert _read("zeige die größten Dateien", home).language == "de"
    assert _read("Downloads?", home).language == "en"


def test_the_tools_own_words_help_to_guess_the_language(home: Path) -> None:
    english = Lexicon(english=frozenset({"find", "files"}), german=frozenset({"finde", "dateien"}))
    where = str(home)
    for text, language in (("find Übungen files", "en"), ("finde Garten Dateien", "de"), ("find Garten", "en")):
        utterance = Utterance(text, ConversationId("c"), where, where, NOW)
        assert interpret(utterance, HomeWorld(where), english).language == language


def test_words_have_their_base_form(home: Path) -> None:
    assert [token.lemma for token in _read("renamed photos", home).tokens] == ["rename", "photo"]
    assert [token.lemma for token in _read("verschiebe die Dateien", home).tokens] == ["verschieben", "die", "datei"]


def test_offsets_give_the_words_back(home: Path) -> None:
    text = "read  ~/Downloads/a.pdf, then\tsave 'it' as b_c-d.v2.txt at 7:30 (1,234.56)!"
    intent = _read(text, home)
    assert all(text[token.start : token.end] == token.text for token in intent.tokens)
    words = [token.text for token in intent.tokens]
    assert {"~/Downloads/a.pdf", "b_c-d.v2.txt", "7:30", "1,234.56", "'"} <= set(words)


# --- the lexicon


def _tool(*texts: str) -> Tool:
    size = ValueType(ValueKind.CHOICE, choices=("big",))
    order = Parameter("order", size, False, "", words={"big": {"en": ("huge ones",)}})
    slots = tuple(
        Example(
            text, "en", (ExampleSlot("x", text.index("VALUE"), text.index("VALUE") + 5),) if "VALUE" in text else ()
        )
        for text in texts
    )
    return Tool(ToolId("t.t"), SkillId("t"), "t", "", EffectClass.PURE, (order,), size, slots, ())


def test_verbs_are_the_words_that_begin_examples() -> None:
    texts = ("frob the VALUE", "could you please gronk VALUE", "what blips in VALUE", "huge files", "VALUE")
    assert Lexicon.from_tools([_tool(*texts)]).verbs == {"frob", "gronk"}


def test_a_word_that_is_mostly_a_noun_is_no_verb() -> None:
    texts = ("blips about VALUE", "frob the VALUE", "frob my blips", "gronk blips", "frob two blips")
    assert Lexicon.from_tools([_tool(*texts)]).verbs == {"frob", "gronk"}


def test_slots_give_no_vocabulary_and_choices_do() -> None:
    lexicon = Lexicon.from_tools([_tool("frob the VALUE quickly")])
    assert "quickly" in lexicon.vocabulary
    assert "value" not in lexicon.vocabulary
    assert "huge" in lexicon.choices


def test_a_tools_verb_makes_a_boundary_strong_and_nothing_else_does(home: Path) -> None:
    lexicon = Lexicon.from_tools([_tool("gronk the VALUE")])
    utterance = Utterance("look here and gronk the list", ConversationId("c"), str(home), str(home), NOW)
    assert interpret(utterance, HomeWorld(str(home)), lexicon).boundaries[0].strength > 0.9
    assert interpret(utterance, HomeWorld(str(home)), Lexicon()).boundaries[0].strength < 0.9


# --- bad input


@pytest.mark.parametrize("text", ["", " ", "\n\t ", "\u200b", "\x00\x01", " \u2028"])
def test_nothing_to_read_is_a_bad_request(text: str, home: Path) -> None:
    with pytest.raises(BadRequest) as caught:
        _read(text, home)
    assert caught.value.code == "request.empty"
    assert caught.value.hint


def test_far_too_much_is_a_bad_request(home: Path) -> None:
    with pytest.raises(BadRequest) as caught:
        _read("x" * 1_000_000, home)
    assert caught.value.code == "request.too_long"


_PIECES = st.sampled_from(
    "find show it them the and then , . ? ! ' \" “ „ ( ) 3 10 MB last week March 3rd 2025 between older than days % of "
    "plus a.pdf ~/Downloads ./x ../ / - where amount > 100 called about its total second one other und dann zwei "
    "Wochen vor am 3. : ; \n 1.234,56 1,234.56 7:30 half an hour °C km/h 2025-03-03 99.99.2025 https://x.y/ "
    "\ud800 é".split(" ")
)


@settings(max_examples=150, deadline=None)
@given(
    st.one_of(
        st.text(max_size=200), st.lists(_PIECES, max_size=60).map(" ".join), st.lists(_PIECES, max_size=60).map("".join)
    )
)
def test_any_text_becomes_a_well_formed_lattice_or_a_bad_request(text: str) -> None:
    utterance = Utterance(text, ConversationId("c"), "/nonexistent", "/nonexistent", NOW)
    try:
        intent = interpret(utterance, HomeWorld("/nonexistent"), LEXICON)
    except BadRequest:
        return
    size = len(intent.tokens)
    assert all(text[token.start : token.end] == token.text for token in intent.tokens)
    assert all(a.end <= b.start for a, b in zip(intent.tokens, intent.tokens[1:], strict=False))
    assert all(0 <= span.first < span.last <= size and 0 < span.confidence <= 1 for span in intent.spans)
    assert all(0 <= item.first < item.last <= size for item in intent.references)
    assert all(0 <= item.left <= item.at < size for item in intent.boundaries)


def test_the_same_words_give_the_same_intent(home: Path) -> None:
    assert _read("find a.pdf and read it", home) == _read("find a.pdf and read it", home)
