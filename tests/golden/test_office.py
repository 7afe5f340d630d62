"""The office home: plain sentences over it come out right, its bytes are the same every time, its checks can fail."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.golden import driver
from tests.golden.driver import KEPT, Case, Verdict, build, play
from tests.kernel.conftest import knowing

NOTHING: dict[str, Any] = {"created": [], "modified": [], "deleted": [], "moved": []}


def case(said: str, tool: str, answer: tuple[str, ...] = (), **more: Any) -> Case:
    """A case of one sentence that is carried out by one tool and changes nothing in the home unless said otherwise."""
    plain = Case("office", "office", (said,), True, "yes", ("executed", "confirmed"), ((tool,),) if tool else (), {},
                 answer, NOTHING, {}, home="office")  # fmt: skip
    return replace(plain, **more)


PLAIN = (
    case("what is on today?", "calendar.agenda", ("Call with the building firm", "Führung Klasse 4b", "Dinner with")),
    case("wann habe ich morgen Zeit?", "calendar.free", ("09:00–09:30, 10:30–17:00",)),
    case("when am I free?", "calendar.free", ("Wednesday 11 March 2026: 10:00–11:00, 11:30–14:00",)),
    case("do any appointments overlap?", "calendar.clashes", ("Budget review", "Shelf order")),
    case("delete the heating repair from my calendar", "calendar.remove", ("Heating repair",),
         effects=NOTHING | {"modified": ["Calendar/Personal.ics"]}, contains={"Calendar/Personal.ics": ["Zahnarzt"]},
         lacks={"Calendar/Personal.ics": ["Heating repair"]}),
    case("what is the phone number of Anna Schmidt?", "contacts.find", ("+49 172 5550103",)),
    case("wie ist Annas Nummer?", "contacts.find", ("Anna Köhler", "Anna Schmidt"), resolutions=("clarify",)),
    case("how many unread mails do I have?", "mail.find", ("6 unread mails", "Mittagessen am Freitag")),
    case("lies mir die letzte Mail von Karl Brandt vor", "mail.read", ("Klempner kommt am Montag, 23. März",)),
    case("save the attachment of the mail from Tom", "mail.save_attachments", ("labels.csv",),
         effects=NOTHING | {"created": ["Downloads/labels.csv"]}, contains={"Downloads/labels.csv": ["4,Fp,Gz"]}),
    case("show me the mails from Lena Vogt", "mail.find", ("3 mails from Lena Vogt",)),
    case("zeig mir die Mails von gestern", "mail.find", ("Agenda for Thursday", "Terminerinnerung")),
    case("was ist überfällig?", "tasks.show", ("renew the passport", "Herrn Brandt antworten")),
    case("what is on the trip list?", "tasks.show", ("charge the camera", "Reiseführer kaufen")),
    case("mark the task call Lena Vogt as done", "tasks.done", ("call Lena Vogt",),
         contains={"own:tasks/todo.txt": ["x 2026-03-11 2026-03-09 call Lena Vogt"]},
         lacks={"own:tasks/todo.txt": ["(A) 2026-03-09 call Lena Vogt"]}),
    case("how long does the bread timer still run?", "timers.left", ("25 minutes",)),
    case("read https://example.org/news", "web.read", yes=False, resolutions=("blocked",),
         arguments={"web.read": {"url": "https://example.org/news"}}),
    case("take a screenshot", "desktop.screenshot", yes=False, resolutions=("blocked",)),
)  # fmt: skip


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("office", tmp_path_factory.mktemp("office"))


@pytest.mark.slow
@pytest.mark.parametrize("one", PLAIN, ids=lambda one: one.say[0])
async def test_plain_sentences_come_out_right(one: Case, template: Path, tmp_path: Path) -> None:
    played = await play(one, template, tmp_path, prepare=knowing)
    assert not played.problems, f"{played.answer!r}\n" + "\n".join(played.problems)


@pytest.mark.slow
async def test_what_a_task_came_to_is_seen_and_judged(template: Path, tmp_path: Path) -> None:
    wrong = case("add buy stamps to my to-do list", "tasks.add", contains={"own:tasks/todo.txt": ["buy a stamp album"]},
                 lacks={"own:tasks/todo.txt": ["buy stamps"]})  # fmt: skip
    played = await play(wrong, template, tmp_path, prepare=knowing)
    assert played.problems == [
        "own:tasks/todo.txt lacks 'buy a stamp album'",
        "own:tasks/todo.txt has 'buy stamps' still",
    ]
    assert played.kept
    assert played.verdict is Verdict.WRONG_ACT


@pytest.mark.slow
def test_the_bytes_and_times_are_the_same_every_time(template: Path, tmp_path: Path) -> None:
    again = build("office", tmp_path)
    assert (again.parent / KEPT / "tasks/todo.txt").is_file()
    first, second = _whole(template.parent), _whole(again.parent)
    assert [name for name in first.keys() | second.keys() if first.get(name) != second.get(name)] == []


def test_a_set_names_the_home_that_it_is_played_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "HERE", tmp_path)
    told = '[[case]]\nid = "a"\nsay = ["my tasks"]\nresolution = "executed"\n'
    for name, head in (("plain", ""), ("furnished", 'home = "office"\n'), ("nowhere", 'home = "palace"\n')):
        (tmp_path / f"{name}.toml").write_text(head + told)
    assert [one.home for one in driver.cases(("plain", "furnished"))] == ["home", "office"]
    with pytest.raises(ValueError, match=r"nowhere\.toml names the home 'palace'; there is home and office"):
        driver.cases(("nowhere",))


def _whole(folder: Path) -> dict[str, tuple[bytes | float, ...]]:
    """Path -> mode, time of change and content of everything, hidden files too; a folder's time counts in the home."""
    return {str(path.relative_to(folder)): _seen(path) for path in sorted(folder.rglob("*"))}


def _seen(path: Path) -> tuple[bytes | float, ...]:
    stat = path.lstat()
    if path.is_file() and not path.is_symlink():
        return stat.st_mode, stat.st_mtime, path.read_bytes()
    return (stat.st_mode, stat.st_mtime if KEPT not in path.parts and not path.is_symlink() else 0.0)
