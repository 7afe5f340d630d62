"""The few requests that are the kernel's own and no skill's: taking back, what it can do, a greeting, a thank-you.

Only a whole sentence means one of them. A word more ("help me find the lease") and it is a request like any other.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from kernel.introduce import Own
from kernel.language import words_of
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

_YOU = "(you|i|we|steward)"
_SOCIAL: Mapping[Own, Mapping[str, tuple[str, ...]]] = {
    Own.HELP: {
        "en": (
            r"(i need |show (me )?(the |some )?)?help( me)?",
            rf"((tell me|and) )?what (all |else )?(can|do|could) {_YOU} (do|offer|say|ask( for)?)( (here|now|for me))?",
            r"((show|tell) me )?what you (can|are able to) do( for me)?",
            r"what are (you able to do|your (skills|abilities|commands|functions))",
            r"what is steward|(who|what) are you",
            r"how (does (this|it|steward) work|do you work|do i use (this|you|steward)|can you help( me)?)",
            r"(what )?(commands|skills)( are there)?",
            r"((show|give) me )?(some )?examples",
        ),
        "de": (
            r"(ich brauche )?hilfe|hilf( mir)?",
            r"((sag|zeig) mir |und )?was (kannst du|(kann|können) (ich|man|wir|steward))"
            r"( (hier|alles|so|noch|denn|eigentlich|dich|dir|für mich))*( (tun|machen|fragen|sagen|anbieten))?",
            r"((sag|zeig) mir )?was du (alles )?(kannst|(machen|tun) kannst)",
            r"was (ist|macht) steward|(wer|was) bist du",
            r"wie (funktioniert (das|es|steward)|funktionierst du|kannst du (mir )?helfen)",
            r"(welche )?(befehle|fähigkeiten)( (gibt es|hast du))?",
            r"((zeig|gib) mir )?(ein paar )?beispiele",
        ),
    },
    Own.GREETING: {
        "en": (r"(hello|hi|hey|howdy|greetings|good (morning|afternoon|evening|day))( there| again| you| everyone)?",),
        "de": (
            r"((halli )?hallo|moin( moin)?|servus|grüß (gott|dich)|grüezi|tach)( du| zusammen)?",
            r"guten (morgen|tag|abend)",
        ),
    },
    Own.THANKS: {
        "en": (
            r"thx|cheers",
            r"((many )?thanks|thank you)( so| very)?( (much|a lot|a million))?( for (that|it|(your|the) help))?",
        ),
        "de": (
            r"dankeschön|danke( (schön|sehr|dir|euch))?",
            r"((vielen|besten|lieben|herzlichen|tausend) dank|danke)( dafür| für (die|deine) hilfe)?",
        ),
    },
}
_ASIDE = frozenset({"steward", "please", "bitte", "ok", "okay", "oh", "ah", "great", "perfect", "super", "cool", "nice",
                    "wonderful", "prima", "toll", "gut", "mal", "doch"})  # fmt: skip

LONGEST_WORDS = 12
"""A sentence with more words is always a task."""


def _patterns() -> dict[tuple[Own, str], re.Pattern[str]]:
    """Compile the sentences, help first: a greeting or thanks may go before a question for help."""
    either = {
        (own, language): f"(?:{'|'.join(said)})" for own, one in _SOCIAL.items() for language, said in one.items()
    }
    opening = "|".join(pattern for (own, _), pattern in either.items() if own is not Own.HELP)
    return {
        meant: re.compile(f"(?:(?:{opening}) )?{pattern}" if meant[0] is Own.HELP else pattern)
        for meant, pattern in either.items()
    }


_PATTERNS = _patterns()


def own_request(intent: Intent) -> tuple[Own, str] | None:
    """Return what the whole sentence asks of the kernel itself, and in which language; None when it is a task."""
    if (language := _undo(intent)) is not None:
        return Own.UNDO, language
    words = [word for word in words_of(intent.text) if word[0].isalnum()]
    if len(words) > LONGEST_WORDS:
        return None
    said = " ".join(word for word in words if word not in _ASIDE)
    return next((meant for meant, pattern in _PATTERNS.items() if pattern.fullmatch(said)), None)


def means_undo(intent: Intent) -> bool:
    """Tell whether the whole sentence asks to take the last change back."""
    return _undo(intent) is not None


def _undo(intent: Intent) -> str | None:
    words = [t.norm for t in intent.tokens if t.norm and t.norm[0].isalnum() and t.norm not in _ANYWHERE]
    while words and words[0] in _OUTSIDE:
        words.pop(0)
    while words and words[-1] in _OUTSIDE:
        words.pop()
    said = " ".join(words)
    return next((language for language, sentences in _UNDO.items() if said in sentences), None)
