"""What is told beside a request never widens what is done: conditions, places, corrections, names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kernel.context.dialogue import Dialogue
from kernel.context.mind import Mind
from kernel.language.excepting import excepting
from kernel.model import ConversationId, FromTask, Plan, Proposal, Question, Utterance
from kernel.planning.proposing import proposed
from kernel.recommend import recommend
from skills.model import EffectClass
from tests.kernel.planner import NOW

if TYPE_CHECKING:
    from tests.kernel.planner import Planner


def _said(planner: Planner, text: str) -> Proposal:
    mind, intent = Mind(planner.lexicon, planner.toolbox), planner.intent(text)
    utterance = Utterance(text, ConversationId("c"), planner.home, planner.home, NOW)
    dialogue = Dialogue(home=planner.home, world=planner.world)
    return proposed(utterance, intent, recommend(intent, planner.toolbox), mind, dialogue, "")


def _changes_nothing(planner: Planner, text: str) -> None:
    plan = _said(planner, text)
    assert not isinstance(plan, Plan) or all(
        planner.toolbox.tool(task.tool).effect is EffectClass.PURE for task in plan.tasks
    ), planner.shape(plan)


@pytest.mark.parametrize(
    "text",
    [
        "Delete all pdfs in Downloads, if they are big, please",
        "Move all pdfs in Downloads, if they are big, to Archive",
        "Verschieb alle PDFs in Downloads, wenn sie groß sind, nach Archive",
        "Move all pdfs, when you have copied them, to Archive",
        "Copy all files in Downloads, the ones that I want to keep, to Archive",
        "Delete all files in Downloads, those are old ones, please",
        "Delete all files in Downloads, the ones that I want to lose, now",
        "Move all files in Downloads, the ones I need, to Archive",
        "Copy all pdfs that I like to Archive",
        "Delete all files in Downloads I no longer need",
        "Lösch alle Dateien in Downloads, die ich nicht mehr brauche",
        "Verschieb alle Dateien in Downloads, die ich brauche, nach Archive",
        "Lösch alle Bilder, die ich nicht behalten will",
        "delete the pdfs in Downloads, no wait, the pngs",
        "Delete the notes in Documents, I mean the photos",
        "delete every pdf in Downloads, I mean every zip",
        "lösch alle PDFs in Downloads, nee, alle ZIPs",
        "delete the drafts, no wait, the drafts should stay",
        "copy the file report.pdf to Archive, I mean the Archive in Documents",
        "delete the pdfs, they should be in Downloads",
        "Delete the photos, they should all be in Pictures/Holiday",
        "Lösch die PDFs, die müssten in Downloads liegen",
        "Create a folder Taxes, it should be in Documents",
    ],
)
def test_nothing_is_changed_by_a_reading_that_passes_over_a_limit(planner: Planner, text: str) -> None:
    _changes_nothing(planner, text)


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("what is 84 divided by four, no wait, divided by six", "calc.compute(expression=84 / 6)"),
        ("a.pdf is in Downloads, delete it", "files.delete(files=~/Downloads/a.pdf)"),
        ("create a folder titled Oh Happy Day", "files.make_folder(name=Oh Happy Day)"),
        ("delete a.pdf in Downloads, I don't need it any more", "files.delete(files=['~/Downloads/a.pdf'])"),
        ("Lösch setup.exe, die ich nicht mehr brauche", "files.delete(files=['~/Downloads/setup.exe'])"),
        ("lösch setup.exe, die brauche ich nicht mehr", "files.delete(files=['~/Downloads/setup.exe'])"),
        ("oh what is 17% of 230", "calc.compute(expression=17 % of 230)"),
    ],
)
def test_what_only_surrounds_a_request_is_passed_over(planner: Planner, text: str, shape: str) -> None:
    assert planner.shape(_said(planner, text)) == shape


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("what is 12 percent of 340, my phone is dead", "what is 12 percent of 340"),
        ("what is 12 percent of 340, the waiter is waiting", "what is 12 percent of 340"),
        ("copy thesis.pdf to Desktop, I'll take it to the printer tomorrow", "copy thesis.pdf to Desktop"),
        ("copy thesis.pdf to Desktop i keep forgetting to do that", "copy thesis.pdf to Desktop"),
        ("move a.pdf to Archive i never liked it there", "move a.pdf to Archive"),
        ("read me thesis.pdf i've got my hands full", "read me thesis.pdf"),
        ("delete old.zip, I haven't used it in years", "delete old.zip"),
        ("convert 5 miles to km, my watch only shows miles", "convert 5 miles to km"),
        ("how many pages does report.pdf have? My aunt intends to print one", "how many pages does report.pdf have"),
        ("verschieb a.pdf nach Archive das stört mich da", "verschieb a.pdf nach Archive"),
        ("kopier thesis.pdf nach Desktop, den brauche ich morgen in der Stadt", "kopier thesis.pdf nach Desktop"),
        ("lösch old.zip das hab ich ewig nicht mehr gebraucht", "lösch old.zip"),
        ("was ist 12 prozent von 340, meine Uhr geht nach", "was ist 12 prozent von 340"),
        ("recipe's american again. 350 fahrenheit is what in celsius", "350 fahrenheit is what in celsius"),
        ("what's on tomorrow? friends coming over", "what's on tomorrow"),
        ("thinking of quitting my job... what is 12 percent of 340", "what is 12 percent of 340"),
        ("ok quick morning look, what tasks do I have", "what tasks do I have"),
        ("was steht heute an? gäste kommen noch vorbei", "was steht heute an"),
        ("delete old.zip, need the space", "delete old.zip"),
        ("i need 3 pounds of flour for the cake, how many grams is that", "how many grams is 3 pounds"),
        ("i need 14 yards of linen for the window seat what is that in metres", "what is 14 yards in metres"),
        ("ich brauch 3 pfund mehl für den kuchen wie viel gramm sind das", "wie viel gramm sind 3 pfund"),
    ],
)  # fmt: skip
def test_a_statement_is_passed_over_whatever_it_is_about(planner: Planner, text: str, plain: str) -> None:
    plan = _said(planner, plain)
    assert isinstance(plan, Plan), plan
    found = _said(planner, text)
    assert [task.tool for task in found.tasks] == [task.tool for task in plan.tasks] if isinstance(found, Plan) else 0
    assert planner.shape(found).replace("[", "").replace("]", "") == planner.shape(plan).replace("[", "").replace(
        "]", ""
    )


@pytest.mark.parametrize(
    "text",
    [
        "delete the pdfs in Downloads, I still need b.pdf",
        "delete the pdfs in Downloads, I want to keep them",
        "delete old.zip, we are not allowed to lose it",
        "lösch die PDFs in Downloads, ich brauche b.pdf noch",
        "delete the pdfs, I changed them yesterday",
        "find the pdfs, I changed them yesterday",
        "delete all files in Downloads i just downloaded",
        "move the pdfs in Downloads to Archive, they are from last year",
        "make a folder, it is called Winter, no",
        "delete my notes, the ones about Rome are enough",
    ],
)
def test_a_statement_that_may_limit_what_is_done_is_not(planner: Planner, text: str) -> None:
    plan = _said(planner, text)
    assert not isinstance(plan, Plan) or all(
        planner.toolbox.tool(task.tool).effect is EffectClass.PURE and "modified" in task.arguments
        for task in plan.tasks
    ), planner.shape(plan)


@pytest.mark.parametrize(
    "text",
    [
        "wardrobes are full again. delete old.zip",
        "move a.pdf to Archive. the small ones",
        "friends coming over tomorrow, delete the pdfs in Downloads",
        "friends coming over. delete the pdfs in Downloads",
    ],
)
def test_what_says_nothing_of_a_question_may_say_something_of_a_change(planner: Planner, text: str) -> None:
    _changes_nothing(planner, text)


@pytest.mark.parametrize("text", ["mails are unread. show me my mails", "tasks are overdue. show me my tasks"])
def test_what_says_which_ones_is_no_chatter(planner: Planner, text: str) -> None:
    plan = _said(planner, text)
    assert not isinstance(plan, Plan) or {"what", "which"} & plan.tasks[0].arguments.keys(), planner.shape(plan)


@pytest.mark.parametrize(
    "text",
    [
        "delete the pdfs in Downloads, I have read half of them",
        "delete the pdfs in Downloads, I have most of them on paper",
        "move the pdfs in Downloads to Archive, my mother likes some of them",
        "delete the pdfs in Downloads, I have read the first two",
        "lösch die PDFs in Downloads, ich habe die Hälfte gelesen",
        "lösch die PDFs in Downloads, ich hab ein paar davon gelesen",
        "lösch die PDFs in Downloads, meine Frau hat die kleinen",
        "delete everything in Downloads, my thesis is in there somewhere",
        "lösch alles in Downloads, da ist meine Masterarbeit drin",
        "lösch alles in Downloads, meine Masterarbeit liegt da auch",
        "lösch die PDFs in Downloads, da sind Rechnungen dabei",
        "delete old.zip, it belongs to my sister",
        "delete old.zip, I forgot to copy it",
        "delete old.zip, I'm sending it to Sarah before",
        "delete old.zip, I was joking",
        "delete old.zip, I'll do it myself",
        "delete old.zip, I am not so sure any more",
        "move old.zip to Archive, I was told to leave it",
        "delete thesis.pdf, my website uses the thesis",
        "delete old.zip, my sister decides",
        "lösch old.zip, meine Schwester ist dagegen",
        "lösch old.zip, die gehört meiner Schwester",
        "lösch old.zip, meine Schwester liest die noch",
        "lösch old.zip, ich bin mir unsicher",
        "lösch old.zip, ich hab es mir anders überlegt",
        "lösch old.zip, ich mache das selbst",
        "lösch old.zip, da wartet Oma drauf",
        "lösch old.zip, morgen braucht Oma sie",
    ],
)
def test_what_is_told_of_the_things_themselves_keeps_them(planner: Planner, text: str) -> None:
    _changes_nothing(planner, text)
    plain = _said(planner, text.partition(",")[0])
    assert isinstance(plain, Plan)  # and not only because nothing is understood


@pytest.mark.parametrize(
    "text",
    [
        "lösch alle PDFs in Downloads bis auf b.pdf",
        "lösch die PDFs in Downloads bis auf zwei",
        "lösch die PDFs in Downloads bis auf 3 Dateien",
        "once I have called Anna, tick that off",
        "if I have called Anna, tick that off",
        "I almost called Anna, tick that off",
        "sobald ich den Pass verlängert habe, hak das ab",
        "wenn Anna anrufen erledigt ist, hak ab",
        "lösch alle PDFs in Downloads, bis auf die Rechnung",
        "verschieb alle PDFs in Downloads bis auf b.pdf nach Archive",
        "lösch alle PDFs in Downloads mit Ausnahme von b.pdf",
        "lösch alle PDFs in Downloads abzüglich b.pdf",
        "delete all pdfs in Downloads minus b.pdf",
        "delete all pdfs in Downloads save b.pdf",
        "delete all pdfs in Downloads, sparing b.pdf",
        "delete all pdfs in Downloads and spare b.pdf",
        "delete all pdfs in Downloads, keep b.pdf",
        "delete all pdfs in Downloads. Keep b.pdf.",
        "delete all pdfs in Downloads, skip b.pdf",
        "delete all pdfs in Downloads, leave b.pdf",
        "move all pdfs in Downloads to Archive, leave b.pdf",
        "move all pdfs in Downloads to Archive, keep b.pdf",
        "lösch alle PDFs in Downloads, lass b.pdf da",
        "lösch alle PDFs in Downloads, aber lass b.pdf",
        "lösch alle PDFs in Downloads, verschone b.pdf",
        "lösch alle PDFs in Downloads, ignoriere b.pdf",
    ],
)
def test_what_is_left_out_is_no_name_and_no_place(planner: Planner, text: str) -> None:
    _changes_nothing(planner, text)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("delete old.zip, it's just a copy", "delete old.zip"),
        ("delete old.zip, I've already printed it", "delete old.zip"),
        ("delete the pdfs in Downloads, I have them on a stick", "delete the pdfs in Downloads"),
        ("delete the pdfs in Downloads, my disk is almost full", "delete the pdfs in Downloads"),
        ("lösch old.zip, das ist Müll", "lösch old.zip"),
        ("lösch old.zip, ich habe sie schon gedruckt", "lösch old.zip"),
        ("move old.zip to Archive, I need it there", "move old.zip to Archive"),
        ("copy old.zip to Archive, my sister likes the other format", "copy old.zip to Archive"),
    ],
)
def test_what_says_that_a_thing_is_done_with_keeps_nothing(planner: Planner, text: str, plain: str) -> None:
    found, said = _said(planner, plain), _said(planner, text)
    assert isinstance(found, Plan), found
    assert isinstance(said, Plan), said
    assert planner.shape(said).replace("[", "").replace("]", "") == planner.shape(found).replace("[", "").replace(
        "]", ""
    )


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("mail Anna that I am late, no wait, don't", "mail Anna that I am late"),
        ("send Anna a mail saying I'm ill, but don't send it yet", "send Anna a mail saying I'm ill"),
        ("send Anna a mail saying I'm ill, I'll send it myself", "send Anna a mail saying I'm ill"),
        ("add a task to buy milk, no, don't", "add a task to buy milk"),
        ("add a task to buy milk, forget it", "add a task to buy milk"),
        ("neue Aufgabe Milch kaufen, nein, doch nicht", "neue Aufgabe Milch kaufen"),
    ],
)
def test_a_text_that_ends_in_calling_the_deed_off_is_not_sent(planner: Planner, text: str, plain: str) -> None:
    _changes_nothing(planner, text)
    assert isinstance(_said(planner, plain), Plan)


@pytest.mark.parametrize(
    "text", ["I left soup out, don't eat it", "are you coming or not", "I'll bring it myself", "he said no"]
)
def test_what_a_text_forbids_somebody_else_belongs_to_it(planner: Planner, text: str) -> None:
    plan = _said(planner, f"send Anna a mail saying {text}")
    assert isinstance(plan, Plan), plan
    assert text in planner.shape(plan)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("lösch alle PDFs bis auf b.pdf", ["bis", "auf"]),
        ("runde 3,14159 bis auf zwei Stellen", []),
        ("delete the pdfs save b.pdf", ["save"]),
        ("save b.pdf", []),
        ("what is 12 minus 5", []),
    ],
)
def test_an_exception_is_known_by_what_stands_behind_it(planner: Planner, text: str, words: list[str]) -> None:
    intent = planner.intent(text)
    assert [intent.tokens[at].norm for at in sorted(excepting(intent.tokens, intent.spans))] == words


def test_the_name_of_a_file_alone_is_the_file_and_not_what_it_says(planner: Planner) -> None:
    plan = _said(planner, "copy thesis.pdf")
    assert not isinstance(plan, Plan) or [task.tool for task in plan.tasks] == ["files.copy"], plan


def test_that_is_the_day_that_was_worked_out_and_not_the_one_it_was_counted_from(planner: Planner) -> None:
    plan = _said(planner, "what date is 15 working days from today, and what weekday is that")
    assert isinstance(plan, Plan)
    first, second = plan.tasks
    assert second.arguments["date"] == FromTask(first.id, "date")


def test_a_change_that_is_understood_without_what_is_said_in_passing_is_asked_about(planner: Planner) -> None:
    asked = _said(
        planner, "Please rename report.pdf, which my dear old grandson wrote in bits and pieces, to summary.pdf."
    )
    assert isinstance(asked, Question), asked
    assert [task.tool for task in asked.draft.tasks] == ["files.rename"]
    assert asked.values[-1] is None


@pytest.mark.parametrize("text", ["Delete all pdfs in Downloads, which my dear old grandson wrote in bits, please"])
def test_what_goes_is_not_asked_about_where_the_words_in_passing_may_say_which(planner: Planner, text: str) -> None:
    asked = _said(planner, text)
    assert not isinstance(asked, Plan)
    assert not (isinstance(asked, Question) and "files.delete" in str(asked.values))
