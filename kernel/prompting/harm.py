"""When a plan of a model's that takes something away is not used, for what the sentence says.

They are the rules for the kernel's own plans (``kernel.asking.harm``, ``taken``) as far as they are about words and
values: two things of which one holds the other, a thing that lies elsewhere than its words say, "all but" of what
nobody narrows by yet, what somebody has no use for, a folder that no word says is the place, an order without a number.
The others are about where the kernel cut a sentence into clauses, which a model does not.
What it does not: let anything pass unseen. A plan of a model's that changes something is always shown first.
"""

from __future__ import annotations

from collections.abc import Iterator

from kernel.asking.ask import ask_for
from kernel.asking.harm import is_said_as_place, leaves_out, wants_no_more
from kernel.asking.taken import is_harmful, lies_elsewhere, plan_takes_away
from kernel.composition.profiles.profile import Box, Profile
from kernel.composition.scene import Scene
from kernel.composition.words import is_negation
from kernel.language.place.place_words import ARTICLES, FOLDER_NOUNS
from kernel.model import Constant, Plan, Question, Task
from permissions.labels import Integrity
from skills.deciding import takes_away
from skills.model import ValueKind
from skills.roles import OUTWARD

_WORDS = {
    "en": {
        "nested": "it takes away a folder and something in it as two things",
        "elsewhere": "it takes away something that lies elsewhere than you said",
        "all_but": "it takes away all, and you said which are to be kept",
        "disliked": "it takes away what you only said you have no use for",
        "place": "it takes things away from a folder that you named, and not as the place",
        "count": "it takes some of several things away, and you did not say how many",
        "unasked": "it would delete, move or send something again and again, and none of your words says so",
    },
    "de": {
        "nested": "er nimmt einen Ordner und etwas darin als zweierlei weg",
        "elsewhere": "er nimmt etwas weg, das woanders liegt, als du gesagt hast",
        "all_but": "er nimmt alles weg, und du hast gesagt, was bleiben soll",
        "disliked": "er nimmt weg, wovon du nur gesagt hast, dass du es nicht brauchst",
        "place": "er nimmt Dinge aus einem Ordner weg, den du genannt hast, aber nicht als den Ort",
        "count": "er nimmt einige von mehreren Dingen weg, und du hast nicht gesagt, wie viele",
        "unasked": "er würde immer wieder etwas löschen, verschieben oder senden, und keins deiner Worte sagt das",
    },
}
_WHERETO = frozenset("to into onto nach zum zur zu ins".split())
_INTO = frozenset("den die das".split())
_NOT_USED = {
    "en": "The model {name} made a plan that is not used: {why}.",
    "de": "Das Modell {name} hat einen Plan gemacht, der nicht gilt: {why}.",
}


def harm_in(plan: Plan, scene: Scene, box: Box) -> str:
    """Return which rule forbids ``plan``, empty where none does. The tools of the plan are known to ``box``."""
    if is_harmful(plan, box):
        return "nested"
    if not plan_takes_away(plan, box):
        return ""
    if any(lies_elsewhere(one) for one in _gone(plan, box)):
        return "elsewhere"
    if leaves_out(scene) and not _leaves_something(plan, box):
        return "all_but"
    if _is_disliked(plan, scene, box):
        return "disliked"
    return "place" if any(not is_said_as_place(scene, *at) for at in _places(plan, scene, box)) else ""


def harm_in_rule(plan: Plan, scene: Scene, box: Box) -> str:
    """Return which rule forbids ``plan`` as one that is done again and again; empty where none does.

    Then nobody looks on: what goes from its place, or reaches others, has to be said in a word of the person's own.
    """
    if harm := harm_in(plan, scene, box):
        return harm
    if which_count(plan, box) is not None:
        return "count"
    return (
        "unasked"
        if any(_is_grave(task, plan, box) and not _tells_of(scene, task, plan, box) for task in plan.tasks)
        else ""
    )


def _is_grave(task: Task, plan: Plan, box: Box) -> bool:
    tool = box.profile(task.tool, plan.language).tool
    return takes_away(tool) or any(right.action in OUTWARD for right in tool.rights)


def _tells_of(scene: Scene, task: Task, plan: Plan, box: Box) -> bool:
    """Tell whether a word of the sentence says what ``task`` does, or whereto it takes what it does not destroy."""
    profile = box.profile(task.tool, plan.language)
    telling = {word for word in profile.telling if word.isalpha()}
    said = {form for at, plain in enumerate(scene.words) if plain for form in scene.forms[at]}
    if not telling.isdisjoint(said):
        return True
    return not profile.destroys and takes_away(profile.tool) and _says_whereto(scene, task, profile)


def _says_whereto(scene: Scene, task: Task, profile: Profile) -> bool:
    """Tell whether the sentence names the place where things end up, as one: "off to the attic with them"."""
    own = {" ".join(one.text.casefold().split()) for name, one in task.arguments.items()
           if isinstance(one, Constant) and not profile.removes(name)
           and one.label.integrity is Integrity.USER}  # fmt: skip
    norms = [token.norm for token in scene.tokens]
    for first, norm in enumerate(norms):
        behind = first + 1 + (norms[first + 1 : first + 2] != [] and norms[first + 1] in ARTICLES)
        leads = norm in _WHERETO or (norm == "in" and norms[first + 1 : first + 2] and norms[first + 1] in _INTO)
        if leads and any(scene.text(behind, last).casefold() in own for last in range(behind + 1, len(norms) + 1)):
            return True
    return False


def why_not(harm: str, name: str, language: str) -> str:
    """Say to a person why a plan of the model ``name`` is not used."""
    why = _WORDS.get(language, _WORDS["en"])[harm]
    return _NOT_USED.get(language, _NOT_USED["en"]).format(name=name, why=why)


def which_count(plan: Plan, box: Box) -> Question | None:
    """Ask how many, where things are taken away by an order without a number: "the old invoices"."""
    if not plan_takes_away(plan, box):
        return None
    for task in plan.tasks:
        profile = box.profile(task.tool, plan.language)
        bounded = any(profile.parameter(name).type.kind is ValueKind.PERIOD for name in task.arguments)
        ordered = profile.is_pure and profile.ordering & set(task.arguments) and not bounded
        if ordered and profile.count and profile.count not in task.arguments:
            return ask_for(plan, task.id, profile.count, box)
    return None


def _gone(plan: Plan, box: Box) -> Iterator[Constant]:
    for task in plan.tasks:
        removes = box.profile(task.tool, plan.language).removes
        yield from (one for name, one in task.arguments.items() if removes(name) and isinstance(one, Constant))


def _leaves_something(plan: Plan, box: Box) -> bool:
    """Tell whether some step is given what to leave out."""
    profiles = ((box.profile(task.tool, plan.language), task.arguments) for task in plan.tasks)
    return any(name in profile.left_out for profile, given in profiles for name in given)


def _is_disliked(plan: Plan, scene: Scene, box: Box) -> bool:
    """Tell whether the sentence negates, and no word of it says what would be done: "I don't need PDFs, copy them"."""
    norms = [token.norm for token in scene.tokens]
    if not any(map(is_negation, norms)) or wants_no_more(norms):
        return False
    forms = {form for at, plain in enumerate(scene.words) if plain for form in scene.forms[at]}
    return any(forms.isdisjoint(box.profile(task.tool, plan.language).telling) for task in _taking(plan, box))


def _taking(plan: Plan, box: Box) -> Iterator[Task]:
    return (task for task in plan.tasks if plan_takes_away(Plan((task,), plan.language), box))


def _places(plan: Plan, scene: Scene, box: Box) -> Iterator[tuple[int, int]]:
    """Yield where in the sentence the folders stand in which a step looks for things, where its words say them."""
    taken_from = {one for task in _taking(plan, box) for one in task.needs()}
    for task in plan.tasks:
        profile = box.profile(task.tool, plan.language)
        for name, one in task.arguments.items() if profile.is_pure and task.id in taken_from else ():
            if isinstance(one, Constant) and one.text and profile.parameter(name).type.kind is ValueKind.FOLDER:
                found = [span for span in scene.spans if scene.text(span.first, span.last) == one.text]
                yield from ((_from_noun(scene, span.first), span.last) for span in found[:1])


def _from_noun(scene: Scene, first: int) -> int:
    """Return where the words of a folder begin, with what says that it is one: "the folder Downloads"."""
    return first - 1 if first and scene.tokens[first - 1].norm in FOLDER_NOUNS else first
