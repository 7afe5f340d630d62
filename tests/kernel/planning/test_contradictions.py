"""Contradictions, mixed languages, pictures and right-to-left text: nothing is changed by a guess."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from kernel.model import Decline, Plan, Question

if TYPE_CHECKING:
    from tests.kernel.planner import Planner

CONTRADICTING = [
    "delete a.pdf and keep a.pdf",
    "delete a.pdf but keep it",
    "keep a.pdf and delete a.pdf",
    "delete a.pdf and don't delete a.pdf",
    "don't delete a.pdf and delete a.pdf",
    "delete the pdfs in Downloads and keep the pdfs in Downloads",
    "delete everything in Downloads and keep everything in Downloads",
    "copy a.pdf to Archive and don't copy it",
    "move a.pdf to Archive and leave a.pdf where it is",
    "move a.pdf to Archive and move a.pdf to Desktop",
    "rename a.pdf to x.pdf and rename a.pdf to y.pdf",
    "delete a.pdf and copy a.pdf to Archive",
    "lösche a.pdf und behalte a.pdf",
    "lösche a.pdf und behalte sie",
    "behalte a.pdf und lösche a.pdf",
    "lösche a.pdf und verschiebe a.pdf nach Archive",
    "verschiebe a.pdf nach Archive und lass a.pdf, wo sie ist",
    "lösche die PDFs in Downloads und behalte die PDFs in Downloads",
]


@pytest.mark.parametrize("text", CONTRADICTING)
def test_what_contradicts_itself_is_not_done(planner: Planner, text: str) -> None:
    answer = planner.whole(text)
    assert isinstance(answer, Decline | Question), answer
    assert answer.text


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            "move a.pdf to Archive and move a.pdf to Desktop",
            ("move a.pdf to Archive", "move a.pdf to Desktop", "no longer there", "which of the two"),
        ),
        (
            "lösche a.pdf und verschiebe a.pdf nach Archive",
            ("lösche a.pdf", "verschiebe a.pdf nach Archive", "nicht mehr da", "was von beidem"),
        ),
    ],
)
def test_it_says_what_does_not_go_together(planner: Planner, text: str, parts: tuple[str, ...]) -> None:
    answer = planner.whole(text)
    assert isinstance(answer, Decline)
    assert not [part for part in parts if part not in answer.text]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("copy a.pdf to Archive and delete a.pdf", ["files.copy", "files.delete"]),
        ("move a.pdf to Archive and move b.pdf to Desktop", ["files.move", "files.move"]),
        ("rename a.pdf to x.pdf and move it to Archive", ["files.rename", "files.move"]),
        (
            "if Downloads is empty, delete report.pdf, otherwise move report.pdf to Archive",
            ["files.contents", "files.delete", "files.move"],
        ),
    ],
)
def test_what_goes_together_is_planned(planner: Planner, text: str, expected: list[str]) -> None:
    plan = planner.whole(text)
    assert isinstance(plan, Plan), plan
    assert [str(task.tool) for task in plan.tasks] == expected


DELETE = "files.delete(files=['~/Downloads/a.pdf'])"
COPY = "files.copy(files=['~/Downloads/a.pdf'], to=~/Archive)"
PDFS = "files.find(folder=~/Downloads, kind=pdf)"


@pytest.mark.parametrize(
    ("text", "plan"),
    [
        ("copy a.pdf nach Archive", COPY),
        ("delete alle PDFs in Downloads", f"{PDFS}; files.delete(files=<t1>)"),
        ("lösche all pdfs in Downloads", f"{PDFS}; files.delete(files=<t1>)"),
        ("move die pdfs in Downloads nach Archive", f"{PDFS}; files.move(files=<t1>, to=~/Archive)"),
        ("delete a.pdf nicht", ""),
        ("lösche a.pdf not", ""),
        ("lösche alles in Downloads except a.pdf, please nicht", ""),
        ("lösche a.pdf and copy b.pdf to Archive", ""),
        ("delete a.pdf und kopiere b.pdf nach Archive", ""),
        ("please lösche the file a.pdf", ""),
        ("delete a.pdf 🗑️", DELETE),
        ("copy a.pdf 📄 to Archive 🙏", COPY),
        ("rename a.pdf to 🎉.pdf", "files.rename(file=~/Downloads/a.pdf, name=🎉.pdf)"),
        ("make a note called 🎂 saying cake 🍰 at 5", "notes.create(text=cake 🍰 at 5, title=🎂)"),
        ("delete 🔥🔥🔥", ""),
        ("delete a.pdf 🚫", ""),
        ("❌ delete a.pdf", ""),
        ("lösche a.pdf? 👎", ""),
        ("don't 🗑️ a.pdf", ""),
        ("delete \u200fa.pdf\u200f", DELETE),
        ("rename a.pdf to חשבון.pdf", "files.rename(file=~/Downloads/a.pdf, name=חשבון.pdf)"),
        ("make a note called שלום saying مرحبا", "notes.create(text=مرحبا, title=שלום)"),
        ("delete \u202efdp.a", ""),
        ("delete \u202efdp.a\u202c", ""),
        ("مرحبا delete a.pdf", ""),
        ("delete a.pdf احذف", ""),
        ("احذف a.pdf", ""),
    ],
)  # fmt: skip
def test_mixed_languages_pictures_and_right_to_left(planner: Planner, text: str, plan: str) -> None:
    answer = planner.whole(text)
    if plan:
        assert planner.shape(answer) == plan
    else:
        assert not isinstance(answer, Plan), planner.shape(answer)


@pytest.mark.parametrize(
    "text",
    [
        "delete small.txt and keep small.txt",
        "lösche small.txt und verschiebe small.txt nach Archive",
        "delete small.txt 🚫",
        "lösche small.txt and copy big.iso to Archive",
        "delete \u202etxt.llams",
        "delete small.txt احذف",
    ],
)
async def test_nothing_is_changed(bench: Any, text: str) -> None:
    (bench.home / "Archive").mkdir()
    before = bench.tree()
    view = await bench.ask(text)
    assert view["resolution"] in ("clarify", "declined", "blocked"), view["answer"]
    assert bench.tree() == before


async def test_a_picture_is_part_of_a_name(bench: Any) -> None:
    view = await bench.ask("rename small.txt to 🎉.txt")
    assert view["resolution"] == "confirmed", view["answer"]
    assert "Downloads/🎉.txt" in bench.tree()
