"""Three made-up people: where they live and work, when they are away, whom they know, and what lies in their folders.

Nobody here exists; every address ends in ``.example``. Days are those of 2027, and a person's clock is that of where
they are: on a journey their requests carry the other zone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from zoneinfo import ZoneInfo

YEAR = 2027
FIRST, LAST = date(YEAR, 1, 1), date(YEAR, 12, 31)

PUBLIC = frozenset(
    date(YEAR, month, day)
    for month, day in ((1, 1), (3, 26), (3, 29), (5, 1), (5, 6), (5, 17), (10, 3), (12, 25), (12, 26))
)
"""Days on which nobody works (Germany)."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Days from ``first`` to ``last``, both with it; of a journey the ``zone`` that its clocks show."""

    first: date
    last: date
    zone: str = ""

    def __contains__(self, day: date) -> bool:
        return self.first <= day <= self.last


def stretch(first: tuple[int, int], last: tuple[int, int], zone: str = "") -> Stretch:
    """Return the days from one (month, day) to another."""
    return Stretch(date(YEAR, *first), date(YEAR, *last), zone)


def _weekends(*saturdays: tuple[int, int]) -> tuple[Stretch, ...]:
    """Return the weekends that begin on these (month, day)."""
    begins = [date(YEAR, *one) for one in saturdays]
    return tuple(Stretch(one, one + timedelta(1)) for one in begins)


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who asks. ``german`` is how many of their requests are in German, ``hours`` when they mostly ask.

    ``weekday`` and ``weekend`` are how many requests a day has at the middle; on ``offline`` days the computer stays
    off. ``pools`` are what loose requests are about, by name (see ``loose``).
    """

    id: str
    home: str
    zone: str
    german: float
    hours: tuple[int, int]
    weekday: float
    weekend: float
    holidays: tuple[Stretch, ...]
    ill: tuple[Stretch, ...]
    travel: tuple[Stretch, ...]
    offline: tuple[Stretch, ...]
    contacts: Mapping[str, str]
    pools: Mapping[str, tuple[str, ...]]

    def zone_on(self, day: date) -> ZoneInfo:
        """Return the zone that their clock shows on ``day``."""
        return ZoneInfo(next((one.zone for one in self.travel if day in one), self.zone))

    def is_ill(self, day: date) -> bool:
        """Tell whether they lie in bed."""
        return any(day in one for one in self.ill)

    def is_away(self, day: date) -> bool:
        """Tell whether they are on a journey."""
        return any(day in one for one in self.travel)

    def is_offline(self, day: date) -> bool:
        """Tell whether the computer stays off: nothing at all is asked."""
        return any(day in one for one in self.offline)

    def is_off(self, day: date) -> bool:
        """Tell whether they have a holiday."""
        return day in PUBLIC or any(day in one for one in self.holidays)

    def works(self, day: date) -> bool:
        """Tell whether it is an ordinary working day of theirs."""
        return day.weekday() < 5 and not self.is_off(day) and not self.is_ill(day)

    def at(self, path: str) -> str:
        """Return ``~/a`` as a path in their home; anything else as it is."""
        return self.home + path[1:] if path.startswith("~") else path


def days(first: date = FIRST, last: date = LAST) -> tuple[date, ...]:
    """Return the days from ``first`` to ``last``."""
    return tuple(first + timedelta(n) for n in range((last - first).days + 1))


_WORDS = ("Vertrag", "Angebot", "Garantie", "Versicherung", "Fahrplan", "Rezept", "Protokoll", "Kündigung", "Zeugnis",
          "Mietspiegel", "Steuerbescheid", "Anleitung", "Kaution", "Umzug", "Heizung", "Impfung")  # fmt: skip

JANA = Person(
    "jana", "/home/jana", "Europe/Berlin", 0.8, (8, 19), 28.5, 4.5,
    holidays=(stretch((1, 1), (1, 3)), stretch((7, 19), (8, 6)), stretch((12, 23), (12, 31))),
    ill=(stretch((2, 15), (2, 17)), stretch((11, 8), (11, 10))),
    travel=(stretch((5, 10), (5, 21), "Europe/Lisbon"),),
    offline=_weekends((1, 16), (2, 6), (3, 13), (4, 17), (5, 29), (6, 12), (6, 26), (7, 24), (8, 14), (9, 11),
                      (10, 9), (11, 20)),
    contacts={"Herr Brandt": "brandt@kanzlei-brandt.example", "Lena Fischer": "lena@fischer-druck.example",
              "Tom Weber": "tom.weber@weber-bau.example", "Studio Nord": "hallo@studio-nord.example",
              "Olga Lind": "olga@lind-verlag.example", "Karim": "karim@werkraum.example"},
    pools={
        "folder": ("~/Projekte/website", "~/Projekte/katalog", "~/Projekte/messe", "~/Downloads", "~/Vorlagen",
                   "~/Rechnungen/Ausgang", "~/Scans", "~/Schriften", "~/Bilder/Referenzen"),
        "file": ("~/Projekte/katalog/entwurf.pdf", "~/Projekte/messe/briefing.docx", "~/Downloads/preisliste.pdf",
                 "~/Vorlagen/angebot.odt", "~/Scans/scan0007.pdf", "~/Projekte/website/texte.docx",
                 "~/Rechnungen/Ausgang/2027-014.pdf", "~/Downloads/handbuch.pdf"),
        "table": ("~/Zeiten/2026.csv", "~/Projekte/messe/gaeste.csv", "~/Projekte/katalog/auflagen.csv",
                  "~/Buchhaltung/kunden.csv", "~/Buchhaltung/umsatz.xlsx"),
        "url": ("https://druckpreise.example/liste", "https://schriften.example/neu", "https://bahn.example/plan",
                "https://farben.example/trend", "https://messe.example/halle4"),
        "word": _WORDS, "column": ("Betrag", "Kunde", "Datum", "Menge"),
        "title": ("Kunde Nord", "Ideen", "Messe", "Katalog", "Farben", "Einkauf"),
    },
)  # fmt: skip

MO = Person(
    "mo", "/home/mo", "Europe/Berlin", 0.15, (9, 23), 25.0, 11.0,
    holidays=(stretch((1, 1), (1, 6)), stretch((8, 2), (8, 20)), stretch((12, 24), (12, 31))),
    ill=(stretch((4, 22), (4, 24)), stretch((10, 27), (10, 28))),
    travel=(stretch((9, 6), (9, 24), "America/New_York"),),
    offline=_weekends((2, 20), (4, 3), (5, 15), (6, 19), (8, 7), (10, 16)),
    contacts={"Nadia": "nadia@uni.example", "Prof. Adler": "adler@uni.example", "Felix": "felix@wg.example",
              "Landlord": "landlord@rooms.example", "Ines": "ines@uni.example", "Mum": "mum@family.example"},
    pools={
        "folder": ("~/Uni/Analysis", "~/Uni/Physics", "~/Downloads", "~/Uni/Papers", "~/Pictures", "~/Code/sim",
                   "~/Music", "~/Uni/Lab"),
        "file": ("~/Uni/Analysis/script.pdf", "~/Uni/Physics/sheet3.pdf", "~/Downloads/ticket.pdf",
                 "~/Uni/Papers/noether.pdf", "~/Documents/cv.docx", "~/Documents/lease.pdf", "~/Downloads/map.png"),
        "table": ("~/Uni/Lab/notes.csv", "~/Uni/Physics/grades.csv", "~/Code/sim/out.csv", "~/flat.csv"),
        "url": ("https://uni.example/news", "https://library.example/hours", "https://bikes.example/used",
                "https://recipes.example/curry", "https://trains.example/times"),
        "word": ("lease", "exam", "syllabus", "warranty", "integral", "recipe", "visa", "insurance", "thesis", "bike",
                 "deadline", "library", "scholarship", "lab report"),
        "column": ("amount", "group", "date", "score"),
        "title": ("Ideas", "Exam", "Films", "Groceries", "Thesis", "Trip"),
    },
)  # fmt: skip

PETRA = Person(
    "petra", "/home/petra", "Europe/Berlin", 0.95, (7, 22), 26.5, 9.5,
    holidays=(stretch((1, 1), (1, 4)), stretch((4, 5), (4, 9)), stretch((8, 9), (8, 27)), stretch((12, 24), (12, 31))),
    ill=(stretch((3, 2), (3, 5)),),
    travel=(stretch((8, 9), (8, 20), "Europe/Athens"),),
    offline=_weekends((2, 13), (5, 22), (7, 10), (9, 25), (10, 23)),
    contacts={"Oma": "oma@familie.example", "Frau Kern": "kern@grundschule.example", "Jan": "jan@familie.example",
              "Dr. Stein": "praxis@stein.example", "Trainer Uwe": "uwe@sv-nord.example", "Ida": "ida@familie.example"},
    pools={
        "folder": ("~/Bilder/Kamera", "~/Dokumente/Belege", "~/Dokumente/Schule", "~/Downloads", "~/Dokumente/Haus",
                   "~/Bilder/Urlaub", "~/Musik", "~/Dokumente/Verein"),
        "file": ("~/Dokumente/Schule/elternbrief.pdf", "~/Downloads/packliste.pdf", "~/Dokumente/Haus/strom.pdf",
                 "~/Dokumente/Verein/satzung.pdf", "~/Downloads/rezept.pdf", "~/Dokumente/Haus/gas.pdf"),
        "table": ("~/Bank/2026-12.csv", "~/Dokumente/Verein/kasse.csv", "~/Dokumente/Haus/zaehler.csv"),
        "url": ("https://wetter.example/morgen", "https://rezepte.example/auflauf", "https://kino.example/familie",
                "https://baeder.example/zeiten", "https://stadt.example/muell"),
        "word": (*_WORDS, "Turnbeutel", "Klassenfahrt"), "column": ("Betrag", "Kategorie", "Datum"),
        "title": ("Garten", "Urlaub", "Geschenke", "Schule", "Packliste", "Haushalt"),
    },
)  # fmt: skip

PEOPLE: Mapping[str, Person] = {one.id: one for one in (JANA, MO, PETRA)}
