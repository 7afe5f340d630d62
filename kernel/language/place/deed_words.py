"""Verbs for what may be done to a file, in the past: "renamed", "put", "verschoben"; and what a deed's thing is called.

Which change a verb means stands here; a verb that means no change of its own ("zipped", "converted") is known again by
the request that used it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from kernel.context.deeds import Deed, DeedKind
from kernel.context.naming import parts_of, plain, split_name
from kernel.language.lemmas import lemma_of
from kernel.language.lexicon import Lexicon
from kernel.language.place.place_words import FILE_NOUNS, FOLDER_NOUNS, PLURAL_FILES
from kernel.language.tokens import words_of

K = DeedKind
_CHANGING = frozenset({K.MOVED, K.RENAMED, K.CHANGED, K.MADE, K.DELETED})


@dataclass(frozen=True, slots=True)
class Verb:
    """What a verb means: the kinds of change, and stems one of which the request must have (none: any request)."""

    kinds: frozenset[DeedKind]
    stems: tuple[str, ...] = ()
    puts: bool = False  # it brings a thing to a place
    outside: bool = False  # people do that to files without Steward as well


_FAMILIES = (
    (Verb(frozenset({K.RENAMED})), "rename renamed umbenannt umbenennen umbenenne umbenannte"),
    (
        Verb(frozenset({K.MOVED}), puts=True),
        "move moved relocate relocated shift shifted verschoben verschieben verschiebe bewegt bewegen verlegt",
    ),
    (
        Verb(frozenset({K.MOVED, K.MADE}), puts=True),
        "put placed place filed file stored store stowed archive archived sorted sort stuck dropped gelegt abgelegt "
        "hingelegt reingelegt getan hingetan gepackt gesteckt einsortiert sortiert archiviert ablegen legen",
    ),
    (
        Verb(frozenset({K.MADE}), ("cop", "kop", "dupli"), puts=True),
        "copy copied duplicate duplicated kopiert kopieren dupliziert",
    ),
    (
        Verb(frozenset({K.MADE}), puts=True, outside=True),
        "make made create created write wrote written save saved generate generated add added set gemacht machen "
        "erstellt erstellen angelegt anlegen erzeugt geschrieben schreiben gespeichert speichern verfasst hinzugefügt",
    ),
    (
        Verb(frozenset({K.CHANGED}), outside=True),
        "change changed edit edited modify modified update updated geändert ändern bearbeitet bearbeiten verändert "
        "aktualisiert ergänzt",
    ),
    (
        Verb(frozenset({K.DELETED})),
        "delete deleted remove removed trash trashed binned discarded erased gelöscht löschen entfernt entfernen "
        "weggeworfen",
    ),
)
_VERBS = {word: verb for verb, words in _FAMILIES for word in words.split()}
_NO_DEED = frozenset(
    "did do done asked ask said say told tell wanted want need needed know knew see saw have had got get took take "
    "like liked love think thought mean meant work worked gave give read bought buy downloaded received scanned sent "
    "gesagt gefragt gewollt gebraucht gesehen gehabt bekommen gemeint gekauft gelesen heruntergeladen "
    "aufgenommen fotografiert geschickt erhalten".split()
)
"""What people do themselves, or what says nothing about a file."""

_STEM = 5


def verb_of(word: str, language: str) -> Verb | None:
    """Return what ``word`` says that was done; None for a word that means nothing that Steward does."""
    known = _VERBS.get(word)
    if known is not None or word in _NO_DEED or not word.isalpha() or len(word) < _STEM:
        return known
    return Verb(_CHANGING, tuple({lemma_of(word, language)[:_STEM], word.removeprefix("ge")[:_STEM]}))


def is_participle(word: str) -> bool:
    """Tell whether ``word`` may be a German participle: "verschoben", "gezippt"."""
    return word in _VERBS or (len(word) > _STEM and (word.endswith(("t", "en"))))


@dataclass(frozen=True, slots=True)
class Thing:
    """What a thing is called that something was done to: words of its name, a kind of file, or just "the folder"."""

    words: tuple[str, ...] = ()
    folder: bool | None = None
    many: bool | None = None
    latest: bool = False  # "the last file"


_ANY = frozenset("thing things one ones stuff something anything it everything sache sachen ding dinge etwas was alles "
                 "item items".split())  # fmt: skip
_LATEST = frozenset("last latest newest most recent recently letzte letzten letzter letztes neueste neuesten".split())
_MANY_WORDS = frozenset("all alle sämtliche those these diese both beide".split())
_IDLE = frozenset("new neue neuen neues neuer same gleiche gleichen other whole".split())


def thing_of(words: Collection[str], lexicon: Lexicon, language: str) -> Thing:
    """Return what the words of a noun phrase, without its article, call a thing."""
    rest = [word for word in words if word not in _LATEST | _MANY_WORDS | _IDLE | _ANY]
    folder = True if FOLDER_NOUNS.intersection(rest) else False if (FILE_NOUNS | PLURAL_FILES) & set(rest) else None
    named = tuple(word for word in rest if word not in FOLDER_NOUNS | FILE_NOUNS | PLURAL_FILES)
    many = _is_many(words, rest, lexicon, language)
    latest = bool(_LATEST.intersection(words)) and not many
    return Thing(named, folder, many, latest)


def _is_many(words: Collection[str], rest: list[str], lexicon: Lexicon, language: str) -> bool | None:
    if _MANY_WORDS.intersection(words) or {"things", "files", "folders", "sachen", "dateien", "dinge"} & set(words):
        return True
    if not rest or rest[-1] in FOLDER_NOUNS | FILE_NOUNS:
        return rest[-1:] == ["ordnern"] if rest else None
    noun = rest[-1]
    one = lemma_of(noun.capitalize() if language == "de" else noun, language).casefold()
    return one != noun or bool(lexicon.suffixes(noun) and noun.endswith("s"))


def is_called(deed: Deed, thing: Thing, lexicon: Lexicon) -> bool:
    """Tell whether what the deed was done to may be called so."""
    if thing.folder is not None and thing.folder is not deed.folder:
        return False
    return all(_fits(word, deed, lexicon) for word in thing.words)


def _fits(word: str, deed: Deed, lexicon: Lexicon) -> bool:
    if "." in word:
        return word.casefold() in {path.rpartition("/")[2].casefold() for path in (deed.path, deed.source)}
    kinds = lexicon.suffixes(word) or lexicon.suffixes(f"{word}s")
    if kinds and split_name(deed.path)[1] in kinds:
        return True
    forms = {plain(word), plain(lemma_of(word, "en")), plain(lemma_of(word.capitalize(), "de"))}
    names = {part for path in (deed.path, deed.source) if path for run in parts_of(path) for part in run}
    above = {plain(part) for part in deed.path.split("/")[-3:-1]}
    if forms & names or forms & above or forms & {part.removesuffix("s") for part in above}:
        return True
    return not kinds and forms & {plain(said) for said in words_of(deed.request)} != set()


def was_done(deed: Deed, verb: Verb) -> bool:
    """Tell whether the deed is one that the verb may mean."""
    if deed.kind not in verb.kinds:
        return False
    said = words_of(deed.request)
    return not verb.stems or any(word.removeprefix("ge").startswith(stem) for word in said for stem in verb.stems)
