"""The shelf: documents of tools, found by words, by character n-grams and by vectors, up to 100,000 of them.

A shelf is a value. It holds segments, each built once; a new tool is a small segment of its own and a removed one a
mark, so that both are searchable at once; small segments are joined when there are many. How rare a word is counts over
all segments together.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from kernel.ranking.late import MOST_DOCUMENTS, Pieces
from kernel.ranking.model import Document, Encode, EncodeTokens, Floats, Places, Question
from kernel.ranking.postings import Postings, bm25_parts, gram_parts, rarity
from kernel.ranking.vectors import Vectors
from kernel.ranking.words import every_term, grams, terms

ALL = 512
"""Up to so many documents, every one is a candidate."""
WANTED = 64
"""Candidates of each kind beyond that."""
EVIDENCE = ("text", "grams", "dense", "sentence", "example", "late", "late_back")
_SEGMENTS = 8
_NONE = np.zeros(0, np.float32)
_COMMON = 0.1  # a window that is in more of a large shelf's documents than this tells nothing


@dataclass(frozen=True, slots=True)
class Found:
    """Candidates with the evidence for each: a column per kind, float32 [candidates]."""

    ids: tuple[str, ...]
    columns: Mapping[str, Floats]


class Segment:
    """Documents with their indexes. Immutable."""

    def __init__(
        self,
        documents: Sequence[Document],
        vectors: Vectors | None,
        pieces: Pieces | None,
        postings: tuple[Postings, Postings] | None = None,
    ) -> None:
        """``postings`` are those of the words and of the n-grams of these documents, where they are there already."""
        self.documents = tuple(documents)
        self.places = {one.id: place for place, one in enumerate(self.documents)}
        self.words, self.grams = postings or _postings(self.documents)
        self.vectors = vectors
        self.pieces = pieces

    @property
    def size_bytes(self) -> int:
        """What the arrays hold; the documents themselves and the words are not counted."""
        return sum(one.size_bytes for one in (self.words, self.grams, self.vectors, self.pieces) if one is not None)


@dataclass(frozen=True)
class Shelf:
    """Documents that can be searched. Made by ``shelf_of``; ``alive`` marks the documents of each segment."""

    segments: tuple[Segment, ...] = ()
    alive: tuple[npt.NDArray[np.bool_], ...] = ()
    encode: Encode | None = None
    encode_tokens: EncodeTokens | None = None

    def __len__(self) -> int:
        return int(sum(int(mask.sum()) for mask in self.alive))

    @property
    def size_bytes(self) -> int:
        """What the arrays hold."""
        return sum(segment.size_bytes for segment in self.segments)

    def documents(self) -> Iterable[Document]:
        """Yield every document."""
        for segment, mask in zip(self.segments, self.alive, strict=True):
            yield from (segment.documents[place] for place in np.flatnonzero(mask))

    def with_documents(self, documents: Sequence[Document]) -> Shelf:
        """Return a shelf with ``documents`` too; one of a known id takes the place of the earlier."""
        latest = list({one.id: one for one in documents}.values())
        kept = self.without([one.id for one in latest])
        if not latest:
            return kept
        segment = self._segment(latest)
        full = np.ones(len(latest), np.bool_)
        grown = replace(kept, segments=(*kept.segments, segment), alive=(*kept.alive, full))
        return grown._joined() if len(grown.segments) > _SEGMENTS else grown

    def without(self, ids: Iterable[str]) -> Shelf:
        """Return a shelf without the documents of ``ids``; ids that it has not are ignored."""
        gone = set(ids)
        masks = []
        for segment, mask in zip(self.segments, self.alive, strict=True):
            places = [segment.places[one] for one in gone if one in segment.places]
            if places:
                mask = mask.copy()  # noqa: PLW2901
                mask[places] = False
            masks.append(mask)
        return replace(self, alive=tuple(masks))

    def _segment(self, documents: Sequence[Document]) -> Segment:
        vectors = pieces = None
        if self.encode is not None:
            vectors = encoded(documents, self.encode)
        if self.encode_tokens is not None and len(self) + len(documents) <= MOST_DOCUMENTS:
            read = self.encode_tokens([one.text for one in documents])
            earlier = self.segments[-1].pieces if self.segments else None
            pieces = Pieces([one[1:] for one in read], earlier.seen if earlier else None)
        return Segment(documents, vectors, pieces)

    def _joined(self) -> Shelf:
        """The first segment as it is, and all later ones as one; their texts are encoded again."""
        rest = Shelf(self.segments[1:], self.alive[1:])
        first = replace(self, segments=self.segments[:1], alive=self.alive[:1])
        return first.with_documents(list(rest.documents()))

    def with_vectors(self, encode: Encode, said: Encode | None = None) -> Shelf:
        """Return this shelf with vectors of what its documents say; words and n-grams are not counted again.

        ``said`` returns the vectors of these, where they are kept; questions, and what comes later, go by ``encode``.
        """
        segments = tuple(
            Segment(one.documents, encoded(one.documents, said or encode), one.pieces, (one.words, one.grams))
            for one in self.segments
        )
        return replace(self, segments=segments, encode=encode)

    # --- searching ------------------------------------------------------------------------------------------------

    def look(self, question: Question, also: Iterable[str] = ()) -> Found:
        """Return candidates: the best by words, by n-grams and by vectors together, and the documents ``also``."""
        words = terms(question.text) if question.words is None else every_term(" ".join(question.words))
        said = self._weighed(words, "words")
        windows = self._weighed(grams(question.text), "grams")
        everybody = len(self) <= ALL
        also = set(also)
        ids: list[str] = []
        columns: dict[str, list[Floats]] = {name: [_NONE] for name in EVIDENCE}
        for segment, mask in zip(self.segments, self.alive, strict=True):
            text, shared = segment.words.scores(said), segment.grams.scores(windows)
            places = np.flatnonzero(mask) if everybody else self._candidates(segment, mask, text, shared, question)
            if also and not everybody:
                wanted = [segment.places[one] for one in also if one in segment.places and mask[segment.places[one]]]
                places = np.union1d(places, np.array(wanted, np.intp)).astype(np.intp)
            ids += [segment.documents[place].id for place in places]
            evidence = {"text": text[places], "grams": shared[places], **_meant(segment, places, question)}
            for name, values in evidence.items():
                columns[name].append(values)
        return Found(tuple(ids), {name: np.concatenate(parts) for name, parts in columns.items()})

    def _weighed(self, found: Iterable[str], kind: str) -> dict[str, float]:
        """Each term with its rarity over all segments; n-grams that are everywhere in a large shelf are left out."""
        size = sum(len(segment.documents) for segment in self.segments)
        weighed = {}
        for term in set(found):
            count = sum(getattr(segment, kind).count(term) for segment in self.segments)
            if count and (kind == "words" or size <= ALL or count <= _COMMON * size):
                weighed[term] = rarity(count, size)
        return weighed

    def _candidates(
        self, segment: Segment, mask: npt.NDArray[np.bool_], text: Floats, shared: Floats, question: Question
    ) -> Places:
        near = np.zeros(0, np.intp)
        if segment.vectors is not None and question.vector is not None:
            near = segment.vectors.nearest(question.vector, WANTED)
        found = np.union1d(np.union1d(_top(text), _top(shared)), near).astype(np.intp)
        return found[mask[found]]


def shelf_of(
    documents: Iterable[Document], encode: Encode | None = None, encode_tokens: EncodeTokens | None = None
) -> Shelf:
    """Return a shelf of ``documents``; without ``encode`` it is searched by words alone."""
    return Shelf(encode=encode, encode_tokens=encode_tokens).with_documents(list(documents))


def shelf_kept(documents: Sequence[Document], postings: tuple[Postings, Postings]) -> Shelf:
    """Return a shelf whose words and n-grams were counted already (``Segment.words``, ``Segment.grams``)."""
    return Shelf((Segment(documents, None, None, postings),), (np.ones(len(documents), np.bool_),))


def shelf_with(documents: Sequence[Document], vectors: Vectors, encode: Encode) -> Shelf:
    """Return a shelf whose vectors are there already (``encoded`` made them)."""
    return Shelf((Segment(documents, vectors, None),), (np.ones(len(documents), np.bool_),), encode)


def encoded(documents: Sequence[Document], encode: Encode) -> Vectors:
    """Encode the whole, the sentences and the examples of every document."""
    texts: list[str] = []
    counts, examples = [], []
    for one in documents:
        own = texts_of(one)
        texts += own
        counts.append(len(own))
        examples.append(len(one.examples))
    return Vectors(encode(texts), counts, examples)


def texts_of(one: Document) -> list[str]:
    """Return what is encoded of a document, in the order of its vectors."""
    return [one.text, *one.sentences, *one.examples]


def _postings(documents: Sequence[Document]) -> tuple[Postings, Postings]:
    words = Postings((every_term(_words_of(one)) for one in documents), bm25_parts)
    return words, Postings((sorted(grams(_named(one))) for one in documents), gram_parts)


def _meant(segment: Segment, places: Places, question: Question) -> dict[str, Floats]:
    zero = np.zeros(len(places), np.float32)
    found = {"dense": zero, "sentence": zero, "example": zero, "late": zero, "late_back": zero}
    if segment.vectors is not None and question.vector is not None:
        names = ("dense", "sentence", "example")
        found |= dict(zip(names, segment.vectors.cosines(places, question.vector), strict=True))
    if segment.pieces is not None and question.tokens is not None:
        found |= dict(zip(("late", "late_back"), segment.pieces.scores(places, question.tokens), strict=True))
    return found


def _top(scores: Floats) -> Places:
    """The places of the highest scores above 0, at most WANTED."""
    found = np.flatnonzero(scores > 0)
    if len(found) <= WANTED:
        return found
    own = scores[found]
    return found[np.argpartition(own, len(own) - WANTED)[len(own) - WANTED :]]


def _words_of(one: Document) -> str:
    return " ".join([one.title, *one.sentences, *one.parameters, one.around, *one.examples])


def _named(one: Document) -> str:
    return " ".join([one.title, *one.sentences, *one.examples])
