"""What the past says about a request comes with what the grants and the graph say of each tool, whoever asks for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kernel import Ask
from kernel.context.experienced import experienced
from kernel.interpret import interpret
from kernel.model import ConversationId, Utterance
from kernel.prompting.helping import _together
from kernel.ranking import Experience, Moment

if TYPE_CHECKING:
    from kernel.house import House
    from tests.kernel.conftest import Bench

SAID = "make a note called tea saying green"


def said(bench: Bench, text: str = SAID, client: str = "") -> Utterance:
    house, home = bench.kernel._house, str(bench.home)
    return Utterance(text, ConversationId("c"), home, home, house.clock(), client)


async def test_what_is_granted_and_who_is_near_are_reasons(bench: Bench) -> None:
    house: House = bench.kernel._house
    before = (await experienced(house, said(bench))).moment
    assert (dict(before.granted), dict(before.linked)) == ({}, {})
    waiting = await bench.ask(SAID, yes=False)
    assert (await bench.answer(waiting["run"], "always"))["resolution"] == "confirmed"
    assert (await experienced(house, said(bench))).moment.granted["notes.create"] > 0
    assert not (await experienced(house, said(bench, client="mcp:other"))).moment.granted
    view: dict[str, Any] = await bench.kernel.recommend(Ask(SAID))
    note = next(one for one in view["tools"] if one["tool"] == "notes.create")
    assert note["reasons"]["granted"] > 0


async def test_a_models_set_of_tools_is_chosen_by_them_too(bench: Bench) -> None:
    house: House = bench.kernel._house
    mind = await house.learning.own_mind(house.ledger)
    intent = interpret(said(bench, "the big files and the notes"), house.world, mind.lexicon)
    plain = _together(house, intent, mind, Experience())
    near = Experience(moment=Moment(linked={plain[-1]: 1.0}, granted={plain[-1]: 1.0}))
    assert _together(house, intent, mind, near).index(plain[-1]) < len(plain) - 1
