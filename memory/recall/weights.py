"""What each feature counts: learned once, from questions about conversations, and the same for everybody.

Fitted on conversations 1-5 of LoCoMo (Maharana et al. 2024) as a listwise softmax over the turns of a conversation;
``graph`` and ``time`` have no training data and are set by hand (decision 21).
"""

from __future__ import annotations

import numpy as np

from memory.recall.features import NAMES

WEIGHTS = {
    "words": 1.75, "meaning": 1.91, "around_words": 2.73, "around_meaning": 1.83, "before": -0.97, "after": -0.43,
    "further": 2.07, "session": 5.09, "session_mean": 0.97, "speaker": 0.63, "length": 6.03, "asks": -0.71,
    "answers": 2.51, "graph": 3.0, "time": 2.0,
}  # fmt: skip
"""``before`` and ``after`` take back a part of what ``around`` has given."""

VECTOR = np.array([WEIGHTS[name] for name in NAMES], dtype=np.float32)
