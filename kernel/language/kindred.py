"""Everyday words that mean the same in a request: "remain" and "left", "belegen" and "brauchen".

What this stops: that a request fails over a plain word that no manifest happens to use. A word that no tool knows is
read as a kindred one that some tool knows, and a tool that knows one word of a group understands the others nearly as
well. Words of a subject (invoices, photos) are no concern of this file: they stand in the manifests.
What it does not: change what a person wrote. Only ``lemma`` changes; values keep their own spelling.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache

from kernel.language.free_text import covered, opens_text, own_text, quotes
from kernel.language.function_words import is_function_word
from kernel.language.lexicon import Lexicon
from kernel.language.line import Line
from kernel.model import Token

_GROUPS: Mapping[str, tuple[str, ...]] = {
    "en": (
        "left remain", "take occupy consume eat devour gobble", "contain hold include comprise",
        "mention appear occur", "largest biggest fattest heaviest bulkiest hugest", "smallest tiniest littlest",
        "newest latest freshest", "calculate compute figure reckon determine", "make create generate produce",
        "show display", "find locate seek", "put stick stash plonk stow",
        "move shift relocate transfer shove", "copy duplicate clone replicate",
        "delete erase remove trash ditch scrap discard nuke zap", "rename retitle relabel rebrand rechristen",
        "read recite", "summarise summarize condense recap outline shorten",
        "tidy organise organize arrange declutter neaten", "write jot scribble", "join merge combine unite",
        "sort rank arrange", "draw plot sketch visualise visualize", "convert turn transform",
        "change modify alter amend revise", "pay settle", "due payable owing", "average mean", "row entry record",
        "space room storage", "highest greatest", "add append", "list enumerate",
    ),
    "de": (
        "übrig bleiben verbleiben verbleibend", "belegen brauchen fressen beanspruchen verbrauchen einnehmen benötigen",
        "liegen stehen befinden stecken lagern",
        "hingelegt abgelegt gespeichert abgespeichert gelassen verstaut hingetan gepackt",
        "geschrieben aufgeschrieben notiert vermerkt festgehalten", "stehen enthalten beinhalten umfassen",
        "vorkommen erwähnen auftauchen auftreten vorkommt", "ändern bearbeiten verändern aktualisieren überarbeiten",
        "löschen entfernen beseitigen entsorgen tilgen wegwerfen wegschmeißen", "größte umfangreichste dickste",
        "kleinste winzigste", "neueste aktuellste jüngste", "älteste", "rechnen berechnen ausrechnen ermitteln",
        "anlegen erstellen erzeugen einrichten", "zeigen anzeigen darstellen auflisten",
        "finden suchen auffinden aufspüren", "ablegen packen stecken tun", "verschieben bewegen verlagern",
        "kopieren duplizieren vervielfältigen", "umbenennen umtaufen", "nennen benennen heißen",
        "lesen vorlesen verlesen", "zusammenfassen kürzen", "aufräumen ordnen sortieren organisieren",
        "schreiben notieren festhalten aufschreiben vermerken", "verbinden verknüpfen kombinieren zusammenführen",
        "sortieren ordnen reihen", "zeichnen darstellen visualisieren", "umwandeln konvertieren umformen",
        "wechseln tauschen umtauschen", "bezahlen zahlen begleichen überweisen", "fällig zahlbar",
        "summieren addieren zusammenzählen zusammenrechnen aufsummieren",
        "zeile eintrag datensatz", "groß umfangreich", "platz speicherplatz speicher", "kosten betragen ausmachen",
        "ergeben machen betragen", "vergehen verstreichen", "ergänzen hinzufügen anfügen dazuschreiben",
        "eintragen verbuchen buchen", "wichtigste wesentliche", "handeln gehen drehen", "text inhalt wortlaut",
        "ordner verzeichnis", "ausgeben bezahlen",
    ),
}  # fmt: skip


def in_known_words(line: Line, lexicon: Lexicon, is_name: Callable[[str], bool]) -> Line:
    """Return ``line`` with words that no tool knows read as kindred ones that some tool knows.

    Left alone are names, quotations, and whatever stands behind words such as "saying". ``is_name`` knows the words of
    the names of the person's files.
    """
    known = {at: meant for at in _in_groups(line) if (meant := _known(line.tokens[at], lexicon, line.language))}
    read = {at: known[at] for at in _open(line, lexicon, known) if not is_name(line.norm(at))}
    if not read:
        return line
    tokens = (replace(one, lemma=read[at]) if at in read else one for at, one in enumerate(line.tokens))
    return replace(line, tokens=tuple(tokens), memo={})


def kindred(words: Iterable[str], language: str) -> frozenset[str]:
    """Return the words of ``words`` and those that mean the same."""
    groups = _by_word(language)
    return frozenset().union(*(groups.get(word, frozenset({word})) for word in words))


def _in_groups(line: Line) -> Iterator[int]:
    groups = _by_word(line.language)
    return (at for at, token in enumerate(line.tokens) if token.norm in groups or token.lemma in groups)


def _open(line: Line, lexicon: Lexicon, places: Iterable[int]) -> Iterator[int]:
    """The places outside quotations and outside the person's own text."""
    places = list(places)
    inside = covered(quotes(line)) | own_text(line, lexicon) if places else frozenset[int]()
    return (at for at in places if at not in inside and not opens_text(line, at))


def _known(token: Token, lexicon: Lexicon, language: str) -> str:
    """The first word of the token's groups that a tool knows, "" where one knows the token itself or none does."""
    if is_function_word(token.norm) or lexicon.knows(token):
        return ""
    known = lexicon.spelt_de if language == "de" else lexicon.spelt_en
    forms = {token.norm, token.lemma}
    groups = (line.split() for line in _GROUPS.get(language, ()) if not forms.isdisjoint(line.split()))
    return next((word for group in groups for word in group if word in known), "")


@cache
def _by_word(language: str) -> Mapping[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for line in _GROUPS.get(language, ()):
        group = frozenset(line.split())
        for word in group:
            found[word] = found.get(word, frozenset()) | group
    return found
