"""The words that bound a rule: since when, until when, how often, when not, when alone, only once, how vaguely."""

from __future__ import annotations

from kernel.language.line import phrases

NOW = phrases(
    "from now on|from now|as of now|starting now|starting from now|beginning now|counted from now|counting from now",
    "starting immediately|from today on|from today onwards|from this moment on|from here on|effective immediately",
    "ab jetzt|ab sofort|von jetzt an|von nun an",
    "ab nun|von heute an|ab heute|ab jetzt gerechnet|von jetzt an gerechnet",
    "in future|in zukunft|künftig|zukünftig|henceforth|hereafter",
)
FROM = phrases(
    "starting|starting on|starting from|starting with|starting in|beginning|beginning on|beginning with|beginning in",
    "from|as of|as from|first on|first time on",
    "for the first time on|for the first time|with effect from|start on|start",
    "the first time on|the first one on|but only from|only from|not before",
    "first one|the first one|first one on|first time|the first being|the first one being|starts|starts on",
    "ab|ab dem|erstmals|erstmals am|erstmalig",
    "erstmalig am|zum ersten mal|zum ersten mal am|das erste mal|das erste mal am",
    "beginnend|beginnend am|beginnend mit|beginnend ab",
    "los geht 's am|los gehts am|los geht es am|es geht los am|losgehen soll es am|das ganze beginnt am",
    "anfangen soll es am|anfangen am|beginn am|beginn ist am|start am|start ist am|erstes mal am",
    "angefangen am|angefangen mit|los geht's am|aber erst ab|erst ab",
    "zuerst am|der erste am|der erste ist der|der erste wäre der",
    "und zwar ab|startend am|startend ab|von|vom|aber erst ab dem|erst ab dem",
)
UNTIL = phrases(
    "until|till|up to|through|until the|up until|up till|through to|right up to|right until|up to and including",
    "right up to and including|until and including|for the final time on|up through",
    "ending on|ending|ending in|last on|for the last time on|but only until|only until",
    "bis|bis zum|bis einschließlich|bis einschließlich zum",
    "bis inklusive|bis einschließlich zu|letztmalig am|letztmals am|zum letzten mal am|aber nur bis|nur bis",
    "aber nur bis zum|nur bis zum",
    "bis zu|bis inkl.|and stop on|and end on",
)
EDGE = phrases("the end of|end of|ende|ende des|ende der|zum ende des|the end of the")
IS_FIRST = phrases(
    "would be the first|is the first|being the first|will be the first|as the first|would be the first one|"
    "is the first one|being the first one|would be the first time|is the first time|"
    "wäre der erste|ist der erste|wär der erste|als erster|wäre das erste mal|ist das erste mal|wäre der erste termin|"
    "ist der erste termin"
)
"""What is said behind a day and makes it the first: "the 21st would be the first"."""

ONWARD = frozenset("on onward onwards an".split())
GOES_ON = phrases(
    "this goes on|it goes on|that goes on|this runs|it runs|keep this up|keep doing this|keep doing that|do this",
    "das geht|das läuft|das gilt|das geht so|mach das|das machst du|so geht das",
)
THEN_STOPS = phrases(
    "and then it stops|then it stops|and then stop|and then no more|and then that's it|and then it is over",
    "then stop|then no more|after that no more|not after|not after it|not after that|and not after|and not after it",
    "and not after that|and no longer|no longer|that day included|inclusive|included|after that stop",
    "und dann hört es auf|dann hört es auf|und dann ist schluss|dann ist schluss|und dann nicht mehr",
    "dann is schluss|und dann is schluss|danach ist schluss|danach is schluss|danach nicht mehr|dann nicht mehr",
    "dann nimmer|und dann nimmer|danach nimmer|dann reicht es|dann reicht 's|dann reicht's|und nicht länger",
    "den tag mitgerechnet|den tag noch mitgerechnet|der tag zählt mit|einschließlich|inklusive|mitgerechnet",
)
"""What is said behind the end of a rule, and says that it is one."""

THAT_DAY = phrases(
    "then|that day|that date|the day|the big day|the great day|the day itself|the date|this day",
    "dahin|dem tag|zu dem tag|zum tag|diesem tag|zu diesem tag|dem termin|zum termin|dem datum|zum großen tag",
    "dem großen tag|zum tag selbst",
)
"""A day that was named before."""

HENCE = frozenset("so also darum deshalb deswegen daher drum therefore hence".split())
NO_END = phrases("until further notice|for ever|forever|bis auf weiteres|für immer|until i say stop|indefinitely")
ARTICLES = frozenset("the den dem der des am on".split())
TOTAL = phrases(
    "in all|in total|altogether|only|and only then|all in all",
    "overall|insgesamt|zusammen|and no more|and then stop|und dann schluss",
)
IN_TOTAL = phrases(
    "insgesamt|genau|exactly|only|nur|höchstens|just|a total of|for a total of|das ganze|und das ganze|und zwar",
    "und das|and that|all in all|alles in allem|in total|in all",
)
FOR = phrases(
    "for|for the next|for the coming|over the next|during the next|the next|for another|for only|only for|for just",
    "für|für die nächsten|die nächsten|in den nächsten|für die kommenden|nur für|während der nächsten|nächste",
)
LONG = frozenset("long lang".split())
NOT = phrases(
    "except|except for|excepting|excluding|apart from|but not|bar|barring|minus|without|leaving out",
    "just not|though not|other than|save for|and not|not|but never",
    "außer|ausgenommen|aber nicht|nur nicht|jedoch nicht|bloß nicht|ohne|ohne den|bis auf|bis auf den|abgesehen von",
    "und nicht|nicht|außer immer|mit ausnahme von|aber nie|with the exception of",
)
ONLY = phrases(
    "only|but only|and only|just|but just|only ever|though only",
    "nur|aber nur|und nur|allerdings nur|jedoch nur|aber bloß|solely",
)
ON = frozenset("on in at during over am an im in den der dem the bei während zu".split())
UNKNOWN_DAYS = phrases(
    "bank holidays|bank holiday|public holidays|public holiday",
    "holidays|holiday|legal holidays|national holidays|vacation",
    "vacations|school holidays|days off|my days off|leave|my holidays|my vacation|my holiday|federal holidays",
    "feiertags|feiertagen|feiertage|feiertag|gesetzlichen feiertagen|gesetzliche feiertage|ferien|schulferien|urlaub",
    "meinem urlaub|brückentagen|brückentage|freien tagen",
    "urlaubstagen|meinen freien tagen|schulfreien tagen|ferientagen",
)
CLAUSE = frozenset("when if while unless wenn falls solange sofern".split())
UNLESS = frozenset("unless".split())
ONCE = phrases(
    "just the once|just once|only once|once only",
    "one time only|just one time|just this once|only this once|a single time",
    "exactly once|one single time|only the once|nur einmal",
    "nur ein mal|ein einziges mal|einmalig|genau einmal|bloß einmal",
    "nur dieses eine mal|nur das eine mal|nur ein einziges mal|dieses eine mal|this one time|this once",
)
WEAK_ONCE = frozenset("once einmal".split())
SOME_TIMES = phrases(
    "sometimes|every now and then|now and then|every now and again|now and again|from time to time|every so often",
    "once in a while|every once in a while|occasionally|once in a blue moon|every once in a blue moon",
    "regularly|at regular intervals|on a regular basis|periodically",
    "every once and again|more often|frequently|at times|often|whenever you like|whenever you feel like it",
    "manchmal|ab und zu|ab und an|hin und wieder|gelegentlich|öfter|öfters|öfter mal|regelmäßig|dann und wann",
    "von zeit zu zeit|hie und da|alle heiligen zeiten|immer mal wieder|immer mal|in regelmäßigen abständen",
    "des öfteren|alle naselang|halt öfter|dann halt öfter",
    "zwischendurch|zwischendurch mal|in unregelmäßigen abständen|alle jubeljahre|bei gelegenheit|häufig|häufiger",
)
LEAD = phrases(
    "and do that|and do so|and do it|and do this|do that",
    "do so|do this|and that|and repeat that|repeat that|repeat this",
    "und zwar|und das|und mach das|mach das|und wiederhole das",
    "always|immer|jeweils|und das immer|und zwar immer|stets",
    "and i want that|and please|please do that|repeatedly|wiederholt|and always|just|wieder|again",
)
