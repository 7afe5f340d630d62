"""How patterns over the words of a sentence are put together: every word ends in one space, marks are words too."""

from __future__ import annotations


def any_of(*parts: str) -> str:
    """One of the patterns."""
    return "(?:" + "|".join(part.strip() for part in parts) + ")"


def words_in(text: str) -> str:
    """One of the words of ``text``."""
    return "(?:" + "|".join(text.split()) + ") "


def maybe(part: str) -> str:
    """The pattern or nothing."""
    return f"(?:{part})?"


MARK = r"[,.;:!?…–—-]+ "
COMMA = "(?:, )?"
WH = (
    "(?=(?:(?:by|in|on|at|to|for|from|of|until|with) )?(?:which|what|who|whom|whose|when|where|why|how|what's|"
    "who's|where's|"
    "how's|if|whether|welche[nrsm]?|was|wer|wen|wem|wann|wo|woher|wohin|warum|wieso|wie|wieviele?|ob|(?:in|bis|"
    "von|zu|mit|für|an|auf|aus) we[nrlm]\\w*) )"
)
