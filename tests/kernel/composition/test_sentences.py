"""Classes of sentences that were once misread, each in words of its own: what is done, asked and declined."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from kernel.context.dialogue import Dialogue
from kernel.model import Decline, Plan, Question
from skills.model import EffectClass

if TYPE_CHECKING:
    from conftest import Desk

FILES_FROM_A_PLACE = [
    (
        "move roof.png and broken tile.png from Attic to Garage",
        "files.move(files=['~/Attic/roof.png', '~/Attic/broken tile.png'], to=~/Garage)",
    ),
    ("delete quote.pdf from Cellar", "files.delete(files=['~/Cellar/quote.pdf'])"),
    ("copy letter.docx to Garage/Old Things", "files.copy(files=['~/Cellar/letter.docx'], to=~/Garage/Old Things)"),
]
CUED_TEXT = [
    ("make a note called lamp saying buy a bulb and a cable", "notes.create(text=buy a bulb and a cable, title=lamp)"),
    (
        "make a note called repairs in spring containing mend the gate",
        "notes.create(text=mend the gate, title=repairs in spring)",
    ),
    ("delete the note Bird feeder", "notes.delete(title=Bird feeder)"),
    ("note the wifi code as code", "notes.create(text=the wifi code, title=code)"),
]
READ_BY_ANOTHER_TOOL = [
    (
        "I need the amount of letter.docx added to wine.csv",
        "documents.value(file=~/Cellar/letter.docx, name=amount); data.append(file=~/Cellar/wine.csv, row=<t1>)",
    ),
    (
        "I would like the summary of letter.docx saved as a note called gist",
        "documents.summary(file=~/Cellar/letter.docx); notes.create(text=<t1>, title=gist)",
    ),
    (
        "add the amount of letter.docx to wine.csv",
        "documents.value(file=~/Cellar/letter.docx, name=amount); data.append(file=~/Cellar/wine.csv, row=<t1>)",
    ),
    (
        "which weekday is the due date of letter.docx?",
        "documents.value(file=~/Cellar/letter.docx, name=due date); calc.weekday(date=<t1.date>)",
    ),
    (
        "read the due date of letter.docx and tell me which weekday it is",
        "documents.value(file=~/Cellar/letter.docx, name=due date); calc.weekday(date=<t1.date>)",
    ),
    (
        "save the summary of letter.docx as a note called gist",
        "documents.summary(file=~/Cellar/letter.docx); notes.create(text=<t1>, title=gist)",
    ),
    (
        "convert wine.csv to xlsx and then copy the new file to Garage",
        "data.convert(format=xlsx, table=~/Cellar/wine.csv); files.copy(files=<t1>, to=~/Garage)",
    ),
]
TABLES = [
    (
        "sort wine.csv by year and save it as by year.csv",
        "data.sort(column=year, table=~/Cellar/wine.csv); data.save(file=~/Cellar/by year.csv, table=<t1>)",
    ),
    (
        "filter survey.csv where age > 30 and save that as old wine.csv",
        "data.filter(condition={'column': 'age', 'op': '>', 'value': '30'}, table=~/Attic/survey.csv); "
        "data.save(file=~/Attic/old wine.csv, table=<t1>)",
    ),
    (
        "add up the price per grape in wine.csv and plot it",
        "data.group(by=grape, column=price, table=~/Cellar/wine.csv); data.plot(table=<t1>)",
    ),
    (
        "pick survey.csv, sort it by age and save that as sorted.csv",
        "data.sort(column=age, table=~/Attic/survey.csv); data.save(file=~/Attic/sorted.csv, table=<t1>)",
    ),
]
CHOICES = [
    (
        "which date is 5 days before 1 April 2025?",
        "calc.shift(amount={'value': '5', 'unit': 'days'}, date=2025-04-01, direction=before)",
    ),
    ("list the pictures in Attic, oldest first", "files.find(folder=~/Attic, kind=image, order=oldest)"),
    (
        "copy the largest picture in Attic to Garage",
        "files.find(count=1, folder=~/Attic, kind=image, order=largest); files.copy(files=<t1>, to=~/Garage)",
    ),
]
OBJECTS_IN_OBJECTS = [
    (
        "append the total of the newest quote to wine.csv",
        "files.find(count=1, name=quote, order=newest); documents.value(file=<t1[0]>, name=total); "
        "data.append(file=~/Cellar/wine.csv, row=<t2>)",
    ),
    (
        "add the due date of the latest bill to survey.csv",
        "files.find(count=1, name=bill, order=newest); documents.value(file=<t1[0]>, name=due date); "
        "data.append(file=~/Attic/survey.csv, row=<t2>)",
    ),
]
PATTERNS = [
    ("delete *.bak in Attic", "files.find(folder=~/Attic, name=*.bak); files.delete(files=<t1>)"),
    ("move all *.png to Garage", "files.find(name=*.png); files.move(files=<t1>, to=~/Garage)"),
    ("find roof* in Attic", "files.find(folder=~/Attic, name=roof*)"),
    ("what is 4 * 3", "calc.compute(expression=4 * 3)"),
]
NAMES_OF_FOLDERS = [
    ("copy roof.png to a folder called best of spring", "files.copy(files=['~/Attic/roof.png'], to=~/best of spring)"),
    (
        "move roof.png into a folder named odds and ends",
        "files.move(files=['~/Attic/roof.png'], to=~/odds and ends)",
    ),
    ("create a folder called old tiles in Garage", "files.make_folder(folder=~/Garage, name=old tiles)"),
    ("delete my letter letter.docx", "files.delete(files=['~/Cellar/letter.docx'])"),
]
PLANS = [*FILES_FROM_A_PLACE, *CUED_TEXT, *READ_BY_ANOTHER_TOOL, *TABLES, *CHOICES, *OBJECTS_IN_OBJECTS, *PATTERNS]
PLANS += NAMES_OF_FOLDERS


@pytest.mark.parametrize(("sentence", "expected"), PLANS, ids=[sentence for sentence, _ in PLANS])
def test_a_sentence_becomes_its_plan(desk: Desk, sentence: str, expected: str) -> None:
    assert desk.shape(desk.say(sentence)) == expected


@pytest.mark.parametrize(
    ("sentence", "parameter"),
    [
        ("delete a picture", "files"),
        ("delete the picture", "files"),
        ("rename an image", "file"),
        ("could you summarise a document for me?", "file"),
        ("open a table", "table"),
        ("read a note", "title"),
        ("make a new folder", "name"),
        ("delete it", "files"),
        ("write a note titled paint for the shed", "text"),
    ],
)
def test_a_noun_that_only_says_what_kind_of_thing_is_no_value(desk: Desk, sentence: str, parameter: str) -> None:
    proposal = desk.say(sentence)
    assert isinstance(proposal, Question), proposal
    assert proposal.parameter == parameter


@pytest.mark.parametrize(
    "sentence",
    [
        "carve a pumpkin for the party at the school",
        "hire a boat for three at the harbour",
        "fly the kite",
        "open thunderbird",
        "take a selfie",
        "hide letter.docx",
        "when did I delete letter.docx?",
    ],
)
def test_a_verb_or_an_object_that_no_tool_knows_is_declined(desk: Desk, sentence: str) -> None:
    assert isinstance(desk.say(sentence), Decline)


@pytest.mark.parametrize(
    "sentence", ["should I delete letter.docx?", "did you move letter.docx to Garage?", "may I delete letter.docx?"]
)
def test_a_question_about_a_deed_is_not_the_deed(desk: Desk, sentence: str) -> None:
    assert not isinstance(desk.say(sentence), Plan)
    assert isinstance(desk.say("could you delete letter.docx?"), Plan)


def test_a_text_is_not_cut_where_two_nouns_are_joined(desk: Desk) -> None:
    question = desk.say("write a note that says buy nails and glue")
    assert isinstance(question, Question)
    assert (question.parameter, desk.value(question.draft.tasks[0].arguments["text"])) == (
        "title",
        "buy nails and glue",
    )


@pytest.mark.parametrize(
    "sentence", ["copy letter.docx to ideas.md", "move letter.docx to plan.txt", "copy missing.docx to Garage"]
)
def test_a_name_with_a_suffix_is_no_new_folder_and_what_is_missing_stays_missing(desk: Desk, sentence: str) -> None:
    proposal = desk.say(sentence)
    assert not isinstance(proposal, Plan)
    assert "missing.docx" not in sentence or (isinstance(proposal, Question) and "missing.docx" in proposal.text)


@pytest.mark.parametrize("sentence", ["delete the folder Nowhere", "move the folder Nowhere to Garage"])
def test_a_folder_that_something_is_done_to_must_be_there(desk: Desk, sentence: str) -> None:
    assert isinstance(desk.say(sentence), Question)


@pytest.mark.parametrize("sentence", ["empty the folder Garage", "delete everything from the letter"])
def test_a_word_that_only_stands_in_other_requests_does_not_lead_to_a_change(desk: Desk, sentence: str) -> None:
    assert not isinstance(desk.say(sentence), Plan)


def test_of_two_files_with_one_name_the_folder_tells_which(desk: Desk) -> None:
    assert isinstance(desk.say("delete quote.pdf"), Question)
    assert desk.shape(desk.say("move quote.pdf in the Attic to Garage")) == (
        "files.move(files=['~/Attic/quote.pdf'], to=~/Garage)"
    )
    assert desk.shape(desk.say("read quote.pdf in Cellar")) == "documents.text(file=~/Cellar/quote.pdf)"
    assert desk.shape(desk.say("copy quote.pdf from the Cellar folder to Garage")) == (
        "files.copy(files=['~/Cellar/quote.pdf'], to=~/Garage)"
    )


@pytest.mark.parametrize(
    ("first", "then", "expected"),
    [
        ("what is the newest picture in Attic?", "and the oldest one?",
         "files.find(count=1, folder=~/Attic, kind=image, order=oldest)"),
        ("find pictures in Attic", "read the total of the second one",
         "documents.value(file=~/Cellar/quote.pdf, name=total)"),
        ("read the note Bird feeder", "add sunflower seeds to it",
         "notes.add(text=sunflower seeds, title=Bird feeder)"),
        ("make a note called lamp saying bulb", "add a cable to it", "notes.add(text=a cable, title=lamp)"),
    ],
)  # fmt: skip
def test_a_follow_up_keeps_or_points_at_what_came_before(desk: Desk, first: str, then: str, expected: str) -> None:
    context = desk.after(first, t1=desk.found("Attic/quote.pdf", "Cellar/quote.pdf"))
    assert desk.shape(desk.say(then, context)) == expected


@pytest.mark.parametrize("sentence", ["delete Notes.app", "lösche Notes.app", "move emacs.info to Garage"])
def test_a_file_that_is_not_there_is_asked_about_although_it_is_called_like_a_host(desk: Desk, sentence: str) -> None:
    asked = desk.say(sentence)
    assert isinstance(asked, Question)
    assert asked.parameter == "files"
    assert desk.shape(desk.say("read example.org")) == "web.read(url=https://example.org)"


_DAYS = {"tomorrow": "2025-03-13", "friday": "2025-03-14", "monday": "2025-03-17"}  # today is Wednesday, 12 March


@pytest.mark.parametrize(
    ("sentence", "call", "day"),
    [
        ("delete my alarm for tomorrow", "timers.cancel(kind=alarm, ", "tomorrow"),
        ("please cancel the alarm for tomorrow", "timers.cancel(kind=alarm, ", "tomorrow"),
        ("cancel the reminder on Monday", "timers.cancel(kind=reminder, ", "monday"),
        ("cancel all reminders for tomorrow", "timers.cancel(kind=reminder, many=all, ", "tomorrow"),
        ("lösche meinen Wecker für morgen", "timers.cancel(kind=alarm, ", "tomorrow"),
        ("streich den Wecker am Freitag", "timers.cancel(kind=alarm, ", "friday"),
        ("show my reminders on Friday", "timers.show(kind=reminder, ", "friday"),
        ("delete the meeting tomorrow", "calendar.remove(event=meeting, ", "tomorrow"),
    ],
)
def test_a_day_of_an_alarm_is_its_day_and_no_event_of_the_calendar(
    desk: Desk, sentence: str, call: str, day: str
) -> None:
    assert desk.shape(desk.say(sentence)).startswith(f"{call}when={{'start': '{_DAYS[day]}'")


@pytest.mark.parametrize(
    "sentence",
    [
        "show me the files in Attic", "list all files in the folder Attic", "show all files in Attic",
        "list the folders in Attic", "show me the folders in Attic", "zeig mir die Dateien in Attic",
        "zeige alle Dateien in Attic", "liste die Dateien in Attic auf", "zeig mir meine Dateien in Attic",
        "zeig mir die Ordner in Attic", "welche Ordner sind in Attic?",
    ],
)  # fmt: skip
def test_what_lies_in_a_folder_is_asked_for_in_plain_words(desk: Desk, sentence: str) -> None:
    assert desk.shape(desk.say(sentence)) == "files.contents(folder=~/Attic)"


@pytest.mark.parametrize(
    "sentence", ["find duplicates in Attic", "finde Duplikate in Attic", "finde alle doppelten Dateien in Attic"]
)
def test_what_is_there_twice_is_found(desk: Desk, sentence: str) -> None:
    assert desk.shape(desk.say(sentence)) == "files.duplicates(folder=~/Attic)"


@pytest.mark.parametrize(
    ("sentence", "call"),
    [
        ("please stop all my timers that are still running", "timers.cancel(kind=timer, many=all)"),
        ("delete all timers which are running", "timers.cancel(kind=timer, many=all)"),
        ("stop the timer that is running", "timers.cancel(kind=timer)"),
        ("lösche alle Timer, die gerade noch laufen", "timers.cancel(kind=timer, many=all)"),
        ("bitte stopp alle laufenden Timer", "timers.cancel(kind=timer, many=all)"),
        ("stop the egg timer", "timers.cancel(kind=timer, which=egg)"),
    ],
)
def test_a_timer_that_runs_is_none_of_that_name(desk: Desk, sentence: str, call: str) -> None:
    assert desk.shape(desk.say(sentence)) == call


@pytest.mark.parametrize("answer", ["a saw, a plane and some glue", "call the carpenter and then order the wood"])
def test_free_text_that_was_asked_for_may_hold_connectives(desk: Desk, answer: str) -> None:
    question = desk.say("make a note called workshop")
    assert isinstance(question, Question)
    assert desk.shape(desk.say(answer, Dialogue(pending=question))) == f"notes.create(text={answer}, title=workshop)"


def test_a_request_of_its_own_is_no_answer(desk: Desk) -> None:
    question = desk.say("make a note called workshop")
    assert isinstance(question, Question)
    proposal = desk.say("delete letter.docx", Dialogue(pending=question))
    assert desk.shape(proposal) == "files.delete(files=['~/Cellar/letter.docx'])"


def test_vectors_alone_never_lead_to_a_change(desk: Desk) -> None:
    """Hiding a file is near to deleting it, as vectors go; an encoder for which all is alike changes no decline."""

    def encode(texts: list[str]) -> np.ndarray:
        return np.ones((len(texts), 1), dtype=np.float32)

    warm = replace(desk, toolbox=desk.toolbox.with_vectors(encode))
    for sentence in ("hide letter.docx", "unlock letter.docx and melt it", "shred the letters"):
        proposal = warm.say(sentence)
        plan = proposal.draft if isinstance(proposal, Question) else proposal
        assert not isinstance(plan, Plan) or all(
            warm.toolbox.tool(task.tool).effect is EffectClass.PURE for task in plan.tasks
        )


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("mir fällt noch Butter ein, schreib das auf den Einkaufszettel",
         "notes.add(text=Butter, title=Einkaufszettel)"),
        ("I just remembered butter, put it on the shopping note", "notes.add(text=butter, title=shopping)"),
        ("Yoga am 19. März streichen",
         "calendar.remove(event=Yoga, when={'start': '2025-03-19', 'end': '2025-03-20'})"),
        ("Am Freitag kommt Oma, was ist 3 + 4?", "calc.compute(expression=3 + 4)"),
        ("Heute Abend kommen Gäste, was ist 3 + 4?", "calc.compute(expression=3 + 4)"),
        ("On Saturday there is a concert, what is Tom Berger's phone number?",
         "contacts.find(name=Tom Berger, what=phone)"),
        ("Am Freitag kommt Oma, stell einen Timer auf 10 Minuten", "timers.timer(length=600)"),
        ("Habe ich irgendwelche ungelesenen Mails?", "mail.find(what=unread)"),
        ("do I have any unread mails?", "mail.find(what=unread)"),
        ("sag mal unter welcher Nummer erreich ich eigentlich die Hausärztin",
         "contacts.find(name=Hausärztin, what=phone)"),
        ("Wie erreiche ich Jürgen Groß telefonisch?", "contacts.find(name=Jürgen Groß, what=phone)"),
        ("how can I reach Jonas by phone?", "contacts.find(name=Jonas, what=phone)"),
        ("wann ist Oma geboren", "contacts.find(name=Oma, what=birthday)"),
        ("Wie lange läuft dieser Rechner schon ohne Neustart?", "system.uptime()"),
        ("how long has this computer been up without a restart?", "system.uptime()"),
        ("Mann, wie lange läuft der Rechner schon?", "system.uptime()"),
        ("Was hat Lena Vogt mir zuletzt geschrieben?", "mail.read(sender=Lena Vogt)"),
        ("what did Lena Vogt write to me last?", "mail.read(sender=Lena Vogt)"),
    ],
)  # fmt: skip
def test_how_people_ask_in_passing(desk: Desk, sentence: str, expected: str) -> None:
    assert desk.shape(desk.say(sentence)) == expected


@pytest.mark.parametrize("sentence", ["wer hat quote.pdf geschrieben?", "write a letter to Tom", "streich die Zeile"])
def test_no_mail_is_read_and_no_appointment_taken_out(desk: Desk, sentence: str) -> None:
    assert not desk.shape(desk.say(sentence)).startswith(("mail.read(", "calendar.remove("))


@pytest.mark.parametrize(
    ("sentence", "tool"),
    [
        ("Am Freitag kommt Oma, zeig mir meine Termine", "calendar.agenda"),  # those of Friday, or all
        ("Am Freitag kommt Oma, setz Kuchen backen auf meine Aufgabenliste", "tasks.add"),  # due on Friday, or not
    ],
)
def test_a_day_that_may_be_meant_is_not_passed_over(desk: Desk, sentence: str, tool: str) -> None:
    assert desk.shape(desk.say(sentence)).partition("(")[0] != tool
