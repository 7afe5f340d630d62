"""How much free text looks like something else: a pronoun, a number, a choice, words that carry requests."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from kernel.composition import weights as w
from kernel.composition.filling.announced import is_announced, is_called, strong_tails, whole_name
from kernel.composition.filling.cut_choices import cuts_choice
from kernel.composition.filling.deeds import DEED
from kernel.composition.filling.joined import NAMED
from kernel.composition.filling.no_value import says_nothing
from kernel.composition.filling.noun_phrases import describes_another, joins_nouns
from kernel.composition.filling.outcome_words import OUTCOME, is_outcome
from kernel.composition.filling.patterns import is_pattern
from kernel.composition.filling.regions import bare_opening, ends_as_dictated, has_capital_before, is_dictated
from kernel.composition.filling.standing import holds_part, is_locative, sets_apart
from kernel.composition.filling.topics import is_file_alone
from kernel.composition.profiles.profile import Box
from kernel.composition.scene import Scene, bits
from kernel.composition.segments import asks_back, opens_request
from kernel.composition.window import Filler, Window
from kernel.composition.words import is_article, is_indefinite, is_preposition, is_superlative
from kernel.language.amounts.units import MONEY
from kernel.language.function_words import is_measuring
from kernel.language.lemmas import is_known
from kernel.language.place.partial import PART
from kernel.language.place.place_words import FILE_NOUNS, looks_like_path
from kernel.model import Constant
from skills.model import Parameter, ValueKind

K = ValueKind
_LISTING = frozenset({"and", "und", ","})
_SENTENCE = 4
_NAMING = frozenset("called named titled entitled namens betitelt genannt".split())
_THERE = 0.9
_JOINING = frozenset("and or und oder".split())
_WRITTEN_AS = frozenset("as into in to als unter nach".split())
_TRAILING = frozenset("an ein auf um instead too again please bitte stattdessen anlegen".split())
"""Words behind a name, at the end of a clause, that are no part of it."""


def doubted(window: Window, box: Box, parameter: Parameter, found: list[Filler]) -> list[Filler]:
    """Free text that looks like something else is doubted: a pronoun, a number, a choice, words that carry requests."""
    scene = window.scene
    kept = []
    for one in found:
        quoted = scene.is_quoted(one.first, one.last) or one.origin in (NAMED, DEED)
        if not quoted and not is_pattern(one) and says_nothing(window, box, parameter, one):
            continue
        if _says_file(scene, parameter, one) or _is_no_unit(scene, parameter, one):
            continue
        if not quoted and is_file_alone(window, parameter, one.first, one.last):
            continue
        if not quoted and (_goes_over_path(scene, parameter, one) or _takes_in_file(scene, parameter, one)):
            continue
        if (
            one.origin in ("doubted", "choice", DEED, OUTCOME)
            or quoted
            or _is_own_title(scene, parameter, one)
            or _is_file_name(parameter, one)
        ):
            kept.append(one)
            continue
        if sets_apart(scene, window.profile, one.first, one.last):
            continue
        score = _of_pattern(window, parameter, one)
        score = one.score + _bonus(window, box, parameter, one) if score is None else score
        score = max(score, w.SURE_PLACE) if _names_in_part(window, parameter, one) else score
        origin = OUTCOME if is_outcome(window, parameter, one) else "doubted"
        kept.append(replace(one, score=min(1.0, score), origin=origin))
    return kept


def _of_pattern(window: Window, parameter: Parameter, one: Filler) -> float | None:
    """The score of a file's name or a pattern of names: it means nothing else; only what examples give such takes it.

    What is inside documents is no file's name.
    """
    if parameter.type.kind is not K.QUERY or not (is_pattern(one) or looks_like_path(_words(one))):
        return None
    mark = "*" if is_pattern(one) else "."
    taken = any(mark in word for word in window.profile.values.get(parameter.name, ()))
    return one.score if taken else one.score * w.NO_PATTERN


def _is_own_title(scene: Scene, parameter: Parameter, one: Filler) -> bool:
    """The title of something that the person has written is vouched for by the world, as a file is."""
    return parameter.type.kind is K.TITLE and any(
        span.kind is K.TITLE and span.source == "stem" and (span.first, span.last) == (one.first, one.last)
        for span in scene.spans
    )


def _is_file_name(parameter: Parameter, one: Filler) -> bool:
    """A file's name as it is written ("invoice.pdf") is nothing else, and may be looked for."""
    return parameter.type.kind is K.QUERY and one.origin == "typed" and looks_like_path(_words(one))


def _says_file(scene: Scene, parameter: Parameter, one: Filler) -> bool:
    """ "The file invoice.pdf" is looked for by its name alone."""
    written = looks_like_path(scene.tokens[one.last - 1].text)
    return parameter.type.kind is K.QUERY and written and scene.tokens[one.first].norm in FILE_NOUNS


def _goes_over_path(scene: Scene, parameter: Parameter, one: Filler) -> bool:
    """ "Region Nord holen und als Finance/nord.xlsx speichern": what is looked for has no path in the middle of it."""
    inside = scene.tokens[one.first + 1 : one.last - 1]
    return parameter.type.kind is K.QUERY and any("/" in token.text and looks_like_path(token.text) for token in inside)


def _takes_in_file(scene: Scene, parameter: Parameter, one: Filler) -> bool:
    """ "Rename IMG_1.jpg to beach day and IMG_2.jpg to picnic": a file that is there is no part of a name."""
    if parameter.type.kind is not K.TITLE:
        return False
    behind = {at + 1 for at in range(one.first + 1, one.last - 1) if scene.tokens[at].norm in _JOINING}
    files = (span for span in scene.spans if span.kind is K.FILE and span.source != "missing")
    return any(span.first in behind and span.last <= one.last and span.confidence >= _THERE for span in files)


def _is_no_unit(scene: Scene, parameter: Parameter, one: Filler) -> bool:
    """Words that name no unit and no currency: "Mehrwertsteuer steckt", "ladies from the market", "my rent"."""
    if parameter.type.kind is not K.UNIT:
        return False
    if one.last - one.first == 1:
        token = scene.tokens[one.first]
        return token.norm not in MONEY and not _is_led_to(scene, one.first) and is_known(token.norm)
    units = (span for span in scene.spans if span.kind is K.UNIT)
    return not any((span.first, span.last) == (one.first, one.last) for span in units)


def _is_led_to(scene: Scene, at: int) -> bool:
    """A unit that this house does not know is still one in "in furlongs"; a word of the language elsewhere is none."""
    named = any(span.kind is K.UNIT and span.first <= at < span.last for span in scene.spans)
    return named or (at > 0 and is_preposition(scene.tokens[at - 1].norm))


def _words(one: Filler) -> str:
    return one.argument.text if isinstance(one.argument, Constant) else ""


def _pointing(scene: Scene, parameter: Parameter, one: Filler) -> int:
    """How many words point at something else; in a body that "saying" announces they belong to what it says."""
    dictated = parameter.type.kind is K.TEXT and is_dictated(scene, one.first)
    if dictated and one.last - one.first >= _SENTENCE and not scene.pointing >> one.first & 1:
        return 0
    return (one.mask & scene.pointing).bit_count()


def _bonus(window: Window, box: Box, parameter: Parameter, one: Filler) -> float:
    scene = window.scene
    values = window.profile.values.get(parameter.name, frozenset())
    bonus = -w.DOUBT_POINTING * _pointing(scene, parameter, one)
    bonus -= w.DOUBT_PART if holds_part(scene, one.first, one.last) else 0.0
    bonus -= _doubt_opening(window, box, parameter, one) + _doubt_tail(window, parameter, one)
    bonus -= w.DOUBT_UNNAMED if parameter.names and not is_called(scene, parameter.names, one.first, one.last) else 0.0
    bonus -= w.DOUBT_HEAD if parameter.type.kind is K.QUERY and _is_asked_of(window, one) else 0.0
    bonus -= w.DOUBT_OVER if parameter.type.kind is K.QUERY and _is_thing_of_others(window, box, one) else 0.0
    if parameter.type.kind is K.TEXT:
        return bonus - _doubt_text(window, one)
    announced = (
        is_announced(scene, one.first, one.last)
        and (not one.mask & scene.hard or (parameter.type.kind is K.TITLE and _is_all_name(scene, one)))
        and window.cue(parameter.name, one.first, one.last) > w.CUED
    )
    if _is_headed(window, parameter, one):
        return 0.0
    if announced or whole_name(scene, one.first, one.last) or _is_new_name(window, parameter, one):
        return bonus
    known = 0.0
    is_title = parameter.type.kind is K.TITLE
    for at in range(one.first, one.last):
        forms = scene.forms[at]
        selects = not is_title and is_superlative(scene.tokens[at].norm)
        if any(form in values for form in forms) and not scene.free[at] and not selects:
            known = w.KNOWN_VALUE
        elif joins_nouns(scene, at, one.first, one.last) or describes_another(window, at):
            continue
        elif is_title or not _joins_known(scene, values, at, one):
            doubt = doubt_word(window, box, at, title=is_title)
            doubt += w.DOUBT_PHRASE if _opens_phrase(scene, parameter, at, one.last) else 0.0
            bonus -= doubt if is_title or not scene.free[at] else 1.5 * doubt
    return bonus + known


def _is_thing_of_others(window: Window, box: Box, one: Filler) -> bool:
    """ "Delete the task on Friday": a bare noun for what another skill keeps names none of this one's things."""
    scene, tool = window.scene, window.profile.tool
    said = [at for at in range(one.first, one.last) if not scene.free[at]]
    if window.profile.is_pure or (one.first and scene.tokens[one.first - 1].norm in _NAMING):
        return False  # "files called meeting": it is a name, and anything may be searched for
    return len(said) == 1 and not box.things(scene.intent.language, tool.skill).isdisjoint(scene.forms[said[0]])


def _joins_known(scene: Scene, values: Collection[str], at: int, one: Filler) -> bool:
    """Tell whether a word is of what joins two values that examples have, an "and" with its article: "the total and the
    date".
    """
    before = next((step for step in range(at - 1, one.first - 1, -1) if scene.words[step] and not scene.free[step]), -1)
    after = next((step for step in range(at + 1, one.last) if scene.words[step] and not scene.free[step]), -1)
    both = (any(form in values for form in scene.forms[step]) for step in (before, after) if step >= 0)
    between = {scene.tokens[step].norm for step in range(before + 1, after)} if min(before, after) >= 0 else set()
    lists = not between.isdisjoint(_LISTING) and all(one in _LISTING or is_article(one) for one in between)
    return lists and all(both)


def _is_all_name(scene: Scene, one: Filler) -> bool:
    """A name may hold a month, or a word that is a folder's name too ("VAT for March"), but no path and no place."""
    hard = [at for at in range(one.first, one.last) if scene.hard >> at & 1]
    placed = any(is_locative(scene.tokens[at - 1].norm) for at in hard if at > one.first)
    return not placed and not any(looks_like_path(scene.tokens[at].text) for at in hard)


def _is_headed(window: Window, parameter: Parameter, one: Filler) -> bool:
    """ "Rename it to Books to read": a capital right behind the word that announces a name, up to the end."""
    scene = window.scene
    if parameter.type.kind is not K.TITLE or parameter.names or scene.intent.language != "en":
        return False
    end = next((at for at in range(window.last, one.first, -1) if scene.words[at - 1]), window.last)
    small = [token for token in scene.tokens[one.first + 1 : one.last] if not token.text.isalpha()]
    parted = any(one.first < at.left < one.last and at.strength >= w.PARTING for at in scene.intent.boundaries)
    capital = scene.tokens[one.first].text[:1].isupper() and not scene.hard & one.mask
    within = range(one.first + 1, one.last)
    parted |= any(span.kind is K.FOLDER and span.first in within and span.source != "missing" for span in scene.spans)
    led = window.profile.cues.share_left(parameter.name, window.left_words(one.first)) or 0.0
    led = 1.0 if led and has_capital_before(scene, one.first + 1) else led  # "To read" is a name by its first word
    return capital and one.last == end and led > w.CUED and not small and not parted


def _names_in_part(window: Window, parameter: Parameter, one: Filler) -> bool:
    """ "My wifi guest note": words of the name of just one such thing, for a tool that only reads it."""
    if not parameter.names or not window.profile.is_pure:
        return False
    scene = window.scene
    parts = [span for span in scene.spans if span.source == PART and (span.first, span.last) == (one.first, one.last)]
    named = {span.value for span in parts if span.kind is K.FILE}
    return len(named) == 1 and is_called(scene, parameter.names, one.first, one.last)


def _is_asked_of(window: Window, one: Filler) -> bool:
    """ "The mode of all invoices", "der Modus aller Rechnungen": what is wanted of them, and not which of them.

    Of one that is known, "der Betrag der Rechnung von Nordwind", it is what is to be read there.
    """
    scene, at = window.scene, one.last
    if not _is_of_something(window, at):
        return False
    noun = next((index for index in range(at + 1, window.last) if not scene.free[index]), at)
    return not scene.hard >> noun & 1 and any(form in window.profile.carriers for form in scene.forms[noun])


def _is_of_something(window: Window, at: int) -> bool:
    """ "... of", "... von", and in German an article right behind: the words before are a noun."""
    scene = window.scene
    genitive = at < window.last and scene.determiners[at] and scene.intent.language == "de"
    return at < window.last and (genitive or scene.tokens[at].norm in ("of", "von"))


def _opens_phrase(scene: Scene, parameter: Parameter, at: int, last: int) -> bool:
    """A preposition, inside a column's name, or before an article in words to look for: "salary in the contract"."""
    if not is_preposition(scene.tokens[at].norm):
        return False
    definite = at + 1 < last and is_article(scene.tokens[at + 1].norm) and not is_indefinite(scene.tokens[at + 1].norm)
    return parameter.type.kind is K.COLUMN or (parameter.type.kind is K.QUERY and definite)


def _is_new_name(window: Window, parameter: Parameter, one: Filler) -> bool:
    """Tell whether a title is the name of a file to be, where the examples give such names: "to ideas.txt"."""
    scene, given = window.scene, window.profile.values.get(parameter.name, frozenset())
    if parameter.type.kind is not K.TITLE or not any("." in word for word in given):
        return False
    spans = (span for span in scene.spans if (span.first, span.last) == (one.first, one.last))
    return "/" not in scene.text(one.first, one.last) and any(span.kind is K.NEW_FILE for span in spans)


def _doubt_tail(window: Window, parameter: Parameter, one: Filler) -> float:
    """What "called" announces is not cut at a mere preposition, unless a known thing follows it."""
    scene = window.scene
    trails = one.last - one.first > 1 and scene.tokens[one.last - 1].norm in _TRAILING and _closes(window, one.last)
    if trails and not (parameter.type.kind in (K.TEXT, K.TITLE) and ends_as_dictated(window, one.first, one.last)):
        return w.DOUBT_CUT
    for first, end in strong_tails(scene):
        last = min(end, window.last)
        if one.first == first and one.last < last and _only_trails(scene, one.last, last) and _closes(window, last):
            continue
        if one.first < first or one.last > last or (one.first, one.last) == (first, last):
            continue
        rest = bits(first, last) & ~one.mask
        if one.first > first and scene.free[one.first - 1]:
            return w.DOUBT_CUT
        if one.first == first and not rest & scene.hard and scene.free[one.last]:
            return w.DOUBT_CUT
    return 0.0


def _closes(window: Window, at: int) -> bool:
    """The clause ends at ``at``."""
    return at >= window.last or not window.scene.words[at]


def _only_trails(scene: Scene, first: int, last: int) -> bool:
    """Words that belong to the verb and not to a name: "einen Ordner namens Archiv an", "the name Arm instead"."""
    return all(scene.tokens[at].norm in _TRAILING or not scene.words[at] for at in range(first, last))


def _doubt_text(window: Window, one: Filler) -> float:
    """A body of text does not end in the middle of a phrase, is no echo of the request, and hardly holds a path."""
    scene = window.scene
    doubt = w.DOUBT_ECHO if _only_carriers(window, one) else w.DOUBT_CUT if cuts_choice(window, one) else 0.0
    tail = one.last - 1
    if (
        tail > one.first
        and scene.free[tail]
        and (scene.determiners[tail] or is_preposition(scene.tokens[tail].norm) or scene.tokens[tail].norm in _JOINING)
        and not (is_preposition(scene.tokens[tail].norm) and ends_as_dictated(window, one.first, one.last))
    ):
        doubt += w.DOUBT_TAIL
    doubt += w.DOUBT_OVER if _says_where_to(window, one) else 0.0
    doubt += w.DOUBT_CUT if _says_what_it_is(window, one) else 0.0
    doubt += _doubt_title(window, one)
    if not is_dictated(scene, one.first) and any(one.first < start < one.last for start, _ in strong_tails(scene)):
        doubt += w.DOUBT_CUT  # "a note called X with the text Y, and add Z" is no text
    if any(one.mask & quoted == quoted and quoted >> one.first & 1 and one.mask != quoted for quoted in scene.quoted):
        doubt += w.DOUBT_CUT  # "the text “Who pays?”, and add Z": the quotation is the text
    doubt += w.DOUBT_OVER if not is_dictated(scene, one.first) and _runs_over(scene, one) else 0.0
    return doubt + w.DOUBT_MARK * ((one.mask & scene.hard) != 0)


def _says_where_to(window: Window, one: Filler) -> bool:
    """ "Bitte in eine Notiz …", "das Ganze als a.csv": where it is to be written, and as what."""
    scene, at = window.scene, one.first
    if is_dictated(scene, one.first):
        return False
    before = scene.tokens[one.last - 2].norm
    if one.last - one.first > 2 and before in _WRITTEN_AS and looks_like_path(scene.tokens[one.last - 1].text):
        return True
    while at < one.last and scene.free[at] and not is_preposition(scene.tokens[at].norm):
        at += 1
    return at + 2 <= one.last and is_preposition(scene.tokens[at].norm) and scene.determiners[min(at + 1, one.last - 1)]


def _doubt_title(window: Window, one: Filler) -> float:
    """ "Note the code as safe", "milk and eggs called shopping": a text takes in no title, and is none itself."""
    scene, titles = window.scene, [one.name for one in window.profile.tool.parameters if one.type.kind is K.TITLE]
    if not titles:
        return 0.0
    if one.first and scene.tokens[one.first - 1].norm in _NAMING:
        return w.DOUBT_OVER
    inside = range(one.first + 1, one.last - 1)
    if any(scene.tokens[at].norm in _NAMING for at in inside):
        return w.DOUBT_CUT
    cues = window.profile.cues
    leads = (at for at in inside if scene.free[at] and not is_dictated(scene, one.first))
    return (
        w.DOUBT_MARK if any((cues.share_left(titles[0], (scene.keys[at],)) or 0.0) >= w.CUED for at in leads) else 0.0
    )


def _says_what_it_is(window: Window, one: Filler) -> bool:
    """ "The command ls -la": an article and the word behind which the examples have the text itself."""
    scene, at = window.scene, one.first + 1
    if not scene.determiners[one.first] or at + 1 >= one.last or scene.free[at]:
        return False
    return (window.profile.cues.share_left(one.parameter, (scene.keys[at], *scene.forms[at])) or 0.0) >= w.CUED


def _runs_over(scene: Scene, one: Filler) -> bool:
    """ "Call Karl, and what's his number": where a mark and a joining word stand before a request, the text is over.

    So it is where Steward is told to answer: "call Karl and give me his number".
    """
    inside = [at for at in scene.intent.boundaries if one.first < at.left and at.at < one.last]
    return any(opens_request(at) or asks_back(scene.intent, at) for at in inside)


def _only_carriers(window: Window, one: Filler) -> bool:
    """Nothing but words with which the tool is asked for ("a note")."""
    scene, carriers = window.scene, window.profile.carriers
    content = [at for at in range(one.first, one.last) if not scene.free[at]]
    return all(any(form in carriers for form in scene.forms[at]) for at in content)


def _doubt_opening(window: Window, box: Box, parameter: Parameter, one: Filler) -> float:
    """Free text hardly begins with the clause's verb or with the very word that announces it."""
    scene, forms = window.scene, window.scene.forms[one.first]
    doubt = 0.0
    if parameter.type.kind is not K.TEXT:
        cues = window.profile.cues
        inside = (
            at
            for at in range(one.first, max(one.last - 1, one.first + 1))
            if not joins_nouns(scene, at, one.first, one.last)
        )
        announced = [at for at in inside if cues.share_left(parameter.name, (scene.keys[at], *scene.forms[at]))]
        doubt += w.DOUBT_CUE * len(announced)
    if parameter.type.kind is K.TITLE and scene.intent.language == "en" and has_capital_before(scene, one.first):
        doubt += w.DOUBT_CUT
    begun = any(at.at == one.first and at.connective not in ("", ":") for at in scene.intent.boundaries)
    opens = one.first == scene.request_begins(window.first, window.last)
    if begun and parameter.type.kind in (K.TITLE, K.QUERY) and box.is_verb(forms, scene.intent.language):
        doubt += w.DOUBT_VERB  # "find it and delete": what another request begins with
    if opens and not (_is_of_something(window, one.last) and bare_opening(window, parameter.name, one.first)):
        doubt += w.DOUBT_VERB if box.is_verb(forms, scene.intent.language) else w.DOUBT_OPENING
    doubt += w.DOUBT_HARD if _begins_with_hours(window, one) else 0.0
    return doubt + (w.DOUBT_CUE if _is_measured(window, parameter, one) else 0.0)


def _begins_with_hours(window: Window, one: Filler) -> bool:
    """ "(Erinnere mich morgen) Abend an den Müll": a time of day, where the tool takes one."""
    takes = any(each.type.kind is K.HOURS for each in window.profile.tool.parameters)
    hours = (span for span in window.scene.spans if span.kind is K.HOURS and span.first == one.first)
    return takes and any(span.last < one.last for span in hours)


def _is_measured(window: Window, parameter: Parameter, one: Filler) -> bool:
    """ "Long" in "how long is it": what is asked, and no value, unless examples have such a one there."""
    scene, cues, lead = window.scene, window.profile.cues, one.first - 1
    asked = lead >= window.first and one.last - one.first == 1 and is_measuring(scene.tokens[lead].norm)
    return asked and not cues.share_left(parameter.name, (scene.keys[lead], *scene.forms[lead]))


def doubt_word(window: Window, box: Box, at: int, *, title: bool = False) -> float:
    """How much one word of a short free text looks like something else. A ``title`` may be called like anything."""
    scene, token = window.scene, window.scene.tokens[at]
    if scene.hard >> at & 1:
        return w.DOUBT_HARD
    if scene.free[at]:
        return 0.0 if scene.determiners[at] else w.DOUBT_MARK
    extreme = w.DOUBT_EXTREME if is_superlative(token.norm) else 0.0
    other = _doubt_known(window, box, at, title=title)
    return max(extreme, other) if title else extreme + other


def _doubt_known(window: Window, box: Box, at: int, *, title: bool) -> float:
    """A word that is a choice, or with which something is asked for."""
    scene, forms = window.scene, window.scene.forms[at]
    if any(form in window.profile.phrases for form in forms):
        return w.DOUBT_OWN_CHOICE
    if box.is_choice(forms, scene.intent.language) or scene.costs[at] == w.NUMBER:
        return w.DOUBT_CHOICE
    if any(form in window.profile.carriers for form in forms):
        return w.DOUBT_OWN_CARRIER
    if not box.is_carrier(forms, scene.intent.language):
        return 0.0
    return w.DOUBT_TITLE_CARRIER if title else w.DOUBT_CARRIER
