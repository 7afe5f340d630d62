"""What a person says beside a request that is not to happen: "nothing gets deleted", "a draft, mind, don't send it".

What this stops: a plan that does it. In a text that is dictated ("a task: clean the attic, but throw away nothing") the
same words are the text, up to the end of its sentence.

Data for ``framing``. Every word ends in one space; marks are words too.
"""

from __future__ import annotations

_LEAD = "(?:(?:and|but|please|just|mind|mind you|of course|though|und|aber|bitte|nur|,) ){0,4}"
_FILL = (
    "(?:(?:please|yet|ever|at all|though|mind|mind you|for now|off|out|then|,|bitte|aber|noch|dabei|mir|mal|halt|ja|"
    "doch|dann) ){0,6}"
)
_IT = "(?:it|them|that|this|those|anything|a thing|any of it|any of them|any of those|the original|the originals)"
_ES = "(?:es|sie|das|die|den|ihn|irgendwas|irgendetwas|etwas|was|davon|davon was)"
_LOSE = "(?:delete|remove|erase|bin|trash|destroy|overwrite|discard|throw away|throw out)"
_LOST = "(?:deleted|removed|erased|binned|trashed|destroyed|overwritten|discarded|lost|thrown away|thrown out)"
_IS = "(?:is|gets|shall be|must be|may be|should be|is to be|to be|will be)"
_ISNT = "(?:(?:is|must|may|should) not|isn't to|mustn't|shouldn't)"
_ENTFERNE = "(?:löschen?|lösch|entfernen?|wegwerfen|wirf|schmeiß|schmeißen?|überschreiben?)"
_WEG = "(?:gelöscht|entfernt|weggeworfen|weggeschmissen|überschrieben|verloren)"
_NIX = "(?:nichts|nix|nie was|niemals was|gar nichts|gar nix)"
_SEND = "(?:send|mail|email|e-mail|post|publish|share)"
_SENT = "(?:sent|mailed|posted|published|shared)"
_SENDE = "(?:send|sende|schick|schicke|schicken|senden|verschick|verschicke|verschicken|abschicken|absenden|versenden)"
_MYSELF = "(?:myself|selbst|selber)"
_BY_HAND = f"(?:{_MYSELF}|ourselves|by hand|manually|on my own|von hand|per hand|händisch)"
_I_WILL = "(?:i'll|i will|we'll|we will|i'd rather|let me|i can)"
_TU_ICH = "(?:tu|tue|mach|mache|werde|übernehme|übernehm|erledige|erledig) ich"

KEEPS_ALL = (
    f"{_LEAD}(?:don't|do not|never) {_LOSE} {_IT} {_FILL}",
    f"{_LEAD}{_LOSE} (?:nothing|none of (?:it|them)) {_FILL}",
    f"{_LEAD}(?:nothing|none of (?:it|them|those)) {_IS} {_FILL}{_LOST} {_FILL}",
    f"{_LEAD}{_ENTFERNE} {_FILL}{_NIX} {_FILL}(?:weg )?",
    f"{_LEAD}{_ENTFERNE} {_FILL}{_ES} {_FILL}nicht {_FILL}(?:weg )?",
    f"{_LEAD}{_WEG} (?:wird|werden|werden soll|soll) {_FILL}{_NIX} {_FILL}(?:werden )?",
    f"{_LEAD}(?:es )?(?:wird|soll|darf) {_FILL}{_NIX} {_FILL}{_WEG} {_FILL}(?:werden )?",
    f"{_LEAD}{_NIX} {_FILL}(?:löschen|entfernen|wegwerfen|überschreiben) {_FILL}",
    f"{_LEAD}{_I_WILL} {_FILL}{_LOSE} (?:\\w+ ){{1,3}}?{_FILL}{_BY_HAND} {_FILL}(?:later )?",
    f"{_LEAD}{_ENTFERNE} {_TU_ICH} {_FILL}{_BY_HAND} {_FILL}",
    f"{_LEAD}ich {_ENTFERNE} {_FILL}{_ES} {_FILL}{_BY_HAND} {_FILL}(?:weg )?",
)
"""Nothing is to be lost: only a plan that destroys nothing does justice to it."""

_IN_PERSON = (
    f"(?:[,;.] (?:{_I_WILL} (?:do|handle|manage) (?:it|that|this) {_MYSELF} |"
    f"(?:das|es) (?:tu|tue|mach|mache|erledige|erledig|übernehme?) ich {_FILL}{_BY_HAND} ))?"
)
"""Who refuses something may add that they do just that themselves."""

SENDS_NOTHING = (
    f"{_LEAD}(?:(?:just|only) )?a draft {_FILL}(?:only )?{_FILL}",
    f"{_LEAD}(?:don't|do not|never) {_SEND} {_IT} {_FILL}{_IN_PERSON}",
    f"{_LEAD}{_SEND} nothing {_FILL}",
    f"{_LEAD}(?:nothing {_IS}|it {_ISNT} be) {_FILL}{_SENT} {_FILL}",
    f"{_LEAD}(?:i'll|i will|i'd rather|let me|i) {_SEND} (?:it|them|that) {_FILL}{_MYSELF} {_FILL}(?:later )?",
    f"{_LEAD}(?:(?:nur|bloß) )?(?:ein|einen|als) entwurf {_FILL}",
    f"{_LEAD}{_SENDE} {_FILL}(?:{_ES} )?{_FILL}(?:nicht|{_NIX}) {_FILL}(?:ab |los |weg |raus )?{_IN_PERSON}",
    f"{_LEAD}(?:nicht|{_NIX}) {_FILL}(?:abschicken|absenden|verschicken|versenden|senden|schicken) {_FILL}{_IN_PERSON}",
    f"{_LEAD}(?:ich )?{_SENDE} (?:tu |tue |mach |mache )?(?:ich )?(?:{_ES} )?(?:ich )?{_FILL}{_MYSELF} {_FILL}(?:ab )?",
)
"""Nothing is to go out: only a plan that sends nothing does justice to it."""

_JUST_THAT = "(?:do|handle|manage|get|take care of) (?:it|that|this|them|these|those|all|everything|so) "
_GENAU_DAS = "(?:mache?|mach|tue?|tu|erledige?|erledig|übernehme?|übernehm) (?:das|es|dies|alles|sie|die) "

DOES_IT_ITSELF = (
    f"{_LEAD}{_I_WILL} (?!{_FILL}{_JUST_THAT})(?:\\w+ ){{1,6}}?{_BY_HAND} {_FILL}(?:later )?",
    f"{_LEAD}(?!(?:das|es|dies|alles) )(?:\\w+ ){{1,3}}?{_TU_ICH} {_FILL}{_BY_HAND} {_FILL}",
    f"{_LEAD}(?:den|die|das|meinen?|meine) (?:\\w+ ){{1,2}}?\\w+ ich {_FILL}{_BY_HAND} {_FILL}"
    "(?:(?:ab|an|aus|dazu|ein|nach|um) )?",
    f"{_LEAD}ich (?!{_GENAU_DAS})\\w+ (?:\\w+ ){{1,4}}?{_BY_HAND} {_FILL}(?:(?:ab|an|auf|aus|durch|ein|um|weg) )?",
)
"""The person does something else with it: "I'll sort them out myself", "antworten tu ich selber". Whoever does *it* or
*das* themselves may mean the request itself, and takes it back.
"""

DICTATES = (
    r"(?<!\S)(?:saying|says|that reads|reading|containing|with (?:the )?(?:text|words|content)|mit dem (?:text|inhalt)|"
    r"lautet|:) (?:(?![.;!?] )\S+ )*$"
)
"""What stands before words of a text that is dictated."""
