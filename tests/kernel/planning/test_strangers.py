"""Requests in somebody else's words: other verbs, other order, a reason behind; each one is its plan, or asks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kernel.model import Decline, Plan, Question

if TYPE_CHECKING:
    from tests.kernel.planner import Planner

T = "table=~/Finance/expenses.csv"
PLANS: list[tuple[str, str]] = [
    # wishes in the passive, and their second halves
    ("I want the amount column of Finance/expenses.csv added up for every shop and the outcome written at the bottom "
     "of my note Spending", f"data.group(by=shop, column=amount, {T}); notes.add(text=<t1>, title=Spending)"),
    ("Ich hätte gern die Beträge in Finance/expenses.csv pro Laden zusammengezählt und das Ergebnis unten an meine "
     "Notiz Spending gehängt", f"data.group(by=Laden, column=Beträge, {T}); notes.add(text=<t1>, title=Spending)"),
    ("ich hätte gern meine neuen Mails abgeholt", "mail.fetch()"),
    ("I'd like Vogt's phone number shown and then a notice: call Vogt",
     "contacts.find(name=Vogt, what=phone); desktop.notify(text=call Vogt)"),
    ("Ich möchte die Mailadresse von Lena gezeigt bekommen", "contacts.find(name=Lena, what=email)"),
    # what an earlier step came to
    ("add up the amount column of Finance/expenses.csv and show me the total as a notification",
     f"data.total(column=amount, {T}); desktop.notify(text=<t1>)"),
    ("rechne die Spalte amount in Finance/expenses.csv zusammen und zeig mir die Summe als Hinweis auf dem Bildschirm",
     f"data.total(column=amount, {T}); desktop.notify(text=<t1>)"),
    # a sum for each of what a column has, and no deed that nobody asked for
    ("add up the amounts in Finance/expenses.csv for each category", f"data.group(by=category, column=amounts, {T})"),
    # verbs that stand last
    ("die Seite https://example.org/plan vorlesen", "web.read(url=https://example.org/plan)"),
    ("neue Mails abrufen", "mail.fetch()"),
    ("kannst du bitte den Ordner Music aufmachen?", "files.contents(folder=~/Music)"),
    ("Ich möchte, dass du mir meine Aufgaben zeigst", "tasks.show()"),
    ("Ich hätte gern, dass du mir die Mails von Lena zeigst", "mail.find(sender=Lena)"),
    ("Ich will, dass du mir sagst, wie spät es ist", "calc.clock()"),
    ("Es wäre nett, wenn du den Ordner Music aufmachst", "files.contents(folder=~/Music)"),
    # things that are told to be off, pressing or done with, and taken up
    ("the concert on saturday is off, take it out of my diary",
     "calendar.remove(event=concert, when={'start': '2025-03-15', 'end': '2025-03-16'})"),
    ("den Wecker um 6:45 brauch ich nich mehr, kannst löschen",
     "timers.cancel(hours={'start': '06:45', 'end': None, 'rough': False}, kind=alarm)"),
    ("die Steuer wird langsam brenzlig, gib der mal hohe Priorität", "tasks.rank(priority=high, task=Steuer)"),
    ("i gotta buy stamps by saturday, put that on my to do list", "tasks.add(due=2025-03-15, text=buy stamps)"),
    # verbs as they are spoken
    ("pop milk on my to-do list", "tasks.add(text=milk)"),
    ("shoot Lena a mail that the shelves can come", "mail.send(text=the shelves can come, to=Lena)"),
    ("scrap the bread timer", "timers.cancel(kind=timer, which=bread)"),
    ("hau Downloads/a.pdf in den Müll", "files.delete(files=['~/Downloads/a.pdf'])"),
    ("chuck old.zip and setup.exe in the bin, I need the room",
     "files.delete(files=['~/Downloads/old.zip', '~/Downloads/setup.exe'])"),
    # this machine, and what nobody has read
    ("ugh why is this laptop crawling", "system.slow()"),
    ("boah warum ist der rechner denn grad so lahm", "system.slow()"),
    ("how many mails haven't I read yet?", "mail.find(what=unread)"),
    ("which todos am i behind on", "tasks.show(which=overdue)"),
    # the folder that was spoken of
    ("räum Downloads auf und such darin nach doppelten Dateien",
     "files.organize(folder=~/Downloads); files.duplicates(folder=~/Downloads)"),
    ("sortiere Music nach Jahr in Unterordner und such anschließend nach doppelten Dateien darin",
     "files.organize(by=year, folder=~/Music); files.duplicates(folder=~/Music)"),
    # what time it is; programs
    ("Sag mir, wie spät es gerade in Tokio ist", "calc.clock(place=Tokio)"),
    ("sag mir, wie spät es in Tokio ist, dort arbeitet nämlich mein Bruder", "calc.clock(place=Tokio)"),
    ("nenn mir das eine Programm, das am meisten RAM braucht", "system.hungriest(what=memory)"),
    ("sag mir das Programm, das am meisten Prozessor frisst", "system.hungriest(what=processor)"),
    ("ich will sehen, welche Programme am meisten Speicher brauchen", "system.hungriest(what=memory)"),
    # reasons
    ("kopier Documents/report.pdf nach Archive, damit mir nichts verloren geht",
     "files.copy(files=['~/Documents/report.pdf'], to=~/Archive)"),
    ("zeig mir den Hinweis „Fenster zu“, das hält die Wärme ja drin", "desktop.notify(text=Fenster zu)"),
    # drafts, with what is not to happen
    ("draft a mail to Lena, subject Party, text “Bring cake”. Don't send it, I'll do that myself.",
     "mail.draft(subject=Party, text=Bring cake, to=Lena)"),
    ("entwirf eine Mail an Vogt, Betreff Miete, Text „Ich melde mich“. Schick sie nicht ab, das mach ich selber.",
     "mail.draft(subject=Miete, text=Ich melde mich, to=Vogt)"),
    ("entwirf eine Mail an Vogt, Betreff Strom, Text „Er kostet“. Nicht abschicken, den Preis trag ich selber ein.",
     "mail.draft(subject=Strom, text=Er kostet, to=Vogt)"),
    # the moment
    ("häng Datum und Uhrzeit an meine Notiz Log an", "notes.add(text=2025-03-12 10:00, title=Log)"),
    ("put the date and the time at the end of my note Log", "notes.add(text=2025-03-12 10:00, title=Log)"),
    # later, after a while
    ("remind me half an hour later about the laundry", "timers.remind(length=1800, text=laundry)"),
    ("erinner mich zwei Stunden später ans Blumengießen", "timers.remind(length=7200, text=Blumengießen)"),
    # pages
    ("take a look at what https://example.org/menu has to say about vegan dishes",
     "web.find(url=https://example.org/menu, words=vegan dishes)"),
    ("lies nach, was auf https://example.org/visit über Parkplätze steht",
     "web.find(url=https://example.org/visit, words=Parkplätze)"),
    # a text that speaks of a folder
    ("show me a notice: take the green folder", "desktop.notify(text=take the green folder)"),
]  # fmt: skip


@pytest.mark.parametrize(("sentence", "shape"), PLANS, ids=[one for one, _ in PLANS])
def test_it_is_planned_as_it_was_meant(planner: Planner, sentence: str, shape: str) -> None:
    assert planner.shape(planner.whole(sentence)) == shape


@pytest.mark.parametrize(
    "sentence",
    [
        "print my open tasks on the printer upstairs",
        "print out my note Garden plan",
        "drucke meine Termine von morgen auf dem Drucker oben",
        "druck mir Documents/report.pdf aus",
        "fax Documents/report.pdf to Vogt",
    ],
)
def test_what_only_a_device_does_is_said_to_be_missing(planner: Planner, sentence: str) -> None:
    found = planner.whole(sentence)
    assert isinstance(found, Decline)
    assert any(word in found.text for word in ("print", "drucken", "fax"))


@pytest.mark.parametrize(
    "sentence", ["print Documents/meeting.md", "remind me tomorrow to print the ticket on the printer"]
)
def test_what_shows_a_text_or_is_one_prints_nothing(planner: Planner, sentence: str) -> None:
    assert isinstance(planner.whole(sentence), Plan)


@pytest.mark.parametrize(
    "sentence",
    [
        "schreib einen Entwurf an Lena mit dem Betreff Urlaub und dem Text „Bin weg“, aber noch nicht abschicken",
        "leg mir einen Mailentwurf an Lena an, Betreff Grillen, Text „Bringst du Salat mit?“ Nicht absenden, bitte",
    ],
)
def test_a_quotation_called_text_is_no_subject_and_nobody(planner: Planner, sentence: str) -> None:
    found = planner.whole(sentence)
    given = found.tasks[0].arguments if isinstance(found, Plan) else {}
    texts = {name: str(getattr(value, "value", "")) for name, value in given.items()}
    assert not any("Bin weg" in text or "Salat" in text for name, text in texts.items() if name != "text")
    assert not any("Betreff" in text for text in texts.values())


def test_a_word_that_nothing_vouches_for_is_no_place(planner: Planner) -> None:
    found = planner.say("put a haircut in my calendar for friday the 20th at 3 pm, swallows about 45 min")
    assert isinstance(found, Question), found
    assert "place" not in found.draft.tasks[0].arguments
