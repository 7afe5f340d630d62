"""The verb of a clause beside a name: "what did Tom *want*", "was *sagt* Jonas", "wie viel Umsatz *steht* in …".

A name that is cut out of a sentence stands right beside its verb, and nothing between them says where it ends. These
verbs are of nobody's name, of no column and of nothing that is looked for; what is asked is no more than what somebody
said or what stands somewhere. Any other word may be a name, and stays.
"""

from __future__ import annotations

_DO = frozenset("do does did didn't doesn't".split())
_ASKED = frozenset("what was why warum when wann".split())
_BARE = frozenset("say write want mean ask tell answer reply suggest propose think offer need".split())
_SAYS = frozenset("says writes wants means asks tells answers replies suggests proposes thinks offers needs".split())
_STANDS = frozenset("stands costs comes".split())
_OPENS = frozenset(
    "sagt sagte schreibt schrieb will wollte möchte meint meinte fragt fragte antwortet antwortete schlägt".split()
)
_STEHT = frozenset("steht stehen stand standen liegt kommt kommen".split())
"""Behind what they tell of: "wie viel Umsatz steht in …"."""

_ENTERED = frozenset(
    "eingetragen verbucht gebucht vermerkt erfasst verzeichnet aufgeführt ausgegeben eingenommen verdient umgesetzt "
    "gekauft verkauft bestellt gemacht".split()
)
"""What is told of the rows of a table."""
_HELPS = frozenset("ist sind war waren hat habe haben hatte hatten wird wurde wurden".split())


def name_within(norms: tuple[str, ...], start: int, end: int, language: str) -> tuple[int, int]:
    """Return what of [start, end), words of a clause in small letters, is left without the verb at its edge."""
    if end - start < 2:
        return start, end
    if language == "de":
        return start + _opens(norms, start), end - (norms[end - 1] in _STEHT or _closes(norms, start, end))
    return start, end - _ends(norms, start, end)


def _opens(norms: tuple[str, ...], start: int) -> bool:
    """ "Was sagt Jonas": right behind the word that asks."""
    return start > 0 and norms[start] in _OPENS and norms[start - 1] in _ASKED


def _closes(norms: tuple[str, ...], start: int, end: int) -> bool:
    """ "Wie viel ist für die Region Nord eingetragen", "was haben wir bei Rewe ausgegeben"."""
    return norms[end - 1] in _ENTERED and not _HELPS.isdisjoint(norms[:start])


def _ends(norms: tuple[str, ...], start: int, end: int) -> bool:
    """ "What did Tom want", "what Tom wants", "how much revenue stands"."""
    last, before = norms[end - 1], norms[:start]
    asked = any(one in _ASKED for one in before)
    return (last in _BARE and any(one in _DO for one in before)) or (last in _SAYS and asked) or last in _STANDS
