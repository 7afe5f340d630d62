"""What is said of terms that cannot be kept, or that ended a request, in English and in German."""

from __future__ import annotations

from collections.abc import Mapping

_WORDS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "currency": "The model {name} costs {other}, and {budget} is no budget in it; it was not asked.",
        "currency.hint": "Say the budget in {other}.",
        "unpriced": "What the model {name} ({host}) costs is not known here, so that nobody could keep to {budget}; "
                    "it was not asked.",
        "unpriced.hint": "./steward models set {name} --price-in 0.25 --price-out 2",
        "dear": "A question to the model {name} may cost up to {needed}, and of {budget} there is {left} left; "
                "it was not asked.",
        "dear.hint": "Allow more with --budget, or ask for less.",
        "slow": "This cannot be done in {given}: its steps one after the other ({steps}) took {needed} at the least, "
                "measured over their last calls. Nothing was done.",
        "slow.hint": "Give it more time with --deadline, or ask for less.",
        "over": "It was not done in {given}; what ran was ended, and nothing was changed.",
        "late": "It was done, but it took longer than {given}.",
    },
    "de": {
        "currency": "Das Modell {name} kostet {other}, und {budget} ist darin kein Budget; es wurde nicht gefragt.",
        "currency.hint": "Nenne das Budget in {other}.",
        "unpriced": "Was das Modell {name} ({host}) kostet, ist hier nicht bekannt, und so könnte niemand {budget} "
                    "einhalten; es wurde nicht gefragt.",
        "unpriced.hint": "./steward models set {name} --price-in 0.25 --price-out 2",
        "dear": "Eine Frage an das Modell {name} kann bis zu {needed} kosten, und von {budget} sind noch {left} "
                "übrig; es wurde nicht gefragt.",
        "dear.hint": "Erlaube mehr mit --budget, oder verlange weniger.",
        "slow": "Das geht nicht in {given}: seine Schritte nacheinander ({steps}) brauchten mindestens {needed}, "
                "gemessen an ihren letzten Aufrufen. Nichts wurde getan.",
        "slow.hint": "Gib ihm mehr Zeit mit --deadline, oder verlange weniger.",
        "over": "Es wurde in {given} nicht fertig; was lief, wurde beendet, und nichts wurde geändert.",
        "late": "Es wurde getan, hat aber länger als {given} gedauert.",
    },
}  # fmt: skip


def say(language: str, key: str, **values: object) -> str:
    """Return a sentence in ``language``."""
    return _WORDS.get(language, _WORDS["en"])[key].format_map(values)


def duration(seconds: float) -> str:
    """Return a length of time as it may be typed back, or with a tenth: ``30 s``, ``2 m``, ``1.5 s``."""
    if seconds >= 60 and seconds % 60 == 0:
        return f"{seconds / 60:g} m"
    return f"{seconds:.1f} s" if seconds % 1 else f"{seconds:g} s"
