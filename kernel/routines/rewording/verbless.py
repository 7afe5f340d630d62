"""Where a thing is to go, said without a verb of doing: "ab damit nach Music", "straight into Music with it".

Of what comes, "it goes to Music" and "dann kommt sie nach Music" are wishes as well: it is to be moved there. What
hangs on a mail is no file yet: put, moved or filed somewhere, it is saved there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from kernel.dispatching.standing_in import MARK

_IT = rf"(?:damit|es|sie|ihn|er|it|this|that|them|das|\S*{MARK}\S*)"
_TO_EN, _TO_DE = r"(?:to|in|into|onto|under)", r"(?:nach|in|ins|zu|zum|zur|auf|unter)"
_LEAD = r"(?P<lead>^|,? (?:and|und|then|dann) |, |^(?:then|dann|please|bitte) )"
_PLACE = r"(?P<to>{to} (?:(?! (?:and|und|then|dann|mit|with) )[^,])+?)"
_END = r"(?=$|[,.;]| (?:and|und|then|dann) )"
_SOON_EN, _SOON_DE = (
    r"(?:(?:straight|right|directly|immediately) )?",
    r"(?:(?:gleich|sofort|direkt|bitte|mal|schnell) )*",
)
_OFF_DE = r"(?:ab|rüber|rein|hinein|hoch|fort|weg|husch)"
_THERE_DE = r"(?: (?:kommen|wandern|gehen|rein|hinein|hin|verschoben werden))?"


def _forms(to: str, *forms: str) -> tuple[re.Pattern[str], ...]:
    place = _PLACE.format(to=to)
    return tuple(re.compile(f"{_LEAD}{form.replace('<to>', place)}{_END}", re.IGNORECASE) for form in forms)


_TO: Mapping[str, tuple[re.Pattern[str], ...]] = {
    "en": _forms(
        _TO_EN,
        rf"(?:off|over|away|straight|on) (?:{_IT} (?:goes|with)|with {_IT}|{_IT}) {_SOON_EN}<to>",
        rf"(?:off |over |away |straight )?<to> (?:with {_IT}|{_IT} goes)",
        rf"(?P<it>{_IT}) (?:goes|belongs|should go|ought to go|has to go|needs to go|is to go) {_SOON_EN}<to>",
    ),
    "de": _forms(
        _TO_DE,
        rf"{_SOON_DE}{_OFF_DE} {_IT} {_SOON_DE}<to>",
        rf"{_SOON_DE}{_IT} {_OFF_DE} <to>",
        rf"{_SOON_DE}{_OFF_DE} <to> damit",
        rf"(?:kommt|gehört|soll|wandert|geht|muss) (?P<it>{_IT}) {_SOON_DE}<to>{_THERE_DE}",
        rf"(?P<it>{_IT}) (?:kommt|gehört|soll|wandert|geht|muss) {_SOON_DE}<to>{_THERE_DE}",
    ),
}
_MOVE = {"en": "move {it} {to}", "de": "verschieb {it} {to}"}
_HUNG = {
    "en": (
        re.compile(
            r"\b(?:put|move|copy|file|drop|store|keep|place|stick|download) "
            r"(?P<it>(?:the|its|any|all|all the) (?:\w+ )?attach(?:ment|ments|ed files?))(?: away)? "
            r"(?:in|into|to|under|at) ",
            re.IGNORECASE,
        ),
        "save {it} to ",
    ),
    "de": (
        re.compile(
            r"\b(?:leg|tu|pack|verschieb|kopier|sicher|steck|schieb|heft|zieh|stell|lad)e? (?:mir |ma |bitte )*"
            r"(?P<it>(?:den|die|ihren|ihre|alle|das|der) (?:\w+-)?anh[aä]nge?) "
            r"(?P<to>(?:in|nach|unter|im|zu) \S+?)"
            r"(?: (?:ab|rein|hinein|herunter|runter|weg))?(?=$|[,.;]| (?:und|dann) )",
            re.IGNORECASE,
        ),
        "speicher {it} {to}",
    ),
}
_PLAIN_IT = {"en": "it", "de": "es"}


def with_verb(said: str, language: str) -> str:
    """Return ``said`` with the verb of moving where it says where the thing is to go and has none."""

    def moved(found: re.Match[str]) -> str:
        named = found.groupdict().get("it") or ""
        it = named if MARK in named else _PLAIN_IT[language]
        return f"{found['lead']}{_MOVE[language].format(it=it, to=found['to'])}"

    if language in _HUNG:
        hung, saved = _HUNG[language]
        said = hung.sub(lambda found: saved.format(**found.groupdict()), said)
    for form in _TO.get(language, ()):
        said = form.sub(moved, said)
    return said
