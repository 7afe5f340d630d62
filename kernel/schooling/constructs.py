"""Construct templates: the forms in which people put several requests, or one, into a sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from kernel.language import joining_words as j
from kernel.schooling.model import Lesson, Meant, Said
from kernel.schooling.parts import Part, Parts
from kernel.schooling.phrases import filled, places_in
from skills.model import ValueKind

K = ValueKind
Construct = Callable[[Parts], Lesson | None]
_LISTS = frozenset({K.FILE, K.TABLE})
_MARKS = re.compile(r"(?<!\w)[.,;:!?]+|[,;:!?]+(?= |$)|\.(?= |$)")


def _lesson(parts: Parts, name: str, text: str, *calls: Meant) -> Lesson:
    return Lesson(" ".join(text.split()), parts.language, name, calls)


def single(parts: Parts) -> Lesson | None:
    """ "find the PDFs in Music"."""
    one = parts.alone()
    return None if one is None else _lesson(parts, "single", one.text, one.call)


def courtesy(parts: Parts) -> Lesson | None:
    """ "could you find the PDFs in Music?"."""
    one = parts.request()
    if one is None:
        return None
    text = parts.random.choice(j.COURTESY[parts.language]).format(a=one.text)
    return _lesson(parts, "courtesy", text, one.call)


def in_turn(parts: Parts) -> Lesson | None:
    """ "find the PDFs in Music and copy them to Archive"."""
    return _chain(parts, "A and B it", j.IN_TURN)


def bare(parts: Parts) -> Lesson | None:
    """ "find the pdfs in music copy them to archive"."""
    made = _chain(parts, "A B it, bare", j.UNPUNCTUATED)
    return None if made is None else replace(made, text=_MARKS.sub("", made.text).lower())


def courteous(parts: Parts) -> Lesson | None:
    """ "could you find the PDFs in Music and copy them to Archive?"."""
    made = _chain(parts, "courtesy, A and B it", {"en": j.IN_TURN["en"][:3], "de": j.IN_TURN["de"][:2]})
    if made is None:
        return None
    return replace(made, text=parts.random.choice(j.COURTESY[parts.language]).format(a=made.text))


def _chain(parts: Parts, name: str, joints: j.Templates) -> Lesson | None:
    one = parts.finding()
    two = None if one is None else parts.follower(one, (0,))
    if one is None or two is None:
        return None
    text = parts.random.choice(joints[parts.language]).format(a=one.text, b=two.text)
    return _lesson(parts, name, text, one.call, two.call)


def of_a_field(parts: Parts) -> Lesson | None:
    """ "total the invoices and put its value into a note called May"."""
    one = parts.finding()
    two = None if one is None else parts.field_follower(one, (0,))
    if one is None or two is None:
        return None
    text = parts.random.choice(j.IN_TURN[parts.language]).format(a=one.text, b=two.text)
    return _lesson(parts, "A and B its field", text, one.call, two.call)


def of_the_first(parts: Parts) -> Lesson | None:
    """ "find the PDFs in Music and summarise the first one"."""
    one = parts.finding()
    two = None if one is None else parts.first_follower(one, (0,))
    if one is None or two is None:
        return None
    text = parts.random.choice(j.IN_TURN[parts.language]).format(a=one.text, b=two.text)
    return _lesson(parts, "A and B the first", text, one.call, two.call)


def described(parts: Parts) -> Lesson | None:
    """ "delete the three largest files in Music"."""
    one = parts.thing()
    two = None if one is None else parts.described(one)
    return None if one is None or two is None else _lesson(parts, "B the A", two.text, one.call, two.call)


def following(parts: Parts) -> Lesson | None:
    """ "save the following as a note called May: the total of Invoices"."""
    one = parts.thing()
    two = None if one is None else parts.pointing(one, parts.random.choice(j.THE_FOLLOWING[parts.language]))
    if one is None or two is None:
        return None
    text = parts.random.choice(j.FOLLOWING[parts.language]).format(b=two.text, np=one.text)
    return _lesson(parts, "B this: the A", text, one.call, two.call)


def for_each(parts: Parts) -> Lesson | None:
    """ "for each of the PDFs in Music, make a note"."""
    one = parts.files()
    if one is None or not one.many or not j.EACH[parts.language]:
        return each_after(parts)
    two = parts.follower(one, (0,), each=True)
    if two is None:
        return None
    text = parts.random.choice(j.EACH[parts.language]).format(np=f"the {_without_article(one.text)}", b=two.text)
    return _lesson(parts, "for each", text, one.call, replace(two.call, each=0))


def each_after(parts: Parts) -> Lesson | None:
    """ "find the PDFs in Music, and for each of them make a note"."""
    one = parts.finding()
    two = None if one is None or not one.many else parts.follower(one, (0,), each=True)
    if one is None or two is None:
        return None
    text = parts.random.choice(j.EACH_AFTER[parts.language]).format(a=one.text, b=two.text)
    return _lesson(parts, "for each", text, one.call, replace(two.call, each=0))


def if_more(parts: Parts) -> Lesson | None:
    """ "if there are more than three PDFs in Music, move them to Archive"."""
    one = parts.files()
    if one is None or not one.many:
        return if_after(parts)
    two = parts.follower(one, (0,))
    if two is None:
        return None
    np = _without_article(one.text)
    said = [value.text for value in one.call.arguments.values() if isinstance(value, Said)]
    if not all(text in np for text in said):  # the article is of the value: "den Impfpass"
        return if_after(parts)
    number = parts.random.choice(("3", "10", "20"))
    text = parts.random.choice(j.IF_MORE[parts.language]).format(np=np, b=_infinite(two, parts), n=number)
    return _lesson(parts, "if", text, one.call, replace(two.call, bound=True))


def if_after(parts: Parts) -> Lesson | None:
    """ "find the PDFs in Music and if there are more than three, move them to Archive"."""
    one = parts.finding()
    two = None if one is None or not one.many or one.tool.result.kind is not K.FILE else parts.follower(one, (0,))
    if one is None or two is None:
        return None
    number = parts.random.choice(("3", "10", "20"))
    text = parts.random.choice(j.IF_ANY_AFTER[parts.language]).format(a=one.text, b=two.text, n=number)
    return _lesson(parts, "if", text, one.call, replace(two.call, bound=True))


def _without_article(text: str) -> str:
    words = text.split()
    while len(words) > 1 and words[0].casefold() in j.DETERMINERS:
        words = words[1:]
    return " ".join(words)


def _infinite(part: Part, parts: Parts) -> str:
    """In German the imperative stands as it is behind a condition as well."""
    return part.text if parts.language == "en" else f"dann {part.text}"


def both(parts: Parts) -> Lesson | None:
    """ "show me both the PDFs in Music and the rows of a.csv"."""
    one, two = parts.thing(), parts.thing()
    if one is None or two is None or one.text == two.text:
        return None
    text = parts.random.choice(j.BOTH[parts.language]).format(np=one.text, other=two.text)
    return _lesson(parts, "both A and B", text, one.call, two.call)


def unrelated(parts: Parts) -> Lesson | None:
    """ "find the PDFs in Music and add milk to the shopping list"."""
    one, two = parts.request(), parts.request()
    if one is None or two is None or one.tool.id == two.tool.id:
        return None
    text = parts.random.choice(j.IN_TURN[parts.language]).format(a=one.text, b=two.text)
    return _lesson(parts, "A and C", text, one.call, two.call)


def place_first(parts: Parts) -> Lesson | None:
    """ "it's in Music: find the PDFs"."""
    phrases = [
        (hole, rest, phrase)
        for own in parts.pool.requests.values()
        for phrase in own
        for hole, rest in places_in(phrase)
    ]
    if not phrases:
        return None
    hole, rest, phrase = parts.random.choice(phrases)
    one = parts.whole(phrase)
    if one is None or not parts.vet(phrase):
        return None
    words = {name: said.text for name, said in one.call.arguments.items() if isinstance(said, Said)}
    template = parts.random.choice(j.PLACE_FIRST[parts.language])
    text = template.format(place=words[hole.parameter], a=filled(rest, words))
    return _lesson(parts, "place first", text, one.call)


def thing_first(parts: Parts) -> Lesson | None:
    """ "take a.csv and sort it by amount"."""
    takers = [
        one
        for own in parts.pool.followers.values()
        for one in own
        if not one.silent and one.parameter.type.kind in _LISTS
    ]
    taker = parts.random.choice(takers)
    whole = parts.whole(taker.phrase)
    thing = None if whole is None else whole.call.arguments.get(taker.parameter.name)
    if whole is None or not isinstance(thing, Said) or not thing.paths or not parts.vet(taker.phrase):
        return None
    words = {name: said.text for name, said in whole.call.arguments.items() if isinstance(said, Said)}
    words[taker.parameter.name] = parts.random.choice(j.POINTING[parts.language][len(thing.paths) > 1][:1])
    body = filled(taker.phrase, words)
    text = parts.random.choice(j.THING_FIRST[parts.language]).format(thing=thing.text, b=body)
    return _lesson(parts, "thing first", text, whole.call)


def three(parts: Parts) -> Lesson | None:
    """ "find the PDFs in Music, copy them to Archive and delete them"."""
    one = parts.finding()
    two = None if one is None else parts.follower(one, (0,))
    last = None if two is None else parts.follower(two, (1, 0))
    if one is None or two is None or last is None:
        return None
    text = parts.random.choice(j.THREE_IN_TURN[parts.language]).format(a=one.text, b=two.text, c=last.text)
    return _lesson(parts, "A, B it, C it", text, one.call, two.call, last.call)


def described_then(parts: Parts) -> Lesson | None:
    """ "copy the three largest files in Music to Archive, then add milk to the shopping list"."""
    one = parts.thing()
    two = None if one is None else parts.described(one)
    last = parts.request()
    if one is None or two is None or last is None:
        return None
    text = parts.random.choice(j.IN_TURN[parts.language]).format(a=two.text, b=last.text)
    return _lesson(parts, "B the A and C", text, one.call, two.call, last.call)


CONSTRUCTS: Mapping[str, Construct] = {
    "single": single,
    "courtesy": courtesy,
    "A and B it": in_turn,
    "A B it, bare": bare,
    "courtesy, A and B it": courteous,
    "A and B its field": of_a_field,
    "A and B the first": of_the_first,
    "B the A": described,
    "B this: the A": following,
    "for each": for_each,
    "if": if_more,
    "both A and B": both,
    "A and C": unrelated,
    "place first": place_first,
    "thing first": thing_first,
    "A, B it, C it": three,
    "B the A and C": described_then,
}
