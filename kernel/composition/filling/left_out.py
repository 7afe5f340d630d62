"""What is left out of many things: "all files in Downloads except the PDFs", "alle Dateien außer den Bildern".

A tool takes it where its examples have a slot that always stands behind such a word (``Profile.left_out``); its words
are those of the parameter that means the same without it.

What this stops: that what is left out is taken for what is wanted, and that one thing has exceptions.
What it does not: read "bis auf", "but" or "keep b.pdf" (``kernel.language.excepting``): there nothing is taken away.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from kernel.composition.filling.joined import EACH
from kernel.composition.scene import Scene, bits
from kernel.composition.window import Filler, Window
from kernel.composition.words import is_plural, is_whole
from kernel.language.excepting import exception_before
from kernel.model import Constant

_EVERY = frozenset("all every each any alle allen aller jede jedes jeden jeder jedem sämtliche".split())


def set_apart(window: Window, found: Mapping[str, list[Filler]]) -> dict[str, list[Filler]]:
    """Return the candidates, those behind "except" as what is left out and not as what is wanted."""
    parted = dict(found)
    for name, wanted in window.profile.left_out.items():
        candidates = [*found.get(name, ()), *found.get(wanted, ())]
        excepted = [new for one in candidates for new in _excepted(window, name, one)]
        mask = sum({1 << at for one in excepted for at in range(one.first, one.last)})
        parted[name] = excepted
        parted[wanted] = [one for one in found.get(wanted, ()) if not one.mask & mask and not _is_excepted(window, one)]
    return parted


def _is_excepted(window: Window, one: Filler) -> bool:
    return bool(one.mask) and exception_before(window.scene.intent.tokens, one.first) is not None


def _excepted(window: Window, name: str, one: Filler) -> Iterator[Filler]:
    """``one`` as what is left out, where it stands behind a word that excepts it from many."""
    at = exception_before(window.scene.intent.tokens, one.first) if one.mask else None
    if at is None or at < window.first or not _is_of_many(window.scene, window.first, at):
        return
    if not isinstance(one.argument, Constant):
        return
    many = window.profile.parameter(name).type.many
    values = [one.argument, *(one.others if one.origin == EACH else ())]
    if len(values) > 1 and not many:
        return
    value = [each.value for each in values] if many else one.argument.value
    origin = "choice" if one.origin == EACH else one.origin
    mask = one.mask | bits(at, one.last)
    yield replace(one, parameter=name, argument=replace(one.argument, value=value), others=(), mask=mask, origin=origin)


def _is_of_many(scene: Scene, first: int, last: int) -> bool:
    """Something of which there are many is spoken of: "everything", "every PDF", "the files"."""
    words = ((at, scene.tokens[at]) for at in range(first, last))
    return any(
        is_whole(token.norm)
        or token.norm in _EVERY
        or (not scene.free[at] and not scene.hard >> at & 1 and is_plural(token))
        for at, token in words
    )
