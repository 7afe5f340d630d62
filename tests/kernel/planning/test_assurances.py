"""What is not to happen, said beside a request: a plan that does not do it is the plan, one that would is not made."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kernel.model import Plan

if TYPE_CHECKING:
    from tests.kernel.planner import Planner


@pytest.mark.parametrize(("request_", "assurance"), [
    ("show the three largest files in Downloads", ", but don't delete anything"),
    ("show the three largest files in Downloads", ". Nothing gets deleted, mind."),
    ("show the three largest files in Downloads", ", and please never remove any of them"),
    ("zeig mir die drei größten Dateien in Downloads", ". Gelöscht wird aber nix!"),
    ("zeig mir die drei größten Dateien in Downloads", ", aber lösch nichts"),
    ("zeig mir die drei größten Dateien in Downloads", ", es wird nichts gelöscht"),
    ("move a.pdf to Archive", ". Nothing gets deleted, please"),
    ("show the three largest files in Downloads", ". I'll delete them myself."),
    ("show the three largest files in Downloads", ", I will sort them out by hand"),
    ("zeig mir die drei größten Dateien in Downloads", ". Löschen mach ich dann von Hand"),
    ("zeig mir die drei größten Dateien in Downloads", ". Den Rest mach ich selbst."),
    ("zeig mir die drei größten Dateien in Downloads", ", ich räum sie dann selber auf"),
    ("draft a mail to anna@example.org saying the plumber comes at nine", ". A draft, mind, don't send it."),
    ("entwirf eine Mail an anna@example.org: der Klempner kommt um neun", ". Nicht abschicken!"),
])  # fmt: skip
def test_what_a_plan_does_not_do_anyway_may_be_forbidden(planner: Planner, request_: str, assurance: str) -> None:
    plan = planner.say(request_)
    assert isinstance(plan, Plan)
    assert planner.shape(planner.say(request_ + assurance)) == planner.shape(plan)


@pytest.mark.parametrize("sentence", [
    "delete old.zip, but don't delete anything",
    "lösch old.zip, aber lösch nichts",
    "delete old.zip. I'll delete it myself.",
    "send anna@example.org a mail saying the plumber comes at nine. Don't send it.",
    "schick anna@example.org eine Mail: der Klempner kommt um neun. Abschicken tu ich selber.",
])  # fmt: skip
def test_no_plan_does_what_is_forbidden_beside_it(planner: Planner, sentence: str) -> None:
    assert not isinstance(planner.say(sentence), Plan)


@pytest.mark.parametrize(("sentence", "text"), [
    ("make a note called tips saying don't delete anything", "don't delete anything"),
    ("write a draft to anna@example.org saying hello", "hello"),
    ("add a task: clean the attic, but never throw away anything", "clean the attic, but never throw away anything"),
    ("make a note called call saying ring Anna, but send nothing", "ring Anna, but send nothing"),
    ("make a note called call saying ring Anna, I'll do the rest myself", "ring Anna, I'll do the rest myself"),
    ("mach eine Notiz Anruf: ruf Anna an, aber schick nichts", "ruf Anna an, aber schick nichts"),
])  # fmt: skip
def test_the_same_words_in_a_text_are_the_text(planner: Planner, sentence: str, text: str) -> None:
    assert f"text={text}" in planner.shape(planner.say(sentence))


@pytest.mark.parametrize(("sentence", "expected"), [
    ("file thesis.pdf under Archive by year",
     "documents.file_away(files=['~/Documents/thesis.pdf'], to=~/Archive, by=year)"),
    ("leg thesis.pdf nach Jahr in Archive ab",
     "documents.file_away(files=['~/Documents/thesis.pdf'], by=year, to=~/Archive)"),
    ("file ~/Documents/thesis.pdf in Archive", "files.move(files=['~/Documents/thesis.pdf'], to=~/Archive)"),
    ("draft a mail to anna@example.org with thesis.pdf attached",
     "mail.draft(to=anna@example.org, files=['~/Documents/thesis.pdf'])"),
])  # fmt: skip
def test_filing_and_attaching(planner: Planner, sentence: str, expected: str) -> None:
    shape = planner.shape(planner.say(sentence))
    assert {*shape.rstrip(")").replace("(", ", ").split(", ")} == {*expected.rstrip(")").replace("(", ", ").split(", ")}
