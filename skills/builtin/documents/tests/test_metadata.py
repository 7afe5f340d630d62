"""Who an author field names, and who not; the day of creation is that of the metadata."""

from __future__ import annotations

from pathlib import Path

import docx
import pytest

from skills.builtin.documents import metadata, skill
from skills.sdk.testing import PracticeHome


@pytest.mark.parametrize(
    ("said", "people"),
    [
        ("Ida Roth", ["Ida Roth"]),
        ("Ida Roth; Ben Stein", ["Ida Roth", "Ben Stein"]),
        ("Roth, Ida; Stein, Ben", ["Roth, Ida", "Stein, Ben"]),
        ("Roth, Ida Maria", ["Roth, Ida Maria"]),
        ("Ida Roth, Ben Stein", ["Ida Roth", "Ben Stein"]),
        ("Ida Roth, Ben Stein and Eva Kern", ["Ida Roth", "Ben Stein", "Eva Kern"]),
        ("Ida Roth und Ben Stein", ["Ida Roth", "Ben Stein"]),
        ("Ida and Ben Stein", []),
        ("user1", []), ("ida@roth.org", []), ("Microsoft Office User", []), ("Microsoft Office-Benutzer", []),
        ("Windows User", []), ("Roth & Stein GmbH", []), ("Acme Ltd.", []), ("Unknown Author", []), (None, []),
        ("Ida Roth; Microsoft Office User", ["Ida Roth"]), ("python-docx", []),
        ("Muster Verlag AG, Ida Roth", ["Ida Roth"]),
        ("Institut für Botanik", []), ("Roth & Stein", []),
    ],
)  # fmt: skip
def test_the_people_of_an_author_field(said: str | None, people: list[str]) -> None:
    assert metadata.authors(said) == people


def test_a_printed_date_is_not_the_day_of_creation(tmp_path: Path) -> None:
    home = PracticeHome(tmp_path)
    document = docx.Document()
    document.add_paragraph("Date: 3 March 2024")
    document.add_paragraph("We shall dig the garden and then the field.")
    properties = document.core_properties._element
    for one in list(properties):
        if one.tag.endswith("created"):
            properties.remove(one)
    document.save(str(home.path / "plan.docx"))
    done = home.do(skill.facts, file="~/plan.docx", what="created")
    assert "does not say when it was created" in done.answer
