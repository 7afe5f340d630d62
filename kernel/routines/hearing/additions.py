"""What is added through Steward: "a task is added", "ein Termin dazukommt", "bei jedem neuen Kontakt".

Which kinds of things there are, and what a person says for one, the tools that add them say (``Tool.adds``). What is
said of one beyond that ("a task with high priority") leaves the clause unread.
"""

from __future__ import annotations

import re
from functools import lru_cache

from kernel.language import Lexicon
from kernel.routines.hearing.reading import Clause, Reading
from kernel.routines.model import Added

_ONE = (
    r"(?:(?:a|an|any|some|another|one|the|new|my|further|more|ein|eine|einen|einer|eines|ane|oane|irgendeine?n?|"
    r"noch|neue|neuer|neuen|neues|weitere[rsn]?|der|die|das|den|mir|ma|wieder|mal|meine?|meinen) )*"
)
_ADDED_EN = r"(?:added|created|made|entered|set up|written|noted|put|saved)(?: down| up| in)?"
_ADD_EN = r"(?:add|create|make|enter|set up|write|note|put|save)(?:e?s)?(?: down| up| in)?"
_STEMS_DE = {
    "hinzu": "füg", "an": "leg", "ein": "trag", "auf": "schreib|nehm", "": "erstell|mach|notier|speicher|schreib|setz",
}  # fmt: skip
_ACTS_DE = "|".join(f"{led}(?:{stems})(?:e|st|en|t)?" for led, stems in _STEMS_DE.items()) + "|einträgst|aufnimmst"
_ADDED_DE = (
    r"(?:hinzugefügt|angelegt|eingetragen|erstellt|gemacht|aufgeschrieben|aufgenommen|notiert|gespeichert|geschrieben|"
    r"gesetzt|dazugekommen|hinzugekommen)"
)
_IS_DE = r"(?:wird|wurde|worden ist|ist|is)"
_FORMS = (
    rf"{_ONE}{{thing}}{{place}} (?:is|gets|was|has been|is being)(?: newly| just)? {_ADDED_EN}{{place}}",
    rf"{_ONE}{{thing}}{{place}} (?:comes|turns|shows|crops) (?:in|up|along)",
    rf"{_ONE}{{thing}} (?:appears|is new)",
    r"there (?:is|'s) (?:a|another|one more) (?:new )?{thing}{place}",
    rf"(?:i|you|we|steward|somebody|someone)(?: have| has| 've)?(?: just)? (?:{_ADD_EN}|{_ADDED_EN}) "
    rf"{_ONE}{{thing}}{{place}}",
    rf"(?:bei mir |mir )?{_ONE}{{thing}}{{place}} (?:(?:neu )?(?:da)?zu ?kommt|hinzu ?kommt|entsteht|neu ist|"
    rf"(?:neu )?{_ADDED_DE} {_IS_DE})",
    rf"(?:ich|du|i|wir|man|ma|wer|jemand|steward) {_ONE}{{thing}}{{place}} (?:{_ACTS_DE}|{_ADDED_DE} (?:hab|habe|hast|"
    r"hat|haben))",
    rf"es {_ONE}(?:neue[rns]?|weitere[rns]?) {{thing}}{{place}} gibt",
)
_NEW = r"(?:new|newly added|added|further|neue[mnrs]?|weitere[mnrs]?|hinzugefügte[mnrs]?|angelegte[mnrs]?)"
_COMING = (
    rf" ,? ?(?:that|which) (?:is|gets|was) {_ADDED_EN}| ,? ?(?:that|which) (?:i|you) {_ADD_EN}|"
    rf" ,? ?(?:die|der|das|den) (?:dazukommt|hinzukommt|{_ADDED_DE} {_IS_DE}|(?:ich|du) (?:{_ACTS_DE}))"
)
_NOUNS = (rf"{_NEW} {{thing}}", rf"{{thing}}(?:{_COMING})")


def added(clause: Clause) -> Reading | None:
    """Return the kind of thing that the clause says is added."""
    each = clause.opening.each
    if each == "before" or (clause.opening.asked and not clause.points_on):
        return None  # "new task: buy milk" adds one
    text = clause.text if each else clause.straight
    for pattern in _compiled(clause.lexicon, noun=bool(each)):
        found = pattern.fullmatch(text)
        if found is not None:
            thing = _things(clause.lexicon)[found["thing"]]
            language = clause.gist.line.language
            return Reading(Added(thing[0], dict(thing[1]).get(language, thing[0])), nouns=frozenset({found["thing"]}))
    return None


@lru_cache(maxsize=4)
def _things(lexicon: Lexicon) -> dict[str, tuple[str, tuple[tuple[str, str], ...]]]:
    """By what a person says for one, without its article: which kind it is, and its first words by language."""
    return {
        words.casefold().split(maxsplit=1)[-1]: (one.what, tuple((lang, all[0]) for lang, all in one.words))
        for one in lexicon.things for _, said in one.words for words in said
    }  # fmt: skip


@lru_cache(maxsize=8)
def _compiled(lexicon: Lexicon, *, noun: bool) -> tuple[re.Pattern[str], ...]:
    """No start waits for them: most sentences have no trigger."""
    if not lexicon.things:
        return ()
    things = "|".join(sorted(map(re.escape, _things(lexicon)), key=len, reverse=True))
    places = {words.casefold() for one in lexicon.things for _, said in one.places for words in said}
    where = "|".join(sorted(map(re.escape, places), key=len, reverse=True))
    whose = r"(?:(?:my|the|our|meine[nmr]?|die|der|den|dem|das) )?"
    into = r"(?:to|in|into|on|onto|auf|zu|zur|zum|ins|im|bei)"
    place = rf"(?: {into} {whose}(?:{where}))?" if places else ""
    forms = _NOUNS if noun else _FORMS
    return tuple(re.compile(one.format(thing=f"(?P<thing>{things})", place=place)) for one in forms)
