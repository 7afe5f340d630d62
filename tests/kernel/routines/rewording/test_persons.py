"""Who "him" is in a rule about mails: asked about where something is to be forwarded, and the sender elsewhere."""

from __future__ import annotations

import pytest

from kernel.routines.rewording.persons import whom_to_ask_about
from tests.kernel.routines.conftest import Desk


@pytest.mark.parametrize(
    ("language", "said", "who"),
    [
        ("en", "forward it to him", "him"),
        ("en", "forward the mail to her straight away", "her"),
        ("en", "pass it on to them", "them"),
        ("en", "forward it to Vogt", ""),
        ("en", "send them a reply saying thanks", ""),
        ("de", "leite die Mail gleich an sie weiter", "sie"),
        ("de", "leite die Mail an ihn weiter", "ihn"),
        ("de", "schick sie ihr weiter", "ihr"),
        ("de", "leit ihm die Mail weiter", "ihm"),
        ("de", "leite sie an Vogt weiter", ""),
    ],
)
def test_whoever_nobody_named_is_asked_about(language: str, said: str, who: str) -> None:
    assert whom_to_ask_about(said, language) == who


async def test_a_mail_is_not_forwarded_to_a_pronoun(desk: Desk) -> None:
    (desk.home / "Mail/Inbox").mkdir(parents=True)
    view = await desk.say("if my bank writes forward the mail to him straight away")
    assert view["resolution"] == "clarify"
    assert view["answer"] == "Who is “him”? Say it, or the whole rule again."
