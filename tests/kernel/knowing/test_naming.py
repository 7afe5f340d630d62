"""Names in ordinary requests: another name or a role is whom it means, and of two who are called alike one is asked."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from datetime import datetime
from typing import Any

import pytest

from kernel.knowing.finding import Several
from kernel.knowing.naming import named
from kernel.model import Constant, Plan, Task, TaskId
from memory.graph import Claim, Object, Query
from permissions.labels import USER_SAID, Integrity, Label
from skills.model import ToolId

Bench = Any  # tests/kernel/conftest.py

MAILS = {
    "berg": ("Anna Berg <berg@example.org>", "Roof", "The roof is done."),
    "klein": ("Anna Klein <klein@example.org>", "Trip", "The trip is on."),
    "ida": ("Ida Stern <ida@example.org>", "Cake", "The cake is baked."),
}
CARDS = "".join(
    f"BEGIN:VCARD\nVERSION:3.0\nFN:{name}\nTEL:{number}\nEMAIL:{mail}\nEND:VCARD\n"
    for name, number, mail in (
        ("Anna Berg", "111", "berg@example.org"), ("Anna Klein", "222", "klein@example.org"),
        ("Ida Stern", "333", "ida@example.org"),
    )
)  # fmt: skip


@pytest.fixture
async def home(bench: Bench) -> Bench:
    (bench.home / "Mail").mkdir()
    for at, (name, (sender, subject, text)) in enumerate(MAILS.items(), 1):
        head = f"From: {sender}\nTo: me@home.test\nSubject: {subject}\nMessage-ID: <{name}@x>\n"
        (bench.home / f"Mail/{name}.eml").write_text(f"{head}Date: Thu, {at:02} Jan 2026 10:00:00 +0000\n\n{text}\n")
    (bench.home / "Contacts").mkdir()
    (bench.home / "Contacts/all.vcf").write_text(CARDS)
    return bench


async def two_annas(bench: Bench) -> None:
    await bench.ask("remember that Anna Berg works at Xenon")
    await bench.ask("remember that Anna Klein works at Ypsilon")


def given(view: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for task in view["plan"]["tasks"] for name, value in task["arguments"].items()}


@pytest.mark.parametrize("text", ["read Anna's last mail", "lies mir Annas letzte Mail vor"])
async def test_whose_mail_is_asked_where_two_are_called_so(home: Bench, text: str) -> None:
    assert "trip" in (await home.ask("read Anna's last mail"))["answer"], "the control: nobody is known, the newest"
    await two_annas(home)
    for reply, within in (("Berg", "The roof is done"), ("Klein", "The trip is on")):
        asked = await home.ask(text, conversation=reply)
        assert asked["resolution"] == "clarify", asked
        assert "Xenon" in asked["answer"]
        assert "Ypsilon" in asked["answer"]
        view = await home.ask(reply, conversation=reply)
        assert within in view["answer"], view
        assert given(view)["sender"] == f"Anna {reply}"


@pytest.mark.parametrize("text", ["read Annchen's last mail", "lies mir Annchens letzte Mail vor"])
async def test_another_name_means_whom_it_was_given_to(home: Bench, text: str) -> None:
    await two_annas(home)
    assert "roof" not in (await home.ask(text))["answer"], "the control: nobody is called so"
    await home.kernel.known.change_entity("Anna Berg", also_called="Annchen")
    view = await home.ask(text)
    assert given(view)["sender"] == "Anna Berg"
    assert "The roof is done" in view["answer"]


@pytest.mark.parametrize(
    ("text", "number"), [("what is Annchen's phone number?", "111"), ("wie ist die Nummer von Annchen?", "111")]
)
async def test_contacts_are_looked_up_by_the_name_they_know(home: Bench, text: str, number: str) -> None:
    await two_annas(home)
    await home.kernel.known.change_entity("Anna Berg", also_called="Annchen")
    view = await home.ask(text)
    assert number in view["answer"], view


@pytest.mark.parametrize(
    "text",
    ["Annchen has a new phone number: 0171 5555", "Annchen hat eine neue Telefonnummer: 0171 5555",
     "remove Annchen from my contacts"],
)  # fmt: skip
async def test_contacts_are_changed_under_the_name_they_know(home: Bench, text: str) -> None:
    await two_annas(home)
    await home.kernel.known.change_entity("Anna Berg", also_called="Annchen")
    view = await home.ask(text)
    assert given(view)["name"] == "Anna Berg"
    assert view["resolution"] == "pending", "the diff is before the person"
    assert "111" in str(view["diff"])
    assert "222" not in str(view["diff"])
    recovered = home.kernel._house.ledger.events(run=view["run"], kinds=("plan.recovered",))
    assert not list(recovered), "it was known at once"


@pytest.mark.parametrize("text", ["Anna has a new phone number: 0171 5555", "remove Anna from my contacts"])
async def test_whose_contact_is_changed_is_asked_with_what_is_known_of_both(home: Bench, text: str) -> None:
    await two_annas(home)
    asked = await home.ask(text)
    assert asked["resolution"] == "clarify", asked
    assert "Ypsilon" in asked["answer"]
    view = await home.ask("Klein")
    assert given(view)["name"] == "Anna Klein"
    assert "222" in str(view["diff"])


@pytest.mark.parametrize(
    "text",
    [
        "email Anna that I will be late", "schreib Anna eine Mail, dass ich später komme",
        "draft an email to Anna saying see you soon", "answer Anna's last email with see you then",
        "draft an email to ida@example.org and Anna saying see you soon",
        "save the attachments of Anna's last mail to Documents",
    ],
)  # fmt: skip
async def test_nothing_is_done_to_one_of_two_who_are_called_alike(home: Bench, text: str) -> None:
    await two_annas(home)
    before = home.tree()
    view = await home.ask(text)
    assert view["resolution"] == "clarify", view
    assert "Anna Berg" in view["answer"]
    assert "Anna Klein" in view["answer"]
    assert home.tree() == before


async def test_a_draft_goes_to_whom_is_picked_and_to_a_sister_by_her_name(home: Bench) -> None:
    await two_annas(home)
    await home.ask("draft an email to Anna saying see you soon")
    view = await home.ask("Klein")
    assert view["resolution"] == "confirmed", view
    assert given(view)["to"] == "Anna Klein"
    await home.ask("remember that my sister is called Ida Stern")
    for number, text in enumerate(
        ("draft an email to my sister saying see you soon", "entwirf eine Mail an meine Schwester: bis bald")
    ):
        view = await home.ask(text, conversation=f"s{number}")
        assert given(view)["to"] == "Ida Stern", view
        assert view["resolution"] == "confirmed", view
    drafts = b"".join(
        content for path, content in home.tree().items() if path.startswith("Mail/") and b"see you soon" in content
    )
    assert b"ida@example.org" in drafts


# --- by the graph alone -------------------------------------------------------------------------------------------


def plan_of(tool: str, **arguments: str) -> Plan:
    constants = {name: Constant(value, USER_SAID) for name, value in arguments.items()}
    return Plan((Task(TaskId("t1"), ToolId(tool), constants),), "en")


def as_named(bench: Bench, tool: str, chosen: Mapping[str, str] | None = None, **arguments: str) -> dict[str, Constant]:
    house = bench.kernel._house
    graph, plan = house.knowledge.graph(), plan_of(tool, **arguments)
    said = named(graph, plan, " ".join(arguments.values()), house.registry.tool, chosen or {})
    return dict(said.tasks[0].arguments)


async def test_a_name_from_a_file_decides_nothing_without_a_person(bench: Bench) -> None:
    """An attack: a card says that "Chief" is another name of somebody whom the person knows. That stays its word."""
    graph, untrusted = bench.kernel._house.knowledge.graph(), Label().to_json()
    await bench.ask("remember that Ben Roth works at Xenon")
    card = graph.make_entity("person", "Ben Roth", ["Chief"], label=untrusted)
    graph.assert_fact(Claim(card.id, "phone", Object.text("666"), "contacts:evil.vcf", label=untrusted))
    (ben,) = (one for one in graph.entities("person") if one.id != card.id and one.name == "Ben Roth")
    graph.merge(ben.id, card.id, label=untrusted)
    to = as_named(bench, "mail.send", to="Chief", text="hi")["to"]
    assert (to.value, to.label.integrity) == ("Ben Roth", Integrity.UNTRUSTED)
    await bench.kernel.known.change_entity(ben.id, also_called="Benny")
    to = as_named(bench, "mail.send", to="Benny", text="hi")["to"]
    assert (to.value, to.label.integrity) == ("Ben Roth", Integrity.USER), "the control: the person named him"


async def test_a_request_that_uses_a_name_from_a_file_vouches_for_nobody(home: Bench) -> None:
    """An attack: what is written down of a request about "Chief" is not the person's telling that he is Ben Roth."""
    (home.home / "Notes").mkdir()
    graph, untrusted = home.kernel._house.knowledge.graph(), Label().to_json()
    card = graph.make_entity("person", "Ben Roth", ["Chief"], label=untrusted)
    graph.assert_fact(Claim(card.id, "phone", Object.text("666"), "contacts:evil.vcf", label=untrusted))
    await home.ask("which notes mention Chief?")
    deadline = time.monotonic() + 20
    while home.kernel._house.live:
        assert time.monotonic() < deadline
        await asyncio.sleep(0.01)
    (fact,) = graph.facts(Query(either=card.id, extractor="requests"))
    for label in (fact.label, USER_SAID.to_json()):  # the second as an earlier version wrote it
        graph.assert_fact(Claim(fact.subject, "mentions", Object.entity(card.id), "requests", label=label))
        to = as_named(home, "mail.send", to="Chief", text="hi")["to"]
        assert (to.value, to.label.integrity) == ("Ben Roth", Integrity.UNTRUSTED)
    await home.ask("remember that Chief works at Xenon")
    to = as_named(home, "mail.send", to="Chief", text="hi")["to"]
    assert (to.value, to.label.integrity) == ("Ben Roth", Integrity.USER), "the control: the person speaks of Chief"


async def test_what_is_nobodys_name_stays_as_it_was_said(bench: Bench) -> None:
    await two_annas(bench)
    for said in (
        "",
        "Zoe",
        "berg@example.org",
        "Anna Berg",
        "Berg",
        "Ann",
        "Anne",
        "and",
        "\u202eAnna Berg\u202c",
        "'s",
        "אנה",
    ):
        sender = as_named(bench, "mail.read", sender=said)["sender"]
        assert sender == Constant(said, USER_SAID), said
    text = as_named(bench, "mail.send", to="x@example.org", text="Anna")["text"]
    assert text == Constant("Anna", USER_SAID), "what is written stays"
    assert as_named(bench, "notes.search", words="Anna")["words"] == Constant("Anna", USER_SAID), "no person's place"
    with pytest.raises(Several):
        as_named(bench, "mail.read", sender="Anna")


# --- found under another name ---------------------------------------------------------------------------------------

EVENT = """BEGIN:VCALENDAR
BEGIN:VEVENT
UID:1@x
SUMMARY:{title}
DTSTART:{day}T120000
DTEND:{day}T130000
END:VEVENT
END:VCALENDAR
"""


async def with_event(bench: Bench, title: str) -> None:
    (bench.home / "Calendar").mkdir(exist_ok=True)
    (bench.home / "Calendar/own.ics").write_text(EVENT.format(title=title, day=f"{datetime.now().year + 1}0312"))


@pytest.mark.parametrize("text", ["find events about Annchen in my calendar", "suche im Kalender nach Annchen"])
async def test_an_event_is_found_under_another_name_and_under_the_one_that_was_said_first(
    home: Bench, text: str
) -> None:
    await two_annas(home)
    await with_event(home, "Lunch with Anna Berg")
    before = await home.ask(text, conversation="before")
    assert before["resolution"] == "clarify", "the control: nobody is called so, and it is asked which event is meant"
    await home.kernel.known.change_entity("Anna Berg", also_called="Annchen")
    view = await home.ask(text, conversation="after")
    assert view["resolution"] in ("executed", "confirmed"), view
    assert "Lunch with Anna Berg" in view["answer"]
    assert given(view)["words"] == "Anna Berg"
    events = home.kernel._house.ledger.events(run=view["run"], kinds=("plan.recovered",))
    assert [event.body["rung"] for event in events] == ["name"]
    await with_event(home, "Cake for Annchen")
    view = await home.ask(text, conversation="as said")
    assert "Cake for Annchen" in view["answer"]
    assert given(view)["words"] == "Annchen"


async def test_a_change_goes_by_no_name_that_a_file_gave(home: Bench) -> None:
    """An attack: a card calls Ben "Chief", so that what is moved is his event. The control: the person calls him so."""
    await home.ask("remember that Ben Roth works at Xenon")
    graph, untrusted = home.kernel._house.knowledge.graph(), Label().to_json()
    card = graph.make_entity("person", "Ben Roth", ["Chief"], label=untrusted)
    graph.assert_fact(Claim(card.id, "phone", Object.text("666"), "contacts:evil.vcf", label=untrusted))
    (ben,) = (one for one in graph.entities("person") if one.id != card.id and one.name == "Ben Roth")
    graph.merge(ben.id, card.id, label=untrusted)
    await with_event(home, "Ben Roth")
    text = "delete the event Chief from my calendar"
    before = home.tree()
    view = await home.ask(text, conversation="one")
    assert given(view)["event"] == "Chief"
    assert home.tree() == before
    await home.kernel.known.change_entity(ben.id, also_called="Chief")
    view = await home.ask(text, conversation="two")
    assert given(view)["event"] == "Ben Roth", view


@pytest.mark.parametrize(
    "text", ["delete the meeting with Anna from my calendar", "lösche den Termin mit Anna aus meinem Kalender"]
)
async def test_of_two_meetings_with_people_called_alike_none_is_taken_out_unasked(home: Bench, text: str) -> None:
    await two_annas(home)
    await with_event(home, "Meeting with Anna Berg")
    other = EVENT.format(title="Meeting with Anna Klein", day=f"{datetime.now().year + 1}0313").replace(
        "UID:1", "UID:2"
    )
    (home.home / "Calendar/other.ics").write_text(other)
    before = home.tree()
    view = await home.ask(text)
    assert view["resolution"] == "clarify", view
    assert "Anna Berg" in view["answer"]
    assert "Anna Klein" in view["answer"]
    assert home.tree() == before
