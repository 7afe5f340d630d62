"""What a sentence of a client may not do, whatever the words: teach Steward, forget, take somebody else's work back, or
be answered from memory where the client was not offered that.

What this stops: a program (or a page, a mail that it read) putting facts, names or phrases into the person's memory;
learning through ``ask`` what ``memory_search`` would refuse it; undoing what it has not done itself.
What it does not: keep what a tool found from a client that may call that tool.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from kernel.clients.managing import is_offered
from kernel.clients.model import MEMORY
from kernel.model import Resolution
from kernel.run import Run, Stop, error_view
from permissions.policy import program_of

if TYPE_CHECKING:
    from collections.abc import Collection


def may_remember(run: Run) -> bool:
    """Tell whether a run may be answered from memory: a person's always, a client's where it was offered that."""
    if not run.client:
        return True
    client = run.house.clients.get(program_of(run.client))
    return client is not None and is_offered(run.house, client, MEMORY)


def must_remember(run: Run) -> None:
    """End a client's run that may not be answered from memory. Raises Stop."""
    if not may_remember(run):
        _refuse(run, "client.memory", hint=f"./steward mcp allow {program_of(run.client)} memory_search")


def must_be_a_persons(run: Run) -> None:
    """End a client's run that would change what Steward knows, or what it did for others. Raises Stop."""
    if run.client:
        _refuse(run, "client.person", hint='./steward ask "..."')


def must_be_its_own(run: Run, what: str, own: Collection[str]) -> None:
    """End a client's run that would take back something that was not done in its conversation. Raises Stop."""
    if run.client and what not in own:
        _refuse(run, "client.undo", hint="./steward undo")


def _refuse(run: Run, code: str, hint: str) -> NoReturn:
    words = _WORDS.get(run.language, _WORDS["en"])[code]
    raise Stop(Resolution.BLOCKED, f"{words} {hint}", error=error_view(code, words, hint))


_WORDS = {
    "en": {
        "client.memory": "This client may not be answered from memory; the person can allow it:",
        "client.person": "A client cannot change what Steward knows or has done; the person can, in their own words:",
        "client.undo": "In this conversation nothing was done that a client could take back; the person can:",
    },
    "de": {
        "client.memory": "Dieser Client darf keine Antworten aus dem Gedächtnis bekommen; erlauben kann es die Person:",
        "client.person": "Ein Client kann nicht ändern, was Steward weiß oder getan hat; die Person kann es selbst:",
        "client.undo": "In diesem Gespräch wurde nichts getan, was ein Client zurücknehmen könnte; die Person kann es:",
    },
}
