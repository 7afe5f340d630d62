"""A mail that comes: a new file of the folder to which mail is fetched, with who it is from and what hangs on it."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from functools import cache

from kernel.routines.hearing.model import Lack
from kernel.routines.hearing.opening import Weight
from kernel.routines.hearing.reading import QUOTATION, Clause, Doubt, Reading
from kernel.routines.hearing.things_seen import suffixed
from kernel.routines.hearing.totals import Such
from kernel.routines.model import EITHER, About, Change, FileSeen
from kernel.routines.waited_for import MAILBOX

_NOUN = r"(?P<noun>mails?|e-mails?|emails?|messages?|nachricht(?:en)?|post|mail)"
_DET = (
    r"(?:(?:a|an|any|the|some|new|another|eine?|ane|n'|ne|neue|irgendeine|jede|'s|der|die|es|every|each|"
    r"unread|fresh) )*"
)
_FROM = (
    r"(?: (?:from|by|von|vom|vo|of) (?P<who>\S+(?: (?!with |mit |about |in |im |comes|that |die |and |über |"
    r"kommt|zum |which )\S+){0,4}?))?"
)
_ABOUT = (
    r"(?: (?:about|with the subject|with subject|mit (?:dem )?betreff|zum thema|über|whose subject (?:contains|has|"
    r"mentions)|mit (?:dem )?wort|with"
    r"(?: the word)?)(?! (?:an? )?(?:attach|anhang|einem|a pdf|pdf)) (?P<subject>(?!einem |anhang)\S+(?: (?!comes|"
    r"arrives|in |im |kommt|from |von |vom )\S+){0,3}?)"
    r"(?: in (?:its|the) subject(?: line)?| im betreff)?"
    r"| (?:(?:and|und|with|mit) ){1,2}(?P<subject_too>\S+(?: (?!and |und |with |mit )\S+){0,3}?)"
    r" (?:in (?:its|the) subject(?: line)?|im betreff))?"
)
_HUNG = (
    r"(?P<hung> (?:(?:and |und )?(?:with|mit|that has|which has|has|die|carrying|containing)|and|und)"
    r" (?:an? |einem? |einer |a' )?(?:attachments?|anhang|anhängen|"
    r"(?P<kind>\S+)(?: \(\.(?P<ext>\w+)\))? (?:attached|attachment|als anhang|im anhang|dran|angehängt|"
    r"in the attachment)|"
    r"(?P<kind3>\S+) \(\.(?P<ext3>\w+)\)|(?P<kind2>\S+)-anhang)(?: hat| dran)?)?"
)
_IN = r"(?: (?:in|im|into|to) (?:my |the |meinem |den |mein )?(?:inbox|posteingang|mailbox|postfach))?"
_COMES = (
    r"(?:comes|comes in|arrives|lands|turns up|shows up|is received|came in|has arrived|has come|gets in|reaches me|"
    r"kommt|ankommt|kimmt|eintrifft|"
    r"reinkommt|hereinkommt|reinflattert|landet|da ist|gekommen ist|eintrudelt|an kommt|rein kommt|ein trifft|"
    r"reinkommen|ein trudelt|rein flattert|eingeht|ein geht|herein kommt)"
)
_THING = rf"{_DET}{_NOUN}{_HUNG}{_FROM}{_ABOUT}"
_THING_3 = rf"{_DET}{_NOUN}{_ABOUT}{_FROM}{_HUNG}"
_THING_4 = rf"{_DET}{_NOUN}{_FROM}{_HUNG}{_ABOUT}"
_THING_2 = rf"{_DET}{_NOUN}{_FROM}{_ABOUT}{_HUNG}"
_FORMS = tuple(
    form
    for thing in (_THING, _THING_2, _THING_3, _THING_4)
    for form in (
        rf"{thing}{_IN} {_COMES}{_IN}(?P<tail> (?:with|mit) (?:an? |einem )?(?:attachments?|"
        rf"anhang))?(?: from (?P<late>\S+(?: (?!to |in |into |and |on )\S+){{0,2}}))?",
        rf"(?:i|ich|we|wir|ma) (?:get|receive|have|bekomme|krieg|kriege|got|erhalte) {thing}{_IN}",
        rf"(?:i|ich|wir) {thing}{_IN} (?:bekomme|bekomm|kriege|krieg|erhalte|bekommen|kriegen|erhalten)",
        rf"{thing}{_IN} (?:kommt|kimmt)(?: an| rein)?",
        rf"(?:there is|there 's|es gibt) {thing}{_IN}",
    )
)
_MAIL = rf"(?:(?:eine |a |ne |an )?(?:new |neue )?(?:mail|e-mail|email|message|nachricht){_HUNG})"
_WHO = r"(?P<who>(?:der |die |da |my |mein |meine |the )?\S+(?: (?!(?:a|an|eine|ne|neue|mir|me) )\S+)?)"
_NOBODY_NAMED = (
    r"(?!(?:an?|eine?|any|every|it|es|er|sie|he|she|they|you|du|i|ich|we|wir|wer|jemand|somebody|someone|something|"
    r"nobody|niemand|was|etwas) )"
)
_SENDS = (
    rf"{_WHO} (?:(?:mails|emails|e-mails|writes to|writes) me|(?:sends|writes) me {_MAIL})",
    rf"{_WHO} mir (?:mailt|schreibt|{_MAIL} (?:schreibt|schickt))",
    rf"mir {_WHO} (?:mailt|schreibt|{_MAIL} (?:schreibt|schickt))",
    rf"{_NOBODY_NAMED}{_WHO} (?:mails|emails|e-mails|writes|mailt|schreibt)",
    rf"{_NOBODY_NAMED}{_WHO} {_MAIL} (?:schreibt|schickt)",
    rf"{_NOBODY_NAMED}{_WHO} (?:sends|writes) {_MAIL}",
)
_X = r"(?P<x>\S+(?: (?!and |und |with |mit )\S+){0,4}?)"
_GOES_ON = r"(?= (?:comes|arrives|lands|turns|shows|kommt|ankommt|eintrifft)\b|$)"
_IN_SUBJECT = r"(?:in (?:its|the) subject(?: line)?|im betreff|in der betreffzeile)"
_SUBJECTS = (
    rf"(?:, )?whose subject(?: line)? (?:says|mentions|contains|has|includes|reads) {_X}{_GOES_ON}",
    rf"(?:, )?(?:that|which) (?:says|has|mentions|contains) {_X} {_IN_SUBJECT}",
    rf"(?:, )?(?:that|which) (?:says|mentions|contains) {_X} in its subject(?: line)?",
    rf"(?:, )?in (?:deren|dessen) (?:betreff|betreffzeile) {_X} (?:steht|stehen|vorkommt|auftaucht|ist)",
    rf"(?:, )?(?:deren|dessen) betreff {_X} (?:enthält|lautet|heißt|ist)",
    rf"(?:, )?die {_X} im betreff (?:hat|haben|trägt)",
    rf"(?:, )?(?:wo|in der|in denen|bei der|where)(?: da)? {_X} {_IN_SUBJECT} (?:steht|stehen|drinsteht|vorkommt|is)",
    rf"(?:, )?(?:wo|where)(?: da)? {_IN_SUBJECT} {_X} (?:steht|stehen|drinsteht|vorkommt)",
    rf"(?:, )?where the subject(?: line)? (?:says|mentions|contains|has|includes|is) {_X}{_GOES_ON}",
    rf"(?:with|mit)(?: the words?| dem wort| den worten)? {_X} {_IN_SUBJECT}",
)
"""What is said of the subject of a mail, in a clause of its own or behind its noun."""
_SUBJECT_OF = (
    rf"(?:im betreff|in der betreffzeile) (?:von )?(?:einer|der|irgendeiner|meiner)(?: neuen)? {_NOUN}"
    rf"(?: (?:von|vom) (?P<who>\S+(?: \S+)??))? {_X} (?:steht|stehen|vorkommt|auftaucht|ist|auftauchen)",
    rf"the subject(?: line)? of (?:an?|any|some)(?: new| incoming)? {_NOUN}(?: (?:from|by) (?P<who>\S+(?: \S+)??))? "
    rf"(?:says|reads|has|contains|mentions|includes) {_X}",
    rf"{_DET}{_NOUN}(?: (?:from|by|von|vom) (?P<who>\S+(?: \S+)??))? (?:has|says|mentions) {_X} {_IN_SUBJECT}",
    rf"{_DET}{_NOUN}(?: (?:von|vom) (?P<who>\S+(?: \S+)??))? {_X} {_IN_SUBJECT} (?:hat|haben|trägt)",
)
"""A mail of which only is said what its subject says."""
_WAS = (
    rf"(?:(?:von|vom|from) (?P<who>\S+(?: \S+)??) )?(?:was|etwas|irgendwas|something|anything)(?: neues| new)?"
    rf"(?: (?:von|vom|from) (?P<late>\S+(?: \S+)??))? {_COMES}",
    rf"mir {_NOBODY_NAMED}{_WHO} (?:was|etwas|irgendwas) (?:schickt|sendet|schreibt|mailt)",
    rf"{_NOBODY_NAMED}{_WHO} (?:sends|mails|emails|writes) me (?:something|anything|stuff)",
)
"""Something comes that has a subject: a mail."""


@cache
def _compiled(forms: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    """No start waits for them: most sentences have no trigger."""
    return tuple(re.compile(form) for form in forms)


_HANGS = (
    r"(?:attached|attachments?|anhang|anhänge|dran|angehängt|dranhängt|drangehängt|dabei|hängt|hängen|with it|in it|"
    r"mitkommt|im anhang)(?: (?:to|on) it)?(?: hat| hängt| ist| is| sind| has)?"
)
_BEHIND = re.compile(
    r"(?:and |und |that |which |where |wo |an (?:der|dem|denen|welcher|welchem) |mit |with )?"
    r"(?:(?:it|da|sie|they|die|the mail|die mail|there|es) ?)?"
    r"(?:(?:has|have|hat|hängt|is|comes with|'s|ist|hängen|sind|carries|contains|are) ?)?"
    r"(?:an? |einen |einem |einer |eine |ein |what |was |etwas |something |new |neue )*"
    rf"(?:(?P<kind>[\w-]+?)(?: \(\.(?P<ext>\w+)\))? )?(?:is |are |ist )?{_HANGS}"
)
_SOMETHING = re.compile(
    rf"(?:was|etwas|irgendwas|something|anything)(?: neues| new)? (?:from|by|von|vom|vo) .{{1,60}}? {_COMES}"
)
_JUDGED = re.compile(
    r"\b((?:(?:very|really|sehr|ganz) )?(?:important|urgent|interesting|relevant|suspicious|annoying|good|bad|private|"
    r"wichtige|dringende|interessante|eilige|verdächtige|gute|schlechte|dienstliche)[rnsm]?)"
    r" (?=(?:mails?|e-mails?|emails?|messages?|nachricht(?:en)?|post)\b)"
)
"""What only a person can tell of a mail."""
_ANYBODY = frozenset("jemandem jemand wer irgendwem someone anyone somebody anybody somebody's".split())
_NOBODY = frozenset("me mir us uns it them ihm".split())


def something(clause: Clause) -> Doubt | None:
    """Return the doubt about something that comes from somebody: a mail, a letter, a file, nobody knows."""
    found = not clause.opening.each and _SOMETHING.fullmatch(clause.straight)
    return Doubt(Lack.UNKNOWN, clause.said(0, len(clause.words))) if found else None


def mail(clause: Clause) -> Reading | Doubt | None:
    """Return the mail that the clause says comes; in doubt where only a person can tell which those are."""
    judged = _JUDGED.search(clause.straight)
    if judged is None:
        return _mail(clause, clause.straight) or _with_subject(clause, clause.straight)
    plain = _mail(clause, _JUDGED.sub("", clause.straight))
    return None if plain is None else Doubt(Lack.WHICH_MAILS, judged[1])


def _with_subject(clause: Clause, text: str) -> Reading | None:
    """A mail of which a clause says what stands in its subject: that is taken out, and the rest is read as ever."""
    if "subject" not in text and "betreff" not in text:
        return None
    whole = next((one for form in _compiled(_SUBJECT_OF) if (one := form.fullmatch(text)) is not None), None)
    if whole is not None:
        read = _read(clause, whole, state=False)
        return None if read is None else replace(read, such=(*read.such, _about(clause, whole["x"])))
    for form in _compiled(_SUBJECTS):
        for found in form.finditer(text):
            rest = " ".join(f"{text[: found.start()]} {text[found.end() :]}".split())
            read = _mail(clause, rest) or _of_something(clause, rest)
            if read is not None:
                return replace(read, such=(*read.such, _about(clause, found["x"])))
    return None


def _of_something(clause: Clause, text: str) -> Reading | None:
    found = next((one for one in (form.fullmatch(text) for form in _compiled(_WAS)) if one is not None), None)
    return None if found is None else _read(clause, found, state=False)


def _about(clause: Clause, words: str) -> tuple[About, str]:
    """Words of a subject; one of them is enough where they are joined by "or"."""
    said = [_written(clause, one).strip(QUOTATION) for one in re.split(r" (?:or|oder) ", words)]
    return About.SUBJECT, EITHER.join(said)


_HERE = re.compile(r" (?:da|hier|in|here|there|is here|arrived|angekommen|eingegangen|gekommen)$")
"""That it is there, as it is noted: "mail von Lena da: ..."."""


def _mail(clause: Clause, text: str) -> Reading | None:
    if clause.opening.each:
        noted = _HERE.sub("", text) if clause.opening.asked else text
        text = f"{noted} comes" if clause.opening.each == "after" else ""
    for form in _compiled(_FORMS):
        found = form.fullmatch(text)
        if found is not None:
            done = clause.opening.weight is Weight.IF and bool({"has", "came", "ist"} & set(text.split()))
            return _read(clause, found, state=done or text.startswith(("there", "es gibt")) or text.endswith("da ist"))
    sends = next((found for found in (form.fullmatch(text) for form in _compiled(_SENDS)) if found is not None), None)
    return None if sends is None or "#" in sends["who"] else _read(clause, sends, state=False)


def _read(clause: Clause, found: re.Match[str], *, state: bool) -> Reading | None:
    said = found.groupdict()
    who = (said.get("who") or said.get("late") or "").strip()
    such: list[tuple[About, str]] = []
    if who in _NOBODY:
        return None
    if who and who not in {*_ANYBODY}:
        such.append((About.SENDER, _written(clause, who)))
    subject = said.get("subject") or said.get("subject_too")
    if subject:
        such.append(_about(clause, subject))
    if said.get("hung") or said.get("tail"):
        kind = said.get("kind") or said.get("kind2") or said.get("kind3") or ""
        such.append((About.ATTACHED, _kind(clause, kind, said.get("ext") or said.get("ext3") or "")))
    return Reading(_trigger(clause), such=tuple(such), nouns=_NOUNS | {said.get("noun") or "mail"}, state=state)


HUNG = frozenset("attachment attachments anhang anhänge anhangs".split())
"""What hangs on a mail, and is not the mail."""
_NOUNS = HUNG | frozenset("mail email e-mail message nachricht".split())
_ARTICLES = frozenset("die the my der dem den da am mein meinem meiner meine de das".split())


def _trigger(clause: Clause) -> FileSeen:
    return FileSeen(Change.CREATED, os.path.join(clause.world.home, *MAILBOX), "*", below=True)


def _written(clause: Clause, said: str) -> str:
    """The words as the person wrote them, without an article before them."""
    words = said.split()
    while len(words) > 1 and words[0] in _ARTICLES:
        words = words[1:]
    return clause.as_said(words)


def _kind(clause: Clause, word: str, suffix: str | None = None) -> str:
    return f"*.{suffix}" if suffix else suffixed(clause, word) or "*"


def attached(clause: Clause, first: int, last: int) -> Such:
    """Read the words [first, last) as what must hang on a mail: "da hängt was dran", "it has a PDF attached"."""
    found = _BEHIND.fullmatch(clause.gist.text(clause.first + first, clause.first + last))
    return () if found is None else ((About.ATTACHED, _kind(clause, found["kind"] or "", found["ext"])),)


def said_of_mail(clause: Clause, first: int, last: int) -> Such:
    """Read the words [first, last) as what else must be so of a mail: what hangs on it, what its subject says."""
    text = clause.gist.text(clause.first + first, clause.first + last)
    found = next((one for one in (form.fullmatch(text) for form in _compiled(_SUBJECTS)) if one is not None), None)
    return attached(clause, first, last) if found is None else (_about(clause, found["x"]),)
