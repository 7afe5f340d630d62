"""The help of every command: plain words, and one for each thing that may be given."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import typer

from portal.cli.commands import app
from portal.cli.entry import run


def every_command(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield each command and group with its words, from the top."""
    yield path, command
    for name, inner in getattr(command, "commands", {}).items():
        yield from every_command(inner, (*path, name))


EVERY = list(every_command(typer.main.get_command(app)))


@pytest.mark.parametrize(("path", "command"), EVERY, ids=[" ".join(path) for path, _ in EVERY])
def test_a_command_says_in_plain_words_what_it_does_and_takes(
    path: tuple[str, ...], command: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*path, "--help"]) == 0
    said = capsys.readouterr()
    assert said.out.startswith("Usage: steward")
    assert said.err == ""
    assert "`" not in said.out
    assert command.help, "what it does"
    assert [one.name for one in command.params if one.name != "help" and not getattr(one, "help", "")] == []
