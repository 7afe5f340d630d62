"""Tools without examples: found, read and filled by their name, their description and their parameters alone.

``Untaught`` holds what their schemas say; ``Untaught.read`` reads a stretch of words as a call of one of them, as a
``Step`` like any other, so that results are passed on, questions asked and plans judged in the usual way.

Promises: values come from the words of the sentence, never from a description; every content word is a word of the
tool's own schema or of a value, or the step says which is not. Never: takes a request from a tool with examples that
fits (``kernel.plan`` asks these tools second, unless the person names one), reads a clock, opens an index.
"""

from __future__ import annotations

from kernel.composition.schemas.reading import LEAST_COST
from kernel.composition.schemas.untaught import Untaught

__all__ = ["LEAST_COST", "Untaught"]
