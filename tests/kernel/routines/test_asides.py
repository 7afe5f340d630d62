"""What is said around a rule and asks for nothing is left out of its request; what may ask for something stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from kernel.context.mind import Mind
from kernel.context.world import HomeWorld
from kernel.interpret import read
from kernel.model import ConversationId, Utterance
from kernel.routines.hearing import Heard, left_of
from kernel.routines.hearing.asides import without_asides
from kernel.routines.hearing.clock import hear_clock
from kernel.routines.hearing.happenings import hear_happening
from kernel.routines.hearing.opening import begins_again, begins_when
from kernel.routines.model import About
from tests.kernel.homes import furnish
from tests.kernel.routines.conftest import Desk
from tests.kernel.routines.test_hearing_happenings import NOW

HOME = ["Backup/", "Contacts/", "Documents/", "Downloads/report.pdf", "Music/", "Notes/People.md", "Scans/"]

ASIDES = [
    ("My landlord keeps sending me bills. I'd like this: whenever a mail from Vogt arrives, show me a notice. Cheers!",
     "show me a notice"),
    ("So at work they mail it round whenever it suits them. What I'd love: when a mail comes in with shift plan in the "
     "subject, save the attachment in Documents. Thanks a million!", "save the attachment in Documents"),
    ("Look, I always forget to charge this thing. When the battery drops below 20 percent, show me a notice.",
     "show me a notice"),
    ("Here's the thing: I lose files all the time. Whenever a PDF lands in Downloads, copy it to Backup, so that I "
     "have it twice.", "copy it to Backup"),
    ("My kids fill my disk. As soon as there's less than 10 GB free, tell me the biggest files, if you don't mind.",
     "tell me the biggest files"),
    ("Would you please open Music every time a mail from Lena arrives? She's in a band.",
     "Would you please open Music"),
    ("I'd like you to read me my tasks every day at 7 pm, since I never look myself.",
     "I'd like you to read me my tasks"),
    ("Every day at 8 show me the tasks that are due, it is my routine.", "show me the tasks that are due"),
    ("Unser Internet spinnt und der Anbieter glaubt mir kein Wort. Sobald das Netz weg ist, zeig mir deshalb einen "
     "Hinweis.", "zeig mir einen Hinweis"),
    ("Ich verlier ständig den Überblick. Deshalb zeig mir jeden Abend um acht meine offenen Aufgaben.",
     "zeig mir meine offenen Aufgaben"),
    ("Mein Chef schickt dauernd Mails. Könntest du, wenn eine Mail von Vogt kommt, sie mir bitte vorlesen?",
     "Könntest du sie mir bitte vorlesen"),
    ("Ich hätte gern jedes Mal einen Hinweis, wenn eine PDF in Downloads landet.", "Ich hätte gern einen Hinweis"),
    ("I keep missing things, so please show me my open tasks every weekday at 8, would you?",
     "please show me my open tasks"),
    ("Lies mir jeden Morgen um sieben meine Termine vor, ich komm sonst nicht aus dem Bett.",
     "Lies mir meine Termine vor"),
    ("Wenn der Lader raus ist, zeig mir den Akkustand, des is ma nämlich wichtig.", "zeig mir den Akkustand"),
    ("Zeig mir immer zwei Stunden vor einem Flug einen Hinweis.", "Zeig mir einen Hinweis"),
    ("Wenn a Mail vo da Lena kimmt, zeig mir an Hinweis, gell.", "zeig mir an Hinweis"),
    ("Sag mir bitte jeden Sonntag um 18 Uhr, wie spät es in Vancouver ist, da wohnt nämlich meine Tochter.",
     "Sag mir bitte, wie spät es in Vancouver ist"),
    ("Wenn der Akku unter 20 Prozent fällt, zeig mir einen Hinweis, sonst steh ich wieder blöd da.",
     "zeig mir einen Hinweis"),
    ("Folgendes: Sobald in Scans ein PDF liegt, lies es mir vor. Danke dir!", "lies es mir vor"),
    ("Need to keep an eye on the bills. First Monday of the month, six in the evening: show me my open tasks",
     "show me my open tasks"),
    ("Muss mal Ordnung rein. Immer wenn eine neue Datei in Downloads landet, zeig mir ihren Namen",
     "zeig mir ihren Namen"),
    ("Ich verschlafe ständig. Jeden Morgen um halb sieben zeig mir meine Termine", "zeig mir meine Termine"),
    ("Mein Gedächtnis ist ein Sieb, also: jeden Freitag um vier zeig mir meine offenen Aufgaben",
     "zeig mir meine offenen Aufgaben"),
    ("keep me posted pls: whenever a mail from Lena comes, show me a notice", "show me a notice"),
    ("Tu mir den Gefallen: wenn eine Mail von Lena kommt, zeig mir einen Hinweis", "zeig mir einen Hinweis"),
    ("Should anything ever vanish from Documents, heaven forbid, show me a notice", "show me a notice"),
    ("Verschwindet mal was aus Documents, Gott bewahre, zeig mir einen Hinweis", "zeig mir einen Hinweis"),
    ("Whenever something is moved into Documents, show me its name. Only things that get moved in, not ones that are "
     "created there.", "show me its name"),
    ("wenn etwas nach Documents verschoben wird, zeig mir den Namen, was da neu angelegt wird, zählt nicht",
     "zeig mir den Namen"),
    ("Every evening at six show me what is due tomorrow, if anything. Otherwise keep quiet.",
     "show me what is due tomorrow, if anything"),
    ("When a mail from Vogt comes in show me a notice, anyone else can wait", "show me a notice"),
    ("Kommt eine Mail von Vogt, zeig mir einen Hinweis; alle anderen können warten.", "zeig mir einen Hinweis"),
    ("jeden mittwoch um sieben bis ende juni, dann ist die oma wieder auf den beinen: zeig mir meine offenen aufgaben",
     "zeig mir meine offenen aufgaben"),
    ("every weekday at 7 bar thursdays cause that's when I'm at mum's: show me my open tasks", "show me my open tasks"),
    ("every weekday at 7 bar thursdays cause thats when im at mums: show me my open tasks", "show me my open tasks"),
    ("Whenever the webhook kiln is called, show me a notice, unless it's later than ten at night or not yet seven in "
     "the morning: then let me sleep.", "show me a notice"),
    ("Pass auf, ich vergess das immer: Wenn das Ladekabel rausgezogen wird, zeig mir einen Hinweis, ja?",
     "zeig mir einen Hinweis"),
]  # fmt: skip
NO_ASIDES = [
    ("Whenever something is created in Documents, show me its name. Only things that get moved in.",
     "show me its name. Only things that get moved in"),
    ("Every evening at six show me what is due tomorrow. Otherwise keep quiet.",
     "show me what is due tomorrow. Otherwise keep quiet"),
    ("Every evening at six show me what is due. If not, keep quiet.", "show me what is due. If not, keep quiet"),
    ("When a file lands in Downloads, show me its name, the others can wait", "show me its name, the others can wait"),
    ("When a mail from Vogt comes in, show me a notice, the little ones i couldn't care less about",
     "show me a notice, the little ones i couldn't care less about"),
    ("When the battery is under 10 %, show me a notice. Then let me sleep.", "show me a notice. Then let me sleep"),
    ("Whenever a PDF lands in Downloads, tell me its name. It should stand in a notice.",
     "tell me its name. It should stand in a notice"),
    ("Copy report.pdf to Backup. When the battery is under 10 %, show me a notice.",
     "Copy report.pdf to Backup., show me a notice"),
    ("I need a note called Log. When the battery is under 10 %, show me a notice.",
     "I need a note called Log., show me a notice"),
    ("Show me my open tasks every day at 8. Do not show the done ones.",
     "Show me my open tasks. Do not show the done ones"),
    ("Every day at 8 show me my open tasks. I want only the urgent ones.",
     "show me my open tasks. I want only the urgent ones"),
    ("Wenn eine Mail von Vogt kommt, lies die Notiz vor, die People heißt.", "lies die Notiz vor, die People heißt"),
    ("Every Friday at 5 pm move the PDFs in Downloads to Documents, then show me a notice.",
     "move the PDFs in Downloads to Documents, then show me a notice"),
    ("Whenever a PDF lands in Downloads, show me a notice: „I lose files. So what.“",
     "show me a notice: „I lose files. So what.“"),
    ("My wife is in. When a mail from Lena comes.", "My wife is in"),
]  # fmt: skip


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return furnish(tmp_path_factory.mktemp("asides") / "kim", HOME)


@pytest.mark.parametrize(("text", "left"), [*ASIDES, *NO_ASIDES], ids=lambda one: one[:40])
def test_the_request_is_what_is_left_without_asides(text: str, left: str, home: Path, mind: Mind) -> None:
    line = read(Utterance(text, ConversationId("c"), str(home), str(home), NOW), mind.lexicon)
    heard = hear_clock(line) or hear_happening(line, HomeWorld(str(home)), str(home), mind.lexicon)
    assert isinstance(heard, Heard)
    assert left_of(line, without_asides(line, heard, mind.lexicon).gone) == left


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        ("I lose files all the time. Whenever a PDF lands in Downloads, copy it to Backup", True),
        ("Folgendes: Sobald in Scans ein PDF liegt, lies es mir vor", True),
        ("Create a note called Rules: whenever a PDF lands in Downloads, check it", False),
        ("Show me my tasks", False),
    ],
)
def test_a_rule_begins_behind_what_only_leads_to_it(text: str, begins: bool) -> None:
    assert begins_when(text) is begins


@pytest.mark.parametrize(
    ("text", "begins"),
    [("first and third thursday of the month, 7pm: show my tasks", True), ("mo bis do 11:15 aufgaben zeigen", True),
     ("Am 1. und 15. um acht zeig mir die Aufgaben", True), ("show me the first file", False)],
)  # fmt: skip
def test_a_rule_may_begin_with_its_days(text: str, begins: bool) -> None:
    assert begins_again(text) is begins


@pytest.mark.slow
async def test_a_rule_with_a_preamble_is_kept_although_a_tool_takes_its_words(desk: Desk) -> None:
    """Its preamble alone would be taken for a list of the largest files."""
    (desk.home / "Backup").mkdir(exist_ok=True)
    rule = "Here's the thing: I lose files all the time. Whenever a PDF lands in Downloads, copy it to Backup."
    assert await _tools(desk, rule) == ["files.copy"]


@pytest.mark.slow
async def test_a_rule_that_begins_with_its_days_is_kept_although_a_tool_takes_its_words(desk: Desk) -> None:
    """The days alone would be taken for a look into the calendar."""
    rule = "first and third thursday of the month, 7pm: show me the tasks that are overdue"
    assert await _tools(desk, rule) == ["tasks.show"]


async def _tools(desk: Desk, rule: str) -> list[str]:
    """The tools of the plan of a rule that is kept."""
    view = await desk.say(rule)
    assert view["resolution"] == "confirmed", view["answer"]
    (routine,) = desk.kernel._house.routines.every()
    return [task.tool for task in routine.plan.tasks]


def test_mails_without_an_attachment_are_left_out_where_they_are_to_be_left_alone(tmp_path: Path, mind: Mind) -> None:
    home = str(furnish(tmp_path, HOME))
    text = "When a mail from Lena comes, show me what she wrote. Those without an attachment you can leave alone."
    line = read(Utterance(text, ConversationId("c"), home, home, NOW), mind.lexicon)
    heard = hear_happening(line, HomeWorld(home), home, mind.lexicon)
    assert isinstance(heard, Heard)
    told = without_asides(line, heard, mind.lexicon)
    assert left_of(line, told.gone) == "show me what she wrote"
    assert told.such == ((About.SENDER, "Lena"), (About.ATTACHED, "*"))
