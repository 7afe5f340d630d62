"""Finding a skill by words: every installed one, with tools or with instructions alone, on a shelf of their texts.

The shelf is the one that requests go through (``kernel.ranking``, decision 19); how much its columns count is not: a
skill is known by a longer text than a tool, and words say most (``make bench-skills``). Pure but for reading the
instructions of a skill: how texts are encoded is handed in.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import numpy.typing as npt

from kernel.ranking import Document, Question, relative, shelf_of
from kernel.ranking.documents import sentences
from kernel.ranking.model import Encode, Floats
from kernel.ranking.words import every_term, split_name, terms
from skills.errors import BadSkill
from skills.model import Skill
from skills.packages import read_instructions

MOST = 10
FITS, FEWEST = 0.5, 2
"""A skill of instructions fits a request where it has so large a share of its content words, and so many at least."""
NEAR, ALIKE = 0.4, 0.9
"""From which cosine on a skill bears on words that it does not use, and from which share of the best in n-grams."""
MEANING, SPELLING = 0.3, 0.3
"""What the cosine and the n-grams count beside the words (1)."""
_READ = 4000
"""So many characters of the instructions below the front matter are searched, too."""


def document_of_skill(skill: Skill) -> Document:
    """Return what a skill says of itself, in the form that the shelf searches."""
    summaries = tuple(tool.summary for tool in skill.tools)
    examples = tuple(example.text for tool in skill.tools for example in tool.examples[:3])
    said = tuple(text for texts in skill.says.values() for text in texts.values())
    title = skill.id if skill.title == skill.id else f"{skill.id} {skill.title}"
    own = (*sentences(skill.description), *summaries)
    return Document(skill.id, split_name(title), own, said, _body(skill), examples)


def _body(skill: Skill) -> str:
    try:
        return read_instructions(Path(skill.folder)).body[:_READ]
    except BadSkill:
        return ""


class Finder:
    """Documents of skills, searched. Immutable; ``encode`` adds what they mean, a vector each."""

    def __init__(self, documents: Iterable[Document], encode: Encode | None) -> None:
        self._shelf = shelf_of(documents)
        every = list(self._shelf.documents())
        self._encode = encode if every else None
        self._vectors = dict(zip([one.id for one in every], encode([one.text for one in every]), strict=True)
                             if encode and every else ())  # fmt: skip

    def ranked(self, words: str, limit: int = MOST) -> list[str]:
        """Return the ids of what fits ``words``, best first; what has nothing to do with them is left out."""
        ids, scores, bears = self.scores(words)
        best = sorted(range(len(ids)), key=lambda at: (-scores[at], ids[at]))
        return [ids[at] for at in best if bears[at]][:limit]

    def scores(self, words: str) -> tuple[tuple[str, ...], Floats, npt.NDArray[np.bool_]]:
        """Return every id, how well it fits ``words``, and whether it has anything to do with them."""
        found = self._shelf.look(Question(words))
        text, spelling = found.columns["text"], relative(found.columns["grams"])
        meaning = self._meant(found.ids, words)
        scores: Floats = relative(text) + MEANING * meaning + SPELLING * spelling
        return found.ids, scores, (text > 0) | (meaning >= NEAR) | (spelling >= ALIKE)

    def _meant(self, ids: Iterable[str], words: str) -> Floats:
        if self._encode is None:
            return np.zeros(len(tuple(ids)), np.float32)
        rows = np.array([self._vectors[one] for one in ids], np.float32)
        cosines: Floats = rows @ self._encode([words])[0]
        return cosines


def fitting(skills: Iterable[Skill], text: str) -> Skill | None:
    """Return the skill of instructions alone that a request is about by its words, None where none is clearly."""
    wanted = set(terms(text))
    shares = [(len(wanted & _words(one)), one.id, one) for one in skills if not one.tools]
    shared, _, best = max(shares, key=lambda one: one[:2], default=(0, "", None))
    return best if shared >= max(FEWEST, FITS * len(wanted)) else None


def _words(skill: Skill) -> set[str]:
    return set(every_term(f"{split_name(skill.id)} {skill.title} {skill.description}"))
