"""One more of the kind that a rule waits for, said without its noun: "leg gleich noch eine an", "add another one"."""

from __future__ import annotations

import re

_ENDS = r"(?= ?(?:[,.:]|$)| (?:an|dazu|hinzu|mit|auf|ein|für|that|saying|to|with|for|which|in|called)\b)"
_ANOTHER = {
    "en": re.compile(rf"\b(?:(?P<one>another|one more)|(?:a second|a further))(?: one)?{_ENDS}", re.IGNORECASE),
    "de": re.compile(
        rf"\b(?:noch (?P<one>ein(?:e[nrs]?|s)|ane|oane|a)(?: (?:weitere|zweite)[nrs]?)?|"
        rf"(?P<other>eine?) (?:weitere|zweite)[nrs]?){_ENDS}",
        re.IGNORECASE,
    ),
}
_ARTICLES = {"eins": "ein", "eines": "ein", "ane": "eine", "oane": "eine", "a": "eine"}


def adds_another(said: str, language: str) -> bool:
    """Tell whether a request adds one more of what it does not name."""
    return _form(language).search(said) is not None


def with_its_noun(said: str, thing: str, language: str) -> str:
    """Return a request with ``thing`` ("a task") where it wants one more and does not say of what."""
    if language != "de":
        return _form(language).sub(thing, said)
    noun = thing.split(maxsplit=1)[-1]

    def one(found: re.Match[str]) -> str:
        article = (found["one"] or found["other"]).casefold()
        return f"{_ARTICLES.get(article, article)} {noun}"

    return _form(language).sub(one, said)


def _form(language: str) -> re.Pattern[str]:
    return _ANOTHER.get(language, _ANOTHER["en"])
