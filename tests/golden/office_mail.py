"""The mails of the office home, in a Maildir; what stands in them is told in ``office.py``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage
from email.utils import format_datetime
from pathlib import Path

from tests.golden.making import BERLIN, pdf, picture, write
from tests.golden.texts import ACME_NOVEMBER, BRIGHT_OFFICE, HOTEL, NORDWIND

JANA = "Jana Müller <jana@example.org>"
ANNA_K = "Anna Köhler <anna.koehler@example.org>"
ANNA_S = "Anna Schmidt <anna.schmidt@buecherei.example>"
BRANDT = "Karl Brandt <brandt@example.com>"
LENA = "Lena Vogt <l.vogt@vogt-bau.example>"
WEEKLY = "Library Weekly <news@libraryweekly.example>"

STADTWERKE = """\
Stadtwerke Hamburg
Am Wasserturm 1, 20357 Hamburg

RECHNUNG
Rechnungsnummer: SW-2026-118
Rechnungsdatum: 10.03.2026
Fällig am: 25.03.2026
Kundin: Jana Müller

Wasser und Fernwärme, Februar               94,12 €

Nettobetrag: 94,12 €
MwSt 19%: 17,88 €
Gesamtbetrag: 112,00 €
"""

LABELS = "shelf,first,last\n1,A,Be\n2,Bf,Cz\n3,D,Fo\n4,Fp,Gz\n"


@dataclass(frozen=True, slots=True)
class Letter:
    """One mail. ``flags`` are those of its name in the Maildir (S: read, F: flagged); without S it is unread."""

    key: str
    came: str
    sender: str
    subject: str
    text: str
    flags: str = "S"
    files: Mapping[str, bytes] | None = None
    answers: tuple[str, ...] = ()
    to: str = JANA
    html: str = ""


def received() -> tuple[Letter, ...]:
    """Return the mails of the inbox, oldest first."""
    return (
        Letter("acme", "2025-11-18 09:02", "Acme Hosting Ltd <billing@acme-hosting.example>",
               "Invoice INV-2025-1187", "Dear Jana Müller,\n\nplease find our invoice attached. It is due on "
               "2 December 2025.\n", files={"INV-2025-1187.pdf": _bill("Invoice INV-2025-1187", "Acme Hosting Ltd",
                                                          ACME_NOVEMBER)}),
        Letter("nordwind", "2026-01-15 16:40", "Nordwind Energie GmbH <service@nordwind.example>",
               "Ihre Rechnung RE-2026-0042", "Guten Tag Frau Müller,\n\nanbei erhalten Sie Ihre Stromrechnung über "
               "1.386,40 €.\n", files={"RE-2026-0042.pdf": _bill("Rechnung", "Nordwind Energie GmbH", NORDWIND)}),
        Letter("concert", "2026-02-05 09:10", ANNA_K, "Konzert am 28. März",
               "Liebe Jana,\n\nich habe zwei Karten für die Elbphilharmonie bekommen, Reihe 12. Kommst du mit?\n\n"
               "Liebe Grüße, Anna\n"),
        Letter("heating2", "2026-02-18 08:30", BRANDT, "Re: Heizung im Wohnzimmer",
               "Guten Tag Frau Müller,\n\nich kümmere mich darum und melde mich mit einem Termin.\n\nKarl Brandt\n",
               answers=("heating1",)),
        Letter("hotel", "2026-02-18 20:15", "Hotel Spreeblick <reservations@spreeblick.example>",
               "Booking confirmation HB-77120", "Dear guest,\n\nwe look forward to your stay from 20 to 23 April. The "
               "confirmation is attached.\n", files={"HB-77120.pdf": _bill("Booking confirmation", "Hotel Spreeblick",
                                                                          HOTEL)}),
        Letter("floors1", "2026-02-27 14:05", LENA, "Floors of the old post office",
               "Dear Jana,\n\nthe floors will be done by 31 July. The oak boards are ordered.\n\nLena Vogt\n"),
        Letter("weekly9", "2026-03-02 07:55", WEEKLY, "Library Weekly #9", "", html=_issue(9, "Ten years of e-books")),
        Letter("bright", "2026-03-02 11:30", "Bright Office Supplies Ltd <accounts@brightoffice.example>",
               "Invoice BO-20931", "Dear customer,\n\nyour invoice over EUR 318.75 is attached. Please pay by 16 March "
               "2026.\n", "FS", {"BO-20931.pdf": _bill("Invoice BO-20931", "Bright Office Supplies Ltd",
                                                       BRIGHT_OFFICE)}),
        Letter("floors3", "2026-03-03 10:12", LENA, "Re: Floors of the old post office",
               "Dear Jana,\n\nthe reading room comes first, in June.\n\nLena Vogt\n", answers=("floors1", "floors2")),
        Letter("dinner", "2026-03-04 21:20", "Jonas Müller <jonas@example.net>", "Essen am Mittwoch",
               "Hallo Jana,\n\nam 11. März um 19 Uhr in der Trattoria Sole? Ich reserviere.\n\nJonas\n"),
        Letter("photos", "2026-03-05 12:00", "Émile Lefèvre <emile.lefevre@example.fr>", "Photos of Lisbon",
               "Hello Jana,\n\nhere are two photos of our days in Lisbon.\n\nÉmile\n",
               files={"alfama.jpg": picture(41, None, ".jpg"), "tram 28.jpg": picture(42, None, ".jpg")}),
        Letter("heating4", "2026-03-06 18:22", BRANDT, "Re: Heizung im Wohnzimmer",
               "Guten Tag Frau Müller,\n\nder Klempner kommt am Montag, 23. März, um 17 Uhr.\n\nKarl Brandt\n", "FS",
               answers=("heating1", "heating2", "heating3")),
        Letter("weekly10", "2026-03-09 07:55", WEEKLY, "Library Weekly #10", "", "",
               html=_issue(10, "Quiet rooms are back")),
        Letter("labels", "2026-03-09 09:40", "Tom Berger <tom.berger@buecherei.example>", "Shelf labels",
               "Hi Jana,\n\nthe list for the shelf labels is attached. Please check the letters.\n\nTom\n", "",
               {"labels.csv": LABELS.encode()}),
        Letter("floors4", "2026-03-10 08:15", LENA, "Re: Floors of the old post office",
               "Dear Jana,\n\nthe oak boards arrive one week late. The end of July still holds.\n\nLena Vogt\n", "",
               answers=("floors1", "floors2", "floors3")),
        Letter("dentist", "2026-03-10 13:30", "Zahnarztpraxis Weber <praxis@zahnarzt-weber.example>",
               "Terminerinnerung", "Guten Tag Frau Müller,\n\nwir erinnern an Ihren Termin am Montag, 16. März, um "
               "8:30 Uhr.\n"),
        Letter("agenda", "2026-03-10 16:25", ANNA_S, "Agenda for Thursday",
               "Hi Jana,\n\nfloors, order of the shelves, anything else. Shall I bring the floor plan?\n\nAnna\n",
               "FS"),
        Letter("lunch", "2026-03-11 07:30", ANNA_K, "Mittagessen am Freitag",
               "Liebe Jana,\n\nbleibt es bei Freitag halb eins im Café Blümchen?\n\nAnna\n", ""),
        Letter("water", "2026-03-11 08:45", "Stadtwerke Hamburg <rechnung@stadtwerke.example>",
               "Ihre Rechnung SW-2026-118", "Guten Tag,\n\nIhre Rechnung über 112,00 € liegt bei. Fällig am 25.03.2026."
               "\n", "", {"SW-2026-118.pdf": _bill("Rechnung", "Stadtwerke Hamburg", STADTWERKE)}),
        Letter("train", "2026-03-11 09:05", "Deutsche Bahn <buchung@bahn.example>", "Your booking to Berlin",
               "Dear Jana Müller,\n\nICE 707, 20 April, Hamburg Hbf 08:36, Berlin Hbf 10:30, coach 9, seat 44.\n"
               "Price: EUR 45.00\n", ""),
    )  # fmt: skip


SENT = (
    Letter("heating1", "2026-02-17 19:05", JANA, "Heizung im Wohnzimmer",
           "Guten Tag Herr Brandt,\n\ndie Heizung im Wohnzimmer ist schon wieder kalt.\n\nJana Müller\n", to=BRANDT),
    Letter("floors2", "2026-03-02 17:20", JANA, "Re: Floors of the old post office",
           "Dear Lena,\n\nwhich room comes first?\n\nJana\n", answers=("floors1",), to=LENA),
    Letter("shelves", "2026-03-05 18:40", JANA, "Shelf order",
           "Dear Henrik,\n\nwe need forty shelves. Can we meet on 17 March at 11?\n\nJana\n",
           to="Henrik Nordholz <henrik@nordholz.example>"),
    Letter("heating3", "2026-03-05 20:10", JANA, "Re: Heizung im Wohnzimmer",
           "Guten Tag Herr Brandt,\n\nhaben Sie schon einen Termin?\n\nJana Müller\n",
           answers=("heating1", "heating2"), to=BRANDT),
)  # fmt: skip

JUNK = (
    Letter("prize", "2026-03-10 03:12", "Lucky Draw <win@luckydraw.example>", "You have won",
           "Send your bank details to claim EUR 1,000,000.\n", ""),
)  # fmt: skip


def fill(maildir: Path) -> None:
    """Write all mails: the inbox, and beside it what was sent and the junk."""
    for box, letters in (("Inbox", received()), ("Sent", SENT), ("Junk", JUNK)):
        for folder in ("cur", "new", "tmp"):
            (maildir / box / folder).mkdir(parents=True)
        for letter in letters:
            deliver(maildir / box, letter)


def deliver(box: Path, letter: Letter) -> None:
    """Put a mail into a box of a Maildir."""
    name = f"{int(_at(letter).timestamp())}.{letter.key}.office"
    path = box / "cur" / f"{name}:2,{letter.flags}" if letter.flags else box / "new" / name
    write(path, _message(letter).as_bytes(), letter.came)


def _message(letter: Letter) -> EmailMessage:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = letter.sender, letter.to, letter.subject
    mail["Date"] = format_datetime(_at(letter))
    mail["Message-ID"] = _id(letter.key)
    if letter.answers:
        mail["In-Reply-To"] = _id(letter.answers[-1])
        mail["References"] = " ".join(map(_id, letter.answers))
    mail.set_content(letter.html or letter.text, subtype="html" if letter.html else "plain")
    for name, content in (letter.files or {}).items():
        kind, subtype = _KINDS[Path(name).suffix]
        mail.add_attachment(content, kind, subtype, filename=name)
    if letter.files:
        mail.set_boundary(f"=={letter.key}==")
    return mail


_KINDS = {".pdf": ("application", "pdf"), ".jpg": ("image", "jpeg"), ".csv": ("text", "csv")}


def _at(letter: Letter) -> datetime:
    return datetime.fromisoformat(letter.came).replace(tzinfo=BERLIN)


def _id(key: str) -> str:
    return f"<{key}@office.example>"


def _bill(title: str, author: str, text: str) -> bytes:
    return pdf(title, author, (text,))


def _issue(number: int, headline: str) -> str:
    """A newsletter, which comes as HTML alone."""
    return (
        f"<html><body><h1>Library Weekly #{number}</h1><p>This week: {headline}.</p>"
        '<p><a href="https://libraryweekly.example/leave">Unsubscribe</a></p></body></html>\n'
    )
