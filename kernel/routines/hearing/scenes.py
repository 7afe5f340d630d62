"""What the sentence before has told of, taken up again: "My brother edits plan.csv. Each time he does so, ...".

Only a file or a folder that the sentence names is taken up, and only what it says happens to it.
"""

from __future__ import annotations

import re
from dataclasses import replace

from kernel.routines.hearing.changes import CHANGES
from kernel.routines.hearing.files_seen import file_seen
from kernel.routines.hearing.opening import Opening, Weight
from kernel.routines.hearing.reading import Clause, Reading
from kernel.routines.model import Change, FileSeen

_DOES = re.compile(
    r"(?:he|she|it|they|somebody|someone|that|this) (?:does|do|did|happens?)(?: (?:so|that|it|this))?|"
    r"(?:er|sie|es|jemand|wer) (?:das|es) (?:tut|tun|macht|machen)|(?:das|es|so ?was) (?:passiert|geschieht|vorkommt)"
)
_SUCH = re.compile(r"(?:such(?: an?)?|solche[nrs]?) (?P<noun>\w+)(?: (?:of (?:his|hers|theirs)|von (?:ihm|ihr)))?")
_NOUNS = {
    **dict.fromkeys("edit change update modification änderung bearbeitung".split(), Change.CHANGED),
    **dict.fromkeys("deletion removal löschung".split(), Change.DELETED),
}
_ENDS = frozenset(". !".split())
_LONGEST = 14


def of_scene(clause: Clause) -> Reading | None:
    """Return what the sentence before tells of, where the clause says no more than that it happens."""
    gist, at = clause.gist, clause.opening.at
    such = _SUCH.fullmatch(clause.text) if clause.opening.each == "after" else None
    if gist.word(at - 1) not in _ENDS or not (such or (not clause.opening.each and _DOES.fullmatch(clause.straight))):
        return None
    first = next((one + 1 for one in range(at - 2, -1, -1) if gist.word(one) in _ENDS), 0)
    for verb in (one for one in range(first, at - 1) if gist.word(one) in CHANGES):
        for last in range(min(at - 1, verb + _LONGEST), verb + 1, -1):
            told = Clause(gist, Opening(verb, verb, Weight.EVERY), verb, last, clause.world, clause.cwd, clause.lexicon)
            read = file_seen(told)
            if isinstance(read, Reading) and _is_there(read, such, clause):
                return replace(read, told=(first, at))
    return None


def _is_there(read: Reading, such: re.Match[str] | None, clause: Clause) -> bool:
    """Tell whether the sentence names the place, and the clause speaks of what happens there."""
    if not isinstance(read.trigger, FileSeen) or read.trigger.folder == clause.world.home:
        return False
    return such is None or _NOUNS.get(such["noun"]) is read.trigger.change
