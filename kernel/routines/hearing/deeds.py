"""What happens in Steward itself: its own deeds, and what it learns."""

from __future__ import annotations

import re
from functools import cache

from kernel.routines.hearing.deed_words import ANY, BY, DONE, WHAT, YOU
from kernel.routines.hearing.facts import NAMES, fact_in_a_clause
from kernel.routines.hearing.failures import FORMS
from kernel.routines.hearing.reading import Clause, Doubt, Reading
from kernel.routines.model import About, Happened, Learnt

UNDO, DELETION, MOVE, SENT, FAILED = "undo", "deletion", "move", "mail sent", "run failed"
"""Deeds of the ledger that may set a routine off."""

_DEEDS: tuple[tuple[str, str], ...] = (
    (UNDO, rf"(?:{YOU} )?(?:undo|undid|undone|take back|took back|takes back|roll back|rolls back|rolled back|"
    rf"undoes){ANY}(?: back)?"),
    (UNDO, rf"(?:i |ich |we )?(?:take|took|undo|undid) {WHAT}{ANY}(?: back)?"),
    (UNDO, rf"(?:{WHAT} )*(?:step |thing )?(?:is|was|has been|gets|got) (?:undone|taken back|rolled back|"
    rf"reverted){BY}"),
    (UNDO, r"(?:an )?undos? (?:happens|is done|was done|has happened|ran|runs|is run|passiert|gemacht wird)"),
    (UNDO, rf"(?:{YOU} |wer |ma )?(?:{WHAT} )*(?:rückgängig (?:machst|gemacht hast|mache|mach|gemacht habe|"
    rf"gemacht wird|gemacht wurde|gemacht worden ist|machen)"
           r"|zurücknimmst|zurücknehme|zurückgenommen (?:hast|wird|wurde|worden ist|habe)|widerrufst)"),
    (DELETION, rf"{YOU}{ANY} (?:delete|deletes|deleted|remove|removes|removed|throw away|bin){ANY}(?: away)?"),
    (DELETION, rf"{YOU} (?:delete|deletes|deleted|remove|removes|removed|bin|throw){ANY}(?: away)?"),
    (DELETION, rf"(?:{WHAT} )*(?:is|was|has been|gets) (?:deleted|removed) by (?:you|steward)"),
    (DELETION, rf"{YOU}{ANY} (?:löschst|löschen tust|gelöscht hast|wegwirfst|weglöschst|weggeworfen hast|"
    rf"entfernst|entfernt hast|wegschmeißt|lösch|löscht)"),
    (DELETION, rf"(?:{WHAT} )*von (?:dir|steward) (?:gelöscht|entfernt)(?: wird| wurde| worden ist)"),
    (DELETION, rf"{YOU} (?:throw|throws|threw|thrown|put|puts|move|moves|moved|drop|dropped){ANY} (?:in|into|to) the "
    r"(?:trash|bin|rubbish|recycle bin|wastebasket|trash can)"),
    (DELETION, rf"{YOU} (?:get|gets|got|gotten) rid of{ANY}"),
    (DELETION, rf"{YOU}{ANY} (?:in den (?:papierkorb|müll) (?:wirfst|geworfen hast|legst|gelegt hast|verschiebst|"
    rf"verschoben hast|tust|getan hast|haust)|wegwerfen tust|weggelöscht hast|weggeschmissen hast)"),
    (MOVE, rf"{YOU} (?:move|moves|moved){ANY}"),
    (MOVE, rf"{YOU}{ANY} (?:verschiebst|verschoben hast|umräumst)"),
    (SENT, rf"(?:(?:{YOU}|i|i have|i 've|we) )?(?:send|sends|sent|have sent)(?: off| out)?(?: {WHAT})* ?(?:mails?|"
    rf"e-mails?|emails?|messages?)(?: off| out| for me)?"),
    (SENT, rf"(?:{WHAT} )*(?:mails?|e-mails?|emails?|messages?)(?: of mine)?{DONE} (?:sent|out|gone out|goes out|"
    rf"went out)(?: off| out)?{BY}"),
    (SENT, rf"(?:{WHAT} )*(?:mails?|e-mails?|emails?) (?:goes|go|went) out"),
    (SENT, rf"(?:{YOU} |ich |wir )?(?:{WHAT} )*(?:mails?|e-mails?|emails?|nachricht)(?: {WHAT})* (?:verschickst|"
    rf"verschickt hast|abschickst|abgeschickt hast|verschicke|versende|"
           r"abschicke|rausschickst|rausschicke|geschickt hast|verschickt habe|gesendet hast|sendest|schickst|"
           r"verschicken|versendest|rausgeschickt hast)"),
    (SENT, rf"(?:{WHAT} )*(?:mails?|e-mails?|emails?|nachricht) (?:verschickt|abgeschickt|gesendet|versendet|"
    rf"versandt|rausgeschickt|rausgegangen|rausgeht|weggeschickt)"
           rf"{DONE}{BY}"),
    *((FAILED, form) for form in FORMS),
)  # fmt: skip


@cache
def _said() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """No start waits for them: most sentences have no trigger."""
    return tuple((what, re.compile(pattern)) for what, pattern in _DEEDS)


_NOUNS: dict[str, str] = {
    UNDO: "undo undos undoing rückgängigmachen rückgängigmachung zurücknehmen zurücknahme rücknahme undo's rollback",
    DELETION: "deletion deletions löschung löschen löschvorgang löschaktion",
    SENT: "mail-versand mailversand versand",
    FAILED: "failure fehlschlag",
}
_BY_NOUN = {noun: what for what, nouns in _NOUNS.items() for noun in nouns.split()}
_NOMINAL = re.compile(
    r"(?:(?P<adj>failed|sent|gesendeten?|verschickten?|abgeschickten?|versendeten?|gescheiterten?|fehlgeschlagenen?|"
    r"missglückten?) )?(?P<noun>[\w'-]+)"
    r"(?: (?:of yours|of mine|by you|von dir|that you do|you do|i send|you send|that you send|that i send|"
    r",? ?(?:that|which) (?:i|you) (?:have )?(?:sent|send)(?: (?:by|with|through|via) you)?|"
    r",? ?die (?:du|i|ich)(?: für mich| über dich| mit dir| durch dich| von hier)? (?:verschickt|abgeschickt|gesendet|"
    r"versendet|geschickt|losgeschickt|rausgeschickt) (?:hab|habe|hast)|"
    r"that fails|that goes wrong|that is sent|,? ?die (?:du|i|ich) "
    r"(?:verschickst|verschicke|sendest|abschickst|abschicke|versendest|schickst|schicke)|das schiefgeht|"
    r"der schiefgeht|der fehlschlägt))?"
)


def deed(clause: Clause) -> Reading | None:
    """Return the deed of Steward's own that the clause speaks of."""
    if clause.opening.each:
        return _nominal(clause) if clause.opening.each == "after" else None
    text = clause.straight
    for what, pattern in _said():
        if pattern.fullmatch(text):
            return Reading(Happened(what))
    return None


def _nominal(clause: Clause) -> Reading | None:
    """ "After each undo", "nach jeder verschickten Mail"."""
    found = _NOMINAL.fullmatch(clause.text)
    if found is None:
        return None
    noun, rest, adjective = found["noun"], clause.text[found.end("noun") :], found["adj"] or ""
    if noun in _BY_NOUN and not adjective:
        return Reading(Happened(_BY_NOUN[noun]), nouns=frozenset({noun}))
    sent = adjective.startswith(("sent", "gesend", "versch", "abge", "versen")) or any(
        word in rest for word in ("send", "schick", "sent")
    )
    if noun in _MAILS and sent:
        return Reading(Happened(SENT), nouns=frozenset({noun}))
    failed = adjective.startswith(("fail", "gesch", "fehl", "miss")) or any(
        word in rest for word in ("fail", "wrong", "schief", "fehl")
    )
    return Reading(Happened(FAILED), nouns=frozenset({noun})) if noun in _RUNS and failed else None


_MAILS = frozenset("mail email e-mail message nachricht".split())
_RUNS = frozenset("run request routine task lauf auftrag anfrage plan".split())

_FACTS = {name: predicate for predicate, names in NAMES.items() for name in names.split("|")}
_FACT_NOUNS = frozenset(_FACTS)
_FACT = "|".join(sorted(_FACTS, key=len, reverse=True))
_WHOSE = (
    r"(?:(?:a|an|the|new|neue[nrs]?|eine?[nrs]?|der|den|die|das|irgendeine?n?|any|dem) )*"
    r"(?:(?P<who>(?:my |meiner |meines )?[\w-]+?(?: [\w-]+?)?)(?: 's|s|') (?:new |neue[nrs]? )?)?"
)
_WHO_DE = r"(?: (?:von|vo) (?P<whom>jemandem|jemand|irgendwem|wem|irgendjemand|einem|[\w-]+(?: [\w-]+)?))?"
_LEARNS = (
    (rf"(?:i|you|we|steward)(?: have|'ve)? (?:learn|learns|learnt|learned|get to know|find out|hear|"
    rf"get told|note|remember|am told|are told)"
               rf"(?: of| about)? {_WHOSE}(?P<fact>{_FACT})(?: of (?P<of>some(?:body|one)|[\w-]+))?"),
    (rf"(?:i|we) (?:tell|told|give|gave|have told|have given) (?:you|steward)(?: about)? {_WHOSE}(?P<fact>{_FACT})"
               rf"(?: of (?P<of>some(?:body|one)|[\w-]+))?"),
    (rf"(?:ich|i|wir) dir (?:mal |von jemandem |von wem )?{_WHOSE}(?P<fact>{_FACT}){_WHO_DE} "
               r"(?:sag(?:en?)?|nenn(?:en?)?|geb(?:en?)?|mitteile?|verrate?|diktiere?|erzähle?|gesagt habe?|"
               r"genannt habe?)"),
    (rf"{_WHOSE}(?P<fact>{_FACT})(?: of (?P<of>some(?:body|one)|[\w-]+))? (?:is|gets|was|becomes|"
    rf"has been) (?:learnt|learned|known|noted|remembered)"),
    (rf"(?:du|ich|i|wir|ma|man) (?:dir )?(?:von jemandem |von wem |von irgendwem |irgendwo |"
    rf"mal |von )?{_WHOSE}(?P<fact>{_FACT}){_WHO_DE} (?:erfährst|erfahre|erfahr|lernst|lerne|lern|merkst|mitkriegst|"
               r"mitbekommst|gelernt hast|erfahren hast|erfahren habe|hörst|höre|dir merkst|mitkriege|gsagt krieg|"
               r"dazulernst)"),
    (rf"(?:dir |uns )?{_WHOSE}(?P<fact>{_FACT}){_WHO_DE} (?:bekannt wird|gelernt wird|dazukommt|gelernt wurde)"),
)  # fmt: skip


def learnt(clause: Clause) -> Reading | Doubt | None:
    """Return the fact that is learnt."""
    text = _PARTED.sub(r"mit\1", clause.straight)
    for pattern in _LEARNS:
        found = re.fullmatch(pattern, text)
        if found is not None:
            said = found.groupdict()
            who = said.get("who") or said.get("of") or said.get("whom") or ""
            such = () if who in _ANYBODY or not who else ((About.PERSON, clause.as_said(who.split())),)
            return Reading(Learnt(_FACTS[found["fact"]]), such=such, nouns=frozenset({found["fact"]}))
    asked = fact_in_a_clause(text) or fact_in_a_clause(clause.verb_second)
    if asked is None:
        return None
    predicate, who = asked
    such = () if who in _ANYBODY else ((About.PERSON, clause.as_said(who.split())),)
    return Reading(Learnt(predicate), such=such, nouns=_FACT_NOUNS.intersection(text.split()))


_PARTED = re.compile(r"\bmit ((?:kriegst|bekommst)\b)")
"""A verb that the language puts first, and its other part behind: "Kriegst du ... mit"."""
_ANYBODY = frozenset(
    "somebody someone anybody anyone jemandem jemand irgendwem wem irgendjemand einem jemande irgendwe people "
    "leuten anybody's someone else einer person anderen somebody's someone's jemands jemandes".split()
) | {"someone else", "somebody else"}
