"""Where free text may stand: between the words that stand beside a parameter's slot in the tool's examples."""

from __future__ import annotations

from collections.abc import Iterator

from kernel.composition import weights as w
from kernel.composition.profiles.cues import AFTER_ARTICLE
from kernel.composition.profiles.skeletons import START
from kernel.composition.scene import Scene, bits
from kernel.composition.window import Window
from kernel.composition.words import is_negation
from kernel.language.left_apart import is_left, may_be_left
from kernel.language.said import said_in

OF_WHOM = frozenset({"'s", "’s"})
_THAT = frozenset("dass daß".split())
_DICTATING = frozenset("saying says say reads text words content : dass that lautet inhalt worten wortlaut".split())
_TO_WHOM = frozenset("me us mir uns".split())
_WITH_VERB = frozenset("noch mal bitte doch dann".split())


def regions(window: Window, name: str, *, through: bool = False) -> list[tuple[int, int, float]]:
    """Return stretches [start, end) that stand where examples have the parameter, with a cue score 0..1, best first.

    ``through`` lets a stretch run over hard values (a described object may contain a folder or a date).
    """
    found: dict[tuple[int, int], float] = {}
    cues = window.profile.cues
    ends: list[tuple[int, float]] | None = None  # wherever it begins, it may end at the same places
    for start in range(window.first, window.last):
        left = cues.share_left(name, window.left_words(start)) or bare_opening(window, name, start)
        if not left or not _may_start(window.scene, start) or _says_to_whom(window, start):
            continue
        if window.scene.tokens[start].norm in _THAT and cues.share_left(name, window.left_words(start + 1)):
            continue  # where examples begin the text behind it, it is none of the text
        ends = list(_ends(window, name, through=through)) if ends is None else ends
        for end, right in ends:
            if through and _cuts_its_end(window, start, end):
                continue
            if end > start and (through or not window.scene.hard & bits(start, end)):
                found[start, end] = 0.6 * left + 0.4 * right
    ranked = sorted(((start, end, score) for (start, end), score in found.items()), key=lambda one: (-one[2], one[0]))
    return ranked[: 3 * w.REGIONS]


def bare_opening(window: Window, name: str, start: int) -> float:
    """A value that an example had may open a clause without the article that the examples have before it."""
    if window.left_words(start) != (START,):
        return 0.0
    known = window.profile.values.get(name, frozenset())
    if window.scene.free[start] or known.isdisjoint(window.scene.forms[start]):
        return 0.0
    return window.profile.cues.share_left(name, (START, AFTER_ARTICLE)) or 0.0


def _may_start(scene: Scene, start: int) -> bool:
    """A text begins with a word or a quotation mark, not with what belongs to one before it: "schreiben Sie noch"."""
    token = scene.tokens[start]
    polite = start > 0 and (scene.tokens[start - 1].text == "Sie" or start - 1 == scene.begin)
    if start and scene.words[start - 1] and (token.text == "Sie" or (polite and token.norm in _WITH_VERB)):
        return False
    if token.norm in OF_WHOM or (scene.intent.language == "en" and has_capital_before(scene, start)):
        return False
    return scene.words[start] or token.norm in "\"'“„‘‚"


def _says_to_whom(window: Window, start: int) -> bool:
    """ "Show me the number": behind the verb it is said to whom, and no text begins."""
    scene = window.scene
    if scene.tokens[start].norm not in _TO_WHOM or start + 1 >= window.last or not scene.words[start + 1]:
        return False
    return start - 1 == scene.request_begins(window.first, window.last)


def has_capital_before(scene: Scene, start: int) -> bool:
    """ "Make the list To read": a small word with a capital inside a sentence is the beginning of a name."""
    if start < 2 or start - 1 <= scene.begin or not scene.words[start - 2]:
        return False
    before = scene.tokens[start - 1].text
    return scene.free[start - 1] and before[:1].isupper() and before[1:].islower()


def _ends(window: Window, name: str, *, through: bool) -> Iterator[tuple[int, float]]:
    """Where such a stretch may end, each with how well the words behind it end the parameter, 0..1."""
    scene, cues = window.scene, window.profile.cues
    others = [other for other in cues.left if other != name]
    final = window.last
    while final > window.first and not scene.words[final - 1]:
        final -= 1
    for end in range(window.first + 1, final + 1):
        words = window.right_words(end)
        right = cues.share_right(name, words)
        stops = right or any(cues.share_left(other, words) for other in others)
        if end == final or stops or not scene.words[end] or (not through and scene.hard & (1 << end)):
            yield end, 0.2 if right is None else right


def is_dictated(scene: Scene, start: int) -> bool:
    """Tell whether the word before ``start`` says that the person's own text follows: "saying", "mit dem Text"."""
    return start > 0 and scene.tokens[start - 1].norm in _DICTATING


def ends_as_dictated(window: Window, start: int, end: int) -> bool:
    """Tell whether a dictated text runs to the end of the clause, and its last word is its own.

    "Mit dem Text Bring Kuchen mit", "saying please switch it on": nothing follows that the word could lead to, and no
    German verb left it there.
    """
    scene = window.scene
    if not is_dictated(scene, start) or not start < end or any(scene.words[end : window.last]):
        return False
    if scene.intent.language != "de":
        return True
    return not is_left(scene.tokens, window.first, (start, end), said_in(window.profile.tool.examples).parted)


def _cuts_its_end(window: Window, start: int, end: int) -> bool:
    """The text would end before a lone last word that could be a verb's, and is its own."""
    scene = window.scene
    is_short = end < window.last and may_be_left(scene.tokens[end].norm)
    return is_short and scene.intent.language == "de" and ends_as_dictated(window, start, end + 1)


def trim(scene: Scene, start: int, end: int) -> tuple[int, int] | None:
    """Drop closed-class words and marks at both ends."""
    while start < end and _is_edge(scene, start):
        start += 1
    while end > start and _is_edge(scene, end - 1):
        end -= 1
    return (start, end) if end > start else None


def _is_edge(scene: Scene, index: int) -> bool:
    token = scene.tokens[index]
    named = index > 0 and token.text[:1].isupper() and len(token.text) > 1
    return not scene.words[index] or (scene.free[index] and not named and not is_negation(token.norm))
