"""What speaks for a guess being the value of a slot, as numbers; the weights are learned (``ranker.py``)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kernel.language import Line, is_function_word
from kernel.slots.schema.columns import AT, CROSSED, PLAIN, SINGLE, WIDTH
from kernel.slots.schema.guesses import guesses
from kernel.slots.schema.model import Guess, Slot, Wanted
from kernel.slots.schema.numbers import MONEY
from kernel.slots.schema.scene import Encode, Floats, Scene, about, beside, said, see
from kernel.slots.schema.surroundings import around, mend_names, nearest, place
from kernel.slots.schema.texts import date_form
from kernel.slots.schema.words import doc_stems, listed, name_stems, stem, wants_comma

_NOT = frozenset("no not without n't never exclude excluding dont don't except avoid".split())


@dataclass(frozen=True, slots=True)
class Table:
    """The guesses of one slot and their features [guesses, WIDTH]."""

    slot: Slot
    guesses: tuple[Guess, ...]
    rows: Floats
    scene: Scene


def tables(line: Line, slots: Sequence[Slot], encode: Encode | None, function: str = "") -> list[Table]:
    """Return the guesses of every slot of a call of ``function``; ``encode`` gives unit vectors of texts."""
    found = [guesses(line, slot) for slot in slots]
    scene = see(line, slots, found, encode, function)
    return [Table(slot, tuple(own), _rows(scene, slot, own), scene) for slot, own in zip(slots, found, strict=True)]


def _rows(scene: Scene, slot: Slot, own: Sequence[Guess]) -> Floats:
    rows = np.zeros((len(own), WIDTH))
    ranks = _ranks(scene, slot, own)
    names, docs = frozenset(name_stems(slot.name)), _weights(scene, slot)
    for at, guess in enumerate(own):
        row = rows[at]
        row[AT[guess.source]] = 1.0
        if guess.source == "none":
            row[AT["required"]], row[AT["missing"]] = slot.required, not slot.required
            row[AT["defaulted"]] = "default" in slot.doc.lower()
            row[AT["offered"]] = any(one.source == "listed" for one in own)
            row[AT["unspoken"]] = 0.0 if slot.required else _unspoken(scene, slot)
            continue
        _shape(row, scene, slot, guess)
        _meaning(row, scene, slot, guess)
        _touch(row, scene, slot, guess)
        if guess.last:
            around(row, scene, guess, names, docs)
            if guess.source in {"number", "percent", "ordinal"}:
                nearest(row, scene, guess, names, docs)
            place(row, scene, slot, guess, names)
            mend_names(row)
            _misfit(row, scene, slot, guess)
            row[AT["rank_same"]], row[AT["rank_off"]] = ranks[at][0] == 0, min(abs(ranks[at][0]), 3) / 3
            row[AT["rank_end"]] = ranks[at][1] == 0
    sources = rows[:, len(PLAIN) : SINGLE]
    rows[:, SINGLE:] = np.concatenate([rows[:, [AT[name]]] * sources for name in CROSSED], axis=1)
    return rows


def _unspoken(scene: Scene, slot: Slot) -> float:
    """The share of the words a slot is called by, those apart that others have, which the sentence does not say."""
    words = [word for word in name_stems(slot.name) if not is_function_word(word, "en")]
    own = [word for word in words if scene.common[word] == 1 and word not in scene.function] or words
    return sum(word not in scene.stems for word in own) / max(len(own), 1)


def _weights(scene: Scene, slot: Slot) -> dict[str, float]:
    """The stems of what is said about the slot; those that every slot has say little."""
    return {word: 1 / scene.common[word] for word in doc_stems(slot.doc)}


_LAST_WORD = re.compile(r"[A-Za-z][a-z]*")
_YEARS = frozenset({stem("year"), stem("season")})


def _shape(row: Floats, scene: Scene, slot: Slot, guess: Guess) -> None:
    line, text = scene.line, said(guess)
    length = guess.last - guess.first
    row[AT["length"]], row[AT["long"]] = min(length, 6) / 6, length > 4
    row[AT["lone"]] = length == 1
    row[AT["capital"]] = text[:1].isupper() and guess.first > 0
    if isinstance(guess.value, list) and guess.last:
        words = {word for one in guess.value for word in re.findall(r"\w+", str(one).lower())}
        inside = [at for at in range(guess.first, guess.last) if line.is_content(at)]
        row[AT["holes"]] = any(not words & set(re.findall(r"\w+", line.norm(at))) for at in inside)
    row[AT["many"]] = isinstance(guess.value, list) and len(guess.value) > 1
    if slot.wanted is Wanted.CHOICE:
        row[AT["stands"]] = guess.last > 0
        row[AT["exact"]] = guess.last > 0 and line.slice(guess.first, guess.last).lower() == text.lower()
    if slot.wanted is Wanted.TEXT:
        wants = wants_comma(slot)
        row[AT["comma_fits"]], row[AT["comma_misfit"]] = wants and "," in text, wants != ("," in text)
    row[AT["figure"]] = any(letter.isdigit() for letter in text)
    if isinstance(guess.value, int | float) and not isinstance(guess.value, bool):
        year = (
            1500 <= guess.value <= 2100
            and float(guess.value).is_integer()
            and "," not in line.slice(guess.first, guess.last)
        )
        wants = stem(_LAST_WORD.findall(slot.name)[-1]) in _YEARS if _LAST_WORD.search(slot.name) else False
        row[AT["year_like"]] = year and wants
        row[AT["year_misfit"]] = year != wants and (year or "years" not in slot.name.lower())
        speaks = any(word in (slot.name + slot.doc).lower() for word in ("percent", "rate", "yield", "probab", "ratio"))
        row[AT["percent_fits"]] = (guess.source == "percent") == speaks
    form = date_form(slot)
    if form is not None and slot.wanted is Wanted.TEXT:
        row[AT["formed"]] = form.fullmatch(text) is not None
        row[AT["misformed"]] = form.fullmatch(text) is None
    row[AT["date_fits"]] = guess.source == "date" and "date" in (slot.name + slot.doc).lower()


def _misfit(row: Floats, scene: Scene, slot: Slot, guess: Guess) -> None:
    """The unit belongs to another slot of the call; the slot wants a code and gets none, or the other way round."""
    unit = stem(guess.unit) if guess.unit else ""
    others = [other for other in scene.slots if other is not slot]
    if unit and not row[AT["unit"]]:
        row[AT["unit_misfit"]] = any(unit in name_stems(other.name) or unit in doc_stems(other.doc) for other in others)
        row[AT["unit_misfit"]] = max(row[AT["unit_misfit"]], float(guess.unit in MONEY))
    wants = any(word in _CODES for word in name_stems(slot.name))
    if slot.wanted is Wanted.TEXT:
        row[AT["code_fits"]] = wants and row[AT["figure"]] > 0
        row[AT["code_misfit"]] = wants != (row[AT["figure"]] > 0)


_CODES = frozenset("id code number docket sequen serial isbn zip phone version season".split())


def _meaning(row: Floats, scene: Scene, slot: Slot, guess: Guess) -> None:
    """Cosine with what is said about the slot, and how much more than with the other slots."""
    values = listed(slot)
    row[AT["listed_value"]] = said(guess).lower() in {value.lower() for value in (*values, *slot.choices)}
    row[AT["exampled"]] = bool(values) and any(value[:1].isupper() == said(guess)[:1].isupper() for value in values)
    if not scene.near:
        return
    vector = scene.near[said(guess)]
    own = float(vector @ scene.near[about(slot)])
    others = [float(vector @ scene.near[about(other)]) for other in scene.slots if other is not slot]
    row[AT["cosine"]] = own
    row[AT["cosine_more"]] = own - max(others) if others else 0.0
    if guess.last:
        vector = scene.near[beside(scene.line, guess)]
        own = float(vector @ scene.near[about(slot)])
        others = [float(vector @ scene.near[about(other)]) for other in scene.slots if other is not slot]
        row[AT["context"]] = own
        row[AT["context_more"]] = own - max(others) if others else 0.0


def _touch(row: Floats, scene: Scene, slot: Slot, guess: Guess) -> None:
    """How far the sentence speaks of the slot at all, and whether it says no: for truth values and choices."""
    if slot.wanted not in {Wanted.TRUTH, Wanted.CHOICE}:
        return
    wanted = [word for word in name_stems(slot.name) if not is_function_word(word, "en")] or list(name_stems(slot.name))
    said = [at for at, word in enumerate(scene.stems) if word in wanted]
    row[AT["touched"]] = len({scene.stems[at] for at in said}) / max(len(wanted), 1)
    row[AT["negated"]] = any(
        scene.line.norm(before) in _NOT for at in said for before in range(max(at - 3, 0), at)
    ) == (guess.value is False)
    docs = [word for word in doc_stems(slot.doc) if scene.common[word] == 1]
    row[AT["covers"]] = sum(word in scene.stems for word in docs) / max(len(docs), 1)
    row[AT["equals_name"]] = slot.required


def _ranks(scene: Scene, slot: Slot, own: Sequence[Guess]) -> list[tuple[int, int]]:
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
