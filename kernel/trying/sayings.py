"""What is said of a dry run, English and German."""

from __future__ import annotations

from collections.abc import Mapping

_SAID: Mapping[str, Mapping[str, str]] = {
    "en": {
        "dry": "dry run",
        "nothing stays": "Nothing of it stays, and what you allow here ends with it.",
        "tried": "Tried out; nothing of it stays.",
        "would say": "It would say:",
        "would": "Would be done, and was not: {what} [{tool}]",
        "no change": "It would change no file.",
        "changes": "It would change {count}:",
        "would ask": "It would ask you first.",
        "due": "Due next: {at}.",
        "never due": "It will never be due again.",
        "not known": "Whether anything would have set it off is not known beforehand.",
        "no file": "No file that lies there now is one that it waits for.",
        "one file": "One file that lies there now would have set it off: {names}.",
        "files": "{count} files that lie there now would have set it off: {names}.",
        "more files": "{count} files that lie there now would have set it off, the latest: {names}.",
        "at least": "At least {count} files that lie there now would have set it off, for example {names}.",
        "may mean": "Some that lie there may be meant ({names}). What stands in them is looked at once it is kept.",
        "may mean kept": (
            "Some that lie there may be meant ({names}). ./steward routines try {name} looks at what stands in them."
        ),
        "quoted": "“{text}”",
        "deeds": "What was done last and would have set it off:",
        "no deed": "Nothing that was done lately would have set it off.",
        "nothing hint": "./steward routines show {name} says what it waits for.",
        "own look": "What it waits for can be looked at once it is kept, with the right that it has then.",
        "own look hint": "Keep it, and then: ./steward routines try {name}",
        "not meant": "It waits for no such file: {name}.",
        "with hint": "./steward routines show {name} says which files it waits for.",
        "missing": "Not tried out: that needs what nobody has allowed yet. Try it: {how}",
        "denied": "Not tried out: what it would do is denied.",
        "too long": "The dry run takes longer than a card waits. Try it: {how}",
        "asks on the way": "The dry run would have to ask you something. Try it: {how}",
        "told": "The macro “{name}” has to be told: {words}.",
        "told hint": "./steward macros try {name} {first}=VALUE",
        "changed": "A skill of the macro “{name}” has changed since it was kept.",
        "changed hint": "Have it done once and keep it anew: ./steward macros run {name}",
    },
    "de": {
        "dry": "Probelauf",
        "nothing stays": "Nichts davon bleibt, und was du hier erlaubst, endet mit ihm.",
        "tried": "Ausprobiert; nichts davon bleibt.",
        "would say": "Es würde sagen:",
        "would": "Würde getan, wurde aber nicht: {what} [{tool}]",
        "no change": "Es würde keine Datei ändern.",
        "changes": "Es würde {count} ändern:",
        "would ask": "Vorher würde es dich fragen.",
        "due": "Fällig als Nächstes: {at}.",
        "never due": "Sie wird nie mehr fällig.",
        "not known": "Ob etwas sie ausgelöst hätte, ist vorher nicht bekannt.",
        "no file": "Keine Datei, die jetzt dort liegt, ist eine, auf die sie wartet.",
        "one file": "Eine Datei, die jetzt dort liegt, hätte sie ausgelöst: {names}.",
        "files": "{count} Dateien, die jetzt dort liegen, hätten sie ausgelöst: {names}.",
        "more files": "{count} Dateien, die jetzt dort liegen, hätten sie ausgelöst, zuletzt: {names}.",
        "at least": "Mindestens {count} Dateien, die jetzt dort liegen, hätten sie ausgelöst, zum Beispiel {names}.",
        "may mean": (
            "Von dem, was dort liegt, ist manches vielleicht gemeint ({names}). Was darin steht, wird angesehen, "
            "sobald sie behalten ist."
        ),
        "may mean kept": (
            "Von dem, was dort liegt, ist manches vielleicht gemeint ({names}). ./steward routines try {name} sieht "
            "an, was darin steht."
        ),
        "quoted": "„{text}“",
        "deeds": "Was zuletzt getan wurde und sie ausgelöst hätte:",
        "no deed": "Nichts, was in letzter Zeit getan wurde, hätte sie ausgelöst.",
        "nothing hint": "./steward routines show {name} sagt, worauf sie wartet.",
        "own look": "Worauf sie wartet, ist erst anzusehen, wenn sie behalten ist: mit dem Recht, das sie dann hat.",
        "own look hint": "Behalte sie, und dann: ./steward routines try {name}",
        "not meant": "Auf so eine Datei wartet sie nicht: {name}.",
        "with hint": "./steward routines show {name} sagt, auf welche Dateien sie wartet.",
        "missing": "Nicht ausprobiert: Dazu fehlt, was noch niemand erlaubt hat. Ausprobieren: {how}",
        "denied": "Nicht ausprobiert: Was sie täte, ist verboten.",
        "too long": "Der Probelauf dauert länger, als eine Karte wartet. Ausprobieren: {how}",
        "asks on the way": "Der Probelauf müsste dich etwas fragen. Ausprobieren: {how}",
        "told": "Dem Makro „{name}“ muss gesagt werden: {words}.",
        "told hint": "./steward macros try {name} {first}=WERT",
        "changed": "Eine Fähigkeit des Makros „{name}“ ist anders, seit es behalten wurde.",
        "changed hint": "Lass es einmal ausführen und behalte es neu: ./steward macros run {name}",
    },
}


def say(language: str, key: str, **values: str) -> str:
    """Return one sentence in ``language``, English where it is another."""
    return _SAID.get(language, _SAID["en"])[key].format(**values)
