"""Sentences that branch or repeat: "if there are more than ten PDFs in Downloads, move them to Archive, otherwise ...",
"for each invoice in Invoices make a note with its total", "wenn Downloads leer ist, ...", "falls nicht".

Read are the words of grammar alone: what is counted or compared goes on as a clause of its own ("list the PDFs in
Downloads", "total of it"), to be understood like any other. Only what is recognised whole is taken apart; "if possible"
and "let me know if ..." are no conditions of this kind.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from kernel.language.clause_joints import LONGEST, IsVerb
from kernel.language.function_words import is_function_word
from kernel.language.nothing_on import asked_of, stated
from kernel.language.same_time import at_that_time
from kernel.model import Comparison, Measure

C = Comparison
DEEPEST = 3
"""So many conditions and lists may stand in one another."""


@dataclass(frozen=True, slots=True)
class Test:
    """A condition as it was read: the clause that finds out, and what is compared with what.

    ``instead`` asks the same in other words. An empty ``ask`` is about what was found just before. ``when`` are words
    for the time that is asked about, which is that of the deed as well.
    """

    ask: str
    measure: Measure
    comparison: Comparison
    value: Any
    text: str
    instead: str = ""
    when: str = ""


@dataclass(frozen=True, slots=True)
class Branch:
    """``then`` where the test holds, ``other`` where it does not; ``before`` is done first. These two may be empty."""

    test: Test
    then: str
    other: str = ""
    before: str = ""


@dataclass(frozen=True, slots=True)
class Loop:
    """``body`` once for each of what the clause ``ask`` finds; ``instead`` asks the same in other words."""

    ask: str
    body: str
    instead: str = ""


@dataclass(frozen=True, slots=True)
class ItsValue:
    """A body that speaks of a part of the item: the clause that finds it ("total of it"), and the body with "it"."""

    ask: str
    body: str


INVERSE: Mapping[Comparison, Comparison] = {
    C.EQUAL: C.UNEQUAL, C.UNEQUAL: C.EQUAL, C.LESS: C.AT_LEAST, C.AT_LEAST: C.LESS, C.MORE: C.AT_MOST,
    C.AT_MOST: C.MORE, C.CONTAINS: C.LACKS, C.LACKS: C.CONTAINS,
}  # fmt: skip

_COUNTED = (
    "zero one two three four five six seven eight nine ten eleven twelve",
    "null ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
)
_NUMBERS = {word: value for line in _COUNTED for value, word in enumerate(line.split())} | {
    "eine": 1, "einen": 1, "a": 1, "an": 1, "twenty": 20, "zwanzig": 20, "fifty": 50, "fünfzig": 50, "hundred": 100,
    "hundert": 100,
}  # fmt: skip
_AMOUNT = r"(?P<amount>[$€£]?\s?\d[\d.,]*(?:\s?(?:%|[€$£]|[a-zäöü]{1,10}))?|" + "|".join(
    sorted(_NUMBERS, key=len)[::-1]
)
_AMOUNT += r")"
_COUNT = r"(?P<count>\d+|" + "|".join(sorted(_NUMBERS, key=len)[::-1]) + r")"
_OPS = {
    "en": {
        "more than": C.MORE, "over": C.MORE, "above": C.MORE, "greater than": C.MORE, "higher than": C.MORE,
        "larger than": C.MORE, "bigger than": C.MORE, "at least": C.AT_LEAST, "fewer than": C.LESS,
        "less than": C.LESS, "under": C.LESS, "below": C.LESS, "lower than": C.LESS, "smaller than": C.LESS,
        "at most": C.AT_MOST, "no more than": C.AT_MOST, "not more than": C.AT_MOST, "exactly": C.EQUAL,
        "equal to": C.EQUAL, ">": C.MORE, "<": C.LESS, ">=": C.AT_LEAST, "<=": C.AT_MOST, "=": C.EQUAL,
    },
    "de": {
        "mehr als": C.MORE, "über": C.MORE, "größer als": C.MORE, "höher als": C.MORE, "mindestens": C.AT_LEAST,
        "weniger als": C.LESS, "unter": C.LESS, "kleiner als": C.LESS, "niedriger als": C.LESS,
        "höchstens": C.AT_MOST, "nicht mehr als": C.AT_MOST, "genau": C.EQUAL, "gleich": C.EQUAL, ">": C.MORE,
        "<": C.LESS, ">=": C.AT_LEAST, "<=": C.AT_MOST, "=": C.EQUAL,
    },
}  # fmt: skip
_OP = {language: "(?P<op>" + "|".join(re.escape(one) for one in sorted(ops, key=len)[::-1]) + ")"
       for language, ops in _OPS.items()}  # fmt: skip
_SOME = {"en": r"(?:any|some|at least one|an?)", "de": r"(?:irgendwelche|einige|mindestens eine?n?|eine?n?)"}
_NONE = {"en": r"(?:no|not any|n't any)", "de": r"(?:keine?n?)"}

_IF = {
    "en": (r"(?P<word>if|when|in case|only if|unless)", r"(?:otherwise|or else|else|if not|if so not)"),
    "de": (r"(?P<word>(?:außer|ausser),? wenn|es sei denn(?:, dass| dass|,(?! dass))?|nur wenn|wenn|falls|sofern)",
           r"(?:sonst|andernfalls|ansonsten|wenn nicht|falls nicht)"),
}  # fmt: skip
_CONDITIONAL = re.compile(
    r"\s*(?:(?:only|nur)\s+)?(?:if|when|whenever|in case|unless|while|until|as soon as|once|wenn|falls|sofern|sobald|"
    r"solange|bis|es sei denn|au(?:ß|ss)er)\b", re.IGNORECASE,
)  # fmt: skip
_UNLESS = re.compile(r"unless|au(?:ß|ss)er,? wenn|es sei denn.*", re.IGNORECASE)
_THEN = {"en": r"(?:then|do)", "de": r"(?:dann|so)"}
_JOINED = {"en": r"(?:\s*[.;]\s+|\s*,?\s+and\s+)(?:then\s+)?", "de": r"(?:\s*[.;]\s+|\s*,?\s+und\s+)(?:dann\s+)?"}


def _all(pattern: str, text: str) -> re.Match[str] | None:
    return re.fullmatch(pattern, text, re.IGNORECASE | re.DOTALL)


def is_conditional(text: str) -> bool:
    """Tell whether a clause says when or whether something is done, be it one that can be read or none."""
    return _CONDITIONAL.match(text) is not None


def branch_of(text: str, language: str, is_verb: IsVerb | None = None) -> Branch | None:
    """Return the branch that ``text`` is, None where it is none that can be read whole.

    ``is_verb`` tells a word with which a request may begin: there the deed begins where no comma says so.
    """
    text, language = _plain(text), "de" if language == "de" else "en"
    answered = _answered(text, language)
    if answered is not None:
        return answered
    word, otherwise = _IF[language]
    if len(text) > LONGEST or not re.search(rf"\b{word}\b", text, re.IGNORECASE):
        return None
    then = _THEN[language]
    tail = rf"(?:\s*[,;.]\s*(?:and\s+|und\s+)?{otherwise}\s*,?\s+(?P<other>.+?))?"
    whole = rf"{word}\s+(?P<test>.+?)(?:\s*,\s+(?:{then}\s*,?\s+)?|\s+{then}\s+)(?P<then>.+?){tail}"
    behind = rf"(?P<then>.+?)\s*,?\s+{word}\s+(?P<test>.+?){tail}"
    for pattern in (whole, rf"(?P<before>.+?){_JOINED[language]}{whole}", behind):
        found = _all(pattern, text)
        test = _test(found["test"], language) if found else None
        if found is None or test is None:
            continue
        if _UNLESS.fullmatch(found["word"]):
            test = replace(test, comparison=INVERSE[test.comparison])
        before = (found.groupdict().get("before") or "").strip(" ,;")
        return _branch(test, found["then"], found["other"] or "", before, language)
    return _without_comma(text, language, is_verb) if is_verb is not None else None


def _without_comma(text: str, language: str, is_verb: IsVerb) -> Branch | None:
    """ "If I'm free on Monday put gym in then": the deed begins with the first verb behind what is a test."""
    found = _all(rf"{_IF[language][0]}\s+(?P<rest>[^,;]+)", text)
    words = found["rest"].split(" ") if found else []
    for at in range(2, len(words) - 1):
        test = _test(" ".join(words[:at]), language) if is_verb(words[at].casefold()) else None
        if found is not None and test is not None and test.when:
            if _UNLESS.fullmatch(found["word"]):
                test = replace(test, comparison=INVERSE[test.comparison])
            return _branch(test, " ".join(words[at:]), "", "", language)
    return None


def _branch(test: Test, then: str, other: str, before: str, language: str) -> Branch:
    """The branch with its deeds as requests of their own, at the time that the test asks about."""
    deed, other = (_pointing(one, language) for one in (then, other))
    if test.when:
        deed, other = (at_that_time(one, test.when, language) for one in (deed, other))
    return Branch(test, deed, other, before)


def _answered(text: str, language: str) -> Branch | None:
    """ "Am I free on Friday? If so, ...": a question, and what is to be done by its answer."""
    found = _all(_ANSWERED[language], text) if len(text) <= LONGEST else None
    test = _test(stated(found["test"], language), language) if found else None
    if found is None or test is None:
        return None
    if found["no"]:
        test = replace(test, comparison=INVERSE[test.comparison])
    return _branch(test, found["then"], found["other"] or "", "", language)


_ANSWERED = {
    "en": r"(?P<test>[^?.;]+?)\s*[?.;,]\s*(?:(?:if\s+(?:so|yes|yeah|that['’]?s\s+so|i\s+am)|then)|"
    r"(?P<no>if\s+(?:not|no|i['’]?m\s+not|there\s+is(?:n['’]?t|\s+not))))\s*,?\s+(?:then\s+)?(?P<then>.+?)"
    r"(?:\s*[,;.]\s*(?:otherwise|else|if not|if so)\s*,?\s+(?P<other>.+?))?",
    "de": r"(?P<test>[^?.;]+?)\s*[?.;,]\s*(?:(?:(?:wenn|falls)\s+ja|dann|ja\?\s+dann)|"
    r"(?P<no>(?:(?:wenn|falls)\s+(?:nicht|nein|nichts)|sonst)))\s*,?\s+(?:dann\s+)?(?P<then>.+?)"
    r"(?:\s*[,;.]\s*(?:sonst|andernfalls|wenn nicht|falls nicht)\s*,?\s+(?P<other>.+?))?",
}  # fmt: skip


def _pointing(deed: str, language: str) -> str:
    """What is done: "kopiere alle nach Archive" is "sie" to the reader of a single request."""
    deed = deed.strip(" ,;")
    return _ALL_OF_THEM.sub("sie", deed) if language == "de" else deed


_ALL_OF_THEM = re.compile(
    r"\balle(?: davon)?(?=(?: (?:mal|bitte))?(?: (?:nach|in|ins|auf|als|an|zu|weg|rüber|um|zusammen|ab|vor)\b|$))"
)


def _plain(text: str) -> str:
    return " ".join(text.split()).rstrip(" .!?;")


def _test(text: str, language: str) -> Test | None:
    for pattern, make in _TESTS[language]:
        found = _all(pattern, text.strip(" ,"))
        if found is not None:
            return make(found, text)
    asked = asked_of(text.strip(" ,"), language)
    if asked is None:
        return None
    return Test(asked.ask, Measure.COUNT, C.MORE if asked.some else C.EQUAL, 0, text, "", asked.when)


def _number(word: str) -> int:
    return int(word) if word.isdigit() else _NUMBERS[word.lower()]


def _op(found: re.Match[str], language: str) -> Comparison:
    return _OPS[language][" ".join(found["op"].lower().split())]


def _listing(what: str, language: str) -> str:
    """The clause that finds things."""
    named = re.search(r"\b(?:called|named|namens)\b", what)
    if language != "de":
        return f"find the {what}" if named else f"list the {what}"
    things, _, place = what.rpartition(" in ")
    return f"welche {things} liegen in {place}" if things and not named else f"finde alle {what}"


def _what(found: re.Match[str], language: str) -> str:
    """The things with their place, wherever that stood."""
    groups = found.groupdict()
    place = f" in {groups['place']}" if groups.get("place") else ""
    return _listing(groups["what"].strip() + place, language)


def _instead(found: re.Match[str], language: str) -> str:
    """Another clause for the things of a German condition; an English one lists them as it is."""
    placed = language != "de" or found.groupdict().get("place") or " in " in found["what"]
    return "" if placed else _all_of(found["what"].strip(), german=True)


def _counted(language: str) -> Callable[[re.Match[str], str], Test]:
    return lambda found, text: Test(
        _what(found, language), Measure.COUNT, _op(found, language), _number(found["count"]), text,
        _instead(found, language),
    )  # fmt: skip


def _any(language: str, comparison: Comparison) -> Callable[[re.Match[str], str], Test]:
    return lambda found, text: Test(
        _what(found, language), Measure.COUNT, comparison, 0, text, _instead(found, language)
    )


def _emptiness(language: str) -> Callable[[re.Match[str], str], Test]:
    things = "Dateien" if language == "de" else "files"

    def make(found: re.Match[str], text: str) -> Test:
        comparison = C.MORE if found["negated"] else C.EQUAL
        return Test(_listing(f"{things} in {found['place']}", language), Measure.COUNT, comparison, 0, text)

    return make


def _existence(language: str) -> Callable[[re.Match[str], str], Test]:
    ask = "finde {}" if language == "de" else "find {}"

    def make(found: re.Match[str], text: str) -> Test:
        return Test(ask.format(found["what"]), Measure.COUNT, C.EQUAL if found["negated"] else C.MORE, 0, text)

    return make


def _mention(language: str) -> Callable[[re.Match[str], str], Test]:
    ask = "zeige den Text von {}" if language == "de" else "show the text of {}"

    def make(found: re.Match[str], text: str) -> Test:
        comparison = C.LACKS if found["negated"] else C.CONTAINS
        return Test(ask.format(found["what"]), Measure.VALUE, comparison, found["said"].strip("\"'“”„‚‘’ "), text)

    return make


def _valued(language: str) -> Callable[[re.Match[str], str], Test]:
    of = "von" if language == "de" else "of"

    def make(found: re.Match[str], text: str) -> Test:
        value = found["amount"].lower()
        owner = found.groupdict().get("owner")
        ask = f"{found['part']} {of} {owner}" if owner else its(found["part"], language)
        return Test(ask, Measure.VALUE, _op(found, language), _NUMBERS.get(value, found["amount"]), text)

    return make


def its(part: str, language: str) -> str:
    """Return the clause that finds a part of what was just found."""
    return f"{part} davon" if language == "de" else f"{part} of it"


def _of_found(language: str, comparison: Comparison | None = None) -> Callable[[re.Match[str], str], Test]:
    """How many were found just before: more, fewer or as many as a number, or the comparison with none."""

    def make(found: re.Match[str], text: str) -> Test:
        if comparison is not None:
            return Test("", Measure.COUNT, comparison, 0, text)
        return Test("", Measure.COUNT, _op(found, language), _number(found["count"]), text)

    return make


_EN_IS = r"(?:is|are|'s)"
_OF_EN = r"(?: of (?:them|these|those))?"
_TESTS: Mapping[str, tuple[tuple[str, Callable[[re.Match[str], str], Test]], ...]] = {
    "en": (
        (rf"(?:there|they|these|those) (?:is|are) {_OP['en']} {_COUNT}{_OF_EN}", _of_found("en")),
        (rf"(?:there are none|there {_EN_IS}\s?(?:nothing|not any)|nothing (?:is|was) (?:found|there)){_OF_EN}",
         _of_found("en", C.EQUAL)),
        (rf"(?:there are any|there (?:is|are) (?:some|anything|something)|(?:some|any)thing (?:is|was) found){_OF_EN}",
         _of_found("en", C.MORE)),
        (rf"there (?:is|are) {_OP['en']} {_COUNT} (?P<what>.+)", _counted("en")),
        (rf"there {_EN_IS}\s?{_NONE['en']} (?P<what>.+)", _any("en", C.EQUAL)),
        (rf"there(?: is| are|['’]?s) (?:already )?{_SOME['en']} (?P<what>.+)", _any("en", C.MORE)),
        (rf"(?P<place>\S+) (?:has|contains|holds) {_OP['en']} {_COUNT} (?P<what>.+)", _counted("en")),
        (rf"(?P<place>\S+) (?:has|contains|holds) {_NONE['en']} (?P<what>\w+)", _any("en", C.EQUAL)),
        (r"(?P<place>\S+(?: folder)?) is (?P<negated>not )?empty", _emptiness("en")),
        (r"(?P<what>\S+\.\w+) (?:(?P<negated>does not|doesn't) )?exists?", _existence("en")),
        (r"(?P<what>\S+\.\w+) is (?P<negated>not )?there", _existence("en")),
        (r"(?P<what>\S+\.\w+) is (?P<negated>missing)", _existence("en")),
        (r"(?P<what>\S+\.\w+) (?:(?P<negated>does not|doesn't) )?(?:contains?|mentions?|includes?)"
         r"(?: the words?)? (?P<said>.+)", _mention("en")),
        (rf"(?:the )?(?P<part>[\w ]+?) (?:of|in) (?P<owner>\S+(?: \S+\.\w+)?) (?:is|are) {_OP['en']} {_AMOUNT}",
         _valued("en")),
        (rf"its (?P<part>[\w ]+?) is {_OP['en']} {_AMOUNT}", _valued("en")),
    ),
    "de": (
        (rf"(?:es|das|davon)(?: davon)? {_OP['de']} {_COUNT}(?: davon)? (?:sind|gibt|ist)", _of_found("de")),
        (rf"{_OP['de']} {_COUNT} davon (?:da )?sind", _of_found("de")),
        (rf"es sind {_OP['de']} {_COUNT}(?: davon)?", _of_found("de")),
        (r"(?:es keine(?: davon)? (?:gibt|sind)|es (?:gibt|sind) keine(?: davon)?|"
         r"nichts (?:gefunden wird|gefunden wurde|da ist|dabei ist))", _of_found("de", C.EQUAL)),
        (r"(?:es welche (?:gibt|sind)|es gibt welche|etwas (?:gefunden wird|gefunden wurde|da ist|dabei ist))",
         _of_found("de", C.MORE)),
        (rf"es gibt {_OP['de']} {_COUNT} (?P<what>.+)", _counted("de")),
        (rf"es gibt {_NONE['de']} (?P<what>.+)", _any("de", C.EQUAL)),
        (rf"es gibt {_SOME['de']} (?P<what>.+)", _any("de", C.MORE)),
        (rf"in (?P<place>\S+) (?:sind|liegen|stehen) {_OP['de']} {_COUNT} (?P<what>.+)", _counted("de")),
        (rf"in (?P<place>\S+) (?:sind|liegen|stehen|ist|liegt) {_NONE['de']} (?P<what>.+)", _any("de", C.EQUAL)),
        (r"(?:der Ordner )?(?P<place>\S+) ist (?P<negated>nicht )?leer", _emptiness("de")),
        (r"(?P<what>\S+\.\w+) existiert(?P<negated> nicht)?", _existence("de")),
        (r"(?P<what>\S+\.\w+) (?P<negated>nicht )?(?:da|vorhanden) ist", _existence("de")),
        (r"(?P<what>\S+\.\w+) ist (?P<negated>nicht )?(?:da|vorhanden)", _existence("de")),
        (r"(?P<what>\S+\.\w+) (?P<negated>fehlt)", _existence("de")),
        (rf"es {_OP['de']} {_COUNT} (?P<what>.+) gibt", _counted("de")),
        (rf"es {_NONE['de']} (?P<what>.+) gibt", _any("de", C.EQUAL)),
        (rf"es {_SOME['de']} (?P<what>.+) gibt", _any("de", C.MORE)),
        (rf"in (?P<place>\S+) {_OP['de']} {_COUNT} (?P<what>.+) (?:sind|liegen|stehen)", _counted("de")),
        (rf"{_OP['de']} {_COUNT} (?P<what>.+ in \S+) (?:sind|liegen|stehen)", _counted("de")),
        (rf"{_NONE['de']} (?P<what>.+ in \S+) (?:sind|liegen|stehen|ist|liegt)", _any("de", C.EQUAL)),
        (rf"in (?P<place>\S+) {_NONE['de']} (?P<what>.+) (?:sind|liegen|stehen|ist|liegt)", _any("de", C.EQUAL)),
        (rf"(?P<place>\S+) {_OP['de']} {_COUNT} (?P<what>.+) (?:hat|enthält)", _counted("de")),
        (r"(?:der Ordner )?(?P<place>\S+) (?P<negated>nicht )?leer ist", _emptiness("de")),
        (r"(?P<what>\S+\.\w+) (?P<negated>nicht )?existiert", _existence("de")),
        (r"es (?P<what>\S+\.\w+) (?P<negated>nicht )?gibt", _existence("de")),
        (r"(?P<what>\S+\.\w+) (?:(?P<said>\S+|[\"„'].+[\"“'])) (?P<negated>nicht )?(?:enthält|erwähnt)",
         _mention("de")),
        (rf"(?:der |die |das )?(?P<part>[\wäöüß ]+?) (?:von|in) (?P<owner>\S+(?: \S+\.\w+)?) {_OP['de']} {_AMOUNT} "
         r"(?:ist|liegt|beträgt|sind)", _valued("de")),
        (rf"(?:ihr|sein|deren|dessen)e?r? (?P<part>[\wäöüß ]+?) {_OP['de']} {_AMOUNT} (?:ist|liegt|beträgt)",
         _valued("de")),
    ),
}  # fmt: skip


_EACH_EN = r"for (?:each|every)(?: (?:single )?one)?(?: of)?(?: the| my| those| these)? "
_EACH_DE = r"f(?:ü|ue)r (?:jede[nrs]?(?: einzelne[nrs]?)?|alle) (?:der |von den |meiner |von meinen )?"
_OBJECTS = frozenset(
    "the a an my its their it them ihre ihren seine seinen sie ihn es eine einen ein die den das".split()
)


def loop_of(text: str, language: str, is_verb: Callable[[str], bool]) -> Loop | None:
    """Return the loop that ``text`` is; ``is_verb`` tells a word with which a request may begin."""
    text, german = _plain(text), language == "de"
    each = _EACH_DE if german else _EACH_EN
    ahead = _all(rf"{each}(?P<rest>.+)", text)
    if ahead is not None:
        return _split(ahead["rest"], german, is_verb)
    behind = _all(rf"(?P<body>.+?),? {each}(?P<what>.+)", text)
    if behind is None:
        return None
    return _loop(behind["what"], behind["body"].strip(" ,"), german)


def _split(rest: str, german: bool, is_verb: Callable[[str], bool]) -> Loop | None:
    """Take the things apart from what is done with them: at a comma, or where a verb begins."""
    words = rest.split(" ")
    for at in range(1, len(words)):
        ends = words[at - 1].endswith((",", ":"))
        begins = is_verb(words[at].casefold()) or _all("if|when|unless|wenn|falls", words[at]) is not None
        if (ends or (begins and at > 1)) and len(words) - at > 1:
            return _loop(" ".join(words[:at]).rstrip(",:"), " ".join(words[at:]), german)
    at = next((at for at in range(2, len(words) - 1) if _opens_deed(words, at, german)), 0)
    return _loop(" ".join(words[:at]), " ".join(words[at:]), german) if at else None


def _opens_deed(words: Sequence[str], at: int, german: bool) -> bool:
    """ "Count the pages": a word that no tool begins with stands before an object, and is no preposition."""
    word = words[at].casefold()
    return (
        words[at + 1].casefold() in _OBJECTS
        and word.isalpha()
        and not is_function_word(word)
        and not (german and words[at][:1].isupper())
    )


def _loop(what: str, body: str, german: bool) -> Loop:
    return Loop(f"finde alle {what}" if german else f"find all {what}", body, _all_of(what, german))


def _all_of(what: str, german: bool) -> str:
    """The clause that shows all there is of something."""
    return f"liste alle {what} auf" if german else f"list all the {what}"


def its_value(body: str, language: str) -> ItsValue | None:
    """Return a body that speaks of a part of the item ("with its total") as two clauses."""
    mine = r"(?:ihre[mnrs]?|seine[mnrs]?|deren|dessen)" if language == "de" else r"(?:its|their)"
    found = re.search(rf"\b{mine} (?P<part>[\w-]+(?: (?:date|amount|number|sum))?)", body, re.IGNORECASE)
    if found is None or found["part"].casefold() in {"own", "name", "names", "path", "namen", "eigene", "eigenen"}:
        return None
    with_it = body[: found.start()] + ("ihm" if language == "de" else "it") + body[found.end() :]
    if language == "de":
        with_it = re.sub(r"\bmit ihm\b", "damit", with_it)
    return ItsValue(its(found["part"], language), with_it)
