from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skills.docs import argument_docs, first_sentence
from skills.errors import BadSkill
from skills.model import ValueKind, ValueType
from skills.schema import Signature, read_signatures

_HEAD = """
from __future__ import annotations
import datetime
from dataclasses import dataclass
from typing import Literal, Optional
from skills.sdk import *
Colour = Literal["red", "green"]

@dataclass(frozen=True)
class Inner:
    when: datetime.date

@dataclass(frozen=True)
class Outer:
    total: float
    file: File | None
    inner: Inner
    names: list[str]
    odd: dict[str, set[int]]
"""


def _read(tmp_path: Path, source: str) -> dict[str, Signature]:
    folder = tmp_path / "demo"
    folder.mkdir(exist_ok=True)
    (folder / "skill.py").write_text(_HEAD + source)
    return dict(read_signatures(folder / "skill.py"))


def _parameter(tmp_path: Path, annotation: str) -> tuple[ValueType, bool]:
    source = f'def f(ctx: Context, x: {annotation}) -> int:\n    """Do.\n\n    Args:\n        x: it.\n    """\n'
    found = _read(tmp_path, source)["f"].parameters[0]
    return found.type, found.required


@pytest.mark.parametrize(
    ("annotation", "kind", "many", "required"),
    [
        ("str", ValueKind.TEXT, False, True),
        ("Text", ValueKind.TEXT, False, True),
        ("Title", ValueKind.TITLE, False, True),
        ("Query | None = None", ValueKind.QUERY, False, False),
        ("Optional[Query] = None", ValueKind.QUERY, False, False),
        ("int = 3", ValueKind.INTEGER, False, False),
        ("float", ValueKind.NUMBER, False, True),
        ("bool = False", ValueKind.BOOLEAN, False, False),
        ("File", ValueKind.FILE, False, True),
        ("list[File]", ValueKind.FILE, True, True),
        ("list[File] | None = None", ValueKind.FILE, True, False),
        ("tuple[Folder, ...]", ValueKind.FOLDER, True, True),
        ("NewFile", ValueKind.NEW_FILE, False, True),
        ("datetime.date", ValueKind.DATE, False, True),
        ("datetime.timedelta", ValueKind.DURATION, False, True),
        ("Period", ValueKind.PERIOD, False, True),
        ("Size", ValueKind.SIZE, False, True),
        ("Quantity", ValueKind.QUANTITY, False, True),
        ("Unit", ValueKind.UNIT, False, True),
        ("Expression", ValueKind.EXPRESSION, False, True),
        ("Condition", ValueKind.CONDITION, False, True),
        ("Column", ValueKind.COLUMN, False, True),
        ("Table", ValueKind.TABLE, False, True),
        ("Record", ValueKind.RECORD, False, True),
        ("'File'", ValueKind.FILE, False, True),
        ('Literal["a", "b"] = "a"', ValueKind.CHOICE, False, False),
        ("Colour", ValueKind.CHOICE, False, True),
    ],
)
def test_types_of_parameters(tmp_path: Path, annotation: str, kind: ValueKind, many: bool, required: bool) -> None:
    found, needed = _parameter(tmp_path, annotation)
    assert (found.kind, found.many, needed) == (kind, many, required)


def test_choices_come_from_the_literal(tmp_path: Path) -> None:
    assert _parameter(tmp_path, "Colour")[0].choices == ("red", "green")


def test_a_file_has_implied_fields(tmp_path: Path) -> None:
    fields = _parameter(tmp_path, "File")[0].fields
    assert set(fields) == {"name", "path", "size_bytes", "modified", "folder", "stem", "suffix"}
    assert fields["folder"].kind is ValueKind.FOLDER


def test_results_are_records_with_fields(tmp_path: Path) -> None:
    result = _read(tmp_path, 'def f(ctx: Context) -> list[Outer]:\n    """Do."""\n')["f"].result
    assert (result.kind, result.many) == (ValueKind.RECORD, True)
    kinds = {name: (field.kind, field.many) for name, field in result.fields.items()}
    assert kinds == {
        "total": (ValueKind.NUMBER, False),
        "file": (ValueKind.FILE, False),
        "inner": (ValueKind.RECORD, False),
        "names": (ValueKind.TEXT, True),
        "odd": (ValueKind.RECORD, False),
    }
    assert result.fields["inner"].fields["when"].kind is ValueKind.DATE


def test_defaults_keyword_only_and_docs(tmp_path: Path) -> None:
    source = '''
def f(ctx: Context, a: int, *, b: int = -2, c: Colour = "red") -> None:
    """Do one thing
    on two lines.

    Args:
        a: the first,
            told on two lines.
        b (int): the second.
        c: colour: any.
    """

def _hidden(ctx: Context) -> None: ...
def helper(x: int) -> int: ...
'''
    found = _read(tmp_path, source)
    assert list(found) == ["f"]
    assert found["f"].summary == "Do one thing on two lines."
    told = [(one.name, one.required, one.default, one.doc) for one in found["f"].parameters]
    assert told == [
        ("a", True, None, "the first, told on two lines."),
        ("b", False, -2, "the second."),
        ("c", False, "red", "colour: any."),
    ]


_DOC = '"""Do.\n\n    Args:\n        x: it.\n    """'


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("def f(ctx: Context) -> int: ...", "no docstring"),
        (f"def f(ctx: Context, x) -> int:\n    {_DOC}", "has no type"),
        ('def f(ctx: Context, x: int) -> int:\n    """Do."""', "not described"),
        (f"def f(ctx: Context, x: int | str) -> int:\n    {_DOC}", "not a type that a parameter may have"),
        (f"def f(ctx: Context, x: Outer) -> int:\n    {_DOC}", "not a type that a parameter may have"),
        (f"def f(ctx: Context, x: int | None) -> int:\n    {_DOC}", "has no default"),
        (f"def f(ctx: Context, x: int = print()) -> int:\n    {_DOC}", "not a plain value"),
        (f"def f(ctx: Context, x: Literal[1]) -> int:\n    {_DOC}", "something else than text"),
        (f"def f(ctx: Context, *x: int) -> int:\n    {_DOC}", r"parameter with \*"),
        ('def f(ctx: Context):\n    """Do."""', "does not say what it returns"),
        ("def f(:", "not valid Python"),
    ],
)
def test_what_is_wrong_is_named_with_file_and_line(tmp_path: Path, source: str, words: str) -> None:
    with pytest.raises(BadSkill, match=words) as caught:
        _read(tmp_path, source)
    line = _HEAD.count("\n") + 1
    assert f"skill.py:{line}: " in str(caught.value)
    assert caught.value.hint
    assert caught.value.subject == "demo"


def test_no_skill_code_runs(tmp_path: Path) -> None:
    source = f"open({str(tmp_path / 'proof')!r}, 'w').write('ran')\n" + 'def f(ctx: Context) -> int:\n    """Do."""\n'
    assert "f" in _read(tmp_path, source)
    assert not (tmp_path / "proof").exists()


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    assert "f" in _read(tmp_path, 'def f(ctx: Context) -> int:\n    """Do."""\n')
    assert "longer" in _read(tmp_path, 'def longer(ctx: Context) -> int:\n    """Do."""\n')


@given(st.text())
def test_any_docstring_is_read(docs: str) -> None:
    first_sentence(docs)
    argument_docs(docs)
