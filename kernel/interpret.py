"""Interpret: an utterance becomes an Intent, the segment lattice of the sentence. Pure; nothing is decided here."""

from __future__ import annotations

from dataclasses import replace

from kernel.context.deeds import Past
from kernel.context.world import World
from kernel.errors import BadRequest
from kernel.firewall import concern
from kernel.language import Found, Lexicon, Line, guess_language, tokenize, words_of
from kernel.language.amounts.counts import find_numbers
from kernel.language.amounts.expressions import find_expressions
from kernel.language.amounts.open_expressions import find_open_expressions
from kernel.language.amounts.quantities import find_durations, find_quantities, find_units
from kernel.language.amounts.sizes import find_sizes
from kernel.language.boundaries import find_boundaries
from kernel.language.conditions import find_conditions
from kernel.language.frame.dislocated import in_place
from kernel.language.frame.framing import Frames
from kernel.language.frame.hesitations import without_hesitations
from kernel.language.frame.passives import in_active
from kernel.language.frame.topics import with_topic
from kernel.language.frame.verb_last import in_front
from kernel.language.free_text import covered, find_chunks, find_globs, find_quoted, find_tails, quotes, told_text
from kernel.language.kindred import in_known_words
from kernel.language.leaning import leaning
from kernel.language.place.done_before import done_before
from kernel.language.place.places import Places, leads_to_place
from kernel.language.place.web_addresses import find_web_addresses, without_missing_files
from kernel.language.records import find_records
from kernel.language.references import find_references
from kernel.language.spelling import mend
from kernel.language.time.dates import find_dates
from kernel.language.time.hours import find_hours, find_repeats
from kernel.language.time.periods import find_periods
from kernel.language.truth import find_booleans
from kernel.language.written_moments import find_written_moments
from kernel.model import Intent, Span, Utterance
from permissions.labels import Label
from skills.model import ValueKind

LONGEST_TEXT = 20_000
"""Characters of a request beyond which it is refused."""

_GRAMMARS = (
    find_numbers,
    find_dates,
    find_periods,
    find_hours,
    find_repeats,
    find_durations,
    find_sizes,
    find_quantities,
    find_units,
    find_expressions,
    find_open_expressions,
    find_conditions,
    find_booleans,
    find_records,
    find_web_addresses,
    find_written_moments,
)
_HOLDING = frozenset(
    {
        ValueKind.INTEGER,
        ValueKind.DATE,
        ValueKind.PERIOD,
        ValueKind.DURATION,
        ValueKind.HOURS,
        ValueKind.RECURRENCE,
        ValueKind.SIZE,
        ValueKind.QUANTITY,
        ValueKind.EXPRESSION,
        ValueKind.FILE,
        ValueKind.FOLDER,
        ValueKind.RECORD,
        ValueKind.URL,
    }
)
_SURE_RECORD = 0.8


def interpret(
    utterance: Utterance, world: World, lexicon: Lexicon, usual: str = "en", past: Past | None = None
) -> Intent:
    """Return the lattice of ``utterance``: tokens, typed spans, references and optional boundaries, and any concern.

    ``usual`` is the language of the conversation, which counts where the words belong to none; ``past`` what was done
    before. Raises BadRequest when there is nothing to read or far too much of it.
    """
    line = without_hesitations(read(utterance, lexicon, usual), lexicon)
    line = in_place(in_front(in_active(line, lexicon), lexicon), lexicon)
    line = with_topic(mend(line, lexicon, world.has_word), lexicon)
    line = in_known_words(line, lexicon, world.has_word)
    quoted = quotes(line)
    inside = covered(quoted)
    typed = [found for grammar in _GRAMMARS for found in grammar(line) if _stands(found, quoted, inside)]
    typed += Places(world, utterance.cwd, lexicon).find(line, quoted)
    typed = without_missing_files(typed)
    dictated = told_text(line)
    typed = [one for one in typed if not (one.source == "missing" and one.first in dictated)]
    recalled = list(done_before(line, past, world, lexicon, inside)) if past is not None else []
    recalled = [one for one in recalled if not _is_whole(line, one)]
    typed = [*_beside(typed, recalled), *recalled]
    boundaries = find_boundaries(line, lexicon, _closed(typed, quoted))
    starts = frozenset({0, *(boundary.at for boundary in boundaries)})
    free = [*find_quoted(line, quoted), *find_globs(line), *find_chunks(line, lexicon, quoted, starts)]
    free += find_tails(line, lexicon, boundaries, quoted, leads_to_place(line, typed))
    free = _beside(free, recalled)
    inside |= {at for one in recalled for at in range(one.first, one.last)}
    intent = Intent(
        text=utterance.text,
        language=line.language,
        tokens=line.tokens,
        spans=_spans([*typed, *free], utterance.label),
        references=tuple(find_references(line, lexicon, inside)),
        boundaries=boundaries,
        label=utterance.label,
    )
    return replace(intent, concern=concern(utterance.text, intent))


def read(utterance: Utterance, lexicon: Lexicon, usual: str = "en") -> Line:
    """Return the tokenised sentence. Raises BadRequest when it is empty or too long."""
    text = utterance.text
    if not text or not any(letter.isprintable() and not letter.isspace() for letter in text):
        raise BadRequest("request.empty", "The request is empty.", hint="Say what you would like to have done.")
    if len(text) > LONGEST_TEXT:
        raise BadRequest(
            "request.too_long",
            f"The request has {len(text)} characters; {LONGEST_TEXT} are the most that are read.",
            hint="Put the long text into a file and name the file in the request.",
        )
    known = lexicon.english, lexicon.german, lexicon.opens_de
    language = guess_language(words_of(text), *known, lean=leaning, usual=usual or "en")
    return Line(text, tokenize(text, language), language, utterance.now)


def _stands(found: Found, quoted: tuple[tuple[int, int], ...], inside: frozenset[int]) -> bool:
    """Inside quotation marks only a value that is the whole quotation counts."""
    if found.first not in inside and found.last - 1 not in inside:
        return True
    return any((found.first, found.last) in {(first + 1, last - 1), (first, last)} for first, last in quoted) or any(
        found.first < first and last <= found.last for first, last in quoted
    )


def _beside(found: list[Found], recalled: list[Found]) -> list[Found]:
    """What does not cut into the words that say what was done before: beside them, or all around them."""
    return [
        one
        for one in found
        if all(
            one.last <= other.first or other.last <= one.first or (one.first < other.first and other.last <= one.last)
            for other in recalled
        )
    ]


def _is_whole(line: Line, recalled: Found) -> bool:
    """ "I wonder where I put that packing list": where something was put is what is asked, and no place to work in."""
    if recalled.kind is not ValueKind.FOLDER:
        return False
    first = Frames([token.norm for token in line.tokens]).lead(0)
    return recalled.first <= first and all(line.is_mark(at) for at in range(recalled.last, line.size))


def _closed(typed: list[Found], quoted: tuple[tuple[int, int], ...]) -> frozenset[int]:
    """The tokens before which no clause can begin: they continue a value or a quotation."""
    held = [(found.first, found.last) for found in typed if found.kind in _HOLDING and _holds(found)]
    return frozenset(index for first, last in (*held, *quoted) for index in range(first + 1, last))


def _holds(found: Found) -> bool:
    return found.kind is not ValueKind.RECORD or found.confidence >= _SURE_RECORD


def _spans(found: list[Found], label: Label) -> tuple[Span, ...]:
    """Return the spans by place, the surest first, without repetitions."""
    unique = {(item.kind, item.first, item.last, repr(item.value), item.source): item for item in found}
    ordered = sorted(unique.values(), key=lambda item: (item.first, item.last, -item.confidence, item.kind))
    return tuple(
        Span(item.kind, item.first, item.last, item.value, round(item.confidence, 3), label, item.source)
        for item in ordered
    )
