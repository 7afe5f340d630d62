"""A review in lines for a person, in English and in German."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kernel.reviewing.model import REQUEST, Doubt, Finding, Review, Verdict
from permissions.naming import shown

MOST_LINES = 6
"""So many claims are named; how many there are is always said."""

_WORDS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "head": "The model {name} looked at {total} statements: {supported} supported by what was found, "
                "{unsupported} not supported, {unclear} it cannot tell.",
        "unread": "{count} further statements were not looked at.",
        "request": "that it is what you asked for",
        "claim": "“{text}”",
        "not supported": "Not supported: {what}",
        "cannot tell": "Cannot tell: {what}{why}",
        "more": "… and {count} more",
        "none": " (it named no evidence)",
        "unknown": " (it named evidence that there is not)",
        "absent": " (the evidence has no {lacking})",
        "twice": " (it said two things about it)",
        "silent": " (it said nothing about it)",
        "same": "It is of the same family as the model whose work this is ({family}); the two may err alike.",
        "kin.unknown": "Whether it is of another family than the model whose work this is was not said: "
                       "./steward models set NAME --family FAMILY",
        "failed": "Nobody reviewed this: {why}",
        "private": "a private request goes to no model on another machine.",
        "useless": "the answer of the model {name} is of no form.",
        "back": "It was sent back for this and is planned anew; nothing of the first result was changed.",
    },
    "de": {
        "head": "Das Modell {name} hat {total} Aussagen geprüft: {supported} sind durch das Gefundene belegt, "
                "{unsupported} nicht belegt, bei {unclear} kann es das nicht sagen.",
        "unread": "{count} weitere Aussagen wurden nicht geprüft.",
        "request": "dass es das ist, was du wolltest",
        "claim": "„{text}“",
        "not supported": "Nicht belegt: {what}",
        "cannot tell": "Nicht zu sagen: {what}{why}",
        "more": "… und {count} weitere",
        "none": " (es nannte keinen Beleg)",
        "unknown": " (es nannte einen Beleg, den es nicht gibt)",
        "absent": " (im Beleg steht nicht: {lacking})",
        "twice": " (es sagte zweierlei dazu)",
        "silent": " (es sagte nichts dazu)",
        "same": "Es ist von derselben Familie wie das Modell, dessen Arbeit das ist ({family}); beide können "
                "sich gleich irren.",
        "kin.unknown": "Ob es von einer anderen Familie ist als das Modell, dessen Arbeit das ist, wurde nicht gesagt: "
                       "./steward models set NAME --family FAMILIE",
        "failed": "Das hat niemand geprüft: {why}",
        "private": "Private Anfragen gehen an kein Modell auf einem anderen Rechner.",
        "useless": "Die Antwort des Modells {name} hat keine Form.",
        "back": "Deshalb wurde es zurückgeschickt und wird neu geplant; vom ersten Ergebnis wurde nichts geändert.",
    },
}  # fmt: skip


def say(language: str, key: str, **values: object) -> str:
    """Return a sentence in ``language``."""
    return _WORDS.get(language, _WORDS["en"])[key].format_map(values)


def lines_of(review: Review, language: str, *, back: bool = False) -> list[str]:
    """Return what a person is told of a review; ``back``: the result was sent back for it."""
    if review.failed:
        return [say(language, "failed", why=review.failed)]
    counts = {verdict.name.lower(): review.count(verdict) for verdict in Verdict}
    found = [say(language, "head", name=review.endpoint, total=len(review.findings), **counts)]
    found += _each(review, language)
    if review.unread:
        found.append(say(language, "unread", count=review.unread))
    if review.kinship == "same":
        found.append(say(language, "same", family=review.family or review.endpoint))
    elif review.kinship == "unknown":
        found.append(say(language, "kin.unknown"))
    return [*found, say(language, "back")] if back else found


def _each(review: Review, language: str) -> Iterator[str]:
    """Name the claims that are not supported first, then those of which it cannot tell."""
    open_ones = [one for one in review.findings if one.verdict is Verdict.UNSUPPORTED]
    open_ones += [one for one in review.findings if one.verdict is Verdict.UNCLEAR]
    for one in open_ones[:MOST_LINES]:
        yield say(language, str(one.verdict), what=_what(one, language), why=_why(one, language))
    if len(open_ones) > MOST_LINES:
        yield say(language, "more", count=len(open_ones) - MOST_LINES)


def _what(one: Finding, language: str) -> str:
    if one.claim.number == REQUEST:
        return say(language, "request")
    return say(language, "claim", text=shown(one.claim.text))


def _why(one: Finding, language: str) -> str:
    match one.doubt:
        case None:
            return ""
        case Doubt():
            return say(language, str(one.doubt), lacking=shown(", ".join(one.lacking)))
