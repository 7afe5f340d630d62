"""The two calendars of the office home as .ics files; what stands in them is told in ``office.py``."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Event:
    """One VEVENT. ``start`` and ``end`` are as RFC 5545 writes them: a day, or a time in ``zone`` (Z: of UTC)."""

    uid: str
    title: str
    start: str
    end: str
    place: str = ""
    more: tuple[str, ...] = ()
    zone: str = "Europe/Berlin"

    def lines(self) -> list[str]:
        """Return its lines."""
        place = [f"LOCATION:{self.place.replace(',', chr(92) + ',')}"] if self.place else []
        return ["BEGIN:VEVENT", f"UID:{self.uid}@office.example", "DTSTAMP:20260105T080000Z",
                self._time("DTSTART", self.start), self._time("DTEND", self.end), f"SUMMARY:{self.title}", *place,
                *self.more, "END:VEVENT"]  # fmt: skip

    def _time(self, name: str, value: str) -> str:
        if "T" not in value:
            return f"{name};VALUE=DATE:{value}"
        return f"{name}:{value}" if value.endswith("Z") else f"{name};TZID={self.zone}:{value}"


_YEARLY = ("RRULE:FREQ=YEARLY", "TRANSP:TRANSPARENT")
_STANDUPS_LEFT_OUT = ",".join(f"2026{day}T091500" for day in ("0312", "0403", "0406", "0420", "0421", "0422", "0423"))
_ANNA = "ATTENDEE;CN=Anna Schmidt:mailto:anna.schmidt@buecherei.example"
_TOM = "ATTENDEE;CN=Tom Berger:mailto:tom.berger@buecherei.example"
_LENA = "ATTENDEE;CN=Lena Vogt:mailto:l.vogt@vogt-bau.example"

WORK = (
    Event("standup", "Stand-up", "20260105T091500", "20260105T093000", "Room 2",
          ("RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", f"EXDATE;TZID=Europe/Berlin:{_STANDUPS_LEFT_OUT}")),
    Event("standup", "Stand-up", "20260318T110000", "20260318T111500", "Room 2",
          ("RECURRENCE-ID;TZID=Europe/Berlin:20260318T091500",)),
    Event("interview", "Interview with a trainee", "20260309T130000", "20260309T134500", "Room 1"),
    Event("floors", "Call with the building firm", "20260311T110000", "20260311T113000", "",
          ("DESCRIPTION:Lena Vogt\\, floors of the old post office", _LENA)),
    Event("class", "Führung Klasse 4b", "20260311T140000", "20260311T150000", "Bücherei am Markt"),
    Event("team", "Team meeting", "20260312T093000", "20260312T103000", "Meeting room", (_ANNA, _TOM)),
    Event("photos", "Photo session", "20260313T100000", "20260313T110000", "Reading room", ("STATUS:CANCELLED",)),
    Event("budget", "Budget review", "20260317T100000", "20260317T113000", "Town hall", (_ANNA,)),
    Event("shelves", "Shelf order", "20260317T110000", "20260317T120000", "Room 1",
          ("ATTENDEE;CN=Henrik Nordholz:mailto:henrik@nordholz.example",)),
    Event("webinar", "Cataloguing webinar", "20260319T100000", "20260319T110000", "online", zone="America/New_York"),
    Event("council", "Report to the council", "20260106T160000", "20260106T170000", "Town hall",
          ("RRULE:FREQ=MONTHLY;BYDAY=1TU",)),
    Event("congress", "Bibliothekstag", "20260527", "20260529", "Bremen"),
)  # fmt: skip

PERSONAL = (
    Event("oma", "Geburtstag Oma", "20200221", "20200222", "", _YEARLY),
    Event("anna", "Birthday Anna Schmidt", "20200314", "20200315", "", _YEARLY),
    Event("jonas", "Geburtstag Jonas", "20200402", "20200403", "", _YEARLY),
    Event("choir", "Chorprobe", "20250902T193000", "20250902T210000", "Gemeindehaus",
          ("RRULE:FREQ=WEEKLY;BYDAY=TU;UNTIL=20260630T220000Z",)),
    Event("yoga", "Yoga", "20260108T180000", "20260108T190000", "Kraftraum", ("RRULE:FREQ=WEEKLY;BYDAY=TH",)),
    Event("dinner", "Dinner with Jonas", "20260311T190000", "20260311T210000", "Trattoria Sole"),
    Event("lunch", "Lunch with Anna Köhler", "20260313T123000", "20260313T133000", "Café Blümchen"),
    Event("bike", "Fahrrad abholen", "20260314T110000", "20260314T113000", "Schöne Räder"),
    Event("dentist", "Zahnarzt", "20260316T083000", "20260316T091500", "Eppendorfer Weg 12, Hamburg",
          ("DESCRIPTION:Dr. Sabine Weber",)),
    Event("heating", "Heating repair", "20260323T170000", "20260323T173000", "Lindenweg 5",
          ("DESCRIPTION:Karl Brandt comes with the plumber",)),
    Event("checkup", "Check-up with Dr. Okafor", "20260325T074500", "20260325T081500", "Winterhude"),
    Event("concert", "Konzert", "20260328T190000Z", "20260328T210000Z", "Elbphilharmonie"),
    Event("friday", "Karfreitag", "20260403", "20260404", "", ("TRANSP:TRANSPARENT",)),
    Event("monday", "Ostermontag", "20260406", "20260407", "", ("TRANSP:TRANSPARENT",)),
    Event("train", "Train to Berlin", "20260420T083600", "20260420T103000", "Hamburg Hbf",
          ("DESCRIPTION:ICE 707\\, coach 9\\, seat 44",)),
    Event("berlin", "Trip to Berlin", "20260420", "20260424", "Hotel Spreeblick, Berlin"),
    Event("sea", "Urlaub an der Ostsee", "20260713", "20260718", "Ahrenshoop"),
)  # fmt: skip


def written(events: tuple[Event, ...]) -> bytes:
    """Return a calendar with these events."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//office//golden//EN", *(line for one in events
             for line in one.lines()), "END:VCALENDAR"]  # fmt: skip
    return "".join(f"{line}\r\n" for line in lines).encode()
