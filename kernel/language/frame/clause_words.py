"""The words by which a clause is known as one that tells something, in English and German. Data for ``clauses``."""

from __future__ import annotations

LEADS_IN = {
    "en": frozenset(
        "and but so because since plus besides actually honestly sadly unfortunately luckily apparently anyway "
        "otherwise frankly basically also sorry well oh ugh".split()
    ),
    "de": frozenset("und aber denn also leider ach naja".split()),
}
"""What may stand before the subject."""

SUBJECTS = {
    "en": frozenset("i we he she they it there nobody everybody everyone somebody someone nothing everything".split()),
    "de": frozenset("ich wir er sie es man jemand niemand alles nichts keiner jeder".split()),
}
POINTERS = {
    "en": frozenset("this that these those".split()),
    "de": frozenset("das dies der die den dem denen davon daran darauf dafür damit dazu darin".split()),
}
OPENINGS = frozenset(
    "da dann jetzt heute morgen gestern hier dort sonst eigentlich deshalb darum daher trotzdem bald gerade letztens "
    "neulich damals irgendwann danach vielleicht montags dienstags mittwochs donnerstags freitags samstags sonntags "
    "abends morgens nachts".split()
)
"""Before these a German verb comes at once, and then its subject: "da wird Oma neunzig"."""

TIME_LEADS = frozenset(
    "on next this coming at the in am im an den diesen dieses diese nächste nächsten nächstes kommende kommenden "
    "dem um".split()
)
"""What stands before and between the words of a day or a stretch of days: "next week on Friday", "am 3. Mai"."""

PARTS_OF_DAYS = frozenset("früh abend mittag nachmittag vormittag nacht morning afternoon evening night noon .".split())
COMING = frozenset("kommen fahren fliegen gehen feiern besuchen heiraten haben sind werden".split())
"""Verbs of several that behind a time and before their subject are no order: "heute Abend kommen Gäste"."""

PRONOUN_OBJECTS = frozenset("mich dich mir dir uns ihn ihm".split())
"""Behind a verb these are no subject: "am Freitag erinnert mich jemand", and never an order."""

HOLDERS = {
    "en": frozenset("the this that my our his her their its a an".split()),
    "de": frozenset("der die das mein meine unser unsere sein seine ihr ihre ein eine dieser diese dieses".split()),
}
"""What begins a subject of several words."""

ADVERBS = {
    "en": frozenset(
        "just really never always still also already only often usually probably kinda sorta actually currently both "
        "all even recently finally simply somehow almost nearly hardly constantly barely absolutely honestly totally "
        "definitely sometimes rarely now then".split()
    ),
    "de": frozenset(),
}

BE_AND_HAVE = {
    "en": frozenset(
        "is are was were has had have does did isn't aren't wasn't weren't hasn't hadn't doesn't didn't won't can't "
        "couldn't wouldn't cannot 's".split()
    ),
    "de": frozenset(
        "ist sind war waren hat haben hatte hatten wird werden wurde wurden kann können konnte konnten".split()
    ),
}
"""Verbs of any subject. "Should", "must" and "sollen" are none: "the title should be Winter" asks for something."""

CONTRACTIONS = frozenset(
    "i'm we're he's she's they're it's that's there's i've we've they've i'll we'll he'll she'll they'll it'll "
    "that'll".split()
)

PASTS = frozenset(
    "bought got went had spent paid met lost took made gave sold came saw heard ate drank drove flew slept sent left "
    "told thought knew became began broke brought built caught chose dug drew fell felt fought forgot grew held hit "
    "hurt kept laid led lent meant ran rang read rode rose said sang sat set shot shut spoke stood stole stuck taught "
    "threw understood woke wore won wrote".split()
)
DROPPED = frozenset(
    "bought got went had spent paid met lost sold came saw heard ate drove flew forgot haven't didn't couldn't hadn't "
    "wasn't".split()
)
"""Past forms that may do without their subject at the beginning: "bought paint today, …"."""

ASKING = {
    "en": frozenset(
        "need needs want wants wanna like love wish wonder prefer suggest mean ask insist require would could should "
        "shall may might must 'd search seek look order request demand beg urge expect take keep leave".split()
    ),
    "de": frozenset(
        "brauche brauch brauchen bräuchte bräuchten will wollen möchte möchten hätte hätten würde würden suche suchen "
        "bitte bitten wünsche wünschen meine meinen meinte soll sollen sollte sollten könnte könnten behalte behalten "
        "lasse lassen nehme nehmen frage fragen".split()
    ),
}
"""Behind "I" and "we" these ask for something as often as they tell something."""

NAMING = frozenset(
    "called named titled entitled labelled labeled reads says saying contains heißt heißen lautet lauten genannt "
    "namens nennt steht stehen".split()
)
"""What gives a value its name or its words is no aside."""

GERMAN_VERBS = frozenset(
    "stört nervt stimmt passt gehört liegt brauche brauch brauchen nutze nutzen benutze lese lesen kenne mag nimmt "
    "kommt geht weiß finde sieht macht dauert kostet reicht gefällt hilft fehlt klingt scheint bleibt hängt verwirrt "
    "wartet hab habe bin gehe fahre muss will soll darf bekommt kriegt zieht läuft schläft fährt isst".split()
)
"""Finite forms that a dictionary of base forms does not tell from others, or that are said short."""
