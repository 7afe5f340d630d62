"""Which files are meant, as a pattern of names: "a PDF with invoice in its name" is ``*invoice*.pdf``.

Several kinds or names are one pattern with braces (``*.{jpg,png}``, ``*{scan,receipt}*``), as in a shell; capitals
do not matter in it. A noun that is no kind of file ("an invoice") is a condition on what the file is. "One of my
notes" is any file of the folder that is called so.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from kernel.language import is_function_word
from kernel.language.place.place_words import FOLDER_NOUNS, looks_like_path
from kernel.language.place.suffixes import KNOWN
from kernel.routines.hearing.changes import CHANGES
from kernel.routines.hearing.folders import PREPOSITIONS, written
from kernel.routines.hearing.office_files import as_patterns
from kernel.routines.hearing.reading import QUOTATION, Clause
from kernel.routines.model import About


@dataclass(frozen=True, slots=True)
class Thing:
    """Files by ``pattern``; ``path`` where one file is named, ``folder`` where all of a folder are.

    ``fresh``: the words say that it is new; ``nouns``: what it is called.
    """

    pattern: str = "*"
    such: tuple[tuple[About, str], ...] = ()
    path: str = ""
    folder: str = ""
    fresh: bool = False
    nouns: frozenset[str] = frozenset()


_DETERMINERS = frozenset(
    "a an the any some another each every my our your this that ein eine einen einem einer eines der die das den "
    "dem des irgendein irgendeine "
    "irgendeinen jede jeder jedes jeden jedem "
    "a' an' ne nen n 'n all alle mein meine meinen meiner meinem somebody's noch "
    "yet more weitere weiterer "
    "one of dieser diese dieses unsere unser 's ' s".split()
)
_NEW = frozenset(
    "new fresh newly frisch frische neu neue neuer neues neuen neus nei neie neia nei's newest neie".split()
)
_GENERIC = frozenset(
    "file files datei dateien thing things something anything stuff was etwas one ones item items document "
    "documents irgendwas "
    "irgendetwas wos datein einträge eintrag sache sachen zeug zeugs dokument dokumente content contents "
    "inhalt änderung änderungen changes change".split()
)
_VAGUE = frozenset(
    "something anything irgendwas irgendetwas etwas was stuff things thing sache sachen zeug wos it es".split()
)
_AS = frozenset("as als".split())  # "an invoice as PDF"
_JOINED = frozenset("or oder and und , /".split())
_HANGING = "datei dateien file files bild bilder dokument dokumente rechnung rechnungen".split()
_MY = re.compile(
    r"(?:any|#num:1|one|each|eine[rs]?|irgendeine[rs]?|oane) (?:of |von )?(?:the|my|our|mein\w*|"
    r"unser\w*|der|den) (?P<noun>[\w-]+)"
)
_NAME = (
    (re.compile(r"(?:with|having|mit) (?:the |der |einer |an? )?(?:extension|suffix|ending|file ending|endung|"
    r"dateiendung) \.?(?P<n>[\w]+)"), "*.{}"),
    (re.compile(r"(?:with|having|that has|which has|mit|die|der|das) (?:the words? |dem wort |das wort )?"
                r"(?P<n>.+?) (?:in|im) (?:its |the |their |dem |"
    r"seinem |ihrem |s )?"
                r"(?:file ?name|name|title|namen|dateinamen|titel|filenames?|names)(?: hat| haben| stehen hat|"
                r" steht| trägt| drin)?"), "*{}*"),
    (re.compile(r"(?:whose|with a|where the|deren|dessen|mit einem) (?:file ?name|name|namen|"
    r"dateiname) (?:that )?(?:contains?|has|includes?|mentions?|containing) (?P<n>.+)"), "*{}*"),
    (re.compile(r"(?:in|bei) (?:deren|dessen) (?:datei)?namen? (?P<n>.+) (?:vorkommt|steht|drinsteht|drin ist|"
    r"auftaucht|enthalten ist)"), "*{}*"),
    (re.compile(r"(?:deren|dessen|wo der) (?:datei)?name (?P<n>.+) (?:enthält|drin hat|beinhaltet)"), "*{}*"),
    (re.compile(r"(?:whose|with a|where the) (?:file ?name|name) (?:that )?(?:starts?|begins?|beginning|"
    r"starting) with (?P<n>.+)"), "{}*"),
    (re.compile(r"(?:(?:that|which) (?:starts?|begins?)|starting|beginning) with (?P<n>.+)"), "{}*"),
    (re.compile(r"(?:deren|dessen|die|der|das) (?:name )?mit (?P<n>.+) (?:anfängt|beginnt|anfangt|losgeht)"), "{}*"),
    (re.compile(r"(?:whose name ends|(?:that|which) ends?|ending) (?:in|with) (?P<n>.+)"), "*{}"),
    (re.compile(r"(?:deren|dessen|die|der|das) (?:name )?(?:auf|mit) (?P<n>.+) (?:endet|aufhört)"), "*{}"),
    (re.compile(r"(?:called|named|namens|mit (?:dem )?namen?|with the name|(?:that|"
    r"which) is called) (?P<n>.+?)"), "{}"),
    (re.compile(r"(?:die|der|das) (?P<n>.+) heißt"), "{}"),
)  # fmt: skip
_SIZE = re.compile(
    r"(?:(?:that|which)(?: is| has)? |with |of |die |der |das |mit |von )?(?:at least|mindestens|wenigstens|"
    r"larger|bigger|heavier|more|over|größer|über|mehr|above|"
    r"schwerer)(?: than| als)? #byt:(?P<b>\d+)"
    r"(?: ist| hat| is)?"
)
_PICTURED = {"screenshot": ("screenshot", "bildschirmfoto"), "bildschirmfoto": ("screenshot", "bildschirmfoto")}
_PICTURED |= {f"{word}s": names for word, names in _PICTURED.items()}
_MOST = 16
_NAME_WORDS = 3  # of a name without quotation marks


def thing(clause: Clause, first: int, last: int) -> Thing | None:
    """Return what the words [first, last) of the clause name; None where a word of them is not understood."""
    while last > first and clause.words[last - 1] == ",":
        last -= 1
    text = clause.gist.text(clause.first + first, clause.first + last)
    if last - first > _MOST:
        return None
    if first >= last:
        return Thing()
    mine = _MY.fullmatch(text)
    if mine is not None:
        return _of_folder(clause, mine["noun"])
    for at in range(first, last):
        tail = clause.gist.text(clause.first + at, clause.first + last)
        named = _named(clause, at, tail)
        size = _SIZE.fullmatch(tail)
        if named:
            head = _kinds(clause, first, at)
            return None if head is None else replace(head, pattern=with_name(head.pattern, named))
        if size:
            head = thing(clause, first, at)
            return None if head is None else replace(head, such=(*head.such, (About.LARGER, size["b"])))
    return _kinds(clause, first, last)


def larger(text: str) -> tuple[tuple[About, str], ...]:
    """Read the words of a gist as what else must be so of a file: "that is larger than 20 MB"."""
    found = _SIZE.fullmatch(text)
    return () if found is None else ((About.LARGER, found["b"]),)


def by_name(clause: Clause, first: int, last: int) -> str:
    """Read the items [first, last) of the gist as what the file is called: a pattern, "" where they are none."""
    return _named(clause, first - clause.first, clause.gist.text(first, last))


def _named(clause: Clause, at: int, tail: str) -> str:
    for pattern, form in _NAME:
        found = pattern.fullmatch(tail)
        if found is not None:
            before = tail[: found.start("n")].count(" ")
            count = found["n"].count(" ") + 1
            said = clause.said(at + before, at + before + count)
            if said.strip(QUOTATION) == said and not _is_plain_name(found["n"].split()):
                continue
            names = [re.sub(r"[*?\[\]{}/\\,]", "?", one.strip(QUOTATION)) for one in re.split(r" or | oder ", said)]
            names = [name.lstrip(".") for name in names] if form == "*.{}" else names
            shape = "*{}*" if form == "{}" and "." not in said else form
            return shape.format(braced(name for name in names if name)) if any(names) else ""
    return ""


def _is_plain_name(words: list[str]) -> bool:
    """A name without quotation marks is short, and has no word in it that goes on with the sentence."""
    return len(words) <= _NAME_WORDS and not any(word in PREPOSITIONS or word in CHANGES for word in words)


def with_name(kind: str, name: str) -> str:
    """Return the pattern of a kind and of a name together: "*.pdf" and "*invoice*"."""
    if kind == "*":
        return name
    return (
        name.removesuffix("*") + kind
        if name.endswith("*")
        else kind
        if name == "*"
        else f"{name}{kind.removeprefix('*')}"
    )


def braced(names: Iterable[str]) -> str:
    """Return one name as it is, several in braces."""
    kept = sorted(dict.fromkeys(names))
    return kept[0] if len(kept) == 1 else "{" + ",".join(kept) + "}"


def _of_folder(clause: Clause, noun: str) -> Thing | None:
    names = {noun, *clause.lexicon.same_nouns(noun), OWN.get(noun, "")}
    folders = {path for name in names if name for path in clause.world.folders(name)}
    kinds = clause.lexicon.suffixes(noun)
    if len(folders) == 1 and not kinds:
        return Thing(folder=folders.pop(), nouns=frozenset({noun}))
    return Thing(suffixed(clause, noun), nouns=frozenset({noun})) if kinds else None


OWN = {"notes": "notes", "notizen": "notes", "notiz": "notes", "note": "notes", "notizn": "notes"}
"""What the folders of Steward's own skills are called beside their names."""


def _kinds(clause: Clause, first: int, last: int) -> Thing | None:
    """Read "a new PDF or picture", "irgendeine Datei", "budget.xlsx", "my shopping list", "eine Rechnung"."""
    if first >= last:
        return Thing()
    exact = _exact(clause, first, last)
    if exact is not None:
        return exact
    words = clause.words[first:last]
    fresh = any(word in _NEW for word in words)
    kept = [word for word in words if word not in _DETERMINERS | _NEW | _JOINED | _AS and word != "#num:1"]
    kept, office = as_patterns(kept)
    several = any(word in _JOINED for word in words)
    patterns, nouns, is_such = [], office, []
    for word in _with_pairs(clause, kept):
        noun, kind = _one(clause, word)
        nouns += noun
        if kind:
            patterns.append(kind)
        elif word not in _GENERIC:
            is_such.append(word)
    if len(is_such) > 1 or (is_such and (several or not _is_noun(is_such[0]))) or (len(patterns) > 1 and not several):
        return None
    if is_such and is_such[0] in OWN and not patterns:
        return _of_folder(clause, is_such[0])
    if is_such and clause.world.folders(is_such[0]):
        return None  # a place, and no kind of thing
    pattern = _united(patterns) if patterns else "*"
    such = ((About.IS, is_such[0]),) if is_such else ()
    return Thing(pattern, such, fresh=fresh, nouns=frozenset([*nouns, *is_such]))


def _with_pairs(clause: Clause, words: list[str]) -> list[str]:
    """The words, two as one where they are a kind of file together: "text file"."""
    found = list[str]()
    for word in words:
        pair = f"{found[-1]} {word}" if found else ""
        if clause.lexicon.suffixes(pair) and not clause.lexicon.suffixes(found[-1]):
            found[-1] = pair
        else:
            found.append(word)
    return found


_NO_FILES = frozenset(
    "event events termin termine appointment meeting entry eintrag contact kontakt task aufgabe reminder row zeile "
    "line".split()
)
"""What lies in a file among others, and is none itself."""


def _is_noun(word: str) -> bool:
    plain = word.replace("-", "").isalpha() and len(word) > 2
    return plain and not is_function_word(word) and word not in FOLDER_NOUNS | _NO_FILES


def _one(clause: Clause, word: str) -> tuple[list[str], str]:
    """The nouns of a word and the pattern that it stands for: "PDF-Datei" is a pdf, "*.tmp" is itself."""
    if word.startswith("*.") or (word.startswith(".") and word[1:].isalnum()):
        return [], f"*.{word.lstrip('*.')}"
    if "*" in word:
        return [], word
    if word in _PICTURED:
        return [word], f"*{braced(_PICTURED[word])}*"
    head, dash, tail = word.rpartition("-")
    if dash and tail in _HANGING:
        return [word, tail], suffixed(clause, head)
    return [word], suffixed(clause, word)


def suffixed(clause: Clause, word: str) -> str:
    """Return the pattern of the files that are called ``word`` by their kind, "" where it is no kind.

    A word that is a suffix itself means that one alone, in all its spellings: "zip", and "jpg" with "jpeg".
    """
    single = (
        word.removesuffix("s")
        if word.removesuffix("s") in KNOWN | {"pdf", "jpeg", "jpg", "png", "csv", "mp3"}
        else word
    )
    taught = clause.lexicon.suffixes(word) or clause.lexicon.suffixes(single)
    if single in taught:
        taught = frozenset(one for one in taught if (one[0], one[-1]) == (single[0], single[-1]))
    if not taught and single in KNOWN - {"text", "log", "so"} | {"pdf", "csv", "jpg", "png", "mp3"}:
        taught = frozenset({single})
    return f"*.{braced(taught)}" if taught else ""


def _united(patterns: list[str]) -> str:
    if len(patterns) == 1:
        return patterns[0]
    suffixes = [one[2:].strip("{}").split(",") for one in patterns if one.startswith("*.")]
    if len(suffixes) == len(patterns):
        return f"*.{braced(suffix for group in suffixes for suffix in group)}"
    return braced(patterns)


def _exact(clause: Clause, first: int, last: int) -> Thing | None:
    """One file by its name, which is there."""
    while first < last and clause.words[first] in _DETERMINERS | _GENERIC | {"namens", "called", "named"}:
        first += 1
    said = clause.said(first, last).strip(QUOTATION)
    if not said:
        return None
    if looks_like_path(said):
        there = [path for path in written(clause, said) if not clause.world.is_folder(path)]
        if len(there) == 1:
            return Thing(os.path.basename(there[0]), path=there[0], nouns=frozenset({said.casefold()}))
        return None if there or "/" in said or last - first > 1 else Thing(said, nouns=frozenset({said.casefold()}))
    if last - first > 1 and clause.words[first] in OWN:
        said = clause.said(first + 1, last).strip(QUOTATION)
    stems = clause.world.stems(said)
    if len(stems) == 1:
        return Thing(os.path.basename(stems[0]), path=stems[0], nouns=frozenset(said.casefold().split()))
    return None


def is_vague(clause: Clause, first: int, last: int) -> bool:
    """Tell whether the words [first, last) name anything at all: "something", "irgendwas"."""
    words = [word for word in clause.words[first:last] if word not in _DETERMINERS | _NEW]
    return all(word in _VAGUE | _GENERIC for word in words)
