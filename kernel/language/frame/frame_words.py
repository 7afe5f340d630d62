"""What people wrap around a request, in English and German: patterns over words, as data for ``framing``.

Every pattern is made of closed classes and of verbs of asking, wishing, knowing and thanking. A pattern ends in one
space after its last word; marks are words of their own.
"""

from __future__ import annotations

from kernel.language.frame.frames_english import EN, EN_CASUAL
from kernel.language.frame.frames_german import DE, DE_CASUAL
from kernel.language.frame.phrase_patterns import MARK

_IF = "(?:if|when|whenever|once|as soon as|wenn|falls|sofern|sobald) "
CASUAL_IF = f"{_IF}(?:(?:{EN_CASUAL}){{1,12}}+|(?:{DE_CASUAL}){{1,12}}+)"
"""An if-clause of good manners: "if it's not too much trouble", "wenn du gerade Zeit hast"."""

_TAG = (
    "(?:would|will|could|can|won't|can't|do|does|did|is|are|was|were|have|has|had|should|don't|doesn't|didn't|"
    "isn't|aren't|wasn't|"
    "weren't|haven't|hasn't|hadn't|shouldn't) (?:i|you|he|she|it|we|they) "
)

LEADS = (*EN, *DE, CASUAL_IF + MARK, _TAG + ", ")

_FINDS_OUT = (
    "(?:find (?:that|this|it)? ?out|look (?:that|it|this) up|work (?:that|it|this) out|check (?:that|it|this)|"
    "(?:tell|help|show) (?:me|us)|do (?:that|this|it)) "
)
_IN_WHICH = "(?:(?:in|on|of|from) )?which (?:ones?|of (?:them|those)|place) "
_FINDET_ES = (
    "(?:(?:das|es|mir|bitte|mal|kurz|doch|für mich) )*(?:herausfinden|rausfinden|raussuchen|heraussuchen|nachsehen|"
    "nachschauen|prüfen|sagen|machen|erledigen|tun) "
)
_ASKED_ABOVE = (
    f"{MARK}(?:can|could|would|will) you (?:(?:please|kindly|maybe|perhaps|quickly) )*"
    f"(?:be so (?:kind|good) as to )?{_FINDS_OUT}(?:for (?:me|us) )?",
    f"{MARK}(?:can|could|would|will) you (?:(?:please|kindly|maybe|perhaps|quickly) )*"
    f"(?:be so (?:kind|good) as to )?(?:find out|tell me|check|see|look up|say) "
    f"(?:for (?:me|us) )?{_IN_WHICH}(?:(?:that|it|this) (?:is|was) )?",
    f"(?:{MARK})?which ones? (?:is|was|are|were|could|might|would) (?:it|that|those|this) (?:have been |be )?"
    "(?:again )?",
    f"{MARK}(?:so )?(?:which|what) (?:date|day|amount|number) (?:does|do|would|will) (?:that|it|this) make (?:it )?",
    "(?:, )?(?:and )?(?:tell|show|give) (?:me|us) what (?:it|that) (?:prints|returns|outputs|gives|writes) (?:out )?",
    f"{MARK}(?:kannst|könntest|würdest|können|könnten|würden) (?:du|sie) {_FINDET_ES}",
    f"(?:{MARK})?welche[rs]? (?:war|ist|könnte|wäre) (?:das|es) (?:(?:noch|nochmal|gleich|denn) )*"
    "(?:gewesen (?:sein )?)?",
)
"""A sentence of its own that only asks for what was said before it: "Could you find that out for me, please?"."""
_THANKS = (
    f"{MARK}(?:thank you|thanks|many thanks|cheers)(?: a lot| a million| a bunch| ever so much|"
    " so much| very much| indeed| again| kindly| in advance|"
    " for (?:your|the|all your) (?:help|time|trouble))* ",
    f"{MARK}(?:vielen dank|besten dank|herzlichen dank|tausend dank|danke|dankeschön)(?: dir| ihnen| schön| sehr|"
    " im voraus| schon mal| dafür| für (?:ihre|deine|die) (?:hilfe|mühe))* ",
)

TAILS = (
    CASUAL_IF,
    *_ASKED_ABOVE,
    *_THANKS,
    "(?:i|we) (?:wonder|was wondering|am wondering|forgot|forget|can't (?:quite )?remember|don't (?:quite "
    ")?remember|have forgotten) ",
    "(?:i|we) (?:really |just |simply |honestly )*(?:can't|cannot|can not|don't|couldn't) (?:quite |really |"
    "for the life of me )?(?:remember|recall|think of it) (?:it |that |any more |anymore )?",
    "(?:, )?(?:i|we) (?:always|keep|keep on|usually|never|constantly) (?:forget|forgetting|remember|"
    "mix (?:it|them|that) up) (?:it |that |them |these things |this )?",
    "(?:, )?(?:ich|wir) (?:vergesse|vergess|vergessen|verwechsle|verwechsel) (?:das|es|den|die|sie|ihn) "
    "(?:immer|ständig|dauernd|jedes mal|immer wieder) (?:wieder )?",
    "(?:, )?(?:at the (?:very )?latest|spätestens) ",
    "i've forgotten ", "i'm wondering ",
    "(?:, )(?:really |just )?(?:don't|do not|won't) (?:really |ever )?(?:need|want|use|read) "
    "(?:it|them|that|this|those) (?:any more|anymore|any longer|again) ",
    "(?:, )?(?:so |because |since |as )?(?:i|we) (?:really |just )?(?:don't|do not|won't) (?:really |ever )?"
    "(?:need|want|use|read) (?:it|them|that|this|those|that one|this one|those ones) (?:any more|anymore|any longer|"
    "again) ",
    "(?:, )?(?:also |weil )?(?:ich )?(?:die|das|den|der|es|sie|ihn) (?:brauch|brauche|benötige|will) (?:ich )?(?:echt |"
    "wirklich |eh |jetzt )*nicht mehr ",
    "(?:, )(?:i|we) (?:guess|suppose|think|believe|hope|reckon|don't know) ",
    "(?:, )" + _TAG,
    "(?:at|for) (?:the|this) moment ", "right now ", "im (?:moment|augenblick) ",
    "(?:on|auf) (?:this|my|the|diesem|meinem|dem) (?:computer|laptop|pc|machine|device|rechner|gerät) ",
    "(?:, )?(?:that|it|this) would be (?:really |so |very )*(?:a )?(?:big |great )?(?:great|nice|lovely|perfect|"
    "helpful|good|wonderful|kind|"
    "fantastic|awesome|help|all)(?: of you)? ",
    "(?:, )?(?:right away|straight away|asap|as soon as possible|as soon as you can|at once|real quick) ",
    "(?:, )(?:thank you|thanks|cheers|many thanks|please|for me|now|quickly|immediately|okay|ok|right)(?: a lot| "
    "so much| very much| in advance)* ",
    "(?:, )?(?:frage ich mich|frag ich mich) ", "(?:, )(?:glaube|denke|schätze) ich ",
    "(?:, )?(?:das|es) wäre (?:sehr |echt |wirklich )*(?:nett|toll|super|lieb|prima|schön|klasse|gut)(?: von dir)? ",
    "(?:, )?(?:so schnell wie möglich|möglichst bald|möglichst schnell) ",
    "(?:, )(?:bitte|danke|vielen dank|ja|oder|nicht wahr|sei so gut|sofort|geht das)(?: dir| schön| sehr| im voraus)* ",
)  # fmt: skip
