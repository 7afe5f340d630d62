"""Sentences about the calendar, and what sounds like them and is about something else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kernel.model import Constant, Plan, Question

if TYPE_CHECKING:
    from tests.kernel.planner import Planner

TOMORROW = "when={'start': '2025-03-13', 'end': '2025-03-14'}"  # it is Wednesday, 12 March 2025
FRIDAY = "when={'start': '2025-03-14', 'end': '2025-03-15'}"
NEXT_WEEK = "when={'start': '2025-03-17', 'end': '2025-03-24'}"


def at(start: str, end: str | None = None, rough: bool = False) -> str:
    return f"hours={{'start': {start!r}, 'end': {end!r}, 'rough': {rough}}}"


SENTENCES = {
    "what is on 20 march?": "calendar.agenda(when={'start': '2025-03-20', 'end': '2025-03-21'})",
    "what is on 2 march?": "calendar.agenda(when={'start': '2026-03-02', 'end': '2026-03-03'})",
    "what is on tomorrow?": f"calendar.agenda({TOMORROW})",
    "was steht nächste Woche an?": f"calendar.agenda({NEXT_WEEK})",
    "what do I have on Friday?": f"calendar.agenda({FRIDAY})",
    "was hatte ich am Montag?": "calendar.agenda(when={'start': '2025-03-10', 'end': '2025-03-11'})",
    "was hatte ich am Wochenende?": "calendar.agenda(when={'start': '2025-03-08', 'end': '2025-03-10'})",
    "was habe ich morgen Nachmittag vor?": f"calendar.agenda({at('12:00', '18:00', True)}, {TOMORROW})",
    "when is the next dentist appointment?": "calendar.upcoming(words=dentist)",
    "wann ist der nächste Zahnarzttermin?": "calendar.upcoming(words=Zahnarzttermin)",
    "what are my next three appointments?": "calendar.upcoming(count=3)",
    "my upcoming appointments": "calendar.agenda()",
    "meine anstehenden Termine": "calendar.agenda()",
    "find garden in my calendar": "calendar.find(words=garden)",
    "suche Steuerberater im Kalender": "calendar.find(words=Steuerberater)",
    "when am I free tomorrow?": f"calendar.free({TOMORROW})",
    "wann habe ich nächste Woche zwei Stunden frei?": f"calendar.free(length=7200, {NEXT_WEEK})",
    "do I have an hour free next week between 9 and 12?": (
        f"calendar.free({at('09:00', '12:00')}, length=3600, {NEXT_WEEK})"
    ),
    "do any of my appointments overlap next week?": f"calendar.clashes({NEXT_WEEK})",
    "überschneiden sich morgen Termine?": f"calendar.clashes({TOMORROW})",
    "add dentist tomorrow at 3 pm to my calendar": f"calendar.add({at('15:00')}, title=dentist, {TOMORROW})",
    "trag morgen um 15 Uhr Zahnarzt in den Kalender ein": f"calendar.add({at('15:00')}, title=Zahnarzt, {TOMORROW})",
    "put lunch with Anna into my calendar on Friday from 12 to 1": (
        f"calendar.add({at('12:00', '13:00')}, title=lunch with Anna, {FRIDAY})"
    ),
    "trage jeden Montag um 10 Uhr Teambesprechung ein": (
        "calendar.add(repeat=FREQ=WEEKLY;BYDAY=MO;BYHOUR=10;BYMINUTE=0, title=Teambesprechung)"
    ),
    "add vacation from 3 to 10 August to my calendar": (
        "calendar.add(title=vacation, when={'start': '2025-08-03', 'end': '2025-08-11'})"
    ),
    "move my dentist appointment to Friday at 4 pm": f"calendar.move(event=dentist, {at('16:00')}, to=2025-03-14)",
    "verschiebe den Zahnarzttermin auf Freitag um 16 Uhr": (
        f"calendar.move(event=Zahnarzttermin, {at('16:00')}, to=2025-03-14)"
    ),
    "move haircut from Monday to Tuesday": (
        "calendar.move(event=haircut, to=2025-03-18, when={'start': '2025-03-17', 'end': '2025-03-18'})"
    ),
    "rename the appointment dentist to dental cleaning": "calendar.rename(event=dentist, title=dental cleaning)",
    "benenne den Termin Zahnarzt in Zahnreinigung um": "calendar.rename(event=Zahnarzt, title=Zahnreinigung)",
    "delete my dentist appointment on Friday": f"calendar.remove(event=dentist, {FRIDAY})",
    "sag den Zahnarzttermin ab": "calendar.remove(event=Zahnarzttermin)",
    "cancel the standup, the whole series": "calendar.remove(event=standup, which=series)",
    "push the dentist back by an hour": "calendar.move(by=3600, direction=later, event=dentist)",
    "zieh die Physiotherapie um eine halbe Stunde vor": (
        "calendar.move(by=1800, direction=earlier, event=Physiotherapie)"
    ),
    "bring the interview forward by two hours": "calendar.move(by=7200, direction=earlier, event=interview)",
    "move the dentist earlier by an hour": "calendar.move(by=3600, direction=earlier, event=dentist)",
    "kannst du den Zahnarzttermin um eine Stunde vorverlegen?": (
        "calendar.move(by=3600, direction=earlier, event=Zahnarzttermin)"
    ),
    "verschieb den Zahnarzttermin um eine Stunde nach vorne": (
        "calendar.move(by=3600, direction=earlier, event=Zahnarzttermin)"
    ),
    "verschieb den Zahnarzttermin um eine Stunde nach vorn": (
        "calendar.move(by=3600, direction=earlier, event=Zahnarzttermin)"
    ),
    "der Zahnarzttermin wird um eine Stunde vorverlegt": (
        "calendar.move(by=3600, direction=earlier, event=Zahnarzttermin)"
    ),
    "zieh den Zahnarzttermin um eine Stunde nach hinten": (
        "calendar.move(by=3600, direction=later, event=Zahnarzttermin)"
    ),
    "bring the interview back by two hours": "calendar.move(by=7200, direction=later, event=interview)",
    "verschieb das Abendessen mit Jonas um eine Stunde": "calendar.move(by=3600, event=Abendessen mit Jonas)",
    "change the place of the budget review to room 2": "calendar.place(event=budget review, where=room 2)",
    "ändere den Ort vom Team Meeting in Raum 2": "calendar.place(event=Team Meeting, where=Raum 2)",
    "what's my last appointment tomorrow?": f"calendar.agenda(only=last, {TOMORROW})",
    "when could I meet Anna for an hour next week?": f"calendar.free(length=3600, purpose=Anna, {NEXT_WEEK})",
    "put lunch with Tom in my calendar for friday at one": (
        f"calendar.add({at('13:00')}, title=lunch with Tom, {FRIDAY})"
    ),
    "anything before noon tomorrow?": f"calendar.agenda({at('00:00', '12:00', True)}, {TOMORROW})",
    "remind me before 3 pm tomorrow to call Ida": f"timers.remind({at('15:00')}, text=call Ida, when=2025-03-13)",
    "wo findet das Konzert statt?": "calendar.upcoming(words=Konzert)",
    "um wieviel Uhr ist die Chorprobe?": "calendar.upcoming(words=Chorprobe)",
    # the hours of another time zone
    "set up a call with Anna for Friday at 3pm New York time": (
        f"calendar.add({at('15:00')}, title=call with Anna, {FRIDAY}, zone=America/New_York)"
    ),
    "add a call with Mei to my calendar on Friday at 15:00 Tokyo time": (
        f"calendar.add({at('15:00')}, title=call with Mei, {FRIDAY}, zone=Asia/Tokyo)"
    ),
    "set up a call with Ben on Friday at 3pm EST": (
        f"calendar.add({at('15:00')}, title=call with Ben, {FRIDAY}, zone=America/New_York)"
    ),
    "schedule standup every Monday at 9am UTC": (
        "calendar.add(repeat=FREQ=WEEKLY;BYDAY=MO;BYHOUR=9;BYMINUTE=0, title=standup, zone=UTC)"
    ),
    "Telefonat am Freitag um 15 Uhr New Yorker Zeit eintragen": (
        f"calendar.add({at('15:00')}, title=Telefonat, {FRIDAY}, zone=America/New_York)"
    ),
    "trag ein Gespräch mit Mei am Freitag um 15 Uhr Tokioter Zeit ein": (
        f"calendar.add({at('15:00')}, title=Gespräch mit Mei, {FRIDAY}, zone=Asia/Tokyo)"
    ),
    "put a call with Ben in my calendar on Friday at 3pm in London": (
        f"calendar.add({at('15:00')}, place=London, title=call with Ben, {FRIDAY})"
    ),
    # guests
    "invite Ben Roth and Clara to the team meeting on Friday": (
        f"calendar.invite(event=team meeting, {FRIDAY}, who=Ben Roth and Clara)"
    ),
    "lade Jonas zum Abendessen am Freitag ein": f"calendar.invite(event=Abendessen, {FRIDAY}, who=Jonas)",
    "write the invitation to the team meeting again": "calendar.invite(event=team meeting)",
    "schreib die Einladung zur Teambesprechung noch einmal": "calendar.invite(event=Teambesprechung)",
    "who has accepted the invitation to the team meeting?": "calendar.guests(event=team meeting, said=yes)",
    "wer hat zum Grillfest abgesagt?": "calendar.guests(event=Grillfest, said=no)",
    "invite Ben Roth to the budget review and mail it to Ben Roth": (
        "calendar.invite(event=budget review, who=Ben Roth); mail.send(files=<t1>, to=Ben Roth)"
    ),
    "invite Clara to the budget review and mail it to her": (
        "calendar.invite(event=budget review, who=Clara); mail.send(files=<t1>, to=Clara)"
    ),
    "invite Ben Roth and Clara to the budget review on Friday and mail it to them": (
        f"calendar.invite(event=budget review, {FRIDAY}, who=Ben Roth and Clara); "
        "mail.send(files=<t1>, to=Ben Roth and Clara)"
    ),
    "lade Clara zum Abendessen ein und maile sie an Clara": (
        "calendar.invite(event=Abendessen, who=Clara); mail.send(files=<t1>, to=Clara)"
    ),
    # what a document says of itself
    "who wrote report.pdf?": "documents.facts(file=~/Documents/report.pdf, what=author)",
    "wer hat report.pdf geschrieben?": "documents.facts(file=~/Documents/report.pdf, what=author)",
    "who created report.pdf?": "documents.facts(file=~/Documents/report.pdf, what=author)",
    "wer hat report.pdf erstellt?": "documents.facts(file=~/Documents/report.pdf, what=author)",
    "von wem wurde report.pdf erstellt?": "documents.facts(file=~/Documents/report.pdf, what=author)",
    "wann wurde report.pdf erstellt?": "documents.facts(file=~/Documents/report.pdf, what=created)",
    "when was thesis.pdf created?": "documents.facts(file=~/Documents/thesis.pdf, what=created)",
}


@pytest.mark.parametrize(("sentence", "expected"), SENTENCES.items(), ids=list(SENTENCES))
def test_a_request_becomes_its_plan(planner: Planner, sentence: str, expected: str) -> None:
    assert planner.shape(planner.say(sentence)) == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "make a note called plumber saying the plumber comes at 9",
        "take a note called Standup: every Monday at 10",
        "list the files I changed yesterday afternoon",
        "files I changed on Friday",
        "delete setup.exe",
        "rename setup.exe to installer.exe",
        "when is Anna's birthday?",
        "was steht auf meiner Einkaufsliste?",
        "move report.pdf to Archive",
        "remind me to call Anna at 5",
        "remove the dentist from my contacts",
    ],
)
def test_what_is_about_something_else_leaves_the_calendar_alone(planner: Planner, sentence: str) -> None:
    proposal = planner.say(sentence)
    tools = [task.tool for task in proposal.tasks] if isinstance(proposal, Plan) else []
    assert not any(tool.startswith("calendar.") for tool in tools)


@pytest.mark.parametrize(
    "sentence", ["set up a call on Friday at 3pm New York time", "add a call to my calendar on Friday at 15:00 EST"]
)
def test_a_time_zone_is_no_title(planner: Planner, sentence: str) -> None:
    question = planner.say(sentence)
    assert isinstance(question, Question)
    assert question.parameter == "title"
    assert question.draft.tasks[0].arguments["zone"].value == "America/New_York"


def test_a_day_of_the_week_in_a_date_is_no_title(planner: Planner) -> None:
    said = planner.say("Trag für Freitag, den 14. März, um 14 Uhr „Steuerberater“ in den Kalender ein")
    assert isinstance(said, Plan | Question)
    plan = said if isinstance(said, Plan) else said.draft
    titles = [one.value for one in plan.tasks[0].arguments.values() if isinstance(one, Constant)]
    assert "Freitag" not in titles
    named = planner.say("make a note called Friday saying pizza")
    assert planner.shape(named) == "notes.create(text=pizza, title=Friday)"


@pytest.mark.parametrize(
    "sentence",
    ["add Friday to my calendar at 2 pm", "trag Freitag um 14 Uhr in meinen Kalender ein"],
)
def test_an_appointment_of_no_name_is_asked_for_it_and_becomes_no_reminder(planner: Planner, sentence: str) -> None:
    asked = planner.say(sentence)
    assert isinstance(asked, Question), asked
    assert (asked.draft.tasks[0].tool, asked.parameter) == ("calendar.add", "title")
