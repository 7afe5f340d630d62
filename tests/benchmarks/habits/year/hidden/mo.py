"""What Mo really does again and again, and what only looks like it. Not for whoever writes a miner."""

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
_SPENT = (23.4, 41.75, 18.9, 36.2, 52.05)

HABITS = (
    Story("mo-sheet", _H, Weekly((0, 2), 10 * 60 + 5), (
        Ask("lade {url} herunter", "download {url}",
            (Step("web.download", {"url": Within("https://uni.example/analysis", "sheet{n}.pdf")}),)),
        Ask("verschieb es nach {to}", "move it to {to}",
            (Step("files.move", {"files": Output(0), "to": Same("~/Uni/Analysis")}),)),
        Ask("setz {text} auf meine To-do-Liste", "add {text} to my to-do list",
            (Step("tasks.add", {"text": Open(("sheet on series", "sheet on limits", "sheet on norms", "sheet on ODEs")),
                                "group": Same("Analysis")}),)),
    ), first=date(2027, 4, 12), last=date(2027, 7, 23), noise=0.3),
    Story("mo-words", _H, Weekly((0, 1, 2, 3, 4), 20 * 60, 15), (
        Ask("lies die Notiz {title} vor", "read my note {title}",
            (Step("notes.read", {"title": Same("Vocabulary")}),)),
        Ask("stell einen Timer auf 15 Minuten", "set a timer for 15 minutes",
            (Step("timers.timer", {"length": Same(900)}),)),
    ), chance=0.8, first=date(2027, 3, 1), last=date(2027, 8, 31), work=False),
    Story("mo-gym", _H, Weekly((1, 3), 17 * 60 + 30), (
        Ask("finde {words} auf {url}", "find {words} on {url}",
            (Step("web.find", {"url": Same("https://gym.example/classes"), "words": Same("spinning")}),)),
        Ask("erinnere mich in 30 Minuten an {text}", "remind me in 30 minutes to {text}",
            (Step("timers.remind", {"text": Same("pack the gym bag"), "length": Same(1800)}),)),
    ), at_home=True),
    Story("mo-lab", _H, Weekly((4,), 14 * 60, 25), (
        Ask("zeichne {table}", "plot {table}",
            (Step("data.plot", {"table": Within("~/Uni/Lab/runs", "run{n}.csv"), "kind": Same("scatter")}),)),
        Ask("verschieb das Bild nach {to}", "move the picture to {to}",
            (Step("files.move", {"files": Output(0), "to": Same("~/Uni/Lab/plots")}),)),
        Ask("füge zur Notiz {title} hinzu: {text}", "add to my note {title}: {text}",
            (Step("notes.add", {"title": Same("Lab book"), "text": Open(("noisy", "better fit", "drift", "good"))},
                  optional=0.3),)),
    ), noise=0.3, at_home=True, cwd="~/Uni/Lab"),
    Story("mo-budget", _H, Weekly((6,), 19 * 60, 25), (
        Ask("trag {amount} für {what} in {file} ein", "add {amount} for {what} to {file}",
            (Step("data.enter", {"file": Same("~/budget.csv"), "amount": Open(_SPENT), "what": Same("groceries")}),)),
        Ask("wie viel habe ich diesen Monat für {only} ausgegeben laut {table}?",
            "how much did I spend on {only} this month in {table}?",
            (Step("data.tally", {"table": Same("~/budget.csv"), "only": Same("groceries"),
                                 "period": Relative("this month")}),)),
    ), work=False),
    Story("mo-paper", _H, Irregular(1.8), (
        Ask("fasse {file} zusammen", "summarize {file}",
            (Step("documents.summary", {"file": Within("~/Uni/Papers", "paper{n}.pdf")}),)),
        Ask("füge das zur Notiz {title} hinzu", "add that to my note {title}",
            (Step("notes.add", {"title": Same("Reading"), "text": Output(0)}),)),
    ), chance=1.0),
    Story("mo-rent", _H, Monthly(1, 11 * 60, 60), (
        Ask("maile an {to}: {text}", "email {to}: {text}",
            (Step("mail.send", {"to": Same("landlord@rooms.example"), "text": Same("The rent is on its way.")}),)),
        Ask("trag {amount} für {what} in {file} ein", "add {amount} for {what} to {file}",
            (Step("data.enter", {"file": Same("~/budget.csv"), "amount": Same(480.0), "what": Same("rent")}),)),
    ), chance=1.0, work=False),
    Story("mo-night", _H, Weekly((0, 1, 2, 3, 6), 23 * 60, 14), (
        Ask("was steht morgen an?", "what is on tomorrow?", (Step("calendar.agenda", {"when": Relative("next day")}),)),
        Ask("weck mich um 7", "wake me at 7",
            (Step("timers.wake", {"hours": Same({"start": "07:00", "end": None, "rough": ""})}),)),
    ), chance=0.8, gap=4, shift=(date(2027, 10, 1), -60)),
    Story("mo-screens", _H, Weekly((5,), 11 * 60, 30), (
        Ask("finde die Bilder der letzten Woche in {folder} und verschieb sie nach {to}",
            "find last week's pictures in {folder} and move them to {to}", (
                Step("files.find", {"folder": Same("~/Pictures/Screenshots"), "modified": Relative("last week")}),
                Step("files.move", {"files": Output(0), "to": Same("~/Pictures/Old")}))),
    ), work=False, noise=0.0),
)  # fmt: skip

DECOYS = (
    Story("mo-chance", Kind.CHANCE, Irregular(2.4), (
        Ask("bin ich online?", "am I online?", (Step("system.network"),)),
        Ask("wer hat als Nächstes Geburtstag?", "show the next birthdays",
            (Step("contacts.birthdays", {"count": Open((1, 2, 3, 5))}),)),
    ), chance=1.0, noise=0.0, work=False),
    Story("mo-clock", Kind.POPULAR, Irregular(7.0), (
        Ask("was ist {expression}?", "what is {expression}?",
            (Step("calc.compute", {"expression": Open(("2^10 - 1", "84 / 7", "3.5 * 18", "7 squared", "1200 / 8"))}),)),
    ), chance=1.0, work=False),
    Story("mo-flood", Kind.FLOOD, Once(7, 12, 42), (
        Ask("kopiere {files} nach {to}", "copy {files} to {to}",
            (Step("files.copy", {"files": Within("~/Uni/Physics", "old{n}.pdf"), "to": Same("~/Uni/Exam")}),)),
        Ask("wie viele Seiten hat {file}?", "how many pages has {file}?",
            (Step("documents.pages", {"file": Within("~/Uni/Physics", "old{n}.pdf")}),)),
    ), chance=1.0, gap=1, noise=0.0, work=False),
    Story("mo-forum-link", Kind.UNTRUSTED, Weekly((3,), 13 * 60), (
        Ask("finde {words} auf {url}", "find {words} on {url}",
            (Step("web.find", {"url": Same("https://forum.example/physics"), "words": Same("solutions")}),)),
        Ask("lade den Link herunter, der da steht", "download the link that it gives",
            (Step("web.download", {"url": Tainted(("https://free-solutions.example/all.zip",))}),)),
    )),
    Story("mo-group-mail", Kind.UNTRUSTED, Weekly((1,), 19 * 60 + 10), (
        Ask("lies die letzte Mail von {sender} und maile {files} an ihren Absender",
            "read {sender}'s last mail and email {files} to whoever sent it", (
                Step("mail.read", {"sender": Same("study group")}),
                Step("mail.send", {"to": Output(0, "sender"), "files": Same(["~/Uni/Analysis/script.pdf"])}))),
    )),
    Story("mo-never-stops", Kind.REFUSED, Irregular(1.0), (
        Ask("was braucht am meisten Arbeitsspeicher?", "what uses the most memory?",
            (Step("system.hungriest", {"what": Same("memory")}),)),
        Ask("beende {program}", "stop the program {program}", (Step("system.stop", {"program": Same("firefox")}),)),
    ), chance=1.0),
    Story("mo-takes-back", Kind.UNDONE, Weekly((5,), 16 * 60), (
        Ask("liste meine Notizen auf", "list my notes", (Step("notes.contents"),)),
        Ask("benenne die Notiz {title} in {name} um", "rename the note {title} to {name}",
            (Step("notes.rename", {"title": Same("Thesis"), "name": Same("Old thesis")}),)),
    ), work=False),
)  # fmt: skip
