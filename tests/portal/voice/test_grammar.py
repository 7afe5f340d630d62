"""From sentences and names to a model and a dictionary; what they say is checked by reading them back."""

from __future__ import annotations

import math
import stat
from pathlib import Path

import pytest

from kernel import Part, Sayable
from portal.voice.grammar import build, kept, number_words, spoken_ways
from portal.voice.ngram import Ngrams
from portal.voice.pronounce import by_letter, read_sounds, sounds_of

_PHONES = set(
    "AA AE AH AO AW AY B CH D DH EH ER EY F G HH IH IY JH K L M N NG OW OY P R S SH T TH UH UW V W Y Z ZH".split()
)
_KNOWN = {"open": ("OW P AH N",), "report": ("R IH P AO R T", "R IY P AO R T"), "dot": ("D AA T",)}


def _read(arpa: str) -> tuple[dict[tuple[str, ...], float], dict[tuple[str, ...], float]]:
    chances, back_offs = {}, {}
    for line in arpa.splitlines():
        fields = line.split("\t")
        if len(fields) >= 2:
            gram = tuple(fields[1].split())
            chances[gram] = 10 ** float(fields[0])
            back_offs[gram] = 10 ** float(fields[2]) if len(fields) == 3 else 1.0
    return chances, back_offs


def _chance(gram: tuple[str, ...], chances: dict, back_offs: dict) -> float:
    if gram in chances:
        return chances[gram]
    return back_offs.get(gram[:-1], 1.0) * _chance(gram[1:], chances, back_offs)


def test_what_follows_every_history_sums_to_one() -> None:
    lines = ["open [file] now", "open the [folder] please", "close [file]", "copy [file] [folder]", "open the door"]
    classes = {"[file]": ["f0", "f1", "f2"], "[folder]": ["d0", "d1"]}
    chances, back_offs = _read(Ngrams([line.split() for line in lines], classes).arpa())
    words = {gram[0] for gram in chances if len(gram) == 1} - {"<s>"}
    histories = [gram for gram in back_offs if len(gram) < 3 and gram[-1] != "</s>"]
    assert len(histories) > 20
    for history in [(), *histories]:
        assert sum(_chance((*history, word), chances, back_offs) for word in words) == pytest.approx(1, abs=1e-3), (
            history
        )


def test_witten_bell_by_hand() -> None:
    model = Ngrams([["a", "b"], ["a", "c"]], {})
    unigram_b = (1 + 4 * (1 / 4)) / (6 + 4)  # a b a c and two ends: six words of four kinds
    assert model.probability(("b",)) == pytest.approx(unigram_b)
    assert model.probability(("a", "b")) == pytest.approx((1 + 2 * unigram_b) / (2 + 2))


def test_a_name_that_no_sentence_has_stands_wherever_such_a_name_can() -> None:
    sentence = (Part("open"), Part("letter.txt", "file"))
    grammar = build(Sayable((sentence,), {"file": ("report.pdf",)}), _KNOWN)
    chances, _ = _read(grammar.model)
    (name,) = [word for word, written in grammar.written.items() if written == "report.pdf"]
    assert chances[("open", name)] > 0.3
    lines = dict(line.split(" ", 1) for line in grammar.dictionary.splitlines())
    assert lines[name] == "R IH P AO R T D AA T P IY D IY EH F"
    assert f"{name}(2)" in lines


def test_every_word_of_the_model_sounds_and_is_written() -> None:
    sentences = tuple((Part(text),) for text in ("Remind me at 3:30pm on Friday", "add Jürgen's 2 bills", "what is π"))
    grammar = build(Sayable(sentences, {"person": ("Łukasz Żak", "李")}), {})
    sounding = {line.split(" ", 1)[0].partition("(")[0] for line in grammar.dictionary.splitlines()}
    words = {gram[0] for gram in _read(grammar.model)[0] if len(gram) == 1} - {"<s>", "</s>"}
    assert words <= sounding
    assert set(grammar.written) == sounding
    assert "Łukasz Żak" in grammar.written.values()
    assert {"π", "李"}.isdisjoint(grammar.written.values())  # nothing to say in these sounds
    phones = {phone for line in grammar.dictionary.splitlines() for phone in line.split()[1:]}
    assert phones <= _PHONES


def test_the_files_are_the_persons_alone_and_made_once(tmp_path: Path) -> None:
    one = Sayable(((Part("open"), Part("a report", "file")),), {"file": ("report",)})
    folder = tmp_path / "voice"
    assert kept(folder, one, lambda: _KNOWN)
    assert not kept(folder, one, lambda: _KNOWN)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}
    assert kept(folder, Sayable(one.sentences, {}), lambda: _KNOWN)


@pytest.mark.parametrize(
    ("number", "words"),
    [(0, "zero"), (12, "twelve"), (40, "forty"), (115, "one hundred fifteen"), (2026, "twenty twenty six"),
     (2000, "two thousand"), (2005, "two thousand five"), (1999, "nineteen ninety nine"),
     (9400, "nine thousand four hundred")],
)  # fmt: skip
def test_numbers_in_words(number: int, words: str) -> None:
    assert " ".join(number_words(number)) == words


@pytest.mark.parametrize(
    ("written", "ways"),
    [("3pm", ["three p m"]), ("3:30pm", ["three thirty p m"]), ("tax 2026", ["tax twenty twenty six"]),
     ("report.pdf", ["report dot p d f", "report p d f"]), ("2026_Tax-Letter", ["twenty twenty six tax letter"]),
     ("20260101", ["two zero two six zero one zero one"])],
)  # fmt: skip
def test_the_ways_in_which_it_is_said(written: str, ways: list[str]) -> None:
    assert [" ".join(one) for one in spoken_ways(written)] == ways


@pytest.mark.parametrize("word", ["Anneliese", "grzegorz", "müller", "xenophon", "o'neill's", "straße", "brr"])
def test_every_name_has_sounds_of_the_model(word: str) -> None:
    (sounds, *_) = sounds_of(word.casefold(), {})
    assert set(sounds.split()) <= _PHONES
    assert len(sounds.split()) >= 3


def test_unknown_words_by_their_letters() -> None:
    assert sounds_of("shook", {}) == ("SH UW K",)
    assert sounds_of("123", {}) == ()
    assert by_letter("pdf") == ("P IY D IY EH F",)
    assert by_letter("李") == ()


def test_the_guess_is_near_what_the_dictionary_says() -> None:
    pocketsphinx = pytest.importorskip("pocketsphinx", reason="its dictionary is compared: pip install pocketsphinx")
    known = read_sounds(Path(pocketsphinx.get_model_path()) / "en-us" / "cmudict-en-us.dict")
    words = sorted(word for word in known if word.isalpha() and word.isascii() and 4 <= len(word) <= 9)[::200]
    wrong = sum(_edits(sounds_of(word, {})[0].split(), known[word][0].split()) for word in words)
    total = sum(len(known[word][0].split()) for word in words)
    assert len(words) > 300
    assert wrong / total < 0.45


def _edits(one: list[str], other: list[str]) -> int:
    row = list(range(len(other) + 1))
    for at, left in enumerate(one, 1):
        last, row[0] = row[0], at
        for place, right in enumerate(other, 1):
            last, row[place] = row[place], min(row[place] + 1, row[place - 1] + 1, last + (left != right))
    return row[-1]


def test_the_numbers_of_the_model_are_finite() -> None:
    grammar = build(Sayable((), {}), _KNOWN)
    assert all(math.isfinite(chance) for chance in _read(grammar.model)[0].values())
