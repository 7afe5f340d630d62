"""What a record holds that is about nobody: the home's own path, the keys of records, ids and texts of skills.

Without it a person called like the user of the home, or like a tool, would be "mentioned" by every request there was,
and forgetting them would take all of these along. What is passed over is alike in every home, so it tells nothing.
What this does not: keep the name of a home out of its own path (a path below the home counts from there on); tell a
name from a word of the language that is written alike, in what the person said or in what Steward says of a right.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from memory.graph.mentions import Mentions

if TYPE_CHECKING:
    from kernel.house import House
    from skills.model import Skill

KEYS = frozenset(
    """
action after alternatives answer answers applied approval arguments at_s attempts before begin body by call calls
candidates card changes channel choice choices clause clauses client client_key code columns commit concerns consented
conversation cost count coverage cwd dense diff effect effects end ended entities error exact example expires_at
expires_s fact facts file files flow folder format frozen home host id integrity interpreted kept key kind kinds label
labels language level level_note limit limits lines margin marks message mode modified name names node now order
origin origins parameter path place places plan question readers reason reasons recommended request resolution result
results retracted right rights role rows run runs scope score seal seed similarity size skill skill_hash sources stage
start state stem step steps subject suffix summary table tables task tasks text texts timings title titles tool total
tree truncated value values verb verdict version what where why words yes
""".split()
)
"""Keys of events, plans and results that are the same whatever was said."""

VALUES = frozenset(
    """
allow always api ask blocked changed clarify cli confirmed created declined deleted deny executed failed file folder
idempotent mcp modified moved no once page pending person plan pure refused rolled_back run system trusted untrusted
user yes
""".split()
)
"""Words that a record chooses from a closed set."""


class Sought(Mentions):
    """Tells whether a text of the record mentions somebody, as ``Mentions`` does, but for what is about nobody."""

    def __init__(self, words: Collection[str], homes: Collection[str], own: Collection[str] = ()) -> None:
        """``homes`` are the paths of the home, ``own`` texts that are Steward's or a skill's when they stand alone."""
        super().__init__(words)
        self._own = KEYS | VALUES | frozenset(own)
        paths = "|".join(re.escape(one.rstrip("/")) for one in homes if one.strip("/"))
        self._homes = re.compile(rf"(?<![\w/])(?:{paths})(?![\w.-])") if paths else None

    def in_text(self, text: str) -> bool:
        """Whether ``text`` holds a name, beyond what is about nobody."""
        if text in self._own or not super().in_text(text):
            return False
        return self._homes is None or super().in_text(self._homes.sub("~", text))


def sought(house: House, words: Collection[str]) -> Sought:
    """Return what looks for ``words`` in the record of ``house``."""
    home = str(house.folders.home)
    own = {text for skill in house.registry.skills() for text in _texts_of(skill)}
    return Sought(words, {home, os.path.realpath(home)}, own)


def _texts_of(skill: Skill) -> Iterator[str]:
    """Give the ids and texts of a skill: they are its author's, and the same in every home."""
    yield from (str(skill.id), skill.title, skill.description)
    for tool in skill.tools:
        yield from (str(tool.id), tool.summary)
        yield from (one.name for one in tool.parameters)
        for right in tool.rights:
            yield from (str(right.action), right.reason)
