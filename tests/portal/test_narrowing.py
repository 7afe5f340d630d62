"""A call of the command line makes its own command and no other; help and mistakes see all of them."""

from __future__ import annotations

import pytest
import typer

from portal.cli.commands import app
from portal.cli.narrowing import narrowed

WHOLE = typer.main.get_group(app)


def _made(word: str) -> set[str]:
    return set(typer.main.get_group(narrowed(app, word)).commands)


@pytest.mark.parametrize("word", sorted(WHOLE.commands))
def test_a_command_alone_is_what_it_is_among_all(word: str) -> None:
    (alone,) = typer.main.get_group(narrowed(app, word)).commands.values()
    context = typer.Context(alone, info_name="steward")
    among = typer.Context(WHOLE.commands[word], info_name="steward")
    assert alone.name == word
    assert alone.get_help(context) == WHOLE.commands[word].get_help(among)


@pytest.mark.parametrize("word", ["--help", "-h", "--version", "stat", "Status", "", "open_page", "lst"])
def test_what_names_no_command_sees_them_all(word: str) -> None:
    assert _made(word) == set(WHOLE.commands)


def test_the_whole_stays_whole() -> None:
    before = len(app.registered_commands), len(app.registered_groups)
    assert _made("mcp") == {"mcp"}
    assert (len(app.registered_commands), len(app.registered_groups)) == before
