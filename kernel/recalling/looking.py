"""Answers about what was: of when and what was done from the ledger, of what was said about something from recall.

What this stops: an answer that nobody can check (each names its runs), and one that is about something else (a run is
found only if the words stand in what was said or done; what has only some of them is named as the nearest).
What it does not: judge what was said. It is read back as it stands in the record.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from kernel.clients.sight import sees_of
from kernel.context.deeds import Deed, LedgerPast
from kernel.itself.record import one_line, request_words, short_answer
from kernel.language.lexicon import Lexicon
from kernel.language.place.deed_words import Thing, is_called, was_done
from kernel.language.time.past_times import When
from kernel.paths import short
from kernel.recalling.drawing import span_of, times_in, whom
from kernel.recalling.model import Doing, Part, Talk
from kernel.recalling.turns import RECALLED, answered_with, run_of
from kernel.recalling.wording import deed_words, moment, quoted, say
from kernel.recalling.words import content_words, forms_in, holds
from kernel.remember import run_view
from permissions.labels import USER_SAID

if TYPE_CHECKING:
    from kernel.house import House

View = dict[str, Any]

MOST = 12
"""So many runs stand in a list."""
_FEW = 3
_SOUGHT = 40
_MOST_LOOKED_AT = 2_000


@dataclass(frozen=True, slots=True)
class Answer:
    """What is said, and the runs behind it."""

    text: str
    runs: list[View] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Looking:
    """Looks things up for one question, asked by run ``besides`` at ``now``; for a ``client`` what that may read."""

    house: House
    past: LedgerPast
    lexicon: Lexicon
    now: datetime
    besides: str = ""
    client: str = ""

    # --- what was said --------------------------------------------------------------------------------------------

    def talk(self, asked: Talk) -> Answer:
        """Answer what was said, in a stretch of time or about something."""
        if asked.words:
            return self._about(asked)
        if asked.part is Part.DONE:
            return self._done_then(asked)
        runs = list(self._then(asked.when))
        if not runs:
            return Answer(say(asked.language, "nothing_asked"))
        key = "asked_one" if len(runs) == 1 else "asked_list"
        lines = [self._line(view, asked.language) for view in runs[:MOST]]
        more = [say(asked.language, "more", count=len(runs) - MOST)] if len(runs) > MOST else []
        text = "\n".join([say(asked.language, key, count=len(runs)), *lines, *more])
        return Answer(text, [brief(view) for view in runs])

    def _then(self, when: When | None) -> Iterator[View]:
        """The runs of a stretch of time, oldest first; none that is private, or asked about the past itself."""
        found = []
        for run in list(reversed(self.house.talk.every()))[:_MOST_LOOKED_AT]:
            at = self._asked_at(run)
            if at is None or run == self.besides:
                continue
            if when is not None and when.since is not None and at < when.since:
                break
            if when is not None and when.until is not None and at >= when.until:
                continue  # before all of its events are read
            view = self._whole(run)
            if view is not None and not view["private"] and RECALLED not in (view["result"] or {}):
                found.append(view | {"at": at.isoformat()})
        yield from reversed(found)

    def _whole(self, run: str) -> View | None:
        """The view of a run. A client is shown its own whole, of the person's what it may read, of others' nothing."""
        events = list(self.house.ledger.events(run=run))
        view, sees = run_view(events), sees_of(self.house, self.client)
        if sees is None or self._is_its_own(run):
            return view
        if self.house.talk.client(run) or not sees(USER_SAID.to_json()):
            return None
        return view if sees(answered_with(events).to_json()) else view | {"answer": ""}

    def _is_its_own(self, run: str) -> bool:
        """Tell whether the client itself asked this, and not an earlier one of its name."""
        key = self.house.owner_key(self.client)
        return key is not None and self.house.talk.is_of(run, self.client, key)

    def _asked_at(self, run: str) -> datetime | None:
        for event in self.house.ledger.events(run=run, kinds=("run.created",)):
            said = (event.body or {}).get("now")
            return datetime.fromisoformat(str(said)) if said else None
        return None

    def _line(self, view: View, language: str) -> str:
        at = moment(datetime.fromisoformat(view["at"]), self.now, language)
        text = quoted(request_words(self.house.ledger, view["run"]), language)
        answer = one_line(short_answer(str(view["answer"] or "")), 80)
        return f"- {at}: {text} ({view['run']}){' – ' + answer if answer else ''}"

    def _about(self, asked: Talk) -> Answer:
        """What was said about something: the runs that hold all of its words, else the nearest as such."""
        views = list(self._bearing(asked))
        whole = [view for view in views if view["missing"] == 0]
        some = whole or [view for view in views if view["missing"] * 2 <= view["asked"]]
        if not some:
            key = "nothing_then" if asked.when else "nothing_about"
            return Answer(say(asked.language, key, words=quoted(asked.words, asked.language)))
        if asked.latest:
            some = sorted(some, key=lambda view: str(view["at"]), reverse=True)
        lines = [self._told(view, asked) for view in some[:_FEW]]
        head = [] if whole else [say(asked.language, "nearest")]
        more = [say(asked.language, "more", count=len(some) - _FEW)] if len(some) > _FEW else []
        return Answer("\n".join([*head, *lines, *more]), [brief(view) for view in some[:MOST]])

    def _bearing(self, asked: Talk) -> Iterator[View]:
        """The runs of what recall finds, best first, each once, with how many of the words they lack."""
        from memory.recall import Question

        wanted = content_words(asked.words, asked.language)
        question = Question(
            asked.words, limit=_SOUGHT, span=span_of(asked.when), kinds=("turn",),
            label=sees_of(self.house, self.client),
            entities=whom(self.house, asked.words, self.client), times=times_in(asked.words, self.now),
        )  # fmt: skip
        runs = dict.fromkeys(run_of(hit.turn.id) for hit in self.house.recollection.search(question))
        for run in runs:
            view, at = self._whole(run), self._asked_at(run)
            if view is None or at is None or run == self.besides or not wanted:
                continue
            said = forms_in(_spoken(view, asked.part))
            missing = sum(not holds(said, word) for word in wanted)
            yield view | {"at": at.isoformat(), "missing": missing, "asked": len(wanted)}

    def _told(self, view: View, asked: Talk) -> str:
        at = moment(datetime.fromisoformat(view["at"]), self.now, asked.language)
        text = quoted(request_words(self.house.ledger, view["run"]), asked.language)
        said = say(asked.language, "you_asked", when=at[:1].upper() + at[1:], text=text, run=view["run"])
        answer = one_line(str(view["answer"] or ""), 400)
        return f"{said} {say(asked.language, 'i_said', text=answer)}" if answer else said

    # --- what was done --------------------------------------------------------------------------------------------

    def _done_then(self, asked: Talk) -> Answer:
        deeds = [deed for deed in self._back(asked.when) if not deed.implied]
        if not deeds:
            return Answer(say(asked.language, "nothing_done"))
        return self._listed(list(reversed(deeds)), asked.language)

    def _back(self, when: When | None) -> Iterator[Deed]:
        return self.past.back(*((when.since, when.until) if when else (None, None)))

    def doing(self, asked: Doing) -> Answer | None:
        """Answer when something was done last, or to which things; None where it may be about something else."""
        deeds = [deed for deed in self._deeds(asked) if not (deed.implied and asked.thing.folder is not True)]
        if not deeds:
            if asked.verb.stems:
                return None
            return Answer(say(asked.language, "never_then" if asked.when else "never_done"))
        if not asked.latest:
            return self._listed(deeds, asked.language)
        deed = deeds[0]
        at = moment(deed.at, self.now, asked.language)
        home = self.house.world.home
        done = deed_words(deed, home, asked.language)
        said = say(asked.language, "last_done", when=at[:1].upper() + at[1:], deed=done, run=deed.run)
        because = say(asked.language, "asked_with", text=quoted(deed.request, asked.language))
        return Answer(" ".join([said, because, *self._now(deed, asked.language)]), [self._brief_of(deed)])

    def _deeds(self, asked: Doing) -> Iterator[Deed]:
        folders = self.house.world.folders(asked.place) if asked.place else ()
        for deed in self._back(asked.when):
            placed = not asked.place or any(deed.path.startswith(f"{folder}/") for folder in folders)
            if placed and was_done(deed, asked.verb) and is_called(deed, asked.thing, self.lexicon):
                yield deed

    def _now(self, deed: Deed, language: str) -> list[str]:
        """Where the thing is by now, if that is elsewhere."""
        if deed.kind == "deleted":
            return []
        if not self.house.world.exists(deed.now_at):
            return [say(language, "since_gone")]
        above = deed.now_at.rpartition("/")[0]
        return [] if deed.now_at == deed.path else [say(language, "now_at", path=short(above, self.house.world.home))]

    def _listed(self, deeds: Sequence[Deed], language: str) -> Answer:
        home = self.house.world.home
        lines = [
            f"- {moment(deed.at, self.now, language)}: {deed_words(deed, home, language)} ({deed.run})"
            for deed in deeds[:MOST]
        ]
        more = [say(language, "more", count=len(deeds) - MOST)] if len(deeds) > MOST else []
        runs = list({deed.run: self._brief_of(deed) for deed in deeds}.values())
        return Answer("\n".join([say(language, "done_list"), *lines, *more]), runs)

    @staticmethod
    def _brief_of(deed: Deed) -> View:
        return {"run": deed.run, "at": deed.at.isoformat(), "text": deed.request, "conversation": deed.conversation,
                "path": deed.path, "now_at": deed.now_at}  # fmt: skip

    # --- what can be taken back -----------------------------------------------------------------------------------

    def changed(self, words: str, when: When | None, language: str) -> list[View]:
        """The runs of a stretch of time whose changes stand and are about these words, the latest first."""
        wanted = content_words(words, language)
        runs: dict[str, View] = {}
        for deed in self._back(when):
            if deed.run != self.besides and all(_is_about(deed, word, self.lexicon) for word in wanted):
                runs.setdefault(deed.run, self._brief_of(deed))
        return list(runs.values())


def brief(view: Mapping[str, Any]) -> View:
    """Return a run as a result names it."""
    return {name: view.get(name) for name in ("run", "at", "text", "conversation", "resolution")} | {
        "answer": one_line(str(view.get("answer") or ""), 400)
    }


def _spoken(view: View, part: Part) -> str:
    """The text in which the words are looked for: all of a run, of what was asked only what was said."""
    effects = view["effects"]
    changed = effects["first"] if isinstance(effects, Mapping) else effects
    places = " ".join(f"{one['path']} {one.get('source') or ''}" for one in changed)
    if part is Part.ASKED:
        return str(view["text"])
    return f"{view['text']} {view['answer']} {places}"


def _is_about(deed: Deed, word: str, lexicon: Lexicon) -> bool:
    return is_called(deed, Thing((word,)), lexicon) or holds(forms_in(deed.request), word)
