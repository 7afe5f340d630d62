"""References in a sentence: "it", "that file", "its total", "the second one", "the others". None is resolved here."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from kernel.fields import BESIDE
from kernel.language.amounts.numbers import digits, number_at, ordinal_at
from kernel.language.expletives import is_about_it, says_itself, tells_the_time
from kernel.language.extremes import extreme_at
from kernel.language.function_words import AUXILIARIES, POLITE
from kernel.language.lexicon import Lexicon
from kernel.language.line import Line, phrases
from kernel.language.there import (
    behind_verb,
    by_then,
    into_it,
    of_it,
    of_that,
    same_day,
    then_at,
    thither,
    until_then,
    within,
)
from kernel.model import Reference, ReferenceKind

_SINGULAR = frozenset("it this that es das dies dieses ihn damit davon daraus darin dazu".split())
_PLURAL = frozenset("them these those they diese denen ihnen".split())
_EITHER = frozenset("sie".split())
_DEMONSTRATIVES = {
    "this": False,
    "that": False,
    "these": True,
    "those": True,
    "dieser": None,
    "diese": None,
    "dieses": False,
    "diesen": None,
    "diesem": False,
    "jene": None,
}
_POSSESSIVES = {"its": False, "their": True, "sein": False, "seine": None, "seinen": None, "seinem": None}
_POSSESSIVES |= {"deren": None, "dessen": False, "ihr": None, "ihre": None, "ihren": None, "ihrem": None, "ihrer": None}
_ONES = frozenset("one ones".split())
_INSIDE = frozenset("in im with mit".split())
_ASKING = frozenset("was worum warum wann".split())
_NEAR = 6  # words back from a possessive to what is asked
_NAMES = frozenset("name names title filename namen titel dateinamen".split())
_OUTCOME = phrases(
    "what comes out of it|what comes out of that|what comes out|what you get|what you find|what you found|"
    "whatever you find|whatever comes out|was dabei rauskommt|was dabei herauskommt|was rauskommt|was herauskommt|"
    "was da rauskommt|was du findest|was sie finden|was du gefunden hast|was ihr findet|what it says|what they say|"
    "what she wrote|what he wrote|what they wrote|what she says|what he says|what is in it|what's in it|"
    "was drin steht|was darin steht|was sie geschrieben hat|was er geschrieben hat|was sie schreibt|was er schreibt"
)
"""They mean what an earlier request comes to."""
_RESULTS = frozenset("result results outcome answer output ergebnis ergebnisse antwort resultat".split())
_ARTICLES = frozenset("the that this der die das den dem".split())
_THESE = frozenset("these those diese jene".split())
_EVERY = frozenset("both all beide beiden alle".split())
_BOTH = frozenset("both beide beiden".split())
_AMONG = frozenset("of von".split())
_GERMAN_PLURAL = frozenset("ihnen denen diesen".split())
_ALONE = frozenset("die der den".split())
_OPENING = frozenset("und okay ok gut super dann danke prima also ja toll so".split())
_VERBS_OF_ONE = frozenset("kann könnte soll sollte ist war muss wird darf hat".split())
_VERBS_OF_MANY = frozenset("können könnten sollen sollten sind waren müssen werden dürfen haben".split())
_VERB_NEXT = (
    _VERBS_OF_ONE
    | _VERBS_OF_MANY
    | frozenset(
        "brauch brauche brauchen braucht will wollen möchte hätte kannst könntest können bitte lösch lösche kopier "
        "kopiere verschieb verschiebe benenne zeig zeige lies öffne mach schick schieb pack leg nimm".split()
    )
)
_OTHERS = frozenset("other others rest remaining anderen andere anderer anderes übrigen restlichen".split())
_RELATIVE_AFTER = frozenset("so all now both".split())
_IDIOMS = phrases(
    "this week|this month|this year|this morning|this evening|this afternoon|this weekend|this quarter|this time",
    "this monday|this tuesday|this wednesday|this thursday|this friday|this saturday|this sunday|that is|that way",
    "diese woche|diesen monat|dieses jahr|dieser woche|diesem jahr|diesem monat|dieses quartal|dieses wochenende",
    "diesen montag|diesen dienstag|diesen mittwoch|diesen donnerstag|diesen freitag|diesen samstag|diesen sonntag",
)
_GERMAN_PRONOUNS = frozenset("es das dies dieses ihn damit davon daraus darin dazu daran diese denen ihnen sie".split())
_SINGLE = frozenset("eine einen".split())
_GERMAN_ARTICLE_LIKE = frozenset("das sie diese dieses".split())


def find_references(line: Line, lexicon: Lexicon, inside: frozenset[int]) -> Iterator[Reference]:
    """Yield the references outside the tokens ``inside`` quotation marks, left to right."""
    index = 0
    while index < line.size:
        relative = line.norm(index) == "that" and not same_day(line, index) and _is_relative(line, lexicon, index)
        found = None if index in inside or relative or line.is_mark(index) else _at(line, index)
        if found is None:
            index += 1
            continue
        yield found
        index = found.last


def _is_most_of(line: Line, index: int) -> bool:
    """ "Which program takes the most of it": what was asked about just before, as everybody takes for granted."""
    return index > 2 and (
        (line.norm(index) == "it" and line.words(index - 3, 3) == "the most of")
        or (line.norm(index) == "davon" and line.words(index - 2, 2) in {"am meisten", "das meiste"})
    )


def _at(line: Line, index: int) -> Reference | None:
    if (line.phrase(index, _IDIOMS) and not _ends_with_that(line, index)) or _is_most_of(line, index):
        return None
    return (
        same_day(line, index)
        or of_that(line, index)
        or _possessive(line, index)
        or extreme_at(line, index)
        or _all_of_them(line, index)
        or _of_it(line, index)
        or _result(line, index)
        or _ordinal(line, index)
        or _other(line, index)
        or _demonstrative(line, index)
        or until_then(line, index)
        or by_then(line, index)
        or then_at(line, index)
        or into_it(line, index)
        or thither(line, index)
        or within(line, index)
        or of_it(line, index)
        or _pronoun(line, index)
        or _alone(line, index)
        or behind_verb(line, index)
    )


def _ends_with_that(line: Line, index: int) -> bool:
    """ "How many days from today that is": at the end of a clause nothing more is said of a noun."""
    verb = line.norm(index + 1) in {"is", "was", "are"}
    return (
        index > 0 and line.norm(index) == "that" and verb and line.norm(index + 2) in {"", ".", "?", "and", "then", ";"}
    )


def _possessive(line: Line, index: int) -> Reference | None:
    word = line.norm(index)
    if word not in _POSSESSIVES or (word in {"ihr", "sein"} and line.language == "en"):
        return None
    last = _noun_end(line, index + 1)
    if last == index + 1 or (line.norm(index - 1) in _INSIDE and line.norm(index + 1) in _NAMES):
        return None  # "every file with invoice in its name"
    if _is_of_a_name(line, index):
        return None
    return Reference(
        ReferenceKind.FIELD, index, last, _POSSESSIVES[word], field=_lemmas(line, index + 1, last), nouns=()
    )


def _is_of_a_name(line: Line, index: int) -> bool:
    """ "Was schreibt Anna in ihrer Mail": hers, whose bare name stands before it, and of nothing that was found."""
    if line.language != "de" or not line.norm(index).startswith("ihr") or line.norm(index - 1) not in _INSIDE:
        return False
    if (
        index < 3
        or not line.raw(index - 2)[:1].isupper()
        or line.norm(index - 3) in _ARTICLES | _THESE | {*_POSSESSIVES}
    ):
        return False
    return any(line.norm(at) in _ASKING for at in range(max(0, index - _NEAR), index - 2))


def _all_of_them(line: Line, index: int) -> Reference | None:
    """Read "both", "all three", "the two of them", "die beiden", "diese beiden", "alle drei": all that was found."""
    start = index + (line.norm(index) in _ARTICLES | _THESE)
    every = line.norm(start) in _EVERY
    last = start + 1 if every else start
    counted = number_at(line, last)
    if counted is not None and counted[0] == int(counted[0]):
        last = counted[1]
    among = last < line.size and line.norm(last) in _AMONG and line.norm(last + 1) in _PLURAL | _GERMAN_PLURAL
    both = line.norm(start) in _BOTH
    known = both or (every and (counted is not None or among)) or (counted is not None and among and last > start)
    if not known or (not among and not _ends_phrase(line, last)):
        return None
    return Reference(ReferenceKind.RESULT, index, last + 2 if among else last, True)


def _ends_phrase(line: Line, at: int) -> bool:
    """No noun follows that would say which: "both" is all that was found, "both invoices" is not; a verb may end it."""
    if line.norm(at) in _ARTICLES or line.norm(at) in {"my", "your", "mein", "meine"}:
        return False
    return not line.is_content(at) or (
        line.language == "de" and line.raw(at).islower() and not line.norm(at)[:1].isdigit()
    )


def _of_it(line: Line, index: int) -> Reference | None:
    """Read "the names of them", "the size of that file", "die Namen davon"."""
    if line.norm(index) not in _ARTICLES:
        return None
    last = _noun_end(line, index + 1)
    picks = last == index + 2 and ordinal_at(line, index + 1) is not None  # "the first of them" is one of them
    field = _lemmas(line, index + 1, last)
    while last > index + 1 and line.norm(last) in {"and", "und", ","} and line.is_content(last + 1):
        field += BESIDE + _lemmas(line, last + 1, _noun_end(line, last + 1))  # "the names and sizes of them"
        last = _noun_end(line, last + 1)
    if picks or last == index + 1 or line.norm(last) not in {"of", "von", "davon"}:
        return None
    if line.norm(last) == "davon":
        return Reference(ReferenceKind.FIELD, index, last + 1, None, field=field)
    inner = _demonstrative(line, last + 1) or _pronoun(line, last + 1) or _result(line, last + 1)
    if inner is None or inner.kind is not ReferenceKind.RESULT:
        return None
    return Reference(ReferenceKind.FIELD, index, inner.last, inner.plural, field=field, nouns=inner.nouns)


def _result(line: Line, index: int) -> Reference | None:
    outcome = line.phrase(index, _OUTCOME) if index else 0
    if outcome:
        return Reference(ReferenceKind.RESULT, index, index + outcome)
    start = index + 1 if line.norm(index) in _ARTICLES else index
    word = line.norm(start)
    if word not in _RESULTS or (start == index and word in {"answer", "outcome", "output"}):
        return None
    return Reference(ReferenceKind.RESULT, index, start + 1, line.lemma(start) != word or None)


def _ordinal(line: Line, index: int) -> Reference | None:
    """Read "the second one", "the first two", "the last file of them", "number 2", "das zweite"."""
    if line.norm(index) in {"number", "nummer", "nr.", "#"}:
        value = digits(line.norm(index + 1), line.language)
        if value is not None and value == int(value) and value < 1000:
            return Reference(ReferenceKind.ORDINAL, index, index + 2, False, ordinal=int(value))
        return None
    article = line.norm(index) in _ARTICLES
    start = index + 1 if article else index
    ordinal = ordinal_at(line, start)
    if ordinal is None:
        return None
    return _after_ordinal(line, index, start + 1, ordinal, article)


def _after_ordinal(line: Line, index: int, after: int, ordinal: int, article: bool) -> Reference | None:
    if line.norm(after) in _ONES:
        return Reference(ReferenceKind.ORDINAL, index, after + 1, line.norm(after) == "ones", ordinal=ordinal)
    counted = number_at(line, after)
    both = (Decimal(2), after + 1) if line.norm(after) in _BOTH else None
    some = counted[:2] if counted is not None else both
    if some is not None and article and ordinal in {1, -1} and not line.is_content(some[1]):
        return Reference(ReferenceKind.ORDINAL, index, some[1], True, field=str(int(some[0])), ordinal=ordinal)
    if article and not line.is_content(after) and not line.norm(after)[:1].isdigit():
        return Reference(ReferenceKind.ORDINAL, index, _behind_them(line, after), False, ordinal=ordinal)
    return None


def _behind_them(line: Line, at: int) -> int:
    """Return where "of them", "von ihnen" or "davon" ends behind a pick, ``at`` where nothing of the kind follows."""
    if line.norm(at) == "davon":
        return at + 1
    among = line.norm(at) in _AMONG and line.norm(at + 1) in _PLURAL | _GERMAN_PLURAL
    return at + 2 if among and at + 1 < line.size else at


def _other(line: Line, index: int) -> Reference | None:
    start = index + 1 if line.norm(index) in _ARTICLES else index
    if line.norm(start) not in _OTHERS or start == index:
        return None
    after = start + 1
    if line.norm(after) in _ONES:
        return Reference(ReferenceKind.OTHER, index, after + 1, line.norm(after) == "ones")
    plural = True if line.norm(start) in {"others", "rest", "anderen", "übrigen", "restlichen"} else None
    last = _noun_end(line, after)
    nouns = tuple(line.lemma(step) for step in range(after, last))
    return Reference(ReferenceKind.OTHER, index, last, plural, nouns=nouns)


_MACHINES = frozenset("computer laptop machine pc notebook mac rechner kiste gerät".split())
"""There is one that speaks and is spoken to: "this laptop" points at nothing that was found."""


def _demonstrative(line: Line, index: int) -> Reference | None:
    word = line.norm(index)
    if word not in _DEMONSTRATIVES or not (word in {"this", "that", "these", "those"} or line.language == "de"):
        return None
    if line.norm(index + 1) in _MACHINES:
        return None
    if line.norm(index + 1) in _ONES:
        return Reference(ReferenceKind.RESULT, index, index + 2, line.norm(index + 1) == "ones")
    counted = number_at(line, index + 1)
    after = counted[1] if counted is not None and word in {"these", "those", "diese"} else index + 1
    last = min(_noun_end(line, after), after + 2)
    if last == after:
        return None
    nouns = tuple(line.lemma(step) for step in range(after, last))
    return Reference(ReferenceKind.RESULT, index, last, _DEMONSTRATIVES[word], nouns=nouns[-1:])


def _pronoun(line: Line, index: int) -> Reference | None:
    word = line.norm(index)
    plural = False if word in _SINGULAR else True if word in _PLURAL else None
    if (plural is None and word not in _EITHER) or line.norm(index + 1) in _MACHINES:
        return None
    if _is_no_pronoun(line, index, word):
        return None
    return Reference(ReferenceKind.RESULT, index, index + 1, plural)


def _alone(line: Line, index: int) -> Reference | None:
    """ "Die kann weg", "den brauch ich nicht mehr": a German article that opens a clause before its verb."""
    if line.language != "de" or line.norm(index) not in _ALONE or line.norm(index + 1) not in _VERB_NEXT:
        return None
    before = line.norm(index - 1)
    opens = index == 0 or before in _OPENING or (line.is_mark(index - 1) and before != ",")
    if not opens:
        return None
    plural = (
        True if line.norm(index + 1) in _VERBS_OF_MANY else False if line.norm(index + 1) in _VERBS_OF_ONE else None
    )
    return Reference(ReferenceKind.RESULT, index, index + 1, plural)


def _is_no_pronoun(line: Line, index: int, word: str) -> bool:
    """Articles, polite address, relative words and the weather only look like references."""
    before, _after = line.norm(index - 1), line.norm(index + 1)
    if line.language == "en":
        return word in _GERMAN_PRONOUNS or _is_empty_it(line, index, word)
    if word in _GERMAN_ARTICLE_LIKE and (_opens_noun(line, index) or _opens_relative(line, index)):
        return True
    if word == "dazu":
        return (
            number_at(line, index + 1 + (line.norm(index + 1) in {"noch", "kommen"})) is not None
        )  # "dazu 10 Prozent"
    if word == "es":
        return (
            is_about_it(line, index)
            or tells_the_time(line, index)
            or before in _EXPLETIVE_AFTER
            or line.norm(_past_particles(line, index + 1)) in _SPANNING
        )
    if word == "sie":
        return _is_address(line, index) or before in {"können", "könnten", "würden", "haben", "möchten"}
    return word == "denen" and before in {"in", "bei", "mit", "von"}


def _is_address(line: Line, index: int) -> bool:
    """ "Legen Sie mir ... an": inside a sentence the capital makes it the polite address."""
    if index and line.raw(index) == "sie" and line.norm(index - 1).endswith("en"):
        return not line.is_content(index - 2)  # "benennen sie die Datei um", as it is spoken; "benenn sie um" points
    return line.raw(index) == "Sie" and index > 0 and not line.is_mark(index - 1)


def _is_empty_it(line: Line, index: int, word: str) -> bool:
    """The weather, the time, and the "it" that ends a clause about a noun: "the file that has the word in it"."""
    before, after = line.norm(index - 1), line.norm(index + 1)
    if word == "it" and (after in {"rains", "snows"} or (before == "is" and line.norm(index - 2) in _CLOCK)):
        return True
    if word in {"it", "that", "this"} and _is_day_that(line, index):
        return True
    if word == "it" and (_is_time_it(line, index) or _is_measure_it(line, index) or says_itself(line, index)):
        return True
    inside = before in {"in", "inside", "on"} and word in {"it", "them"} and line.norm(index - 2) not in _HANGING
    return inside and any(line.norm(step) in _ABOUT_NOUN for step in range(max(0, index - 12), index))


def _is_time_it(line: Line, index: int) -> bool:
    """ "How many days is it until May", "what date will it be in a week": nothing but the verb's own subject."""
    before, after = line.norm(index - 1), _past_particles(line, index + 1)
    if before in {"is", "was", "'s"} and line.norm(after) in _SPANNING:
        return True
    if before in _CLOCK and line.norm(index + 1) in {"will", "would", "is", "was"}:
        return True
    return line.norm(index - 2) in _CLOCK and before in {"will", "would"} and line.norm(index + 1) == "be"


def _is_day_that(line: Line, index: int) -> bool:
    """ "14.90 for parking, that was yesterday": what is said of the day of it all, and nothing that was found."""
    after = index + 1 if line.norm(index + 1) in {"was", "is", "'s", "were"} else 0
    if not after or not (index and (line.is_mark(index - 1) or line.norm(index - 1) in {"and", "but"})):
        return False
    after += line.norm(after + 1) in {"on", "in", "from", "for", "back"} and not line.is_content(after)
    return line.norm(after + 1) in _DAYS or (line.norm(after + 1) == "last" and line.norm(after + 2) in _DAYS)


def _is_measure_it(line: Line, index: int) -> bool:
    """ "How much was it on that receipt", "it's all in a.csv": what it means is said right after."""
    after = _past_particles(line, index + 1)
    asked = line.norm(index - 1) in {"is", "was"} and line.norm(index - 3) == "how"
    if asked and line.norm(index - 2) in {"much", "many", "long"} and line.norm(after) == "on":
        return line.norm(after + 1) in _DEMONSTRATIVES or line.norm(after + 1) in {"the", "my", "our"}
    return (
        line.norm(index + 1) in {"'s", "is"} and line.norm(index + 2) == "all" and line.norm(index + 3) in {"in", "on"}
    )


def _past_particles(line: Line, index: int) -> int:
    while line.norm(index) in _BETWEEN:
        index += 1
    return index


def _opens_noun(line: Line, index: int) -> bool:
    """In German a capital or an adjective after "das" makes it an article; so does "eine": "das eine Programm"."""
    if line.norm(index + 1) in _SINGLE and line.raw(index + 2)[:1].isupper():
        return True
    return line.is_content(index + 1) and (
        line.raw(index + 1)[:1].isupper() or (line.is_content(index + 2) and line.raw(index + 2)[:1].isupper())
    )


def _opens_relative(line: Line, index: int) -> bool:
    """ "Das Programm, das am meisten Speicher braucht": behind a noun and a comma, with its verb at the very end."""
    if line.norm(index - 1) != "," or not line.raw(index - 2)[:1].isupper():
        return False
    end = next((at for at in range(index + 1, line.size) if line.is_mark(at) or line.norm(at) == "und"), line.size)
    after = line.norm(index + 1)
    verb_next = line.is_content(index + 1) and line.raw(index + 1).islower() and end - index > 3
    told = after in AUXILIARIES["de"] | POLITE["de"] | _VERB_NEXT
    return end - index > 2 and line.norm(end - 1).endswith("t") and not told and not verb_next


def _is_relative(line: Line, lexicon: Lexicon, index: int) -> bool:
    """Tell whether "that" opens a clause: about a noun ("files that contain") or as what is said ("note that the")."""
    if line.norm(index - 1) in {"down", "says", "saying", "me"} and line.norm(index + 1) in _OPENS_SENTENCE:
        return True
    if line.norm(index - 1) == "it" and line.norm(index - 2) in {"was", "is"}:
        return True  # "which note was it that had"
    if not line.is_content(index - 1) or line.norm(index - 1) in _RELATIVE_AFTER:
        return False
    if _ends_with_that(line, index):
        return False
    if lexicon.is_verb(line.tokens[index - 1]) and line.norm(index - 2) not in _BEFORE_NOUN:
        return line.norm(index + 1) in _OPENS_SENTENCE  # "rename that file", but "write that the milk is out"
    return (
        line.norm(index + 1) == "'s"
        or line.norm(index + 1) in _OPENS_SENTENCE
        or (line.is_word(index + 1) and (line.is_content(index + 1) or line.norm(index + 1) in _AFTER_RELATIVE))
    )


_BEFORE_NOUN = frozenset("in into inside from within of on under".split())
"""Behind one of these stands a noun, whatever else the word may be: "the files in downloads that were changed"."""
_SPANNING = frozenset("until till to from since that bis seit her hin".split())
_BETWEEN = frozenset("actually still now again noch jetzt eigentlich denn nochmal".split())
_CLOCK = frozenset("time day date year month weekday".split())
_DAYS = frozenset(
    "yesterday today tomorrow tonight monday tuesday wednesday thursday friday saturday sunday week month year night "
    "january february march april may june july august september october november december".split()
)
_HANGING = frozenset("hangs hang hanging hung".split())
"""What does so hangs on another thing: "whatever hangs on it"."""
_ABOUT_NOUN = frozenset("that which with has have having contain containing".split())
_EXPLETIVE_AFTER = frozenset("sind gibt ist geht wird war regnet".split())
_OPENS_SENTENCE = frozenset("the a an my our your i we you he she they there".split())
_AFTER_RELATIVE = frozenset(
    "is are was were has have had i we they can could do does did don't mention contain 's say says mentions".split()
)


def _noun_end(line: Line, index: int) -> int:
    """The end of the noun phrase without articles that begins at ``index``: at most three content words."""
    last = index
    while last < index + 3 and line.is_content(last):
        last += 1
    return last


def _lemmas(line: Line, first: int, last: int) -> str:
    return " ".join(line.lemma(step) for step in range(first, last))
