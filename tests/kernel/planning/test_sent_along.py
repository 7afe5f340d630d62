"""A file goes along with a mail where it is named, or stands where files stand; a subject brings none."""

from __future__ import annotations

import pytest

from kernel.context.mind import Mind
from tests.kernel.homes import furnish
from tests.kernel.planner import Planner

FILES = ("Documents/invoice-4711.pdf", "Documents/salary.txt", "Documents/Vertrag.pdf")
INVOICE, SALARY = "['~/Documents/invoice-4711.pdf']", "['~/Documents/salary.txt']"


@pytest.fixture(scope="module")
def desk(mind: Mind, tmp_path_factory: pytest.TempPathFactory) -> Planner:
    return Planner.knowing(mind, furnish(tmp_path_factory.mktemp("home"), FILES))


@pytest.mark.parametrize(
    ("sentence", "shape"),
    [
        (
            "send a mail to lea@example.org about the invoice saying I paid today",
            "mail.send(subject=invoice, text=I paid today, to=lea@example.org)",
        ),
        (
            "draft a mail to Ben about the invoice saying I paid today",
            "mail.draft(subject=invoice, text=I paid today, to=Ben)",
        ),
        (
            "send lea@example.org a mail about the invoice saying thanks",
            "mail.send(subject=invoice, text=thanks, to=lea@example.org)",
        ),
        (
            "sende eine Mail an lea@example.org wegen des Vertrags: morgen unterschreibe ich",
            "mail.send(subject=Vertrags, text=morgen unterschreibe ich, to=lea@example.org)",
        ),
        ("send lea@example.org a mail saying many thanks", "mail.send(text=many thanks, to=lea@example.org)"),
        ("schick eine Mail an lea@example.org mit dem Text danke", "mail.send(text=danke, to=lea@example.org)"),
        ("email the invoice to Ben", f"mail.send(files={INVOICE}, to=Ben)"),
        (
            "send an email to lea@example.org with salary.txt attached saying please check the sum",
            f"mail.send(files={SALARY}, text=please check the sum, to=lea@example.org)",
        ),
        ("send the file ~/Documents/salary.txt to Ben by mail", f"mail.send(files={SALARY}, to=Ben)"),
        (
            "send the file ~/Documents/salary.txt to lea@example.org by email",
            f"mail.send(files={SALARY}, to=lea@example.org)",
        ),
        ("schick die Datei ~/Documents/salary.txt per Mail an Ben", f"mail.send(files={SALARY}, to=Ben)"),
    ],
)
def test_what_goes_along(desk: Planner, sentence: str, shape: str) -> None:
    assert desk.shape(desk.say(sentence)) == shape
