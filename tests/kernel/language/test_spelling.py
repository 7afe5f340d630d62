"""Slips of the fingers: which words are read as another, and which are left alone."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from kernel.context.mind import Mind
from kernel.context.world import HomeWorld
from kernel.interpret import interpret
from kernel.language import Lexicon, Line, tokenize
from kernel.language.spelling import mend
from kernel.model import ConversationId, Intent, Utterance
from skills.model import ValueKind
from tests.kernel.homes import furnish

NOW = datetime(2026, 3, 11, 10, 0, tzinfo=UTC)

STAY = """
paris london hamburg leeds tokyo vienna zurich lisbon oslo dublin geneva bremen leipzig dresden munich cologne
maria jonas tobias anna peter paula lukas emma felix greta hannah ivan jakob karin lotte moritz nadine oskar petra
quentin rafael sabine theo ulrike viktor wolfgang xenia yusuf zoe aisha bjorn carlos dmitri elena fatima giulia
ubuntu debian fedora spotify trello figma github gitlab firefox chrome zoom slack teams notion dropbox netflix
amazon google ebay etsy paypal stripe ikea lidl aldi rewe edeka bosch siemens miele adobe canon nikon sony
laptop phone tablet printer router camera bottle kettle bicycle guitar violin piano trumpet sofa pillow carpet
coffee tea milk bread butter cheese pasta pizza soup salad tomato carrot pepper garlic onion apple banana cherry
jazz rock opera novel poem ballad sonnet drama comedy thriller weather forecast storm snow flight hotel ticket train
reserve reverse plane place plant plate price prize pride stale scale stare start smart chart share shape shade
fahrrad kuchen garten schule lehrer arbeit urlaub rechnung vertrag wohnung miete strom wasser heizung versicherung
doctor dentist plumber painter gardener teacher lawyer nurse baker butcher
kubernetes docker postgres sqlite pandas numpy pytorch tensor jupyter latex blender gimp inkscape audacity
broccoli zucchini cauliflower kohlrabi tiramisu gnocchi focaccia pretzel
moon star comet planet galaxy orbit rocket lunar solar
knit sew crochet weave yoga pilates tennis squash soccer rugby cricket
quux foobar lorem ipsum widget gizmo gadget doodad
morgen gestern heute immer wieder schon leider vielleicht
river lake ocean beach forest desert valley canyon
""".split()

TYPOS = {
    "teh": "the", "hte": "the", "adn": "and", "nad": "and", "yuo": "you", "taht": "that", "thsi": "this",
    "mcuh": "much", "waht": "what", "whcih": "which", "hwo": "hwo", "fomr": "fomr", "form": "form",
    "wiht": "with", "frmo": "from", "wich": "which", "wher": "where",
    "descendng": "descending", "ascendig": "ascending", "higest": "highest", "cheapst": "cheapest",
    "delte": "delete", "deleet": "delete", "delet": "delete", "dlete": "delete", "remvoe": "remove", "remov": "remove",
    "sumarise": "summarise", "summarze": "summarize", "sumarize": "summarize", "sumary": "summary",
    "serach": "search", "seach": "search", "fnid": "find", "shwo": "show", "sohw": "show", "lsit": "list",
    "mvoe": "move", "renmae": "rename", "renam": "rename", "creat": "creat", "craete": "create", "cretae": "create",
    "conver": "convert", "convrt": "convert", "convertt": "convert", "calcualte": "calculate", "calulate": "calculate",
    "caculate": "calculate", "foldr": "folder", "fodler": "folder", "flder": "folder", "fiels": "files",
    "documnets": "documents", "docuemnts": "documents", "documens": "document", "documnt": "document",
    "picutres": "pictures", "pictrues": "pictures", "photso": "photos", "vidoes": "videos", "vidos": "videos",
    "largst": "largest", "lagrest": "largest", "bigest": "biggest", "biggst": "biggest", "smalest": "smallest",
    "newst": "newest", "oldset": "oldest", "oldst": "oldest", "latset": "latest", "latets": "latest",
    "averge": "average", "avrage": "average", "toatl": "total", "totla": "total", "maximun": "maximum",
    "minmum": "minimum", "mediam": "mediam", "medain": "median", "betwen": "between", "betwene": "between",
    "befroe": "before",
    "befor": "before", "aftr": "after", "afetr": "after", "plese": "please", "pleas": "pleas", "pleaes": "please",
    "spreadsheat": "spreadsheet", "spredsheet": "spreadsheet", "presentaton": "presentation", "columm": "column",
    "colunm": "column", "tabel": "table", "talbe": "table", "appned": "append", "apend": "append", "mearge": "merge",
    "noets": "notes", "ntoes": "notes", "ntoe": "note", "tomorow": "tomorow", "sapce": "space", "spcae": "space",
    "pagse": "pages", "wrods": "words", "contians": "contains", "contens": "content", "wihtout": "without",
    "exrtact": "extract", "extrct": "extract", "organze": "organize", "orgnaize": "organize", "desribe": "describe",
    "descrbe": "describe", "dispaly": "display", "dislay": "display", "dont": "don't", "whats": "what",
    "isnt": "isn't", "wheres": "where",
}  # fmt: skip
LEFT_ALONE = {"form", "pleas", "mediam", "tomorow", "creat", "hwo", "fomr"}
"""Words of a dictionary, what means two words (medium, median) or none that a tool uses, two slips in a short one."""


@pytest.fixture(scope="module")
def lexicon(mind: Mind) -> Lexicon:
    return mind.lexicon


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return furnish(tmp_path, ("Downloads/toatl war.pdf", "Work/remvoe.txt"))


def norms(text: str, lexicon: Lexicon, language: str = "en") -> list[str]:
    line = mend(Line(text, tokenize(text, language), language, NOW), lexicon, lambda _: False)
    return [token.norm for token in line.tokens]


def read(text: str, home: Path, lexicon: Lexicon) -> Intent:
    return interpret(Utterance(text, ConversationId("c"), str(home), str(home), NOW), HomeWorld(str(home)), lexicon)


def test_ordinary_words_and_names_stay(lexicon: Lexicon) -> None:
    assert len(STAY) > 200
    assert [word for word in STAY if norms(f"find {word} in it", lexicon)[1] != word] == []


def test_german_words_stay_in_german_and_english_sentences(lexicon: Lexicon) -> None:
    words = "steuererklärung mietvertrag lohnabrechnung einkaufszettel urlaubsplan zahnarzt krankenkasse".split()
    assert [word for word in words if norms(f"suche {word} bitte", lexicon, "de")[1] != word] == []
    assert [word for word in words if norms(f"find {word} please", lexicon)[1] != word] == []


def test_slips_are_mended(lexicon: Lexicon) -> None:
    assert len(TYPOS) > 100
    wrong = {word: norms(f"please {word} it", lexicon)[1] for word in TYPOS}
    assert {word: read for word, read in wrong.items() if read != TYPOS[word]} == {}
    assert {word for word, meant in TYPOS.items() if word == meant} == LEFT_ALONE


@pytest.mark.parametrize(("word", "meant"), [("lösceh", "lösche"), ("zegie", "zeige"), ("nciht", "nicht")])
def test_german_slips_are_mended(word: str, meant: str, lexicon: Lexicon) -> None:
    assert norms(f"{word} die Datei", lexicon, "de")[0] == meant


def test_only_the_reading_changes(home: Path, lexicon: Lexicon) -> None:
    intent = read("serach my notes for rhubrab pie", home, lexicon)
    assert (intent.tokens[0].text, intent.tokens[0].norm) == ("serach", "search")
    assert [intent.text[token.start : token.end] for token in intent.tokens] == intent.text.split()
    assert any(span.value == "rhubrab pie" for span in intent.spans if span.kind is ValueKind.QUERY)


@pytest.mark.parametrize(
    "text",
    [
        "save a note called serach the attic",
        "make a note saying remvoe the old paint",
        'find "delet this" in my notes',
        "find remvoe in Work",  # the person has a file of that name
        "find toatl war",
        "show the Delet folder",  # a capital inside the sentence
        "show vidoes.zip",
    ],
)
def test_what_is_the_persons_own_stays(text: str, home: Path, lexicon: Lexicon) -> None:
    intent = read(text, home, lexicon)
    assert [token.norm for token in intent.tokens] == [token.text.lower() for token in intent.tokens]


def test_two_possible_meanings_are_none(lexicon: Lexicon) -> None:
    assert norms("xopy fime", Lexicon(spelt_en=frozenset({"file", "find", "fire", "copy"})))[1] == "fime"


def test_a_slip_does_not_get_past_the_firewall(home: Path, lexicon: Lexicon) -> None:
    assert read("delte everything in my home folder", home, lexicon).concern


def test_a_negation_without_its_apostrophe_is_one(lexicon: Lexicon) -> None:
    assert norms("dont delete a.pdf", lexicon)[0] == "don't"


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("pleaaaaaase show me my tasks", "please show me my tasks"),
        ("when is anna's bday", "when is anna 's birthday"),
        ("what's on my list tomoz", "what 's on my list tomorrow"),
        ("kannste mir nen timer stellen", "kannst du mir einen timer stellen"),
        ("haste was für morgn gefunden", "hast du was für morgen gefunden"),
        ("ich bräucht sooo gern die pics mitm Hund", "ich bräuchte so gern die bilder mit hund"),
        ("ham wir net noch die andern mails", "haben wir nicht noch die anderen mails"),
    ],
)
def test_what_is_said_in_passing_is_read_in_full(text: str, meant: str, home: Path, lexicon: Lexicon) -> None:
    tokens = read(text, home, lexicon).tokens
    assert " ".join(one.norm for one in tokens) == meant
    assert all(text[one.start : one.end] == one.text for one in tokens)


def test_haste_is_a_word_in_english(home: Path, lexicon: Lexicon) -> None:
    tokens = read("make haste and show me my tasks", home, lexicon).tokens
    assert [one.norm for one in tokens][:3] == ["make", "haste", "and"]
