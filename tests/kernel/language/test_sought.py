"""Questions after where a thing was put: which words of them say no more than "where"."""

from __future__ import annotations

import pytest

from kernel.language.sought import asks_where, only_where


@pytest.mark.parametrize(
    ("text", "light"),
    [
        ("where did i put the list", "put"),
        ("i wonder where i left my lease", "left"),
        ("tell me where we stashed the minutes", "stashed"),
        ("where on earth is the plan", "on earth"),
        ("where the hell did i leave it", "the hell leave"),
        ("wo zum teufel ist die liste", "zum teufel"),
        ("wo in aller welt habe ich die liste hingelegt", "in aller welt"),
    ],
)
def test_such_words_say_no_more(text: str, light: str) -> None:
    words = text.split()
    assert " ".join(words[at] for at in sorted(only_where(words))) == light
    assert asks_where(words)


@pytest.mark.parametrize(
    "text",
    ["put the list where i keep the bills", "leg es dahin wo ich die rechnungen habe", "did i put milk on the list",
     "move it to the folder where i put the bills"],
)  # fmt: skip
def test_a_place_that_is_described_is_not_asked_for(text: str) -> None:
    assert not only_where(text.split())
    assert not asks_where(text.split())
