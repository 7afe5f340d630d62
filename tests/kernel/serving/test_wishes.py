"""What a person asks for is brought into one form, or refused with what to do now."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from kernel.errors import BadRequest
from kernel.serving.wishes import Asked, card, checked, from_file


@pytest.fixture
def home(tmp_path: Path) -> Path:
    for name in ("Docs/a.txt", "venv/pyvenv.cfg", "servers/one.py", "js/node_modules/pkg/dist/index.js",
                 "js/node_modules/pkg/package.json", "own/package.json", "own/src/index.js"):  # fmt: skip
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    program = tmp_path / "venv" / "bin" / "serve"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    return tmp_path


@pytest.mark.parametrize(
    ("command", "programs"),
    [
        (["{home}/venv/bin/serve"], ("~/venv/",)),
        (["~/venv/bin/serve"], ("~/venv/",)),
        ([sys.executable, "{home}/servers/one.py"], ("~/servers/one.py",)),
        ([sys.executable, "servers/one.py"], ("~/servers/one.py",)),
        (["/bin/sh", "{home}/js/node_modules/pkg/dist/index.js"], ("~/js/",)),
        (["/bin/sh", "{home}/own/src/index.js"], ("~/own/",)),
        (["/bin/sh", "-c", "true"], ()),
    ],
)
def test_what_belongs_to_a_program_is_found(home: Path, command: list[str], programs: tuple[str, ...]) -> None:
    words = [word.format(home=home) for word in command]
    wish, _ = checked(Asked("one", words, cwd=str(home)), str(home))
    assert wish.programs == programs
    assert wish.command[0].startswith("/")


@pytest.mark.parametrize(
    ("command", "programs", "reads"),
    [
        (["/usr/bin/env", "--", "cat", "~/own/config.json"], (), ("~/own/config.json",)),
        (["/bin/sh", "~/servers/one.py", "~/own/config.json"], ("~/servers/one.py",), ("~/own/config.json",)),
        (["/bin/sh", "-c", "cat", "~/own/config.json"], (), ("~/own/config.json",)),
        (["/bin/sh", "--", "~/own/config.json"], ("~/own/",), ()),
        (["~/venv/bin/serve", "~/venv/x.toml"], ("~/venv/",), ()),
        (["/bin/sh", "~/link.js"], ("~/own/",), ()),
    ],
)
def test_a_file_that_is_an_argument_opens_itself_alone(
    home: Path, command: list[str], programs: tuple[str, ...], reads: tuple[str, ...]
) -> None:
    for name in ("own/config.json", "venv/x.toml"):
        (home / name).write_text("{}")
    (home / "link.js").symlink_to(home / "own/src/index.js")
    wish, notes = checked(Asked("one", command, cwd=str(home)), str(home))
    assert (wish.programs, wish.reads) == (programs, reads)
    assert len(notes) == len(reads)


@pytest.mark.parametrize("place", ["node_modules/pkg", "user/node_modules/pkg", "user/deep", "venv/bin"])
@pytest.mark.parametrize("marked", ["package.json", "pyvenv.cfg", "user/package.json", "user/pyvenv.cfg", ""])
def test_no_program_is_the_home_or_holds_it(tmp_path: Path, place: str, marked: str) -> None:
    """``user`` is the home: what is beside it, in it and above it."""
    home, script = tmp_path / "user", tmp_path / place / "index.js"
    for path in (script, home / "Docs/diary.txt", *([tmp_path / marked] if marked else [])):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    wish, _ = checked(Asked("one", ["/bin/sh", str(script)]), str(home))
    (program,) = wish.programs
    real = str(home) + program[1:] if program.startswith("~") else program
    assert not str(home).startswith(real.rstrip("/")), program
    assert str(script).startswith(real.rstrip("/"))


def test_places_and_hosts_have_one_form(home: Path) -> None:
    asked = Asked("one", ["/bin/sh", str(home / "Docs")], read=["Docs", "~/Docs", "Docs/a.txt"], write=["~/venv"],
                  host=["API.example.org", "example.org:8443"], env={"K": "v"}, cwd=str(home))  # fmt: skip
    wish, notes = checked(asked, str(home))
    assert (wish.reads, wish.writes) == (("~/Docs/", "~/Docs/a.txt"), ("~/venv/",))
    assert wish.hosts == ("api.example.org:443", "example.org:8443")
    assert notes == []
    _, notes = checked(Asked("one", ["/bin/sh", str(home / "Docs")]), str(home))
    assert "not among what it may see" in notes[0]
    assert "v" not in card(wish, [])["env"]


def test_an_address_is_a_host_as_well(home: Path) -> None:
    wish, _ = checked(Asked("one", url="https://mcp.example.org/mcp"), str(home))
    assert (wish.url, wish.hosts) == ("https://mcp.example.org/mcp", ("mcp.example.org:443",))


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ({"name": "One"}, "name"),
        ({"name": "a"}, "name"),
        ({"command": []}, "command or an address"),
        ({"url": "https://a.org"}, "command or an address"),
        ({"command": ["npx", "-y", "@scope/server"]}, "every start"),
        ({"command": ["uvx", "mcp-server-time"]}, "every start"),
        ({"command": ["no-such-program"]}, "no program"),
        ({"command": ["/etc/passwd"]}, "no program"),
        ({"read": ["~/Nowhere"]}, "not there"),
        ({"read": ["/"]}, "cannot be given"),
        ({"write": ["~/Docs/a.txt"]}, "no folder"),
        ({"host": ["localhost"]}, "no host"),
        ({"host": ["*"]}, "no host"),
        ({"host": ["a.org:99999"]}, "no host"),
        ({"env": {"LD_PRELOAD": "x"}}, "cannot be set"),
        ({"env": {"A B": "x"}}, "cannot be set"),
        ({"command": [], "url": "https://me:secret@a.org/"}, "password"),
        ({"command": [], "url": "https://a.org/?key=1"}, "password"),
        ({"command": [], "url": "ftp://a.org/"}, "address"),
        ({"command": ["x" * 5000]}, "too long"),
    ],
)
def test_what_cannot_be_is_refused_with_a_next_step(home: Path, told: dict[str, Any], words: str) -> None:
    with pytest.raises(BadRequest, match=words) as caught:
        checked(Asked(**{"name": "one", "command": ["/bin/sh"], "cwd": str(home), **told}), str(home))
    assert caught.value.hint


def test_what_is_fetched_is_installed_first(home: Path) -> None:
    with pytest.raises(BadRequest) as caught:
        checked(Asked("files", ["npx", "-y", "@modelcontextprotocol/server-filesystem"]), str(home))
    assert "npm install --ignore-scripts" in caught.value.hint
    assert "@modelcontextprotocol/server-filesystem" in caught.value.hint


def test_files_of_other_programs_are_read() -> None:
    body = {"mcpServers": {"My Server": {"command": "node", "args": ["x.js"], "env": {"K": 1}},
                           "web": {"url": "https://a.org/mcp"}}}  # fmt: skip
    one, two = from_file(body)
    assert (one.name, list(one.command), one.env) == ("my-server", ["node", "x.js"], {"K": "1"})
    assert (two.name, two.url, list(two.command)) == ("web", "https://a.org/mcp", [])


@pytest.mark.parametrize(
    "body", [None, [], {}, {"mcpServers": {}}, {"mcpServers": {"a": 1}}, {"mcpServers": {"a": {"args": 1}}}]
)
def test_a_file_that_is_none_is_refused(body: Any) -> None:
    with pytest.raises(BadRequest):
        from_file(body)
