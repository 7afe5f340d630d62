"""What is said about routines, English and German."""

from __future__ import annotations

from collections.abc import Mapping

_SAID: Mapping[str, Mapping[str, str]] = {
    "en": {
        "kept": "Kept as “{name}”: {when}: {said}.",
        "changed": "Changed: “{name}” is now: {when}: {said}.",
        "back": "change the routine {name} back to version {version}",
        "no version": "“{name}” has no version {version} to go back to: ./steward routines history {name}",
        "rests": "It rests: ./steward routines resume {name}",
        "most": "at most {count} times within an hour; then it rests and says so",
        "rests still": "it goes on resting",
        "changed meanwhile": "“{name}” was changed or taken away while this waited. Say it again.",
        "changed since": "“{name}” was changed once more after that. Nothing was changed.",
        "undo first": "Take that back first: ./steward undo {run}",
        "remove": "forget the routine {name}",
        "removed": "“{name}” is gone, and what it was allowed. “Undo that” brings it back.",
        "name taken": "“{name}” cannot come back: another routine is called so by now. Nothing was changed.",
        "free the name": "./steward routines remove {name}, then ./steward undo {run}",
        "before forgotten": "What “{name}” was before is forgotten, so it cannot be that again.",
        "no change": (
            "I did not understand what is to change about “{name}”: “{words}”. Say for example “make it nine”, or "
            "the whole rule anew."
        ),
        "title": "Routine {name}",
        "broken.gone": "It rests: the tool {tool} is no longer there.",
        "broken.other": "It rests: the tool {tool} takes other values by now.",
        "learnt": "what was learnt",
        "deed.deletion": "deleted",
        "deed.move": "moved",
        "deed.added": "added",
        "deed.undo": "taken back",
        "deed.mail sent": "mail sent",
        "deed.run failed": "did not work",
        "brought text": "what is told of it",
        "brought file": "the file",
        "brought file part": "the file's {part}",
        "brought event": "the event",
        "brought event part": "the event's {part}",
        "brought task": "the task",
        "brought task part": "the task's {part}",
        "brought mail": "the mail",
        "brought mail part": "the mail's {part}",
        "part text": "what is told of it",
        "part date": "the date",
        "part moment": "the day and the time",
        "part name": "its name",
        "part recipient": "the recipient",
        "part subject": "the subject",
        "part person": "who it is",
        "part value": "what was learnt",
        "part day": "the day",
        "broken.none file": "No file there is one that it waits for, so there is nothing to do it with.",
        "broken.none mail": "No mail there is one that it waits for, so there is nothing to do it with.",
        "broken.none event": "No event ahead is one that it waits for, so there is nothing to do it with.",
        "broken.none task": "No task that is due is one that it waits for, so there is nothing to do it with.",
        "broken.none text": "It does that with what is told when it is set off, so there is nothing to do it with.",
        "broken.look changes": "It rests: {tool} does more than read, and it may only look.",
        "broken.look rights": "It rests: it may not look any more ({right}).",
        "broken.look failed": "It rests: it could not look. {why}",
        "broken.look often": "It rests: it had to look {count} times within an hour.",
        "broken.mails": (
            "It rests: {count} mails came at once, more than you can have meant. Nothing was done with those that "
            "waited. Look at the mailbox, then let it go on."
        ),
        "broken.storm": (
            "It rests: {count} files came at once, more than you can have meant. Nothing was done with those that "
            "waited. Look at the folder, then let it go on."
        ),
        "broken.many": (
            "It rests: what it waits for came {count} times at once, more than you can have meant. Nothing was done "
            "with what waited. See what did that, then let it go on."
        ),
        "broken.too often": (
            "It rests: it has run {count} times within an hour. Look at what it did, then let it go on."
        ),
        "broken.circle": "It rests: routines set each other off without end: {circle}. Change one of them.",
        "unread text": "it could not be read.",
        "unread rest": "only its first part was looked at, since it is very long.",
        "unread total": "no total could be read in it.",
        "unread currency": "its total is in another currency, or in none that it names.",
        "unread link": "{name} is a link or no plain file, and is not opened.",
        "unread": "Not read: {why}",
        "no hook": "It waits for no webhook.",
        "hook": "To call it: ./steward routines token {name}",
        "outside": "{folder} is not in your home, and I watch nothing else.",
        "own left out": "except your own changes",
        "brings more": (
            "I understand when, but “{said}” wants a list or a condition, and there is only the one file. "
            "Say it with that file alone."
        ),
        "broken.part": "It rests: “{words}” does not have all that it needs.",
        "broken.words": "It rests: what “{words}” means now cannot be told.",
        "waits": "It waits for your answer: ./steward approve {run}",
        "next": "Next on {at}.",
        "when": "when",
        "does": "does",
        "worded": "in the model's words",
        "unsaid": "of when, not your words",
        "limit": "but",
        "first": "first",
        "private": "A rule is written down for good: say it without --private.",
        "moving": "I cannot tell what “{words}” would mean the next time. Say the rule again with other words for it.",
        "asks": (
            "I understand when, but of “{said}” I have to ask: {question} Answer that, or say the whole rule again."
        ),
        "not understood": "I understand when, but not what is to be done: “{said}”. {why}",
        "macro told": (
            "I understand when, but the macro “{name}” has to be told each time: {words}. "
            "Nobody is there to ask then, so nothing was kept."
        ),
        "macro changed": (
            "I understand when, but a skill of the macro “{name}” has changed since it was kept. "
            "Have it done once and keep it anew, then say the rule again."
        ),
        "repeats": "I understand, but “{said}” repeats by itself, and not by such a rule. Say it with simpler times.",
        "nothing to do": "I understand when, but not what is to be done then.",
        "unclear.time of day": "At what time of day? Say it, or the whole rule again.",
        "unclear.how often": "When, or how often? Say it, or the whole rule again.",
        "unclear.too often": "A minute is the shortest, nothing is done more often. How often? Say it or the rule.",
        "unclear.cron": "I cannot keep to this of the cron line: {about}. Say the rule again without it.",
        "unclear.no such day": "There is no such day: {about}. Which one do you mean?",
        "unclear.no such time": "There is no such time of day: {about}. At what time?",
        "unclear.whose time": (
            "Is “{about}” when it is to be done, or a part of what is meant? For the first say “just once”, the moment "
            "and the request, for the second the request with other words for it."
        ),
        "unclear.past": "That is over already: {about}. Which day do you mean?",
        "unclear.never": "That could never happen: {about}. Which of it counts?",
        "unclear.no such folder": "There is no folder {about}. Which one do you mean?",
        "unclear.what happens": "What has to happen? Say it, or the whole rule again.",
        "unclear.which day": "On which day? Say it, or the whole rule again.",
        "unclear.how much": "“{about}”: how much, or how long before? Say it, or the whole rule again.",
        "unclear.which mails": "Which mails are “{about}” is yours to say: from whom, or what is in the subject?",
        "unclear.which folder": "There are several: {about}. Which one do you mean?",
        "unclear.who": "Who is “{about}”? Say it, or the whole rule again.",
        "unclear.which file": (
            "Which file is “{about}”? Several there may be meant. Say its name, or the whole rule again."
        ),
        "not yet": (
            "I understand: {when}, {such}. Of a rule that waits for that I cannot keep to such a condition so far, so "
            "nothing was kept."
        ),
        "untold.battery": "This machine tells of no battery, so nothing was kept.",
        "untold.charger": "This machine does not tell whether it is plugged in, so nothing was kept.",
        "untold.memory": "This machine does not tell how much of its memory is in use, so nothing was kept.",
        "untold.heat": "This machine has no sensor that tells how hot it is, so nothing was kept.",
        "untold.idle": "Nothing here tells whether anybody uses the computer (logind: {why}), so nothing was kept.",
        "unclear.unknown": (
            "I do not know “{about}”, so I could not keep to it. Say the rule without it, or in another way."
        ),
        "unclear.not noticed": (
            "“{about}” is nothing that I can notice. What would tell me: a time, a mail, a file, an event, a webhook? "
            "Say the rule again with that."
        ),
        "unclear.sets itself off": (
            "That rule would set itself off. Are its own changes to be left out (yes)? If not, say another rule."
        ),
        "unclear.moves and stays": "What is moved does not stay where it was. Is it to be moved, or copied?",
        "the whole again": "Say the whole again, with that word alone.",
    },
    "de": {
        "kept": "Behalten als „{name}“: {when}: {said}.",
        "changed": "Geändert: „{name}“ ist jetzt: {when}: {said}.",
        "back": "ändere die Routine {name} zurück auf Version {version}",
        "no version": "„{name}“ hat keine Version {version}, zu der es zurückginge: ./steward routines history {name}",
        "rests": "Sie ruht: ./steward routines resume {name}",
        "most": "höchstens {count}-mal in einer Stunde; dann ruht sie und sagt es",
        "rests still": "sie ruht weiter",
        "changed meanwhile": "„{name}“ wurde geändert oder weggenommen, während das wartete. Sag es noch einmal.",
        "changed since": "„{name}“ wurde danach noch einmal geändert. Nichts wurde geändert.",
        "undo first": "Nimm zuerst das zurück: ./steward undo {run}",
        "remove": "vergiss die Routine {name}",
        "removed": "„{name}“ gibt es nicht mehr, auch ihre Rechte nicht. „Mach das rückgängig“ holt sie zurück.",
        "name taken": "„{name}“ kann nicht zurückkommen: Eine andere Routine heißt jetzt so. Nichts wurde geändert.",
        "free the name": "./steward routines remove {name}, dann ./steward undo {run}",
        "before forgotten": "Was „{name}“ vorher war, ist vergessen; es kann also nicht wieder so werden.",
        "no change": (
            "Was sich an „{name}“ ändern soll, habe ich nicht verstanden: „{words}“. Sag zum Beispiel „mach es um "
            "neun“, oder die ganze Regel neu."
        ),
        "title": "Routine {name}",
        "broken.gone": "Sie ruht: Das Werkzeug {tool} gibt es nicht mehr.",
        "broken.other": "Sie ruht: Das Werkzeug {tool} nimmt inzwischen andere Werte.",
        "learnt": "was gelernt wurde",
        "deed.deletion": "gelöscht",
        "deed.move": "verschoben",
        "deed.added": "dazugekommen",
        "deed.undo": "zurückgenommen",
        "deed.mail sent": "Mail gesendet",
        "deed.run failed": "ging nicht",
        "brought text": "was davon gesagt wird",
        "brought file": "die Datei",
        "brought file part": "{part} der Datei",
        "brought event": "der Termin",
        "brought event part": "{part} des Termins",
        "brought task": "die Aufgabe",
        "brought task part": "{part} der Aufgabe",
        "brought mail": "die Mail",
        "brought mail part": "{part} der Mail",
        "part text": "was davon gesagt wird",
        "part date": "das Datum",
        "part moment": "Tag und Uhrzeit",
        "part name": "sein Name",
        "part recipient": "der Empfänger",
        "part subject": "der Betreff",
        "part person": "wer es ist",
        "part value": "was gelernt wurde",
        "part day": "der Tag",
        "broken.none file": "Keine Datei dort ist eine, auf die sie wartet; es gibt also nichts, womit sie etwas täte.",
        "broken.none mail": "Keine Mail dort ist eine, auf die sie wartet; es gibt also nichts, womit sie etwas täte.",
        "broken.none event": "Kein Termin ist in Sicht, auf den sie wartet; es gibt nichts, womit sie etwas täte.",
        "broken.none task": "Keine fällige Aufgabe ist eine, auf die sie wartet; es gibt nichts, womit sie etwas täte.",
        "broken.none text": "Sie tut das mit dem, was gesagt wird, wenn etwas sie auslöst; es gibt also nichts dafür.",
        "broken.look changes": "Sie ruht: {tool} tut mehr als lesen, und sie darf nur nachsehen.",
        "broken.look rights": "Sie ruht: Sie darf nicht mehr nachsehen ({right}).",
        "broken.look failed": "Sie ruht: Sie konnte nicht nachsehen. {why}",
        "broken.look often": "Sie ruht: Sie musste in einer Stunde {count}-mal nachsehen.",
        "broken.mails": (
            "Sie ruht: {count} Mails kamen auf einmal, mehr, als gemeint sein können. Mit denen, die warteten, wurde "
            "nichts getan. Sieh dir das Postfach an und lass sie dann weitermachen."
        ),
        "broken.storm": (
            "Sie ruht: {count} Dateien kamen auf einmal, mehr, als gemeint sein können. Mit denen, die warteten, wurde "
            "nichts getan. Sieh dir den Ordner an und lass sie dann weitermachen."
        ),
        "broken.many": (
            "Sie ruht: Worauf sie wartet, kam {count}-mal auf einmal, mehr, als gemeint sein kann. Mit dem, was "
            "wartete, wurde nichts getan. Sieh nach, was das war, und lass sie dann weitermachen."
        ),
        "broken.too often": (
            "Sie ruht: Sie lief {count}-mal in einer Stunde. Sieh dir an, was sie tat, und lass sie dann weitermachen."
        ),
        "broken.circle": "Sie ruht: Routinen lösen einander ohne Ende aus: {circle}. Ändere eine davon.",
        "unread text": "sie war nicht zu lesen.",
        "unread rest": "nur ihr erster Teil wurde angesehen, denn sie ist sehr lang.",
        "unread total": "darin war kein Betrag zu lesen.",
        "unread currency": "ihr Betrag ist in einer anderen Währung, oder in keiner, die sie nennt.",
        "unread link": "{name} ist ein Verweis oder keine gewöhnliche Datei und wird nicht geöffnet.",
        "unread": "Nicht gelesen: {why}",
        "no hook": "Sie wartet auf keinen Webhook.",
        "hook": "Um ihn zu rufen: ./steward routines token {name}",
        "outside": "{folder} liegt nicht in deinem Home, und anderes beobachte ich nicht.",
        "own left out": "außer deine eigenen Änderungen",
        "brings more": (
            "Wann, ist klar, aber „{said}“ will eine Liste oder eine Bedingung, und da ist nur die eine Datei. "
            "Sag es mit dieser Datei allein."
        ),
        "broken.part": "Sie ruht: „{words}“ hat nicht alles, was sie braucht.",
        "broken.words": "Sie ruht: Was „{words}“ jetzt heißt, lässt sich nicht sagen.",
        "waits": "Sie wartet auf deine Antwort: ./steward approve {run}",
        "next": "Das nächste Mal am {at}.",
        "when": "wann",
        "does": "tut",
        "worded": "in den Worten des Modells",
        "unsaid": "vom Wann nicht deine Worte",
        "limit": "aber",
        "first": "zuerst",
        "private": "Eine Regel wird auf Dauer aufgeschrieben: sag sie ohne --private.",
        "moving": (
            "Ich weiß nicht, was „{words}“ beim nächsten Mal heißen würde. Sag die Regel noch einmal "
            "mit anderen Worten dafür."
        ),
        "asks": "Wann, ist klar, aber zu „{said}“ muss ich fragen: {question}",
        "not understood": "Wann, ist klar, aber nicht, was zu tun ist: „{said}“. {why}",
        "macro told": (
            "Wann, ist klar, aber dem Makro „{name}“ muss jedes Mal gesagt werden: {words}. "
            "Dann ist niemand da, den ich fragen kann; nichts wurde behalten."
        ),
        "macro changed": (
            "Wann, ist klar, aber eine Fähigkeit des Makros „{name}“ ist anders, seit es behalten wurde. "
            "Lass es einmal ausführen, behalte es neu, und sag dann die Regel noch einmal."
        ),
        "repeats": "Verstanden, aber „{said}“ wiederholt sich selbst, und nicht nach so einer Regel. Sag es einfacher.",
        "nothing to do": "Wann, ist klar, aber nicht, was dann zu tun ist.",
        "unclear.time of day": "Um wie viel Uhr? Sag sie, oder die ganze Regel noch einmal.",
        "unclear.how often": "Wann, oder wie oft? Sag es, oder die ganze Regel noch einmal.",
        "unclear.too often": "Eine Minute ist das Kürzeste, öfter wird nichts getan. Wie oft? Sag es oder die Regel.",
        "unclear.cron": "Daran kann ich mich in der Cron-Zeile nicht halten: {about}. Sag die Regel ohne das.",
        "unclear.no such day": "Den Tag gibt es nicht: {about}. Welcher ist gemeint?",
        "unclear.no such time": "Die Uhrzeit gibt es nicht: {about}. Um wie viel Uhr?",
        "unclear.whose time": (
            "Soll es „{about}“ getan werden, oder gehört das zu dem, was gemeint ist? Für das Erste sag „nur einmal“, "
            "die Zeit und den Auftrag, für das Zweite den Auftrag mit anderen Worten dafür."
        ),
        "unclear.past": "Das ist schon vorbei: {about}. Welcher Tag ist gemeint?",
        "unclear.never": "Das kann nie eintreten: {about}. Was davon gilt?",
        "unclear.no such folder": ("Einen Ordner {about} gibt es nicht. Welcher ist gemeint?"),
        "unclear.what happens": "Was muss passieren? Sag es, oder die ganze Regel noch einmal.",
        "unclear.which day": "An welchem Tag? Sag es, oder die ganze Regel noch einmal.",
        "unclear.how much": "„{about}“: wie viel, oder wie lange vorher? Sag es, oder die ganze Regel noch einmal.",
        "unclear.who": "Wer ist „{about}“? Sag es, oder die ganze Regel noch einmal.",
        "unclear.which file": (
            "Welche Datei ist „{about}“? Dort können mehrere gemeint sein. Sag ihren Namen, oder die ganze Regel noch "
            "einmal."
        ),
        "unclear.which mails": "Welche Mails „{about}“ sind, musst du sagen: von wem, oder was steht im Betreff?",
        "unclear.which folder": "Davon gibt es mehrere: {about}. Welcher ist gemeint?",
        "not yet": (
            "Verstanden: {when}, {such}. An so eine Bedingung kann ich mich bei einer Regel, die darauf wartet, bisher "
            "nicht halten, also wurde nichts behalten."
        ),
        "untold.battery": "Dieser Rechner sagt nichts von einem Akku, also wurde nichts behalten.",
        "untold.charger": "Dieser Rechner sagt nicht, ob er am Strom hängt, also wurde nichts behalten.",
        "untold.memory": "Dieser Rechner sagt nicht, wie viel Speicher belegt ist, also wurde nichts behalten.",
        "untold.heat": "Dieser Rechner hat keinen Fühler, der sagt, wie heiß er ist, also wurde nichts behalten.",
        "untold.idle": "Hier sagt nichts, ob jemand den Rechner benutzt (logind: {why}), also wurde nichts behalten.",
        "unclear.unknown": (
            "„{about}“ kenne ich nicht und könnte mich nicht daran halten. Sag die Regel ohne das, oder anders."
        ),
        "unclear.not noticed": (
            "„{about}“ kann ich nicht merken. Woran wäre es zu merken: an einer Zeit, einer Mail, einer Datei, einem "
            "Termin, einem Webhook? Sag die Regel noch einmal damit."
        ),
        "unclear.sets itself off": (
            "Die Regel würde sich selbst auslösen. Sollen ihre eigenen Änderungen nicht zählen (ja)? Sonst sag eine "
            "andere Regel."
        ),
        "unclear.moves and stays": (
            "Was verschoben wird, bleibt nicht, wo es war. Soll es verschoben oder kopiert werden?"
        ),
        "the whole again": "Sag das Ganze noch einmal, nur mit dem einen Wort.",
    },
}


def say(language: str, key: str, **values: str) -> str:
    """Return one sentence in ``language``, English where it is another."""
    return _SAID.get(language, _SAID["en"])[key].format(**values)
