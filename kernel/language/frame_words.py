"""What people wrap around a request, in English and German: patterns over words, as data for ``framing``.

Every pattern is made of closed classes and of verbs of asking, wishing, knowing and thanking. A pattern ends in one
space after its last word; marks are words of their own.
"""

from __future__ import annotations


def _any(*parts: str) -> str:
    return "(?:" + "|".join(part.strip() for part in parts) + ")"


def _words(text: str) -> str:
    return "(?:" + "|".join(text.split()) + ") "


def _maybe(part: str) -> str:
    return f"(?:{part})?"


MARK = r"[,.;:!?…–—-]+ "
_COMMA = "(?:, )?"
_WH = (
    "(?=(?:(?:by|in|on|at|to|for|from|of|until|with) )?(?:which|what|who|whom|whose|when|where|why|how|what's|"
    "who's|where's|"
    "how's|if|whether|welche[nrsm]?|was|wer|wen|wem|wann|wo|woher|wohin|warum|wieso|wie|wieviele?|ob|(?:in|bis|"
    "von|zu|mit|für|an|auf|aus) we[nrlm]\\w*) )"
)

# --- English ------------------------------------------------------------------------------------------------------

_ADV = (
    "(?:"
    + _words(
        "please kindly just really maybe perhaps possibly also now quickly very most much rather so quite ever "
        "then actually simply "
        "still honestly certainly probably definitely gladly finally always all highly truly greatly"
    )
    + ")*"
)
_I_WOULD = "(?:(?:i|we) " + _ADV + "(?:would|should|could|might) |i'd |we'd )" + _ADV
_I_AM = "(?:(?:i|we) (?:am|was|were|are|have been|had been) |i'm |we're |i've been |we've been )" + _ADV
_MODAL_YOU = "(?:can|could|would|will|won't|can't|couldn't|wouldn't) you "
_YOU_MODAL = "(?:you|i|we) (?:could|can|would|might|may|will|'d) "
_KIND = (
    "(?:(?:be |have been )?(?:so |very |really )?(?:kind|good|nice|sweet|lovely) (?:enough to|as to|and|to) |"
    "(?:be )?an? (?:dear|angel|sport|star) and )"
)
_FAVOUR = "(?:do me (?:a|the|another) (?:big |small |little |quick )?favou?r (?:and |, |: )?(?:and )?)"
_DOING = "(?:" + _any(
    "mind", "be able to", "trouble you to", "bother you to", "trouble you for", "ask you to", "get you to", "like to",
    "help me to", "help me out and", "help me and", "help me", "go ahead and", "take a moment to", "take a moment and",
    "have a look and", "find the time to", "manage to", "try to", "try and", "happen to",
) + " )"  # fmt: skip
_COMPLEMENT = f"(?:{_ADV}(?:be )?{_KIND}|{_ADV}{_FAVOUR}|{_ADV}{_DOING})?{_ADV}"
_KNOWING = (
    "(?:to )?(?:(?:know|find out|be told|be reminded|learn about) |"
    "(?:see|check|learn|hear|remember|recall|understand|figure out|work out|decide|verify|double-check|look up) "
    + _WH
    + ")"
)
_GRATEFUL = (
    "(?:(?:i|we) "
    + _ADV
    + "(?:would|should|will) |i'd |we'd |i'll )"
    + _ADV
    + (
        "(?:be (?:very |so |most |really |ever so |extremely |eternally )*(?:glad|happy|grateful|obliged|"
        "thankful|pleased|delighted) |"
        "appreciate (?:it )?(?:very much |a lot )?)(?:if |to have |for )" + _maybe(_YOU_MODAL)
    )
)
_WONDERING = _any(
    "wondering", "curious", "asking myself", "asking you", "trying to (?:remember|recall|find out|figure out|"
                                                           "work out|see|understand|think|decide)",
    "not (?:quite |entirely |really |so |too |at all )?(?:sure|"
    "certain)", "unsure", "interested in", "interested to know", "interested in knowing",
    "hoping", "thinking",
)  # fmt: skip
_NOT_KNOWING = _any(
    "wonder", "wondered", "keep asking myself", "keep wondering", "keep forgetting", "ask myself", "often ask myself",
    "can't (?:quite |really |for the life of me )?(?:remember|recall|think|tell|say|find out|figure out)",
    "cannot (?:remember|recall|tell|say)", "don't (?:quite |really )?(?:remember|recall|"
                                           "know)", "do not (?:remember|recall|know)",
    "have no idea", "have (?:clean |completely )?forgotten", "forgot", "forget",
)  # fmt: skip
_MUST = _any(
    "should", "must", "ought to", "had better", "might as well", "may as well", "need to", "have to", "will have to",
    "would need to", "better",
)  # fmt: skip
_SHOULD = _any(_MUST, "could", "can", "may")
_DEED = f"(?:you (?:just |really |probably |also )?{_SHOULD}|(?:i|we) (?:just |really |probably |also )?{_MUST}) "
_NICE = (
    "(?:a (?:great |big |real )?help |"
    + _words(
        "nice great good lovely helpful wonderful kind fantastic awesome useful handy possible ok okay fine "
        "alright super brilliant"
    )
    + "(?:of you )?)"
)

_EN = (
    # openings and interjections
    r"(?:h+m+|uh+|um+|a+h+|oh+|er+m?|well|so(?! that )|ok|okay|hey|hi|hello|hiya|steward|please|kindly|now|just) "
    r"(?:yes |right |no )?" + _maybe(MARK),
    r"(?:right|alright|all right|look|listen|great|perfect|nice|wait|sorry|excuse me|good (?:morning|evening|"
    r"afternoon|day)|"
    r"let me (?:think|see)(?: now)?|you know|by the way|first of all|while you are at it|while you're at it|"
    r"actually) " + MARK,
    r"(?:thank you|thanks|many thanks|cheers)(?: a lot| so much| very much| for that| again| kindly)* " + MARK,
    r"(?:i (?:have|had|'ve|'ve got) |i've (?:got )?)?(?:just )?(?:a |one )(?:quick |small |little |short "
    r")*(?:question|request|favou?r to ask|thing|wish) " + MARK,
    # asking somebody to do it
    _MODAL_YOU + _COMPLEMENT,
    f"(?:can|could|may|might) (?:i|we) {_ADV}(?:{_FAVOUR}|(?:trouble|bother|ask|get|have) you (?:to|for) )",
    "(?:can|could|may) (?:i|we) (?:please )?(?=(?:see|have|get|hear|look|know) )",
    "(?:do|would) you mind ",
    "(?:be )?(?:so |very )?(?:kind|good|nice) (?:enough to|as to) ",
    "be so (?:kind|good|nice) (?:and|to) ",
    _FAVOUR,
    "(?:if|whether) " + _YOU_MODAL + _COMPLEMENT,
    "(?:go ahead and|feel free to|make sure to|make sure you|be sure to|don't forget to|help me to|help me|let's|"
    "let us|try to|try and|it is time to|it 's time to) ",
    # wishing
    _GRATEFUL + _COMPLEMENT,
    _I_WOULD + "(?:like|love|prefer|want|need|wish|hope) (?:for )?(?:you )?to " + _maybe(_KNOWING),
    _I_WOULD + "(?:like|love|prefer) ",
    "(?:i|we) " + _ADV + "(?:want|need|have|wish|hope|wanted|needed|would need) (?:for )?(?:you "
                         ")?to " + _maybe(_KNOWING),
    _I_AM + "(?:hoping|thinking|wondering) (?:that |if |whether )?" + _YOU_MODAL + _COMPLEMENT,
    _I_AM + "(?:meaning|wanting|going) to ask (?:you )?(?:[:,] )?",
    "(?:i|we) " + _ADV + "(?:wanted|meant|have|need|want|would like) to ask (?:you )?(?:[:,] )?",
    _I_AM + "(?:trying|hoping|looking) (?:for you )?to ",
    # knowing and not knowing
    _I_AM + _WONDERING + " (?:about |to know )?" + _COMMA + _WH,
    _I_AM + _WONDERING + " (?:if|whether) " + _YOU_MODAL + _COMPLEMENT,
    "(?:i|we|i've|we've|i'm) " + _ADV + _NOT_KNOWING + " (?:any more |anymore )?" + _COMMA + _WH,
    "(?:do|did|would|can|could) you (?:happen to |still )?(?:know|remember|recall|have any idea|tell|"
    "say) " + _COMMA + _WH,
    "(?:any|no) idea " + _COMMA + _WH,
    "(?:remind|inform) (?:me|us) (?:about |of |again )?" + _COMMA + _WH,
    "let (?:me|us) know " + _COMMA + _maybe(_WH),
    "(?:please )?(?:say|guess) " + _COMMA + _WH,
    # judging
    "(?:it would|it'd|that would|would it|it 'd|will it|it "
    "will) " + _ADV + "be " + _ADV + _NICE + "(?:if |for you to |for me to |to )" + _maybe(_YOU_MODAL),
    "(?:is|was) it (?:at all |perhaps |maybe )?(?:possible|ok|okay|alright|fine) (?:for (?:you|me) )?(?:to |"
    "if )" + _maybe(_YOU_MODAL),
    "(?:is|would) there (?:be )?(?:any |a |some )(?:chance|way|possibility) (?:that |of |to |for you "
    "to )?" + _maybe(_YOU_MODAL),
    "any (?:chance|way) (?:that |of |to |for you to )?" + _maybe(_YOU_MODAL),
    "(?:i|we) (?:guess|suppose|think|believe|reckon|imagine|assume|hope) (?:that )?" + _DEED + _ADV,
    _DEED + _ADV,
    # putting it up front
    "(?:what|all|the thing|one thing) (?:that )?(?:i'd|i would|i|we|we'd|i'm|i "
    "am) " + _ADV + "(?:like|love|want|need|wanted|needed|after|looking for|interested in) (?:to (?:know|see|"
                    "have|do|get|find out) )?(?:now )?(?:is|was|would be) (?:to |for you to )?",
    "(?:my|the) (?:question|request|wish|idea|thing) (?:is|was|would be) (?:to |that )?(?:[,:] )?",
)  # fmt: skip

_EN_CASUAL = _words(
    "it is isn't 's it's that not too much trouble bother problem time moment minute second sec chance mind "
    "please would could "
    "can get have has had got don't do didn't no ok okay alright fine with by possible convenient free spare "
    "busy ready like want wish "
    "happen at all right and so kind nice be able there a an any you i may me for to of great wouldn't doesn't hassle "
    "ask asking suits"
)

# --- German -------------------------------------------------------------------------------------------------------

_MAL = (
    "(?:"
    + _words(
        "bitte mal doch noch eben vielleicht eventuell vllt evtl kurz schnell gerade gern gerne auch einfach "
        "wohl sehr ganz mir uns "
        "jetzt dann einmal möglicherweise zufällig freundlicherweise netterweise bloß"
    )
    + "|für mich |für uns )*"
)
_LIEB = _words("nett lieb gut freundlich")
_TOLL = _words("nett lieb toll schön super prima klasse hilfreich gut freundlich großartig praktisch spitze")
_DU = _words("du sie ich man wir ihr")
_WENN_DU = _COMMA + "(?:wenn|falls|dass|daß) (?:du|sie|ich|ihr) " + _MAL
_GEFALLEN = "(?:mir |uns )?(?:bitte )?(?:den|einen) (?:großen |kleinen )?gefallen tun (?:, )?(?:und )?"
_SAGEN = "(?:sagen|verraten|mitteilen|erklären|zeigen) " + _COMMA + _WH

_DE = (
    r"(?:h+m+|ä+h+|ö+h+|a+ch|oh|na|tja|hallo|hey|hi|servus|moin|ok|okay|gut|bitte|sag mal|übrigens) (?:ja |so |"
    r"nein )?" + _maybe(MARK),
    r"(?:guten (?:morgen|tag|abend)|grüß (?:dich|gott)|moment|warte|entschuldigung|verzeihung|super|prima|lass "
    r"mich (?:überlegen|sehen)|mal sehen) " + MARK,
    r"(?:vielen dank|danke|dankeschön)(?: dir| schön| sehr| ihnen)* " + MARK,
    _words("kannst könntest würdest magst willst kann könnte können könnten würden dürfte darf möchtest könnt "
           "könntet") + _DU + _MAL
    + "(?:so " + _LIEB + "sein (?:, )?(?:und )?|" + _GEFALLEN + "|" + _SAGEN + ")?" + _MAL,
    "(?:sei|seien sie|seid) " + _MAL + "so " + _LIEB + "(?:, )?(?:und )?" + _MAL,
    "(?:tu|tun sie) (?:mir |uns )?(?:bitte |mal )*(?:den|einen) gefallen (?:, |: )?(?:und )?",
    "hilf mir (?:dabei |bitte |mal )*" + _COMMA, "lass uns " + _MAL,
    "(?:wäre|ist|wär) es " + _MAL + "(?:dir |ihnen )?" + "(?:möglich|ok|okay|in ordnung|"
                                                         "machbar) " + _COMMA + "(?:" + _WENN_DU + "|zu |" + _MAL + ")",
    "(?:würde|würd|macht|machte) es (?:dir|ihnen|euch) (?:etwas |was |viel |große )?(?:ausmachen|aus|umstände "
    "machen|mühe machen) " + _maybe(_WENN_DU) + _COMMA + _MAL,
    "(?:es|das) (?:wäre|wär|ist) (?:sehr |wirklich |echt |total |super |ganz |"
    "voll )*" + _TOLL + "(?:von (?:dir|ihnen) )?" + _WENN_DU,
    "ich (?:wäre|bin|wär) (?:dir |ihnen )?(?:sehr |wirklich |echt )*(?:dankbar|froh|verbunden) " + _WENN_DU,
    "ich (?:würde mich|freue mich|freute mich|würd mich) (?:sehr )?(?:freuen )?" + _WENN_DU,
    "ich (?:hätte|hätt|wüsste|würde|würd|möchte|will|wollte|muss|müsste|mag|brauche|bräuchte) " + _MAL + "(?:nur )?"
    + "(?:(?:gewusst|wissen|erfahren|fragen) " + _COMMA + "|, dass (?:du|sie) " + _MAL + ")?",
    "ich (?:frage|frag|fragte) mich (?:gerade |schon lange |oft |immer |manchmal |eben )*" + _COMMA + _WH,
    "(?:mich würde|mich würd) " + _MAL + "interessieren " + _COMMA, "mich interessiert " + _MAL + _COMMA + _WH,
    "ich (?:weiß|erinnere mich|habe vergessen|hab vergessen|bin mir|kann mich) (?:gerade |leider |nicht mehr |"
    "nicht |genau |ganz |sicher |unsicher |erinnern )*" + _COMMA + _WH,
    "(?:weißt|wissen) (?:du|sie) (?:zufällig |vielleicht |noch |eigentlich )*" + _COMMA + _WH,
    "(?:sag|sage|verrate|verrat) (?:mir |uns |mal |doch |bitte )*" + _COMMA + _WH,
    "ich (?:glaube|denke|schätze|vermute|finde|meine) "
    + _COMMA + "(?:dass )?" + _DU + _words("sollte sollten könnte kannst könntest muss müsste kann solltest "
                                           "müssten") + _MAL,
    "(?:du|ich|man|wir) " + _words("kannst könntest sollte solltest muss müsste") + _MAL,
    "(?:hättest|hast) du " + _MAL + "(?:zeit|lust|einen moment|kurz zeit) " + _COMMA + "(?:um )?" + _MAL,
)  # fmt: skip

_DE_CASUAL = _words(
    "es das dir dich ihnen du sie nicht nichts zu viel mühe umstände aufwand macht machen bereitet bereiten "
    "ausmacht möglich geht ginge ok okay "
    "recht ist wäre in ordnung zeit lust gerade kurz mal einen moment hast haben hättest könntest kannst magst "
    "willst möchtest so nett lieb gut "
    "bist sein und wenn falls keine allzu große irgendwie dazu kommst passt gelegenheit schon dabei bitte eben"
)

# --- together -----------------------------------------------------------------------------------------------------

_IF = "(?:if|when|whenever|once|as soon as|wenn|falls|sofern|sobald) "
CASUAL_IF = f"{_IF}(?:(?:{_EN_CASUAL}){{1,12}}+|(?:{_DE_CASUAL}){{1,12}}+)"
"""An if-clause of good manners: "if it's not too much trouble", "wenn du gerade Zeit hast"."""

_TAG = (
    "(?:would|will|could|can|won't|can't|do|does|did|is|are|was|were|have|has|had|should|don't|doesn't|didn't|"
    "isn't|aren't|wasn't|"
    "weren't|haven't|hasn't|hadn't|shouldn't) (?:i|you|he|she|it|we|they) "
)

LEADS = (*_EN, *_DE, CASUAL_IF + MARK, _TAG + ", ")

TAILS = (
    CASUAL_IF,
    "(?:i|we) (?:wonder|was wondering|am wondering|forgot|forget|can't (?:quite )?remember|don't (?:quite "
    ")?remember|have forgotten) ",
    "i've forgotten ", "i'm wondering ",
    "(?:, )?(?:so |because |since |as )?(?:i|we) (?:really |just )?(?:don't|do not|won't) (?:really |ever )?"
    "(?:need|want|use|read) (?:it|them|that|this|those|that one|this one|those ones) (?:any more|anymore|any longer|"
    "again) ",
    "(?:, )?(?:also |weil )?(?:ich )?(?:die|das|den|der|es|sie|ihn) (?:brauch|brauche|benötige|will) (?:ich )?(?:echt |"
    "wirklich |eh |jetzt )*nicht mehr ",
    "(?:, )(?:i|we) (?:guess|suppose|think|believe|hope|reckon|don't know) ",
    "(?:, )" + _TAG,
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

_SUBJECT = (
    "(?=(?:i|we|you|he|she|it|they|there|i'm|i've|i'd|i'll|we're|we've|my|our|your|his|her|their|the|this|that|"
    "everything|"
    "everybody|nobody|nothing|somebody|people) )"
)
PLAIN_REASONS = (
    f"because {_SUBJECT}", f"(?:so|such) that {_SUBJECT}", "in case (?:i|we|you|he|she|it|they) ",
    "so (?=(?:i|we|you|he|she|it|they|everybody|people|my \\w+|our \\w+) (?:can|could|have|will|know|may|might|"
    "won't|get|find) )",
)  # fmt: skip
"""What opens a clause that says why or what for, also without a mark before it."""

REASONS = (
    *PLAIN_REASONS,
    f"(?:since|as|given that|seeing that|seeing as|now that|although|though|even though) {_SUBJECT}",
    "(?:weil|da|damit|denn|obwohl|zumal) "
    "(?=(?:ich|wir|du|er|sie|es|man|mein\\w*|unser\\w*|dein\\w*|der|die|das|ihr\\w*|sein\\w*) )",
)

STATEMENTS = (
    "(?:i|we) (?:am|was|were|are|have|had|do|did|don't|didn't|haven't|just|already|never|still|always|often|"
    "really|recently|"
    "\\w+ed|got|went|saw|made|took|bought|wrote|sent|left|lost|put|know|think|guess|suppose|believe|use|work|live) ",
    "(?:i|we) (?:need|want|like|love|hate) (?=(?:it|them|this|that|these|those) )",
    "(?:i'm|i've|we're|we've|he's|she's|they're|they've) ",
    "(?:he|she|they|it|there|this|that) (?:is|was|are|were|has|had|have|'s|will|would|can|does|did|isn't|wasn't|"
    "seems|looks|needs|"
    "takes|\\w+ed) ",
    "(?:my|our|his|her|their) (?:\\w+ ){1,3}?(?:is|was|are|were|has|had|have|will|would|wants?|needs?|works?|"
    "asks?|says?|likes?|uses?|"
    "got|gets?|\\w+ed) ",
    "(?:ich|wir) (?:bin|war|habe|hab|hatte|sind|haben|hatten|mag|kenne|finde|glaube|arbeite|schreibe|fahre|gehe|muss) ",
    "(?:mein|meine|unser|unsere|sein|seine|ihr|ihre|er|sie|es) (?:\\w+ ){0,3}?(?:ist|war|sind|hat|hatte|haben|"
    "will|braucht|möchte|"
    "arbeitet|wird|liegt|steht) ",
)  # fmt: skip
"""How a sentence begins that tells something and asks for nothing."""

NO_LONGER = (
    "(?:any more|anymore|any longer|no longer|of (?:any|no|much) (?:use|interest|value)|not? (?:needed|"
    "necessary)|nicht mehr|kein\\w* mehr) "
)
"""Says that something is done with, and excludes nothing."""

EXCLUDING = (
    "(?:only|except|without|excluding|unless|besides|apart from|other than|nur|außer|ohne|ausgenommen|es sei denn) "
)
"""Words that limit what is asked for, wherever they stand."""
