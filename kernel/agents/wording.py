"""What a person is told of a worker, in English and in German."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kernel.agents.actions import Act, Deed
from kernel.agents.loop import End
from kernel.errors import TaskFailed
from kernel.paths import short
from permissions.naming import sentence, shown

_SENTENCES: Mapping[str, Mapping[str, str]] = {
    "en": {
        "turn": "turn {number} of {of}: {what}",
        Deed.LOOK: "looks into {place}",
        Deed.READ: "reads {place}",
        Deed.WRITE: "writes {place}",
        Deed.RUN: "runs `{text}` in {place}",
        Deed.DONE: "is done",
        "garbled": "says nothing that can be done",
        "says": "The model {model} followed {skill} and says:\n{text}",
        "refused": "It was not allowed to, and did not: {what} ({why})",
        "more": "… and {count} more",
        "changed": "The model {model} wants this, following {skill}: look at every change",
        "private": "This is private, and the model {model} that follows {skill} is on another machine, so it was not "
                   "asked. Bind one on this machine: ./steward models use worker NAME",
    },
    "de": {
        "turn": "Zug {number} von {of}: {what}",
        Deed.LOOK: "sieht in {place} nach",
        Deed.READ: "liest {place}",
        Deed.WRITE: "schreibt {place}",
        Deed.RUN: "führt `{text}` in {place} aus",
        Deed.DONE: "ist fertig",
        "garbled": "sagt nichts, was sich tun lässt",
        "says": "Das Modell {model} ist {skill} gefolgt und sagt:\n{text}",
        "refused": "Das durfte es nicht und hat es nicht getan: {what} ({why})",
        "more": "… und {count} weitere",
        "changed": "Das will das Modell {model}, das {skill} folgt: Sieh dir jede Änderung an",
        "private": "Das ist vertraulich, und das Modell {model}, das {skill} folgt, ist auf einem anderen Rechner, "
                   "deshalb wurde es nicht gefragt. Eines auf diesem Rechner setzen: ./steward models use worker NAME",
    },
}  # fmt: skip

_ENDS: Mapping[End, tuple[str, str]] = {
    End.TURNS: ("it was not done after {of} turns", "es war nach {of} Zügen nicht fertig"),
    End.TOKENS: ("what it may use of tokens is used up", "seine Tokens sind aufgebraucht"),
    End.MONEY: ("what it may cost is used up", "was es kosten darf, ist aufgebraucht"),
    End.TIME: ("its time is over", "seine Zeit ist um"),
    End.REPEATS: ("it did the same again and again", "es hat immer wieder dasselbe getan"),
    End.FADED: ("nothing new came of what it did", "es ist nichts Neues mehr dabei herausgekommen"),
    End.GARBLED: ("what it says cannot be understood", "was es sagt, ist nicht zu verstehen"),
}
_HINTS: Mapping[End, tuple[str, str]] = {
    **dict.fromkeys(
        (End.TURNS, End.TOKENS, End.MONEY, End.TIME),
        ("Ask for less at once, or give it more: ./steward config set {setting} NUMBER",
         "Verlange weniger auf einmal, oder gib ihm mehr: ./steward config set {setting} ZAHL"),
    ),
    **dict.fromkeys(
        (End.REPEATS, End.FADED),
        ("Say more exactly what you want, or bind another model: ./steward models use worker NAME",
         "Sag genauer, was du willst, oder nimm ein anderes Modell: ./steward models use worker NAME"),
    ),
    End.GARBLED: ("See what it can do: ./steward models test {model}",
                  "Sieh nach, was es kann: ./steward models test {model}"),
}  # fmt: skip
_SETTINGS = {End.TURNS: "worker_turns", End.TOKENS: "worker_tokens", End.MONEY: "worker_money", End.TIME: "worker_s"}


def say(language: str, key: str, **values: Any) -> str:
    """Return a sentence with its holes filled."""
    return _SENTENCES.get(language, _SENTENCES["en"])[key].format(**values)


def act_words(act: Act | None, home: str, language: str) -> str:
    """Say an action: ``reads ~/Reports/may.txt``."""
    if act is None:
        return say(language, "garbled")
    return say(language, act.deed, place=shown(short(act.place, home)), text=sentence(act.text[:120]))


def stopped(why: End, of: int, *, skill: str, model: str) -> TaskFailed:
    """Return why a worker was stopped, as what ends its task."""
    en, de = (one.format(of=of) for one in _ENDS[why])
    hint, de_hint = (one.format(setting=_SETTINGS.get(why, ""), model=shown(model)) for one in _HINTS[why])
    return TaskFailed(
        f"worker.{why}", f"The model {shown(model)} that followed {skill} was stopped: {en}. Nothing was changed.",
        subject=skill, hint=hint,
        de=f"Das Modell {shown(model)}, das {skill} gefolgt ist, wurde beendet: {de}. Es wurde nichts geändert.",
        de_hint=de_hint,
    )  # fmt: skip
