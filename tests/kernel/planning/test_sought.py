"""Where a thing was put is looked for; where a thing is to go may be a folder that is still to be made."""

from __future__ import annotations

import pytest

from kernel.context.mind import Mind
from kernel.model import Plan
from tests.kernel.homes import furnish
from tests.kernel.planner import Planner

NAMES = (
    "Papers/lease agreement.docx", "Trips/packing list.md", "Trips/itinerary.docx", "Downloads/a.pdf",
    "Downloads/invoice_zenvo_1.pdf", "Downloads/invoice_zenvo_2.pdf", "Documents/x.txt",
)  # fmt: skip


@pytest.fixture(scope="module")
def planner(mind: Mind, tmp_path_factory: pytest.TempPathFactory) -> Planner:
    return Planner.knowing(mind, furnish(tmp_path_factory.mktemp("sought"), NAMES))


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        ("where did I put the packing list", "packing list"),
        ("I wonder where I put the packing list", "packing list"),
        ("where did I leave the lease agreement", "lease agreement"),
        ("where on earth is the itinerary", "itinerary"),
        ("where is the itinerary", "itinerary"),
        ("wo habe ich die Packliste gelassen", "packing list"),
        ("wo zum Teufel ist die Packliste", "packing list"),
        ("wo habe ich den Mietvertrag hingelegt", "lease agreement"),
    ],
)
def test_a_thing_that_was_put_somewhere_is_looked_for(sentence: str, name: str, planner: Planner) -> None:
    assert planner.shape(planner.say(sentence)) == f"files.find(name={name})"


@pytest.mark.parametrize(
    ("sentence", "tool", "folder"),
    [
        ("move the pdfs in Downloads to a new folder called Big stuff", "move", "~/Big stuff"),
        ("move the pdfs in Downloads to a new folder Big stuff in my home", "move", "~/Big stuff"),
        ("copy the pdfs in Downloads into a new folder called Bills in Documents", "copy", "~/Documents/Bills"),
        ("copy the pdfs in Downloads into a new folder Steuer", "copy", "~/Steuer"),
        ("verschiebe die PDFs aus Downloads in einen neuen Ordner namens Alte Briefe", "move", "~/Alte Briefe"),
        ("kannst du die PDFs aus Downloads in einen neuen Ordner namens Archiv verschieben", "move", "~/Archiv"),
        ("die PDFs aus Downloads in einen neuen Ordner Steuer 2025 kopieren", "copy", "~/Steuer 2025"),
    ],
)
def test_a_new_folder_is_a_place_to_go(sentence: str, tool: str, folder: str, planner: Planner) -> None:
    plan = planner.say(sentence)
    assert isinstance(plan, Plan), planner.shape(plan)
    assert [task.tool for task in plan.tasks] == ["files.find", f"files.{tool}"]
    assert f"to={folder})" in planner.shape(plan)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("make a new folder Trips in Documents", "files.make_folder(folder=~/Documents, name=Trips)"),
        ("make a new folder called Big stuff in my home", "files.make_folder(folder=~, name=Big stuff)"),
    ],
)
def test_a_folder_to_be_made_is_made(sentence: str, expected: str, planner: Planner) -> None:
    assert planner.shape(planner.say(sentence)) == expected


def test_what_makes_a_folder_takes_none_that_is_still_to_be_made(planner: Planner) -> None:
    shape = planner.shape(planner.say("put the zenvo invoices into a new folder Zenvo in Documents"))
    assert "make_folder" not in shape
