"""A mailbox is said by its name or its folder, and is no file that is called so; files of such names stay files."""

from __future__ import annotations

import pytest

from kernel.context.mind import Mind
from tests.kernel.homes import furnish
from tests.kernel.planner import Planner

SENTENCES = {
    "show my drafts": "mail.find(box=drafts)",
    "what drafts do I have?": "mail.find(box=drafts)",
    "zeig mir meine Entwürfe": "mail.find(box=drafts)",
    "list my sent mails": "mail.find(box=sent)",
    "zeig mir meine gesendeten Mails": "mail.find(box=sent)",
    "list the mails in ~/Maildir": "mail.find(folder=~/Maildir)",
    "show me the emails in ~/Mail/work": "mail.find(folder=~/Mail/work)",
    "liste die Mails in ~/Maildir auf": "mail.find(folder=~/Maildir)",
    # what is about something else
    "has Jonas sent me a mail?": "mail.find(sender=Jonas)",
    "find the drafts in Documents": "files.find(folder=~/Documents, name=drafts)",
    "list the files in ~/Maildir": "files.contents(folder=~/Maildir)",
    "write a draft to Anna saying hello": "mail.draft(text=hello, to=Anna)",
}


@pytest.fixture(scope="module")
def planner(mind: Mind, tmp_path_factory: pytest.TempPathFactory) -> Planner:
    names = ("Maildir/cur/", "Mail/work/cur/", "Mail/Drafts/", "Documents/a.txt")
    return Planner.knowing(mind, furnish(tmp_path_factory.mktemp("boxes"), names))


@pytest.mark.parametrize(("sentence", "expected"), SENTENCES.items(), ids=list(SENTENCES))
def test_a_mailbox_is_said_by_its_name_or_its_folder(planner: Planner, sentence: str, expected: str) -> None:
    assert planner.shape(planner.say(sentence)) == expected
