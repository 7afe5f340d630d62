"""What stands around a guess: words of the schema, prepositions, and the edges of what it was read from."""

from __future__ import annotations

from collections.abc import Mapping

from kernel.language.amounts.numbers import number_at
from kernel.slots.schema.columns import AT
from kernel.slots.schema.model import Guess, Slot, Wanted
from kernel.slots.schema.numbers import MONEY
from kernel.slots.schema.scene import Floats, Scene
from kernel.slots.schema.texts import is_glued
from kernel.slots.schema.words import name_stems, stem

LEFT, RIGHT = 5, 3
_ROLES = {
    "from": "start from origin source begin min lower depart base first old initial",
    "to": "end to dest target final until max upper arriva second new",
    "in": "locat city countr state place region area year date langua unit locati addres",
    "at": "time place locati point price temper",
    "by": "author artist direct compos writer artis creato invent",
    "for": "durati time days years period purpos compan item query",
    "of": "name title object compan",
    "with": "includ prefer featur condit",
    "on": "date day platfo topic",
    "between": "start first min",
}
_PREPOSITIONS = {word: frozenset(stems.split()) for word, stems in _ROLES.items()}
_PREPOSITIONS |= {"near": _PREPOSITIONS["in"], "since": _PREPOSITIONS["from"], "until": _PREPOSITIONS["to"]}
_PREPOSITIONS |= {"over": _PREPOSITIONS["for"], "about": _PREPOSITIONS["of"]}
_STOPS = frozenset(". ? ! : ;".split())


def around(row: Floats, scene: Scene, guess: Guess, names: frozenset[str], docs: Mapping[str, float]) -> None:
    """Words of the schema within five words on the left and three on the right."""
    for sign, reach, side in ((-1, LEFT, "left"), (1, RIGHT, "right")):
        for step in range(1, reach + 1):
            at = guess.first - step if sign < 0 else guess.last - 1 + step
            if not 0 <= at < len(scene.stems):
                break
            fade = 0.8 ** (step - 1)
            word = scene.stems[at]
            share = 1 / scene.common[word] if word in scene.common else 0.0
            if word in names:
                row[AT[f"{side}_name"]] = max(row[AT[f"{side}_name"]], fade * (0.4 + 0.6 * share))
            if word in docs:
                row[AT[f"{side}_doc"]] = max(row[AT[f"{side}_doc"]], fade * docs[word])
    following, before = scene.stems[guess.last : guess.last + 1], scene.stems[max(guess.first - 1, 0) : guess.first]
    row[AT["next_name"]] = any(word in names or docs.get(word, 0) == 1 for word in following)
    row[AT["previous_name"]] = any(word in names for word in before)
    inside = scene.stems[guess.first : guess.last]
    row[AT["inside_name"]] = sum(word in names for word in inside) / len(inside)
    row[AT["inside_doc"]] = sum(word in docs for word in inside) / len(inside)
    row[AT["shared_head"]] = inside[-1] in names or inside[-1] in docs
    row[AT["starts_name"]] = len(inside) > 1 and inside[0] in names
    unit = stem(guess.unit) if guess.unit else ""
    row[AT["unit"]] = 1 / scene.common[unit] if unit in scene.common and (unit in names or unit in docs) else 0
    if guess.unit in MONEY:
        row[AT["unit"]] = any(word in names or word in docs for word in _MONEY)


_MONEY = tuple(
    "price amount cost budget invest princi revenu income payout divide salary dollar usd money fee sales value".split()
)


def nearest(row: Floats, scene: Scene, guess: Guess, names: frozenset[str], docs: Mapping[str, float]) -> None:
    """Whether the guess is the number that stands nearest to a word of the slot which no other slot has."""
    for at, word in enumerate(scene.stems):
        if scene.common.get(word) != 1 or not (word in names or word in docs):
            continue
        apart = [(_distance(at, span), span) for span in scene.numbers if not span[0] <= at < span[1]]
        if apart and min(apart)[1] == (guess.first, guess.last):
            row[AT["nearest_name" if word in names else "nearest_doc"]] = 1.0


def _distance(at: int, span: tuple[int, int]) -> float:
    """Words between a word and a number; of two as near, the number that follows is nearer."""
    return span[0] - at - 0.5 if span[0] > at else at - span[1] + 1


def place(row: Floats, scene: Scene, slot: Slot, guess: Guess, names: frozenset[str]) -> None:
    """The preposition before it, the edges of the run of words that it lies in, the start of the sentence."""
    line = scene.line
    at = guess.first - 1
    while (
        at >= 0
        and (line.norm(at) in {"the", "a", "an", "'", '"', "$", "of"} or not line.is_word(at))
        and at > guess.first - 4
    ):
        at -= 1
    role = _PREPOSITIONS.get(line.norm(at)) if at >= 0 else None
    if role is not None:
        fits = bool(names & role)
        others = any(name in role for other in scene.slots if other is not slot for name in name_stems(other.name))
        row[AT["role_fits"]], row[AT["role_differs"]] = fits, others and not fits
    row[AT["ends_open"]] = guess.last < line.size and line.is_content(guess.last)
    row[AT["starts_open"]] = guess.first > 0 and line.is_content(guess.first - 1)
    row[AT["first_word"]] = guess.first == 0
    row[AT["begins"]] = guess.first > 0 and line.norm(guess.first - 1) in _STOPS
    row[AT["glued"]] = is_glued(line, guess.first, guess.last)
    row[AT["before_of"]] = line.norm(guess.last) == "of" and line.is_word(guess.last + 1)
    row[AT["after_of"]] = line.norm(guess.first - 1) == "of" and line.is_content(guess.first - 2)
    row[AT["owner"]] = line.norm(guess.last) in {"'s", "’s"}
    own = [_without(span, scene, names) for span in scene.names]
    row[AT["whole_name"]] = (guess.first, guess.last) in own
    row[AT["cuts_name"]] = guess.cuts(own)
    row[AT["continues"]] = line.norm(guess.last) in _JOINTS and line.is_content(guess.last + 1)
    row[AT["in_quotes"]] = guess.is_part(scene.quotes)
    row[AT["number_word"]] = number_at(line, guess.first) is not None and slot.wanted is Wanted.TEXT
    row[AT["ing"]] = line.norm(guess.first).endswith("ing") and not line.raw(guess.first)[:1].isupper()
    inside = scene.stems[guess.first : guess.last]
    row[AT["inside_function"]] = sum(word in scene.function for word in inside) / len(inside)
    row[AT["next_function"]] = any(word in scene.function for word in scene.stems[guess.last : guess.last + 1])
    row[AT["verb_first"]] = guess.first == 1 and line.is_content(0)


_JOINTS = frozenset(", and or &".split())


def _without(span: tuple[int, int], scene: Scene, names: frozenset[str]) -> tuple[int, int]:
    """A name without the word of the slot that it begins with: "B1004" of "Id B1004"."""
    first, last = span
    while last - first > 1 and scene.stems[first] in names:
        first += 1
    return first, last


def mend_names(row: Floats) -> None:
    """A whole name may hold words of the schema ("Museum of Art"); what cuts one is not held up by its rest."""
    row[AT["open_name"]] = row[AT["whole_name"]] and row[AT["ends_open"]]
    if row[AT["whole_name"]]:
        for name in ("inside_name", "inside_doc", "shared_head", "inside_function", "ends_open", "starts_open"):
            row[AT[name]] = 0.0
    if row[AT["cuts_name"]]:
        for name in ("next_name", "next_function", "previous_name"):
            row[AT[name]] = 0.0
