"""Things by what was done to them: "the file I renamed this morning", "die Datei, die ich gestern verschoben habe".

What this stops: that such a phrase is searched for as words, or that its verb is taken for the request. It is read
whole, and means what the ledger says: the things that Steward did just that to, where they lie now, as far as they are
there.
What it does not: guess. What fits several is all of them, to be asked about; what fits nothing is said to be nothing,
unless people also do such a thing without Steward: then the words are read as ever.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from kernel.context.deeds import Deed, DeedKind, Past
from kernel.context.world import World
from kernel.language.lexicon import Lexicon
from kernel.language.line import Found, Line
from kernel.language.place.deed_words import Thing, Verb, is_called, is_participle, thing_of, verb_of, was_done
from kernel.language.time.past_times import When, when_at
from skills.model import ValueKind

RECALLED = "recalled"
"""The source of a span that was found by what was done before."""

_SPEAKERS = frozenset("i we you ich wir du".split())
_GERMAN = frozenset("ich wir du".split())
_RELATIVE = frozenset("that which der die das den dem welche welchen".split())
_DETERMINERS = frozenset(
    "the that this those these my all every "
    "der die das den dem diese dieser diesen dieses meine meinen alle allen".split()
)
_BEFORE_VERB = frozenset("have 've had just last recently already also only ’ve 'd then even".split())
_AFTER_VERB = frozenset("away up over there here again too earlier once".split())
_HAVE = frozenset("habe hab hast haben hatte hatten hattest".split())
_BETWEEN = frozenset(
    "zuletzt schon auch noch da dort eben gerade letztens mal dir mir vorhin wieder das letzte mal".split()
)
_TO_PLACE = frozenset("to into in nach ins im".split())
_WHERE = frozenset("where wo wohin".split())
_TO_WHERE = frozenset("to in into there dorthin dahin".split())
_TALKS = frozenset("conversation chat talk session gespräch unterhaltung sitzung".split())
_EARLIER = frozenset("last previous earlier letzten letzte vorigen vorige".split())
_OUR = frozenset("our the my unserem unserer dem der meinem meiner".split())
_ABOUT = frozenset("about on regarding über zu zum zur wegen".split())
_PARTICLES = frozenset("and und then dann please bitte vor an aus auf ab weg again wieder".split())
_FROM_TALK = frozenset("from in of during aus in von".split())
_ANYTHING = Verb(frozenset(set(DeedKind) - {DeedKind.DELETED}))
_MOST_NOUN = 4
_MOST_INNER = 10
_MOST_MEANT = 40
_MOST_ASKED = 9


@dataclass(frozen=True, slots=True)
class Mention:
    """The tokens [first, last) speak of ``thing``, to which ``verb`` was done ``when``; ``where``: of its folder."""

    first: int
    last: int
    thing: Thing
    verb: Verb
    when: When | None = None
    place: str = ""
    bare: int = 0  # where it ends if the place is where something is to go, and not where it was put
    where: bool = False
    talk: bool = False  # done in the conversation before this one
    about: bool = False  # done in a conversation about something


def done_before(line: Line, past: Past, world: World, lexicon: Lexicon, inside: frozenset[int]) -> Iterator[Found]:
    """Yield FILE and FOLDER spans for every phrase that says what was done to a thing."""
    if (_SPEAKERS | _TALKS).isdisjoint(token.norm for token in line.tokens):
        return
    end = 0
    for index in range(1, line.size):
        if line.norm(index) in _SPEAKERS | _TALKS and index not in inside:
            one = _mention(line, index, world, lexicon)
            if one is not None and one.first >= end:
                end = one.last
                yield from _meant(one, past, world, lexicon)


def _mention(line: Line, at: int, world: World, lexicon: Lexicon) -> Mention | None:
    reader = _Reader(line, world, lexicon)
    if line.norm(at) in _TALKS:
        return reader.of_talk(at)
    return reader.german(at) if line.norm(at) in _GERMAN else reader.english(at)


@dataclass(frozen=True, slots=True)
class _Reader:
    line: Line
    world: World
    lexicon: Lexicon

    # --- English

    def english(self, at: int) -> Mention | None:
        """ "The file [that] I renamed this morning", "where I put the last invoice"."""
        verb_at = at + 1
        while self.line.norm(verb_at) in _BEFORE_VERB:
            verb_at += 1
        if not self._may_describe(at):
            return None
        verb = verb_of(self.line.norm(verb_at), "en")
        if verb is None:
            return None
        lately = "just" in {self.line.norm(step) for step in range(at, verb_at)}
        latest = "last" in {self.line.norm(step) for step in range(at, verb_at)}
        if self.line.norm(at - 1) in _WHERE:
            return self._where_english(at, verb_at, verb) if verb.puts else None
        noun_end = at - 1 if self.line.norm(at - 1) in _RELATIVE and at - 1 > self._noun_begin(at - 1) else at
        noun = self._noun(noun_end)
        if noun is None:
            return None
        thing = replace(noun[1], latest=noun[1].latest or latest or (lately and not noun[1].many))
        last, place = self._placed(verb_at + 1, verb)
        bare = verb_at + 1 if place else 0
        when = self._when(last)  # a place behind it is where something is to go now, not where it was put
        return Mention(noun[0], when.last if when is not None else last, thing, verb, when, place, bare)

    def _where_english(self, at: int, verb_at: int, verb: Verb) -> Mention | None:
        begin = verb_at + 1
        end = begin
        while (
            end < self.line.size
            and end - begin <= _MOST_NOUN
            and self._is_noun_word(end)
            and not when_at(self.line, end)
        ):
            end += 1
        if end == begin:
            return None
        words = [self.line.norm(step) for step in range(begin, end) if self.line.norm(step) not in _DETERMINERS]
        when = self._when(end)
        first = at - 1
        first = self._place_noun(first)
        thing = thing_of(words, self.lexicon, "en")
        return Mention(first, when.last if when else end, thing, verb, when, where=True) if words else None

    def _place_noun(self, where: int) -> int:
        """ "To the folder where I put ...", "in the same place where"."""
        noun = {"folder", "place", "directory", "spot", "ordner", "ort", "stelle"}
        at = where - 1 if self.line.norm(where - 1) != "," else where - 2
        if self.line.norm(at) not in noun:
            return where
        at -= 1
        while self.line.norm(at) in _DETERMINERS | {"same", "gleichen", "selben"}:
            at -= 1
        return at + 1

    def _is_noun_word(self, at: int) -> bool:
        return self.line.is_word(at) and (self.line.is_content(at) or self.line.norm(at) in _DETERMINERS | {"last"})

    # --- German

    def german(self, at: int) -> Mention | None:
        """ "Die Datei, die ich gestern verschoben habe", "wo ich die letzte Rechnung hingelegt habe"."""
        line = self.line
        end = next((step for step in range(at + 1, min(line.size, at + _MOST_INNER)) if line.norm(step) in _HAVE), 0)
        verb = verb_of(line.norm(end - 1), "de") if end > at + 1 and is_participle(line.norm(end - 1)) else None
        if verb is None:
            return None
        if line.norm(at - 1) in _WHERE:
            return self._where_german(at, end, verb) if verb.puts else None
        if line.norm(at - 1) not in _RELATIVE:
            return None
        noun = self._noun(at - 2 if line.norm(at - 2) == "," else at - 1)
        inner = self._inner(at + 1, end - 1, verb) if noun is not None else None
        if noun is None or inner is None:
            return None
        when, place, latest = inner
        thing = replace(noun[1], latest=noun[1].latest or (latest and not noun[1].many))
        return Mention(noun[0], end + 1, thing, verb, when, place)

    def _inner(self, first: int, last: int, verb: Verb) -> tuple[When | None, str, bool] | None:
        """What stands between the speaker and the verb: when, where to, and small words; None where more does."""
        when, place, latest, at = None, "", False, first
        while at < last:
            found = when_at(self.line, at)
            if found is not None and found.last <= last:
                when, at = found, found.last
                continue
            end, there = self._placed(at, verb)
            if there:
                place, at = there, end
            elif self.line.norm(at) in _BETWEEN:
                latest = latest or self.line.norm(at) in ("zuletzt", "gerade", "eben", "letzte")
                at += 1
            else:
                return None
        return when, place, latest

    def _where_german(self, at: int, end: int, verb: Verb) -> Mention | None:
        line, words, when = self.line, [], None
        step = at + 1
        while step < end - 1:
            found = when_at(line, step)
            if found is not None and found.last <= end - 1:
                when, step = found, found.last
                continue
            words.append(line.norm(step))
            step += 1
        words = [word for word in words if word not in _DETERMINERS and word not in _BETWEEN - {"letzte"}]
        first = self._place_noun(at - 1)
        if first == at - 1 and line.norm(at - 2) == "," and line.norm(at - 3) in _TO_WHERE:
            first = at - 3
        thing = thing_of(words, self.lexicon, "de")
        return Mention(first, end + 1, thing, verb, when, where=True) if words else None

    # --- both

    def _may_describe(self, at: int) -> bool:
        """Tell whether a noun with its article, or "where", stands before the speaker: a cheap look."""
        before = {self.line.norm(step) for step in range(max(0, at - _MOST_NOUN - 2), at)}
        return not before.isdisjoint(_DETERMINERS | _WHERE)

    def of_talk(self, at: int) -> Mention | None:
        """ "The note from our last conversation", "die Notiz aus unserem Gespräch über den Garten"."""
        topic = self._topic(at + 1)
        if topic:
            begin = at - 1 - (self.line.norm(at - 1) in _EARLIER)
            whose = self.line.norm(begin) in _OUR and self.line.norm(begin - 1) in _FROM_TALK
            noun = self._noun(begin - 1) if whose else None
            return None if noun is None else Mention(noun[0], topic, noun[1], _ANYTHING, about=True)
        if self.line.norm(at - 1) not in _EARLIER or self.line.norm(at - 2) not in _OUR:
            return None
        noun = self._noun(at - 3) if self.line.norm(at - 3) in _FROM_TALK else None
        return None if noun is None else Mention(noun[0], at + 1, noun[1], _ANYTHING, talk=True)

    def _topic(self, at: int) -> int:
        """Where the words end that say what a talk was about, which begin at token ``at``; 0 where none do."""
        if self.line.norm(at) not in _ABOUT:
            return 0
        end = at + 1
        while end < self.line.size and end - at <= _MOST_NOUN + 1 and self._is_of_topic(end):
            end += 1
        return end if any(self.line.is_content(one) for one in range(at + 1, end)) else 0

    def _is_of_topic(self, at: int) -> bool:
        return self.line.is_word(at) and self.line.norm(at) not in _TO_PLACE | _PARTICLES

    def _noun_begin(self, end: int) -> int:
        at = end - 1
        while at >= 0 and end - at <= _MOST_NOUN and self.line.is_word(at) and self.line.norm(at) not in _DETERMINERS:
            at -= 1
        return at

    def _noun(self, end: int) -> tuple[int, Thing] | None:
        """The noun phrase that ends before token ``end``, with its article; a relative clause needs one."""
        at = self._noun_begin(end)
        if at < 0 or at == end - 1 or self.line.norm(at) not in _DETERMINERS:
            return None
        words = [self.line.norm(step) for step in range(at + 1, end)]
        while self.line.norm(at - 1) in ("all", "alle"):
            at -= 1
            words.insert(0, "all")
        if self.line.norm(at) in ("those", "these", "all", "alle"):
            words.insert(0, "all")
        return at, thing_of(words, self.lexicon, self.line.language)

    def _placed(self, at: int, verb: Verb) -> tuple[int, str]:
        """Where something was put, right behind its verb: "moved to Archive"."""
        while self.line.norm(at) in _AFTER_VERB:
            at += 1
        if not verb.puts or self.line.norm(at) not in _TO_PLACE:
            return at, ""
        begin = at + 1
        while self.line.norm(begin) in _DETERMINERS:
            begin += 1
        for end in range(min(begin + 3, self.line.size), begin, -1):
            folders = self.world.folders(self.line.slice(begin, end))
            if folders:
                ends = end + (self.line.norm(end) in ("folder", "ordner"))
                return ends, folders[0]
        return at, ""

    def _when(self, at: int) -> When | None:
        while self.line.norm(at) in _AFTER_VERB and not when_at(self.line, at):
            at += 1
        return when_at(self.line, at)


# --- what is meant ------------------------------------------------------------------------------------------------


def deeds_of(one: Mention, past: Past, lexicon: Lexicon) -> Iterator[Deed]:
    """Yield the deeds that a mention may mean, the latest first; of a talk only those of the latest that has one."""
    since, until = (one.when.since, one.when.until) if one.when else (None, None)
    if one.about:
        done = [deed for deed in past.back() if deed.conversation in past.talks and is_called(deed, one.thing, lexicon)]
        best = next((talk for talk in past.talks if any(deed.conversation == talk for deed in done)), "")
        yield from (deed for deed in done if deed.conversation == best)
        return
    talk = ""
    for deed in past.back(since, until):
        if one.talk:
            if deed.conversation == past.conversation or (talk and deed.conversation != talk):
                continue
            talk = deed.conversation if is_called(deed, one.thing, lexicon) else talk
        placed = not one.place or f"{deed.path}/".startswith(f"{one.place}/")
        if placed and was_done(deed, one.verb) and is_called(deed, one.thing, lexicon):
            yield deed


def _meant(one: Mention, past: Past, world: World, lexicon: Lexicon) -> Iterator[Found]:
    if one.verb.kinds == frozenset({DeedKind.DELETED}):
        return  # it is gone: the words are read as ever
    deeds = list(_standing(deeds_of(one, past, lexicon), world))
    if not deeds and one.bare:
        yield from _meant(replace(one, last=one.bare, when=None, place="", bare=0), past, world, lexicon)
        return
    if not deeds:
        if not one.verb.outside and not one.verb.stems:
            kind = ValueKind.FOLDER if one.where or one.thing.folder else ValueKind.FILE
            yield Found(kind, one.first, one.last, "", 0.9, "missing")
        return
    if one.thing.latest:
        deeds = deeds[:1]
    if one.where:
        for folder in dict.fromkeys(deed.now_at.rpartition("/")[0] for deed in deeds[:_MOST_ASKED]):
            yield Found(ValueKind.FOLDER, one.first, one.last, folder, 0.98, RECALLED)
        return
    yield from _things(one, deeds)


def _standing(deeds: Iterator[Deed], world: World) -> Iterator[Deed]:
    """Each thing once, as far as it is there; of what was made together with a folder, the folder."""
    seen: set[str] = set()
    for deed in deeds:
        if deed.now_at not in seen and world.exists(deed.now_at):
            seen.add(deed.now_at)
            yield deed
        if len(seen) >= _MOST_MEANT:
            return


def _things(one: Mention, deeds: list[Deed]) -> Iterator[Found]:
    if one.thing.folder is None and any(not deed.folder for deed in deeds):
        deeds = [deed for deed in deeds if not deed.folder]  # the folder that a file was put into was made for it
    deeds = [deed for deed in deeds if not deed.implied] or deeds
    for folder in (False, True):
        paths = [deed.now_at for deed in deeds if deed.folder is folder]
        kind = ValueKind.FOLDER if folder else ValueKind.FILE
        if one.thing.many and len(paths) > 1:
            yield Found(kind, one.first, one.last, paths, 0.98, RECALLED)
            continue
        for path in paths[:_MOST_ASKED]:
            yield Found(kind, one.first, one.last, path, 0.98, RECALLED)
