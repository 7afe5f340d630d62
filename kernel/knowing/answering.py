"""Answers from the graph: what is known of somebody, one thing about them, what was told in certain words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from kernel.knowing.finding import Chosen, find
from kernel.knowing.model import About, Asked, Search
from kernel.knowing.requested import VOICE
from kernel.knowing.statements import TEXT
from kernel.knowing.telling import Kept, rivals
from kernel.knowing.wording import line, name_in, voice, word
from kernel.language import is_function_word, words_of
from memory.graph.model import Entity, Fact, Query, Type
from memory.model import EntityId

if TYPE_CHECKING:
    from memory.graph import Graph

MOST = 40
"""So many facts stand in one answer; of more, the strongest."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What is said, and the facts behind it as values."""

    text: str
    facts: tuple[Fact, ...] = ()


def about(graph: Graph, heard: About, chosen: Chosen, now_ns: int) -> Answer | None:
    """Return what is known of ``heard.name``; None where that may be no question to memory. Raises Several."""
    entity = find(graph, heard.name, "", chosen)
    if entity is None:
        mentioned = _texts(graph, heard.name)
        if mentioned:
            return _listed(graph, None, heard.name, mentioned, heard.language)
        if not heard.sure:
            return None
        return Answer(_nobody(heard.name, heard.language))
    ranked = graph.by_activation(Query(either=entity.id), now_ns)
    facts = [fact for fact, _ in ranked if fact.predicate != "mentions" or fact.extractor != VOICE][:MOST]
    seen = {fact.id for fact in facts}
    facts += [fact for name in entity.names for fact in _texts(graph, name) if fact.id not in seen]
    facts = list({fact.id: fact for fact in facts}.values())
    if not facts:
        return Answer(word(heard.language, "nothing", name=name_in(entity, "", heard.language)))
    return _listed(graph, entity, heard.name, facts, heard.language)


def _nobody(name: str, language: str) -> str:
    said = name_in(None, name, language)
    return f"{word(language, 'nobody', name=said)} {word(language, 'how', name=said)}"


def _listed(graph: Graph, entity: Entity | None, said: str, facts: Sequence[Fact], language: str) -> Answer:
    names = _names(graph)
    own = entity.id if entity else None
    group = {entity.id, *entity.same_as} if entity else set()
    lines = [word(language, "about", name=name_in(entity, said, language))]
    for fact in facts:
        who = own if fact.subject not in group else fact.subject
        lines.append(f"  {line(fact, who, names, language)} ({voice(fact, language)})")
    against = [(fact, other) for fact in facts for other in rivals(graph, fact) if fact.seq < other.seq]
    if against:
        lines.append(word(language, "conflict"))
        both = (f"  {_said(one, names, language)} / {_said(other, names, language)}" for one, other in against)
        lines += both
    return Answer("\n".join(lines), tuple(facts))


def _said(fact: Fact, names: Any, language: str) -> str:
    return f"{line(fact, None, names, language)} ({voice(fact, language)})"


def asked(graph: Graph, heard: Asked, chosen: Chosen, now_ns: int) -> Answer | None:
    """Return one thing about somebody, or who stands so to them; None where nobody of that name is known."""
    kind = "" if heard.inverse else "person"
    entity = find(graph, heard.name, kind, chosen)
    if entity is None:
        return Answer(_nobody(heard.name, heard.language)) if heard.sure else None
    at = now_ns if heard.at_ns is None else heard.at_ns
    found = [fact for name in heard.predicates for fact in _stand(graph, entity, name, inverse=heard.inverse)]
    holding = [fact for fact in found if fact.holds_at(at)]
    names = _names(graph)
    if not holding:
        said = name_in(entity, "", heard.language)
        text = word(heard.language, "none_now" if heard.at_ns is not None else "unknown_fact", name=said)
        past = [word(heard.language, "past", fact=line(fact, None, names, heard.language)) for fact in found]
        return Answer("\n".join([text, *(f"  {one}" for one in past)]), tuple(found))
    lines = [_said(fact, names, heard.language) for fact in holding]
    if any(rivals(graph, fact) for fact in holding):
        lines.append(word(heard.language, "conflict").rstrip(":") + ".")
    return Answer("\n".join(lines), tuple(holding))


def _stand(graph: Graph, entity: Entity, predicate: str, *, inverse: bool) -> list[Fact]:
    from memory.graph import Object

    if inverse:
        return list(graph.facts(Query(object=Object.entity(entity.id), predicate=predicate)))
    return list(graph.facts(Query(subject=entity.id, predicate=predicate)))


def told(graph: Graph, heard: Search) -> Answer | None:
    """Return what was told in words that hold all content words of ``heard``; None where nothing does."""
    found = _texts(graph, heard.words)
    if not found:
        return None
    names = _names(graph)
    lines = [_said(fact, names, heard.language) for fact in found]
    return Answer("\n".join(lines), tuple(found))


def _texts(graph: Graph, words: str) -> list[Fact]:
    """Return told texts that hold every content word of ``words``."""
    content = {one.casefold() for one in words_of(words) if one[0].isalnum() and not is_function_word(one.casefold())}
    if not content:
        return []
    hits = graph.search(" ".join(content), 10, Query(predicate=TEXT))
    return [fact for fact, _ in hits if content <= {one.casefold() for one in words_of(fact.object.value)}]


def kept(graph: Graph, found: Kept, language: str) -> Answer:
    """Say what was written down, what was known, and who says otherwise."""
    names = _names(graph)

    def lines(key: str, facts: Sequence[Fact]) -> list[str]:
        return [word(language, key), *(f"  {line(fact, None, names, language)}" for fact in facts)] if facts else []

    said = lines("kept", found.facts) + lines("knew", found.known)
    said += lines("ended", [fact for fact, _ in found.ended]) + lines("gone", found.retracted)
    said += [
        word(language, "rival", voice=voice(one, language), fact=line(one, None, names, language))
        for one in found.rivals
    ]
    return Answer("\n".join(said) or word(language, "not_told"), tuple(found.facts))


def _names(graph: Graph) -> Any:
    return cache(lambda id: graph.entity(EntityId(id)))


def fact_view(fact: Fact, graph: Graph, language: str = "en") -> dict[str, Any]:
    """Return a fact as a client sees it: ids, names, times in nanoseconds and words."""
    names = _names(graph)
    thing = names(fact.object.value).name if fact.object.type is Type.ENTITY else fact.object.value
    return {
        "id": fact.id, "subject": fact.subject, "subject_name": names(fact.subject).name, "predicate": fact.predicate,
        "object": fact.object.value, "object_name": thing, "type": str(fact.object.type), "unit": fact.object.unit,
        "valid_from": fact.valid_from, "valid_to": fact.valid_to, "recorded_from": fact.recorded_from,
        "recorded_to": fact.recorded_to, "source": fact.source, "extractor": fact.extractor,
        "confidence": fact.confidence, "label": fact.label, "owner": fact.owner,
        "words": line(fact, None, names, language), "said": voice(fact, language),
    }  # fmt: skip
