"""Plain forms of the words that say when: a model is told them, and whoever knows them can say a rule so.

Each is heard as it stands (``tests/kernel/routines/test_forms.py``); what is in capitals or a name stands for others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

TRIGGERS: Mapping[str, Sequence[str]] = {
    "en": (
        "every weekday at 8:00",
        "every Monday and Thursday at 17:30",
        "every day at 8:00 and 20:00 until 30 June 2026",
        "every two weeks on Tuesday at 7:30",
        "on the last working day of every month at 16:00",
        "every 10 minutes",
        "tomorrow at 9:00",
        "when a new PDF lands in Downloads",
        "when a file is moved into Documents/Done",
        "when Finance/expenses.csv is changed",
        "when a mail from Lena with an attachment and with invoice in its subject arrives",
        "30 minutes before every event with Vogt in its title",
        "two days before an urgent task on the Home list is due",
        "on the day on which a task is due at 8:00",
        "when a task becomes overdue",
        "when the battery falls below 12 percent",
        "when the charger is plugged in",
        "when less than 8 GB are free on the disk",
        "when the network comes back",
        "when nobody has used the computer for 20 minutes",
        "when the webhook doorbell is called",
        "when you learn somebody's birthday",
        "whenever a mail has been sent",
        "whenever a request fails",
        "whenever a task is added",
    ),
    "de": (
        "jeden Werktag um 8:00",
        "jeden Montag und Donnerstag um 17:30",
        "jeden Tag um 8:00 und 20:00 bis zum 30. Juni 2026",
        "alle zwei Wochen am Dienstag um 7:30",
        "am letzten Arbeitstag jedes Monats um 16:00",
        "alle 10 Minuten",
        "morgen um 9:00",
        "wenn ein neues PDF in Downloads liegt",
        "wenn eine Datei nach Documents/Done verschoben wird",
        "wenn Finance/expenses.csv geändert wird",
        "wenn eine Mail von Lena mit Anhang und mit Rechnung im Betreff kommt",
        "30 Minuten vor jedem Termin mit Vogt im Titel",
        "zwei Tage bevor eine dringende Aufgabe auf der Liste Haus fällig ist",
        "an dem Tag, an dem eine Aufgabe fällig ist, um 8:00",
        "wenn eine Aufgabe überfällig wird",
        "wenn der Akku unter 12 Prozent fällt",
        "wenn das Ladekabel eingesteckt wird",
        "wenn weniger als 8 GB auf der Platte frei sind",
        "wenn das Netz wieder da ist",
        "wenn der Rechner 20 Minuten nicht benutzt wurde",
        "wenn der Webhook doorbell aufgerufen wird",
        "wenn du einen Geburtstag erfährst",
        "wenn eine Mail verschickt wurde",
        "wenn ein Auftrag fehlschlägt",
        "wenn eine Aufgabe hinzugefügt wird",
    ),
}
LIMITS: Mapping[str, Sequence[str]] = {
    "en": (
        "but only between 7:00 and 22:00",
        "but not on Saturdays and Sundays",
        "but only while the charger is plugged in",
        "but at most twice a day",
    ),
    "de": (
        "aber nur zwischen 7:00 und 22:00 Uhr",
        "aber nicht samstags und sonntags",
        "aber nur solange das Ladekabel nicht steckt",
        "aber höchstens zweimal am Tag",
    ),
}
"""What may stand behind something that happens, before what is to be done or at the end."""
