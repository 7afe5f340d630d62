"""A German clause behind "dass" as the sentence that it says: "dass ich krank bin" is "ich bin krank".

What this stops: that a mail or a note is written in the order of a clause of which nobody reads the beginning. What
it does not: order anew what may be read in two ways ("die Mutter der Braut hilft", "mein Bruder Tom kommt"), a clause
with another one inside, or a verb that parts in one of its meanings ("übersetzen"): those words stay as they were said.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from kernel.language.function_words import BY_LANGUAGE, is_function_word
from kernel.language.lemmas import is_german_noun, is_known, lemma_of

_THAT = frozenset("dass daß".split())
_I, _YOU = frozenset({"ich"}), frozenset({"du"})
_SINGULAR = frozenset("er es man jemand niemand jeder keiner alles nichts".split())
_PRONOUNS = _I | _YOU | _SINGULAR | frozenset({"wir", "sie"})
_TO_WHOM = frozenset("mir dir ihm ihnen".split())
_POINTS = frozenset("das der die dies".split())
_WHEN = frozenset("heute morgen übermorgen gestern jetzt leider hier dort".split())
_OPENS = frozenset("ich du er es man wir sie ihr der die das ein eine mein meine dein deine unser unsere".split())
_DETERMINERS = frozenset(
    "der die das ein eine mein meine dein deine sein seine ihr ihre unser unsere euer eure dieser diese dieses jeder "
    "jede jedes kein keine alle viele einige mehrere beide zwei drei vier fünf sechs sieben acht neun zehn".split()
)
_OF_WHOM = frozenset(
    "des der eines einer meines meiner deines deiner seines seiner ihres ihrer unseres unserer eures eurer dieser "
    "dieses von vom mit für aus zwischen ohne gegen über wegen zum zur".split()
)
"""What stands behind a noun and may belong to it: "die Mutter der Braut", "das Treffen mit Anna"."""
_HAVING = frozenset("haben brauchen bekommen kriegen machen wissen kosten".split())
_TITLES = frozenset("herr herrn frau doktor dr dr. professor onkel tante oma opa firma familie".split())
_AND = frozenset({"und", "oder"})
_BREAKS = frozenset("weil wenn falls damit obwohl denn bevor nachdem sobald dass daß ob aber sondern".split())
_HELPS_I = frozenset(
    "bin war habe hab hatte werde wurde kann konnte muss musste soll sollte will wollte darf durfte mag möchte würde "
    "wäre hätte könnte müsste dürfte weiß".split()
)
_HELPS_YOU = frozenset("bist hast wirst kannst musst sollst willst darfst magst möchtest würdest weißt".split())
_HELPS_IT = (_HELPS_I | frozenset({"ist", "hat", "wird", "gibt"})) - frozenset({"bin", "habe", "hab", "werde"})
_HELPS_WE = frozenset(
    "sind waren haben hatten werden wurden können konnten müssen mussten sollen sollten wollen wollten dürfen durften "
    "mögen möchten würden wären hätten könnten müssten dürften wissen".split()
)
_HELPS_ALL = frozenset("seid habt könnt müsst sollt wollt dürft werdet wart".split())
_HELPS = _HELPS_I | _HELPS_YOU | _HELPS_IT | _HELPS_WE | _HELPS_ALL
_DEEDS_OPEN = frozenset("habe hat haben hatte hatten hätte hätten werde wird werden würde würden".split())
_PARTED = (
    "zusammen", "herunter", "kennen", "vorbei", "zurück", "weiter", "runter", "heraus", "hinzu", "statt", "heim",
    "fest", "teil", "raus", "rein", "hoch", "fern", "frei", "nach", "weg", "los", "dar", "her", "hin", "auf", "aus",
    "bei", "ein", "mit", "vor", "ab", "an", "um", "zu",
)  # fmt: skip
_EITHER = ("über", "unter", "durch", "wieder", "hinter", "voll", "wider")
"""What parts from some verbs and stays with others: "übersetzen" is two words."""
_STAYS_WHOLE = ("umarm", "umgeb", "umfass", "umgeh", "umring", "umfahr", "umschreib")
_ENDS = ".!?"
_MARKS = frozenset("\"'“”„‘’«»:;()[]{}…–—")


def says_that(norm: str) -> bool:
    """Tell whether the word leads to a clause of this kind."""
    return norm in _THAT


def straight(text: str, *, led: bool = False) -> str:
    """Return ``text`` as a main clause where it is one behind "dass" and can be told for sure; else as it is.

    ``led`` says that "dass" stood before ``text``; without it only a text that begins with the word is looked at.
    """
    words = text.split()
    if words and words[0].casefold() in _THAT:
        words, led = words[1:], True
    if not led or len(words) < 2 or not _MARKS.isdisjoint(text):
        return text
    cut = _first_clause(words)
    head = [*words[: cut - 1], words[cut - 1].rstrip("," + _ENDS)]
    turned = _turned(head)
    if turned is None:
        return text
    return " ".join([*turned[:-1], turned[-1] + words[cut - 1][len(head[-1]) :], *words[cut:]])


def is_said_by(clause: str, sentence: str) -> bool:
    """Tell whether ``sentence`` is what a dictated ``clause`` says, and not its own words."""
    return sentence != clause and straight(clause, led=True) == sentence


def _first_clause(words: Sequence[str]) -> int:
    """Where the clause ends: at a comma, or before a word that opens a further one."""
    for at, word in enumerate(words):
        if word.endswith(","):
            return at + 1
        if at and word.casefold() in _BREAKS:
            return at
    return len(words)


def _turned(words: Sequence[str]) -> list[str] | None:
    """The clause with its verb behind what it begins with; None where that cannot be told."""
    norms = [word.casefold() for word in words]
    first = _constituent(words, norms)
    if not first or first >= len(words) or (len(words) == first + 1 and norms[-1] in _HELPS):
        return None
    rest, verb = list(words[first:-1]), words[-1]
    if not verb.islower() or not verb.isalpha() or _goes_on(rest) or not _is_finite(norms, first):
        return None
    found = _parts(verb)
    return None if found is None else [*words[:first], found[0], *rest, *found[1:]]


def _constituent(words: Sequence[str], norms: Sequence[str]) -> int:
    """How many words stand before the verb of a main clause: who or what it is about, or when; 0 for unknown."""
    last = _one(words, norms, 0)
    while last and last + 1 < len(words) and norms[last] in _AND:
        last = _one(words, norms, last + 1)
    return last


def _one(words: Sequence[str], norms: Sequence[str], at: int) -> int:
    word, following = norms[at], norms[at + 1] if at + 1 < len(norms) else ""
    if word in _PRONOUNS or word in _TO_WHOM:
        return at + 1
    if word in _WHEN:
        return at + 1 if following in _OPENS else 0
    if word in _DETERMINERS or word.isdigit():
        noun = _noun(words, norms, at + 1)
        if noun < 0 and (word in _POINTS or (word == "ihr" and _is_told_to_all(norms))):
            return at + 1
        return _behind_noun(words, norms, noun)
    if not _may_be_noun(words[at]):
        return 0
    noun = at if norms[at] not in _TITLES else _noun(words, norms, at)
    return _behind_noun(words, norms, noun)


def _is_told_to_all(norms: Sequence[str]) -> bool:
    """ "Ihr" is who is spoken to, and nobody's: "dass ihr kommt"."""
    return norms[-1] in _HELPS_ALL or (norms[-1].endswith("t") and norms[-1] not in _HELPS)


def _noun(words: Sequence[str], norms: Sequence[str], at: int) -> int:
    """Where the noun stands that words from ``at`` on come before; -1 for nowhere."""
    last = len(words) - 1
    while at < last and (norms[at] in _TITLES or not _may_be_noun(words[at])):
        if norms[at] in _TITLES and not _may_be_noun(words[at + 1]):
            return at  # "die Firma liefert"
        if norms[at] not in _TITLES and not _is_adjective(norms[at]):
            return -1
        if _is_number(norms[at]) and not _may_be_noun(words[at + 1]):
            return at  # "der 23. passt"
        at += 1
    return at if at < last else -1


def _behind_noun(words: Sequence[str], norms: Sequence[str], noun: int) -> int:
    """Where the clause goes on behind the noun; 0 where the next words may belong to it."""
    at, last = noun + 1, len(words) - 1
    if noun < 0 or at > last:
        return 0
    titled = noun > 0 and norms[noun - 1] in _TITLES
    while titled and at < last and _is_name(words[at]):
        at += 1
    if at >= last:
        return at
    belongs = norms[at] in _OF_WHOM or (_may_be_noun(words[at]) and not titled and not _has(norms, at))
    return 0 if belongs else at


def _has(norms: Sequence[str], at: int) -> bool:
    """ "Der Zug Verspätung hat", and not "mein Bruder Tom kommt": the second noun is what the first one has."""
    return at == len(norms) - 2 and _base(norms[-1]) in _HAVING


def _may_be_noun(word: str) -> bool:
    return _is_noun(word) or _is_name(word)


def _is_noun(word: str) -> bool:
    return is_german_noun(word.casefold()) and not is_function_word(word.casefold(), "de")


def _is_name(word: str) -> bool:
    """Tell whether a word with a capital is nobody's noun: "Anna", "Köhler"."""
    return word[:1].isupper() and not _is_noun(word) and not is_function_word(word.casefold(), "de")


def _is_adjective(norm: str) -> bool:
    return _is_number(norm) or (norm.endswith(("e", "en", "er", "es", "em")) and norm not in BY_LANGUAGE["de"])


def _is_number(norm: str) -> bool:
    return norm.rstrip(".").isdigit()


def _goes_on(rest: Sequence[str]) -> bool:
    """Tell whether a second verb may stand within: "ich komme und Kuchen mitbringe", "wir haben kommen müssen"."""
    joined = any(
        one.casefold() in _AND and at and rest[at - 1].islower() and rest[at - 1].casefold() not in _WHEN
        for at, one in enumerate(rest)
    )
    return joined or any(one.casefold() in _DEEDS_OPEN for one in rest[:-1])


def _is_finite(norms: Sequence[str], first: int) -> bool:
    """Tell whether the last word is a verb in the form that goes with what the clause begins with."""
    verb, who, before = norms[-1], norms[0], norms[-2]
    if verb in _HELPS:
        return verb in _helps_of(who, several=first > 1 and not _AND.isdisjoint(norms[:first]))
    if is_function_word(verb, "de") or is_german_noun(verb) or before == "zu" or not _base(verb).endswith("n"):
        return False
    if first > 1 or who not in _AGREES:
        joined = not _AND.isdisjoint(norms[:first])
        return verb.endswith("n") if joined else not verb.endswith("e") or verb.endswith("te")
    return _AGREES[who](verb)


def _is_past(verb: str) -> bool:
    """ "Ich rief", "ich trat": a form whose base has another vowel."""
    return verb.endswith("t") and _base(verb)[:3] != verb[:3]


def _goes_with_it(verb: str) -> bool:
    return not verb.endswith(("n", "st")) or verb.endswith("isst")


_AGREES: Mapping[str, Callable[[str], bool]] = {
    "ich": lambda verb: not verb.endswith(("en", "st", "t")) or _is_past(verb),
    "du": lambda verb: verb.endswith("t"),
    "wir": lambda verb: verb.endswith("n"),
    "ihr": lambda verb: verb.endswith("t"),
    **dict.fromkeys(_SINGULAR, _goes_with_it),
}
"""Which forms of a verb go with a lone pronoun."""


def _helps_of(who: str, *, several: bool) -> frozenset[str]:
    if several or who == "wir":
        return _HELPS_WE
    if who in _I:
        return _HELPS_I
    if who in _YOU:
        return _HELPS_YOU
    if who in _SINGULAR:
        return _HELPS_IT
    return _HELPS - _HELPS_YOU - frozenset({"bin"})


def _base(verb: str) -> str:
    return lemma_of(verb, "de")


def _parts(verb: str) -> list[str] | None:
    """The verb, and behind it what parts from it: "ankomme" is "komme … an"; None where it is two verbs."""
    if verb in _HELPS:
        return [verb]
    particle = next((one for one in _PARTED if verb.startswith(one) and _is_verb(verb[len(one) :])), "")
    if particle and not verb.startswith(_STAYS_WHOLE):
        return [verb[len(particle) :], particle]
    return None if any(verb.startswith(one) and _is_verb(verb[len(one) :]) for one in _EITHER) else [verb]


def _is_verb(word: str) -> bool:
    return len(word) > 2 and is_known(word, "de") and _base(word).endswith("n") and not is_german_noun(word)
