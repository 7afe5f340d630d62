"""What people wrap around a request in English: openings, polite forms, wishing and wondering. Data for ``framing``."""

from __future__ import annotations

from kernel.language.frame.phrase_patterns import COMMA, MARK, WH, any_of, maybe, words_in

_ADV = (
    "(?:"
    + words_in(
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
_DOING = "(?:" + any_of(
    "mind", "be able to", "trouble you to", "bother you to", "trouble you for", "ask you to", "get you to", "like to",
    "help me to", "help me out and", "help me and", "help me", "go ahead and", "take a moment to", "take a moment and",
    "have a look and", "find the time to", "manage to", "try to", "try and", "happen to",
) + " )"  # fmt: skip
_COMPLEMENT = f"(?:{_ADV}(?:be )?{_KIND}|{_ADV}{_FAVOUR}|{_ADV}{_DOING})?{_ADV}"
_KNOWING = (
    "(?:to )?(?:(?:know|find out|be told|be reminded|learn about) |"
    "(?:see|check|learn|hear|remember|recall|understand|figure out|work out|decide|verify|double-check|look up) "
    + WH
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
        "appreciate (?:it )?(?:very much |a lot )?)(?:if |to have |for )" + maybe(_YOU_MODAL)
    )
)
_WONDERING = any_of(
    "wondering", "curious", "asking myself", "asking you", "trying to (?:remember|recall|find out|figure out|"
                                                           "work out|see|understand|think|decide)",
    "not (?:quite |entirely |really |so |too |at all )?(?:sure|"
    "certain)",
    "no longer (?:quite |entirely |really |so |too )?(?:sure|certain)", "unsure",
    "interested in", "interested to know", "interested in knowing",
    "hoping", "thinking",
)  # fmt: skip
_NOT_KNOWING = any_of(
    "wonder", "wondered", "keep asking myself", "keep wondering", "keep forgetting", "ask myself", "often ask myself",
    "can't (?:quite |really |for the life of me )?(?:remember|recall|think|tell|say|find out|figure out)",
    "cannot (?:remember|recall|tell|say)", "don't (?:quite |really )?(?:remember|recall|"
                                           "know)", "do not (?:remember|recall|know)",
    "have no idea", "have (?:clean |completely )?forgotten", "forgot", "forget",
)  # fmt: skip
_MUST = any_of(
    "should", "must", "ought to", "had better", "might as well", "may as well", "need to", "have to", "will have to",
    "would need to", "better",
)  # fmt: skip
_SHOULD = any_of(_MUST, "could", "can", "may")
_DEED = f"(?:you (?:just |really |probably |also )?{_SHOULD}|(?:i|we) (?:just |really |probably |also )?{_MUST}) "
_NICE = (
    "(?:a (?:great |big |real )?help |"
    + words_in(
        "nice great good lovely helpful wonderful kind fantastic awesome useful handy possible ok okay fine "
        "alright super brilliant"
    )
    + "(?:of you )?)"
)

EN = (
    # openings and interjections
    r"(?:h+m+|uh+|um+|a+h+|oh+|er+m?|well|so(?! that )|ok|okay|hey+|hi+|hello|hiya|heya|yo+|oi|howdy|steward|please|"
    r"kindly|now|just|yeah|yep|yup) "
    r"(?:yes |right |no |there |again |everyone |mate |dude |man |buddy |pal |friend )?" + maybe(MARK),
    "(?:(?:ok|okay|oh|ah|alright|wow|right) )?(?:, )?(?:cool|great|nice|perfect|super|awesome|lovely|fine|good|"
    "wonderful|brilliant|excellent)(?: one| stuff| job)? (?:thanks |thank you |cheers )?(?:, |[.!] )?"
    "(?:now |then |so |and now )?"
    "(?=(?:move|copy|put|delete|add|show|open|read|rename|send|make|can|could|would|please|what|how|when|where|"
    "which) )",
    "(?:so |then |please )?do (?=(?:throw|delete|move|tell|show|put|copy|send|make|find|open|read|save|rename|add|give|"
    "let|check|look|keep|remove|get|take) )",
    "before i forget " + maybe(MARK),
    r"(?:right|alright|all right|look|listen|great|perfect|nice|(?:very )?good|wait|sorry|excuse me|"
    r"good (?:morning|evening|afternoon|day)|"
    r"let me (?:think|see)(?: now)?|you know|by the way|first of all|while you are at it|while you're at it|"
    r"actually) " + MARK,
    r"(?:wait|hang on|hold on|listen|alright|sorry) (?=(?:so|where|what|which|how|who|when|can|could|would|please) )",
    "(?:i'm |i was |i am )?(?:just |only )?(?:wondering|curious|asking|checking) (?:out loud )?" + MARK,
    r"(?:thank you|thanks|many thanks|cheers)(?: a lot| so much| very much| for that| again| kindly)* " + MARK,
    r"(?:i (?:have|had|'ve|'ve got) |i've (?:got )?)?(?:just )?(?:a |one )(?:quick |small |little |short "
    r")*(?:question|request|favou?r to ask|thing|wish) " + MARK,
    r"(?:(?:ok|okay|so|just) )*(?:a )?quick (?:\w+ )?(?:check|look|one|update|rundown|round) " + MARK,
    "(?:i (?:have|had|need) |i've got |there are |just )?(?:two|three|four|five|[2-5]|a few|a couple of|several|some) "
    "(?:quick |small |little |other |more )*(?:things|tasks|requests|favou?rs|jobs|errands) "
    "(?:please |for you |to do |today )*" + MARK,
    # asking somebody to do it
    _MODAL_YOU + _COMPLEMENT,
    f"(?:can|could|may|might) (?:i|we) {_ADV}(?:{_FAVOUR}|(?:trouble|bother|ask|get|have) you (?:to|for) )",
    "(?:can|could|may) (?:i|we) (?:please )?(?=(?:see|have|get|hear|look|know) )",
    "(?:do|would) you mind ",
    "(?:be )?(?:so |very )?(?:kind|good|nice) (?:enough to|as to) ",
    "be so (?:kind|good|nice) (?:and|to) ",
    _FAVOUR,
    "(?:please )?tell (?:me|us) (?:please |again |quickly |then |afterwards |exactly |roughly |just |also )+"
    + COMMA + WH,
    "(?:please )?name (?:me|us) ",
    "(?:find out|figure out|work out|look up|check|see|(?:have|take) a (?:quick )?look(?: at)?) "
    "(?:please |for me |for us |again |quickly |then )*"
    + COMMA + "(?!if |whether )" + WH,
    "(?:if|whether) " + _YOU_MODAL + _COMPLEMENT,
    "(?:go ahead and|feel free to|make sure to|make sure you|be sure to|don't forget to|help me to|help me|let's|"
    "let us|try to|try and|it is time to|it 's time to) ",
    # wishing
    _GRATEFUL + _COMPLEMENT,
    _I_WOULD + "(?:like|love|prefer|want|need|wish|hope) (?:for )?(?:you )?to " + maybe(_KNOWING),
    _I_WOULD + "(?:like|love|prefer) ",
    f"(?:{_I_WOULD}|(?:i|we) {_ADV}|i must |i have to )(?:ask|beg|request|urge) (?:of )?you to ",
    "(?:i|we) " + _ADV + "(?:want|need|have|wish|hope|wanted|needed|would need) (?:for )?(?:you "
                         ")?to " + maybe(_KNOWING),
    _I_AM + "(?:hoping|thinking|wondering) (?:that |if |whether )?" + _YOU_MODAL + _COMPLEMENT,
    _I_AM + "(?:meaning|wanting|going) to ask (?:you )?(?:[:,] )?",
    "(?:i|we) " + _ADV + "(?:wanted|meant|have|need|want|would like) to ask (?:you )?(?:[:,] )?",
    _I_AM + "(?:trying|hoping|looking) (?:for you )?to ",
    # knowing and not knowing
    _I_AM + _WONDERING + " (?:about |to know )?" + COMMA + WH,
    _I_AM + _WONDERING + " (?:if|whether) " + _YOU_MODAL + _COMPLEMENT,
    "(?:i|we|i've|we've|i'm) " + _ADV + _NOT_KNOWING + " (?:any more |anymore )?" + COMMA + WH,
    "(?:do|did|would|can|could) you (?:happen to |still )?(?:know|remember|recall|have any idea|tell|"
    "say) " + COMMA + WH,
    "(?:any|no) idea " + COMMA + WH,
    "(?:remind|inform) (?:me|us) (?:about |of |again )?" + COMMA + WH,
    "let (?:me|us) know " + COMMA + maybe(WH),
    "(?:please )?(?:say|guess) " + COMMA + WH,
    # judging
    "(?:it would|it'd|that would|would it|it 'd|will it|it might|it "
    "will) " + _ADV + "be " + _ADV + _NICE + "(?:if |for you to |for me to |to )" + maybe(_YOU_MODAL),
    "(?:is|was) it (?:at all |perhaps |maybe )?(?:possible|ok|okay|alright|fine) (?:for (?:you|me) )?(?:to |"
    "if )" + maybe(_YOU_MODAL),
    "(?:is|would) there (?:be )?(?:any |a |some )(?:chance|way|possibility) (?:that |of |to |for you "
    "to )?" + maybe(_YOU_MODAL),
    "any (?:chance|way) (?:that |of |to |for you to )?" + maybe(_YOU_MODAL),
    "(?:i|we) (?:guess|suppose|think|believe|reckon|imagine|assume|hope) (?:that )?" + _DEED + _ADV,
    "(?:i|we) " + _ADV + "(?:think|believe|guess|know|remember|recall|seem to (?:remember|recall)) (?:that )?"
    "(?=(?:one of|some of|there|the words?|somewhere) )",
    "(?:they|he|she|somebody|someone) (?:(?:have|has|had) )?(?:gave|given|give|gives|allowed|granted) (?:me|us) ",
    _DEED + _ADV,
    # putting it up front
    "(?:what|all|the thing|one thing) (?:that )?(?:i'd|i would|i|we|we'd|i'm|i "
    "am) " + _ADV + "(?:like|love|want|need|wanted|needed|after|looking for|interested in) (?:to (?:know|see|"
                    "have|do|get|find out) )?(?:now )?(?:is|was|would be) (?:to |for you to )?",
    "(?:my|the) (?:question|request|wish|idea|thing) (?:is|was|would be) (?:to |that )?(?:[,:] )?",
)  # fmt: skip

EN_CASUAL = words_in(
    "it is isn't 's it's that not too much trouble bother problem time moment minute second sec chance mind "
    "please would could "
    "can get have has had got don't do didn't no ok okay alright fine with by possible convenient free spare "
    "busy ready like want wish "
    "happen at all right and so kind nice be able there a an any you i may me for to of great wouldn't doesn't hassle "
    "ask asking suits"
)
