"""The plan says what is really passed, in words: no machine's stamps, no objects as they lie in memory."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from kernel.approval.plan_words import _argument_words, _origins, labels
from kernel.asking.values import value_words
from kernel.model import Constant, Task, TaskId
from kernel.remembering.bulk import FEW
from permissions.labels import MODEL_SAID, USER_SAID, Label
from skills.model import Parameter, ParamRole, ValueKind, ValueType

Bench = Any  # tests/kernel/conftest.py

EXPENSES = "date,category,amount\n2026-01-01,Food,3.5\n2026-01-02,Travel,10\n2026-01-03,Food,2\n"


async def test_a_result_that_is_written_is_not_called_by_the_file_it_came_from(bench: Bench) -> None:
    (bench.home / "Documents").mkdir()
    (bench.home / "Documents" / "expenses.csv").write_text(EXPENSES)
    await bench.kernel.close()
    bench.kernel = await bench.reopen()
    await bench.ask("total amount by category in expenses.csv")
    view = await bench.ask("save that as by_category.csv")
    (task,) = view["plan"]["tasks"]
    said = task["arguments"]["table"]
    assert said.startswith("2 rows (category, ")
    assert said.endswith("made from ~/Documents/expenses.csv")
    assert "Food" in (bench.home / "Documents" / "by_category.csv").read_text()


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"file": {"path": "/h/a b.pdf", "modified": "2026-06-23T17:03:05.506367+00:00"}}, "file ~/a b.pdf"),
        ({"file": {"folder": "/h/Documents", "size_bytes": 12}}, "file folder ~/Documents, size bytes 12"),
        ({"fields": {"VAT": 19.0, "file": None}}, "VAT 19.0"),
        ({"columns": ["a"], "rows": [], "source": ""}, "no rows (a)"),
        (["/h/x", "/h/y"], "~/x, ~/y"),
        ("2026-06-23T17:03:05", "2026-06-23 17:03"),
        ("2026-06-23Tea at five o'clock", "2026-06-23Tea at five o'clock"),
        (True, "yes"),
        (None, ""),
        ([None, "a", False], ", a, no"),
        ({"min": 4_000_001, "max": None}, "over 4 MB"),
        ({"min": 4_000_000, "max": None}, "4 MB or more"),
        ({"min": None, "max": 1_499_999}, "under 1.5 MB"),
        ({"min": 1000, "max": 2000}, "1 kB to 2 kB"),
        ({"start": "2026-01-01", "end": "2026-02-01"}, "2026-01-01 to 2026-01-31"),
        ({"start": "2026-01-01", "end": "2026-01-02"}, "2026-01-01"),
        ({"start": None, "end": "2026-02-01"}, "until 2026-01-31"),
        ({"value": "5", "unit": "km"}, "5 km"),
        ({"columns": ["a", "b"], "rows": [[1, 2]], "source": None}, "1 row (a, b)"),
    ],
)
def test_values_in_words(value: object, said: str) -> None:
    assert value_words(value, "/h", "en") == said


async def test_german_plans_call_values_in_german(bench: Bench) -> None:
    view = await bench.ask("lösche die Datei Downloads/small.txt", yes=False)
    assert view["plan"]["tasks"][0]["labels"] == {"files": "Datei"}
    english = await bench.ask("delete the file Downloads/small.txt", yes=False)
    assert english["plan"]["tasks"][0]["labels"] == {"files": "files"}


async def test_the_arguments_of_a_mail_are_called_as_mails_have_them(bench: Bench) -> None:
    view = await bench.ask(
        "sende eine E-Mail an ida@example.org mit dem Betreff Fest und dem Text Komm bald", yes=False
    )
    assert view["plan"]["tasks"][0]["labels"] == {"to": "an", "subject": "Betreff", "text": "Text"}


async def test_a_choice_is_said_by_its_word_in_the_language_of_the_request(bench: Bench) -> None:
    view = await bench.ask("sortiere Downloads nach Typ", yes=False)
    assert view["plan"]["tasks"][0]["arguments"]["by"] in ("Typ", "Art", "Dateityp")
    english = await bench.ask("organise Downloads by type", yes=False)
    assert english["plan"]["tasks"][0]["arguments"]["by"] == "type"


@pytest.mark.parametrize(
    ("client", "said"),
    [("", "an earlier result"), ("mcp:claude", "the program claude"), ("routine:report", "an earlier result")],
)
async def test_whose_a_value_is_that_decides_something(bench: Bench, client: str, said: str) -> None:
    tool = next(one for one in bench.kernel._house.registry.tools() if one.id == "shell.run")
    one = Task(TaskId("t1"), tool.id, {"command": Constant("ls", Label())})
    around = bench.kernel._house.circumstances("r-1", str(bench.home), client)
    assert _origins(one, tool, around, "en") == {"origins": {"command": said}}


async def test_two_values_of_a_step_are_never_called_alike(bench: Bench) -> None:
    for skill in bench.kernel._house.registry.skills():
        for tool in skill.tools:
            called = labels(tool, [parameter.name for parameter in tool.parameters], "de")
            assert len(set(called.values())) == len(called), (tool.id, called)


def test_what_a_model_wrote_and_decides_something_is_said_to_its_last_item() -> None:
    people = [f"friend{number}@example.org" for number in range(FEW + 1)]
    to = Parameter("recipients", ValueType(ValueKind.TEXT, True), True, "who hears", role=ParamRole.SINK)
    content = replace(to, role=ParamRole.PAYLOAD)
    assert _argument_words(Constant(people, MODEL_SAID), "/h", "en", to).endswith(people[-1])
    assert people[-1] not in _argument_words(Constant(people, MODEL_SAID), "/h", "en", content)
    assert people[-1] not in _argument_words(Constant(people, USER_SAID), "/h", "en", to), "who said it knows it"
    lines = Constant("make\ntouch pwned", MODEL_SAID)
    assert _argument_words(lines, "/h", "en", replace(to, type=ValueType(ValueKind.TEXT))) == "make\\x0atouch pwned"


def test_a_record_that_a_model_wrote_is_said_with_every_part() -> None:
    said = {"path": "/h/notes.txt", "to": "a@b", "rows": list(range(FEW + 1))}
    options = Parameter("options", ValueType(ValueKind.RECORD), True, "how")
    words = _argument_words(Constant(said, MODEL_SAID), "/h", "en", options)
    assert words.startswith("options.path: ~/notes.txt, options.to: a@b, ")
    assert words.endswith(f"options.rows: {FEW}")
    assert "a@b" not in _argument_words(Constant(said, USER_SAID), "/h", "en", options), "who said it knows it"
