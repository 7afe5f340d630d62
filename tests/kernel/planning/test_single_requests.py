"""Single requests as people say them: what they come to, and what near misses do not come to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kernel.model import Decline, Plan

if TYPE_CHECKING:
    from tests.kernel.planner import Planner

SENTENCES = {
    # a pronoun that takes up what was just named
    "setup.exe, that should be called installer": "files.rename(file=~/Downloads/setup.exe, name=installer)",
    "die Datei setup.exe die benennen sie bitte in installer um": (
        "files.rename(file=~/Downloads/setup.exe, name=installer)"
    ),
    "I'm 180 cm, what is that in inches": "calc.convert(quantity={'value': '180', 'unit': 'cm'}, unit=inches)",
    # "only" before what keeps to something
    "show me only those rows of sales.csv in which the amount is more than 80": (
        "data.filter(condition={'column': 'amount', 'op': '>', 'value': '80'}, table=~/Work/sales.csv)"
    ),
    "from sales.csv only the rows over 50 in the amount column": (
        "data.filter(condition={'column': 'amount', 'op': '>', 'value': '50'}, table=~/Work/sales.csv)"
    ),
    # said twice, done once
    "open report.pdf and read it to me": "documents.text(file=~/Documents/report.pdf)",
    "I don't need setup.exe any more, delete it": "files.delete(files=~/Downloads/setup.exe)",
    # values
    "48 Euro, zehn Prozent Trinkgeld, wir sind zu viert": "calc.tip(amount=48, currency=Euro, people=4, rate=10)",
    "add up 12.50, 8.99 and 31.20": "calc.compute(expression=12.5 + 8.99 + 31.2)",
    "by when do I have to pay phone bill.pdf?": "documents.value(file=~/Invoices/phone bill.pdf, name=by when)",
    "bis wann muss ich phone bill.pdf bezahlen?": "documents.value(file=~/Invoices/phone bill.pdf, name=bis wann)",
    "wo habe ich den Vertrag abgelegt?": "files.find(name=Vertrag)",
}


@pytest.mark.parametrize(("sentence", "expected"), SENTENCES.items(), ids=list(SENTENCES))
def test_a_request_becomes_its_plan(planner: Planner, sentence: str, expected: str) -> None:
    assert planner.shape(planner.say(sentence)) == expected


@pytest.mark.parametrize(
    "sentence", ["find my umbrella", "where is my package", "wo ist mein Handy", "finde meine Regenjacke"]
)
def test_what_no_file_is_called_is_not_searched_for(planner: Planner, sentence: str) -> None:
    proposal = planner.say(sentence)
    assert isinstance(proposal, Decline)
    assert "search my documents" in proposal.text or "durchsuche meine Dokumente" in proposal.text


@pytest.mark.parametrize(
    "sentence",
    [
        "find the file called umbrella",  # it speaks of a file
        "find my thesis",
        "find my thesys",  # a slip
        "find my umbrella in Documents",
        "find pictures of my umbrella",
        "find the latest invoice",
    ],
)
def test_a_search_for_files_is_one(planner: Planner, sentence: str) -> None:
    assert isinstance(planner.say(sentence), Plan)


@pytest.mark.parametrize("sentence", ["photo1.jpg belongs in Work, please put it there", "leg photo1.jpg dorthin"])
def test_putting_takes_nothing_away(planner: Planner, sentence: str) -> None:
    proposal = planner.say(sentence)
    tools = [task.tool for task in proposal.tasks] if isinstance(proposal, Plan) else []
    assert "files.delete" not in tools


@pytest.mark.parametrize(
    "sentence",
    ["delete only the ones that are old", "lösche die Notiz Miete aber nicht Urlaub", "only if it is over 80"],
)
def test_what_is_kept_back_is_not_passed_over(planner: Planner, sentence: str) -> None:
    assert not isinstance(planner.say(sentence), Plan)
