"""What earlier requests of a conversation found and were given, for "it" and "the second one" to mean."""

from __future__ import annotations

from dataclasses import replace

from kernel.composition import weights as w
from kernel.composition.steps.results import Source
from kernel.composition.steps.sources import argument_source
from kernel.context.dialogue import Dialogue, LastRun
from kernel.context.toolbox import Toolbox
from kernel.language.showing import CALLED
from kernel.model import Constant, Task
from permissions.labels import Label
from skills.model import ValueKind, ValueType


def earlier_sources(context: Dialogue, toolbox: Toolbox) -> tuple[Source, ...]:
    """Return what is shown with the sentence, and what earlier runs of the conversation found, newest first."""
    found: list[Source] = []
    for run in [context.last, *context.recent]:
        if run is None or (run is context.last and found):
            continue
        found += _sources_of(run, toolbox, len(found))
    return (*_shown(context), *found)[: 3 * w.MAX_TASKS]


def _shown(context: Dialogue) -> tuple[Source, ...]:
    """What a person shows is the nearest thing that "this" may mean; of nobody's making, and nobody vouches for it."""
    if not context.shown:
        return ()
    words, kind = CALLED, ValueType(ValueKind.TEXT)
    return (Source(kind, None, True, words, -1.0, context.shown, Label(), context.shown, given=True),)


def _sources_of(run: LastRun, toolbox: Toolbox, age: int) -> list[Source]:
    found: list[Source] = []
    for task in reversed(run.plan.tasks):
        outcome = run.outcomes.get(task.id)
        if outcome is None or not outcome.ok or outcome.value is None or not toolbox.knows(task.tool):
            continue
        result = toolbox.tool(task.tool).result
        if task.each is not None:  # a list of what each of its calls found
            if result.many:
                continue
            result = replace(result, many=True)
        single = not result.many or (isinstance(outcome.value, list) and len(outcome.value) == 1)
        words = _words_of(task) | toolbox.profile(task.tool, run.plan.language).carriers
        label = outcome.label or Label()
        owner, older = toolbox.tool(task.tool).skill, age + len(found)
        found.append(Source(result, None, single, words, older, outcome.value, label, task.text, owner=owner))
        found += _given(task, toolbox, age + len(found))
    return found


def _words_of(task: Task) -> frozenset[str]:
    """The words that a task was read from, also without a plural s."""
    words = {word.strip(".,;:!?\"'").casefold() for word in task.text.split()}
    return frozenset(words | {word[:-1] for word in words if len(word) > 3 and word.endswith("s")})


def _given(task: Task, toolbox: Toolbox, age: int) -> list[Source]:
    """What the task was given may be meant too."""
    found: list[Source | None] = []
    profile = toolbox.profile(task.tool, "en")
    for name, argument in task.arguments.items():
        if isinstance(argument, Constant) and not profile.removes(name):
            kind = toolbox.tool(task.tool).parameter(name).type
            found.append(argument_source(kind, argument.value, argument.label, argument.text, age))
    return [one for one in found if one is not None]
