"""Files by words of their names, in any order: "the bright office invoice", "rechnung von nordwind", "expenses csv".

Nouns that mean the same, as manifests say ("bill", "Rechnung"), stand for each other where no name has the word.

What this stops: that a word which says which file is meant stays unexplained, and that a part of such a phrase is taken
for a thing of its own. A phrase holds words of one name, joined or apart, a word for the kind of file or its suffix, a
month and a year, and what links these ("von", "of the").
What it does not: guess. One word alone is no file; what fits several files is all of them, to be asked about; a kind or
a date that fits none leaves the phrase unread; and where a name was said in part, nothing is taken away by it (PART).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from kernel.context.naming import Wanted, parts_of, plain, split_name
from kernel.context.walk import nearness
from kernel.context.world import World
from kernel.language.free_text import own_text
from kernel.language.function_words import is_function_word
from kernel.language.lemmas import is_german_noun, is_known, lemma_of
from kernel.language.lexicon import Lexicon
from kernel.language.line import Found, Line
from kernel.language.place.partial import DEFINITE, PART
from kernel.language.place.place_words import FILE_NOUNS, INDEFINITE, NAMING, PLURAL_FILES, UNIVERSAL, looks_like_path
from kernel.language.place.same_nouns import parts, ways
from kernel.language.place.suffixes import KNOWN
from kernel.language.time.calendar_words import DOUBTFUL_MONTHS, MONTHS, SHORT_MONTHS
from skills.model import ValueKind

_LINKS = frozenset("of from by for about von vom für über zu zum zur 's ’s".split())
_DATE_LINKS = frozenset("from of for in vom von im aus für".split())
_BETWEEN = DEFINITE | frozenset("that this".split())
_BEFORE = _BETWEEN | frozenset("im am vom beim zum zur ins".split())
_DOTS = frozenset({"dot", "punkt"})
_NEW = frozenset("as als new neu neue neuen neues".split()) | NAMING
_OF_A_THING = frozenset("des dieses meines unseres seines ihres".split())
_IN_OTHER_WORDS = 0.05
_YEARS = range(1900, 2100)
_MOST_JOINED = 3
_LEAST_SPLIT = 3
_MOST_LINKING = 3
_MOST_MEANT = 8
_MOST_PHRASES = 16
_MOST_TOKENS = 200
_LONGEST = 64  # tokens of a phrase
_LONGEST_UNNAMED = 4  # of them before the first word of a name
_ANY = Wanted()


@dataclass(frozen=True, slots=True)
class _Phrase:
    """What was read so far, from token ``first`` up to ``last``."""

    first: int
    last: int
    wanted: Wanted = _ANY
    said: tuple[str, ...] = ()  # the words of the name, in the order in which they were said
    kind: bool = False  # a word for a file, for its kind or its suffix
    dated: bool = False
    linked: bool = False  # the last word of the name stands behind "of" or the like
    clash: bool = False  # what follows contradicts every file that the words before could mean
    loose: bool = False  # it holds a word that no name has

    def and_words(self, last: int, *words: str) -> _Phrase:
        """The phrase with further words of the name, up to ``last``."""
        wanted = replace(self.wanted, words=self.wanted.words.union(words))
        return replace(self, last=last, wanted=wanted, said=(*self.said, *words), linked=False)


def things(line: Line, world: World, lexicon: Lexicon, inside: frozenset[int]) -> Iterator[Found]:
    """Yield the FILE spans of every phrase that describes a file, and what a tool that looks for it may seek.

    ``inside`` are quoted tokens; nothing is read behind words that announce the person's own text.
    """
    inside |= own_text(line, lexicon)
    reader = _Reader(line, world, lexicon, inside)
    at = tried = 0
    if line.size > _MOST_TOKENS:
        return  # nobody speaks of a file in so many words, and no plan is made of them
    while at < line.size and tried < _MOST_PHRASES:
        phrase = reader.read(at)
        tried += phrase is not None
        found = [] if phrase is None else list(reader.meant(phrase))
        yield from found
        at = phrase.last if phrase is not None and found else at + 1


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads phrases of one sentence."""

    line: Line
    world: World
    lexicon: Lexicon
    inside: frozenset[int]

    def read(self, first: int) -> _Phrase | None:
        """The longest phrase that begins at ``first``; None when none does."""
        if not self._may_open(first):
            return None
        phrase = _Phrase(first, first)
        while not phrase.clash and phrase.last < self.line.size and self._may_grow(phrase):
            longer = self._name(phrase) or self._kind(phrase) or self._date(phrase) or self._linked(phrase)
            if longer is None:
                break
            phrase = longer
        return self._rounded(phrase) if phrase.said else None

    def _may_open(self, first: int) -> bool:
        line, before = self.line, self.line.norm(first - 1)
        if before in UNIVERSAL | INDEFINITE | _NEW or not self._is_plain(first):
            return False
        return before in _BEFORE or not self.lexicon.is_verb(line.tokens[first])

    @staticmethod
    def _may_grow(phrase: _Phrase) -> bool:
        return phrase.last - phrase.first < (_LONGEST if phrase.said else _LONGEST_UNNAMED)

    def _is_plain(self, at: int) -> bool:
        line = self.line
        if at >= line.size or at in self.inside or looks_like_path(line.raw(at)):
            return False
        return line.is_content(at) or line.norm(at)[:1].isdigit()

    # --- words of the name

    def _name(self, phrase: _Phrase) -> _Phrase | None:
        """One word of the name behind the phrase: several joined, one as it is, or two that were joined."""
        if not self._is_plain(phrase.last):
            return None
        longer = [phrase.and_words(last, *said) for last, said in self._joined(phrase.last)]
        found = next((one for one in longer if self.world.has_such(one.wanted)), None)
        found = found or self._apart(phrase) or self._compound(phrase)
        return found or next((one for one in map(self._fitting, (*longer, *self._pair(phrase))) if one), None)

    def _pair(self, phrase: _Phrase) -> Iterator[_Phrase]:
        """With two nouns that only a compound of a name may hold: "employment contract" for "Arbeitsvertrag"."""
        pair = range(phrase.last, phrase.last + 2)
        if all(self._is_plain(at) and self.lexicon.same_nouns(plain(self.line.raw(at))) for at in pair):
            yield phrase.and_words(pair.stop, *(plain(self.line.raw(at)) for at in pair))

    def _joined(self, first: int) -> Iterator[tuple[int, tuple[str, ...]]]:
        """Up to where words may belong together, and as which words of a name: most of them as one first."""
        for last in range(min(first + _MOST_JOINED, self.line.size), first, -1):
            if all(map(self._is_plain, range(first, last))):
                yield last, _words(self.line, first, last)

    def _fitting(self, phrase: _Phrase) -> _Phrase | None:
        """The phrase if it fits a file; else with nouns that mean the same as those said, if it fits one then."""
        if self.world.has_such(phrase.wanted):
            return phrase
        for either in ways(phrase.said, self.lexicon):
            wanted = replace(phrase.wanted, words=frozenset(), either=either)
            if self.world.has_such(wanted):
                return replace(phrase, wanted=wanted)
        return None

    def _compound(self, phrase: _Phrase) -> _Phrase | None:
        """A compound of nouns that the name has in other words, or in the other language: "Mietvertrag"."""
        word = plain(self.line.raw(phrase.last))
        owned = word.removesuffix("s") if self.line.norm(phrase.last - 1) in _OF_A_THING else word
        made = (*parts(owned, self.lexicon), (owned,)) if owned != word else parts(word, self.lexicon)
        longer = (self._fitting(phrase.and_words(phrase.last + 1, *split)) for split in made)
        return next((one for one in longer if one), None)

    def _apart(self, phrase: _Phrase) -> _Phrase | None:
        """A word that the name has in two ("Nordwindrechnung"), or that has the s of a genitive ("Nordwinds")."""
        word = plain(self.line.raw(phrase.last))
        if word.endswith("s") and len(word) > _LEAST_SPLIT and not is_known(word) and not is_known(word[:-1]):
            longer = phrase.and_words(phrase.last + 1, word[:-1])
            if self.world.has_such(longer.wanted):
                return longer
        for at in range(_LEAST_SPLIT, len(word) - _LEAST_SPLIT + 1):
            longer = phrase.and_words(phrase.last + 1, word[:at], word[at:])
            if self.world.has_such(longer.wanted):
                return longer
        return None

    def _linked(self, phrase: _Phrase) -> _Phrase | None:
        """A word of the name behind "of the", "von der" or a small word that the name has itself."""
        at = phrase.last
        while at < min(self.line.size, phrase.last + _MOST_LINKING) and self._links(phrase, at):
            at += 1
        if at == phrase.last or not (phrase.said or (phrase.kind and self._is_definite(phrase))):
            return None
        longer = self._name(replace(phrase, last=at))
        return None if longer is None else replace(longer, linked=True)

    def _links(self, phrase: _Phrase, at: int) -> bool:
        norm = self.line.norm(at)
        if norm in _LINKS or norm in _BETWEEN or self._leads_to(phrase, at):
            return True
        word = frozenset({plain(norm)})
        wanted = replace(phrase.wanted, words=phrase.wanted.words | word)
        return bool(phrase.said) and is_function_word(norm) and self.world.has_such(wanted)

    def _leads_to(self, phrase: _Phrase, at: int) -> bool:
        """ "The letter to the landlord": no place where something goes is called so."""
        behind = at + 2
        leads = self.line.norm(at) == "to" and self.line.norm(at + 1) in DEFINITE and behind < self.line.size
        return leads and bool(phrase.said) and not self.world.folders(self.line.raw(behind))

    # --- its kind and its date

    def _kind(self, phrase: _Phrase) -> _Phrase | None:
        """A word for the kind of file, its suffix as a word, or "file"."""
        line, at = self.line, phrase.last
        if at in self.inside:
            return None
        dotted = line.norm(at) in _DOTS and line.norm(at + 1).isalnum()
        for last in (at + 2, at + 1):
            word = line.norm(at + 1) if dotted else line.words(at, last - at).strip().removeprefix(".")
            suffixes = self._suffixes(phrase, word) if last <= line.size else frozenset[str]()
            longer = self._of_kind(phrase, last, suffixes)
            if suffixes and longer is not None:
                return longer
        if line.norm(at) in FILE_NOUNS:
            return replace(phrase, last=at + 1, kind=True)
        return replace(phrase, clash=True) if self._is_other_kind(phrase, at) else None

    def _of_kind(self, phrase: _Phrase, last: int, suffixes: frozenset[str]) -> _Phrase | None:
        if phrase.wanted.suffixes is not None:
            suffixes &= phrase.wanted.suffixes
        longer = replace(phrase, last=last, wanted=replace(phrase.wanted, suffixes=suffixes), kind=True)
        if not suffixes or not phrase.said:
            return longer if suffixes else None
        return self._fitting(longer)

    def _suffixes(self, phrase: _Phrase, word: str) -> frozenset[str]:
        """The suffixes for which a word stands, if it is one thing of a kind and not many."""
        known = self.lexicon.suffixes(word) or self.lexicon.suffixes(f"{word}s")
        if not phrase.said:
            return known if not self._is_many(word) else frozenset()
        return frozenset() if self._is_many(word) else known | {word}

    def _is_many(self, word: str) -> bool:
        if not self.lexicon.suffixes(word):
            return False
        ones = {lemma_of(word, self.line.language), lemma_of(word.capitalize(), self.line.language), word[:-1]} - {word}
        return any(self.lexicon.suffixes(one) for one in ones)

    def _is_other_kind(self, phrase: _Phrase, at: int) -> bool:
        """A kind that no file of these words has, or many of one: the words before mean no one file."""
        norm = self.line.norm(at).removeprefix(".")
        return bool(phrase.said) and (bool(self.lexicon.suffixes(norm)) or norm in KNOWN or norm in PLURAL_FILES)

    def _date(self, phrase: _Phrase) -> _Phrase | None:
        """A month with or without a year, that the name has in digits: "from November", "2025"."""
        at, line = phrase.last, self.line
        linked = line.norm(at) in _DATE_LINKS
        at += linked
        at += line.norm(at) in DEFINITE
        month = self._month(at, linked)
        if not month:
            return None
        at += 1
        year = int(line.norm(at)) if line.norm(at).isdigit() and int(line.norm(at)) in _YEARS else 0
        wanted = replace(phrase.wanted, month=month, year=year)
        longer = replace(phrase, last=at + bool(year), wanted=wanted, dated=True)
        return (self._fitting(longer) or replace(phrase, clash=True)) if phrase.said else longer

    def _month(self, at: int, linked: bool) -> int:
        norm = self.line.norm(at)
        month = MONTHS.get(norm) or SHORT_MONTHS.get(norm, 0)
        sure = linked or self.line.raw(at)[:1].isupper() or norm not in DOUBTFUL_MONTHS
        return month if sure else 0

    # --- words beside it that no name has

    def _rounded(self, phrase: _Phrase) -> _Phrase:
        """The phrase with a word that no name has: the rest of a sender's name, what it is called or is about."""
        phrase = self._about(phrase)
        if phrase.clash or phrase.kind or not self._may_go_on(phrase.last):
            return phrase
        longer = replace(phrase, last=phrase.last + 1, loose=True)
        if phrase.linked and len(phrase.said) > 1:
            return longer if self._is_of_a_name(phrase.last) else phrase
        if len(phrase.said) != 1 or phrase.dated or not self._is_bill(phrase):
            return phrase
        return self._date(longer) or longer

    def _about(self, phrase: _Phrase) -> _Phrase:
        """ "The electricity | bill from Nordwind": what a thing is about stands before the noun, behind an article."""
        line, before = self.line, phrase.first - 1
        is_noun = bool(self.lexicon.same_nouns(phrase.said[0])) and phrase.linked and before not in self.inside
        if not is_noun or line.norm(before - 1) not in _BETWEEN or not self._may_go_on(before):
            return phrase
        return replace(phrase, first=before, loose=True)

    def _may_go_on(self, at: int) -> bool:
        line = self.line
        return at < line.size and line.is_content(at) and self._is_plain(at) and line.norm(at).isalpha()

    def _is_of_a_name(self, at: int) -> bool:
        """ "Bright Office Supplies", "nordwind energie": a capital or a German noun, no word of a tool."""
        token, small = self.line.tokens[at], self.line.raw(at).islower()
        noun = not small or (self.line.language == "de" and is_german_noun(token.norm))
        return noun and not self.lexicon.knows(token)

    def _is_bill(self, phrase: _Phrase) -> bool:
        """ "The acme bill": a name that no dictionary has, behind an article, and a noun for the thing."""
        line, noun = self.line, phrase.last
        if phrase.last != phrase.first + 1 or line.norm(phrase.first - 1) not in _BETWEEN:
            return False
        norm, language = line.norm(noun), line.language
        if norm not in (lemma_of(norm, language), lemma_of(norm.capitalize(), language)):
            return False  # many of them
        return self._is_proper(phrase.first) and (self.lexicon.knows(line.tokens[noun]) or is_known(line.norm(noun)))

    def _is_proper(self, at: int) -> bool:
        norm, token = self.line.norm(at), self.line.tokens[at]
        known = is_known(norm, self.line.language) or self.lexicon.knows(token)
        return norm.isalpha() and len(norm) > _LEAST_SPLIT and not known

    # --- what is meant

    def meant(self, phrase: _Phrase) -> Iterator[Found]:
        """Yield a FILE for each file that is meant: the one of that very name, or all that fit, if they are few."""
        if phrase.clash:
            return
        fitting = self.world.such(phrase.wanted)
        whole = [path for path in fitting if not _unsaid(path, phrase.wanted)]
        likely = whole or list(fitting)
        paths = sorted(filter(self.world.exists, likely), key=nearness) if len(likely) <= _MOST_MEANT else []
        if not paths or not self._is_said(phrase, paths):
            return
        sure, source = _trust(phrase, paths, self._is_definite(phrase))
        for path in paths:
            yield Found(ValueKind.FILE, phrase.first, phrase.last, path, sure, source)
        if len(paths) == 1:
            yield Found(ValueKind.QUERY, phrase.first, phrase.last, split_name(paths[0])[0], sure, source)

    def _is_definite(self, phrase: _Phrase) -> bool:
        return self.line.norm(phrase.first - 1) in _BEFORE

    def _is_said(self, phrase: _Phrase, paths: list[str]) -> bool:
        """Enough was said: a kind or a date, or two words that are no chance beside each other."""
        if phrase.wanted.either and phrase.last - phrase.first == 1 and not self._is_definite(phrase):
            return False  # "call it Packliste" is a name of its own
        told = phrase.kind or phrase.dated or phrase.loose
        if len(phrase.said) < 2:
            whole = self._is_definite(phrase) and len(paths) == 1 and not _unsaid(paths[0], phrase.wanted, codes=False)
            return whole or (told and (len(paths) == 1 or self._is_definite(phrase)))
        named = self._is_definite(phrase) or any(map(self._is_proper, range(phrase.first, phrase.last)))
        if len(paths) > 1:
            return told or self._is_definite(phrase)
        return told or named or _stands_in(paths[0], phrase.said) or not _unsaid(paths[0], phrase.wanted, codes=False)


def _words(line: Line, first: int, last: int) -> tuple[str, ...]:
    """The words of one token, at hyphens apart; of several tokens one word."""
    if last - first == 1:
        return tuple(word for word in plain(line.raw(first)).replace("_", "-").split("-") if word)
    return ("".join(plain(line.raw(at)) for at in range(first, last)),)


def _stands_in(path: str, said: tuple[str, ...]) -> bool:
    """The words stand in the name as they were said, one right after the other."""
    return " ".join(said) in " ".join(pieces[0] for pieces in parts_of(path))


def _unsaid(path: str, wanted: Wanted, *, codes: bool = True) -> list[str]:
    """The words of a name that were not said; with or without those that have digits."""
    runs = (pieces for pieces in parts_of(path) if codes or pieces[0].isalpha())
    words = wanted.all_words()
    return [pieces[0] for pieces in runs if not _is_among(pieces, words)]


def _is_among(pieces: tuple[str, ...], words: frozenset[str]) -> bool:
    letters = {piece for piece in pieces[1:] if piece.isalpha()}
    return pieces[0] in words or is_function_word(pieces[0]) or (bool(letters) and letters <= words)


def _trust(phrase: _Phrase, paths: list[str], definite: bool) -> tuple[float, str]:
    """How sure it is that a file is meant, by how much of its name was said, and whether all its words were."""
    unsaid = max(len(_unsaid(path, phrase.wanted, codes=False)) for path in paths)
    share = len(phrase.said) / (len(phrase.said) + unsaid)
    sure = 0.6 + 0.25 * share + 0.05 * (phrase.kind or phrase.dated) + 0.05 * definite
    in_other_words = bool(phrase.wanted.either)
    sure -= _IN_OTHER_WORDS * in_other_words
    if phrase.loose or (in_other_words and len(phrase.said) < 2):
        return min(sure, 0.7), PART
    return sure if len(paths) == 1 else sure - 0.1, PART if unsaid else "stem"
