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
    "I don't need setup.exe any more, delete it": "files.delete(files=['~/Downloads/setup.exe'])",
    # values
    "48 Euro, zehn Prozent Trinkgeld, wir sind zu viert": "calc.tip(amount=48, currency=Euro, people=4, rate=10)",
    "add up 12.50, 8.99 and 31.20": "calc.compute(expression=12.5 + 8.99 + 31.2)",
    "by when do I have to pay phone bill.pdf?": "documents.value(file=~/Invoices/phone bill.pdf, name=by when)",
    "bis wann muss ich phone bill.pdf bezahlen?": "documents.value(file=~/Invoices/phone bill.pdf, name=bis wann)",
    "wo habe ich den Vertrag abgelegt?": "files.find(name=Vertrag)",
    # what is told around a value
    "my essay is due six weeks from today what date is that": (
        "calc.shift(amount={'value': '6', 'unit': 'weeks'}, date=2025-03-12, direction=after)"
    ),
    "the recipe asks for an oven of 400 degrees Fahrenheit. What is that in Celsius?": (
        "calc.convert(quantity={'value': '400', 'unit': 'degF'}, unit=Celsius)"
    ),
    "dinner with the two ladies from the market was 64.50 so with a ten percent tip split three ways what do we pay": (
        "calc.tip(amount=64.5, people=3, rate=10)"
    ),
    "how many weeks have i got until the christmas market on 27 november 2026": (
        "calc.between(end=2026-11-27, unit=weeks)"
    ),
    "my rent is 780 euros, what's that times 12": "calc.compute(expression=x * 12, x=780)",
    # clauses without a mark, and what others cannot do
    "my laptop is full which three files eat the most space": "files.largest(count=3)",
    "i dont need setup.exe anymore chuck it in the trash please": "files.delete(files=['~/Downloads/setup.exe'])",
    "could i have sales.csv as an excel file please, my tax lady cant open the other sort": (
        "data.convert(format=xlsx, table=~/Work/sales.csv)"
    ),
    # taken back at once
    "84.6 divided by four no wait divided by six": "calc.compute(expression=84.6 / 6)",
    "what is twelve point five percent of 80": "calc.compute(expression=12.5 % of 80)",
    # slips
    "whats in my dowloads folder": "files.contents(folder=~/Downloads)",
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
