"""A text that is shown with nothing said: the answer to a question for a text, and otherwise no request at all."""

from __future__ import annotations

from dataclasses import replace

from kernel.composition.profiles.profile import Box
from kernel.context.dialogue import Dialogue
from kernel.firewall.binding import bound, filled
from kernel.language.showing import GERMAN, MESSAGES
from kernel.model import Decline, Proposal, Utterance

_GERMAN_WORDS = 2


def nothing_said(utterance: Utterance, dialogue: Dialogue, box: Box, usual: str) -> Proposal:
    """Return what to do about ``utterance``, of which every word is shown: complete the open question, or say so."""
    whole = filled(dialogue.pending, box) if dialogue.pending is not None else None
    if whole is not None:
        return bound(replace(whole, reply=True), utterance, box)
    return Decline(MESSAGES[_language(utterance, usual)]["alone"])


def _language(utterance: Utterance, usual: str) -> str:
    if usual in MESSAGES:
        return usual
    words = {one.lower() for shown in utterance.shown for one in GERMAN.findall(shown.text[:2000])}
    return "de" if len(words) >= _GERMAN_WORDS else "en"
