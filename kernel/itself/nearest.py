"""What a refusal names: at most two sentences that would have worked, and only where they are really near."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kernel.asking.foreign import languages_of
from kernel.itself.examples import Places
from kernel.itself.introduce import sayings
from kernel.model import Candidate
from skills.model import Tool, ToolId

NEAR, NEAR_IN_WORDS = 4.0, 3.0
"""From which score of the whole sentence on a tool is near: with vectors, and by words alone.

Of 26 requests that no skill does, those about the same things ("delete the tmp files in Downloads", "merge pdf files")
score 4.0 to 5.6 for what is near, the others ("play some music", "what's the weather") 0.6 to 3.7; by words alone 3.1
to 4.4 and 0 to 3.0.
"""

SENTENCES = 2

_WORDS = {
    "en": (" The nearest I can do: {said}.", "“{}”", " or "),
    "de": (" Am nächsten kommt: {said}.", "„{}“", " oder "),
}


def near_words(
    candidates: Sequence[Candidate], tool_of: Callable[[ToolId], Tool], language: str, places: Places | None
) -> str:
    """Return the sentence that names what is near, with places of this home; nothing where nothing is."""
    said: list[str] = []
    for tool in near_tools(candidates):
        texts = sayings(tool_of(tool), places).get(language) or []
        said += [text for text in texts[:1] if text not in said]
    if not said:
        return _to_teach(candidates, tool_of, language, places)
    frame, quoted, joined = _WORDS.get(language, _WORDS["en"])
    return frame.format(said=joined.join(quoted.format(text) for text in said[:SENTENCES]))


_TEACH = {
    "en": " The nearest is {skill}, which has no examples in English, only in {others} (“{said}”). If that is what you "
    "want, teach me your words: say “that means: {said}”. ./steward memory learned lists what you taught.",
    "de": " Am nächsten kommt {skill}; Beispiele auf Deutsch gibt es dort nicht, nur auf {others} („{said}“). Wenn das "
    "gemeint ist, bring mir deine Worte bei: „damit meine ich: {said}“. Was ich so gelernt habe, zeigt "
    "./steward memory learned.",
}


def _to_teach(
    candidates: Sequence[Candidate], tool_of: Callable[[ToolId], Tool], language: str, places: Places | None
) -> str:
    """Offer that the person teaches their words to what is near and has examples in other languages only."""
    spoken = language if language in _TEACH else "en"
    for tool in map(tool_of, near_tools(candidates)):
        texts = [text for said in sayings(tool, places).values() for text in said]
        if texts:
            others = languages_of([tool], spoken)
            return _TEACH[spoken].format(skill=tool.skill, others=others, said=texts[0])
    return ""


def near_tools(candidates: Sequence[Candidate]) -> list[ToolId]:
    """Return the tools that the whole sentence is near to, the nearest first."""
    longest = max((one.last - one.first for one in candidates), default=0)
    whole = [one for one in candidates if one.last - one.first == longest]
    vectors = any(one.reasons.get("dense") for one in whole)
    near = [one for one in whole if one.score >= (NEAR if vectors else NEAR_IN_WORDS)]
    return list(dict.fromkeys(one.tool for one in sorted(near, key=lambda one: -one.score)))
