"""What a parameter decides, by its name, its type, its tool's name and the rights it fills: one rule for all.

What this stops: a skill of somebody's that leaves out, or plays down, that a text of its decides which host is asked,
what is opened or what is ended. Of a server's tool also: who else gets something, what lets somebody in, how much is
paid where nothing else says to whom, and what is gone afterwards; of one that does more than read, every text whose
name is not known to be content.
What it does not: tell that a text decides something where its name says that it is content ("text", "title"), or
tell what an amount comes to where the same call says who gets it; manifests say that.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from permissions.model import Action
from skills.model import ParamRole, ValueKind
from skills.names import Vocabulary, words_of

_NAMED = frozenset({ValueKind.TEXT, ValueKind.NEW_FILE})
_NUMBERED = frozenset({*_NAMED, ValueKind.INTEGER, ValueKind.NUMBER})
_THINGS = frozenset({*_NUMBERED, ValueKind.FILE, ValueKind.FOLDER})
_COUNTED = frozenset({ValueKind.TEXT, ValueKind.INTEGER, ValueKind.NUMBER})
_WHERE = Vocabulary(
    "uri url link href to recipient receiver addressee address host hostname domain website endpoint webhook callback "
    "command cmd email cc bcc password passphrase passcode "
    "empfänger adressat adresse rechner webseite befehl kommando passwort kennwort"
)
_WHOM = Vocabulary(
    "participant attendee invitee guest member assignee collaborator user username channel phone mobile iban bic "
    "payee beneficiary account wallet destination target whom contact customer subscriber follower reviewer approver "
    "delegate audience group chat conversation mailbox inbox server printer permission privilege "
    "teilnehmer gast mitglied benutzer nutzer kanal telefon handy konto begünstigter ziel wem wohin kontakt kunde "
    "gruppe postfach drucker berechtigung"
)
_AMOUNT = Vocabulary(
    "amount sum total price cost fee payment budget bid tip donation quantity qty shares "
    "betrag summe preis kosten gebühr zahlung gebot trinkgeld spende menge anzahl stückzahl"
)
_CONTENT = Vocabulary(
    "text message body content title subject heading headline caption description desc summary abstract note comment "
    "remark reason detail question query search keyword term topic label tag prompt html markdown quote greeting "
    "line paragraph row item entry excerpt snippet answer thought idea story "
    "nachricht inhalt titel betreff überschrift beschreibung zusammenfassung notiz kommentar bemerkung grund frage "
    "suche stichwort schlagwort begriff thema gruß satz zeile absatz eintrag antwort gedanke idee"
)
_DATA = Vocabulary(
    "date day time start end begin due deadline until when year month week hour minute duration timezone tz id uuid "
    "city town street country region zip postcode location language lang locale format unit currency color colour size "
    "type kind category status state priority order sort style mode encoding "
    "datum tag zeit uhrzeit beginn ende frist jahr monat woche stunde dauer stadt straße land ort plz sprache einheit "
    "währung farbe größe art typ kategorie zustand"
)
_CALLED = frozenset({"name"})
_READS = re.compile(
    r"^(get|list|search|find|read|check|fetch|show|look|lookup|query|count|describe|view|is|has"
    r"|hol|hole|liste|such|suche|finde|lies|pruf|prufe|zeig|zeige|zahl|zahle)\b"
)
_DESTROYS = re.compile(
    r"\b(delete|remove|cancel|erase|drop|purge|wipe|destroy|revoke|terminate|kill|unlink|trash|discard"
    r"|losch|losche|loschen|entfern|entferne|entfernen|stornier|storniere|stornieren|widerruf|widerrufe)\b"
)
_TAKES = re.compile(r"\b(move|rename|mv|rm|clear|empty|clean|replace|verschieb\w*|benenn\w*|umbenenn\w*|leer\w*)\b")
OUTWARD = frozenset({Action.NET_CONNECT, Action.DESKTOP_OPEN, Action.SYSTEM_STOP, Action.SECRET_USE})
"""What reaches others, or what nothing takes back."""

_HOLE = re.compile(r"\{(\w+)")


def fills(name: str, scope: str) -> bool:
    """Tell whether a parameter is part of the scope of a right."""
    return name in _HOLE.findall(scope)


def says_it_takes_away(tool: str) -> bool:
    """Tell whether a tool says by what it is called, or by a word of what it does, that something goes or moves."""
    does = " ".join(words_of(tool))
    return bool(_DESTROYS.search(does) or _TAKES.search(does))


def says_where(name: str, kind: ValueKind) -> bool:
    """Tell whether a parameter may say where something goes, by what it is called and takes."""
    return kind is ValueKind.URL or (kind in _NAMED and any(map(_is_where, _keys(name))))


def decides(tool: str, name: str, kind: ValueKind, beside: Iterable[str] = (), *, safe: bool = False) -> bool:
    """Tell whether a parameter of a tool that nobody here wrote decides something, by what both are called.

    A value inside of a record is called by the whole way to it: ``options.to``. ``beside`` are the names of the other
    parameters, and ``safe`` says that a person has called the tool one that only looks.

    Who gets something is decided where a tool does more than read; of one that takes something away, what it takes. How
    much is decided by a number alone where no other parameter says for whom. Any other text decides nothing where its
    name says that it is content or data.
    """
    does, keys = " ".join(words_of(tool)), _keys(name)
    if says_where(name, kind) or (kind in _THINGS and _DESTROYS.search(does)):
        return True
    if safe or _READS.search(does):
        return False
    if kind in _NUMBERED and any(map(_is_addressed, keys)):
        return True
    if kind in _COUNTED and any(map(_AMOUNT.is_in, keys)):
        return not any(_is_addressed(key) for one in beside for key in _keys(one))
    return kind is ValueKind.TEXT and not any(map(_is_plain, keys))


def _keys(name: str) -> list[tuple[str, ...]]:
    """Return the words of each name on the way to a value."""
    return [words_of(one) for one in name.split(".")]


def _is_where(words: tuple[str, ...]) -> bool:
    return _WHERE.is_in(words) or words == ("an",)


def _is_addressed(words: tuple[str, ...]) -> bool:
    return _is_where(words) or _WHOM.is_in(words)


def _is_plain(words: tuple[str, ...]) -> bool:
    """Tell whether a name says that it is content, or a thing by its number: its last word counts.

    What something is called says which of two things it is, and by itself it may be somebody's name.
    """
    return any(_CONTENT.has(one) or _DATA.has(one) or (len(words) > 1 and one in _CALLED) for one in words[-1:])


def role_of(name: str, kind: ValueKind, declared: ParamRole | None, rights: Iterable[tuple[str, str]]) -> ParamRole:
    """Return the role of a parameter; ``rights`` are the actions and scopes of its tool.

    What fills a right that reaches outward is a sink whatever is declared; else what is declared counts, else its name.
    """
    if any(action in OUTWARD and fills(name, scope) for action, scope in rights):
        return ParamRole.SINK
    if declared is not None:
        return declared
    return ParamRole.SINK if says_where(name, kind) else ParamRole.NEUTRAL
