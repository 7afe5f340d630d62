"""What people wrap around a request in German: openings, polite forms, wishing and wondering. Data for ``framing``."""

from __future__ import annotations

from kernel.language.frame.phrase_patterns import COMMA, MARK, WH, maybe, words_in

_MAL = (
    "(?:"
    + words_in(
        "bitte mal doch noch eben vielleicht eventuell vllt evtl kurz schnell gerade gern gerne auch einfach "
        "wohl sehr ganz mir uns "
        "jetzt dann einmal möglicherweise zufällig freundlicherweise netterweise bloß"
    )
    + "|für mich |für uns )*"
)
_LIEB = words_in("nett lieb gut freundlich")
_TOLL = words_in("nett lieb toll schön super prima klasse hilfreich gut freundlich großartig praktisch spitze")
_DU = words_in("du sie ich man wir ihr")
_WENN_DU = COMMA + "(?:wenn|falls|dass|daß) (?:du|sie|ich|ihr) " + _MAL
_GEFALLEN = "(?:mir |uns )?(?:bitte )?(?:den|einen) (?:großen |kleinen )?gefallen tun (?:, )?(?:und )?"
_SAGEN = (
    "(?:sagen|verraten|mitteilen|erklären|zeigen|nennen|nachsehen|nachschauen|nachschlagen|herausfinden|rausfinden|"
    "schauen|gucken|prüfen|ausrechnen) " + COMMA + WH
)
_ZU_SAGEN = (
    "(?:zu (?:sagen|verraten|erklären|zeigen|nennen|prüfen|schauen)|mitzuteilen|nachzusehen|nachzuschauen|"
    "nachzuschlagen|herauszufinden|auszurechnen) " + COMMA + WH
)
_UNREAL = r"(?! (?:(?!gern|lieber)\S+ ){1,8}?(?:ge|ver|ent|zer)\w+(?:t|en) (?:[.!?]+ )?$)"
"""Not "ich hätte sie gelöscht", which tells of a deed that was not done."""

DE = (
    r"(?:h+m+|ä+h+|ö+h+|a+ch|oh|na|tja|hallo|hey+|hi|ey|jo|hallöchen|servus|moin|ok|okay|gut|bitte|sag mal|"
    r"übrigens) (?:ja |so |nein |du |leute |alter |zusammen )?" + maybe(MARK),
    r"(?:guten (?:morgen|tag|abend)|grüß (?:dich|gott)|moment|warte|entschuldigung|verzeihung|super|prima|lass "
    r"mich (?:überlegen|sehen)|mal sehen) " + MARK,
    r"(?:oh )?(?:mann|mensch|mist|verdammt) (?:ey |oh )?(?:" + MARK + r"|(?=(?:der|die|das|mein\w*|ich|es|wie|was|wo|"
    r"warum) ))",
    "du (?=(?:ich|wir|sag|kannst|wie|was|wo|welche\\w*|mach|schreib|zeig|brauch\\w*) )",
    "bevor ich(?: es|'s|s)? vergesse " + maybe(MARK),
    r"(?:sehr )?(?:gut|schön) " + MARK,
    "(?:ich (?:hab|habe|hätte|brauche) |nur |noch )*(?:zwei|drei|vier|fünf|[2-5]|ein paar|mehrere) "
    "(?:kleine |kurze |andere |weitere )*(?:sachen|dinge|aufgaben|bitten|wünsche) (?:bitte |für dich )*" + MARK,
    r"(?:vielen dank|danke|dankeschön)(?: dir| schön| sehr| ihnen)* " + MARK,
    words_in("kannst könntest würdest magst willst kann könnte können könnten würden dürfte darf möchtest könnt "
           "könntet") + _DU + _MAL
    + "(?:so " + _LIEB + "sein (?:, )?(?:und )?|" + _GEFALLEN + "|" + _SAGEN + ")?" + _MAL,
    "(?:mir |uns )(?:bitte |dann |danach |auch |noch )*" + _SAGEN,
    "(?:wären|wärst|wärt|sind|bist) (?:du|sie|ihr) " + _MAL + "so " + _LIEB + COMMA
    + "(?:und |" + _MAL + _ZU_SAGEN + ")?" + _MAL,
    "(?:schau|schaue|guck|gucke|sieh|lies|finde?|(?:schauen|sehen|finden) sie) (?:bitte |mal |doch |mir |kurz "
    "|einmal )*(?:nach |heraus |raus )?" + COMMA + WH,
    "(?:stell|stelle|stellen sie) (?:bitte |mal |mir |uns )*zusammen " + COMMA + WH,
    "(?:sagen|verraten|nennen) sie (?:mir |uns |bitte |doch |mal )*" + COMMA + WH,
    "(?:sei|seien sie|seid) " + _MAL + "so " + _LIEB + "(?:, )?(?:und )?" + _MAL,
    "(?:tu|tun sie) (?:mir |uns )?(?:bitte |mal )*(?:den|einen) gefallen (?:, |: )?(?:und )?",
    "(?:du |und |also )?brauche? (?:(?:mal|ma|schnell|kurz|eben|bitte|noch|jetzt|grad|gerade|ganz) )+",
    "hilf mir (?:dabei |bitte |mal )*" + COMMA, "lass uns " + _MAL,
    "(?:wäre|ist|wär) es " + _MAL + "(?:dir |ihnen )?" + "(?:möglich|ok|okay|in ordnung|"
                                                         "machbar) " + COMMA + "(?:" + _WENN_DU + "|zu |" + _MAL + ")",
    "(?:würde|würd|macht|machte) es (?:dir|ihnen|euch) (?:etwas |was |viel |große )?(?:ausmachen|aus|umstände "
    "machen|mühe machen) " + maybe(_WENN_DU) + COMMA + _MAL,
    "(?:es|das) (?:wäre|wär|ist) (?:sehr |wirklich |echt |total |super |ganz |"
    "voll )*" + _TOLL + "(?:von (?:dir|ihnen) )?" + _WENN_DU,
    "ich (?:wäre|bin|wär) (?:dir |ihnen )?(?:sehr |wirklich |echt )*(?:dankbar|froh|verbunden) " + _WENN_DU,
    "ich (?:würde mich|freue mich|freute mich|würd mich) (?:sehr )?(?:freuen )?" + _WENN_DU,
    "ich (?:(?:hätte|hätt)" + _UNREAL + "|wüsste|würde|würd|möchte|will|wollte|muss|müsste|mag|brauche?|bräuchte) "
    + _MAL + "(?:nur )?"
    + "(?:(?:gewusst|wissen|erfahren|fragen) " + COMMA + "|, dass (?:du|sie) " + _MAL + ")?",
    "(?:nun |jetzt |da |deshalb |also )?(?:wüsste|würde|möchte|hätte|bräuchte) ich (?:(?:nun|jetzt|gern|gerne|bitte|"
    "mal) )+(?:(?:wissen|erfahren|gewusst) )?" + COMMA + maybe(WH),
    "(?:will|möchte|wollte) ich (?:(?:bitte|dann|auch|gern|gerne|mal) )*(?:wissen|erfahren|sehen|hören) " + COMMA + WH,
    "(?:will|möchte|brauche|hätte) ich (?:(?:bitte|dann|auch|gern|gerne|noch) )*(?=(?:einen|eine|ein) )",
    "ich (?:frage|frag|fragte) mich (?:gerade |schon lange |oft |immer |manchmal |eben )*" + COMMA + WH,
    "(?:mich würde|mich würd) " + _MAL + "interessieren " + COMMA, "mich interessiert " + _MAL + COMMA + WH,
    "ich (?:weiß|erinnere mich|habe vergessen|hab vergessen|bin mir|kann mich) (?:gerade |leider |nicht mehr |"
    "nicht |genau |ganz |sicher |unsicher |erinnern )*" + COMMA + WH,
    "(?:weißt|wissen) (?:du|sie) (?:zufällig |vielleicht |noch |eigentlich )*" + COMMA + WH,
    "(?:sag|sage|verrate|verrat) (?:mir |uns |mal |doch |bitte |dann |noch |auch |danach )*" + COMMA + WH,
    "ich (?:glaube|denke|schätze|vermute|finde|meine) "
    + COMMA + "(?:dass )?" + _DU + words_in("sollte sollten könnte kannst könntest muss müsste kann solltest "
                                           "müssten") + _MAL,
    "(?:du|ich|man|wir) " + words_in("kannst könntest sollte solltest muss müsste") + _MAL,
    r"(?:(?:ok|okay|so|nur|mal) )*(?:schneller|kurzer|kurze|schnelle) (?:\w+ )?(?:check|blick|überblick|frage|runde) "
    + MARK,
    "(?:hättest|hast) du " + _MAL + "(?:zeit|lust|einen moment|kurz zeit) " + COMMA + "(?:um )?" + _MAL,
)  # fmt: skip

DE_CASUAL = words_in(
    "es das dir dich ihnen du sie nicht nichts zu viel mühe umstände aufwand macht machen bereitet bereiten "
    "ausmacht möglich geht ginge ok okay "
    "recht ist wäre in ordnung zeit lust gerade kurz mal einen moment hast haben hättest könntest kannst magst "
    "willst möchtest so nett lieb gut "
    "bist sein und wenn falls keine allzu große irgendwie dazu kommst passt gelegenheit schon dabei bitte eben"
)
