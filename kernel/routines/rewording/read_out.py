"""What is to be read out of the file that a rule waits for, where nothing says of what: "dig out the booking number".

Known are the verbs that say so, in two parts ("such ... heraus"), and not what such values are called: a document may
have any. Then it is "the booking number of" that file; so is a column of a table, "die Spalte Menge". What this does
not: touch what says itself where it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from kernel.language import Line
from kernel.language.line import stretches
from kernel.routines.hearing.model import Words

_NO_FILE = r"(?!(?:new |last )?(?:file|folder|photo|picture|song|document|pdf|program|page)s?\b)"
_KEINE_DATEI = r"(?!(?:datei|dateien|ordner|fotos?|bilder|dokumente?|pdfs?|programm|seite)\b)"
_ELSEWHERE = r"(?! (?:of|in|from|von|aus) )"
_ENDS = r"(?= (?:and|then|und|dann|[,.;!])|$)"
_NP = rf"(?P<said>the {_NO_FILE}[\w-]+(?: [\w-]+){{0,2}}?)"
_READS: Mapping[str, tuple[str, ...]] = {
    "en": (
        rf"(?P<said>the (?:column [\w-]+|[\w-]+ column)){_ELSEWHERE}",
        rf"(?:dig|fish|pick|pull|find|read|look|get|take|work) (?:out|up|off) {_NP}{_ENDS}",
        rf"(?:dig|fish|pick|pull|read|look|get|take) {_NP}(?= (?:out|up|off) )",
        rf"extract {_NP}{_ENDS}",
    ),
    "de": (
        rf"(?P<said>die spalte [\w-]+){_ELSEWHERE}",
        r"(?:suche?|finde?|lies|lese?|hole?|ziehe?|schaue?|ermittle) (?:(?:mir|ma|bitte|dann|mal) )*"
        rf"(?P<said>(?:die|den|das) {_KEINE_DATEI}[\w-]+(?: [\w-]+)?)(?= (?:heraus|raus|ab|nach)(?: |$))",
    ),
}  # fmt: skip


def read_out(line: Line, gone: frozenset[int], place: str) -> dict[Words, str]:
    """Return the stretches outside the tokens ``gone`` that name such values, with words that say of what they are."""
    of = "aus" if line.language == "de" else "of"
    found = (one for form in _compiled(line.language) for one in stretches(line, gone, form))
    return {one: f"{line.slice(*one)} {of} {place}" for one in found}


@cache
def _compiled(language: str) -> tuple[re.Pattern[str], ...]:
    """No start waits for them: most sentences have no trigger."""
    return tuple(re.compile(rf"(?<![\w-]){form}") for form in _READS.get(language, ()))
