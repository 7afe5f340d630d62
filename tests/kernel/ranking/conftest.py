"""A small shelf of tools that exist nowhere, and an encoder that knows a few subjects."""

from __future__ import annotations

import numpy as np
import pytest

from kernel.ranking import Document
from kernel.ranking.documents import document_from
from kernel.ranking.model import Floats

SUBJECTS = ("weather rain forecast umbrella", "car drive vehicle motor", "music song play tune", "paper research arxiv")


def by_subject(texts: list[str]) -> Floats:
    """A text's share of each subject's words, and a little of its length, as a unit vector."""
    rows = np.array([[sum(word in text.casefold() for word in one.split()) for one in SUBJECTS] for text in texts])
    wide = np.column_stack([rows, np.full(len(texts), 0.1)]).astype(np.float32)
    found: Floats = wide / np.linalg.norm(wide, axis=1, keepdims=True)
    return found


@pytest.fixture
def documents() -> list[Document]:
    return [
        document_from(
            "sky", "getWeather", "Tells the forecast for a place. Knows rain.", parameters={"place": "a town"}
        ),
        document_from("cars", "find_vehicle", "Searches every dealer for a car to drive."),
        document_from("songs", "playSong", "Plays music by its name."),
        document_from("papers", "ResearchFinder", "Finds papers on arxiv."),
    ]
