"""What goes on outside of this machine, which nothing here can notice: who is tired, who comes home, what rings.

Words by what they mean: people and what they feel or do, things about the house, the sky. A clause that is heard
otherwise (a mail of somebody's, a webhook) never comes here.
"""

from __future__ import annotations

import re
from functools import cache

_PEOPLE = (
    r"wife|husband|partner|girlfriend|boyfriend|mother|mum|mom|father|dad|parents|brother|sister|son|daughter|kids?|"
    r"child|children|baby|bab(?:y|ies)|grandma|grandpa|granny|uncle|aunt|boss|colleagues?|neighbou?rs?|friends?|guests?|"
    r"visitors?|postman|mailman|courier|landlord|teacher|doctor|cat|dog|flatmate|roommate|team|"
    r"frau|mann|partnerin|freund(?:in|e)?|mutter|mama|vater|papa|eltern|bruder|schwester|sohn|tochter|kinder|kind|oma|"
    r"opa|onkel|tante|chef(?:in)?|kolleg(?:e|en|in)|nachbar(?:n|in)?|gäste|gast|besuch|postbote|paketbote|vermieter|"
    r"lehrer(?:in)?|arzt|katze|hund|mitbewohner(?:in)?|somebody|someone|anybody|anyone|jemand|wer|irgendwer|leute|people"
)
_WHO = rf"(?:(?:my|our|the|a|mein\w*|unser\w*|der|die|das|ein\w*) )?(?:\w+ )?(?:{_PEOPLE})"
_DOES = (
    r"(?:cr(?:y|ies)|laughs?|sleeps?|wakes?|rings?|calls?|phones?|knocks?|shouts?|arrives?|leaves?|comes?|gets?|goes|"
    r"visits?|smiles?|eats?|is|are|'s|looks?|seems?|feels?|needs?|wants?|has|barks?|sits?|stands?|walks?|"
    r"weint?|schreit|lacht|schläft|aufwacht|anruft|ruft|klingelt|läutet|klopft|kommt|heimkommt|geht|weggeht|ankommt|"
    r"verlässt|besucht|ist|sind|aussieht|sieht|wirkt|hat|braucht|will|bellt|sitzt|steht|wach|da)"
)
_FEELING = (
    r"(?:tired|sleepy|hungry|thirsty|sad|happy|bored|stressed|stressed out|sick|ill|cold|hot|angry|awake|asleep|drunk|"
    r"busy|lonely|nervous|exhausted|grumpy|worried|free|late|early|home|away|here|alone|ready|cheerful|"
    r"müde|hungrig|durstig|traurig|glücklich|gelangweilt|gestresst|krank|wach|betrunken|einsam|nervös|erschöpft|"
    r"schlecht gelaunt|gut gelaunt|verschlafen|fröhlich|genervt|daheim|zuhause|zu hause|allein|unterwegs|wütend)"
)
_MOOD = (
    r"(?:in (?:a |an )?(?:\w+ )?mood|in (?:guter|schlechter|\w+er) (?:stimmung|laune)|hunger|durst|langeweile|angst)"
)
_ME = r"(?:i|we|i'm|we're|he|she|they|ich|wir|er|sie|es mir|mir)"
_FEELS = (
    r"(?:(?:am|'m|are|'re|is|'s|look|looks|feel|feels|seem|seems|get|gets|become|becomes|grow|fall|falls|bin|sind|ist|wirke|wirkt|"
    r"werde|wird|fühle|aussehe|aussieht|sehe|habe|hab|have|got|mich|too|so|very|really|zu|sehr|ganz|langsam) )*"
)
_ALOUD = (
    r"\b(?:room|house|kitchen|office|zimmer|raum|haus|küche|büro)\b.*\b(?:loud|noisy|laut|dark|dunkel|kalt|heiß|warm|"
    r"cold|hot|stickig|finster)\b|\b(?:loud|noisy|quiet|laut|leise|still|dark|light|bright|warm|cold|hot|stuffy|smoky|dunkel|hell|kalt|heiß|stickig|"
    r"finster)\b.*\b(?:here|outside|room|house|kitchen|office|hier|draußen|zimmer|raum|haus|küche|büro)\b|"
    r"\b(?:here|outside|hier|draußen)\b.*\b(?:loud|noisy|quiet|laut|leise|dark|dunkel|kalt|heiß|cold|hot|finster)\b"
)
_THINGS = (
    r"(?:pizza|food|dinner|lunch|tea|coffee|cake|bread|kettle|essen|kaffee|kuchen|brot|tee|doorbell|door ?bell|bell|"
    r"klingel|türklingel|phone|telephone|telefon|handy|washing machine|dishwasher|dryer|oven|fridge|"
    r"heating|waschmaschine|spülmaschine|geschirrspüler|trockner|ofen|backofen|kühlschrank|heizung|tv|fernseher|car|auto|bus|"
    r"train|zug|tram|parcel|package|paket|päckchen|taxi|plane|flugzeug|door|window|tür|fenster|haustür|sun|moon|sonne|"
    r"mond|lights?|licht|rain|snow|regen|schnee|storm|sturm|gewitter)"
)
_HAPPENS = (
    r"(?:is|are|'s|goes|comes|rings?|arrives?|leaves?|opens?|closes?|stops?|starts?|finishes|gets?|rises?|sets?|falls?|"
    r"ist|sind|geht|kommt|klingelt|läutet|ankommt|abfährt|aufgeht|untergeht|zugeht|fertig|öffnet|anfängt|aufhört|scheint|"
    r"wird|fällt|voll|leer)"
)
_SITS = (
    r"(?:sit|sits|stand|work|sitze|sitzt|stehe|arbeite|hocke)\b.*\b(?:too long|desk|chair|zu lange?|schreibtisch|stuhl)"
)
_SITZT = r".*\b(?:zu lange?|schreibtisch|stuhl)\b.*\b(?:sitze|sitzt|hocke|stehe|arbeite)"
_OUTSIDE = (
    rf"{_WHO} (?:\w+ ){{0,4}}?{_DOES}(?: .*)?|{_ME} {_FEELS}(?:{_FEELING}|{_MOOD})(?: .*)?|"
    rf"{_ME} (?:\w+ )?{_SITS}.*|{_ME} {_SITZT}|(?:it|it's|es) (?:.* )?(?:{_ALOUD}).*|"
    rf"(?:(?:the|my|our|a|der|die|das|mein\w*|unser\w*|ein\w*) )?(?:\w+ )?{_THINGS} (?:\w+ ){{0,3}}?{_HAPPENS}(?: .*)?|"
    rf"{_ME} (?:mich )?(?:zu |so |sehr )?{_FEELING}(?: \w+)?"
)
_MACHINE = (
    r"\b(?:mails?|e-?mails?|nachricht\w*|message|files?|datei\w*|folders?|ordner\w*|battery|akku|charger|network|wifi|"
    r"wlan|internet|netz|disk|platte|memory|computer|laptop|rechner|task|aufgabe\w*|event|termin\w*|calendar|kalender|"
    r"note|notiz\w*|contacts?|kontakt\w*|mailed|undo|pdf|photo|foto\w*)\b|/|\.\w{2,4}\b"
)
"""What Steward knows: a clause with such a word is not of the world outside."""


def is_outside(text: str) -> bool:
    """Tell whether a clause, with its verb at the end in German, is of what nothing here can notice."""
    return _form(_MACHINE).search(text) is None and _form(_OUTSIDE).fullmatch(text) is not None


@cache
def _form(pattern: str) -> re.Pattern[str]:
    """No start waits for them: most sentences have no trigger."""
    return re.compile(pattern)
