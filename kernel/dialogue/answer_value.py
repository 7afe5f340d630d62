"""The value that the words of an answer say, where one was asked for: a file, a folder, a name, a text."""

from __future__ import annotations

from dataclasses import replace
from fnmatch import fnmatchcase

from kernel.composition import weights as w
from kernel.composition.filling.fillers import FREE_TEXT, accepted_by, text_fillers, value_of
from kernel.composition.filling.units import is_of_another_measure
from kernel.composition.profiles.profile import Box
from kernel.composition.scene import Scene, bits
from kernel.composition.schemas.answered import answered
from kernel.composition.window import Filler
from kernel.composition.words import is_negation, is_word
from kernel.context.naming import split_name
from kernel.language.function_words import is_question_word
from kernel.model import Constant, Question
from skills.model import Parameter, Tool, ValueKind

K = ValueKind


def value_said(scene: Scene, question: Question, box: Box, *, clear: bool) -> Constant | None:
    """Return a value of the wanted kind that explains the whole answer; free text where free text is wanted."""
    task = next(one for one in question.draft.tasks if one.id == question.task)
    parameter = box.tool(task.tool).parameter(question.parameter)
    typed = _by_schema(scene, box, box.tool(task.tool), parameter) or _typed_value(scene, parameter)
    if typed is None:
        profile = box.profile(task.tool, question.draft.language)
        fillers = text_fillers(scene, profile, box, 0, scene.size).get(parameter.name, [])
        fit = (one for one in fillers if covers(scene, one.mask) and not (parameter.unit and one.missing))
        typed = next(fit, None) if parameter.type.kind not in FREE_TEXT else None
    if typed is not None and isinstance(typed.argument, Constant):
        return typed.argument
    named = _called(scene, parameter)
    if named is not None:
        return named
    clear = clear or asks(scene)
    makes = box.profile(task.tool, question.draft.language).makes
    if parameter.type.kind is K.FOLDER and parameter.name in makes and scene.home and not clear:
        return _new_folder(scene, parameter)
    asked = parameter.type.kind in FREE_TEXT and not clear and not _is_task(scene, parameter, box)
    return _free_value(scene, parameter) if asked else None


def _by_schema(scene: Scene, box: Box, tool: Tool, parameter: Parameter) -> Filler | None:
    """What a tool without examples takes is said in a form of its own: a place for a time zone, a path for a text."""
    found = None if tool.examples else answered(scene, box.untaught.known(tool.id), parameter.name)
    return found if found is not None and covers(scene, found.mask) else None


def _called(scene: Scene, parameter: Parameter) -> Constant | None:
    """The one thing that the words name of those whose names the parameter takes: "die Notiz Garden plan"."""
    if parameter.type.many or not parameter.names or not scene.home:
        return None
    pattern = parameter.names.replace("~", scene.home, 1)
    spans = [one for one in scene.spans if one.kind is K.FILE and fnmatchcase(str(one.value), pattern)]
    longest = max((one.last - one.first for one in spans), default=0)
    named = {str(one.value): one for one in spans if one.last - one.first == longest}
    if len(named) != 1:
        return None
    path, span = next(iter(named.items()))
    return Constant(split_name(path)[0], span.label, scene.text(span.first, span.last))


def _is_task(scene: Scene, parameter: Parameter, box: Box) -> bool:
    """ "Put a copy of it on the desktop" is no title: a sentence with a verb that points at something."""
    words = [at for at, free in enumerate(scene.free) if not free]
    verbs = any(box.is_verb(scene.forms[at], scene.intent.language) for at in words[:2])
    return parameter.type.kind is not K.TEXT and bool(scene.pointing) and verbs and len(words) > 2


def asks(scene: Scene) -> bool:
    """Tell whether the words are a question: then they are no name and no text that somebody asked for."""
    words = [token for token in scene.tokens if is_word(token)]
    return scene.tokens[-1].norm == "?" or (len(words) > 1 and is_question_word(words[0].norm))


def _new_folder(scene: Scene, parameter: Parameter) -> Constant | None:
    """A folder to put things into may be new: a short name, meant below the home."""
    named = _free_value(scene, parameter)
    negated = any(is_negation(token.norm) for token in scene.tokens)
    if named is None or negated or not named.text or "/" in named.text or len(named.text.split()) > 4:
        return None
    return Constant(f"{scene.home}/{named.text}", named.label, named.text)


def _typed_value(scene: Scene, parameter: Parameter) -> Filler | None:
    accepts = accepted_by(parameter)
    for span in sorted(
        scene.spans, key=lambda one: (one.source == "missing", -(one.last - one.first), -one.confidence)
    ):
        hard = parameter.type.kind not in FREE_TEXT or span.source == "quoted"
        if span.kind not in accepts or not hard or span.source == "missing":
            continue
        mask = bits(span.first, span.last)
        if covers(scene, mask) and not is_of_another_measure(parameter, span):
            constant = value_of(parameter, span, scene)
            constant = replace(constant, value=[constant.value]) if parameter.type.many else constant
            return Filler(parameter.name, constant, mask, span.first, span.last, 1.0, "answer")
    return None


def covers(scene: Scene, mask: int) -> bool:
    """Tell whether only closed-class words and light verbs stand beside the value."""
    return all(mask >> at & 1 or scene.costs[at] <= w.LIGHT for at in range(scene.size))


def _free_value(scene: Scene, parameter: Parameter) -> Constant | None:
    cued = [
        span for span in scene.spans if span.source.startswith("cue") and span.first <= 3 and span.last == scene.size
    ]
    first = min((span.first for span in cued if _is_lead(scene, span.first)), default=0)
    if first == 0:
        while first < scene.size - 1 and parameter.type.kind is not K.TEXT and scene.free[first]:
            first += 1
    last = scene.size
    while last > first + 1 and not scene.words[last - 1]:
        last -= 1
    text = scene.text(first, last).strip()
    value = [text] if parameter.type.many else text
    return Constant(value, scene.intent.label, text) if text else None


def _is_lead(scene: Scene, first: int) -> bool:
    return all(scene.costs[at] <= w.CONTENT for at in range(first)) and sum(scene.costs[:first]) <= 2 * w.CONTENT
