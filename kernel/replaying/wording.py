"""What is said of a replay, English and German."""

from __future__ import annotations

from collections.abc import Mapping

_SAID: Mapping[str, Mapping[str, str]] = {
    "en": {
        "same": "It comes out as it did then: {count} steps, none otherwise.",
        "same one": "It comes out as it did then: one step, not otherwise.",
        "other": "{other} of {count} steps come out otherwise than then.",
        "other one": "One of {count} steps comes out otherwise than then.",
        "forgotten": "The words of this run were forgotten: there is nothing to replay.",
        "private": "This run was private: nothing was kept, so there is nothing to replay.",
        "unread": "This run ended before it had a plan: it never came so far that there is something to replay.",
        "files": "Files and folders are those of today, without what this run and later ones did to them.",
        "grants": "What is allowed is what is allowed today.",
        "memory": "What memory knew is as it was then, found by its words alone; whom a name means is as it is today.",
        "skills": "Skills are those of today.",
        "settings": "Settings, and how quickly models and machine answer, are those of today.",
        "skill other": "The skill {skill} has changed since: {then} then, {now} now.",
        "skill same version": "The skill {skill} has changed since, and still calls itself {now}.",
        "skill gone": "The skill {skill} is not installed any more.",
        "skills other": "Other skills are installed than then.",
        "version": "Steward was {then} then and is {now} now.",
        "not dense": "Sentences were compared by their vectors then, and are not now.",
        "file gone": "{path} is not there any more.",
        "message": "Message {number} of the question to the model is another one.",
        "messages": "The question to the model has {now} messages and had {then}.",
        "schema": "The form that is asked of the model is another one.",
        "not asked": "The model is not asked this any more.",
        "plan": "It comes of the plan, which is another one.",
        "before": "It comes of a step before, which is another one.",
        "right": "Nobody has allowed it today, so it was not made once more.",
        "not again": "It does more than read, so it is not made once more.",
        "counted": "What it uses is counted, so it is not made once more.",
        "fails": "Made once more it fails: {error}",
        "input": "What it reads may be another today.",
        "unrecorded": "What came of it then is not recorded.",
        "unknown": "Nothing that is recorded explains it: files, rights, names in memory or Steward's code are others.",
        "acts": "It would do something itself ({what}); a replay does not.",
    },
    "de": {
        "same": "Es kommt heraus wie damals: {count} Schritte, keiner anders.",
        "same one": "Es kommt heraus wie damals: ein Schritt, nicht anders.",
        "other": "{other} von {count} Schritten kommen anders heraus als damals.",
        "other one": "Einer von {count} Schritten kommt anders heraus als damals.",
        "forgotten": "Die Wörter dieses Laufs wurden vergessen: Es gibt nichts, was sich wiederholen ließe.",
        "private": "Dieser Lauf war privat: Nichts wurde aufgehoben, also lässt sich nichts wiederholen.",
        "unread": "Dieser Lauf endete, ehe er einen Plan hatte: So weit kam er nie, dass sich etwas wiederholen ließe.",
        "files": "Dateien und Ordner sind die von heute, ohne das, was dieser Lauf und spätere an ihnen getan haben.",
        "grants": "Erlaubt ist, was heute erlaubt ist.",
        "memory": "Was das Gedächtnis wusste, ist wie damals, nach Wörtern gesucht; wen ein Name meint, wie heute.",
        "skills": "Die Fähigkeiten sind die von heute.",
        "settings": "Einstellungen, und wie schnell Modelle und Rechner antworten, sind die von heute.",
        "skill other": "Die Fähigkeit {skill} hat sich geändert: damals {then}, jetzt {now}.",
        "skill same version": "Die Fähigkeit {skill} hat sich geändert und nennt sich noch immer {now}.",
        "skill gone": "Die Fähigkeit {skill} ist nicht mehr installiert.",
        "skills other": "Es sind andere Fähigkeiten installiert als damals.",
        "version": "Steward war damals {then} und ist jetzt {now}.",
        "not dense": "Sätze wurden damals nach ihren Vektoren verglichen und werden es jetzt nicht.",
        "file gone": "{path} gibt es nicht mehr.",
        "message": "Nachricht {number} der Frage an das Modell ist eine andere.",
        "messages": "Die Frage an das Modell hat {now} Nachrichten und hatte {then}.",
        "schema": "Die Form, die vom Modell verlangt wird, ist eine andere.",
        "not asked": "Das Modell wird das nicht mehr gefragt.",
        "plan": "Es folgt aus dem Plan, der ein anderer ist.",
        "before": "Es folgt aus einem Schritt davor, der ein anderer ist.",
        "right": "Niemand hat es heute erlaubt, also wurde es nicht noch einmal gemacht.",
        "not again": "Es tut mehr als lesen, also wird es nicht noch einmal gemacht.",
        "counted": "Was es braucht, wird gezählt, also wird es nicht noch einmal gemacht.",
        "fails": "Noch einmal gemacht schlägt es fehl: {error}",
        "input": "Was es liest, kann heute anders sein.",
        "unrecorded": "Was damals daraus wurde, ist nicht aufgeschrieben.",
        "unknown": (
            "Nichts Aufgeschriebenes erklärt es: Dateien, Rechte, Namen im Gedächtnis oder Stewards Code sind andere."
        ),
        "acts": "Es würde selbst etwas tun ({what}); eine Wiederholung tut es nicht.",
    },
}


def say(language: str, key: str, **values: object) -> str:
    """Return one sentence in ``language``, English where it is another."""
    return _SAID.get(language, _SAID["en"])[key].format(**values)
