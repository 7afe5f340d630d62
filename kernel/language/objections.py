"""The wishes that the semantic firewall objects to, as patterns over lower-case text, and what it says then.

Each pattern wants the verb where a request begins and the thing right after it: "delete everything" is an order,
"a note called delete everything" is a title, and "how do I format a date" is a question.
"""

from __future__ import annotations

import re


def _pattern(*parts: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{part})" for part in parts), re.MULTILINE)


def _any(words: str) -> str:
    return "(?:" + "|".join(re.escape(word.strip()).replace("\\ ", " ") for word in words.split("|")) + ")"


_START = (
    r"(?:^\s*|[.!?;,]\s*|\b(?:and|then|please|just|now|also|first|kindly|you|to me|want to|need to|like to|go ahead|"
    r"und|dann|bitte|mal|steward|hey|ok|okay|so|can i|let's)\s+,?\s*)"
)
_END = (
    r"(?=\s*(?:$|[.!?,;:)]|\n)|\s+(?:and|then|now|please|completely|immediately|right|at once|for|und|dann|"
    r"bitte|jetzt|sofort|komplett|permanently|forever)\b)"
)

# --- the whole home, a whole disk

_DELETE = _any(
    "delete|remove|erase|wipe|wipe out|destroy|trash|purge|nuke|shred|get rid of|clear|clear out|clean out|empty|"
    "empty out|"
    "throw away|throw out|bin|dump|obliterate|blow away|overwrite|lösche|lösch|entferne|vernichte|leere|leer|wirf"
)
_MINE = (
    r"(?:my |the |this |our |your |a |meine[mnrs]? |mein |unsere[mnrs]? |der |die |das |den |dem |des |diese[mnrs]? )?"
)
_WHOLE = r"(?:(?:whole|entire|complete|ganze[mnrs]?|gesamte[mnrs]?|komplette[mnrs]?) )?"
_HOME = (
    r"(?:home[ -]?(?:folder|directory|dir)?|user (?:folder|directory)|(?:home|heim|benutzer)-?(?:ordner|verzeichnis)s?|"
    r"persönliche[nrs]? ordner|~/?)"
)
_MACHINE = (
    r"(?:(?:hard |system )?(?:disk|drive)|ssd|hdd|partition|computer|machine|laptop|pc|(?:whole |entire )?system|"
    r"account|server|"
    r"festplatte|platte|rechner|c:|/dev/\w+|/)"
)
_PLACE = rf"(?:{_HOME}|{_MACHINE})"
_ALL = (
    r"(?:(?:absolutely |just |simply )?everything|all|it all|the lot|every (?:single |last )?(?:one|thing|file|"
    r"folder|document)|"
    r"all (?:of )?(?:my |the |our )?(?:files|folders|data|documents|stuff|files and folders|things|contents?)|"
    r"alles|alle (?:meine |unsere )?(?:dateien|ordner|daten|dokumente|dateien und ordner)|jede datei|sämtliche "
    r"(?:dateien|daten))"
)
_IN = (
    r"(?:that is |that's |there is |i have |i own |stored |saved )?(?:in|on|inside|from|under|off|of|auf|in|im|"
    r"aus|von|vom|i have)?"
)
_WHOLE_PLACE = rf"(?:\s+(?:i (?:have|own)|away|out|weg)(?= |$|[.!?,;:]))?(?:\s+{_IN}\s*{_MINE}{_WHOLE}{_PLACE})?"
_CONTENTS = (
    rf"(?:the |all |all the |den |die )?(?:whole |entire |complete |ganzen |gesamten )?(?:contents?|"
    rf"inhalte?)\s+{_IN}\s*"
)
_ALTOGETHER = (
    r"(?:,?\s*(?:and )?(?:really |wirklich )?(?:all of (?:it|them)|every single (?:one|thing|file)|everything(?: "
    r"in it)?|"
    r"without exceptions?|no exceptions|with (?:all|everything) in (?:it|there)|(?:with |including )?all (?:its |"
    r"the )?(?:contents?|"
    r"(?:sub)?folders)|alles|ohne ausnahme|restlos|vollständig|weg|leer|aus))*"
)
WIPES = _pattern(
    rf"{_START}{_DELETE}\s+(?:mir )?{_ALL}{_WHOLE_PLACE}{_ALTOGETHER}{_END}",
    rf"{_START}{_DELETE}\s+(?:mir )?{_CONTENTS}{_MINE}{_WHOLE}{_PLACE}{_ALTOGETHER}{_END}",
    rf"{_START}(?:{_DELETE}|format|reformat|zero)\s+(?:out |mir )?{_MINE}{_WHOLE}{_PLACE}{_ALTOGETHER}{_END}",
    rf"{_START}formatiere\s+(?:mir )?{_MINE}{_WHOLE}{_PLACE}{_ALTOGETHER}{_END}",
    rf"{_START}(?:throw|clear|clean|empty|wipe)\s+(?:{_ALL}|{_MINE}{_WHOLE}{_PLACE})\s+(?:away|out|clean|completely)"
    rf"{_ALTOGETHER}{_END}",
    rf"\b(?:{_ALL}|(?:die |meine |den |meinen |mein |das )?{_WHOLE}{_PLACE}){_WHOLE_PLACE}\s+"
    rf"(?:löschen|formatieren|vernichten|entfernen|leeren|wegwerfen)"
    rf"(?: (?:könntest|würdest|kannst|könnten|würden))?{_END}",
)
SHELL_WIPES = _pattern(
    r"\brm\s+(?:-{1,2}[\w-]+\s+){1,6}(?:/|/\*|~/?|~/\*|\*|\$home/?|\.|\./\*?|/home(?:/\*?)?)(?=\s|$|[;&|])",
    r"\bmkfs(?:\.\w+)?\s+\S",
    r"\bdd\s+[^\n]{0,80}\bof=/dev/",
    r":\s*\(\)\s*\{[^\n]{0,40}\}\s*;\s*:",
    r">\s*/dev/(?:sd|nvme|hd|vd)\w*",
    r"\bshred\s+[^\n]{0,40}/dev/",
)

# --- Steward's own protection

_OFF = (
    r"(?:disable|turn off|switch off|shut off|deactivate|bypass|circumvent|get around|work around|skip|evade|"
    r"override|weaken|"
    r"escape|leave|break out of|suspend|stop using|drop|ignore|deaktiviere|umgehe|überspringe|ignoriere|schalte|"
    r"disabling|turning off|bypassing)"
)
_TAKE_OFF = (
    r"(?:remove|delete|kill|stop|clear|erase|tamper with|edit|change|rewrite|falsify|lift|unlock|"
    r"lösche|entferne|ändere|stoppe)"
)
_OWNER = (
    r"(?:(?:all )?(?:of )?(?:your|steward's|stewards|this assistant's|the kernel's|the daemon's|dein|"
    r"deine|deinen|deiner|stewards)\s+)"
)
_OWN = r"(?:own\s+|eigenen?\s+|built-in\s+|internal\s+)?"
_GUARD = (
    r"(?:sandbox(?:es|ing)?|(?:semantic )?firewall|protections?|safety(?: checks?| rules?| features?| measures?)?|"
    r"security(?: checks?| rules?| features?| measures?| policy| policies)?|permissions?(?: checks?| system| "
    r"policy| prompts?)?|"
    r"polic(?:y|ies)(?: tree| engine| checks?)?|guard ?rails?|guards?|confinement|approvals?|approval "
    r"(?:prompts?|cards?)|"
    r"confirmations?|restrictions?|limits|safeguards?|ledger|audit (?:log|trail)|journal|access controls?|"
    r"rules|filters?|"
    r"schutz|schutzmaßnahmen|sicherheitsprüfung(?:en)?|sicherheitsregeln|regeln|berechtigungen|berechtigungsprüfung|"
    r"einschränkungen|beschränkungen|rechteprüfung|protokoll|freigaben?)"
)
_PLAIN_GUARD = (
    r"(?:sandbox(?:ing)?|semantic firewall|guard ?rails?|safety (?:checks?|rules?|features?)|security checks?|"
    r"safeguards?|"
    r"permission (?:checks?|system|prompts?)|policy (?:tree|engine|checks?)|approval (?:prompts?|cards?|step)|"
    r"confinement|access controls?|audit (?:log|trail)|sicherheitsprüfung(?:en)?|schutzmaßnahmen|"
    r"berechtigungsprüfung(?:en)?|"
    r"rechteprüfung(?:en)?)"
)
PROTECTION = _pattern(
    rf"{_START}(?:{_OFF}|{_TAKE_OFF})\s+{_OWNER}{_OWN}{_GUARD}\b",
    rf"{_START}{_OFF}\s+(?:all |any |every )?(?:of )?(?:the |this |die |den |das |alle "
    rf")?{_PLAIN_GUARD}(?:{_END}|\s+(?:ab|aus)\b)",
    rf"{_START}(?:turn|switch|shut)\s+(?:the |all )?(?:{_OWNER})?{_OWN}(?:{_GUARD})\s+off\b",
    rf"{_START}(?:run|do|execute|delete|start|open|führe)\b[^.!?\n]{{0,80}}\b(?:without|outside|ohne|"
    rf"außerhalb)\s+(?:of )?(?:the |your |any |die |der |a )?"
    r"(?:sandbox|confinement|safety checks?|security checks?|permission checks?|protection)\b",
    rf"{_START}(?:grant|give|make)\s+yourself\s+(?:\w+\s+){{0,3}}(?:rights?|permissions?|access|root|"
    rf"admin(?:istrator)?|privileges?|grants?)\b",
    rf"{_START}(?:become|run (?:this |it |everything |all of this )?as)\s+(?:root|superuser|administrator)\b",
    rf"{_START}(?:escalate|elevate)\s+(?:your|my|the)?\s*(?:rights|privileges|permissions)\b",
    rf"{_START}(?:gib|gewähre|erteile)\s+dir\s+(?:selbst\s+)?(?:\w+\s+){{0,3}}(?:rechte|zugriff|berechtigungen|"
    rf"adminrechte|rootrechte)\b",
    rf"{_START}(?:don't|do not|never)\s+(?:ever\s+)?(?:ask|check)\s+(?:me\s+)?(?:for\s+)?(?:any\s+|"
    rf"my\s+)?(?:approvals?|permissions?|confirmation)\b",
    rf"\b(?:die |den |das |deine[nr]? |dein )(?:ganze[nr]? )?(?:{_PLAIN_GUARD}|schutz|firewall|"
    rf"sandbox)\s+(?:deaktivieren|abschalten|ausschalten|umgehen)\b",
)

# --- secrets

_TAKE = (
    r"(?:show|read|print|cat|open|send|mail|e-?mail|upload|copy|post|share|give|tell|display|export|steal|"
    r"exfiltrate|find|list|"
    r"dump|forward|publish|zip|fetch|get|reveal|extract|collect|move|attach|decrypt|what (?:is|are)|zeige?|"
    r"lies|sende?|schicke?|"
    r"kopiere?|öffne|gib|drucke|finde|verrate|exportiere|lade|teile|was (?:ist|sind))"
)
_WHOSE = (
    r"(?:\s+(?:me|mir|us|uns|out|all|every|any|of|my|the|our|your|his|her|their|saved|stored|meine[nr]?|mein|"
    r"die|den|das|"
    r"alle|ganzen?|gespeicherten?|contents?|content|inhalt|up|down|hoch|bob's|anna's)){0,6}"
)
_HIDDEN = (
    r"(?:private (?:ssh |gpg |pgp |rsa |signing |encryption )?keys?|(?:ssh|gpg|pgp|rsa)[ -](?:private )?keys?|"
    r"secret keys?|"
    r"api (?:keys?|tokens?)|access tokens?|passwords|password (?:store|database|manager|vault|safe)|login "
    r"credentials|"
    r"(?:aws |cloud )?credentials|(?:login )?keyring|key ?chain|seed phrase|recovery phrase|wallet keys?|"
    r"privaten? schlüssel|ssh-schlüssel|geheimen? schlüssel|passwörter|kennwörter|passwortspeicher|passwort-?manager|"
    r"passwortdatenbank|schlüsselbund|zugangsdaten)"
)
_AFTER_HIDDEN = (
    r"(?=\s*(?:$|[.!?,;:)]|\n)|\s+(?:to|from|in|on|into|at|via|as|and|for|of|stored|over|with|then|an|nach|auf|"
    r"von|und|als|per|"
    r"aus|somewhere|online|please|bitte|are|saved|that|which|hoch|vor)\b)"
)
SECRETS = _pattern(
    rf"{_START}{_TAKE}{_WHOSE}\s+{_HIDDEN}{_AFTER_HIDDEN}",
    rf"\b(?:meine[nr]?|alle|die|den)\s+(?:gespeicherten\s+)?{_HIDDEN}\s+(?:[\w@.\ufffc]+\s+){{0,4}}(?:zeigen|"
    rf"lesen|senden|schicken|kopieren|"
    r"hochladen|verschicken|mailen|vorlesen|ausgeben)\b",
)
SECRET_PATHS = re.compile(
    r"(?:^|[\s/\"'“„(~])(?:\.ssh(?:/|\b)|\.gnupg\b|\.aws/credentials|\.netrc\b|\.pgpass\b|\.password-store\b|"
    r"\.kube/config|"
    r"\.docker/config\.json|\.local/share/keyrings|id_(?:rsa|dsa|ecdsa|ed25519)(?!\.pub)\b|/?etc/(?:shadow|"
    r"gshadow|sudoers)\b|"
    r"login\.keyring\b|logins\.json\b|key[34]\.db\b|[\w .-]{0,60}\.kdbx\b|\.git-credentials\b)",
    re.IGNORECASE,
)

# --- orders to an assistant in pasted text

_EARLIER = r"(?:previous|prior|above|earlier|preceding|foregoing|former|existing|initial|original|system)"
_ORDERS = r"(?:instructions?|prompts?|rules|directions?|directives?|guidelines|commands|programming|training)"
_BISHER = r"(?:vorherigen?|bisherigen?|obigen?|früheren?|vorangegangenen?|vorigen?)"
_WEISUNG = r"(?:anweisungen|instruktionen|regeln|befehle|vorgaben|prompts?)"
INJECTION = _pattern(
    rf"\b(?:ignore|disregard|forget|override|discard|neglect)\s+(?:about\s+)?(?:(?:all|any|every|each|the|of|"
    rf"these|those|your|my)\s+){{0,4}}"
    rf"{_EARLIER}\s+(?:\w+\s+)?{_ORDERS}\b",
    rf"\b(?:ignore|disregard|forget|override)\s+(?:all\s+(?:of\s+)?)?your\s+(?:\w+\s+)?{_ORDERS}\b",
    r"\b(?:ignore|disregard|forget)\s+everything\s+(?:above|before|you (?:were|have been) told|i said before)\b",
    r"\byou are now\s+(?:in\s+)?(?:developer mode|dan\b|jailbroken|an? unrestricted|an? uncensored|root|god "
    r"mode|free (?:of|from))",
    r"\b(?:pretend|act as if|imagine)\s+(?:that\s+)?you\s+(?:have|had|are under)\s+no\s+(?:rules|restrictions|"
    r"limits|limitations|guidelines)\b",
    r"\bact as\s+(?:an?\s+)?(?:unrestricted|uncensored|unfiltered|jailbroken)\b",
    r"\b(?:reveal|print|show|repeat|output|leak)\s+(?:me\s+)?(?:your|the)\s+(?:hidden\s+|full\s+)?(?:system "
    r"prompt|hidden instructions|initial instructions)\b",
    r"\b(?:enable|enter|activate|switch to)\s+(?:developer|god|jailbreak|dan|unrestricted)\s+mode\b",
    r"\bdo anything now\b",
    r"^\s*(?:#+\s*)?(?:new|updated|real)\s+(?:system\s+)?instructions?\s*:",
    r"^\s*(?:#+\s*)?(?:system|assistant)\s*(?:prompt|message)?\s*:\s*\S",
    rf"\b(?:ignoriere|vergiss|missachte)\s+(?:bitte\s+)?(?:(?:alle|sämtliche|die|deine|all|"
    rf"jegliche)\s+){{0,3}}{_BISHER}\s+{_WEISUNG}\b",
    rf"\b(?:ignoriere|vergiss|missachte)\s+(?:bitte\s+)?(?:alle\s+)?deine\s+(?:\w+\s+)?{_WEISUNG}\b",
)
MARKUP = re.compile(
    r"<\|(?:im_start|im_end|system|endoftext|user|assistant)\|>|\[/?INST\]|<<\s*/?SYS\s*>>|</?system(?:_prompt)?>|"
    r"-{3,}\s*BEGIN (?:SYSTEM|HIDDEN)",
    re.IGNORECASE,
)

HOSTS = frozenset(
    "localhost ip6-localhost ip6-loopback broadcasthost metadata metadata.google.internal metadata.goog "
    "instance-data kubernetes.default.svc host.docker.internal gateway.docker.internal".split()
)

MESSAGES = {
    "character": {
        "en": "The request contains the invisible character {character}, which can make text mean something "
        "other than "
        "it shows. Type the request again without it.",
        "de": "Die Anfrage enthält das unsichtbare Zeichen {character}; damit kann ein Text etwas anderes "
        "bedeuten, als "
        "er zeigt. Tippe sie bitte ohne dieses Zeichen neu.",
    },
    "address": {
        "en": "The address {address} leads to this machine or its private network, or reads a file as if it "
        "were a web "
        "page. Steward never fetches such addresses; name a file by its path instead.",
        "de": "Die Adresse {address} führt auf diesen Rechner oder in sein privates Netz oder liest eine Datei "
        "wie eine "
        "Webseite. Steward ruft solche Adressen nie ab; nenne eine Datei bei ihrem Pfad.",
    },
    "injection": {
        "en": "The request contains text that gives orders to an assistant instead of saying what you want. If it is "
        "part of something to read or to save, put it in quotation marks or in a file.",
        "de": "Die Anfrage enthält Text, der einem Assistenten Befehle gibt, statt zu sagen, was du möchtest. "
        "Gehört er "
        "zu etwas, das gelesen oder gespeichert werden soll, setze ihn in Anführungszeichen oder in eine Datei.",
    },
    "protection": {
        "en": "Steward does not switch off or go around its own protection, whoever asks. What a skill may do "
        "is changed "
        "with the perms command or on the Permissions page.",
        "de": "Steward schaltet seinen eigenen Schutz nicht ab und umgeht ihn nicht, gleich wer darum bittet. "
        "Was eine "
        "Fähigkeit darf, ändert man mit dem Befehl perms oder auf der Seite Berechtigungen.",
    },
    "secrets": {
        "en": "Steward does not read, copy or send private keys, passwords or password stores. Use the program that "
        "keeps them.",
        "de": "Steward liest, kopiert und sendet keine privaten Schlüssel, Passwörter oder Passwortspeicher. "
        "Nimm dafür "
        "das Programm, das sie verwahrt.",
    },
    "wipe": {
        "en": "Steward does not delete everything at once or format a disk. Name the folder or the files that "
        "should go.",
        "de": "Steward löscht nicht alles auf einmal und formatiert keine Datenträger. Nenne den Ordner oder die "
        "Dateien, die weg sollen.",
    },
}
