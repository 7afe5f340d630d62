"""How a person says that Steward could not do something: "a request of mine fails", "du etwas nicht geschafft hast"."""

from __future__ import annotations

from kernel.routines.hearing.deed_words import ANY, DONE, WHAT, YOU

_RUN = "(?:run|runs|request|requests|routine|routines|plan|job|wish|wishes|order|orders|something you do|task of yours)"
_OF_WHOM = r"(?: of (?:yours|mine)| (?:that |which )?i (?:make|made|give you|gave you|ask for|asked for))?"
_FAILS = (
    r"(?:fails?|failed|goes? wrong|went wrong|has gone wrong|gone wrong|breaks|crashes|errors out|comes to nothing|"
    r"(?:does not|doesn't|did not|didn't|do not|don't|would not|wouldn't|won't) (?:work|work out|succeed|go through|go "
    r"well|happen)|(?:can't|cannot|can not|could not|couldn't) be done|(?:is|was) not done|isn't done|wasn't done)"
)
_NOT_ABLE = (
    r"(?:can't|cannot|can not|could not|couldn't|(?:are|were|was) (?:not able|unable) to|(?:don't|do not|didn't|did "
    r"not) manage(?: to)?|fails? to|failed to|(?:don't|do not|didn't|did not) know how to|have not managed to)"
)
_AUFTRAG = "(?:lauf|läufe|auftrag|aufträge|auftrags|anfragen?|bitten?|wunsch|wünsche|routinen?|plan|pläne)"
_SCHEITERT = (
    r"(?:scheitert|scheitern|fehlschlägt|fehl schlägt|schlägt fehl|schiefgeht|schief geht|schiefläuft|schief läuft|"
    r"schief|misslingt|danebengeht|daneben geht|in d(?:ie|e) hose geht|nicht klappt|nicht funktioniert|nicht geht|"
    r"nicht gelingt|fehlgeschlagen ist|gescheitert ist|schiefgegangen ist|schief gegangen ist|danebengegangen ist|"
    r"misslungen ist|nicht gelungen ist|nicht geklappt hat|nicht funktioniert hat|nicht gegangen ist|"
    r"nicht klappen will|nicht klappen wollte)"
)
_ETWAS = "(?:etwas|was|irgendwas|irgendetwas|wos|es|mal was)"
_KANN_NICHT = (
    r"(?:nicht|ned|net) (?:kannst|konntest|schaffst|geschafft hast|hinkriegst|hingekriegt hast|hinbekommst|"
    r"hinbekommen hast|zustande bringst|(?:machen|tun|erledigen|ausführen) (?:kannst|konntest)|erledigen konntest|"
    r"erfüllst|erfüllen (?:kannst|konntest)|erfüllt hast|"
    r"erledigt hast|gekonnt hast|geschafft hast|packst|fertig bringst)"
)

FORMS = (
    rf"(?:{WHAT} )*{_RUN}{_OF_WHOM}{DONE} {_FAILS}",
    rf"(?:something|anything|it|things|a thing) {_FAILS}(?: (?:for you|with you|here|on your side))?",
    rf"{YOU}(?: to do)?{ANY} (?:fails?|failed)(?: (?:at|in|with)(?: doing)?)?{ANY}",
    rf"{YOU} {_NOT_ABLE}(?: (?:do|carry out|finish|complete|manage|handle|fulfil|help|get done|help with))?{ANY}"
    r"(?: (?:what|that|which|anything|everything) i (?:have )?(?:asked|told|wanted)(?: you)?(?: for| of you| to do)?)?"
    r"(?: (?:you were|i) (?:asked|told)(?: you)?(?: for| to do)?)?",
    rf"(?:{WHAT} )*,? ?(?:that |which )?(?:i|we) (?:have |had )?(?:asked|told|wanted)(?: of)?(?: from)?(?: you)?"
    rf"(?: for| to do| about)? ,? ?{_FAILS}",
    rf"(?:{WHAT} )*(?:von |unter )?(?:{WHAT} )*{_AUFTRAG}(?: von (?:dir|mir))? {_SCHEITERT}",
    rf"(?:bei dir |dir |hier ){{0,2}}{_ETWAS} (?:bei dir |dir )?{_SCHEITERT}",
    rf"(?:du|d'|steward)(?: für mich| bei mir)? (?:mal )?(?:an )?{_ETWAS}(?: für mich)? (?:{_KANN_NICHT}|scheiterst|"
    r"gescheitert bist|vergeigst|verbockst|verbockt hast)",
    rf"(?:du|d'|steward) (?:{WHAT} )*{_AUFTRAG}(?: von mir)? {_KANN_NICHT}",
    r"(?:du|d'|steward) (?:scheiterst|gescheitert bist)",
    rf"(?:{WHAT} )*,? ?(?:das |was |worum |um was )?(?:ich|i|wir) (?:dir|dich|von dir) (?:darum )?"
    rf"(?:aufgetragen|gebeten|verlangt|gewollt|angeschafft|gesagt) (?:hab|habe|hatte|haben) ,? ?{_SCHEITERT}",
    rf"(?:du|d') (?:{WHAT} )*,? ?(?:was |worum |das )ich (?:dir|dich|von dir) (?:aufgetragen|gebeten|verlangt|gewollt|"
    rf"gesagt) (?:hab|habe|hatte) ,? ?{_KANN_NICHT}",
)
"""For the words of a clause with the verb at its end, where the language puts it first."""
