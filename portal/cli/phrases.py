"""Every word that the command line puts around an answer, in each language: one catalogue.

What surrounds a run follows the language of that run. What is not about a run (usage, settings, the daemon) is English;
so is what a skill's manifest says in English only.
"""

from __future__ import annotations

from collections.abc import Mapping

from portal.cli.words import one_line

ROUTINE = "routine:"
"""So begins the name of a routine where a program's may stand."""

ENGLISH: Mapping[str, str] = {
    # the plan
    "plan": "Plan",
    "after": "after {steps}",
    "set.step": "Step",
    "set.tool": "Tool",
    "set.does": "What it does",
    "set.score": "Score",
    "set.why": "Why",
    "set.whole": "all",
    "set.none": "No installed tool has a word of this. Look for skills: ./steward skills search WORDS",
    "result": "the result of {step}",
    "item": "item {item} of {whole}",
    "field": "{field} of {whole}",
    # the card
    "card.plan": "Steward needs your permission",
    "card.commit": "These changes need a second look",
    "card.limit": "A call needs more than you allow it",
    "card.flow": "Nobody vouches for this",
    "card.mail": "This mail is about to leave",
    "card.unknown": "Was this mail sent?",
    "card.routine": "This will be done by itself from now on",
    "wants": "{skill} wants to {what}",
    "allowed": "(allowed already)",
    "level": "Runs at {level}: {words}",
    "cost": "Models took {amount} {currency}.",
    "ran": "Ran at {level} and not L3: {words}. What is missing: ./steward doctor",
    "L3": "own file system, no network",
    "L2": "shared view of the system, confined",
    "L1": "limits only",
    "asked": "You asked: {text}",
    "routine": "The routine {name} needs this; your own permissions do not count for it.",
    "routine.when": "when",
    "routine.but": "but",
    "routine.does": "does",
    "routine.first": "first",
    "routine.for good": "It gets these rights for good, for itself alone:",
    "routine.next": "next",
    "routine.last": "last run",
    "routine.rests": "rests",
    "routine.never": "never again",
    "routine.comes": "when it comes",
    "routine.not yet": "not yet",
    "routine.waits": "waits for you",
    "routine.late": "missed, done late",
    "routine.may": "{skill} may {what}",
    "routine.rights": "Its rights",
    "client": "The program {name} asks this, in its own name; your own permissions do not count for it.",
    "model": "The model {name} made this plan, and you did not: look at every step.",
    "worker": "The model {name} follows these instructions by itself, within what stands here; you see "
    "every change before it counts.",
    "ask.plan": "Allow? [y] once  [r] this run  [a] always  [n] no: ",
    "ask.commit": "Apply? [y] yes  [n] no: ",
    "ask.limit": "Give it more? [y] once  [r] this run  [a] always  [n] no: ",
    "ask.flow": "Go on with it? [y] yes  [n] no: ",
    "ask.mail": "Send it? [y] yes  [n] no: ",
    "ask.routine": "Keep it, and allow it that for good? [y] yes  [n] no: ",
    "ask.unknown": "[d] it was sent  [s] send it again  [n] leave it: ",
    "quoted": "{why}: “{text}”",
    "whose": "Parts of this are not Steward's words but stand in: {origins}",
    "whose.underlined": "What is underlined are not Steward's words; it stands in: {origins}",
    "shown": "Taken as shown, not as said ({kind}, lines: {lines}): {begins}",
    "orders": "It gives orders, which nobody follows: “{text}”",
    "fenced": "a fenced block",
    "cited": "lines with >",
    "indented": "an indented block",
    "mail": "a mail",
    "tagged": "between tags",
    "announced": "announced",
    "quotation": "a quotation",
    "letters": "Please answer with one of these letters.",
    "elsewhere": "This was answered elsewhere.",
    "model.asked": "Asking the model {name} at {host} …",
    "model.replied": "The model {name} answered after {took}.",
    "model.failed": "The model {name} gave no answer, after {took}.",
    "warming": "Steward has just started and learns the words of its skills; one moment.",
    # changes
    "created": "created",
    "modified": "changed",
    "overwritten": "overwritten",
    "deleted": "deleted",
    "moved": "moved",
    "one change": "1 change",
    "changes": "{count} changes",
    "in": "in {folder}",
    "folders": "… and {count} in {folders} more folders",
    "first": "The first {count}:",
    "more": "… and {count} more; all of them: ./steward runs {run} --all",
    "more.plain": "… and {count} more",
    "files": "with {count} files, {size}",
    "file": "with 1 file, {size}",
    "trash": "to the trash",
    "lines": "… more lines; the page shows all of them",
    "unshown": "Not all of this stands here ({what}); the rest may hold anything.",
    "opaque": "This is no text ({what}). What it does where it is opened or run cannot be read here; below stands what "
    "can be read in it, and the rest may be anything.",
    "lies": "To look at it before you answer: {place}",
    # what became of it
    "table.more": "… and {count} more rows",
    "undo.hint": "Take it back with: ./steward undo {run}",
    "reply.hint": 'Answer with: ./steward ask --conversation {conversation} "..."',
    "waits.plan": "Waits for an answer about its rights; nothing has changed. Go on with: ./steward approve {run}",
    "waits.commit": "Waits for an answer about its changes; nothing has changed. Go on with: ./steward approve {run}",
    "waits.limit": "Waits for an answer about your limit; nothing has changed. Go on with: ./steward approve {run}",
    "waits.routine": "Waits for your yes to a routine; nothing is kept yet. Go on with: ./steward approve {run}",
    "waits.mail": "Waits for your yes to a mail; nothing was sent. Go on with: ./steward approve {run}",
    "waits.flow": "A value that nobody vouches for would decide something. Look, and answer: ./steward approve {run}",
    "waits.unknown": "Nobody knows whether a mail was sent. Say what to do with: ./steward approve {run}",
    "cancelling": "Cancelling …",
    # taking back
    "undo.what": "Take back “{text}” (run {run})",
    "undo.further": "The last run was taken back already. The next one would be “{text}” (run {run})",
    "undo.does": "It would do this:",
    "undo.fact": "- 1 fact in memory",
    "undo.facts": "- {count} facts in memory",
    "undo.right": "- a right that was given for good: {words}",
    "undo.ask": "Take it back? [y/n] ",
    "undo.refused": "Nothing was taken back.",
    # how a run ended
    "call.running": "running",
    "call.done": "done",
    "call.more": "… and {count} more calls; all of them: ./steward runs {run} --all",
    "executed": "done",
    "confirmed": "done",
    "clarify": "asked back",
    "blocked": "blocked",
    "declined": "no skill fits",
    "rolled_back": "rolled back",
    "failed": "failed",
    "pending": "waits for you",
    "undone": "taken back",
    "half_done": "waits for its disk",
    "refused": "you said no",
}

GERMAN: Mapping[str, str] = {
    "plan": "Plan",
    "after": "nach {steps}",
    "set.step": "Schritt",
    "set.tool": "Werkzeug",
    "set.does": "Was es tut",
    "set.score": "Wert",
    "set.why": "Warum",
    "set.whole": "alles",
    "set.none": "Kein installiertes Werkzeug kennt ein Wort davon. Suche Fähigkeiten: ./steward skills search WORTE",
    "result": "dem Ergebnis von {step}",
    "item": "Eintrag {item} in {whole}",
    "field": "{field} aus {whole}",
    "card.plan": "Steward braucht deine Erlaubnis",
    "card.commit": "Diese Änderungen brauchen einen zweiten Blick",
    "card.limit": "Ein Aufruf braucht mehr, als du ihm erlaubst",
    "card.flow": "Dafür steht niemand ein",
    "card.mail": "Diese Mail soll hinausgehen",
    "card.unknown": "Wurde diese Mail gesendet?",
    "card.routine": "Das geschieht von nun an von selbst",
    "wants": "{skill} möchte {what}",
    "allowed": "(schon erlaubt)",
    "level": "Läuft auf Stufe {level}: {words}",
    "cost": "Modelle kosteten {amount} {currency}.",
    "ran": "Lief auf Stufe {level} statt L3: {words}. Was fehlt: ./steward doctor",
    "L3": "eigenes Dateisystem, kein Netz",
    "L2": "gemeinsame Sicht auf das System, eingesperrt",
    "L1": "nur Grenzwerte",
    "asked": "Du wolltest: {text}",
    "routine": "Das braucht die Routine {name}; deine eigenen Erlaubnisse zählen dafür nicht.",
    "routine.when": "wann",
    "routine.but": "aber",
    "routine.does": "tut",
    "routine.first": "zuerst",
    "routine.for good": "Diese Rechte bekommt sie auf Dauer, für sich allein:",
    "routine.next": "als Nächstes",
    "routine.last": "zuletzt",
    "routine.rests": "ruht",
    "routine.never": "nie mehr",
    "routine.comes": "wenn es so weit ist",
    "routine.not yet": "noch nicht",
    "routine.waits": "wartet auf dich",
    "routine.late": "verpasst, nachgeholt",
    "routine.may": "{skill} darf {what}",
    "routine.rights": "Ihre Rechte",
    "client": "Das fragt das Programm {name} in eigenem Namen; deine eigenen Erlaubnisse zählen dafür nicht.",
    "model": "Diesen Plan hat das Modell {name} gemacht und nicht du: Sieh dir jeden Schritt an.",
    "worker": "Das Modell {name} folgt dieser Anleitung selbständig, innerhalb dessen, was hier steht; du siehst "
              "jede Änderung, bevor sie gilt.",
    "ask.plan": "Erlauben? [j] einmal  [r] für diesen Lauf  [a] immer  [n] nein: ",
    "ask.commit": "Anwenden? [j] ja  [n] nein: ",
    "ask.limit": "Mehr geben? [j] einmal  [r] für diesen Lauf  [a] immer  [n] nein: ",
    "ask.flow": "Damit weitermachen? [j] ja  [n] nein: ",
    "ask.mail": "Senden? [j] ja  [n] nein: ",
    "ask.routine": "Behalten, und das auf Dauer erlauben? [j] ja  [n] nein: ",
    "ask.unknown": "[d] sie wurde gesendet  [s] noch einmal senden  [n] so lassen: ",
    "quoted": "{why}: „{text}“",
    "whose": "Teile davon sind nicht Stewards Worte, sondern stehen in: {origins}",
    "whose.underlined": "Unterstrichenes sind nicht Stewards Worte; es steht in: {origins}",
    "shown": "Als gezeigt genommen, nicht als gesagt ({kind}, Zeilen: {lines}): {begins}",
    "orders": "Darin wird etwas befohlen, dem niemand folgt: „{text}“",
    "fenced": "ein abgesetzter Block", "cited": "Zeilen mit >", "indented": "ein eingerückter Block",
    "mail": "eine Mail", "tagged": "zwischen Marken", "announced": "angekündigt", "quotation": "ein Zitat",
    "letters": "Bitte mit einem dieser Buchstaben antworten.",
    "elsewhere": "Das wurde anderswo beantwortet.",
    "model.asked": "Fragt das Modell {name} auf {host} …",
    "model.replied": "Das Modell {name} hat nach {took} geantwortet.",
    "model.failed": "Das Modell {name} gab keine Antwort, nach {took}.",
    "warming": "Steward ist gerade erst gestartet und lernt die Wörter seiner Skills; einen Augenblick.",
    "created": "angelegt",
    "modified": "geändert",
    "overwritten": "überschrieben",
    "deleted": "gelöscht",
    "moved": "verschoben",
    "one change": "1 Änderung",
    "changes": "{count} Änderungen",
    "in": "in {folder}",
    "folders": "… und {count} in {folders} weiteren Ordnern",
    "first": "Die ersten {count}:",
    "more": "… und {count} weitere; alle zeigt: ./steward runs {run} --all",
    "more.plain": "… und {count} weitere",
    "files": "mit {count} Dateien, {size}",
    "file": "mit 1 Datei, {size}",
    "trash": "in den Papierkorb",
    "lines": "… weitere Zeilen; alle zeigt die Seite",
    "unshown": "Das steht hier nicht ganz ({what}); der Rest könnte alles sein.",
    "opaque": "Das ist kein Text ({what}). Was es tut, wenn man es öffnet oder ausführt, lässt sich hier nicht lesen; "
    "darunter steht, was darin lesbar ist, und der Rest könnte alles sein.",
    "lies": "Vor der Antwort ansehen: {place}",
    "table.more": "… und {count} weitere Zeilen",
    "undo.hint": "Rückgängig machen mit: ./steward undo {run}",
    "reply.hint": 'Antworten mit: ./steward ask --conversation {conversation} "..."',
    "waits.plan": "Wartet auf eine Antwort zu den Rechten; nichts ist geändert. Weiter mit: ./steward approve {run}",
    "waits.commit": "Wartet auf eine Antwort zu den Änderungen; nichts ist geändert. "
                    "Weiter mit: ./steward approve {run}",
    "waits.limit": "Wartet auf eine Antwort zu deiner Grenze; nichts ist geändert. Weiter mit: ./steward approve {run}",
    "waits.routine": "Wartet auf dein Ja zu einer Routine; nichts ist behalten. Weiter mit: ./steward approve {run}",
    "waits.mail": "Wartet auf dein Ja zu einer Mail; nichts wurde gesendet. Weiter mit: ./steward approve {run}",
    "waits.flow": "Ein Wert, für den niemand einsteht, würde etwas bestimmen. Sieh nach: ./steward approve {run}",
    "waits.unknown": "Niemand weiß, ob eine Mail gesendet wurde. Sag, was gilt: ./steward approve {run}",
    "cancelling": "Wird abgebrochen …",
    "undo.what": "„{text}“ zurücknehmen (Lauf {run})",
    "undo.further": "Der letzte Lauf ist schon zurückgenommen. Der nächste wäre „{text}“ (Lauf {run})",
    "undo.does": "Das geschähe:",
    "undo.fact": "- 1 Aussage im Gedächtnis",
    "undo.facts": "- {count} Aussagen im Gedächtnis",
    "undo.right": "- ein Recht, das auf Dauer galt: {words}",
    "undo.ask": "Zurücknehmen? [j/n] ",
    "undo.refused": "Nichts wurde zurückgenommen.",
    "call.running": "läuft",
    "call.done": "erledigt",
    "call.more": "… und {count} weitere Aufrufe; alle: ./steward runs {run} --all",
    "executed": "erledigt",
    "confirmed": "erledigt",
    "clarify": "nachgefragt",
    "blocked": "verweigert",
    "declined": "nichts passt",
    "rolled_back": "zurückgerollt",
    "failed": "fehlgeschlagen",
    "pending": "wartet auf dich",
    "undone": "zurückgenommen",
    "half_done": "wartet auf seinen Datenträger",
    "refused": "du hast nein gesagt",
}  # fmt: skip

CATALOGUE: Mapping[str, Mapping[str, str]] = {"en": ENGLISH, "de": GERMAN}


def phrase(language: str, key: str, **values: object) -> str:
    """Return what is said under ``key`` in ``language``; in English where there is no other."""
    return CATALOGUE.get(language, ENGLISH)[key].format(**values)


def language_of(view: Mapping[str, object]) -> str:
    """Return the language of a run as far as it is known."""
    return str(view.get("language") or "en")


def stage_of(request: Mapping[str, object]) -> str:
    """Return what a run asks about: its ``plan``, the changes that it is about to ``commit``, a ``limit``, a ``mail``
    that is about to leave, one of which it is ``unknown`` whether it has, a value that nobody vouches for
    (``flow``), a ``routine`` that is to be kept.
    """
    stage = str(request.get("stage"))
    return stage if stage in ("plan", "limit", "mail", "unknown", "flow", "routine") else "commit"


def origins(view: Mapping[str, object], language: str) -> list[str]:
    """Return in words which program or routine asks for a plan or a run, and which model made it or works in it."""
    names = {name: str(view[name]) for name in ("client", "model", "worker") if view.get(name)}
    if names.get("client", "").startswith(ROUTINE):
        names["routine"] = names.pop("client").removeprefix(ROUTINE)
    return [phrase(language, name, name=one_line(value, 60)) for name, value in names.items()]
