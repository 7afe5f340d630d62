"""The school: as many lessons as are wanted from the manifests alone, the same ones for the same seed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

from kernel.context.mind import Mind
from kernel.schooling.constructs import CONSTRUCTS
from kernel.schooling.furniture import Furniture, furnish
from kernel.schooling.marking import mark
from kernel.schooling.model import Lesson, Phrase, Verdict
from kernel.schooling.parts import Parts, Pool
from kernel.schooling.reading import Reader
from skills.model import Tool

LANGUAGES = ("en", "de")
_TRIALS = 40


def divided(tools: Iterable[Tool], share: int = 3) -> tuple[tuple[Tool, ...], tuple[Tool, ...]]:
    """Return the tools with all examples but each ``share``-th one, to be taught, and with the others, to be said."""
    held = tuple(tools)
    taught = (replace(one, examples=tuple(e for at, e in enumerate(one.examples) if at % share)) for one in held)
    said = (replace(one, examples=one.examples[::share]) for one in held)
    return tuple(taught), tuple(said)


class School:
    """Makes lessons of what ``mind`` knows, about a home that it furnishes in the empty folder ``home``.

    ``vetted``: longer sentences are made only of phrases that the planner understands when they stand alone, so that
    what goes wrong is due to the construct. ``phrased`` are the tools whose examples are said, the planner's own where
    nothing is given: with ``divided`` they are sentences that it was never taught.
    """

    def __init__(
        self, mind: Mind, home: Path, *, seed: int = 0, vetted: bool = True, phrased: Sequence[Tool] = ()
    ) -> None:
        self._mind = mind
        self._tools = tuple(phrased) or mind.toolbox.tools
        self._furniture = Furniture.of(furnish(home), self._tools)
        self._random = Random(seed)  # noqa: S311 - sentences, no secrets
        self._known: dict[tuple[str, str], bool] = {}
        self._vetted = vetted
        self.reader = Reader(mind, home)
        self._parts = {language: self._parts_of(language) for language in LANGUAGES}

    def _parts_of(self, language: str) -> Parts:
        pool = Pool.of(self._tools, language, self._mind.toolbox)
        vet = self._vet if self._vetted else lambda _: True
        return Parts(language, pool, self._furniture, self._random, vet)

    def lessons(
        self, count: int, constructs: Sequence[str] = tuple(CONSTRUCTS), languages: Sequence[str] = LANGUAGES
    ) -> Iterator[Lesson]:
        """Yield ``count`` lessons, the constructs and the languages in turn."""
        made = 0
        while made < count:
            name = constructs[made // len(languages) % len(constructs)]
            lesson = self._made(name, languages[made % len(languages)])
            made += 1
            if lesson is not None:
                yield lesson

    def _made(self, construct: str, language: str) -> Lesson | None:
        parts = self._parts[language]
        return next(filter(None, (CONSTRUCTS[construct](parts) for _ in range(_TRIALS))), None)

    def examples(self, tools: Iterable[Tool]) -> Iterator[tuple[Phrase, Lesson]]:
        """Yield every example of ``tools`` that stands alone, with values of this home."""
        for language, parts in self._parts.items():
            for phrase in (one for tool in tools for one in parts.pool.alone.get(tool.id, ())):
                part = parts.whole(phrase)
                if part is not None:
                    yield phrase, Lesson(part.text, language, "single", (part.call,))

    def _vet(self, phrase: Phrase) -> bool:
        key = (str(phrase.tool.id), phrase.example)
        if key not in self._known:
            part = self._parts[phrase.language].whole(phrase)
            told = None if part is None else Lesson(part.text, phrase.language, "single", (part.call,))
            self._known[key] = told is not None and mark(told, self.reader.read(told.text)) is Verdict.RIGHT
        return self._known[key]
