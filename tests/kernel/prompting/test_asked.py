"""A model asks about a request as a whole: the person answers, and the answer goes back to it with the request."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kernel import Ask
from tests.kernel.models.server import Act, Line
from tests.kernel.prompting.test_rules import HALF_HEARD, NOTHING, PLAIN, furnished
from tests.kernel.prompting.test_whole import LOST, asked_of, only_looking

pytestmark = [pytest.mark.slow, pytest.mark.sandbox]

ASKS = NOTHING | {"ask": "What does it hamper?"}


def asking(*replies: Any) -> Act:
    """Answer with each of the replies in turn; one that is a function makes it of the request as the model sees it."""
    left = list(replies)

    async def act(line: Line) -> None:
        reply = left.pop(0)
        request = json.loads(line.asked.body["messages"][2]["content"])
        await line.say(json.dumps(reply(request) if callable(reply) else reply))

    return act


def request_of(server: Any, at: int = -1) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(server.asked[at].body["messages"][2]["content"])
    return found


async def test_a_plain_question_of_a_models_is_a_question_and_its_answer_goes_back_with_the_request(
    tmp_path: Path,
) -> None:
    again = NOTHING | {"ask": "And since when?", "about": {"task": "t7", "parameter": "x"}}
    async with asked_of(tmp_path, asking(ASKS, again, only_looking)) as (bench, server):
        found = await bench.ask(LOST)
        assert found["resolution"] == "clarify", found["answer"]
        assert found["question"]["text"] == "The model scripted asks: What does it hamper?"
        more = await bench.ask("the copying, by its size")
        assert more["resolution"] == "clarify", more["answer"]
        assert request_of(server)["request"].startswith(LOST)
        asked = {"question": "What does it hamper?", "answer": "the copying, by its size"}
        assert request_of(server)["asked"] == [asked]
        done = await bench.ask("since May", yes=False)
        assert request_of(server)["asked"] == [asked, {"question": "And since when?", "answer": "since May"}]
        assert "since May" in request_of(server)["request"]
        assert done["plan"]["model"] == "scripted", done["answer"]


async def test_the_answer_may_come_after_a_restart(tmp_path: Path) -> None:
    async with asked_of(tmp_path, asking(ASKS, only_looking)) as (bench, server):
        assert (await bench.ask(LOST))["resolution"] == "clarify"
        await bench.kernel.close()
        bench.kernel = await bench.reopen()
        done = await bench.ask("the largest files", yes=False)
        assert request_of(server)["request"] == f"{LOST}\nthe largest files"
        assert done["plan"]["model"] == "scripted", done["answer"]


async def test_a_request_of_its_own_is_no_answer_and_never_mind_drops_the_question(tmp_path: Path) -> None:
    async with asked_of(tmp_path, asking(ASKS, ASKS)) as (bench, server):
        await bench.ask(LOST)
        assert (await bench.ask("what is 3 plus 4?"))["result"]["value"] is not None
        await bench.ask(LOST)
        dropped = await bench.ask("never mind")
        assert dropped["resolution"] == "declined"
        assert len(server.asked) == 2
        after = await bench.ask("find the zip files in Downloads")
        assert after["resolution"] in ("executed", "confirmed", "pending")
        assert len(server.asked) == 2


async def test_the_answer_to_a_question_about_a_private_request_is_private_too(tmp_path: Path) -> None:
    async with asked_of(tmp_path, asking(ASKS, only_looking)) as (bench, server):
        run = await bench.kernel.ask(Ask(LOST, conversation="c", cwd=str(bench.home), channel="test", private=True))
        assert (await bench.kernel.settled(run))["resolution"] == "clarify"
        run = await bench.kernel.ask(Ask("the disk", conversation="c", cwd=str(bench.home), channel="test"))
        await bench.kernel.settled(run)
        assert request_of(server)["request"] == f"{LOST}\nthe disk"
        ledger = b"".join(one.read_bytes() for one in bench.folders.data.rglob("*") if one.is_file())
        assert b"hampers" not in ledger


async def test_a_question_about_a_rule_is_answered_and_the_rule_is_shown(tmp_path: Path) -> None:
    which = NOTHING | {"ask": "Which attic?"}
    async with asked_of(tmp_path, asking(which, NOTHING | {"later": PLAIN})) as (bench, _):
        furnished(bench)
        found = await bench.ask(HALF_HEARD)
        assert found["resolution"] == "clarify", found["answer"]
        assert found["question"]["text"] == "The model scripted asks: Which attic?"
        waiting = await bench.ask("the one in my home", yes=True)
        assert waiting["resolution"] == "pending", waiting["answer"]
        assert waiting["card"]["routine"]["text"] == f"{HALF_HEARD}\nthe one in my home"


async def test_without_its_model_the_words_are_a_request_again(tmp_path: Path) -> None:
    async with asked_of(tmp_path, asking(ASKS)) as (bench, server):
        await bench.ask(LOST)
        await bench.kernel.close()
        (bench.folders.config / "models.toml").unlink()
        bench.kernel = await bench.reopen()
        assert (await bench.ask("what is 3 plus 4?"))["resolution"] == "executed"
        assert len(server.asked) == 1
