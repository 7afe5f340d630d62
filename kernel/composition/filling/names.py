"""Names of more than one word, and places that only say where the named things are.

"Save it as by month.csv" makes a file whose name has a space; "move a.png from Desktop to Pictures" names a folder that
the tool does not take, but that holds what it takes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from kernel.composition import weights as w
from kernel.composition.filling.standing import is_locative
from kernel.composition.profiles.skeletons import START
from kernel.composition.scene import Scene, bits
from kernel.composition.window import Filler, Window
from kernel.composition.words import is_determiner, is_preposition
from kernel.model import Constant, Span
from kernel.paths import holds, paths_of
from skills.model import Parameter, ValueKind

K = ValueKind
_MOST_WORDS = 5


def long_names(window: Window, parameter: Parameter) -> Iterator[Filler]:
    """Yield new files, or new names with a suffix, that begin with the words between the cue and what ends in one."""
    scene = window.scene
    as_title = parameter.type.kind is K.TITLE and _has_suffixes(window, parameter)
    if parameter.type.kind is not K.NEW_FILE and not as_title:
        return
    for span in scene.spans_in(window.first, window.last):
        if span.kind is not K.NEW_FILE or span.last - span.first > 1 or "/" in scene.text(span.first, span.last):
            continue
        start = _announced_from(window, parameter, span.first)
        if start is not None and not (as_title and scene.free[start]):
            folder = str(span.value).rpartition("/")[0]
            text = scene.text(start, span.last)
            value = Constant(text if as_title else f"{folder}/{text}", span.label, text)
            mask = bits(start, span.last)
            origin = "doubted" if as_title else "typed"
            yield Filler(parameter.name, value, mask, start, span.last, w.LONG_NAME, origin)


def _has_suffixes(window: Window, parameter: Parameter) -> bool:
    """The examples have names with a suffix there: the title is that of a file."""
    return any("." in word for word in window.profile.values.get(parameter.name, ()))


def _announced_from(window: Window, parameter: Parameter, end: int) -> int | None:
    """Where a name that ends at ``end`` begins: after the nearest word that announces it, past its article."""
    scene, cues = window.scene, window.profile.cues
    for start in range(end, max(window.first, end - _MOST_WORDS), -1):
        left = window.left_words(start)
        share = 0.0 if left[0] == START else cues.share_left(parameter.name, left) or 0.0
        if share >= 0.5:
            return next((at for at in range(start, end) if not is_determiner(scene.tokens[at].norm)), None)
        if start == window.first or not scene.words[start - 1] or scene.hard >> (start - 1) & 1:
            return None
    return None


def placed(window: Window, parameter: Parameter, fillers: list[Filler]) -> list[Filler]:
    """Return the same things with the words that only say in which folder they are ("from Desktop").

    Of several things with one name, the folder tells which. A thing that is not in that folder is missing, for a tool
    that changes something: the place is never passed over.
    """
    scene = window.scene
    folders = [
        span for span in scene.spans_in(window.first, window.last) if span.kind is K.FOLDER and _is_certain(span)
    ]
    return [
        found
        for one in fillers
        for span in folders
        if _is_beside(scene, one, span) and (found := _in_folder(window, parameter, one, span)) is not None
    ]


def put_into(window: Window, fillers: list[Filler]) -> list[Filler]:
    """Return new files in the folder that stands right beside their bare name: "as a.csv in Finance"."""
    scene = window.scene
    folders = [
        span for span in scene.spans_in(window.first, window.last) if span.kind is K.FOLDER and _is_certain(span)
    ]
    return [found for one in fillers for span in folders if (found := _in_stated(scene, one, span)) is not None]


def _in_stated(scene: Scene, one: Filler, span: Span) -> Filler | None:
    behind = range(one.last, span.first) or range(span.last, one.first)
    given, folder = one.argument, next(paths_of(span.value), "")
    if not isinstance(given, Constant) or "/" in given.text or not folder or not 0 < len(behind) <= 3:
        return None
    said = range(one.last, span.first) if span.first > one.last else range(max(span.first - 2, 0), span.first)
    if not all(scene.free[at] for at in behind) or not any(is_locative(scene.tokens[at].norm) for at in said):
        return None
    first, last = min(one.first, span.first), max(one.last, span.last)
    name = str(given.value).rpartition("/")[2]
    value = replace(given, value=f"{folder}/{name}", text=f"{folder.rpartition('/')[2]}/{name}")
    return replace(one, argument=value, mask=bits(first, last), first=first, last=last)


def _is_certain(span: Span) -> bool:
    return span.source != "missing" and span.confidence >= w.SURE_PLACE


def _is_beside(scene: Scene, one: Filler, span: Span) -> bool:
    """Right behind the thing: only a preposition, an article and the like stand between."""
    between = range(one.last, span.first)
    return (
        0 < len(between) <= 3
        and isinstance(one.argument, Constant)
        and not one.missing
        and all(scene.free[at] for at in between)
        and any(is_preposition(scene.tokens[at].norm) for at in between)
    )


def _in_folder(window: Window, parameter: Parameter, one: Filler, span: Span) -> Filler | None:
    scene = window.scene
    held = [value for value in (one.argument, *one.others) if isinstance(value, Constant)]
    inside = [value for value in held if _lies_in(next(paths_of(span.value), ""), value)]
    mask = bits(one.first, span.last)
    if inside:
        return replace(one, argument=inside[0], others=tuple(inside[1:]), mask=mask, last=span.last)
    says_where = any(is_locative(scene.tokens[at].norm) for at in range(one.last, span.first))
    if not says_where or not window.profile.removes(parameter.name):
        return None
    absent = replace(held[0], text=scene.text(one.first, span.last))
    return replace(one, argument=absent, others=(), mask=mask, last=span.last, missing=True)


def _lies_in(folder: str, value: Constant) -> bool:
    paths = list(paths_of(value.value))
    return bool(paths) and all(holds(folder, path) for path in paths)
