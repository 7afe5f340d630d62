"""The few requests that are the kernel's own and no skill's: taking back, what it can do, did last and is, a greeting.

Only a whole sentence means one of them. A word more ("help me find the lease") and it is a request like any other.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from kernel.itself.introduce import Own
from kernel.language import words_of
from kernel.model import Intent

_UNDO = {
    "en": frozenset({"undo", "undo that", "undo it", "undo this", "undo the last one", "undo the last run",
                     "undo the last change", "undo my last request", "take that back", "take it back", "revert that",
                     "revert it", "undo everything you just did", "put it back", "put that back", "put them back"}),
    "de": frozenset({"mach das rückgängig", "rückgängig", "rückgängig machen", "mach es rückgängig",
                     "nimm das zurück", "leg es zurück", "leg das zurück", "leg sie zurück", "leg es wieder zurück",
                     "leg das wieder zurück", "mache das rückgängig", "mach das wieder rückgängig",
                     "das rückgängig machen"}),
}  # fmt: skip
_ANYWHERE = frozenset({"please", "bitte", "mal", "doch"})
_OUTSIDE = frozenset(
    "ok okay no nein oh ah ach can could you kannst du wait warte sorry oops ups hoppla stop halt".split()
)

_YOU = "(you|i|we|steward)"
_SOCIAL: Mapping[Own, Mapping[str, tuple[str, ...]]] = {
    Own.HELP: {
        "en": (
            r"(i need |show (me )?(the |some )?)?help( me)?",
            rf"((tell me|and) )?what (all |else )?(can|do|could) {_YOU} (do|offer|say|ask( for)?)( (here|now|for me))?",
            r"((show|tell) me )?what you (can|are able to) do( for me)?",
            r"what are (you able to do|your (skills|abilities|commands|functions))",
            r"how (does (this|it|steward) work|do you work|do i use (this|you|steward)|can you help( me)?)",
            r"(what )?(commands|skills)( are there)?",
            r"((show|give) me )?(some )?examples",
        ),
        "de": (
            r"(ich brauche )?hilfe|hilf( mir)?",
            r"((sag|zeig) mir |und )?was (kannst du|(kann|können) (ich|man|wir|steward))"
            r"( (hier|alles|so|noch|denn|eigentlich|dich|dir|für mich))*( (tun|machen|fragen|sagen|anbieten))?",
            r"((sag|zeig) mir )?was du (alles )?(kannst|(machen|tun) kannst)",
            r"wie (funktioniert (das|es|steward)|funktionierst du|kannst du (mir )?helfen)",
            r"(welche )?(befehle|fähigkeiten)( (gibt es|hast du))?",
            r"((zeig|gib) mir )?(ein paar )?beispiele",
        ),
    },
    Own.WHO: {
        "en": (
            r"(and )?(who|what) (are you|is steward)( exactly| really)?",
            r"what('s| is) your name|(tell me about|introduce) yourself",
        ),
        "de": (
            r"(und )?(wer|was) (bist du|ist steward)( denn| eigentlich| genau)*",
            r"was macht steward",
            r"wie heißt du|stell dich( mal)? vor",
        ),
    },
    Own.LAST: {
        "en": (
            r"what (did|have) you (just )?(do|done|change|changed)( (just now|right now|last|so far))?",
            r"what('s| has)? (just )?happened( just now| last)?",
            r"what (did|was) (the|your|my) last (run|request|change|action|thing)( (do|you did|change))?",
            r"(show|tell) me what you (just )?(did|changed|have done)( (just now|last))?",
            r"what (did|have) i (just )?(ask|asked|say|said|want|tell you)( you)?( for)?( (before|just now|last))?",
            r"what (was|is) my (last|previous) (question|command|message)",
        ),
        "de": (
            r"was hast du (gerade|eben|soeben|zuletzt|da|jetzt)?( (gerade|eben))? ?(getan|gemacht|geändert|verändert)",
            r"was ist (gerade|eben|soeben|da)( (gerade|eben))? (passiert|geschehen)",
            r"(zeig|sag) mir was du (gerade|eben|zuletzt) (getan|gemacht|geändert) hast",
            r"was war (die|der|mein|meine) (letzte|vorige) (änderung|aktion|lauf|auftrag|frage|bitte|befehl)",
            r"was (habe|hatte) ich( dich)?( (gerade|eben|zuletzt|vorher|davor))? (gefragt|gesagt|gewollt|verlangt)",
            r"was wollte ich( von dir)?( (gerade|eben|zuletzt|vorher|davor))?",
        ),
    },
    Own.CANCEL: {
        "en": (
            r"never ?mind|no( (thanks|thank you|wait|don't|stop))?|stop|abort|cancel|halt|wait no",
            r"(no |wait |actually )?(forget|cancel|stop|drop|leave|scratch) (it|that|this|about it|about that)",
            r"(no |wait |actually )?(cancel|abort|stop|drop) (the|my|that|this) (last )?(request|run|task|one)",
            r"(no |wait |actually )?(don't|do not)( do (it|that|this)| bother)?",
            r"(actually |no )?(rather|better|actually|maybe|perhaps) not|not (now|any ?more)|let it be|call it off",
        ),
        "de": (
            r"nein( (danke|stopp|halt|nicht|lieber nicht))?|stopp?|halt|abbruch|abbrechen",
            r"(ach |nein |ach nein )?(lieber |besser |jetzt )?nicht",
            r"(ach |nein )?(vergiss|lass|stopp|stoppe) (es|das)( (sein|bleiben|gut sein|wieder))?|lass gut sein",
            r"(ach |nein )?(brich (es |das )?ab|(das|es) abbrechen|(mach|tu|tue) (das|es) nicht|schon gut)",
            r"(brich|breche) (die|den|das|meine|meinen) (letzte |letzten )?(anfrage|auftrag|lauf|aufgabe) ab",
            r"hat sich erledigt|nicht (nötig|mehr nötig)",
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

_ASKED = frozenset({Own.HELP, Own.WHO, Own.LAST})
"""A greeting or thanks may go before these."""

_PUT_BACK = re.compile(r"put (it|that|them) back|(leg|tu|stell) (es|das|sie) (wieder )?zurück")

LONGEST_WORDS = 12
"""A sentence with more words is always a task."""


def _patterns() -> dict[tuple[Own, str], re.Pattern[str]]:
    """Compile the sentences, questions first: a greeting or thanks may go before a question."""
    either = {
        (own, language): f"(?:{'|'.join(said)})" for own, one in _SOCIAL.items() for language, said in one.items()
    }
    opening = "|".join(pattern for (own, _), pattern in either.items() if own in (Own.GREETING, Own.THANKS))
    return {
        meant: re.compile(f"(?:(?:{opening}) )?{pattern}" if meant[0] in _ASKED else pattern)
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
    plain = " ".join(word for word in words if word not in _ASIDE)
    named = " ".join(word for word in words if word not in _ASIDE - {"steward"})  # "what is Steward?"
    matches = (meant for said in (plain, named) for meant, pattern in _PATTERNS.items() if pattern.fullmatch(said))
    return next(matches, None)


def means_undo(intent: Intent) -> bool:
    """Tell whether the whole sentence asks to take the last change back."""
    return _undo(intent) is not None


def puts_back(intent: Intent) -> bool:
    """Tell whether it is a thing that is to be where it was ("put it back"), and not a run that is to be undone."""
    return means_undo(intent) and _PUT_BACK.search(" ".join(token.norm for token in intent.tokens)) is not None


def _undo(intent: Intent) -> str | None:
    words = [t.norm for t in intent.tokens if t.norm and t.norm[0].isalnum() and t.norm not in _ANYWHERE]
    while words and words[0] in _OUTSIDE:
        words.pop(0)
    while words and words[-1] in _OUTSIDE:
        words.pop()
    said = " ".join(words)
    return next((language for language, sentences in _UNDO.items() if said in sentences), None)
