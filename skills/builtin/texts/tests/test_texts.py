"""Texts are put one under the other: in their order, all of each, and nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from skills.builtin.texts import skill
from skills.sdk.testing import PracticeHome


@pytest.mark.parametrize(
    ("parts", "whole"),
    [
        (("three months", "lease.docx"), "three months\nlease.docx"),
        (("- 10:00 dentist\n- 12:00 lunch", "- call the bank"), "- 10:00 dentist\n- 12:00 lunch\n\n- call the bank"),
        (("a\n", "\nb", "  c"), "a\nb\n  c"),
        (("", "- call the bank"), "- call the bank"),
        ((" \n", ""), ""),
        (tuple("abcdef"), "a\nb\nc\nd\ne\nf"),
    ],
    ids=["lines", "lists", "edges", "nothing-above", "nothing-at-all", "six"],
)
def test_one_under_the_other(tmp_path: Path, parts: tuple[str, ...], whole: str) -> None:
    names = ("first", "second", "third", "fourth", "fifth", "sixth")
    given: dict[str, Any] = dict(zip(names, parts, strict=False))
    assert PracticeHome(tmp_path).do(skill.join, **given).value == whole
