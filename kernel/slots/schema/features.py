"""What speaks for a guess being the value of a slot, as numbers; the weights are learned (``ranker.py``)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kernel.language import Line, is_function_word
from kernel.language.amounts.numbers import number_at
from kernel.slots.schema.guesses import guesses, quotations, whole_names
from kernel.slots.schema.model import SOURCES, Guess, Slot, Wanted
from kernel.slots.schema.words import doc_stems, listed, name_stems, stem

Floats = npt.NDArray[np.float64]
Encode = Callable[[list[str]], npt.NDArray[np.float32]]

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
_NOT = frozenset("no not without n't never exclude excluding dont don't except avoid".split())
_ASKED = frozenset("what's what which who how when where find get show give calculate".split())

PLAIN = (
    "left_name left_doc right_name right_doc inside_name inside_doc next_name previous_name unit role_fits "
    "role_differs rank_same rank_off length long capital figure listed_value exampled cosine cosine_more "
    "year_like year_misfit percent_fits date_fits first_word verb_first ends_open starts_open equals_name "
    "touched negated required missing defaulted covers shared_head lone whole_name cuts_name in_quotes "
    "number_word ing inside_function next_function rank_end unit_misfit code_fits code_misfit"
).split()
CROSSED = ("left_name", "next_name", "cosine", "cosine_more", "role_fits", "capital", "ends_open")
"""Features that mean one thing for a number and another for a name: once more for each source."""
NAMES = (*PLAIN, *SOURCES, *(f"{name} of {source}" for name in CROSSED for source in SOURCES))
WIDTH = len(NAMES)
_AT = {name: at for at, name in enumerate(NAMES)}
_FIRST_SOURCE, _FIRST_CROSSED = len(PLAIN), len(PLAIN) + len(SOURCES)


@dataclass(frozen=True, slots=True)
class Table:
    """The guesses of one slot and their features [guesses, WIDTH]."""

    slot: Slot
    guesses: tuple[Guess, ...]
    rows: Floats


@dataclass(frozen=True, slots=True)
class _Scene:
    """What all slots of one call share: the sentence, its stems, and how common a stem is among the slots."""

    line: Line
    stems: tuple[str, ...]
    slots: Sequence[Slot]
    common: Mapping[str, int]
    near: Mapping[str, Floats]  # vectors of texts
    function: frozenset[str]  # stems of the function's name
    names: Sequence[tuple[int, int]]
    quotes: Sequence[tuple[int, int]]


def tables(line: Line, slots: Sequence[Slot], encode: Encode | None, function: str = "") -> list[Table]:
    """Return the guesses of every slot of a call of ``function``; ``encode`` gives unit vectors of texts."""
    found = [guesses(line, slot) for slot in slots]
    common = Counter(word for slot in slots for word in {*name_stems(slot.name), *doc_stems(slot.doc)})
    stems = tuple(stem(token.norm) for token in line.tokens)
    quotes = [(guess.first, guess.last) for guess in quotations(line)]
    vectors = _vectors(slots, found, encode)
    scene = _Scene(line, stems, slots, common, vectors, frozenset(name_stems(function)), whole_names(line), quotes)
    return [Table(slot, tuple(own), _rows(scene, slot, own)) for slot, own in zip(slots, found, strict=True)]


def _vectors(slots: Sequence[Slot], found: Sequence[Sequence[Guess]], encode: Encode | None) -> dict[str, Floats]:
    if encode is None:
        return {}
    texts = {_about(slot) for slot in slots}
    texts |= {_said(guess) for own in found for guess in own if guess.value is not None}
    ordered = sorted(texts)
    return dict(zip(ordered, encode(ordered).astype(np.float64), strict=True))


def _about(slot: Slot) -> str:
    return f"{slot.name.replace('_', ' ')}: {slot.doc}"


def _said(guess: Guess) -> str:
    return ", ".join(map(str, guess.value)) if isinstance(guess.value, list) else str(guess.value)


def _rows(scene: _Scene, slot: Slot, own: Sequence[Guess]) -> Floats:
    rows = np.zeros((len(own), WIDTH))
    ranks = _ranks(scene, slot, own)
    names, docs = frozenset(name_stems(slot.name)), _weights(scene, slot)
    for at, guess in enumerate(own):
        row = rows[at]
        row[_AT[guess.source]] = 1.0
        if guess.source == "none":
            row[_AT["required"]], row[_AT["missing"]] = slot.required, not slot.required
            row[_AT["defaulted"]] = "default" in slot.doc.lower()
            continue
        _shape(row, scene, slot, guess)
        _meaning(row, scene, slot, guess)
        _touch(row, scene, slot, guess)
        if guess.last:
            _around(row, scene, guess, names, docs)
            _place(row, scene, slot, guess, names)
            _mend_names(row)
            _misfit(row, scene, slot, guess)
            row[_AT["rank_same"]], row[_AT["rank_off"]] = ranks[at][0] == 0, min(abs(ranks[at][0]), 3) / 3
            row[_AT["rank_end"]] = ranks[at][1] == 0
    sources = rows[:, _FIRST_SOURCE:_FIRST_CROSSED]
    rows[:, _FIRST_CROSSED:] = np.concatenate([rows[:, [_AT[name]]] * sources for name in CROSSED], axis=1)
    return rows


def _weights(scene: _Scene, slot: Slot) -> dict[str, float]:
    """The stems of what is said about the slot; those that every slot has say little."""
    return {word: 1 / scene.common[word] for word in doc_stems(slot.doc)}


def _around(row: Floats, scene: _Scene, guess: Guess, names: frozenset[str], docs: Mapping[str, float]) -> None:
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
                row[_AT[f"{side}_name"]] = max(row[_AT[f"{side}_name"]], fade * (0.4 + 0.6 * share))
            if word in docs:
                row[_AT[f"{side}_doc"]] = max(row[_AT[f"{side}_doc"]], fade * docs[word])
    following, before = scene.stems[guess.last : guess.last + 1], scene.stems[max(guess.first - 1, 0) : guess.first]
    row[_AT["next_name"]] = any(word in names or docs.get(word, 0) == 1 for word in following)
    row[_AT["previous_name"]] = any(word in names for word in before)
    inside = scene.stems[guess.first : guess.last]
    row[_AT["inside_name"]] = sum(word in names for word in inside) / len(inside)
    row[_AT["inside_doc"]] = sum(word in docs for word in inside) / len(inside)
    row[_AT["shared_head"]] = inside[-1] in names or inside[-1] in docs
    unit = stem(guess.unit) if guess.unit else ""
    row[_AT["unit"]] = 1 / scene.common[unit] if unit in scene.common and (unit in names or unit in docs) else 0
    if guess.unit in {"$", "€", "£"}:
        row[_AT["unit"]] = any(word in names or word in docs for word in _MONEY)


_MONEY = tuple(
    "price amount cost budget invest princi revenu income payout divide salary dollar usd money fee sales value".split()
)


def _place(row: Floats, scene: _Scene, slot: Slot, guess: Guess, names: frozenset[str]) -> None:
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
        row[_AT["role_fits"]], row[_AT["role_differs"]] = fits, others and not fits
    row[_AT["ends_open"]] = guess.last < line.size and line.is_content(guess.last)
    row[_AT["starts_open"]] = guess.first > 0 and line.is_content(guess.first - 1)
    row[_AT["first_word"]] = guess.first == 0
    row[_AT["whole_name"]] = (guess.first, guess.last) in scene.names
    row[_AT["cuts_name"]] = any(
        (first < guess.first < last) or (first < guess.last < last) for first, last in scene.names
    )
    row[_AT["in_quotes"]] = any(
        first <= guess.first and guess.last <= last and (first, last) != (guess.first, guess.last)
        for first, last in scene.quotes
    )
    row[_AT["number_word"]] = number_at(line, guess.first) is not None and slot.wanted is Wanted.TEXT
    row[_AT["ing"]] = line.norm(guess.first).endswith("ing") and not line.raw(guess.first)[:1].isupper()
    inside = scene.stems[guess.first : guess.last]
    row[_AT["inside_function"]] = sum(word in scene.function for word in inside) / len(inside)
    row[_AT["next_function"]] = (
        scene.stems[guess.last : guess.last + 1][:1] != () and scene.stems[guess.last] in scene.function
    )
    row[_AT["verb_first"]] = guess.first == 1 and line.is_content(0)


def _shape(row: Floats, scene: _Scene, slot: Slot, guess: Guess) -> None:
    line, text = scene.line, _said(guess)
    length = guess.last - guess.first
    row[_AT["length"]], row[_AT["long"]] = min(length, 6) / 6, length > 4
    row[_AT["lone"]] = length == 1
    row[_AT["capital"]] = text[:1].isupper() and guess.first > 0
    row[_AT["figure"]] = any(letter.isdigit() for letter in text)
    if isinstance(guess.value, int | float) and not isinstance(guess.value, bool):
        year = (
            1500 <= guess.value <= 2100
            and float(guess.value).is_integer()
            and "," not in line.slice(guess.first, guess.last)
        )
        wants = "year" in slot.name.lower() or "season" in slot.name.lower()
        row[_AT["year_like"]] = year and wants
        row[_AT["year_misfit"]] = year != wants and (year or "years" not in slot.name.lower())
        speaks = any(word in (slot.name + slot.doc).lower() for word in ("percent", "rate", "yield", "probab", "ratio"))
        row[_AT["percent_fits"]] = (guess.source == "percent") == speaks
    row[_AT["date_fits"]] = guess.source == "date" and "date" in (slot.name + slot.doc).lower()


def _mend_names(row: Floats) -> None:
    """A whole name may hold words of the schema ("Museum of Art"); what cuts one is not held up by its rest."""
    if row[_AT["whole_name"]]:
        for name in ("inside_name", "inside_doc", "shared_head", "inside_function", "ends_open", "starts_open"):
            row[_AT[name]] = 0.0
    if row[_AT["cuts_name"]]:
        for name in ("next_name", "next_function", "previous_name"):
            row[_AT[name]] = 0.0


def _misfit(row: Floats, scene: _Scene, slot: Slot, guess: Guess) -> None:
    """The unit belongs to another slot of the call; the slot wants a code and gets none, or the other way round."""
    unit = stem(guess.unit) if guess.unit else ""
    others = [other for other in scene.slots if other is not slot]
    if unit and not row[_AT["unit"]]:
        row[_AT["unit_misfit"]] = any(
            unit in name_stems(other.name) or unit in doc_stems(other.doc) for other in others
        )
        row[_AT["unit_misfit"]] = max(row[_AT["unit_misfit"]], float(guess.unit in {"$", "€", "£"}))
    wants = any(word in _CODES for word in name_stems(slot.name))
    if slot.wanted is Wanted.TEXT:
        row[_AT["code_fits"]] = wants and row[_AT["figure"]] > 0
        row[_AT["code_misfit"]] = wants != (row[_AT["figure"]] > 0)


_CODES = frozenset("id code number docket sequen serial isbn zip phone version season".split())


def _meaning(row: Floats, scene: _Scene, slot: Slot, guess: Guess) -> None:
    """Cosine with what is said about the slot, and how much more than with the other slots."""
    values = listed(slot)
    row[_AT["listed_value"]] = _said(guess).lower() in {value.lower() for value in (*values, *slot.choices)}
    row[_AT["exampled"]] = bool(values) and any(value[:1].isupper() == _said(guess)[:1].isupper() for value in values)
    if not scene.near:
        return
    vector = scene.near[_said(guess)]
    own = float(vector @ scene.near[_about(slot)])
    others = [float(vector @ scene.near[_about(other)]) for other in scene.slots if other is not slot]
    row[_AT["cosine"]] = own
    row[_AT["cosine_more"]] = own - max(others) if others else 0.0


def _touch(row: Floats, scene: _Scene, slot: Slot, guess: Guess) -> None:
    """How far the sentence speaks of the slot at all, and whether it says no: for truth values and choices."""
    if slot.wanted not in {Wanted.TRUTH, Wanted.CHOICE}:
        return
    wanted = [word for word in name_stems(slot.name) if not is_function_word(word, "en")] or list(name_stems(slot.name))
    said = [at for at, word in enumerate(scene.stems) if word in wanted]
    row[_AT["touched"]] = len({scene.stems[at] for at in said}) / len(wanted)
    row[_AT["negated"]] = any(
        scene.line.norm(before) in _NOT for at in said for before in range(max(at - 3, 0), at)
    ) == (guess.value is False)
    docs = [word for word in doc_stems(slot.doc) if scene.common[word] == 1]
    row[_AT["covers"]] = sum(word in scene.stems for word in docs) / max(len(docs), 1)
    row[_AT["equals_name"]] = slot.required


def _ranks(scene: _Scene, slot: Slot, own: Sequence[Guess]) -> list[tuple[int, int]]:
    """The guess's place among the numbers or names of the sentence minus the slot's place among the slots of its kind,
    counted from the left and from the right."""
    alike = [other for other in scene.slots if other.wanted is slot.wanted and other.required == slot.required]
    place = alike.index(slot)
    numbers = slot.wanted in {Wanted.WHOLE, Wanted.NUMBER}
    starts = sorted({guess.first for guess in own if guess.last}) if numbers else [first for first, _ in scene.names]
    ranks = []
    for guess in own:
        before = sum(start < guess.first for start in starts)
        ranks.append((before - place, (len(starts) - before) - (len(alike) - place)))
    return ranks
