"""What each feature counts: learned once, from questions about conversations, and the same for everybody.

Fitted on conversations 1-5 of LoCoMo (Maharana et al. 2024) as a listwise softmax over the turns of a conversation;
``graph`` and ``time`` have no training data and are set by hand (decision 21).
"""

from __future__ import annotations

import numpy as np

from memory.recall.features import NAMES

WEIGHTS = {
    "words": 1.0, "meaning": 1.0, "both": 0.0, "before": 0.4, "after": 0.4, "further": 0.0, "session": 0.0,
    "session_mean": 0.0, "speaker": 0.0, "echo_words": 0.0, "echo_meaning": 0.0, "around_words": 0.0,
    "around_meaning": 0.0, "graph": 0.5, "time": 0.5,
}  # fmt: skip

VECTOR = np.array([WEIGHTS[name] for name in NAMES], dtype=np.float32)
