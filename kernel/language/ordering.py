"""Which of two deeds comes first: "after you have copied a.pdf, delete it", "bevor du sie löschst, kopiere a.pdf".

What this stops: that deeds are done in the order in which they are said where the words say another one. What it
does not: read a time ("after 5 pm", "before Friday"), or wait for what somebody else does ("after Anna has answered"):
a deed is one of the person addressed, or of nobody, by a verb that a request may begin with.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from kernel.language.clause_joints import LONGEST, IsVerb, clause_around, is_own_text, joints
from kernel.language.function_words import SEPARABLE
from kernel.language.lemmas import lemma_of


@dataclass(frozen=True, slots=True)
class Order:
    """``first`` is done before ``then``, both as requests; ``before`` are clauses said ahead of them, or nothing.

    ``turned``: they are said the other way round. ``sure``: somebody is addressed, so the words can mean nothing else.
    """

    first: str
    then: str
    before: str
    turned: bool
    sure: bool


_WORDS = {
    "en": re.compile(
        r"\b(?:(?:but|and|only|right|just|but only)\s+)?(?P<word>after|once|as soon as|when|before)\s+", re.I
    ),
    "de": re.compile(r"\b(?:(?:aber|und|erst|gleich|aber erst),?\s+)?(?P<word>nachdem|sobald|wenn|bevor|ehe)\s+", re.I),
}
_MOST = 8  # relations in a sentence; one with more is not looked at
_MOST_JOINTS = 24  # tried as the place between two relations
_BEFORE = frozenset({"before", "bevor", "ehe"})
_PERFECT_ONLY = frozenset({"when", "wenn"})
_VERB, _REST = r"(?P<verb>\w+)", r"(?P<rest>.+)"
_PERFECT_EN = (
    rf"you(?:'ve|’ve|\s+have)\s+(?:already\s+|first\s+)?{_VERB}\s+{_REST}",
    rf"you(?:'re|’re|\s+are)\s+(?:done|finished)(?:\s+with)?\s+{_VERB}\s+{_REST}",
)
_FORMS_EN = (
    (True, rf"you\s+{_VERB}\s+{_REST}"),
    (False, rf"(?:having\s+)?(?P<verb>\w+(?:ing|ed))\s+{_REST}"),
    (False, rf"(?P<what>[^,;]+?)\s+(?:is|are|was|were|has\s+been|have\s+been)\s+(?P<verb>\w+)(?:\s+{_REST})?"),
)
_YOU_DE = r"(?:du|sie|ihr)"
_PERFECT_DE = (rf"{_YOU_DE}\s+(?P<rest>.+?)\s+{_VERB}\s+(?:hast|haben|habt)",)
_FORMS_DE = (
    (True, r"du\s+(?P<rest>.+?)\s+(?P<verb>\w+t)"),
    (True, r"sie\s+(?P<rest>.+?)\s+(?P<verb>\w+n)"),
    (False, rf"(?P<rest>[^,;]+?)\s+{_VERB}\s+(?:ist|sind|wurde|wurden|worden\s+ist|worden\s+sind)"),
)
_IDLE = frozenset("the a an der die das den dem please bitte then dann also auch first erst zuerst you du".split())


def orders_of(text: str, language: str, is_verb: IsVerb) -> tuple[Order, ...]:
    """Return what ``text`` says about the order of deeds, a relation for each; nothing where it says none."""
    language = "de" if language == "de" else "en"
    words = len(_WORDS[language].findall(text)) if len(text) <= LONGEST else 0
    if not 0 < words <= _MOST:
        return ()
    for joint in islice(joints(text), _MOST_JOINTS) if words > 1 else ():
        left = _order_of(text[: joint.start()], language, is_verb, bare=True)
        right = _order_of(text[joint.end() :], language, is_verb, bare=True) if left else None
        if left is not None and right is not None:
            return (left, *(orders_of(text[joint.end() :], language, is_verb) or (right,)))
    one = _order_of(text, language, is_verb)
    return () if one is None else (one,)


def same_deed(one: str, other: str) -> bool:
    """Tell whether two requests are the same words, but for articles and courtesy."""
    return _bare_words(one) == _bare_words(other)


def _bare_words(text: str) -> list[str]:
    words = (word.strip(",;:.!?").casefold() for word in text.split())
    return [word for word in words if word and word not in _IDLE]


def _order_of(text: str, language: str, is_verb: IsVerb, *, bare: bool = False) -> Order | None:
    text = " ".join(text.split()).rstrip(" .!?;")
    for found in _WORDS[language].finditer(text):
        if is_own_text(text, found.start()):
            continue
        word, rest = found["word"].lower(), text[found.end() :]
        ahead = found.start() == 0
        deed, comma, main = rest.partition(",") if ahead else (rest, "", text[: found.start()])
        if ahead and not comma:
            continue
        request = _request(deed.strip(), word, language, is_verb, bare=bare)
        if request is None:
            continue
        before, main = ("", main) if ahead else _last_clause(main, is_verb)
        main = re.sub(r"^(?:then|dann|please|bitte)\s+", "", main.strip(" ,;"), flags=re.IGNORECASE)
        if main:
            done, sure = request
            first, then = (main, done) if word in _BEFORE else (done, main)
            return Order(first, then, before, turned=ahead is (word in _BEFORE), sure=sure)
    return None


def _last_clause(text: str, is_verb: IsVerb) -> tuple[str, str]:
    text = text.rstrip(" ,;")
    clause = clause_around(text, len(text), is_verb)
    return clause.before, text[clause.start :]


def _request(deed: str, word: str, language: str, is_verb: IsVerb, *, bare: bool) -> tuple[str, bool] | None:
    """The deed of a clause as a request, and whether it is surely the addressed one's; None where it is no deed."""
    perfect, forms = (_PERFECT_DE, _FORMS_DE) if language == "de" else (_PERFECT_EN, _FORMS_EN)
    patterns = [(True, pattern) for pattern in perfect] if word not in _BEFORE or language == "en" else []
    patterns += forms if word not in _PERFECT_ONLY else ()
    patterns += [(False, rf"{_VERB}\s+{_REST}")] if bare else []
    for sure, pattern in patterns:
        found = re.fullmatch(pattern, deed, re.IGNORECASE)
        said = None if found is None else next(_as_request(found, language, is_verb), None)
        if said is not None:
            return said, sure
    return None


def _as_request(found: re.Match[str], language: str, is_verb: IsVerb) -> Iterator[str]:
    verb = found["verb"].lower()
    rest = " ".join(part for part in (found.groupdict().get("what"), found["rest"]) if part)
    base = lemma_of(verb, language)
    if language == "en":
        yield from (f"{one} {rest}" for one in (base, verb) if is_verb(one))
        return
    for prefix in SEPARABLE:
        for command in _commands(base.removeprefix(prefix)) if base.startswith(prefix) else ():
            if is_verb(command):
                yield f"{command} {rest} {prefix}"
    yield from (f"{command} {rest}" for command in (*_commands(base), verb) if is_verb(command))


def _commands(infinitive: str) -> Sequence[str]:
    """The imperatives that an infinitive may have: "kopieren": "kopiere"; "speichern": "speichere"."""
    if infinitive.endswith("ern") or infinitive.endswith("eln"):
        return (f"{infinitive[:-1]}e", f"{infinitive[:-3]}{infinitive[-2]}e")
    return (f"{infinitive[:-2]}e", infinitive[:-2]) if infinitive.endswith("en") else ()
