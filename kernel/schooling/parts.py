"""Parts of a sentence: a request, a thing that is found, and a request about what was found, each with its meaning."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from kernel.composition.profiles.profile import Box
from kernel.composition.steps.results import fit
from kernel.language.joining_words import FIRST_OF, POINTING, PREPOSITIONS
from kernel.schooling.furniture import Furniture
from kernel.schooling.model import Hole, Meant, Phrase, Said, Taken
from kernel.schooling.phrases import (
    filled,
    is_imperative,
    noun_phrase,
    phrases_of,
    points,
    showing_verbs,
    stands_alone,
)
from skills.model import EffectClass, Parameter, ParamRole, Tool, ToolId, ValueKind, ValueType

K = ValueKind
_TAKES = frozenset({K.FILE, K.FOLDER, K.TABLE, K.TEXT, K.DATE, K.NUMBER, K.QUANTITY, K.RECORD})
_LEAST_FIT = 0.6
_NEVER_SAID = frozenset("stem suffix path exact expression subject predicate object source sources facts file".split())
_TELLING = frozenset({K.TEXT, K.TITLE, K.NUMBER, K.INTEGER, K.DATE})
_AND = frozenset({"and", "und"})
_ONE_GERMAN = frozenset("den das eine einen ein kleinste größte älteste neueste kleinsten".split())
_PLURALS = frozenset("all everything every alle alles sämtliche".split())

Vet = Callable[[Phrase], bool]
"""Tells whether a phrase is understood when it stands alone, so that a fault is one of the construct."""


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a sentence and the call that it means; ``many`` tells that it speaks of several things."""

    text: str
    call: Meant
    tool: Tool
    many: bool = False

    @property
    def result(self) -> ValueType:
        """What its call finds."""
        return self.tool.result


@dataclass(frozen=True, slots=True)
class Follower:
    """A request that can take a result: the phrase, and the parameter (which has a hole unless it is ``silent``)."""

    phrase: Phrase
    parameter: Parameter
    silent: bool = False


@dataclass(slots=True)
class Pool:
    """The phrases of one language, by tool, sorted by what they are good for."""

    alone: dict[ToolId, list[Phrase]] = field(default_factory=lambda: defaultdict(list))
    requests: dict[ToolId, list[Phrase]] = field(default_factory=lambda: defaultdict(list))
    things: dict[ToolId, list[tuple[Phrase, Phrase]]] = field(default_factory=lambda: defaultdict(list))
    open_things: dict[ToolId, list[tuple[Phrase, Phrase]]] = field(default_factory=lambda: defaultdict(list))
    followers: dict[ToolId, list[Follower]] = field(default_factory=lambda: defaultdict(list))

    @classmethod
    def of(cls, tools: Iterable[Tool], language: str, box: Box) -> Pool:
        """Sort the examples of ``tools``."""
        pool, held = cls(), tuple(tools)
        showing = showing_verbs(held, language)
        for tool in held:
            for phrase in phrases_of(tool, language):
                pool._add(phrase, box, showing)
        return pool

    def _add(self, phrase: Phrase, box: Box, showing: frozenset[str]) -> None:
        name = phrase.tool.id
        imperative = is_imperative(phrase, box)
        if stands_alone(phrase):
            self.alone[name].append(phrase)
            if imperative:
                self.requests[name].append(phrase)
            thing = noun_phrase(phrase, box, showing) if phrase.tool.effect is EffectClass.PURE else None
            if thing is not None:
                self.things[name].append((thing, phrase))
                profile = box.profile(name, phrase.language)
                if not {profile.count, *profile.ordering} & {hole.parameter for hole in thing.holes}:
                    self.open_things[name].append((thing, phrase))
        if imperative:
            self.followers[name] += _followers(phrase)


def _followers(phrase: Phrase) -> Iterable[Follower]:
    own = [hole for hole in phrase.holes if points(hole) and phrase.tool.parameter(hole.parameter).type.kind in _TAKES]
    for hole in phrase.holes:
        parameter = phrase.tool.parameter(hole.parameter)
        if parameter.type.kind not in _TAKES or (parameter.role is ParamRole.SINK and parameter.type.kind is K.TEXT):
            continue
        if phrase.open or [one for one in own if one is not hole] or not _takes_pronoun(phrase, hole):
            continue
        if parameter.required:
            yield Follower(phrase, parameter)
    if len(phrase.open) == 1 and not own:
        parameter = phrase.tool.parameter(phrase.open[0])
        if parameter.type.kind in _TAKES:
            yield Follower(phrase, parameter, silent=True)


def _takes_pronoun(phrase: Phrase, hole: Hole) -> bool:
    """Right behind the verb or behind a preposition; in German behind the verb alone, where the case is plain."""
    word = phrase.before(hole.parameter)
    behind_verb = bool(word) and word == phrase.example.split()[0].casefold()
    return behind_verb or (phrase.language != "de" and word in PREPOSITIONS[phrase.language])


@dataclass(slots=True)
class Parts:
    """Draws parts of sentences in one language."""

    language: str
    pool: Pool
    furniture: Furniture
    random: Random
    vet: Vet = lambda _: True

    def alone(self) -> Part | None:
        """Draw any sentence of one call."""
        return self._drawn(self.pool.alone)

    def request(self) -> Part | None:
        """Draw a request in the imperative."""
        return self._drawn(self.pool.requests)

    def finding(self) -> Part | None:
        """Draw a request whose result others can take: what it finds or makes is there afterwards."""
        kept = {tool: own for tool, own in self.pool.requests.items() if own and not _destroys(own[0].tool)}
        return self._drawn(kept)

    def thing(self) -> Part | None:
        """Draw a noun phrase for what a tool finds."""
        return self._thing([own for own in self.pool.things.values() if own])

    def files(self) -> Part | None:
        """Draw a noun phrase for as many files as there are: no number and no extreme is said."""
        return self._thing([own for own in self.pool.open_things.values() if own and _gives_files(own[0][0].tool)])

    def _thing(self, known: list[list[tuple[Phrase, Phrase]]]) -> Part | None:
        if not known:
            return None
        short, whole = self.random.choice(self.random.choice(known))
        words = self._words(short, None)
        return None if words is None or not self.vet(whole) else self._part(short, words, {})

    def follower(self, found: Part, at: Sequence[int], *, each: bool = False) -> Part | None:
        """Draw a request about what ``found`` comes to, the call at one of the places ``at``."""
        taker = self._taker(found, each=each)
        words = self.random.choice(POINTING[self.language][found.many and not each][: 1 if each else None])
        return None if taker is None else self.taking(taker, words, Taken(tuple(at)))

    def _taker(self, found: Part, *, each: bool = False, silent: bool = True) -> Follower | None:
        many = found.many and not each
        suited = {
            tool: own
            for tool, takers in self.pool.followers.items()
            if tool != found.tool.id
            and (own := [one for one in takers if (silent or not one.silent) and serves(found.tool, one, many)])
        }
        return self.random.choice(suited[self.random.choice(sorted(suited))]) if suited else None

    def field_follower(self, found: Part, at: Sequence[int]) -> Part | None:
        """Draw a request that takes a part of what was found: "its total"."""
        fields = [name for name, kind in found.result.fields.items() if kind.kind in _TELLING and _is_said(name)]
        if self.language == "de":
            fields = [name for name in fields if name == "name"]
        takers = [one for own in self.pool.followers.values() for one in own if one.parameter.type.kind is K.TEXT]
        if not fields or not takers:
            return None
        name = self.random.choice(fields)
        return self.taking(self.random.choice(takers), self._possessive(name, found.many), Taken(tuple(at), name))

    def first_follower(self, found: Part, at: Sequence[int]) -> Part | None:
        """Draw a request about the first of several."""
        if not found.many:
            return None
        taker = self._taker(replace(found, many=False), silent=False)
        words = self.random.choice(FIRST_OF[self.language])
        return None if taker is None else self.taking(taker, words, Taken(tuple(at), index=0))

    def described(self, found: Part) -> Part | None:
        """Draw a request whose object is ``found``, named by its noun phrase."""
        taker = self._taker(found, silent=False)
        return None if taker is None else self.taking(taker, found.text, Taken((0,)))

    def pointing(self, found: Part, words: str) -> Part | None:
        """Draw a request that takes ``found``, called by ``words``."""
        taker = self._taker(found, silent=False)
        return None if taker is None else self.taking(taker, words, Taken((0,)))

    def taking(self, taker: Follower, words: str, taken: Taken) -> Part | None:
        """Return the request of ``taker`` with ``words`` for what it takes."""
        phrase, name = taker.phrase, taker.parameter.name
        drawn = self._words(phrase, name)
        if drawn is None or not self.vet(phrase):
            return None
        text = {one: said.text for one, said in drawn.items()} | {name: words}
        call = Meant(phrase.tool.id, {**drawn, name: taken})
        return Part(filled(phrase, text), call, phrase.tool, phrase.tool.result.many and taker.parameter.type.many)

    def _possessive(self, name: str, many: bool) -> str:
        said = name.replace("_", " ")
        if self.language == "de":
            return "ihre Namen" if many else "seinen Namen"
        return f"their {said}s" if many else f"its {said}"

    def _drawn(self, pool: dict[ToolId, list[Phrase]]) -> Part | None:
        phrase = self.random.choice(pool[self.random.choice(sorted(tool for tool, own in pool.items() if own))])
        words = self._words(phrase, None)
        return None if words is None or not self.vet(phrase) else self._part(phrase, words, {})

    def whole(self, phrase: Phrase) -> Part | None:
        """Return ``phrase`` with values of this home."""
        words = self._words(phrase, None)
        return None if words is None else self._part(phrase, words, {})

    def _words(self, phrase: Phrase, but: str | None) -> dict[str, Said] | None:
        drawn = {
            one.parameter: self.furniture.draw(phrase, one, self.random) for one in phrase.holes if one.parameter != but
        }
        return None if None in drawn.values() else {name: said for name, said in drawn.items() if said is not None}

    def _part(self, phrase: Phrase, words: dict[str, Said], more: dict[str, Taken]) -> Part:
        text = filled(phrase, {name: said.text for name, said in words.items()})
        return Part(text, Meant(phrase.tool.id, {**words, **more}), phrase.tool, _says_many(phrase))


def serves(found: Tool, taker: Follower, many: bool) -> bool:
    """Tell whether what ``found`` gives suits what ``taker`` takes, also by its meaning: files are no tables."""
    given, wanted = found.result, taker.parameter.type
    if wanted.kind is K.TABLE and given.kind is not K.TABLE:
        return False
    if many and not wanted.many and wanted.kind in (K.FILE, K.FOLDER):
        return False
    how = fit(given, wanted, single=not many, plural=many)
    return how is not None and how.score >= _LEAST_FIT


def _gives_files(tool: Tool) -> bool:
    return tool.result.kind is K.FILE and tool.result.many


def _is_said(name: str) -> bool:
    return name not in _NEVER_SAID and "_" not in name


def _destroys(tool: Tool) -> bool:
    actions = {right.action for right in tool.rights}
    return "fs.delete" in actions and "fs.create" not in actions


def _says_many(phrase: Phrase) -> bool:
    """Whether the words speak of several things, as far as their form tells."""
    if not phrase.tool.result.many:
        return False
    if phrase.tool.effect is not EffectClass.PURE:
        return any(_AND & set(one.text.casefold().split()) for one in phrase.holes)
    if phrase.language == "de":
        return not _ONE_GERMAN & set(phrase.example.casefold().split())
    own = [one if isinstance(one, str) else one.text for one in phrase.pieces if not _is_place(phrase, one)]
    words = " ".join(own).casefold().split()
    return bool(_PLURALS & set(words)) or any(word.endswith("s") and len(word) > 3 for word in words)


def _is_place(phrase: Phrase, piece: str | Hole) -> bool:
    return isinstance(piece, Hole) and phrase.tool.parameter(piece.parameter).type.kind in (K.FOLDER, K.QUERY)
