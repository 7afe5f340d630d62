"""A name for a habit, out of the content words of the requests that it was last seen in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kernel.language import tokenize
from kernel.language.function_words import is_function_word

_OF_EACH, _MOST = 2, 4
_MORE = {"en": "my", "de": "mein"}


def proposals(requests: Sequence[str], tools: Sequence[str], language: str) -> Iterator[str]:
    """Yield names, the best first: the next one is for where the one before means something already."""
    words: list[str] = []
    for request in requests:
        told = [token.text for token in tokenize(request, language) if _tells(token.text, token.norm)]
        words += [one for one in dict.fromkeys(told) if one not in words][-_OF_EACH:]
    words = words or list(dict.fromkeys(tool.partition(".")[0] for tool in tools))
    name = " ".join(words[:_MOST])
    yield name
    yield f"{_MORE[language]} {name}"
    yield from (f"{name} {number}" for number in range(2, 20))


def _tells(text: str, norm: str) -> bool:
    return text.isalpha() and len(text) > 1 and not is_function_word(norm)
