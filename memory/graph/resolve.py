"""Whom a name may mean: candidates with a score and the reasons for it; never a merge.

Exactly the same folded name is found first, then names that hold all words asked for, then names that look alike
(trigrams; not for short names). Agreement of kind and shared neighbours raise a candidate. Homonyms come back as
several.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping

from rapidfuzz import fuzz, process

from memory.graph.model import Candidate, Query
from memory.graph.names import folded, is_guarded, is_telling, likeness
from memory.graph.reading import Reading
from memory.model import EntityId

EXACT, PART, ALIKE = 0.9, 0.6, 0.7
"""What each way of finding counts before kind and neighbours; a likeness is multiplied with the last."""
LIKE_ENOUGH = 0.45
"""Trigram likeness below this is no candidate."""
_NEAR = 0.05
_MOST_NEAR = 2
_OTHER_KIND = 0.5
_SHORTLIST = 30


class Names:
    """All folded names and, beside them, whose they are; and where each word stands."""

    def __init__(self, forms: list[str], entities: list[str]) -> None:
        self.forms = forms
        self.entities = entities
        self._places: dict[str, list[int]] = defaultdict(list)
        for place, form in enumerate(forms):
            for word in set(form.split()):
                self._places[word].append(place)

    def with_words(self, words: Collection[str]) -> Iterator[str]:
        """Whose names hold all of ``words``."""
        each = sorted((self._places.get(word, []) for word in set(words)), key=len)
        rest = [set(places) for places in each[1:]] if each and each[0] else []
        return (self.entities[place] for place in (each or [[]])[0] if all(place in other for other in rest))


_LONGEST_NAME = 4
"""A name of more words than this is not looked for in texts."""
_FEW = 8
"""A word that is in more names than this says nothing about one of them."""
MANY_NAMES = 20_000
"""Among more names than this only whole ones are found in a text: an index of their words costs memory and a moment."""


def named_in(text: str, reading: Reading, names: Names | None, besides: Collection[str] = ()) -> Mapping[EntityId, str]:
    """Whom ``text`` names, each with the longest folded run of words that does, in the order of the text.

    The s of a genitive counts as none. A single word is looked for inside of longer names, too, as ``names`` has them.
    ``besides`` are kinds that are not meant.
    """
    found: dict[EntityId, str] = {}
    for words in (form.split() for form in folded(text)):
        exact = _exact(words, reading)
        at = 0
        while at < len(words):
            for length in range(min(_LONGEST_NAME, len(words) - at), 0, -1):
                run = " ".join(words[at : at + length])
                whose = _whose(run, length, exact, names)
                meant = [one for one in _groups(whose, reading) if _kind(reading, one) not in besides]
                if meant:
                    found |= {one: run for one in meant if one not in found}
                    at += length - 1
                    break
            at += 1
    return found


def _exact(words: list[str], reading: Reading) -> Mapping[str, set[str]]:
    """Whose name each run of words is."""
    lengths = range(1, _LONGEST_NAME + 1)
    runs = {" ".join(words[at : at + length]) for at in range(len(words)) for length in lengths}
    found: dict[str, set[str]] = defaultdict(set)
    for form, entity in reading.named({form for run in runs for form in _forms(run)}):
        found[form].add(entity)
    return found


def _forms(run: str) -> list[str]:
    return [form for form in dict.fromkeys((run, run.removesuffix("s"))) if is_telling(form)]


def _whose(run: str, length: int, exact: Mapping[str, set[str]], names: Names | None) -> Collection[str]:
    for form in _forms(run):
        inside = names.with_words([form]) if names is not None and length == 1 else ()
        ids = exact.get(form) or set(inside)
        if 0 < len(ids) <= _FEW:
            return ids
    return ()


def _groups(ids: Collection[str], reading: Reading) -> list[EntityId]:
    return [EntityId(id) for id in sorted({reading.groups.one(id) for id in ids})]


def _kind(reading: Reading, id: EntityId) -> str:
    entity = reading.entity(id)
    return entity.kind if entity is not None else ""


class Resolver:
    """Looks names up in one state of the graph."""

    def __init__(self, reading: Reading, names: Names) -> None:
        self._reading = reading
        self._names = names

    def resolve(self, name: str, kind: str | None, context: Collection[EntityId], limit: int) -> list[Candidate]:
        """The best candidates, best first; ties go by id."""
        forms = folded(name)
        found: dict[str, tuple[float, str]] = {}

        def add(entity: str, score: float, reason: str) -> None:
            one = self._reading.groups.one(entity)
            if score > found.get(one, (0.0, ""))[0]:
                found[one] = (score, reason)

        for _, entity in self._reading.named(forms):
            add(entity, EXACT, "exact")
        self._parts(forms, add)
        self._alike(forms, add)
        near = [(one, self._neighbours(one)) for one in dict.fromkeys(map(self._reading.groups.one, context))]
        ranked = [self._candidate(id, score, reason, kind, near) for id, (score, reason) in found.items()]
        ranked.sort(key=lambda candidate: (-candidate.score, candidate.entity.id))
        return ranked[:limit]

    def _candidate(
        self, id: str, score: float, reason: str, kind: str | None, near: list[tuple[str, set[str]]]
    ) -> Candidate:
        entity = self._reading.entity(id)
        assert entity is not None
        reasons = [reason]
        if kind is not None:
            reasons.append("kind" if entity.kind == kind else "other kind")
            score *= 1 if entity.kind == kind else _OTHER_KIND
        shared = sum(id in beside or id == one for one, beside in near)
        if shared:
            reasons.append(f"near:{shared}")
            score += _NEAR * min(shared, _MOST_NEAR)
        return Candidate(entity, round(min(score, 1.0), 4), tuple(reasons))

    def _neighbours(self, id: str) -> set[str]:
        facts = self._reading.facts(Query(either=EntityId(id)))
        ends = [fact.subject for fact in facts] + [fact.object.value for fact in facts if fact.object.type == "entity"]
        return {self._reading.groups.one(end) for end in ends}

    def _parts(self, forms: Collection[str], add: Callable[[str, float, str], None]) -> None:
        for form in forms:
            if len(form.replace(" ", "")) > 1:
                for entity in self._names.with_words(form.split()):
                    add(entity, PART, "part of the name")

    def _alike(self, forms: Collection[str], add: Callable[[str, float, str], None]) -> None:
        names, entities = self._names.forms, self._names.entities
        for asked in forms:
            if is_guarded(asked):
                continue
            for name, _, place in process.extract(asked, names, scorer=fuzz.ratio, limit=_SHORTLIST, score_cutoff=55):
                alike = likeness(asked, name)
                if alike >= LIKE_ENOUGH and not is_guarded(name):
                    add(entities[place], ALIKE * alike, f"alike:{alike:.2f}")
