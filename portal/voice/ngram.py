"""An n-gram model of the sentences that can be said here, in the ARPA form.

Interpolated Witten-Bell (Witten and Bell 1991): ``P(w|h) = (c(hw) + T(h) P(w|h')) / (c(h) + T(h))``, where T(h)
counts the different words after h. A class (the folders, the numbers) is one word while it is counted, and is then
replaced by each of its members in equal parts, so that a name never heard before stands wherever such a name can.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product

ORDER = 3
_BEGIN, _END = "<s>", "</s>"

Gram = tuple[str, ...]
Classes = Mapping[str, Sequence[str]]


class Ngrams:
    """The probabilities over words and classes. ``classes`` names the members of each class."""

    def __init__(self, sentences: Iterable[Sequence[str]], classes: Classes) -> None:
        self._classes = classes
        self._counts: Counter[Gram] = Counter()
        for words in sentences:
            self._count(words)
        self._total: Counter[Gram] = Counter()
        self._kinds: Counter[Gram] = Counter()
        for gram, count in self._counts.items():
            self._total[gram[:-1]] += count
            self._kinds[gram[:-1]] += 1
        self._words = max(1, self._kinds[()])

    def _count(self, words: Sequence[str]) -> None:
        line = (_BEGIN, *words, _END)
        for length in range(1, ORDER + 1):
            for at in range(len(line) - length + 1):
                gram = line[at : at + length]
                # Two classes beside each other would be replaced by the product of their members.
                if gram != (_BEGIN,) and sum(word in self._classes for word in gram) < 2:
                    self._counts[gram] += 1

    def probability(self, gram: Gram) -> float:
        """Return P(last word | those before it)."""
        if not gram:
            return 1 / self._words
        history = gram[:-1]
        seen, kinds = self._total[history], self._kinds[history]
        lower = self.probability(gram[1:])
        return (self._counts[gram] + kinds * lower) / (seen + kinds) if seen else lower

    def _back_off(self, gram: Gram) -> float:
        seen, kinds = self._total[gram], self._kinds[gram]
        return kinds / (seen + kinds) if seen else 1.0

    def arpa(self) -> str:
        """Return the model as ARPA text, its classes replaced by their members."""
        by_length: dict[int, list[str]] = defaultdict(list)
        by_length[1].append(_line(1e-99, (_BEGIN,), self._back_off((_BEGIN,))))
        for gram in sorted(self._counts):
            share = 1 / len(self._classes[gram[-1]]) if gram[-1] in self._classes else 1.0
            probability = self.probability(gram) * share
            back_off = None if len(gram) == ORDER or gram[-1] == _END else self._back_off(gram)
            by_length[len(gram)].extend(_line(probability, one, back_off) for one in self._replaced(gram))
        head = [f"ngram {length}={len(by_length[length])}" for length in range(1, ORDER + 1)]
        body = [f"\\{length}-grams:\n" + "\n".join(by_length[length]) + "\n" for length in range(1, ORDER + 1)]
        return "\n".join(["\\data\\", *head, "", *body, "\\end\\", ""])

    def _replaced(self, gram: Gram) -> Iterator[Gram]:
        return product(*(self._classes.get(word, (word,)) for word in gram))


def _line(probability: float, gram: Gram, back_off: float | None) -> str:
    line = f"{math.log10(probability):.5f}\t{' '.join(gram)}"
    return line if back_off is None else f"{line}\t{math.log10(back_off):.5f}"
