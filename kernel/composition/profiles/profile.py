"""A profile: what a tool's manifest teaches in one language. ``profiling`` makes it, everything else reads it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from kernel.composition.profiles.choice_phrases import ChoicePhrase
from kernel.composition.profiles.cues import Cues
from kernel.composition.profiles.skeletons import Skeleton
from skills.model import EffectClass, Parameter, SkillId, Tool, ToolId, ValueKind

if TYPE_CHECKING:
    from kernel.composition.schemas.untaught import Untaught


@dataclass(frozen=True, slots=True)
class Profile:
    """One tool in one language."""

    tool: Tool
    language: str
    skeletons: tuple[Skeleton, ...]
    cues: Cues
    verbs: Counter[str]  # how often each form begins an example
    alike: Mapping[str, str]  # other verbs, by the one of these that means the same
    vocabulary: Mapping[str, float]  # form -> how far it explains a token, 0..1
    phrases: Mapping[str, tuple[ChoicePhrase, ...]]  # by every form of the first word
    values: Mapping[str, frozenset[str]]  # forms of the words that stood in each parameter's slots
    seen: frozenset[str]  # the same of all parameters
    told: Mapping[str, frozenset[tuple[str, ...]]]  # the values of closed-class words alone: "by when"
    carriers: frozenset[str]  # content words of the examples, outside their slots
    telling: frozenset[str]  # those that say what the tool does; a framing verb only where an example has no other
    nouns: frozenset[str]  # those that stand behind an article somewhere: what the tool is about
    announcers: frozenset[str]  # content words right before a slot of free text that begin no example
    asks: bool  # some example is a question
    count: str  # the parameter that limits a result of many, "" when there is none
    ordering: frozenset[str]  # choice parameters whose words pick an extreme
    percentages: frozenset[str]  # numbers behind which the examples say "percent"
    makes: frozenset[str]  # folders that need not be there: things are put into them, and nothing of theirs goes
    left_out: Mapping[str, str]  # what the examples except ("except the {not_kind:pdfs}"): as which other parameter

    @property
    def is_pure(self) -> bool:
        """Tell whether the tool only reads."""
        return self.tool.effect is EffectClass.PURE

    def removes(self, name: str) -> bool:
        """Tell whether what the parameter names is no longer there after a call."""
        return any(right.action == "fs.delete" and right.scope == f"{{{name}}}" for right in self.tool.rights)

    def begins(self, words: Iterable[str]) -> int:
        """Return how often one of ``words`` begins an example, or a verb that means the same does."""
        return max(
            (self.verbs.get(word, 0) or self.verbs.get(self.alike.get(word, ""), 0) for word in words), default=0
        )

    def in_its_words(self, word: str) -> str:
        """Return ``word``, or the verb of the examples that means the same where none of them has the word."""
        return word if word in self.carriers else self.alike.get(word, word)

    @property
    def destroys(self) -> bool:
        """Tell whether what a call takes away is gone afterwards, and not only called otherwise or elsewhere."""
        actions = {right.action for right in self.tool.rights}
        return "fs.delete" in actions and "fs.create" not in actions

    @property
    def takes_patterns(self) -> bool:
        """Tell whether some example has a pattern of file names for a value."""
        return any("*" in word for word in self.seen)

    def parameter(self, name: str) -> Parameter:
        """Return the parameter called ``name``. Raises KeyError."""
        return self.tool.parameter(name)


class Box(Protocol):
    """What composition needs of a toolbox."""

    untaught: Untaught
    gatherer: Tool | None
    """The tool that makes one text of several."""

    def profile(self, tool: ToolId, language: str) -> Profile: ...
    def idf(self, feature: str, language: str) -> float: ...
    def weights(self, language: str) -> Mapping[str, float]: ...
    def masses(self, profile: Profile) -> tuple[float, ...]: ...
    def shared(self, profile: Profile, features: Iterable[str]) -> Mapping[int, float]: ...
    def is_verb(self, words: Iterable[str], language: str) -> bool: ...
    def verb_count(self, words: Iterable[str], language: str) -> int: ...
    def is_choice(self, words: Iterable[str], language: str) -> bool: ...
    def is_carrier(self, words: Iterable[str], language: str) -> bool: ...
    def things(self, language: str, but: SkillId) -> frozenset[str]: ...
    def producers(self, kind: ValueKind) -> frozenset[ToolId]: ...
    def tellers(self) -> frozenset[ToolId]: ...
    def knows(self, tool: ToolId) -> bool: ...
    def amending(self, tool: ToolId) -> tuple[Tool, ...]: ...
    def learnt(self, language: str) -> frozenset[ToolId]: ...
    def tool(self, tool: ToolId) -> Tool: ...
