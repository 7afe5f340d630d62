"""A slot for whoever thinks of candidates that no rule of ours would; what comes back is validated, not believed.

Stops: genomes of no such space, source that has no kernel in it, that names files of this machine to the compiler, or
that holds assembly. Does not stop: wrong or hostile kernels; those are the judge's.
"""

from __future__ import annotations

import re
from collections import deque
from typing import Final

import numpy as np

from gpu_skills.model import Space
from gpu_skills.search.model import Author, Brief, Proposal, Refusal
from gpu_skills.search.standing import Standing
from gpu_skills.search.steps import Steps

_MOST_CHARACTERS: Final = 200_000
_MOST_PROPOSALS: Final = 8
_HEADERS: Final = frozenset(
    "cstdint stdint.h cstddef stddef.h cmath math.h cstring string.h cstdlib stdlib.h climits cfloat float.h limits"
    " algorithm array atomic bit functional new numeric tuple type_traits utility vector pthread.h immintrin.h"
    " arm_neon.h arm_sve.h".split()
)
_GAP: Final = r"(?:[ \t]|/\*.*?\*/)*"
_TO_THE_COMPILER: Final = re.compile(
    rf"(?:#|%:|\?\?=){_GAP}(include\w*|import|embed|ident|sccs|line|assert)\b[ \t]*([^\n]*)", re.DOTALL
)
_FORBIDDEN: Final = (
    (re.compile(r"\b(?:asm|__asm|__asm__)\b"), "assembly"),
    (re.compile(r"##|%:%:|\?\?=\?\?="), "words pasted together, which may come to anything"),
    (re.compile(r"\b(?:__)?section(?:__)?\b"), "sections of its own"),
    (re.compile(r"\b(?:__has_include|__has_include_next|__has_embed|dependency)\b"), "questions for files"),
)


class Written:
    """Proposes what an author says, one after another."""

    def __init__(self, author: Author, steps: Steps) -> None:
        self.name = f"author:{author.name}"
        self._author, self._steps = author, steps
        self._said: deque[Proposal] = deque()
        self._closed = False

    def propose(self, standing: Standing, chance: np.random.Generator) -> Proposal | None:
        """Return something that was not tried; None where the author has nothing (more) to say."""
        if not self._said and not self._closed:
            self._ask(standing)
        while self._said:
            one = self._said.popleft()
            if one.id not in standing.entries:
                return one
        return None

    def _ask(self, standing: Standing) -> None:
        tried = tuple(one.trial() for one in sorted(standing.entries.values(), key=lambda one: one.ns or np.inf))
        said = self._steps.author(self._author, Brief(standing.grid.space, tried))
        self._closed = not said
        for one in said[:_MOST_PROPOSALS]:
            found = validated(one, standing.grid.space, self.name)
            if isinstance(found, Proposal):
                self._said.append(found)
            else:
                self._steps.refuse(self.name, found)


def validated(said: object, space: Space, made_by: str) -> Proposal | Refusal:
    """Return what an author said as a proposal, or why it is none."""
    if isinstance(said, str):
        why = _wrong(said)
        return Refusal("author", why) if why else Proposal(source=said, made_by=made_by)
    if isinstance(said, dict) and space.has(said) and _exact(said, space):
        return Proposal(dict(said), made_by=made_by)
    return Refusal("author", f"{str(said)[:200]} is no genome of this space")


def _exact(genome: dict[str, int | str | bool], space: Space) -> bool:
    """Tell whether every choice is one of the knob's by kind as well: 1 is not True."""
    return all(type(genome[one.name]) in {type(each) for each in one.choices} for one in space.knobs)


def _wrong(source: str) -> str:
    """Return why a source is not even built, or nothing."""
    if len(source) > _MOST_CHARACTERS or _unprintable(source):
        return "the source is too long or is no text"
    joined = re.sub(r"(?:\\|\?\?/)[ \t]*\r?\n", "", source)
    if "steward_kernel" not in joined:
        return "the source has no steward_kernel"
    for pattern, what in _FORBIDDEN:
        if pattern.search(joined):
            return f"the source has {what} in it"
    for name, rest in _TO_THE_COMPILER.findall(joined):
        header = re.fullmatch(r"<([\w./]+)>\s*(?://.*)?", rest.strip())
        if name != "include" or not header or header.group(1) not in _HEADERS:
            return f"the source asks the compiler for #{name} {rest.strip()[:80]}"
    return ""


def _unprintable(source: str) -> bool:
    return any(not (one.isprintable() or one in "\n\t") for one in source)
