"""What a person does with what Steward knows, outside of a sentence: look, name, join, forget, take out and put in.

Times of the world are ISO days or moments; ``as_known`` is the state of Steward's knowledge at the end of that day.
What is asked of the wrong name or day is BadRequest with the next step; the graph's own refusals (``graph.*``) pass
through.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, time, timedelta
from typing import TYPE_CHECKING, Any, TypeVar

from kernel.clients.sight import graph_for
from kernel.errors import BadRequest
from kernel.sayable import Sayable, sayable
from skills import one_import

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kernel.house import House
    from kernel.knowing.forgetting import Preview
    from memory.graph import Graph, Query
    from memory.graph.model import Entity

T = TypeVar("T")
View = dict[str, Any]

MOST = 500
"""So many facts are listed at most."""

LABELS = ("user", "kernel", "trusted_source", "untrusted")
"""Whose word something is, the surest first: the person's, Steward's, that of a source they vouched for, anybody's."""

_NAME_IT = "./steward memory entity NAME shows who is called so; use the id that it gives."


class Known:
    """The graph in a person's hands. ``language`` is that of the words in an answer.

    ``used`` is called when memory was taken that is to be given back once nobody asks.
    """

    def __init__(self, house: House, used: Callable[[], None]) -> None:
        self._house = house
        self._used = used

    # --- looking --------------------------------------------------------------------------------------------------

    async def search(
        self, words: str, *, at: str = "", as_known: str = "", since: str = "", until: str = "", person: str = "",
        source: str = "", label: str = "", reader: str = "", limit: int = 20, language: str = "en", client: str = "",
    ) -> View:  # fmt: skip
        """Return what bears on the words of all facts and past turns (``hits``), and those facts of it that hold them.

        ``since`` and ``until`` (its whole day) are when something was said or became true; ``person`` said it or is
        mentioned; ``source`` is what it was read from; ``label`` whose word it is (``LABELS``); ``reader`` who may read
        it by its label. With ``at`` or ``as_known`` only facts are looked for, and by their words alone. For the node
        of a ``client`` it is what that one may read. Raises BadRequest.
        """
        from kernel.recalling.searching import Filters, search

        with _readable("since", since):
            first = _moment(since)
        with _readable("until", until):
            last = _moment(until, end_of_day=True)
        if not words.strip():
            raise BadRequest("memory.empty", "There is nothing to search for.", hint="./steward memory search WORDS")

        if label and label not in LABELS:
            raise BadRequest("memory.label", f"There is no label {_safe(label)}.", subject=_safe(label),
                             hint="One of: " + ", ".join(LABELS))  # fmt: skip
        filters = Filters(first, last, person, source, label, reader)
        if not (at or as_known):
            try:
                hits = await asyncio.to_thread(search, self._house, words, filters, min(limit, MOST), client)
            finally:
                self._used()
            return {"facts": await self._facts_among(hits, language, client), "hits": hits}
        if filters != Filters():
            raise BadRequest("memory.filters", "What was true or known on a day is searched by its words alone.",
                             hint="Leave out the other filters, or --at and --as-known.")  # fmt: skip

        def look(graph: Graph) -> View:
            found = graph.search(words, min(limit, MOST), self._query(at, as_known))
            facts = [{**_view(fact, graph, language), "score": round(score, 4)} for fact, score in found]
            return {"facts": facts, "hits": []}

        return await self._with_graph(look, client)

    async def _facts_among(self, hits: Sequence[View], language: str, client: str) -> list[View]:
        """Return the facts that are among ``hits`` and hold one of the words, in their order."""
        from memory.graph import Query

        scores = {hit["id"]: hit["score"] for hit in hits if hit["kind"] == "fact" and hit["words"]}

        def look(graph: Graph) -> list[View]:
            facts = {fact.id: fact for fact in graph.facts(Query(ids=tuple(scores)))}
            return [{**_view(facts[id], graph, language), "score": scores[id]} for id in scores if id in facts]

        return await self._with_graph(look, client) if scores else []

    async def facts(
        self, name: str = "", *, predicate: str = "", at: str = "", as_known: str = "", retracted: bool = False,
        limit: int = 100, language: str = "en",
    ) -> View:  # fmt: skip
        """Return facts, of somebody or all, as true ``at`` a day and as known then. Raises BadRequest."""

        def look(graph: Graph) -> View:
            from dataclasses import replace

            who = self._one(graph, name) if name else None
            if predicate and predicate not in graph.predicates():
                known = ", ".join(sorted(graph.predicates()))
                raise BadRequest("memory.relation", f"There is no relation {predicate}.", hint=f"One of: {known}")
            query = replace(self._query(at, as_known), either=who.id if who else None, predicate=predicate or None,
                            retracted=retracted)  # fmt: skip
            found = graph.facts(query)
            shown = [_view(fact, graph, language) for fact in found[: min(limit, MOST)]]
            return {"entity": who.id if who else None, "total": len(found), "facts": shown}

        return await self._with_graph(look)

    async def entity(self, name: str, *, at: str = "", as_known: str = "", language: str = "en") -> View:
        """Return who is called ``name``; with the facts and what sources disagree on where it is one. Raises
        BadRequest.
        """

        def look(graph: Graph) -> View:
            from dataclasses import replace

            several = self._called(graph, name)
            view: View = {"entities": [_entity_view(one, graph) for one in several], "facts": [], "conflicts": []}
            if len(several) == 1:
                query = replace(self._query(at, as_known), either=several[0].id)
                found = graph.facts(query)[:MOST]
                view["facts"] = [_view(fact, graph, language) for fact in found]
                view["conflicts"] = _conflicts(graph, several[0], language)
            return view

        return await self._with_graph(look)

    async def stats(self) -> View:
        """Return how much is known, and where sources disagree."""

        def look(graph: Graph) -> View:
            found = graph.stats()
            return {"entities": found.entities, "facts": found.facts, "retracted": found.retracted,
                    "merged": found.merged, "conflicts": found.conflicts, "size_bytes": found.size_bytes}  # fmt: skip

        return await self._with_graph(look)

    async def sayable(self) -> Sayable:
        """Return what the person may say: the sentences of the skills, and the names of their people and places."""
        return await asyncio.to_thread(self._sayable)

    def _sayable(self) -> Sayable:
        house = self._house
        people = () if house.knowledge.is_empty() else graph_for(house, "").entities("person")
        house.world.look()
        folders, files = house.world.all_paths()
        return sayable(house.registry.tools(), people, folders, files)

    # --- naming ---------------------------------------------------------------------------------------------------

    async def change_entity(self, name: str, *, also_called: str = "", same_as: str = "", split_from: str = "") -> View:
        """Give somebody one more name, say that two are one, or take that back. Raises BadRequest, BadInput."""
        from permissions.labels import USER_SAID

        def change(graph: Graph) -> View:
            who = self._one(graph, name)
            if also_called:
                graph.add_name(who.id, also_called, label=USER_SAID.to_json())
            if same_as:
                graph.merge(who.id, self._one(graph, same_as, besides=who).id, label=USER_SAID.to_json())
            if split_from:
                graph.split(who.id, self._one(graph, split_from, besides=who).id, label=USER_SAID.to_json())
            return _entity_view(graph.entity(who.id), graph)

        return await self._with_graph(change)

    # --- forgetting -----------------------------------------------------------------------------------------------

    async def preview(self, name: str, also: Sequence[str] = ()) -> View:
        """Return what forgetting ``name`` would reach, with the seal that carries it out. Raises BadRequest."""
        found = await self._preview(name, also)
        return found.to_json()

    async def forget(self, name: str, also: Sequence[str], seal: str) -> View:
        """Forget what ``preview`` showed under ``seal``, for good. Raises BadRequest when that has changed since."""
        from kernel.backup.forgetting import behind
        from kernel.knowing import forgetting

        found = await self._preview(name, also)
        if found.seal != seal:
            raise BadRequest("memory.seal", "What would be forgotten is not what was shown, so nothing was done.",
                             hint="Look again: ./steward memory forget NAME")  # fmt: skip
        forgetting.must_be_possible(found, "en")
        done = await forgetting.carry_out(self._house, found)
        return {"entities": len(done.entities), "facts": found.facts, "runs": len(found.reach.runs),
                "events": done.events + sum(done.stores.values()), "stores": dict(done.stores),
                "backups_behind": list(behind(self._house)), "kept": list(found.kept),
                "stays": list(found.reach.stays)}  # fmt: skip

    async def _preview(self, name: str, also: Sequence[str]) -> Preview:
        if not name.strip():
            raise BadRequest("memory.empty", "There is nobody to forget.", hint="./steward memory forget NAME")
        with one_import:
            from kernel.knowing import forgetting

        def look(graph: Graph) -> Preview:
            called = self._called(graph, name, may_be_none=True)
            if len(called) > 1:
                raise _several(graph, name, called)
            return forgetting.preview(self._house, name, called[0] if called else None, tuple(also))

        found = await self._with_graph(look)
        if found.is_empty:
            raise BadRequest("memory.unknown", f"Nothing is known about {_safe(name)}.", hint=_NAME_IT)
        return found

    # --- out and in -----------------------------------------------------------------------------------------------

    async def export(self, form: str, *, at: str = "", as_known: str = "") -> str:
        """Return everything as ``jsonl`` or ``graphml``. Raises BadRequest."""
        if form not in ("jsonl", "graphml"):
            raise BadRequest("memory.form", f"There is no form {_safe(form)}.", hint="One of: jsonl, graphml")

        def look(graph: Graph) -> str:
            query = self._query(at, as_known)
            if form == "graphml":
                with one_import:
                    return graph.export_graphml(query)
            return "".join(f"{line}\n" for line in graph.export_lines(query))

        return await self._with_graph(look)

    async def import_lines(self, text: str) -> View:
        """Write exported lines down, all or none, as somebody else's word. Raises BadInput, with the line."""
        from permissions.labels import Label

        untrusted = Label().to_json()

        def take(graph: Graph) -> View:
            lines = [_not_oneself(line, graph) for line in text.splitlines()]
            taken = graph.import_lines(lines, lambda _: untrusted)
            return {"entities": taken.entities, "facts": taken.facts}

        return await self._with_graph(take)

    # --- inside ---------------------------------------------------------------------------------------------------

    async def _with_graph(self, work: Callable[[Graph], T], client: str = "") -> T:
        return await asyncio.to_thread(lambda: work(graph_for(self._house, client)))

    def _query(self, at: str, as_known: str) -> Query:
        from memory.graph import Query
        from memory.graph.model import day_ns

        with _readable("at", at):
            valid_at = day_ns(at) if at and len(at) == 10 else _moment(at)
        with _readable("as-known", as_known):
            known = _moment(as_known, end_of_day=True)
        return Query(valid_at=valid_at, recorded_at=known)

    def _one(self, graph: Graph, name: str, besides: Entity | None = None) -> Entity:
        called = [one for one in self._called(graph, name) if besides is None or one.id != besides.id or one.id == name]
        if not called:
            raise BadRequest("memory.same", f"Nobody else is called {_safe(name)}.", hint=_NAME_IT)
        if len(called) > 1:
            raise _several(graph, name, called)
        return called[0]

    def _called(self, graph: Graph, name: str, *, may_be_none: bool = False) -> list[Entity]:
        """Return whom an id or a name means: all who are called so, of any kind."""
        from kernel.knowing.finding import Several, find
        from kernel.knowing.hearing import ONESELF_WORDS
        from kernel.knowing.model import ONESELF
        from memory.graph.errors import BadInput
        from memory.model import EntityId

        if ":" in name:
            try:
                return [graph.entity(EntityId(name))]
            except BadInput:
                pass
        try:
            found = find(graph, ONESELF if name.casefold() in ONESELF_WORDS else name, "", {})
        except Several as several:
            return list(several.entities)
        if found is None and not may_be_none:
            raise BadRequest("memory.unknown", f"Nobody and nothing is called {_safe(name)}.",
                             hint=f"Tell it: ./steward ask 'remember that {_safe(name)} ...'")  # fmt: skip
        return [found] if found else []


def _not_oneself(line: str, graph: Graph) -> str:
    """Return a line of an import in which nobody else is taken for the speaker who is known here."""
    from kernel.knowing.finding import SELF, oneself

    speaker = oneself(graph)
    if speaker is None or SELF not in line:
        return line
    try:
        value = json.loads(line)
        entity = value["entity"]
        if entity["kind"] != SELF or entity["id"] == speaker.id:
            return line
    except (ValueError, KeyError, TypeError):  # the import itself says what is wrong with it
        return line
    name = f"me ({str(entity['id']).rpartition('-')[2]})"
    return json.dumps({"entity": {**entity, "kind": "person", "name": name, "names": [name]}})


def _several(graph: Graph, name: str, called: Sequence[Entity]) -> BadRequest:
    from kernel.knowing.finding import told_apart
    from kernel.knowing.wording import SAY

    lines = told_apart(graph, called, SAY["en"])
    ids = "; ".join(f"{one.id}: {line}" for one, line in zip(called, lines, strict=True))
    return BadRequest("memory.several", f"{len(called)} are called {_safe(name)}.", hint=f"Say which by its id: {ids}")


@contextmanager
def _readable(what: str, said: str) -> Iterator[None]:
    try:
        yield
    except (ValueError, OverflowError) as error:
        raise BadRequest("memory.time", f"--{what} {_safe(said)} is no day.",
                         hint="Write it as 2026-03-31, or 2026-03-31T18:30 for a moment.") from error  # fmt: skip


def _moment(said: str, *, end_of_day: bool = False) -> int | None:
    """Read an ISO day or moment in local time, as nanoseconds; a day is its end, or its beginning."""
    if not said:
        return None
    at = datetime.fromisoformat(said)
    if len(said) == 10 and end_of_day:
        at = datetime.combine(at.date() + timedelta(days=1), time())
    return int(at.timestamp()) * 10**9


def _view(fact: Any, graph: Graph, language: str) -> View:
    from kernel.knowing.answering import fact_view

    return fact_view(fact, graph, language)


def _entity_view(entity: Entity, graph: Graph) -> View:
    from memory.graph import Query

    count = len(graph.facts(Query(either=entity.id)))
    return {"id": entity.id, "kind": entity.kind, "name": entity.name, "names": list(entity.names),
            "same_as": list(entity.same_as), "facts": count}  # fmt: skip


def _conflicts(graph: Graph, entity: Entity, language: str) -> list[Mapping[str, Any]]:
    from kernel.knowing.telling import rivals
    from memory.graph import Query

    facts = graph.facts(Query(subject=entity.id))
    pairs = [(fact, other) for fact in facts for other in rivals(graph, fact) if fact.seq < other.seq]
    return [{"predicate": one.predicate, "first": _view(one, graph, language), "second": _view(other, graph, language)}
            for one, other in pairs]  # fmt: skip


def _safe(text: str) -> str:
    from memory.graph.errors import shown

    return shown(text)
