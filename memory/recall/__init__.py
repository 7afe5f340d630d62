"""Recall: past turns and known facts that bear on a question, with the reasons in numbers.

Words (BM25 over stems), directions (a vector store), what was said just before and after, the session around it, the
names and times of the question, and the graph of who is connected with whom, weighed together (decision 21).

Promises: no model is asked; what a filter or a label shuts out is not found and draws nothing along; what is forgotten
is in no file; everything here may be thrown away and is told again from the ledger.
Never: reads a label, widens a right, learns a fact from what it found, or imports numpy before it is opened.
"""

from __future__ import annotations

from memory.recall.model import Hit, Question, Turn
from memory.recall.recall import Recall

__all__ = ["Hit", "Question", "Recall", "Turn"]
