"""Where a thing is to go, said without a verb of doing."""

from __future__ import annotations

import pytest

from kernel.dispatching.standing_in import MARK
from kernel.model import FromTask
from kernel.routines.rewording.verbless import with_verb
from kernel.routines.waited_for import BROUGHT
from tests.kernel.routines.conftest import Desk

PDF = f"~/{MARK}-t0-1.pdf"


@pytest.mark.parametrize(
    ("language", "said", "meant"),
    [
        ("de", "ab damit nach Music", "verschieb es nach Music"),
        ("de", "ab in den Ordner Music damit", "verschieb es in den Ordner Music"),
        ("de", "damit ab nach Music", "verschieb es nach Music"),
        ("de", "rüber damit nach Backup und sag mir Bescheid", "verschieb es nach Backup und sag mir Bescheid"),
        ("de", "sag mir Bescheid und dann ab damit nach Backup", "sag mir Bescheid und dann verschieb es nach Backup"),
        ("de", "soll sie gleich nach Music wandern", "verschieb es nach Music"),
        ("de", f"dann kommt {PDF} nach Invoices", f"dann verschieb {PDF} nach Invoices"),
        ("en", "off it goes to Music", "move it to Music"),
        ("en", "straight into Pictures with it", "move it into Pictures"),
        ("en", "tell me and it goes to Backup", "tell me and move it to Backup"),
        ("en", f"{PDF} belongs in Documents/Invoices", f"move {PDF} in Documents/Invoices"),
        ("de", "leg den Anhang in Documents/Contracts ab", "speicher den Anhang in Documents/Contracts"),
        ("de", "kopier mir die Anhänge nach Backup und sag Bescheid",
         "speicher die Anhänge nach Backup und sag Bescheid"),
        ("en", "put the attachment in Documents/Contracts", "save the attachment to Documents/Contracts"),
        ("en", "move its attachments to Backup", "save its attachments to Backup"),
        ("de", "schalt es ab", "schalt es ab"),
        ("de", "kopier es nach Backup", "kopier es nach Backup"),
        ("en", "add it to my note Slips", "add it to my note Slips"),
        ("en", "tell me how it goes to school", "tell me how it goes to school"),
    ],
)  # fmt: skip
def test_it_is_moved_where_it_is_to_go(language: str, said: str, meant: str) -> None:
    assert with_verb(said, language) == meant


async def test_a_rule_that_says_only_where_moves_what_comes_there(desk: Desk) -> None:
    view = await desk.say("Sobald ein PDF in Downloads landet, ab damit nach Backup.")
    assert view["resolution"] == "confirmed", view["answer"]
    (routine,) = desk.kernel._house.routines.every()
    (task,) = routine.plan.tasks
    assert (task.tool, task.arguments["files"]) == ("files.move", FromTask(BROUGHT))
