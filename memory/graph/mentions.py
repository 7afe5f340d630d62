"""Whether a text mentions somebody: what every store that forgets asks of what it keeps. A door of its own."""

from __future__ import annotations

from collections.abc import Collection

from memory.graph.names import folded, holds, is_telling


class Mentions:
    """Tells whether a text holds one of some names: as whole words, in any case, also with the s of a genitive."""

    def __init__(self, words: Collection[str]) -> None:
        forms = {form for word in words for form in folded(word) if is_telling(form)}
        self._forms = forms | {f"{form}s" for form in forms if not form.endswith("s")}
        self._first = {form.split()[0] for form in self._forms}

    def may_be_in(self, text: str) -> bool:
        """Whether ``text`` (of any form, such as JSON) may hold one: a look that is cheap and never says no wrongly."""
        if not text.isascii():
            return any(first in said for said in folded(text) for first in self._first)
        low = text.lower()
        return any(first in low for first in self._first)

    def in_text(self, text: str) -> bool:
        """Whether ``text`` holds one."""
        if not self._forms or (text.isascii() and not any(first in text.lower() for first in self._first)):
            return False
        return any(holds(said, form) for said in folded(text) for form in self._forms)
