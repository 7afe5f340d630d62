"""Deeds that only a device does which no skill works: what is to be printed on paper, or faxed.

What this stops: another request read out of the words ("a task called printer upstairs"), or offered for them.
What it does not: keep back "print the note", which shows it, nor anything that a tool speaks of by itself.
"""

from __future__ import annotations

from kernel.asking import wording
from kernel.asking.harm import SURELY_A_VERB
from kernel.composition.profiles.profile import Box
from kernel.composition.scene import Scene
from kernel.model import Decline

_PRINTS = frozenset("print printing druck drucke drucken ausdrucken".split())
_FAXES = frozenset("fax faxe faxen".split())
_PRINTERS = frozenset("printer printers drucker druckers".split())
_ON_PAPER = frozenset("paper hardcopy papier".split())
_OUT = frozenset("out aus ausdrucken".split())


def decline_device(scene: Scene, box: Box) -> Decline | None:
    """Say that no skill prints on paper, or faxes, where the request begins so; None for any other request."""
    deed = _deed(scene, box)
    if not deed or box.is_carrier(_PRINTERS | _FAXES, scene.intent.language):
        return None
    language = scene.intent.language
    return Decline(wording.say(language, "device", deed=wording.say(language, deed)))


def _deed(scene: Scene, box: Box) -> str:
    """The deed that the request begins with, if it is one; "remind me to print the ticket" begins with another."""
    norms, language = [token.norm for token in scene.tokens], scene.intent.language
    at = next((at for at in range(scene.begin, scene.end) if norms[at] in _PRINTS | _FAXES), scene.end)
    before = (one for one in range(scene.begin, at) if scene.words[one] and not scene.free[one])
    if at == scene.end or any(box.verb_count(scene.forms[one], language) >= SURELY_A_VERB for one in before):
        return ""
    rest = frozenset(norms[scene.begin : scene.end])
    if norms[at] in _FAXES:
        return "faxing" if at == scene.begin and len(rest) > 1 else ""
    return "printing" if not rest.isdisjoint(_PRINTERS | _ON_PAPER | _OUT) else ""
