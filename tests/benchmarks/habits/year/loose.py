"""What people ask now and then and for no pattern: the bulk of a day, drawn anew each time."""

from __future__ import annotations

import random

from tests.benchmarks.habits.year.habit import Ask, Output, Same, Slot, Step, Tainted
from tests.benchmarks.habits.year.people import Person

_ASKS: tuple[tuple[int, str, str, str, dict[str, object]], ...] = (
    (7, "zeig den Ordner {folder}", "what is in {folder}?", "files.contents", {"folder": "@folder"}),
    (8, "finde {name} in {folder}", "find {name} in {folder}", "files.find", {"folder": "@folder", "name": "@word"}),
    (3, "wie groß ist {folder}?", "how much space does {folder} take?", "files.usage", {"folder": "@folder"}),
    (3, "die größten Dateien in {folder}", "the largest files in {folder}", "files.largest",
     {"folder": "@folder", "count": "#9"}),
    (5, "verschieb {files} nach {to}", "move {files} to {to}", "files.move", {"files": "@file*", "to": "@folder"}),
    (4, "kopiere {files} nach {to}", "copy {files} to {to}", "files.copy", {"files": "@file*", "to": "@folder"}),
    (1, "lösche {files}", "delete {files}", "files.delete", {"files": "@file*"}),
    (6, "lies {file}", "read {file}", "documents.text", {"file": "@file"}),
    (5, "fasse {file} zusammen", "summarize {file}", "documents.summary", {"file": "@file"}),
    (6, "durchsuche meine Dokumente nach {words}", "search my documents for {words}", "documents.search",
     {"words": "@word"}),
    (3, "wie viele Seiten hat {file}?", "how many pages has {file}?", "documents.pages", {"file": "@file"}),
    (5, "zeige {table}", "show {table}", "data.show", {"table": "@table", "count": "#30"}),
    (4, "sortiere {table} nach {column}", "sort {table} by {column}", "data.sort",
     {"table": "@table", "column": "@column"}),
    (4, "Summe {column} in {table}", "total {column} in {table}", "data.total",
     {"table": "@table", "column": "@column", "measure": "sum"}),
    (2, "zeichne {table}", "plot {table}", "data.plot", {"table": "@table"}),
    (7, "such Mails von {sender}", "find mail from {sender}", "mail.find", {"sender": "@contact"}),
    (6, "{sender}s letzte Mail", "{sender}'s last mail", "mail.read", {"sender": "@contact"}),
    (3, "maile an {to}: {text}", "email {to}: {text}", "mail.send", {"to": "@address", "text": "@phrase"}),
    (2, "entwirf eine Mail an {to}: {text}", "draft a mail to {to}: {text}", "mail.draft",
     {"to": "@address", "text": "@phrase"}),
    (5, "such {words} in meinem Kalender", "find {words} in my calendar", "calendar.find", {"words": "@word"}),
    (4, "trag {title} in den Kalender ein", "add {title} to my calendar", "calendar.add",
     {"title": "@phrase", "hours": "@hours"}),
    (3, "wann bin ich frei?", "when am I free?", "calendar.free", {"length": "#5400"}),
    (5, "setz {text} auf meine To-do-Liste", "add {text} to my to-do list", "tasks.add", {"text": "@phrase"}),
    (4, "markiere {task} als erledigt", "mark {task} as done", "tasks.done", {"task": "@phrase"}),
    (5, "füge {text} zur Notiz {title} hinzu", "add {text} to my note {title}", "notes.add",
     {"text": "@phrase", "title": "@title"}),
    (4, "durchsuche meine Notizen nach {words}", "search my notes for {words}", "notes.search", {"words": "@word"}),
    (4, "lies die Notiz {title}", "read my note {title}", "notes.read", {"title": "@title"}),
    (6, "was ist {expression}?", "what is {expression}?", "calc.compute", {"expression": "@sum"}),
    (4, "wie spät ist es?", "what time is it?", "calc.clock", {}),
    (4, "stell einen Timer auf {length} Sekunden", "set a timer for {length} seconds", "timers.timer",
     {"length": "#3000"}),
    (3, "erinnere mich an {text}", "remind me to {text}", "timers.remind", {"text": "@phrase", "length": "#7000"}),
    (5, "lies {url}", "read {url}", "web.read", {"url": "@url"}),
    (4, "finde {words} auf {url}", "find {words} on {url}", "web.find", {"url": "@url", "words": "@word"}),
    (3, "öffne {file} auf meinem Bildschirm", "open {file} on my screen", "desktop.open_file", {"file": "@file"}),
    (4, "wie ist die Nummer von {name}?", "what is {name}'s number?", "contacts.find",
     {"name": "@contact", "what": "phone"}),
    (2, "wie voll ist der Akku?", "how full is the battery?", "system.battery", {}),
    (2, "wie viel Arbeitsspeicher ist frei?", "how much memory is free?", "system.memory", {}),
)  # fmt: skip
_CHAINS = 0.06
"""So many loose requests find files and do something with them, somewhere else each time."""

_SPOKEN = ("Rückruf", "Milch kaufen", "Entwurf prüfen", "call back", "print the form", "Paket abholen", "bike shop",
           "book the room", "Blumen gießen", "check the figures", "Bücher zurückgeben", "pay the fee")  # fmt: skip


def loose(person: Person, rng: random.Random) -> Ask:
    """Return something to ask, with what it is about."""
    if rng.random() < _CHAINS:
        found: dict[str, Slot | Tainted] = {
            "folder": Same(_drawn("@folder", person, rng)),
            "name": Same(_drawn("@word", person, rng)),
        }
        then: dict[str, Slot | Tainted] = {"files": Output(0), "to": Same(_drawn("@folder", person, rng))}
        verb = rng.choice(("files.copy", "files.move"))
        steps = (Step("files.find", found), Step(verb, then))
        return Ask("leg {name} aus {folder} nach {to}", "put {name} of {folder} into {to}", steps)
    _, de, en, tool, arguments = rng.choices(_ASKS, [one[0] for one in _ASKS])[0]
    given = {name: Same(_drawn(value, person, rng)) for name, value in arguments.items()}
    return Ask(de, en, (Step(tool, given),))


def _drawn(value: object, person: Person, rng: random.Random) -> object:
    if not isinstance(value, str) or value[:1] not in ("@", "#"):
        return value
    if value.startswith("#"):
        return rng.randint(1, int(value[1:]))
    match value[1:]:
        case "contact":
            return rng.choice(tuple(person.contacts))
        case "address":
            return rng.choice(tuple(person.contacts.values()))
        case "phrase":
            return f"{rng.choice(_SPOKEN)} {rng.choice(person.pools['word'])}"
        case "sum":
            return f"{rng.randint(2, 999)} {rng.choice('+-*/')} {rng.randint(2, 99)}"
        case "hours":
            return {"start": f"{rng.randint(8, 19):02}:{rng.choice(('00', '15', '30'))}", "end": None, "rough": ""}
        case name if name.endswith("*"):
            return [rng.choice(person.pools[name[:-1]])]
        case name:
            return rng.choice(person.pools[name])
