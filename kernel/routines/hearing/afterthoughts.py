"""What is said behind a rule and is so already: "otherwise not a peep", "the others can wait".

It is left out only where the rule is as it says. Where it is not, it may limit the rule, and stays: what nobody
understands is asked about.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from functools import cache

from kernel.routines.hearing.model import Heard
from kernel.routines.model import About, BeforeEvent, Change, Elapsed, FileSeen, Limit, Once, Recurring
from kernel.routines.waited_for import MAILBOX

_AND = r"(?:(?:and|but|so|und|aber) )?"
_QUIET = (
    rf"{_AND}(?:otherwise|or else|else|if not|sonst|ansonsten|andernfalls|wenn nicht|falls nicht)(?: ,)? "
    r"(?:please |bitte |just )?(?:not a (?:peep|word|sound)|(?:keep|stay|be) (?:quiet|silent|still)|silence|"
    r"no (?:word|sound|news)(?: from you)?|nothing(?: at all)?|say nothing|leave me (?:alone|in peace)|let me be|"
    r"do ?n'?t bother(?: me)?|(?:gib )?(?:bitte )?ruhe|schweige?|keinen? (?:mucks|ton|pieps|wort)|"
    r"(?:will|möchte|brauche?) ich (?:gar )?(?:nix|nichts)(?: hören| wissen| sehen)?|"
    r"(?:bleib|sei) (?:bitte )?(?:still|ruhig|leise)|nichts|nix|lass mich in (?:ruhe|frieden)|"
    r"sag (?:gar )?(?:nix|nichts))"
    r"(?: please| bitte)?"
)
_SMALL = r"(?:little|small|smaller|cheap|kleinen|kleineren|billigen)"
_NO_MATTER = (
    r"(?:can wait|does ?n'?t (?:matter|count|interest me)|do ?n'?t (?:matter|count|interest me)|"
    r"i (?:could ?n'?t|do ?n'?t|do not) care (?:less )?about|i do ?n'?t need|"
    r"you can (?:ignore|skip|leave(?: alone| be)?|forget(?: about)?)|(?:kann|können) warten|"
    r"interessier(?:t|en) mich nicht|(?:ist|sind) mir (?:egal|wurscht|wurst|schnuppe)|zähl(?:t|en) nicht|"
    r"(?:kannst|darfst) du (?:ignorieren|liegen lassen|in ruhe lassen|auslassen|überspringen|vergessen)|"
    r"lasse? (?:bitte )?(?:liegen|in ruhe)|brauche? ich nicht)"
)
_OTHERS = (
    rf"{_AND}(?:the (?:rest|others|other ones|{_SMALL} ones)(?: of (?:it|them))?|(?:any|every)(?:one|body|thing) else|"
    rf"all (?:the )?others|die (?:anderen|übrigen|restlichen|{_SMALL})|der rest|alles andere|alle (?:anderen|übrigen)) "
    rf"{_NO_MATTER}"
)
_WITHOUT = (
    rf"{_AND}(?:those|the ones|mails|die|solche) (?:without|with no|ohne) (?:an? |einen? )?"
    rf"(?:attachments?|one|anhang|anhänge) {_NO_MATTER}"
)
_PUT = r"(?:moved|dragged|put|shifted)"
_MADE = r"(?:newly )?(?:made|created|saved|written|new|copied)"
_THERE = r"(?:(?: over| in)?(?: there| in there| in it| into it| in(?:to)? (?:that|the|this) folder)?)"
_NOT_MADE = rf"not (?:what|ones|those|things|files)(?: that| which)?(?: is| are| gets?)? {_MADE}{_THERE}"
_VERSCHOBEN = r"(?:(?:da|dort|hier) )?(?:(?:hin|rein|hinein) ?)?(?:verschoben|gezogen|geschoben)"
_ANGELEGT = r"(?:(?:da|dort|drin|darin|in dem ordner|in diesem ordner) )?(?:neu )?(?:angelegt|erstellt|gespeichert)"
_MOVED = (
    rf"{_AND}only (?:what|things|files|those|the ones)(?: that| which)? (?:is|are|gets?) {_PUT}{_THERE}"
    rf"(?:(?: ,)? (?:mind you|please|though))?(?:(?: ,)?(?: and)? {_NOT_MADE})?",
    rf"{_AND}{_NOT_MADE}",
    rf"{_AND}what (?:is|gets) {_MADE}{_THERE} (?:does not|does ?n'?t) (?:count|matter)",
    rf"{_AND}nur was {_VERSCHOBEN} wird(?:(?: ,)?(?: und)? nicht(?: ,)? was {_ANGELEGT} wird)?",
    rf"{_AND}(?:nicht(?: ,)? was {_ANGELEGT} wird|was {_ANGELEGT} wird(?: ,)? zählt nicht)",
)
_STILL = (
    r"(?:(?:till|until|up to) then|today(?: and tomorrow)?|tomorrow) (?:i|we) (?:'ll |will )?(?:still )?"
    r"need (?:it|them)",
    r"(?:i|we) (?:'ll |will )?(?:still )?need (?:it|them) (?:till|until) then",
    r"(?:bis (?:dahin|dann)|heute?(?: und morgen)?|morgen|so lange) brauch(?:e|en)? (?:ich|wir) "
    r"(?:sie|es|ihn|das|die|den)(?: (?:ja |schon )?noch)?",
)
_SLEEP = (
    r"(?:then|da|dann)(?: ,)? (?:please |bitte )?(?:let me (?:sleep|be)|leave me alone|lass mich (?:schlafen|in ruhe)|"
    r"schlafe? ich(?: noch)?|i(?:'m| am) asleep|i sleep)",
)
_AFTER_THE_END = (r"(?:then|after that|by then|because then|dann|danach|denn dann|bis dahin) .+",)
_IF = re.compile(r"\b(?:if|falls|wenn|sofern)\b")
_MORE = re.compile(r"\b(?:more|over|above|mehr|über)\b")
_LITTLE = re.compile(rf"\b{_SMALL}\b")

_Is = Callable[[Heard, str, str], bool]
"""Tells whether a rule is as an afterthought says: the rule, the words of its sentence, those of the afterthought."""


def _is_quiet(heard: Heard, rule: str, _text: str) -> bool:
    """At a time of day "otherwise" is of a condition, which is said with it."""
    return not isinstance(heard.trigger, Recurring | Elapsed | Once) or _IF.search(rule) is not None


def _is_narrow(heard: Heard, rule: str, text: str) -> bool:
    if _LITTLE.search(text):
        return bool({About.TOTAL, About.LARGER} & {about for about, _ in heard.such}) or _MORE.search(rule) is not None
    if isinstance(heard.trigger, FileSeen) and heard.trigger.pattern != "*":
        return True
    return bool(heard.such) or (isinstance(heard.trigger, BeforeEvent) and bool(heard.trigger.words))


def _hangs(heard: Heard, _rule: str, _text: str) -> bool:
    return is_attached(heard)


def _is_moved(heard: Heard, _rule: str, _text: str) -> bool:
    return isinstance(heard.trigger, FileSeen) and heard.trigger.change is Change.MOVED_IN


def _is_once(heard: Heard, _rule: str, _text: str) -> bool:
    return isinstance(heard.trigger, Once)


def _is_silent_then(heard: Heard, _rule: str, _text: str) -> bool:
    return bool({Limit.FROM, Limit.UNTIL, Limit.DAYS} & {kind for kind, _ in heard.limits})


def _ends(heard: Heard, _rule: str, _text: str) -> bool:
    return isinstance(heard.trigger, Recurring) and heard.trigger.ends is not None


_SAYINGS: Mapping[tuple[str, ...], _Is] = {
    (_QUIET,): _is_quiet, (_OTHERS,): _is_narrow, (_WITHOUT,): _hangs, _MOVED: _is_moved, _STILL: _is_once,
    _SLEEP: _is_silent_then, _AFTER_THE_END: _ends,
}  # fmt: skip


def says_again(heard: Heard, rule: str, text: str) -> bool:
    """Tell whether ``text`` behind a rule says what is so already; ``rule`` are the words of the rule's sentence."""
    return any(
        holds(heard, rule, text) for forms, holds in _SAYINGS.items() if any(one.fullmatch(text) for one in _all(forms))
    )


def is_attached(heard: Heard) -> bool:
    """Tell whether the rule is about mails on which something hangs."""
    return any(about is About.ATTACHED for about, _ in heard.such)


def is_of_mail(heard: Heard) -> bool:
    """Tell whether the rule is about mails that come."""
    return isinstance(heard.trigger, FileSeen) and heard.trigger.folder.endswith(os.path.join(os.sep, *MAILBOX))


def wants_attachment(text: str) -> bool:
    """Tell whether ``text`` behind a rule about mails leaves those out on which nothing hangs."""
    return any(one.fullmatch(text) for one in _all((_WITHOUT,)))


@cache
def _all(forms: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    """No start waits for them: most sentences have no trigger."""
    return tuple(re.compile(one) for one in forms)
