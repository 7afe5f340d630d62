"""The part of the command line that a call needs: its library makes an object of each command and option otherwise."""

from __future__ import annotations

import copy

from typer import Typer
from typer.main import get_command_name
from typer.models import CommandInfo


def narrowed(app: Typer, word: str) -> Typer:
    """Return ``app`` with nothing but the command or group called ``word``; all of it where there is none."""
    commands = [one for one in app.registered_commands if _name(one) == word]
    groups = [one for one in app.registered_groups if one.name == word]
    if not commands and not groups:
        return app
    part = copy.copy(app)
    part.registered_commands, part.registered_groups = commands, groups
    return part


def _name(command: CommandInfo) -> str:
    return command.name or (get_command_name(command.callback.__name__) if command.callback else "")
