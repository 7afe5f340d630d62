"""A place says where a thing is looked for; it is never a thing of its own, and never passed over."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kernel.asking.taken import lies_elsewhere
from kernel.context.dialogue import Dialogue
from kernel.context.mind import Mind
from kernel.model import Constant, Decline, Plan, Question
from permissions.labels import USER_SAID
from tests.kernel.homes import furnish
from tests.kernel.planner import Planner

FOLDERS = (
    "Downloads/PDFs/", "Downloads/Archive/", "Downloads/Audio/", "Downloads/Bilder/", "Downloads/Videos/", "Desktop/",
    "Documents/Urlaub/", "Documents/Archive/", "Documents/Old Plans/", "Pictures/Urlaub/", "Downloads2/",
    "Musik/Alben/", "projects/webshop/node_modules/", "Downloads/contract/",
)  # fmt: skip
FILES = (
    "Downloads/a.pdf", "Downloads/setup.exe", "Downloads/PDFs/old.pdf", "Downloads/Archive/empty.txt",
    "Documents/Urlaub/list.txt", "Documents/notes.txt", "Pictures/Urlaub/beach.jpg", "Musik/Alben/x.mp3",
    "Downloads/b.pdf", "Documents/b.pdf", "Documents/Rechnung Stadtwerke März.pdf", "Documents/Invoice_2026-05.pdf",
    "Desktop/screenshot.png", "Desktop/IMG_2031.jpg", "Desktop/panorama.png",
)  # fmt: skip


@pytest.fixture(scope="module")
def trapped(mind: Mind, tmp_path_factory: pytest.TempPathFactory) -> Planner:
    """A home in which folders are called like kinds of files, like other folders, and lie in one another."""
    return Planner.knowing(mind, furnish(tmp_path_factory.mktemp("trapped"), [*FOLDERS, *FILES]))


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("delete the PDFs folder in Downloads", "files.delete_folder(folders=['~/Downloads/PDFs'])"),
        ("delete folder PDFs from Downloads", "files.delete_folder(folders=['~/Downloads/PDFs'])"),
        ("delete Urlaub from Documents", "files.delete_folder(folders=['~/Documents/Urlaub'])"),
        ("trash the Audio folder in Downloads please", "files.delete_folder(folders=['~/Downloads/Audio'])"),
        ("delete the Archive folder in Documents", "files.delete_folder(folders=['~/Documents/Archive'])"),
        ("lösche den Ordner Alben in Musik", "files.delete_folder(folders=['~/Musik/Alben'])"),
        ("lösche den Ordner Alben im Musik-Ordner", "files.delete_folder(folders=['~/Musik/Alben'])"),
        ("delete setup.exe from Downloads", "files.delete(files=['~/Downloads/setup.exe'])"),
        ("delete b.pdf in Documents", "files.delete(files=['~/Documents/b.pdf'])"),
        ("delete all PDFs in Downloads", "files.find(folder=~/Downloads, kind=pdf); files.delete(files=<t1>)"),
        ("delete all PDFs in Downloads2", "files.find(folder=~/Downloads2, kind=pdf); files.delete(files=<t1>)"),
        ("lösche alle PDFs in Downloads", "files.find(folder=~/Downloads, kind=pdf); files.delete(files=<t1>)"),
        ("lösche alle Bilder in Downloads", "files.find(folder=~/Downloads, kind=image); files.delete(files=<t1>)"),
        (
            "lösche alle Videos im Downloads-Ordner",
            "files.find(folder=~/Downloads, kind=video); files.delete(files=<t1>)",
        ),
        ("move Urlaub from Documents to Desktop", "files.move_folder(folders=['~/Documents/Urlaub'], to=~/Desktop)"),
        (
            "copy the Urlaub folder from Pictures to Desktop",
            "files.copy_folder(folders=['~/Pictures/Urlaub'], to=~/Desktop)",
        ),
        (
            "delete the PDFs and Audio folders in Downloads",
            "files.delete_folder(folders=['~/Downloads/PDFs', '~/Downloads/Audio'])",
        ),
        (
            "delete node_modules in projects/webshop",
            "files.delete_folder(folders=['~/projects/webshop/node_modules'])",
        ),
    ],
)
def test_a_place_narrows_where_the_thing_is(trapped: Planner, sentence: str, expected: str) -> None:
    assert trapped.shape(trapped.say(sentence)) == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "delete the PDFs folder in Documents",
        "delete setup.exe from Documents",
        "delete Urlaub from Downloads",
        "lösche den Ordner Alben in Documents",
    ],
)
def test_a_place_that_does_not_hold_the_thing_is_named(trapped: Planner, sentence: str) -> None:
    question = trapped.say(sentence)
    assert isinstance(question, Question)
    assert question.parameter in ("files", "folders")
    assert sentence.rsplit(maxsplit=1)[-1] in question.text  # the place


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (
            "what is the total of the Stadtwerke bill",
            "documents.value(file=~/Documents/Rechnung Stadtwerke März.pdf, name=total)",
        ),
        (
            "Wie hoch ist der Gesamtbetrag der Rechnung Stadtwerke?",
            "documents.value(file=~/Documents/Rechnung Stadtwerke März.pdf, name=Gesamtbetrag)",
        ),
        (
            "kopiere die Rechnung Stadtwerke auf den Desktop",
            "files.copy(files=['~/Documents/Rechnung Stadtwerke März.pdf'], to=~/Desktop)",
        ),
    ],
)
def test_a_part_of_a_name_that_one_file_has_names_it_also_after_another_file(
    trapped: Planner, sentence: str, expected: str
) -> None:
    assert trapped.shape(trapped.say(sentence)) == expected
    before = trapped.say("what is the total in Invoice_2026-05.pdf")
    assert isinstance(before, Plan)
    assert trapped.shape(trapped.say(sentence, trapped.after(before, t1={"total": 3}))) == expected


@pytest.mark.parametrize("sentence", ["delete the Stadtwerke bill", "move the Rechnung Stadtwerke to Desktop"])
def test_nothing_is_taken_away_by_a_part_of_its_name(trapped: Planner, sentence: str) -> None:
    proposal = trapped.say(sentence)
    assert not isinstance(proposal, Plan)
    assert not isinstance(proposal, Question) or "Stadtwerke März" not in trapped.shape(proposal.draft)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("rename IMG_2031.jpg to beach.jpg", "files.rename(file=~/Desktop/IMG_2031.jpg, name=beach.jpg)"),
        (
            "rename the panorama to panorama november",
            "files.rename(file=~/Desktop/panorama.png, name=panorama november)",
        ),
    ],
)
def test_a_clear_renaming_is_not_asked_about(trapped: Planner, sentence: str, expected: str) -> None:
    assert trapped.shape(trapped.say(sentence)) == expected


def test_a_name_that_is_also_what_a_tool_makes_is_offered(trapped: Planner) -> None:
    """A screenshot is also what is taken of the screen."""
    question = trapped.say("rename the screenshot to screen november")
    assert isinstance(question, Question)
    assert trapped.shape(question.draft) == "files.rename(file=~/Desktop/screenshot.png, name=screen november)"


@pytest.mark.parametrize("sentence", ["delete PDFs in Downloads", "move PDFs from Downloads to Desktop"])
def test_a_name_that_is_also_a_kind_is_asked_about(trapped: Planner, sentence: str) -> None:
    question = trapped.say(sentence)
    assert isinstance(question, Question)
    assert len(question.choices) == 2


def test_a_name_in_a_list_that_two_things_have_is_asked_about(trapped: Planner) -> None:
    question = trapped.say("delete b.pdf and setup.exe")
    assert isinstance(question, Question)
    assert len(question.values) == 2


@pytest.mark.parametrize(
    "sentence", ["copy the files in Work to Desktop, I don't need pdfs", "i dont need pdfs", "ich brauche keine PDFs"]
)
def test_what_somebody_has_no_use_for_is_not_taken_away(planner: Planner, sentence: str) -> None:
    plan = planner.say(sentence)
    assert not isinstance(plan, Plan) or "delete" not in planner.shape(plan)


@pytest.mark.parametrize(
    "sentence",
    [
        "delete the smudged files in Downloads",
        "delete the blurry Alben folder",
        "delete everything in Downloads without the Archive folder",
        "delete the dusty folders in Downloads",
        "delete only the old stuff in Downloads",
        "empty the trash",
        "clear the trash",
        "leere den Papierkorb",
        "empty my downloads folder",
    ],
)
def test_what_is_half_understood_is_never_offered_for_deletion(trapped: Planner, sentence: str) -> None:
    assert isinstance(trapped.say(sentence), Decline)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("make a folder called Archive in Documents", "files.make_folder(folder=~/Documents, name=Archive)"),
        ("make a folder called Urlaub in Musik", "files.make_folder(folder=~/Musik, name=Urlaub)"),
        ("create a folder named Alben in Documents", "files.make_folder(folder=~/Documents, name=Alben)"),
        ("create a folder Urlaub in Musik", "files.make_folder(folder=~/Musik, name=Urlaub)"),
        ("new folder called Videos on my desktop", "files.make_folder(folder=~/Desktop, name=Videos)"),
        ("create a new folder PDFs in Documents", "files.make_folder(folder=~/Documents, name=PDFs)"),
        ("leg einen Ordner Alben in Documents an", "files.make_folder(folder=~/Documents, name=Alben)"),
        ("erstelle einen Ordner namens Archive in Musik", "files.make_folder(folder=~/Musik, name=Archive)"),
        ("mach einen neuen Ordner Urlaub auf dem Desktop", "files.make_folder(folder=~/Desktop, name=Urlaub)"),
    ],
)
def test_a_folder_that_is_asked_for_is_made_though_another_has_its_name(
    trapped: Planner, sentence: str, expected: str
) -> None:
    assert trapped.shape(trapped.say(sentence)) == expected


_VERBS = ("delete", "trash", "move", "get rid of", "rename", "lösche", "remove")
_THINGS = (
    "PDFs", "the PDFs folder", "Urlaub", "all pictures", "a.pdf", "the Archive folder", "empty", "Old Plans",
    "everything", "setup.exe and b.pdf", "PDFs and Audio", "alle Bilder", "den Ordner Alben", "contract",
)  # fmt: skip
_PLACES = ("Downloads", "Documents", "Musik", "Pictures", "Downloads2", "projects/webshop", "my Downloads folder")
_LEADS = ("in", "from", "inside", "im", "aus", "under")
_TAILS = ("", " to Desktop", " please", " except PDFs", " nach Desktop")


def _taken(planner: Planner, plan: Plan) -> Iterator[tuple[str, list[str]]]:
    """What each task of a plan would take away, by paths that the sentence itself gives."""
    for task in plan.tasks:
        profile = planner.toolbox.profile(task.tool, plan.language)
        for name, value in task.arguments.items():
            if isinstance(value, Constant) and profile.removes(name):
                held = value.value if isinstance(value.value, list) else [value.value]
                yield task.tool, [str(one).replace(planner.home, "~") for one in held]


@pytest.mark.slow
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.sampled_from(_VERBS),
    st.sampled_from(_THINGS),
    st.sampled_from(_LEADS),
    st.sampled_from(_PLACES),
    st.sampled_from(_TAILS),
)
def test_no_plan_takes_away_a_place_or_a_thing_and_what_holds_it(
    trapped: Planner, verb: str, thing: str, lead: str, place: str, tail: str
) -> None:
    proposal = trapped.say(f"{verb} {thing} {lead} {place}{tail}")
    plans = [proposal] if isinstance(proposal, Plan) else []
    if isinstance(proposal, Question) and proposal.values:
        plans = [proposal.draft]
    named = "~/" + place.replace("my ", "").replace(" folder", "")
    for plan in plans:
        for _, paths in _taken(trapped, plan):
            assert named not in paths
            assert not any(other.startswith(one + "/") for one in paths for other in paths)


@pytest.mark.parametrize(
    "sentence",
    [
        "delete PDFs older than 30 days and images in Downloads",
        "delete every pdf but the newest in Downloads",
        "delete every picture but IMG_2031.jpg in Pictures",
        "move every pdf but the newest in Downloads to Documents",
        "lösche jedes PDF bis auf das neueste in Downloads",
        "delete everything but the PDFs in Downloads",
    ],
)
def test_what_goes_is_never_wider_than_what_was_said(trapped: Planner, sentence: str) -> None:
    assert isinstance(trapped.say(sentence), Decline)


@pytest.mark.parametrize(
    ("sentence", "kinds"),
    [
        ("delete images and documents in Downloads", ["image", "document"]),
        ("delete each zip or mp3 in Downloads", ["archive", "audio"]),
        ("lösche alle PDFs und Bilder aus Downloads", ["pdf", "image"]),
    ],
)
def test_of_two_kinds_the_one_that_is_picked_goes_from_the_place(
    trapped: Planner, sentence: str, kinds: list[str]
) -> None:
    question = trapped.say(sentence)
    assert isinstance(question, Question)
    for number, kind in enumerate(kinds, 1):
        expected = f"files.find(folder=~/Downloads, kind={kind}); files.delete(files=<t1>)"
        assert trapped.shape(trapped.say(str(number), Dialogue(pending=question))) == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "delete old files in Downloads",
        "delete the oldest files in Downloads",
        "delete the big files in Downloads",
        "lösche die großen Dateien in Downloads",
        "show the smallest files in Downloads and delete them",
    ],
)
def test_an_order_without_a_number_is_asked_about_before_things_go(trapped: Planner, sentence: str) -> None:
    question = trapped.say(sentence)
    assert isinstance(question, Question)
    assert question.parameter == "count"
    plan = trapped.say("3", Dialogue(pending=question))
    assert isinstance(plan, Plan)
    assert "count=3" in trapped.shape(plan)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("delete the oldest file in Downloads", "files.find(count=1, folder=~/Downloads, order=oldest)"),
        (
            "delete the 3 oldest pdfs from my Downloads",
            "files.find(count=3, folder=~/Downloads, kind=pdf, order=oldest)",
        ),
        ("delete documents in Downloads", "files.find(folder=~/Downloads, kind=document)"),
        ("delete all videos in the Videos folder", "files.find(folder=~/Downloads/Videos, kind=video)"),
    ],
)
def test_what_is_said_narrowly_is_done(trapped: Planner, sentence: str, expected: str) -> None:
    assert trapped.shape(trapped.say(sentence)) == f"{expected}; files.delete(files=<t1>)"


@pytest.mark.parametrize(("sentence", "answer"), [("delete the pictures folder in Downloads", "Downloads")])
def test_the_place_is_no_answer_to_what_is_to_go(trapped: Planner, sentence: str, answer: str) -> None:
    question = trapped.say(sentence)
    assert isinstance(question, Question)
    again = trapped.say(answer, Dialogue(pending=question))
    assert isinstance(again, Question)


@pytest.mark.parametrize(
    ("sentence", "other"),
    [("lösche die Ordner Urlaub und Pictures", "Documents/Urlaub"),
     ("delete the folder Archive and the folder Downloads", "Documents/Archive")],
)  # fmt: skip
def test_an_answer_takes_no_folder_and_what_is_in_it(trapped: Planner, sentence: str, other: str) -> None:
    question = trapped.say(sentence)
    assert isinstance(question, Question)
    for number, choice in enumerate(question.choices, 1):
        answered = trapped.say(str(number), Dialogue(pending=question))
        assert isinstance(answered, Plan if other in choice else Decline), choice


@pytest.mark.parametrize("place", ["in hive", "in Plan", "im Ordner load"])
def test_a_part_of_a_name_is_not_the_place(trapped: Planner, place: str) -> None:
    folder = Constant(f"{trapped.home}/Documents/Archive", USER_SAID, f"Archive {place}")
    assert lies_elsewhere(folder)
    assert not lies_elsewhere(replace(folder, text="Archive in document"))


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("find IMG_2031.jpg", "files.find(name=IMG_2031.jpg)"),
        ("find the file IMG_2031.jpg", "files.find(name=IMG_2031.jpg)"),
        ("find photo1.jpg", "files.find(name=photo1.jpg)"),
        ("where is setup.exe", "files.find(name=setup.exe)"),
        ("where is nowhere.exe?", "files.find(name=nowhere.exe)"),
        ("where's my nowhere.docx", "files.find(name=nowhere.docx)"),
        ("do I have nowhere.pdf", "files.find(name=nowhere.pdf)"),
        ("look for nowhere.pdf in Work", "files.find(folder=~/Work, name=nowhere.pdf)"),
        ("wo liegt rechnung.pdf", "files.find(name=rechnung.pdf)"),
        ("wo ist setup.exe?", "files.find(name=setup.exe)"),
        ("suche rechnung.pdf", "files.find(name=rechnung.pdf)"),
        ("gibt es rechnung.pdf?", "files.find(name=rechnung.pdf)"),
    ],
)
def test_a_file_s_name_is_looked_for_where_it_is_asked_for(planner: Planner, sentence: str, expected: str) -> None:
    assert planner.shape(planner.say(sentence)) == expected


@pytest.mark.parametrize("sentence", ["read nowhere.pdf", "delete nowhere.pdf", "move nowhere.pdf to Archive"])
def test_what_is_worked_on_must_be_there(planner: Planner, sentence: str) -> None:
    assert isinstance(planner.say(sentence), Question)
