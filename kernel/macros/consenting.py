"""The card of a definition, and what a yes to it does: the macro is kept, seen before it is.

It says what is done step by step, what it is told each time, which rights that takes, and what a dry run came to. A yes
keeps the plan and gives no right: those are asked for when it is done.

What this stops: a macro that nobody has seen; a name that another one took while the card waited.
What it does not: read a sentence (``defining``).
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, NoReturn

from kernel.approval.card import card_view
from kernel.approval.consent import answer_to
from kernel.authorize import authorize
from kernel.context.mind import Mind
from kernel.errors import KernelError
from kernel.macros.book import KEPT
from kernel.macros.macro_json import from_json, to_json
from kernel.macros.model import Macro
from kernel.macros.naming import refuse_taken
from kernel.macros.sayings import say
from kernel.macros.trying import tried_plan
from kernel.macros.views import whole_view
from kernel.model import Resolution
from kernel.remembering.bulk import kept
from kernel.run import Run, Stop
from kernel.trying import Trial
from kernel.trying.beside import beside
from memory.model import Draft
from permissions.errors import PermissionsError
from permissions.labels import KERNEL_SAID
from skills.errors import SkillError


async def keep_after_yes(run: Run, macro: Macro, mind: Mind) -> NoReturn:
    """Show the card of ``macro``, and keep it where the person says yes. Raises Stop, BadRequest."""
    house = run.house
    run.language = macro.language
    await asyncio.to_thread(refuse_taken, macro.name, mind, house.macros.every(), run.utterance)
    around, view = run.around(), whole_view(macro, house)
    would = await _would(run, macro)
    card = card_view(authorize(macro.plan, around), around, macro.plan, *house.level()) | {
        "macro": view, "concerns": _concerns(view, macro.language), "would": would, "changes": would["dry"]["changes"],
    }  # fmt: skip
    request = {"stage": "macro", "card": card, "diff": would["dry"]["diff"], **kept("frozen", to_json(macro))}
    await answer_to(run, request, consented=run.yes)
    async with house.macros.keeping:  # while the card waited, another may have been called so
        await asyncio.to_thread(refuse_taken, macro.name, mind, house.macros.every(), run.utterance)
        await house.write_macro(Draft(kind=KEPT, body=to_json(macro), run=run.id, label=KERNEL_SAID.to_json()))
    house.with_effects.append(run.id)
    answer = "\n".join([say(macro.language, "defined", name=macro.name), *_steps(view, macro.language)])
    resolution = Resolution.CONFIRMED if run.confirmed else Resolution.EXECUTED
    raise Stop(resolution, answer, result={"macro": view})


async def ask_again(run: Run, frozen: Mapping[str, Any], mind: Mind) -> NoReturn:
    """Ask again about the macro that a card was about when the daemon stopped, with rights decided anew."""
    await keep_after_yes(run, from_json(frozen), mind)


async def _would(run: Run, macro: Macro) -> dict[str, Any]:
    """Return what the card says that it would do now: ``dry`` is what a dry run said, or why there was none."""
    house = run.house
    try:
        plan = tried_plan(house, macro, {})
        trial = Trial({"macro": macro.name}, macro.text, macro.cwd, asks=False)
        dry = await beside(run, plan, trial, macro.language, f'./steward macros try "{macro.name}"')
    except (KernelError, PermissionsError, SkillError, OSError) as error:
        dry = {"said": str(error)}
    return {"fires": [], "dry": {"changes": [], "diff": [], "missing": [], "run": ""} | dry}


def _concerns(view: dict[str, Any], language: str) -> list[dict[str, str]]:
    """What is kept, as lines of the card: its name, its steps, and what it is told each time."""
    lines = [{"why": say(language, "called"), "subject": str(view["name"])}]
    lines += [{"why": say(language, "does"), "subject": one} for one in _tasks(view)]
    asked = ", ".join(_asked(view))
    return [*lines, *([{"why": say(language, "told"), "subject": asked}] if asked else [])]


def _steps(view: dict[str, Any], language: str) -> list[str]:
    """What is done, step by step, as a person reads it, and what is asked for each time."""
    lines = [f"{number}. {one}" for number, one in enumerate(_tasks(view), 1)]
    asked = ", ".join(_asked(view))
    return [*lines, *([say(language, "is told", names=asked)] if asked else [])]


def _tasks(view: dict[str, Any]) -> list[str]:
    lines = []
    for task in view["plan"]["tasks"]:
        given = ", ".join(f"{task['labels'].get(name, name)}: {value}" for name, value in task["arguments"].items())
        lines.append(f"{task['title'].rstrip('.')}{f' ({given})' if given else ''}")
    return lines


def _asked(view: dict[str, Any]) -> list[str]:
    return [str(one["name"]).replace("_", " ") for one in view["parameters"]]
