"""How long a sentence may take to be read, with no other test beside it: ordinary, misspelt and hostile ones."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from kernel.context.mind import Mind
from kernel.context.world import HomeWorld
from kernel.interpret import interpret
from kernel.language import Lexicon
from kernel.language.frame.framing import Frames
from kernel.language.spelling import nearest
from kernel.language.tokens import words_of
from kernel.model import ConversationId, Utterance
from tests.clock import idle_s
from tests.kernel.homes import furnish

NOW = datetime(2026, 3, 11, 10, 0, tzinfo=UTC)
LEXICON = Lexicon(
    verbs=frozenset("find show list save move copy rename delete read add make open zeigen verschieben".split()),
    vocabulary=frozenset("file note photo notes files".split()),
)
STAY = """
paris london hamburg leeds tokyo vienna zurich lisbon oslo dublin geneva bremen leipzig dresden munich cologne
maria jonas tobias anna peter paula lukas emma felix greta hannah ivan jakob karin lotte moritz nadine oskar petra
quentin rafael sabine theo ulrike viktor wolfgang xenia yusuf zoe aisha bjorn
""".split()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return furnish(tmp_path / "home", ("Downloads/a.pdf", "Archive/a.pdf", "Finance/expenses.csv", "Notes/Garden.md"))


@pytest.fixture
def reader(home: Path) -> Callable[[str, Lexicon], Callable[[], object]]:
    """Reads a text again and again; what is loaded on the first reading is loaded."""
    world = HomeWorld(str(home))

    def read(text: str, lexicon: Lexicon) -> Callable[[], object]:
        said = Utterance(text, ConversationId("c"), str(home), str(home), NOW)
        interpret(said, world, lexicon)
        return lambda: interpret(said, world, lexicon)

    return read


@pytest.mark.parametrize(
    "text",
    ["," * 10_000, "\ud800 list files", "a\x00b", "\u202efiles", "'" * 500, '"' * 501, "(" * 800 + "1" + ")" * 800,
     "1+" * 900 + "1", "../" * 300, "~" * 900, "a.b." * 400, "one hundred " * 150, "between " * 200, "and " * 400,
     "/" * 1900, "-" * 1999, "for an hour and " * 100, "older than " * 150, "\U0001f600" * 900, "the second " * 180,
     "about " * 300, "where a = b " * 150, "1,000," * 300, "x" * 1999, "'a" * 900, "“" * 900, "7 % of " * 250,
     "._-'" * 400, "a'" * 900, "a-" * 900, "March " * 300, "3. " * 600, ".a" * 900, "a/" * 900, "http://" * 250],
)  # fmt: skip
def test_two_thousand_hostile_characters_are_read_in_time(
    text: str, reader: Callable[[str, Lexicon], Callable[[], object]]
) -> None:
    limit_s = 2 * 0.05 * max(1.0, len(text[:10_000]) / 2000)  # twice the aim, for a slow machine
    assert idle_s(reader(text[:10_000], LEXICON), 8, limit_s=limit_s) < limit_s


def test_an_ordinary_sentence_takes_a_few_milliseconds(reader: Callable[[str, Lexicon], Callable[[], object]]) -> None:
    text = "find the three largest files in ~/Downloads from last week and save their names as a note called big files"
    assert idle_s(reader(text, LEXICON), limit_s=0.010) < 0.010


def test_a_misspelt_sentence_takes_little_more(
    reader: Callable[[str, Lexicon], Callable[[], object]], mind: Mind
) -> None:
    lexicon = mind.lexicon
    texts = [f"plese serach teh {word} documnets adn dispaly teh {word}s" for word in STAY]
    readings = [reader(text, lexicon) for text in texts]

    def read_anew() -> None:
        nearest.cache_clear()  # each word is looked up in every round, as in a sentence that is said once
        for one in readings:
            one()

    limit_s = 0.003 * len(texts)
    assert idle_s(read_anew, 3, limit_s=limit_s) < limit_s


@pytest.mark.parametrize("text", [
        "could you " * 400, "if it is " * 400, ", would you " * 300, "because i " * 400, "i want to " * 300,
        "the map " * 400, "we're out of " * 300, "leave the original please " * 200, "ich hätte ge " * 300,
    ],
)  # fmt: skip
def test_frames_are_read_in_time(text: str) -> None:
    words = words_of(text)

    def read() -> None:
        frames = Frames(words)
        for at in range(0, len(words), 7):
            frames.lead(at)
            frames.is_aside(at)
            frames.is_afterthought(at)
            frames.keeps_original(at, len(words))
            frames.lacking(at, len(words))
        frames.tail()

    assert idle_s(read, rounds=1) < 0.5
