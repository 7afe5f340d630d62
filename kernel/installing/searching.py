"""Finding a skill by words: every installed one, with tools or with instructions alone, on a shelf of their texts.

The shelf and the ranking are those that requests go through (``kernel.ranking``, decision 19): words, n-grams and,
where the encoder is warm, meaning. Pure: what is searched and how texts are encoded is handed in.
"""

from __future__ import annotations

from collections.abc import Iterable

from kernel.ranking import Document, Ranker, question_of, shelf_of
from kernel.ranking.documents import sentences
from kernel.ranking.model import Encode, Ranked
from kernel.ranking.ranker import COSINE
from kernel.ranking.words import every_term, split_name, terms
from skills.model import Skill

MOST = 10
FITS, FEWEST = 0.5, 2
"""A skill of instructions fits a request where it has so large a share of its content words, and so many at least."""
NEAR, ALIKE = 0.4, 0.9
"""From which cosine on a skill bears on words that it does not use, and from which share of the best in n-grams."""


def document_of_skill(skill: Skill) -> Document:
    """Return what a skill says of itself, in the form that the shelf searches."""
    summaries = tuple(tool.summary for tool in skill.tools)
    examples = tuple(example.text for tool in skill.tools for example in tool.examples[:3])
    said = tuple(text for texts in skill.says.values() for text in texts.values())
    title = skill.id if skill.title == skill.id else f"{skill.id} {skill.title}"
    return Document(skill.id, split_name(title), (*sentences(skill.description), *summaries), said, "", examples)


def ranker_of(documents: Iterable[Document], encode: Encode | None) -> Ranker:
    """Return what ranks ``documents`` for a few words."""
    return Ranker(shelf_of(documents, encode))


def ranked(ranker: Ranker, words: str, encode: Encode | None, limit: int = MOST) -> list[str]:
    """Return the ids of what fits ``words``, best first; what has nothing to do with them is left out."""
    found = ranker.rank(question_of(words, encode), limit=limit)
    return [one.id for one in found if _bears_on(one)]


def _bears_on(found: Ranked) -> bool:
    """Whether it shares a word, is near in meaning, or is the nearest of all in spelling."""
    said = found.reasons.get
    return said("text", 0.0) > 0.0 or said(COSINE, 0.0) >= NEAR or said("grams", 0.0) >= ALIKE


def fitting(skills: Iterable[Skill], text: str) -> Skill | None:
    """Return the skill of instructions alone that a request is about by its words, None where none is clearly."""
    wanted = set(terms(text))
    shares = [(len(wanted & _words(one)), one.id, one) for one in skills if not one.tools]
    shared, _, best = max(shares, key=lambda one: one[:2], default=(0, "", None))
    return best if shared >= max(FEWEST, FITS * len(wanted)) else None


def _words(skill: Skill) -> set[str]:
    return set(every_term(f"{split_name(skill.id)} {skill.title} {skill.description}"))
