"""docs/guides/example-instructions.md, done as it is written, with a model that answers from the script on the page."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kernel.agents.conftest import scripted
from tests.kernel.models.acts import refuses
from tests.kernel.models.server import Server, served
from tests.portal.conftest import Installation
from tests.portal.terminal import Terminal
from tests.portal.test_example import COLUMNS, ROOT, commands, files_of, plain

GUIDE = ROOT / "docs" / "guides" / "example-instructions.md"
PORT, RUN, GRANT = "8080", "r-5d3a0c92f1", "g-5d3a0c92f1"
_SCRIPT = re.compile(r"<!-- script -->\n```json\n(.*?)\n```\n", re.DOTALL)
_ASKS = re.compile(r"((?:Allow|Apply)\? .*: )(\w)\n")
_LOOSE = re.compile(r"(?<= ) +(?=│$)|(?<=^tools ).*(?= same$)", re.MULTILINE)
"""How wide a line with a path is, and what else was recommended: both are others on every machine."""

pytestmark = [pytest.mark.slow, pytest.mark.sandbox, pytest.mark.timeout(300)]


def script() -> list[dict[str, object]]:
    """The answers of the model, in order."""
    (found,) = _SCRIPT.findall(GUIDE.read_text(encoding="utf-8"))
    answers: list[dict[str, object]] = json.loads(found)
    return answers


@pytest.fixture
def house() -> Iterator[tuple[Installation, Server]]:
    root = Path(tempfile.mkdtemp(prefix="s", dir="/tmp"))  # short: a path that stands on a card is not folded
    one = Installation(root)
    for name, text in files_of(GUIDE):
        place = one.home / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text + "\n", encoding="utf-8")
    key = one.home / ".ssh" / "id_rsa"
    key.parent.mkdir(mode=0o700)
    key.write_text("PRIVATE KEY\n")
    with served(scripted(*script())) as server, one.daemon():
        yield one, server
    shutil.rmtree(root)


def typed(house: Installation, arguments: list[str], said: str) -> str:
    """Ask in a terminal and answer each question as the page does; return all that was seen, with the answers."""
    terminal, seen = Terminal(house, *arguments, columns=COLUMNS), ""
    for question, answer in _ASKS.findall(said):
        seen += terminal.read(question) + question
        terminal.type(f"{answer}\n")
    code, after = terminal.end()
    assert code == 0, after
    return seen + after


def test_the_page_says_what_happens(house: tuple[Installation, Server]) -> None:
    one, server = house
    run, asked = "", 0
    for (program, *words), said in commands(GUIDE):
        assert program == "./steward"
        given = [str(one.home) + word[1:] if word.startswith("~/") else word for word in words]
        given = [word.replace(PORT, str(server.port)).replace(RUN, run) for word in given]
        if words[0] == "replay":
            server.act, asked = refuses("500 Gone"), len(server.asked)
        if _ASKS.search(said):
            out = typed(one, given, said)
        else:
            done = one.steward(*given)
            assert done.code == 0, done.out + done.err
            out = done.out
        seen = plain(out, one.home)
        run = next(iter(re.findall(r"r-[0-9a-f]{10}", seen)), run)
        seen = re.sub(r"\br-[0-9a-f]{10}", RUN, re.sub(r"\bg-[0-9a-f]{10}", GRANT, seen))
        seen = re.sub(r"[0-9a-f]{12}(?= +same$)", "0" * 12, seen.replace(str(server.port), PORT), flags=re.MULTILINE)
        assert _LOOSE.sub("", seen) == _LOOSE.sub("", said), words
    assert run
    assert asked == len(script()) == len(server.asked), "a replay asks no model"
    assert not (one.home / "Hedge" / "tally.md").exists(), "it was taken back"
    assert "PRIVATE KEY" not in json.dumps([each.body for each in server.asked])


def test_a_no_to_the_card_asks_nobody_and_one_to_the_changes_leaves_nothing(
    house: tuple[Installation, Server],
) -> None:
    one, server = house
    for (_, *words), said in commands(GUIDE):
        given = [str(one.home) + word[1:] if word.startswith("~/") else word for word in words]
        if _ASKS.search(said):
            break
        assert one.steward(*[word.replace(PORT, str(server.port)) for word in given]).code == 0
    waits = one.steward(*given, "--json")
    no = one.steward("approve", waits.json["run"], "--answer", "no", "--json")
    assert (no.code, server.asked) == (5, []), no.out
    waits = one.steward(*given, "--yes", "--json")
    assert waits.code == 4, "no yes in advance is for what a model does"
    changes = one.steward("approve", waits.json["run"], "--answer", "once", "--json")
    assert (changes.code, len(server.asked)) == (4, len(script())), changes.out
    no = one.steward("approve", waits.json["run"], "--answer", "no", "--json")
    assert no.code == 5, no.out
    assert not (one.home / "Hedge" / "tally.md").exists()


def test_nothing_of_the_page_is_named_in_the_code() -> None:
    words = re.compile(r"hedge[- _](?:tally|walk)|linnet", re.IGNORECASE)
    rooms = ("kernel", "skills", "permissions", "memory", "portal")
    named = [path for room in rooms for path in (ROOT / room).rglob("*") if path.suffix in (".py", ".toml", ".md")
             and words.search(path.read_text(encoding="utf-8", errors="replace"))]  # fmt: skip
    assert named == []
