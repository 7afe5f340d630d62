"""The few requests that are the kernel's own and no skill's: taking back what was done."""

from __future__ import annotations

from kernel.model import Intent

_UNDO = {
    "en": frozenset({"undo", "undo that", "undo it", "undo this", "undo the last one", "undo the last run",
                     "undo the last change", "undo my last request", "take that back", "take it back", "revert that",
                     "revert it", "undo everything you just did", "put it back", "put that back", "put them back"}),
    "de": frozenset({"mach das rückgängig", "rückgängig", "rückgängig machen", "mach es rückgängig",
                     "nimm das zurück", "mache das rückgängig", "mach das wieder rückgängig", "das rückgängig machen"}),
}  # fmt: skip
_ANYWHERE = frozenset({"please", "bitte", "mal", "doch"})
_OUTSIDE = frozenset({"ok", "okay", "no", "nein", "oh", "can", "could", "you", "kannst", "du"})


def means_undo(intent: Intent) -> bool:
    """Tell whether the whole sentence asks to take the last change back."""
    words = [t.norm for t in intent.tokens if t.norm and t.norm[0].isalnum() and t.norm not in _ANYWHERE]
    while words and words[0] in _OUTSIDE:
        words.pop(0)
    while words and words[-1] in _OUTSIDE:
        words.pop()
    return " ".join(words) in _UNDO["en"] | _UNDO["de"]
