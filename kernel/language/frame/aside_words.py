"""Clauses that ask for nothing, in English and German: why, what for, and how things are. Data for ``framing``."""

from __future__ import annotations

from kernel.language.frame.phrase_patterns import MARK, any_of

_SUBJECT = (
    "(?=(?:i|we|you|he|she|it|one|nobody|they|there|i'm|i've|i'd|i'll|we're|we've|my|our|your|his|her|their|the|this|that|"
    "everything|"
    "everybody|nobody|nothing|somebody|people) )"
)
PLAIN_REASONS = (
    f"because {_SUBJECT}", f"(?:so|such) that {_SUBJECT}", "in case (?:i|we|you|he|she|it|they) ",
    "so (?=(?:i|we|he|she|it|they|everybody|people|my \\w+|our \\w+) (?:can|could|have|will|know|may|might|"
    "won't|get|find) )",
    "(?:weiß ich|wissen wir) (?:dann |endlich |auch |, )*(?=(?:was|wie|wieviel|ob|wann|wo|wer|welche[rsnm]?|dass) )",
)  # fmt: skip
"""What opens a clause that says why or what for, also without a mark before it."""

REASONS = (
    *PLAIN_REASONS,
    f"(?:since|as|given that|seeing that|seeing as|now that|although|though|even though) {_SUBJECT}",
    "(?:weil|da(?! (?:ist|sind|war|waren|wird|werden|liegt|liegen|steht|stehen|hat|hab|haben|gibt|wartet) )|damit|denn|"
    "obwohl|zumal) (?:\\w+ ){0,2}?"
    "(?=(?:ich|wir|du|er|sie|es|man|mir|uns|nichts|niemand|mein\\w*|unser\\w*|dein\\w*|der|die|das|ihr\\w*|sein\\w*) )",
    "(?:da|dort|hier|das|die|der|den|es|sie|er|ich|wir) (?:\\w+ ){1,3}?(?:nämlich|schließlich|ja|eh|angeblich) ",
)

_AND = "(?:(?:and|but|so|also|und|aber|also) )?"
_KIN = any_of(
    "son", "daughter", "wife", "husband", "partner", "mother", "father", "mum", "mom", "dad", "parents", "brother",
    "sister", "uncle", "aunt", "cousin", "nephew", "niece", "grand\\w+", "kids?", "children", "family", "friends?",
    "boss", "colleagues?", "neighbou?rs?", "accountant", "lawyer", "landlord", "landlady", "doctor", "teacher",
    "team", "clients?", "customers?", "bank", "flatmate", "roommate", "lad(?:y|ies)", "m[ae]n", "guys?", "wom[ae]n",
    "girls?", "boys?", "gran(?:ny|dma|dpa)?", "advis[eo]r", "consultant", "assistant", "secretary", "nurse", "tenants?",
)  # fmt: skip
_SIPPE = any_of(
    "sohn", "tochter", "frau", "mann", "partner\\w*", "mutter", "vater", "mama", "papa", "eltern", "bruder",
    "schwester", "onkel", "tante", "cousin\\w*", "neffe", "nichte", "enkel\\w*", "oma", "opa", "kinder", "familie",
    "freund\\w*", "chef\\w*", "kolleg\\w*", "nachbar\\w*", "steuerberater\\w*", "anwalt", "anwältin", "vermieter\\w*",
    "arzt", "ärztin", "lehrer\\w*", "team", "kund\\w*", "bank", "mitbewohner\\w*", "dame", "herr", "mieter\\w*",
    "berater\\w*", "sekretär\\w*", "verein",
)  # fmt: skip

_EVERY = "(?:all|still|probably|already|somewhere|just|right|then) "
_HEDGED = f"(?:(?:it|they|that|this|those|these) )?(?:should|must|might|may|could|ought to|has to) (?:{_EVERY})*"
_VERMUTET = (
    "(?:(?:es|das|die|der) )?(?:müsste|müssten|sollte|sollten|dürfte|dürften|muss|müssen|könnte|könnten) "
    "(?:(?:es|das|die|der|er|sie|alles|alle|ja|doch|noch|eigentlich|irgendwo|schon|wohl|auch) )*"
)
_STRESSED = (
    "(?:so|too|really|always|constantly|nearly|almost|totally|completely|absolutely|pretty|quite|getting|all|again|"
    "getting|super|a bit|a total|such a|a mess|full|slow) "
)
_BETONT = (
    "(?:so|zu|dauernd|ständig|schon|wieder|total|völlig|ziemlich|fast|immer|echt|gerade|langsam|bald|mal|komplett|"
    "ganz|ja|voll|proppenvoll|randvoll) "
)
STATEMENTS = (
    "(?:i|we) (?:am|was|were|are|have|had|do|did|don't|didn't|haven't|just|already|never|still|always|often|"
    "really|recently|"
    "(?!need )\\w+ed|got|went|saw|made|took|bought|wrote|sent|left|lost|put|know|think|guess|suppose|believe|use|work|"
    "live) ",
    "(?:i|we) no longer (?:need|want|use|like) ",
    "(?:i|we) (?:need|want|like|love|hate) (?=(?:it|them|this|that|these|those) )",
    "(?:i'm|i've|we're|we've|he's|she's|they're|they've) ",
    "(?:he|she|they|it|there|this|that) (?:is|was|are|were|has|had|have|'s|will|would|can|does|did|isn't|wasn't|"
    "seems|looks|needs|"
    "takes|(?!need )\\w+ed) ",
    "(?:my|our|his|her|their) (?:\\w+ ){1,3}?(?:is|was|are|were|has|had|have|will|would|wants?|needs?|works?|"
    "asks?|says?|likes?|uses?|"
    "got|gets?|(?!need )\\w+ed) ",
    f"(?:my|our|his|her|their|the) (?:\\w+ )?{_KIN} (?:\\w+s|\\w+ed|says|said|thinks|thought|told|goes|has|had) ",
    "(?:ich|wir) (?:bin|war|habe|hab|hatte|sind|haben|hatten|mag|kenne|finde|glaube|arbeite|schreibe|fahre|gehe|muss) ",
    "(?:mein|meine|unser|unsere|sein|seine|ihr|ihre|er|sie|es) (?:\\w+ ){0,3}?(?:ist|war|sind|hat|hatte|haben|"
    "will|braucht|möchte|"
    "arbeitet|wird|liegt|steht) ",
    f"(?:mein|meine|unser|unsere|der|die) (?:\\w+ )?{_SIPPE} (?:\\w+t|meint|sagt|sagte|hat|ist|war) ",
    "(?:mein|meine|unser|unsere) \\w+ und (?:ich|wir) (?:\\w+ )?",
    "ich (?:erinnere mich|weiß|meine mich zu erinnern) (?:noch |genau |dunkel )*, (?:dass|daß) ",
    "(?:(?:es|das|die|alles) )?(?:steht|stehen|liegt|liegen|ist|sind) (?:alles |alle |ja |doch )*"
    "(?=(?:in|im|auf|als|unter|bei) )",
    f"{_HEDGED}(?:be|lie|live|sit|have been) (?:{_EVERY})*(?=(?:in|on|under|at|among) )",
    f"{_VERMUTET}(?=(?:in|im|auf|als|unter|bei) )",
    f"(?:the|this|that) (?:\\w+ ){{1,2}}?(?:is|are|was|keeps?|gets?|seems|feels|looks) (?:{_STRESSED})+",
    f"(?:der|die|das) (?:\\w+ ){{1,2}}?(?:ist|sind|war|wird|werden|läuft) (?:{_BETONT})+",
    "(?:i |we )?(?:(?:really|kinda|just|badly) )*(?:need|could use) the (?:disk |disc )?(?:space|room) ",
    "(?:ich |wir )?(?:brauch|brauche|brauchen) (?:dringend |echt |den |mehr )+(?:platz|speicher|speicherplatz) ",
    "(?:got|having|expecting) (?:a|an|some|my|our|the) (?:\\w+ ){1,3}?(?:over|coming|around|here|visiting|waiting|"
    "tonight|soon) ",
)  # fmt: skip
"""How a sentence begins that tells something and asks for nothing."""

CHATTER = (
    "(?:\\w+ ){1,2}(?:'s|is|are|was|were) (?:(?:so|too|again|being|always|really|just|such|a) )*(?:\\w+ ){1,2}",
    "(?:\\w+ ){1,2}(?:is|are|'s) (?:asking|waiting|coming|calling|visiting|hungry|bored|here)(?: \\w+){0,3} ",
    "(?:\\w+ ){1,2}(?:coming|visiting|waiting|asking|staying|dropping) (?:\\w+ ){0,3}",
    "(?:(?:i'm|we're|been|was|just) )*(?:thinking|wondering) (?:of|about|whether|if) (?:\\w+ ){1,6}",
    "(?:i |we )?(?:really |just )*(?:don't|do not) (?:wanna|want|have time|need|feel like)(?: to)? (?:\\w+ )?"
    "(?:the whole|all|everything|it all)(?: \\w+){0,3} ",
    "(?:der|die|das|mein|meine|unser|unsere) (?:\\w+ ){1,2}(?:fragt|kommt|wartet|nervt|drängelt|hat hunger)"
    "(?: \\w+){0,3} ",
    "(?:\\w+ ){1,2}(?:kommen|kommt|fragen|fragt|warten|wartet) (?:\\w+ ){1,4}",
    "(?:ich |wir )?(?:überlege|überlegen|überleg) (?:\\w+ ){1,6}",
    "(?:(?:i'm|we're|i am|we are|just|still|currently|now) )*(?:standing|sitting|stuck|waiting|walking|driving|"
    "about to leave|on my way|on the way|in a hurry|in a rush|running late) (?:\\w+ ){0,6}",
    "(?:ich |wir )?(?:bin|sind|stehe?|stehen|sitze?|sitzen|hänge?|liege?|warte) (?:ich |wir )?"
    "(?:(?:gerade|noch|schon|hier|jetzt|eh|schnell|kurz) )*(?:im|in|beim|bei|auf|am|an|vor|unterwegs|zu) "
    "(?:\\w+ ){0,4}",
)
"""What is said on the way to a question, of which it says nothing."""

_THING = "(?:the|this|that|der|die|das|den|dieser?|dieses) (?:[^\\s,;:!?]*\\w ){1,6}?"
ABOUT_A_THING = (
    _THING + "(?:(?:has |had |have )?(?:landed|ended up|got saved|got lost)|(?:is|are|was|were) "
    "(?:still |now |just |currently |somehow |already |accidentally )*(?:in|on|under|at|lying|sitting|too|very|really|"
    "saved|stored)) ",
    _THING + "(?:ist|sind|war|liegt|liegen|lag|steht|befindet sich) (?:noch |jetzt |gerade |irgendwie |schon |aus )*"
    "(?:versehentlich |versehen |leider |irrtümlich )?(?:in|im|auf|unter|bei|zu|sehr) ",
)
"""Says where a thing is or how it is: "the photo a.jpg landed in Downloads by mistake"."""

_WANTING = (
    "(?:(?:want|need|have|hope|plan|intend|would like|'d like|got|going|am going|are going|was going) to |must |"
    "should |gotta |(?:want|got) (?!(?:the|a|an|my|our|more|some|all|any|every|it|them|this|that|these|those|you|"
    "to|just) ))"
)
"""What comes before a deed that somebody means to do; "I want the csv" asks for a thing."""
_OFTEN = "(?:(?:kinda|sorta|just|really|actually|still|also|probably|then) )*"
_POINTER = "(?:it|that|them|this|these|those|that one|this one|there)"
WISHES = (
    f"{_AND}(?:i|we|i'd|we'd) {_OFTEN}{_WANTING}(?:get out of )?",
    f"{_AND}(?:(?:need|have|got|want) to|gotta|wanna) (?!(?:know|see|find|show|tell|hear|look|check) )",
    f"{_AND}(?:i|we) want out (?:of )?",
    f"{_AND}(?:ich|wir) (?:muss|müssen|will|wollen|möchte|möchten|soll|sollen) ",
    f"{_AND}(?:ich|wir) (?=(?:\\w+e|\\w+en) )",
    f"{_AND}(?:i|we) (?=(?:split|share|pay|owe|go|travel|meet|fly|drive|eat|play|marry|sing|cook|wonder) )",
)
"""What a person does or means to do: a clause of its own, unless a tool does just that."""

_BIT = "(?:(?:kind of|kinda|sort of|sorta|a bit|a little|so|really|totally|just|already|super|too|still) )"
AFTERTHOUGHTS = (
    f"(?:it|they|that|this) (?:is|are|'s|'re) (?:all |both )?(?:in|on|under|at) (?:\\S+ ){{1,5}}?(?:{MARK}|$)",
    f"(?:i'm|we're|i am|we are) (?:{_BIT}*in (?:a|such a|quite a) (?:\\w+ )?|{_BIT}*running |{_BIT}+)\\w+ (?:{MARK}|$)",
    f"(?:i|we) {_OFTEN}{_WANTING}(?:\\w+ ){{1,3}}?(?:of |with |for |from |on |to )?{_POINTER} "
    f"(?:(?:asap|soon|today|now|tomorrow|anyway) )?(?:{MARK}|$)",
    f"ich (?:muss|will|möchte|soll) (?:das|es|die|den|sie|ihn|davon|damit) (?:\\w+ ){{0,2}}?\\w+en (?:{MARK}|$)",
)
"""The same at the end of a spoken sentence, with no mark before it: "… i kinda want to get out of it"."""

_I = "(?:(?:i|we) )?"
_NOT = "(?:don't|do not|won't|can't|cannot|couldn't|didn't|haven't|doesn't|isn't|wouldn't|never|hasn't|wasn't)"
UNABLE = (
    "(?:ich|wir) (?:habe?|haben) (?:\\w+ ){1,3}?nicht (?:da|dabei|hier|griffbereit|zur hand) ",
    "(?:i|we) (?:don't|do not|haven't) (?:have|got) (?:\\w+ ){1,3}?(?:with me|on me|here|at hand|to hand|around) ",
    f"{_AND}{_I}{_NOT} (?:really |just |even |quite )*(?:remember|recall|know|understand|see|trust|find|read|open) ",
    f"{_AND}(?:my|our|the|his|her) (?:\\w+ ){{0,2}}?{_KIN} {_NOT} ",
    f"{_AND}(?:mein|meine|unser|unsere|der|die) (?:\\w+ ){{0,2}}?{_SIPPE} kann (?:\\w+ ){{0,4}}?(?:nicht|keine?n?) ",
    f"{_AND}(?:(?:i|we) (?:have|'ve got|got) |i've got |there is |there 's )?no (?:time|patience|energy|idea|clue) ",
    f"{_AND}(?:(?:ich|wir) (?:habe?|haben) )?(?:\\w+ )?keine?n? (?:zeit|lust|ahnung|nerven|geduld) ",
    f"{_AND}(?:ich|wir) (?:weiß|wissen|finde|finden|verstehe|verstehen|kann|können) (?:\\w+ ){{0,3}}?nicht (?:mehr )?",
)
"""Says what somebody cannot do, which is why it is asked."""

_ALL_OF_IT = (
    "(?:the (?:whole|entire|full) (?:thing|lot|text|document)|all of (?:it|that|them)|(?:it|that|them) all|everything)"
)
UNWILLING = (
    f"{_AND}{_I}{_NOT} (?:really |just |even )*(?:want to|wish to|need to|have to|feel like|fancy|bother to|wanna) "
    f"\\w+ (?:through )?{_ALL_OF_IT} ",
    f"{_AND}{_I}{_NOT} (?:really |just |even )*(?:want|wish|like|need|have|feel like|fancy|bother|wanna) (?:to )?"
    "(?!(?:the|any|your|you|them|it|that|this|those|these|him|her|all|every|both|to) )",
)
"""Says what somebody does not care to do; that it limits what is asked shows in the things and choices it names."""

_THING_IS = "(?:the|this|that|my|our|their|der|die|das|mein|meine|unser|unsere) (?:[^\\W\\d]\\w* ){1,3}?"
BALKING = (
    f"{_AND}{_THING_IS}(?:won't|can't|cannot|couldn't|doesn't|isn't|wouldn't|didn't|never) ",
    f"{_AND}{_THING_IS}(?:kann|will|nimmt|mag|frisst|versteht|liest) (?:\\w+ ){{0,3}}?(?:nicht|keine?n?) ",
)
"""Says what some other thing does not do: "the upload form won't take it"."""

_ORIGINAL = "(?:the|das|die) ori?gi?nale?s?(?: file| one| version| datei)? "
_STAYS = (
    "(?:exactly |just |right |genau )?"
    "(?:(?:where|as|how|just as) (?:it|they) (?:is|are)|there|alone|untouched|unchanged|in place|intact|too|as well|"
    "put|wo (?:es|sie) (?:ist|sind|liegt|liegen)|da|dort|liegen|unverändert|in ruhe|stehen|erhalten|auch|"
    "so wie es ist) "
)
_PLEASE = "(?:(?:please|bitte|of course|just|doch|aber|natürlich|,) )*"
KEEPS = (
    f"{_AND}{_PLEASE}(?:leave|leaving|keep|keeping|retain|"
    f"lass|lasse|lassen sie|behalte?|behalten sie) {_PLEASE}{_ORIGINAL}{_PLEASE}"
    f"(?:{_STAYS})?",
    f"{_AND}{_ORIGINAL}(?:should|can|must|may|shall|has to|needs to|is to|stays|remains|soll|sollte|kann|muss|darf|"
    f"bleibt) {_PLEASE}(?:stay |remain |be kept |be left |be )?{_PLEASE}(?:{_STAYS})?(?:bleiben )?",
)
"""The original is to stay: a wish that only a tool can do justice to which takes nothing away."""

_REST = "(?:(?:all )?the (?:rest|others|other ones)|(?:alles andere|den rest|der rest|die anderen|die übrigen)) "
_LEAVE = "(?:leave|keep|spare|lass|lasse|lassen sie|behalte?|behalten sie|verschone?)"
KEEPS_REST = (
    f"{_AND}{_PLEASE}{_LEAVE} {_PLEASE}{_REST}{_PLEASE}(?:{_STAYS}|so )?",
    f"{_AND}(?:do not|don't) (?:touch|change|delete|move) {_REST}",
    f"{_AND}(?:rühre?|fasse?) {_REST}(?:bitte )?nicht an ",
    f"{_AND}{_REST}(?:should|can|must|may|shall|has to|needs to|is to|stays|remains|soll|sollen|kann|können|bleibt|"
    f"bleiben|darf) {_PLEASE}(?:stay |remain |be kept |be left |be )?{_PLEASE}(?:{_STAYS})?(?:bleiben )?",
)
"""All else is to stay as it is, as whoever names what is to be done takes for granted."""

_LEFT = "(?:(?:left|again|now|anymore|already|mehr|schon|noch) )*"
_WHAT = "(?P<what>(?:[^\\W\\d][\\w-]* ){1,3}?)"
LACKING = (
    f"{_AND}(?:we're|we are|were|i'm|i am|im) (?:(?:nearly|almost|all|completely|totally) )*"
    f"(?:out of|low on|short of|running low on|running out of) {_WHAT}{_LEFT}",
    f"{_AND}(?:we|i) (?:ran|have run|'ve run) (?:out of|low on) {_WHAT}{_LEFT}",
    f"{_AND}(?:we|i) (?:still )?(?:need|could use) (?:some|more|some more|new) {_WHAT}{_LEFT}",
    f"{_AND}(?:the )?{_WHAT}(?:is|are) (?:(?:nearly|almost|all) )*(?:gone|used up|empty) {_LEFT}",
    f"{_AND}(?:uns|mir|es) (?:fehlt|fehlen) (?:(?:noch|schon|wieder|langsam) )*{_WHAT}",
    f"{_AND}(?:wir|ich) (?:haben|habe|hab) (?:\\w+ )?keine?n? {_WHAT}mehr ",
    f"{_AND}mir (?:fällt|fallen|kommt) (?:(?:da|grad|gerade|eben|noch) )*{_WHAT}(?:ein|in den sinn) ",
    f"{_AND}(?:i|we) (?:(?:just|also|suddenly) )*(?:remembered|thought of) {_WHAT}",
    f"{_AND}(?:der |die |das )?{_WHAT}(?:ist|sind) (?:(?:fast|bald|schon|wieder) )*(?:alle|leer|aus|ausgegangen) ",
)
"""Says what is lacking, which "it" in what follows then means."""

_DONE_ALREADY = "(?:(?:schon|bereits|längst|jetzt|endlich|heute|nun|gestern|gerade|eben) )"
_DONE_NOW = "(?:(?:already|just|finally|now|all|also) )*"
_ON_THAT_DAY = "(?:(?:already|yesterday|today|this morning|last night|now) )?"
_IN_ED = "(?!(?:need|feed|seed|speed|exceed|proceed|embed|shed|wed|bed|red) )\\w+ed"
_DONE_EN = (
    f"(?:{_IN_ED}|done|paid|bought|made|sent|written|taken|sold|told|built|found|sorted|dealt with|taken care of|"
    "brought|cut|met|put up|hung up|read|rung|swept|fed|sewn|mown)"
)
_DID_EN = f"(?:{_IN_ED}|did|paid|bought|made|sent|wrote|took|got|told|built|sold|brought|met|rang|swept|fed|read)"
_DONE_DE = (
    "(?:(?!(?:gesund|genau|genug|gern|gerne|gering|gesamt|gut|gerade|geheim|gestern) )"
    "(?:(?:an|ab|auf|aus|ein|um|vor|weg|zurück|zusammen|nach|mit|durch|fest|fertig|runter|hoch|raus|rein|hin|"
    "weiter|zu|bei|los)?ge\\w{2,}(?:t|en)|(?:be|er|ver|ent|zer|über|unter)\\w{2,}(?:t|en)|\\w+iert|erledigt|fertig|durch))"
)
_NAMED = "(?P<what>(?:[^\\W\\d][\\w'-]* ){1,4}?)"
DONE = (
    f"{_AND}(?:den |die |das |der )?{_NAMED}(?:hab|habe|haben) (?:ich|wir) {_DONE_ALREADY}*\\w+ ",
    f"{_AND}(?:ich |wir )?(?:hab|habe|haben) (?:(?:den|die|das|der|dem) )?{_NAMED}{_DONE_ALREADY}+\\w+ ",
    f"{_AND}(?:ich |wir )?(?:hab|habe|haben) {_DONE_ALREADY}*(?:(?:den|die|das|der|dem) )?{_NAMED}{_DONE_DE} ",
    f"{_AND}(?:der |die |das )?{_NAMED}(?:ist|sind|wurde|wurden) {_DONE_ALREADY}*{_DONE_DE} ",
    f"{_AND}(?:(?:just |finally |already )?(?={_IN_ED} )|(?:i've|we've|i have|we have|i|we) )"
    f"{_DONE_NOW}(?:{_DID_EN}|{_DONE_EN}) (?:the |my |our )?{_NAMED}"
    f"{_ON_THAT_DAY}",
    f"{_AND}(?:the |my |our )?{_NAMED}(?:is|are|was|were|'s|has been|have been|'s been|got) {_DONE_NOW}{_DONE_EN} "
    f"{_ON_THAT_DAY}",
)
"""Says what has been done with a thing, which "it" in what follows then means: "tick it off"."""

NO_LONGER = (
    "(?:any more|anymore|any longer|no longer|of (?:any|no|much) (?:use|interest|value)|not? (?:needed|"
    "necessary)|nicht mehr|kein\\w* mehr|(?:in|for) (?:ages|years|months|weeks|forever|a long time)|"
    "never (?:liked|used|opened|wanted|needed)|"
    "(?:ewig|nie|jahrelang|monatelang|lange) (?:nicht )?(?:gebraucht|benutzt|angesehen|geöffnet)) "
)
"""Says that something is done with, and excludes nothing."""

DONE_WITH = (
    "(?:(?:i've|we've|i have|we have) (?:already |all |both |just )*\\w+(?:ed|read|seen|sent|done|kept|got|made) "
    "(?:it|them|that|those|everything) |"
    "(?:i've|we've|i|we) (?:have|got|keep)(?: got)? (?:it|them) (?:all |both )?"
    "(?:in|on|elsewhere|somewhere|twice|already) |"
    "(?:ich|wir) (?:hab|habe|haben) (?:es|sie|ihn|das|die|den|alles|alle) (?:alle |alles |beide )?"
    "(?:schon |bereits |längst )*(?:ge\\w+|\\w+(?:iert|tet)|abge\\w+|ausge\\w+|doppelt|in|auf) |"
    "(?:stimmt|stimmen|passt|passen|gilt|gelten|taugt|taugen) (?:\\w+ ){0,2}?(?:nicht|nichts|nimmer) |nimmer |"
    "(?:outdated|out of date|obsolete|useless|worthless|superfluous|unnecessary|redundant|rubbish|junk|trash|garbage|"
    "crap|nonsense|duplicates?|a copy|copies|doubles?|broken|corrupt\\w*|damaged|empty|wrong|expired|ancient|old|"
    "blurry|ugly|taking up|takes? up|veraltet\\w*|überholt|überflüssig|unnötig|nutzlos|wertlos|müll|schrott|unsinn|"
    "quatsch|doppelt|duplikat\\w*|kaputt|beschädigt|defekt|leer|falsch|abgelaufen|uralt|alt|verwackelt|hässlich|nervt|nerven|"
    "stört|stören|(?:frisst|nimmt) (?:nur )?platz) )"
)
"""The same, by what has been done with a thing or what it is worth."""

_FEW_EN = "(?:one|two|three|four|five|few|couple|half|part|bit|ones)"
_FEW_DE = "(?:eine|zwei|drei|vier|fünf|paar|beiden|hälfte|teil)"
PARTS = {
    "en": "(?:(?:some|most|half|many|several|few|one|two|three|four|five|none|each|parts?|much|rest) (?:of )|"
    f"(?:first|last|other|remaining) (?:{_FEW_EN} |$)|(?:ones|mostly|partly|largely) |(?:some|most|half|rest) $)",
    "de": "(?:(?:einige|manche|mehrere|viele|wenige|paar|eine[nrs]?|eins|zwei|drei|vier|fünf|keine[sr]?|teile?) "
    f"(?:davon|von|darunter) |(?:ersten?|letzten?|anderen?|übrigen?) (?:{_FEW_DE} |$)|(?:hälfte|meisten|größtenteils|"
    "teilweise|das meiste) |(?:einige|manche|rest) $|(?:die|den) [^\\W\\d]+en $)",
}
"""Tells of some of several things, and may limit what is done to them."""

INSIDE = (
    "(?:in|among|amongst|on|under) (?:there|it|them|these|those) |"
    "(?<!\\S)(?:drin|drauf|dran|dabei|darin|darauf|daran|darunter|davon|drunter|dazwischen|(?<=\\w )da) |"
    "(?:die|den|der|das|dem) (?:noch|schon|auch|gerade|jetzt|immer|ja|gern|gerne|oft|$)|"
    "(?:decid\\w+|against|objects?|disagrees?|entscheid\\w+|dagegen) |(?:the last|a|das letzte|ein) (?:word|say|wort) |"
    "(?:when|first|before|beforehand|wann|zuerst|vorher|davor) $"
)
"""Says what is in a thing, takes it up by an adverb, or tells who has to say when or whether the deed is done."""

EXCLUDING = (
    "(?:only|except|without|excluding|unless|besides|apart from|other than|nur|außer|ohne|ausgenommen|es sei denn) "
)
"""Words that limit what is asked for, wherever they stand."""

TAKEN_BACK = (
    "(?:i|we) (?:mean|meant|said|changed my|change my|keep(?! \\w+ing)|kept(?! \\w+ing)|leave|suggest|prefer|insist) ",
    "(?:i|we) (?:was|were|am|are|have been|had been) (?:told|asked|supposed|advised|ordered) ",
    "(?:i|we) (?:take|took) (?:it|that|this|everything) back ",
    "(?:i|we) (?:was|were|am|are) (?:just |only )?(?:joking|kidding) ",
    "(?:i'm|we're) (?:just |only )?(?:joking|kidding) ",
    "(?:i'm|i am|we're|we are) (?:(?:not|no longer) (?:\\w+ )?(?:sure|certain)|un\\w+|torn) ",
    "(?:i|we|i'll|we'll|i will|we will|i'd|i would) (?:\\w+ ){0,4}?(?:myself|ourselves) ",
    "(?:i|we) (?:regret|doubt|hesitate|reconsidered|reconsider) ",
    "(?:ich|wir) (?:bin|sind) (?:mir|uns) (?:\\w+ ){0,3}?(?:unsicher|nicht) |(?:ich|wir) zweifle?n? ",
    "(?:ich|wir) (?:hab|habe|haben) (?:es |das )?(?:mir|uns) (?:es |das )?(?:noch mal |nochmal )?anders ",
    "(?:ich|wir) (?:\\w+ ){1,4}?selbst |(?:das )?war (?:nur |bloß )?(?:ein |n )?(?:scherz|witz|spaß) ",
    "das (?:war|ist) (?:nur |bloß )?(?:ein |n )?(?:scherz|witz|spaß) ",
    "(?:never mind|nevermind|scratch that|forget (?:it|that)|on second thoughts?|actually no) ",
    "(?:ich|wir) (?:meine?|meinte|meinten|sagte|behalte|behalten|lasse|lassen|"
    "nehmen?(?! (?:ihn|sie|es|das|die|den|alles) (?:\\w+ ){0,3}?mit )|suche|suchen|brauche?|"
    "brauchen|wünsche|wünschen|bitte|hätte|hätten|würde|würden|bräuchte) ",
)
"""Puts right, limits or takes back what was said: never passed over."""
