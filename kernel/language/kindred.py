"""Everyday words that mean the same in a request: "remain" and "left", "belegen" and "brauchen".

What this stops: that a request fails over a plain word that no manifest happens to use. A word that no tool knows, or
that begins a request and no tool's does ("stick it on the list", though a tool knows of sticks), is read as a kindred
one that some tool knows, and a tool that knows one word of a group understands the others nearly as well. Words of a
subject (invoices, photos) are no concern of this file: they stand in the manifests.
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

_VERBS: Mapping[str, tuple[str, ...]] = {
    "en": (
        "make create generate produce", "show display", "put stick stash plonk stow pop bung slap shove chuck",
        "cancel scrap scratch axe abort kill nix", "send shoot ping", "move shift relocate transfer shove",
        "copy duplicate clone replicate",
        "delete erase remove trash ditch scrap discard nuke zap bin junk dump chuck toss",
        "rename retitle relabel rebrand rechristen", "write jot scribble", "add append",
        "summarise summarize condense recap outline shorten",
    ),
    "de": (
        "löschen entfernen beseitigen entsorgen tilgen wegwerfen wegschmeißen", "anlegen erstellen erzeugen einrichten",
        "zeigen anzeigen darstellen auflisten",
        "werfen schmeißen hauen hau kloppen", "verschieben bewegen verlagern",
        "kopieren duplizieren vervielfältigen", "umbenennen umtaufen",
        "schreiben notieren festhalten aufschreiben vermerken", "ergänzen hinzufügen anfügen dazuschreiben",
        "eintragen verbuchen buchen",
    ),
}  # fmt: skip
"""What asks for a deed: each verb of a line asks for the same."""
_OTHERS: Mapping[str, tuple[str, ...]] = {
    "en": (
        "left remain", "take occupy consume eat devour gobble", "contain hold include comprise",
        "mention appear occur", "largest biggest fattest heaviest bulkiest hugest", "smallest tiniest littlest",
        "newest latest freshest", "calculate compute figure reckon determine", "find locate seek", "read recite",
        "tidy organise organize arrange declutter neaten", "join merge combine unite", "sort rank arrange",
        "draw plot sketch visualise visualize", "convert turn transform", "change modify alter amend revise",
        "pay settle", "due payable owing", "average mean", "row entry record", "space room storage",
        "highest greatest", "list enumerate",
    ),
    "de": (
        "übrig bleiben verbleiben verbleibend", "belegen brauchen fressen beanspruchen verbrauchen einnehmen benötigen",
        "liegen stehen befinden stecken lagern",
        "hingelegt abgelegt gespeichert abgespeichert gelassen verstaut hingetan gepackt",
        "geschrieben aufgeschrieben notiert vermerkt festgehalten", "stehen enthalten beinhalten umfassen",
        "vorkommen erwähnen auftauchen auftreten vorkommt", "ändern bearbeiten verändern aktualisieren überarbeiten",
        "ablegen packen stecken tun",
        "größte umfangreichste dickste", "kleinste winzigste", "neueste aktuellste jüngste", "älteste",
        "rechnen berechnen ausrechnen ermitteln", "finden suchen auffinden aufspüren", "nennen benennen heißen",
        "lesen vorlesen verlesen", "zusammenfassen kürzen", "aufräumen ordnen sortieren organisieren",
        "verbinden verknüpfen kombinieren zusammenführen", "sortieren ordnen reihen",
        "zeichnen darstellen visualisieren", "umwandeln konvertieren umformen", "wechseln tauschen umtauschen",
        "bezahlen zahlen begleichen überweisen", "fällig zahlbar",
        "summieren addieren zusammenzählen zusammenrechnen aufsummieren",
        "zeile eintrag datensatz", "groß umfangreich", "platz speicherplatz speicher", "kosten betragen ausmachen",
        "ergeben machen betragen", "vergehen verstreichen", "wichtigste wesentliche", "handeln gehen drehen",
        "text inhalt wortlaut", "ordner verzeichnis", "ausgeben bezahlen",
    ),
}  # fmt: skip
_GROUPS = {language: (*verbs, *_OTHERS[language]) for language, verbs in _VERBS.items()}

_PLAINLY = {
    "en": {
        **dict.fromkeys("stick pop bung slap plonk".split(), "put"), **dict.fromkeys("shoot ping".split(), "send"),
        **dict.fromkeys("scrap scratch axe nix".split(), "cancel"),
    },
    "de": dict.fromkeys("hau hauen kloppe kloppen".split(), "werfen"),
}  # fmt: skip
"""What a request may begin with, by the plain word for it that most tools have."""
_PARTICLES, _TOGETHER = frozenset("up out off over".split()), frozenset({"together", "zusammen"})
"""With one of them behind it, or these at the end, it is another verb: "pop up a notice", "stick the two together"."""
_LEADS_TO_VERB = frozenset("and then please pls just you so ok okay now und dann bitte jetzt mal also".split())


def in_known_words(line: Line, lexicon: Lexicon, is_name: Callable[[str], bool]) -> Line:
    """Return ``line`` with words that no tool knows read as kindred ones that some tool knows.

    Left alone are names, quotations, and whatever stands behind words such as "saying". ``is_name`` knows the words of
    the names of the person's files.
    """
    known = {at: meant for at in _in_groups(line) if (meant := _verb(line, lexicon, at) or _known(line, lexicon, at))}
    read = {at: known[at] for at in _open(line, lexicon, known) if not is_name(line.norm(at))}
    if not read:
        return line
    tokens = (replace(one, lemma=read[at]) if at in read else one for at, one in enumerate(line.tokens))
    return replace(line, tokens=tuple(tokens), memo={})


def kindred(words: Iterable[str], language: str) -> frozenset[str]:
    """Return the words of ``words`` and those that mean the same."""
    groups = _by_word(language)
    return frozenset().union(*(groups.get(word, frozenset({word})) for word in words))


def kindred_verbs(words: Iterable[str], language: str) -> frozenset[str]:
    """Return the verbs of ``words`` and those that mean the same: "record" is a kind of writing down, and no row."""
    groups = _by_verb(language)
    return frozenset().union(*(groups.get(word, frozenset({word})) for word in words))


def _in_groups(line: Line) -> Iterator[int]:
    groups = _by_word(line.language)
    return (at for at, token in enumerate(line.tokens) if token.norm in groups or token.lemma in groups)


def _open(line: Line, lexicon: Lexicon, places: Iterable[int]) -> Iterator[int]:
    """The places outside quotations and outside the person's own text."""
    places = list(places)
    inside = covered(quotes(line)) | own_text(line, lexicon) if places else frozenset[int]()
    return (at for at in places if at not in inside and not opens_text(line, at))


def _known(line: Line, lexicon: Lexicon, at: int) -> str:
    """The first word of the groups of the word at ``at`` that a tool knows; "" where one knows the word itself."""
    token = line.tokens[at]
    if is_function_word(token.norm) or lexicon.knows(token):
        return ""
    known = lexicon.spelt_de if line.language == "de" else lexicon.spelt_en
    return next((word for word in _alike(token, _GROUPS[line.language]) if word in known), "")


def _verb(line: Line, lexicon: Lexicon, at: int) -> str:
    """The same of a word that begins a request as no tool's examples do: a verb of theirs, "" where there is none."""
    token = line.tokens[at]
    begins = at == 0 or line.is_mark(at - 1) or line.norm(at - 1) in _LEADS_TO_VERB
    if not begins or is_function_word(token.norm, line.language):
        return ""
    plain = _PLAINLY.get(line.language, {}).get(token.norm, "")
    if plain in lexicon.verbs:
        other = line.norm(at + 1) in _PARTICLES or not _TOGETHER.isdisjoint(line.norms[at:])
        return "" if other else plain
    if lexicon.is_verb(token):
        return ""
    return next((word for word in _alike(token, _VERBS[line.language]) if word in lexicon.verbs), "")


def _alike(token: Token, groups: Iterable[str]) -> Iterator[str]:
    forms = {token.norm, token.lemma}
    split = (group.split() for group in groups)
    return (word for group in split if not forms.isdisjoint(group) for word in group)


@cache
def _by_word(language: str) -> Mapping[str, frozenset[str]]:
    return _held(_GROUPS.get(language, ()))


@cache
def _by_verb(language: str) -> Mapping[str, frozenset[str]]:
    return _held(_VERBS.get(language, ()))


def _held(groups: Iterable[str]) -> Mapping[str, frozenset[str]]:
    """Every word, by itself, with the words of all its groups."""
    found: dict[str, frozenset[str]] = {}
    for line in groups:
        group = frozenset(line.split())
        for word in group:
            found[word] = found.get(word, frozenset()) | group
    return found
