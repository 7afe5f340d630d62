"""A request speaks of a conversation by what it was about, and means the thing of that one, never of another."""

from __future__ import annotations

from typing import Any

import pytest

from kernel import Ask
from kernel.recalling.talks import talks_about

Bench = Any  # tests/kernel/conftest.py


@pytest.fixture
async def lived(bench: Bench) -> Bench:
    """Conversations with a note each, of which none is called by what was talked about; and one since."""
    for talk, about, name in (
        ("a", "what is 12 percent of the budget of 300", "Alpha"),
        ("b", "which noodles are the longest", "Beta"),
    ):
        await bench.ask(about, conversation=talk)
        view = await bench.ask(f"make a note called {name} saying water plants", conversation=talk)
        assert view["resolution"] == "confirmed", view
    await bench.ask("wie warm ist die Heizung", conversation="g")
    view = await bench.ask("erstelle eine Notiz namens Gamma mit dem Text water plants", conversation="g")
    assert view["resolution"] == "confirmed", view
    await bench.ask("make a note called Budget talk saying nothing", conversation="c", yes=False)
    return bench


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("read the note from our conversation about the budget", "Alpha"),
        ("lies die Notiz aus unserem Gespräch über die Heizung vor", "Gamma"),
        ("read the note from our last chat about noodles", "Beta"),
    ],
)
async def test_the_thing_of_a_conversation_is_meant(lived: Bench, text: str, about: str) -> None:
    view = await lived.ask(text, conversation="now")
    assert view["resolution"] in ("executed", "confirmed"), view
    assert about in str(view["plan"]["tasks"][0]["arguments"]), view["plan"]
    assert "water plants" in view["answer"]
    await lived.kernel.close()
    lived.kernel = await lived.reopen()
    assert "water plants" in (await lived.ask(text, conversation="later"))["answer"]


@pytest.mark.parametrize(
    "text",
    [
        "delete the note from our conversation about elephants",
        "lösche die Notiz aus unserem Gespräch über Elefanten",
        "delete the file from our conversation about the budget of elephants",
    ],
)
async def test_where_none_was_about_it_nothing_is_done(lived: Bench, text: str) -> None:
    before = lived.tree()
    view = await lived.ask(text, conversation="now")
    assert view["resolution"] in ("clarify", "declined", "failed"), view
    assert lived.tree() == before


async def test_a_client_means_no_conversation_of_the_persons(lived: Bench) -> None:
    await lived.kernel.clients.add("claude")
    text = "read the note from our conversation about the budget"
    view = await lived.kernel.settled(await lived.kernel.ask(Ask(text, client="claude", channel="mcp")))
    assert "Alpha" not in str(view["plan"])
    assert "Alpha" not in view["answer"]


async def test_words_that_say_nothing_find_no_conversation(lived: Bench) -> None:
    for words in ("", "the", "\u202e", "zebra budget", "?"):
        assert talks_about(lived.kernel._house, words) == (), words
    assert "a" in talks_about(lived.kernel._house, "budget"), "the control"
