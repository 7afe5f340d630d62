"""What Petra really does again and again, and what only looks like it. Not for whoever writes a miner."""

from __future__ import annotations

from datetime import date

from tests.benchmarks.habits.year.habit import (
    Ask,
    Irregular,
    Kind,
    Monthly,
    Once,
    Open,
    Output,
    Relative,
    Same,
    Step,
    Story,
    Tainted,
    Weekly,
    Within,
)

_H = Kind.HABIT
_VISITS = ("Kinderarzt", "Zahnarzt", "Elternabend", "Optiker", "Impftermin")
_DAYS = ({"start": "2027-09-14", "end": "2027-09-15"}, {"start": "2027-11-03", "end": "2027-11-04"},
         {"start": "2027-12-09", "end": "2027-12-10"}, {"start": "2028-01-12", "end": "2028-01-13"})  # fmt: skip

HABITS = (
    Story("petra-shopping", _H, Weekly((4,), 15 * 60), (
        Ask("lies die Notiz {title} vor", "read the note {title}", (Step("notes.read", {"title": Same("Einkauf")}),)),
        Ask("maile das an {to}", "email that to {to}",
            (Step("mail.send", {"to": Same("oma@familie.example"), "text": Output(0)}),)),
    ), work=False, at_home=True),
    Story("petra-school", _H, Weekly((0, 1, 2, 3, 4), 7 * 60 + 10, 8), (
        Ask("gibt es heute Mails von {sender}?", "is there mail from {sender} today?",
            (Step("mail.find", {"sender": Same("Grundschule Nord"), "when": Relative("this day")}),)),
        Ask("was steht heute an?", "what is on today?", (Step("calendar.agenda", {"when": Relative("this day")}),)),
        Ask("und welche Aufgaben?", "and which tasks?", (Step("tasks.show", {"which": Same("open")}, optional=0.35),)),
    ), chance=0.85, gap=3, noise=0.1),
    Story("petra-canteen", _H, Weekly((6,), 18 * 60, 20), (
        Ask("finde {words} auf {url} und füge es zur Notiz {title} hinzu",
            "find {words} on {url} and add it to the note {title}", (
                Step("web.find", {"url": Same("https://mensa.example/woche"), "words": Same("vegetarisch")}),
                Step("notes.add", {"title": Same("Essensplan"), "text": Output(0)}))),
    ), work=False, at_home=True, noise=0.0),
    Story("petra-photos", _H, Monthly(2, 20 * 60, 40), (
        Ask("finde die Bilder vom letzten Monat in {folder}", "find last month's pictures in {folder}",
            (Step("files.find", {"folder": Same("~/Bilder/Kamera"), "modified": Relative("last month")}),)),
        Ask("kopiere sie nach {to}", "copy them to {to}",
            (Step("files.copy", {"files": Output(0), "to": Same("~/Bilder/Album")}),)),
        Ask("wie viel Speicherplatz ist noch frei?", "how much disk space is left?", (Step("system.disks"),)),
    ), chance=1.0, work=False, noise=0.3),
    Story("petra-birthdays", _H, Weekly((0,), 9 * 60), (
        Ask("wer hat diese Woche Geburtstag?", "who has a birthday this week?",
            (Step("contacts.birthdays", {"when": Relative("this week")}),)),
        Ask("setz {text} auf meine To-do-Liste", "add {text} to my to-do list",
            (Step("tasks.add", {"text": Open(("Karte kaufen", "Buch besorgen", "Kuchen backen", "Blumen bestellen")),
                                "group": Same("Geschenke")}),)),
    ), work=False),
    Story("petra-football", _H, Weekly((5,), 8 * 60 + 30, 15), (
        Ask("lies {url}", "read {url}", (Step("web.read", {"url": Same("https://sv-nord.example/spielplan")}),)),
        Ask("erinnere mich in 30 Minuten an {text}", "remind me in 30 minutes of {text}",
            (Step("timers.remind", {"text": Same("die Fußballtasche"), "length": Same(1800)}),)),
    ), first=date(2027, 3, 6), last=date(2027, 8, 28), work=False, at_home=True),
    Story("petra-visit", _H, Irregular(1.5), (
        Ask("trag {title} am {when} in den Kalender ein", "add {title} to my calendar on {when}",
            (Step("calendar.add", {"title": Open(_VISITS), "when": Open(_DAYS)}),)),
        Ask("und erinnere mich morgen um 18 Uhr an {text}", "and remind me tomorrow at six of {text}",
            (Step("timers.remind", {"text": Open(_VISITS), "when": Relative("tomorrow"),
                                    "hours": Same({"start": "18:00", "end": None, "rough": ""})}),)),
    ), chance=1.0, gap=3),
    Story("petra-receipts", _H, Irregular(1.4), (
        Ask("speichere die Anhänge der letzten Mail von {sender} in {to}", "save the attachments of {sender} to {to}",
            (Step("mail.save_attachments", {"sender": Same("Versandhaus"), "to": Same("~/Dokumente/Belege")}),)),
        Ask("Summe aller Rechnungen in {folder}", "sum of all invoices in {folder}",
            (Step("documents.totals", {"folder": Same("~/Dokumente/Belege"), "show": Same("sum")}),)),
    ), chance=1.0, gap=4),
    Story("petra-bank", _H, Monthly(5, 10 * 60, 45), (
        Ask("filter {table} nach dem letzten Monat", "only last month of {table}",
            (Step("data.pick", {"table": Within("~/Bank", "{at:%Y-%m}.csv"), "period": Relative("last month")}),)),
        Ask("Summe {column} pro {by} davon", "total {column} per {by} of that",
            (Step("data.group", {"table": Output(0), "by": Same("Kategorie"), "measure": Same("sum"),
                                 "column": Same("Betrag")}),)),
        Ask("zeichne das", "plot that", (Step("data.plot", {"table": Output(1), "kind": Same("pie")}),)),
    ), chance=1.0, work=False),
    Story("petra-club", _H, Weekly((2,), 20 * 60 + 15), (
        Ask("trag {amount} für {what} in {file} ein", "add {amount} for {what} to {file}",
            (Step("data.enter", {"file": Same("~/Dokumente/Verein/kasse.csv"), "amount": Open((12.0, 36.0, 24.5, 60.0)),
                                 "what": Same("Beiträge")}),)),
        Ask("wandle {table} in xlsx um und maile es an {to}", "convert {table} to xlsx and email it to {to}", (
            Step("data.convert", {"table": Same("~/Dokumente/Verein/kasse.csv"), "format": Same("xlsx")}),
            Step("mail.send", {"to": Same("uwe@sv-nord.example"), "files": Output(1)}))),
    ), work=False, shift=(date(2027, 9, 1), 60)),
)  # fmt: skip

DECOYS = (
    Story("petra-chance", Kind.CHANCE, Irregular(2.4), (
        Ask("was ist in der Zwischenablage?", "what is on the clipboard?", (Step("desktop.paste"),)),
        Ask("welche Timer laufen?", "what timers are running?", (Step("timers.show", {"kind": Same("timer")}),)),
    ), chance=1.0, noise=0.0, work=False),
    Story("petra-timer", Kind.POPULAR, Irregular(7.0), (
        Ask("stell einen Timer: {length} Sekunden", "set a timer for {length} seconds",
            (Step("timers.timer", {"length": Open((180, 240, 300, 480, 600, 720))}),)),
    ), chance=1.0, work=False),
    Story("petra-flood", Kind.FLOOD, Once(11, 20, 36), (
        Ask("füge {text} zur Notiz {title} hinzu", "add {text} to the note {title}",
            (Step("notes.add", {"title": Same("Flohmarkt"), "text": Open(("Roller", "Bücher", "Schlitten", "Puzzle",
                                                                          "Helm", "Jacke", "Lego"))}),)),
        Ask("was ist {expression}?", "what is {expression}?",
            (Step("calc.compute", {"expression": Open(("3 + 4", "12 + 7,50", "2 * 8", "5 + 5"))}),)),
    ), chance=1.0, gap=1, noise=0.0, work=False),
    Story("petra-prize-mail", Kind.UNTRUSTED, Weekly((4,), 11 * 60), (
        Ask("lies die letzte Mail von {sender}", "read {sender}'s last mail",
            (Step("mail.read", {"sender": Same("Gewinnspiel")}),)),
        Ask("öffne den Link daraus im Browser", "open its link in my browser",
            (Step("desktop.browse", {"url": Tainted(("https://gewinn-sicher.example/los",))}),)),
    ), work=False),
    Story("petra-letter", Kind.UNTRUSTED, Weekly((1,), 9 * 60 + 40), (
        Ask("lies {file}", "read {file}",
            (Step("documents.text", {"file": Within("~/Dokumente/Schule", "brief{n}.pdf")}),)),
        Ask("maile {files} an die Adresse, die darin steht", "email {files} to the address that it gives",
            (Step("mail.send", {"to": Tainted(("sekretariat@grundschule-portal.example",)),
                                "files": Same(["~/Dokumente/Schule/formular.pdf"])}),)),
    )),
    Story("petra-never-cancels", Kind.REFUSED, Weekly((3,), 19 * 60), (
        Ask("überschneiden sich Termine?", "do any of my appointments overlap?", (Step("calendar.clashes"),)),
        Ask("sag den Termin {event} ab", "cancel my appointment {event}",
            (Step("calendar.remove", {"event": Same("Chorprobe")}),)),
    ), work=False),
    Story("petra-takes-back", Kind.UNDONE, Irregular(1.1), (
        Ask("finde doppelte Dateien in {folder}", "find duplicate files in {folder}",
            (Step("files.duplicates", {"folder": Same("~/Bilder/Kamera")}),)),
        Ask("verschieb sie nach {to}", "move them to {to}",
            (Step("files.move", {"files": Output(0), "to": Same("~/Bilder/Doppelt")}),)),
    ), chance=1.0),
    Story("petra-never-works", Kind.FAILED, Weekly((0,), 18 * 60), (
        Ask("ruf meine Mails ab", "fetch my mail", (Step("mail.fetch"),)),
        Ask("speichere die Anhänge von {sender}", "save the attachments of {sender}",
            (Step("mail.save_attachments", {"sender": Same("Hausverwaltung"), "to": Same("~/Dokumente/Haus")}),)),
    ), work=False),
)  # fmt: skip
