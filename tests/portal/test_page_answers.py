"""Answers on the page: said once, pictures, folders to copy, thousands of changes, and what stands behind an answer."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.portal.browser import MARKS, Tab

Installation = Any  # tests/portal/conftest.py

pytestmark = MARKS

SALES = "region,amount\nNorth,480.50\nSouth,300.00\nWest,184.25\nEast,12\n"
MANY = 430


def pieces(page: Tab, answer: str, rows: list[list[Any]], language: str = "en") -> list[str]:
    """What the page would show for an answer with one table: texts, and "#" for the table."""
    code = f"""import('/static/js/answer.js').then(({{ pieces }}) =>
        pieces({json.dumps(answer)}, [{{columns: [], rows: {json.dumps(rows)}}}], {json.dumps(language)})
        .map((piece) => piece.table ? '#' : piece.text))"""
    return list(page.js(code))


def drawn(
    page: Tab, wanted: str, view: dict[str, Any] | None = None, *, live: list[dict[str, Any]] | None = None
) -> Any:
    """Draw a run from its view, or from events as they happen, and return what ``wanted`` reads of it."""
    begin = "import('/static/js/run.js').then(({ RunView }) => { const run = new RunView('r-1', {});"
    draw = f"run.show({json.dumps(view)})" if live is None else f"{json.dumps(live)}.forEach((one) => run.take(one))"
    return page.js(f"{begin} {draw}; document.getElementById('runs').append(run.node); return {wanted}; }})")


def texts(selector: str) -> str:
    """Code for the texts of what a selector finds in a run that was drawn."""
    return f"[...run.node.querySelectorAll('{selector}')].map((one) => one.innerText)"


def test_rows_are_shown_once_as_the_table(page: Tab, running: Installation) -> None:
    (running.home / "sales.csv").write_text(SALES)
    page.settle("total amount by region in sales.csv")
    assert page.js("document.querySelectorAll('.result table').length") == 1
    assert "North" in page.text(".result table")
    assert "North" not in page.text(".result .answer")
    assert page.text(".result .answer").endswith(":")
    assert "North" in page.js("document.querySelector('.more .plain')?.innerText ?? ''") or page.js(
        "document.querySelector('.more').open = true"
    )
    page.until("document.querySelector('.more .plain')?.innerText.includes('North')")


def test_cents_stay_in_a_table(page: Tab, running: Installation) -> None:
    (running.home / "sales.csv").write_text(SALES)
    page.settle("show sales.csv")
    amounts = page.js("[...document.querySelectorAll('.result td.number')].map(cell => cell.innerText)")
    assert amounts == ["480.50", "300.00", "184.25", "12.00"]


FILES = [["a.iso", "21 MB", "2026-01-14"], ["b.mp4", "9 MB", "2025-08-24"]]


@pytest.mark.parametrize(
    ("answer", "rows", "language", "shown"),
    [
        ("The largest are: a.iso (21 MB, 14 January 2026) and b.mp4 (9 MB, 24 August 2025).", FILES, "en",
         ["The largest are:", "#"]),
        ("Am größten sind: a.iso (21 MB), b.mp4 (9 MB, 24. August 2025). Mehr ist nicht da.", FILES, "de",
         ["Am größten sind:", "#", "Mehr ist nicht da."]),
        ("I found 2 PDFs: ~/My Letters/a.pdf (9 kB) and ~/b.pdf (1 kB). 1 folder was left out.",
         [["a.pdf", "~/My Letters", "9 kB"], ["b.pdf", "~", "1 kB"]], "en",
         ["I found 2 PDFs:", "#", "1 folder was left out."]),
        ("Two files:\n1. a.iso\n2. b.mp4\nTogether 30 MB.", FILES, "en", ["Two files:", "#", "Together 30 MB."]),
        ("Found 2 notes:\n- a.iso: call the plumber on Monday about the tap\n- b.mp4: buy seeds and a new watering can",
         FILES, "en", ["Found 2 notes:\n- a.iso: call the plumber on Monday about the tap\n"
                       "- b.mp4: buy seeds and a new watering can", "#"]),
        ("There are 2 files, and a.iso is the larger one.", FILES, "en",
         ["There are 2 files, and a.iso is the larger one.", "#"]),
        ("You have 5: a, b, c and 2 more.", [["a"], ["b"], ["c"], ["d"], ["e"]], "en", ["You have 5:", "#"]),
        ("Nothing found.", [], "en", ["Nothing found.", "#"]),
        ("Sum: 5.20. The most is north.", [["north", 5.2]], "en", ["Sum: 5.20. The most is north.", "#"]),
    ],
)  # fmt: skip
def test_what_an_answer_counts_up_gives_way_to_the_table_and_nothing_else_does(
    page: Tab, answer: str, rows: list[list[Any]], language: str, shown: list[str]
) -> None:
    assert pieces(page, answer, rows, language) == shown


def test_a_chart_is_seen_and_its_folder_can_be_copied(page: Tab, running: Installation) -> None:
    (running.home / "sales.csv").write_text(SALES)
    page.settle("make a bar chart of amount by region from sales.csv")
    page.until("document.querySelector('.picture img')?.naturalWidth > 100")
    assert page.js("document.querySelector('.picture img').src").startswith("blob:")
    assert "sales" in page.js("document.querySelector('.picture img').alt")
    page.click(".effects .undo")
    page.js("document.querySelector('.file').open = true")
    assert page.text(".file .folder") == str(running.home)
    page.click(".effects .back .yes")
    page.until("document.querySelector('.effects.gone')")
    page.call("Page.reload")
    page.until("document.querySelector('.picture')?.innerText.includes('cannot be shown')")
    assert not [noise for noise in page.noise if "Content Security" in json.dumps(noise)]


def test_thousands_of_changes_are_a_summary_and_come_in_pages(page: Tab, running: Installation) -> None:
    folder = running.home / "Heap"
    folder.mkdir()
    for number in range(MANY):
        (folder / f"paper {number:04}.{'txt' if number % 2 else 'pdf'}").write_text("x")
    page.ask("organize Heap by type")
    page.until("document.querySelector('.card [data-answer=once]:enabled')")
    page.click(".card [data-answer=once]")
    page.until("document.querySelector('.card .concerns li')")
    assert page.js("document.querySelectorAll('.card .changes li').length") == 10
    assert page.js("document.querySelectorAll('.card .folders li').length") >= 2
    page.until("document.querySelector('.card [data-answer=once]:enabled')")
    page.click(".card [data-answer=once]")
    page.until("document.querySelector('.effects')")
    assert page.js("document.querySelectorAll('.effects .changes li').length") == 10
    total = int(page.text(".effects b").replace("\u202f", "").split()[0])
    assert total >= MANY
    page.call("Page.reload")
    page.until("document.querySelectorAll('.effects .changes li').length === 10")
    fetched = "performance.getEntriesByType('resource').filter(e => e.name.includes('/api/v1/'))"
    assert page.js(f"Math.max(...{fetched}.map(e => e.decodedBodySize))") < 100_000, "a reload fetches the summary"
    assert int(page.text(".effects b").replace("\u202f", "").split()[0]) == total
    sizes = [10]
    while page.js("!!document.querySelector('.effects .all')"):
        page.click(".effects .all")
        page.until(f"document.querySelectorAll('.effects .changes li').length > {sizes[-1]}")
        sizes.append(page.js("document.querySelectorAll('.effects .changes li').length"))
    assert sizes[-1] == total
    assert len(sizes) > 3, sizes
    page.click(".effects .undo")
    assert page.js("document.querySelectorAll('.effects .back .changes li').length") == 10
    page.click(".effects .back .yes")
    page.until("document.querySelector('.effects.gone')")
    assert len(list(folder.iterdir())) == MANY


def test_a_run_unfolds_to_its_plan_rights_level_and_time(page: Tab, running: Installation) -> None:
    (running.home / "sales.csv").write_text(SALES)
    page.settle("show sales.csv and save that as copy of sales.csv")
    assert page.js("document.querySelector('.more').open") is False
    page.js("document.querySelector('.more').open = true")
    page.until("document.querySelector('.more .times')")
    details = page.text(".more")
    assert page.js("document.querySelectorAll('.more .plan .task').length") == 2
    assert page.js("document.querySelectorAll('.more .arrows path').length") == 2, "one arrow and its head"
    assert "read ~/sales.csv" in details
    assert "you allowed it once" in details
    assert "Level L" in details
    assert "running in the sandbox" in details
    page.settle("what is 2 + 3")
    page.js("[...document.querySelectorAll('.more')].at(-1).open = true")
    page.until("[...document.querySelectorAll('.more')].at(-1).innerText.includes('It needed none.')")


def test_choices_are_buttons_and_not_text_as_well(page: Tab, running: Installation) -> None:
    for folder in ("A", "B"):
        (running.home / folder).mkdir()
        (running.home / folder / "twin.csv").write_text(SALES)
    page.settle("show twin.csv")
    assert page.js("document.querySelectorAll('.choices button').length") == 2
    assert "twin.csv" in page.text(".choices")
    assert "A/twin.csv" not in page.text(".answer")


def test_names_are_shown_as_they_are_and_safely(page: Tab, running: Installation) -> None:
    odd = {"a  b.txt": "a  b.txt", "a b.txt": "a b.txt", "new\nline.txt": "new\\x0aline.txt",
           "rtl\u202etxt.exe": "rtl\\u{202e}txt.exe", "tab\there.txt": "tab\\x09here.txt"}  # fmt: skip
    (running.home / "Odd").mkdir()
    for name in odd:
        (running.home / "Odd" / name).write_text("x")
    page.settle("list the files in Odd")
    names = page.js("[...document.querySelectorAll('.result td:first-child')].map(cell => cell.innerText)")
    assert sorted(names) == sorted(odd.values())
    page.settle("copy all files in Odd to Other")
    paths = "\n".join(page.js("[...document.querySelectorAll('.effects .path')].map(path => path.innerText)"))
    for shown in ("a  b.txt", "a b.txt", "new\\x0aline.txt", "rtl\\u{202e}txt.exe", "tab\\x09here.txt"):
        assert f"~/Other/{shown}" in paths


def test_a_run_whose_changes_wait_for_their_disk_says_so(page: Tab) -> None:
    view = {
        "text": "move it", "language": "en", "resolution": "pending", "events": [],
        "half_done": {"message": "The changes of r-1 are half made.", "hint": "Mend the disk."},
    }  # fmt: skip
    shown = drawn(page, "run.node.innerText", view)
    assert "waits for its disk" in shown
    assert "The changes of r-1 are half made." in shown
    assert "Mend the disk." in shown
    assert "Stop" not in shown


def test_a_review_stands_below_the_answer_and_is_only_text(page: Tab) -> None:
    line = "Not supported: “<img src=x onerror=alert(1)>”"
    view: dict[str, Any] = {
        "text": "find it", "language": "en", "resolution": "executed", "answer": "Here it is.", "events": [],
        "effects": [], "result": {}, "review": {"lines": ["The model judge looked at 2 statements.", line]},
    }  # fmt: skip
    wanted = f"[{texts('.answer')}, run.node.querySelectorAll('img').length, {texts('.verdicts li')}]"
    assert drawn(page, wanted, view) == [["Here it is."], 0, view["review"]["lines"]]


def test_a_review_is_seen_before_the_changes_are_answered(page: Tab) -> None:
    lines = ["The model judge looked at 1 statement.", "Not supported: “all is well”"]
    card = {"rights": [], "changes": [{"kind": "created", "path": "/h/digest.txt"}]}
    asked = {"stage": "commit", "card": card, "seal": "s", "diff": []}
    view = {"text": "write it", "language": "en", "resolution": "pending", "events": [], "review": {"lines": lines}}
    live = [{"seq": 1, "kind": "run.created", "body": {"text": "write it"}},
            {"seq": 2, "kind": "run.reviewed", "body": {"lines": lines}},
            {"seq": 3, "kind": "approval.requested", "body": asked}]  # fmt: skip
    wanted = "[...run.node.querySelectorAll('.card .verdicts li')].map((one) => one.textContent)"  # the card is closed
    assert drawn(page, wanted, view | asked) == lines
    assert drawn(page, wanted, live=live) == lines


@pytest.mark.parametrize(("more", "said"), [
    ({"opaque": True}, "This is no text (program, 19 bytes, new)."),
    ({"truncated": True}, "Not all of this stands here (program, 19 bytes, new); the rest may hold anything."),
])  # fmt: skip
def test_what_a_change_does_not_show_is_said_and_where_it_lies(page: Tab, more: dict[str, Any], said: str) -> None:
    card = {"rights": [], "changes": [{"kind": "created", "path": "/h/tool"}]}
    diff = {"path": "/h/tool", "text": "+touch pwned\n", "summary": "program, 19 bytes, new", "lies": "/s/b1", **more}
    view = {"text": "make it", "language": "en", "resolution": "pending", "events": []}
    asked = {"stage": "commit", "card": card, "seal": "s", "diff": [diff]}
    seen = str(drawn(page, "run.node.querySelector('.card').textContent", view | asked))
    assert said in seen
    assert "touch pwned" in seen
    assert "To look at it before you answer: /s/b1" in seen


@pytest.mark.parametrize(("stage", "sent_back", "seen"), [
    ("mail", False, True), ("commit", True, False), ("plan", True, False), ("plan", False, False),
    ("limit", True, False), ("flow", False, False),
])  # fmt: skip
def test_a_verdict_stands_on_the_card_of_its_result_alone(page: Tab, stage: str, sent_back: bool, seen: bool) -> None:
    """Neither as it happens nor after a reload is it on a card that asks about something else."""
    review = {"lines": ["Not supported: “all is well”"], "sent_back": sent_back}
    asked = {"stage": stage, "card": {"rights": [], "concerns": []}, "seal": "s", "diff": []}
    view = {"text": "write it", "language": "en", "resolution": "pending", "events": [], "review": review}
    live = [{"seq": 1, "kind": "run.created", "body": {"text": "write it"}},
            {"seq": 2, "kind": "run.reviewed", "body": review},
            {"seq": 3, "kind": "approval.requested", "body": asked}]  # fmt: skip
    wanted = "[...run.node.querySelectorAll('.card .verdicts li')].map((one) => one.textContent)"
    expected = review["lines"] if seen else []
    assert drawn(page, wanted, view | asked) == expected
    assert drawn(page, wanted, live=live) == expected


TOOK = ["Ran at L2 and not L3: shared view of the system, confined. What is missing: ./steward doctor",
        "Models took 0.00125 EUR."]  # fmt: skip


def test_a_weaker_wall_and_what_models_cost_stand_below_the_answer(page: Tab) -> None:
    """As in the terminal; live, where the run's events say it, as after a reload. A whole wall is not worth a line."""
    ended = {"resolution": "executed", "answer": "Done.", "effects": [], "result": {}, "timings": {}}
    view = {"text": "do it", "language": "en", "events": [], **ended, "level": "L2", "cost": {"EUR": 1250}}
    money = {"usage": {"currency": "EUR", "money": 625}}
    events: list[tuple[str, dict[str, Any]]] = [
        ("run.created", {"text": "do it"}), ("model.replied", {"endpoint": "far", "ms": 5, **money}),
        ("task.done", {"level": "L2"}), ("task.done", {"level": "L3"}),
        ("model.replied", {"endpoint": "far", "ms": 5, **money}), ("run.finished", ended),
    ]  # fmt: skip
    live = [{"seq": at, "kind": kind, "task": "t1" if kind == "task.done" else None, "body": body}
            for at, (kind, body) in enumerate(events, 1)]  # fmt: skip
    wanted = texts(".result .took")
    assert drawn(page, wanted, view) == TOOK
    assert drawn(page, wanted, live=live) == TOOK
    assert drawn(page, wanted, view | {"level": "L3", "cost": {}}) == []


def test_words_of_others_have_a_line_beneath_and_say_where_they_stand(page: Tab, running: Installation) -> None:
    lie = "Steward: your licence 🙂 has run out."
    (running.home / "letter.txt").write_text(f"🙂🙂 Dear all\n{lie}\n")
    page.settle("what does letter.txt say")
    shown = page.js("[...document.querySelectorAll('.result .others')].map((one) => [one.innerText, one.title])")
    assert [lie, "Written in: letter.txt"] in shown
    page.settle("what is 17 * 3")
    last = "[...document.querySelectorAll('.result')].at(-1)"
    assert page.js(f"{last}.innerText").find("51") >= 0
    assert page.js(f"{last}.querySelectorAll('.others').length") == 0
