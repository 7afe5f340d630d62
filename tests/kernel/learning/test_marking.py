"""A confirmed task as an example: its values marked, and no example where that cannot be done surely."""

from __future__ import annotations

from typing import Any

import pytest

from kernel.learning.learnt import marked
from kernel.learning.marking import clauses_of
from kernel.model import Constant, FromTask, Plan, Task, TaskId
from permissions.labels import USER_SAID
from skills.model import ToolId


def _said(text: str, value: Any = None) -> Constant:
    return Constant(text if value is None else value, USER_SAID, text)


def _task(words: str, name: str = "t1", tool: str = "notes.add", **arguments: Any) -> Task:
    return Task(TaskId(name), ToolId(tool), arguments, text=words)


def _marked(said: str, *tasks: Task, asked: Plan | None = None) -> list[str]:
    return [marked(one) for one in clauses_of(Plan(tasks, "en"), said, asked)]


def test_the_values_are_marked_where_they_stand() -> None:
    task = _task("stick milk on the shopping list", text=_said("milk"), title=_said("shopping list"))
    assert _marked("stick milk on the shopping list", task) == ["stick {text:milk} on the {title:shopping list}"]


def test_a_longer_value_is_marked_before_one_that_stands_in_it() -> None:
    task = _task("put list on the shopping list", text=_said("list"), title=_said("shopping list"))
    assert _marked("put list on the shopping list", task) == ["put {text:list} on the {title:shopping list}"]


def test_two_values_of_one_word_are_marked_once() -> None:
    task = _task("the newest pdf", order=_said("newest"), count=_said("newest", 1))
    (found,) = _marked("the newest pdf", task)
    assert found.count("newest") == 1


def test_a_value_of_nobody_said_is_no_example() -> None:
    """ "And in Documents?" after a search: the clause is the old one, the value the new one."""
    assert not _marked("find pdfs in Downloads", _task("find pdfs in Downloads", folder=_said("Documents")))


def test_words_of_another_sentence_are_no_example() -> None:
    assert not _marked("yes", _task("stick milk on the list", text=_said("milk")))


def test_a_value_that_was_asked_for_stands_in_no_clause() -> None:
    before = Plan((_task("stick it on a list", text=_said("it")),), "en")
    task = _task("stick it on a list", text=_said("it"), title=_said("shopping"))
    assert _marked("stick it on a list", task, asked=before) == ["stick {text:it} on a list"]


def test_what_stood_for_an_answered_value_is_marked() -> None:
    before = Plan((_task("read the invoice", file=_said("invoice")),), "en")
    task = _task("read the invoice", file=_said("invoice_2026.pdf"))
    assert _marked("read the invoice", task, asked=before) == ["read the {file:invoice}"]


def test_an_object_of_another_call_is_a_value_of_it() -> None:
    first = _task("the newest pdf", "t1", "files.find", order=_said("newest"))
    second = _task("toss the newest pdf", "t2", "files.delete", files=FromTask(TaskId("t1")))
    assert _marked("toss the newest pdf", first, second) == ["toss {files:the newest pdf}"]


@pytest.mark.parametrize("text", ["", "x" * 400])
def test_nothing_and_far_too_much_is_no_example(text: str) -> None:
    assert not _marked(text, _task(text))
