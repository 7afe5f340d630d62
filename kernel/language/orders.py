"""How a text gives orders to a program that reads it, in English and German: patterns over one sentence each."""

from __future__ import annotations

import re


def _any(words: str) -> str:
    return "(?:" + "|".join(word.strip().replace(" ", r"\s+") for word in words.split("|")) + ")"


_READER = _any(
    r"a\.?i\.?(?: assistants?| agents?| models?| systems?)?|assistants?|language models?|llms?|chat ?bots?|agents?|"
    r"copilot|chatgpt|claude|gpt(?:-\d)?|steward|virtual assistants?|automated (?:system|assistant|agent|reader)s?|"
    r"ki(?:-assistent(?:en)?|-agent(?:en)?|-modelle?|-systeme?)?|assistent(?:en|in)?|sprachmodelle?|agent(?:en)?"
)
_DO = _any(
    r"send|forward|e-?mail|mail|post|upload|share|transfer|pay|wire|buy|order|delete|remove|erase|wipe|overwrite|"
    r"move|copy|rename|run|execute|install|download|open|visit|fetch|call|use|invoke|click|create|add|change|update|"
    r"set|reset|grant|give|reveal|show|print|include|append|read|search|find|look up|make|write|reply|respond|answer|"
    r"say|tell|ignore|disable|invite|book|reserve|schedule|cancel|subscribe|approve|confirm|"
    r"sende?|schicke?|leite?|überweise?|zahle?|bezahle?|kaufe?|bestelle?|lösche?|entferne?|verschiebe?|kopiere?|"
    r"führe?|installiere?|lade?|öffne?|besuche?|rufe?|erstelle?|füge?|ändere?|setze?|gib|zeige?|lies|suche?|"
    r"antworte?|schreibe?|ignoriere?|deaktiviere?|teile?|trage?|buche?|genehmige?"
)
_THEIRS = _any(
    r"the user|this user|your user|the human|the owner|the operator|der nutzer|den nutzer|dem nutzer|der benutzer|"
    r"den benutzer|dem benutzer|die nutzerin|der besitzer"
)

ADDRESSED = re.compile(
    rf"\b(?:if|when|as|since|because)\s+(?:you are|you're|you as|you,)\s*(?:an?\s+|"
    rf"the\s+)?(?:\w+\s+){{0,2}}?{_READER}\b"
    rf"|\b(?:wenn|falls|da)\s+(?:du|sie)\s+(?:\w+\s+){{0,3}}?{_READER}\s+(?:bist|sind)\b"
    rf"|\b(?:if|when|wenn|falls)\s+(?:an?|any|the|ein|eine|der|die)\s+(?:\w+\s+)?{_READER}\s+(?:\w+\s+){{0,2}}?"
    r"(?:reads?|is reading|process(?:es)?|sees|summari[sz]es|liest|verarbeitet|sieht)\b"
    rf"|\b(?:attention|note|notice|message|instructions?|hey|dear|hello|hi|reminder|memo|hinweis|achtung|"
    rf"anweisung(?:en)?|"
    rf"nachricht|liebe[rs]?|hallo)\b[^.!?\n]{{0,20}}\b(?:to|for|an|für)?\s*(?:the |any |all |every |den |die |"
    rf"alle |das )?"
    rf"{_READER}\b\s*[,:!-]"
    rf"|^\W*{_READER}\s*[,:-]+\s*(?:please\s+|bitte\s+)?{_DO}\b"
    rf"|\b(?:any|every|all|the|jede[rs]?|alle)\s+{_READER}(?:\s+(?:reading|processing|that reads|who reads|handling|"
    rf"summari[sz]ing|der|die|das)[^.!?\n]{{0,50}})?\s+(?:must|should|shall|needs? to|has to|have to|is to|are to|"
    rf"soll(?:en|te|ten)?|"
    rf"muss|müssen)\b",
    re.IGNORECASE,
)
"""Who reads is addressed as a program."""

INSTEAD = re.compile(
    r"\b(?:ignore|disregard|forget|override|skip|drop)\s+(?:\w+\s+){0,4}?(?:previous|prior|earlier|above|preceding|"
    r"original|former|other|initial|system|user'?s?)\s+(?:\w+\s+)?(?:instructions?|prompts?|requests?|tasks?|rules?|"
    r"messages?|directions?|commands?|context|guidelines?|orders?|queries|query)"
    r"|\b(?:ignoriere|vergiss|missachte|überspringe)\s+(?:\w+\s+){0,3}?(?:bisherigen?|vorherigen?|obigen?|früheren?|"
    r"ursprünglichen?|anderen?)\s+(?:\w+\s+)?(?:anweisung(?:en)?|regeln?|aufgaben?|befehle?|nachrichten?|vorgaben?)"
    r"|\b(?:your|the|deine|die)\s+(?:new|real|actual|true|next|only|first|neue|wahre|echte|eigentliche|nächste)\s+"
    r"(?:task|instructions?|goal|objective|job|mission|order|aufgabe|anweisung(?:en)?|auftrag|ziel)\s+(?:is|are|"
    r"ist|lautet|sind)\b"
    r"|\b(?:new|updated|revised|additional|important|urgent|special|hidden|neue|geänderte|zusätzliche|wichtige)\s+"
    r"(?:system\s+)?(?:instructions?|directives?|prompt|task|anweisung(?:en)?|anordnung(?:en)?)\s*[:\-]"
    r"|\bbefore\s+(?:you\s+)?(?:answer|respond|reply|continu|proceed|summari|complet|finish|"
    r"do(?:ing)?)\w*[^.!?\n]{0,60}"
    r"\b(?:first|you must|you need to|please|make sure)\b|\bfrom now on\b[^.!?\n]{0,40}\byou\b",
    re.IGNORECASE,
)
"""What was asked for is to be put aside for something else."""

SECRETLY = re.compile(
    rf"\b(?:do not|don't|never|without)\s+(?:ever\s+)?(?:tell|telling|mention|mentioning|inform|informing|ask|"
    rf"asking|show|"
    rf"notify|notifying|alert|warn|reveal|reveal this|reveal it)\w*\s+(?:this\s+|that\s+|it\s+|"
    rf"anything\s+)?(?:to\s+)?(?:{_THEIRS}|anyone|"
    rf"anybody|for (?:confirmation|permission|approval))\b"
    rf"|\b{_THEIRS}\b[^.!?\n]{{0,40}}\b(?:has|have|hat)\b[^.!?\n]{{0,20}}\b(?:already|bereits|schon)\b[^.!?\n]{{0,20}}"
    rf"(?:agreed|approved|consented|confirmed|authori[sz]ed|zugestimmt|bestätigt|genehmigt)"
    rf"|\b(?:sag|verrate|erwähne|zeig)\w*\s+(?:es\s+|das\s+|davon\s+)?(?:{_THEIRS}\s+)?(?:nichts|"
    rf"nicht)\b[^.!?\n]{{0,30}}{_THEIRS}?"
    rf"|\bohne\s+(?:{_THEIRS}\s+)?(?:zu fragen|nachzufragen|rückfrage|bestätigung)\b",
    re.IGNORECASE,
)
"""Something is to be kept from whoever is served, or they are said to have agreed."""

CALLS = re.compile(
    r"\b(?:call|use|invoke|run|execute|trigger)\s+(?:the\s+)?[`'\"]?[a-z][\w]*(?:[._][a-z]\w*)+[`'\"]?(?:\s*\(|"
    r"\s+(?:tool|function|"
    r"command|action|with|to|and)\b)"
    r"|\b(?:use|call|invoke)\s+(?:the|your)\s+(?:\w+\s+){0,2}(?:tool|function|plugin|skill)s?\s+to\b"
    r"|\b(?:curl|wget|powershell|bash -c|sh -c|rm -rf|chmod|sudo)\s+\S",
    re.IGNORECASE,
)
"""A tool is to be called, or a shell."""

_SECRET = _any(
    r"passwords?|passphrases?|api keys?|tokens?|credentials?|secrets?|private keys?|ssh keys?|recovery codes?|pins?|"
    r"2fa codes?|security codes?|cookies|inbox|contacts?|address book|passwörter|passwort|zugangsdaten|schlüssel|"
    r"postfach"
)
SENDS = re.compile(
    rf"(?:^|[.!?;:,]\s*|\b(?:and|then|please|also|to|und|dann|bitte|now|first|must|should|"
    rf"immediately)\s+)(?:{_DO})\b[^.!?\n]{{0,100}}"
    rf"\b(?:your|my|his|her|the user'?s?|all|every|any|their|deine|alle|seine|das|die)\b[^.!?\n]{{0,30}}\b{_SECRET}\b"
    rf"|\b(?:send|forward|upload|post|transfer|wire|exfiltrate|leak|sende|schicke|überweise|leite)\b[^.!?\n]{{0,120}}"
    rf"(?:\bto\b|\ban\b|\bauf\b)\s+(?:[\w.+-]+@[\w-]+\.[\w.-]+|https?://\S+|[A-Z]{{2}}\d{{2}}[A-Z0-9]{{8,}})",
    re.IGNORECASE,
)
"""Something is to be sent to an address, or a secret to be got."""

ROLES = re.compile(
    r"^\W{0,6}(?:system|assistant|user|human|ai|tool|function|developer|admin(?:istrator)?)\W{0,4}(?:message|"
    r"prompt|note|override|"
    r"instruction)?\W{0,4}:\s*\S"
    r"|<\s*/?\s*(?:system|instructions?|important|information|inst|admin|prompt|tool_(?:call|result)|"
    r"function_calls?|assistant|user)"
    r"[\w_-]*\s*>"
    r"|<\|[\w ]{2,20}\|>|\[/?(?:INST|SYS|SYSTEM|IMPORTANT)\]|^\s*#{2,}\s*(?:system|instructions?|new task|"
    r"response|assistant)\b"
    r"|<!--[^>]{0,400}\b(?:assistant|ai|agent|instruction|ignore|must|send|delete)\b"
    r"|={4,}\s*(?:end|begin|start)\b|-{3,}\s*(?:end of|begin|start of)\s+(?:mail|email|message|document|text|user|"
    r"system|tool)",
    re.IGNORECASE | re.MULTILINE,
)
"""Structure that no letter has: roles of a conversation with a model, its marks, false ends."""

PATTERNS = (ADDRESSED, INSTEAD, SECRETLY, CALLS, SENDS, ROLES)
