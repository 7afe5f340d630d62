"""docs/guides/example.md, done as it is written: its files, its commands, and what they say.

Only ``pip install`` is not run (there is no network here): its environment gets the library that is installed already.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.portal.conftest import Installation
from tests.portal.terminal import Terminal

ROOT = Path(__file__).parents[2]
GUIDE = ROOT / "docs" / "guides" / "example.md"
_FILE = re.compile(r"<!-- file: (\S+) -->\n```\w+\n(.*?)\n```\n", re.DOTALL)
_CONSOLE = re.compile(r"```console\n(.*?)```\n", re.DOTALL)
_CODES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")
_ASKS = re.compile(r"(Allow\? .*: )(\w)\n")
COLUMNS = 80

pytestmark = [pytest.mark.slow, pytest.mark.sandbox, pytest.mark.timeout(300)]


def files_of(guide: Path) -> list[tuple[str, str]]:
    """The files of a page, each with its text."""
    return _FILE.findall(guide.read_text(encoding="utf-8"))


def commands(guide: Path = GUIDE) -> list[tuple[list[str], str]]:
    """The commands of a page, in order, each with what it says there."""
    found = []
    for block in _CONSOLE.findall(guide.read_text(encoding="utf-8")):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            line, _, said = part.partition("\n")
            found.append((shlex.split(line), said))
    return found


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Installation]:
    one = Installation(tmp_path)
    for name, text in files_of(GUIDE):
        place = one.home / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text + "\n", encoding="utf-8")
    with_library(one.home / ".local" / "share" / "mcp")
    with one.daemon():
        yield one


def with_library(environment: Path) -> None:
    """Make what ``python3 -m venv`` and ``pip install mcp`` make."""
    import mcp

    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(environment)], check=True)
    (packages,) = environment.glob("lib/python*/site-packages")
    (packages / "installed.pth").write_text(f"{Path(mcp.__file__).parents[1]}\n")


def plain(text: str, home: Path) -> str:
    """What is left on the screen: no colours, no lines that were drawn over, the home as ``~``."""
    lines = [line.rstrip("\r").rpartition("\r")[2] for line in re.sub(r"\x1b\[2K", "\r", text).split("\n")]
    seen = (_CODES.sub("", line).rstrip() for line in lines)
    kept = (line for line in seen if line and not re.match(r"[✔⠀-⣿] ", line))
    return "\n".join(kept).replace(str(home), "~") + "\n"


def typed(house: Installation, arguments: list[str], said: str) -> str:
    """Ask in a terminal, answer as the page does; return all that was seen, with the answer."""
    asks = _ASKS.search(said)
    assert asks is not None
    terminal = Terminal(house, *arguments, columns=COLUMNS)
    before = terminal.read(asks[1])
    terminal.type(f"{asks[2]}\n")
    code, after = terminal.end()
    assert code == 0, after
    return plain(before + asks[1] + after, house.home)


def piped(house: Installation, arguments: list[str]) -> str:
    done = house.steward(*arguments)
    assert done.code == 0, done.err + done.out
    return plain(done.out, house.home)


def test_the_page_says_what_happens(house: Installation) -> None:
    found = commands()
    assert len(found) == 6
    home = str(house.home)
    for (program, *words), said in found:
        assert program == "./steward"
        arguments = [home + word[1:] if word.startswith("~/") else word for word in words]
        seen = typed(house, arguments, said) if _ASKS.search(said) else piped(house, arguments)
        assert seen == said, words


def test_there_is_one_card_with_the_rights_of_both_and_a_no_runs_neither(house: Installation) -> None:
    for (_, *words), said in commands():
        if not _ASKS.search(said):
            piped(house, [str(house.home) + word[1:] if word.startswith("~/") else word for word in words])
            continue
        waits = house.steward(*words, "--json")
        rights = {(one["tool"], one["action"]) for one in waits.json["card"]["rights"] if one["verdict"] == "ask"}
        assert {("notches.count_notches", "fs.read"), ("belfry.ring_bell", "skill.call")} <= rights
        no = house.steward("approve", waits.json["run"], "--answer", "no", "--json")
        assert no.code == 5, no.out
        started = [one["kind"] for one in no.json["events"] if one["kind"].startswith(("task.", "server."))]
        assert started == [], "a no runs neither"
        yes = house.steward(*words, "--yes", "--json")
        assert [one["task"] for one in yes.json["events"] if one["kind"] == "task.started"] == ["t1", "t2"], (
            "the control"
        )
        return
    pytest.fail("the page asks nothing")


def test_nothing_of_the_page_is_named_in_the_code() -> None:
    words = re.compile(r"belfry|ring_bell|kiln|notches", re.IGNORECASE)
    rooms = ("kernel", "skills", "permissions", "memory", "portal")
    named = [path for room in rooms for path in (ROOT / room).rglob("*") if path.suffix in (".py", ".toml", ".md")
             and words.search(path.read_text(encoding="utf-8", errors="replace"))]  # fmt: skip
    assert named == []
