"""A macro whose skill changed is planned anew from its words, and says so; nothing is different in silence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kernel import Folders
from kernel.errors import BadRequest
from tests.kernel.macros.conftest import by_name
from tests.kernel.routines.conftest import Desk, desk_on
from tests.kernel.small_skill import lay_skill

pytestmark = [pytest.mark.slow, pytest.mark.sandbox]

_CODE = '''"""A bell."""

from __future__ import annotations

from skills.sdk import Context, Title


def ring(ctx: Context, {name}: Title{more}) -> str:
    """Ring the chime.

    Args:
        {name}: what to call it.{doc}
    """
    ctx.say("{sound} " + {name})
    return {name}
'''
_MANIFEST = """[tools.ring]
effect = "pure"
examples.en = ["ring the chime called {{{name}:Bob}}", "let the chime called {{{name}:Big Ben}} ring"]
examples.de = ["läute die Glocke namens {{{name}:Bob}}", "lass die Glocke namens {{{name}:Big Ben}} läuten"]
"""
TEXT, TEXT_DE = "ring the chime called Otto", "läute die Glocke namens Otto"


def lay(root: Path, sound: str, name: str = "title") -> None:
    """Lay the chime as it sounds now."""
    folders = Folders({"HOME": str(root / "home"), "STEWARD_HOME": str(root / "steward")})
    code = _CODE.format(sound=sound, name=name, more="", doc="")
    lay_skill(folders, "chime", _MANIFEST.format(name=name), code, "rings a chime")


async def kept(desk: Desk, text: str, **more: Any) -> None:
    done = await desk.say(text)
    assert done["resolution"] in ("executed", "confirmed"), done
    await desk.kernel.macros.new("evening bell", done["run"], **more)


@pytest.mark.parametrize(("text", "says"), [(TEXT, "changed since the macro"), (TEXT_DE, "geändert, seit das Makro")])
async def test_with_other_code_its_words_are_planned_anew_and_the_answer_says_so(
    tmp_path: Path, text: str, says: str
) -> None:
    lay(tmp_path, "ding")
    async with desk_on(tmp_path) as first:
        await kept(first, text)
        same = await first.say("evening bell")
        assert "ding Otto" in same["answer"], same["answer"]
        assert says not in same["answer"]
    lay(tmp_path, "dong")
    async with desk_on(tmp_path) as later:
        assert later.kernel.macros.whole("evening bell")["changed"] == ["chime.ring"]
        view = await later.say("evening bell")
        assert "dong Otto" in view["answer"], view["answer"]
        assert says in view["answer"]
        assert view["macro"] == "evening bell"
        again = await later.kernel.macros.new("evening bell", view["run"])
        assert again["changed"] == []
        assert says not in (await later.say("evening bell"))["answer"]


async def test_what_it_is_told_has_its_place_in_the_new_plan(tmp_path: Path) -> None:
    lay(tmp_path, "ding")
    async with desk_on(tmp_path) as first:
        await kept(first, TEXT, asked=["title"])
        assert "ding Emma" in (await by_name(first, "evening bell", title="Emma"))["answer"]
    lay(tmp_path, "dong")
    async with desk_on(tmp_path) as later:
        told = await by_name(later, "evening bell", title="Emma")
        assert "dong Emma" in told["answer"], told["answer"]
        assert "Otto" not in told["answer"].split("\n")[0]
        asked = await later.say("evening bell")
        assert asked["resolution"] == "clarify", asked
        answered = await later.say("Frida")
        assert "dong Frida" in answered["answer"], answered
        assert "changed since the macro" in answered["answer"]


async def test_a_value_without_a_place_in_the_new_plan_is_not_left_out_in_silence(tmp_path: Path) -> None:
    lay(tmp_path, "ding")
    async with desk_on(tmp_path) as first:
        await kept(first, TEXT, asked=["title"])
    lay(tmp_path, "dong", name="label")
    async with desk_on(tmp_path) as later:
        view = await by_name(later, "evening bell", title="Emma")
        assert (view["resolution"], view["error"]["code"]) == ("declined", "macro.changed"), view
        assert "chime.ring" in view["answer"]


async def test_where_its_tool_is_gone_nothing_else_is_done_for_it(tmp_path: Path) -> None:
    lay(tmp_path, "ding")
    async with desk_on(tmp_path) as first:
        await kept(first, TEXT)
    (tmp_path / "steward").rename(tmp_path / "before")
    async with desk_on(tmp_path) as later:
        body = await _moved(tmp_path / "before", later)
        assert body["changed"] == ["chime.ring"]
        assert later.kernel.macros.whole("evening bell")["plan"] is None
        view = await later.say("evening bell")
        assert view["resolution"] in ("declined", "clarify"), view
        assert "chime.ring changed since the macro" in view["answer"]
        with pytest.raises(BadRequest):
            await later.kernel.macros.new("other bell", view["run"])


async def _moved(before: Path, desk: Desk) -> dict[str, Any]:
    """Keep what an earlier installation kept, where its skill is not installed."""
    from kernel.macros.book import KEPT
    from memory import Ledger
    from memory.model import Draft

    with Ledger.open(Folders({"HOME": "/", "STEWARD_HOME": str(before)}).data / "ledger", read_only=True) as ledger:
        (event,) = ledger.events(kinds=(KEPT,))
        await desk.kernel._house.write_macro(Draft(kind=KEPT, body=event.body))
    (found,) = desk.kernel.macros.every()
    return found
