"""What a skill made of steps and the kernel both say of branches: how a condition is asked about, what is not done."""

from __future__ import annotations

HOLDS = "holds"
"""What the daemon is asked for, in the form of a call, where a condition is to be decided. No tool is called so."""

NOTHING = {"en": "There was nothing to do it for.", "de": "Es gab nichts, wofür etwas zu tun war."}


def not_done(words: str, found: str, language: str) -> str:
    """Return the sentence for what is not done, because not ``words`` but ``found`` is so."""
    if language == "de":
        return f"Nicht getan: nur wenn {words}; es ist {found}."
    return f"Not done: only if {words}; it is {found}."
