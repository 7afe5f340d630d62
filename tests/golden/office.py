"""The office home of the golden sets: Jana's home with her calendar, contacts, mail, tasks and timers.

"Now" is Wednesday 2026-03-11 10:00 Europe/Berlin (summer time begins on 29 March); the person is Jana Müller, who leads
the lending desk of a library in Hamburg ("Bücherei am Markt", which moves into the old post office). Everything that
``home.py`` tells holds here, too, but that Notes has a sixth note (see "Web"). The bytes and times are the same every
time. Everything besides that an expectation may rest on (times are local; * marks what an answer leaves out):

Calendar (~/Calendar: Personal.ics with 17 events, changed on 2026-03-08, and Work.ics with 12, changed on 2026-03-09).
A new event goes to Personal.ics, which has the most.
  Work.ics
    Stand-up                 Monday to Friday 09:15-09:30, Room 2, since 5 January 2026; left out on 12 March, 3 and 6
                             April and 20-23 April; on 18 March it is at 11:00-11:15
    Interview with a trainee   Mon 9 March 13:00-13:45, Room 1 (past)
    Call with the building firm   Wed 11 March 11:00-11:30; with Lena Vogt; notes: floors of the old post office
    Führung Klasse 4b        Wed 11 March 14:00-15:00, Bücherei am Markt
    Team meeting             Thu 12 March 09:30-10:30, Meeting room; with Anna Schmidt and Tom Berger
    Photo session            * Fri 13 March 10:00-11:00, CANCELLED: it is told nowhere and takes up no time
    Budget review            Tue 17 March 10:00-11:30, Town hall; with Anna Schmidt      the only two events that
    Shelf order              Tue 17 March 11:00-12:00, Room 1; with Henrik Nordholz      overlap before 10 April
    Cataloguing webinar      Thu 19 March 15:00-16:00 (written as 10:00-11:00 in America/New_York), online
    Report to the council    the first Tuesday of every month 16:00-17:00, Town hall; last 3 March, next 7 April
    Bibliothekstag           Wed 27 and Thu 28 May, whole days, Bremen
  Personal.ics
    Dinner with Jonas        Wed 11 March 19:00-21:00, Trattoria Sole
    Lunch with Anna Köhler   Fri 13 March 12:30-13:30, Café Blümchen
    Fahrrad abholen          Sat 14 March 11:00-11:30, Schöne Räder
    Zahnarzt                 Mon 16 March 08:30-09:15, Eppendorfer Weg 12, Hamburg; notes: Dr. Sabine Weber
    Heating repair           Mon 23 March 17:00-17:30, Lindenweg 5; notes: Karl Brandt comes with the plumber
    Check-up with Dr. Okafor   Wed 25 March 07:45-08:15, Winterhude
    Konzert                  Sat 28 March 20:00-22:00 (written in UTC), Elbphilharmonie
    Train to Berlin          Mon 20 April 08:36-10:30, Hamburg Hbf; notes: ICE 707, coach 9, seat 44
    Trip to Berlin           Mon 20 to Thu 23 April, whole days, Hotel Spreeblick, Berlin
    Urlaub an der Ostsee     Mon 13 to Fri 17 July, whole days, Ahrenshoop
    Chorprobe                every Tuesday 19:30-21:00, Gemeindehaus, from 2 September 2025 to 30 June 2026
    Yoga                     every Thursday 18:00-19:00, Kraftraum, since 8 January 2026
    Karfreitag Fri 3 April, Ostermontag Mon 6 April: whole days that take up no time (the only holidays)
    Geburtstag Oma (21 February), Birthday Anna Schmidt (14 March), Geburtstag Jonas (2 April): whole days, every year
  Today (11 March): Stand-up (over), Call with the building firm (the next appointment), Führung Klasse 4b, Dinner with
    Jonas. Tomorrow: Team meeting, Yoga. Friday 13: Stand-up, Lunch with Anna Köhler. Saturday 14: Birthday Anna
    Schmidt, Fahrrad abholen. Sunday 15: nothing. Monday 16: Zahnarzt, Stand-up. Tuesday 17: Stand-up, Budget review,
    Shelf order, Chorprobe. Wednesday 18: Stand-up (11:00). Thursday 19: Stand-up, Cataloguing webinar, Yoga.
    Friday 20: Stand-up. Weekend of 21 and 22 March: nothing.
  Free (within 9 to 17, half an hour or more): Wed 11: 10:00-11:00, 11:30-14:00, 15:00-17:00; Thu 12: 09:00-09:30,
    10:30-17:00; Fri 13: 09:30-12:30, 13:30-17:00; Mon 16: 09:30-17:00; Tue 17: 09:30-10:00, 12:00-17:00; Wed 18:
    09:00-11:00, 11:15-17:00; Thu 19: 09:30-15:00, 16:00-17:00; Fri 20: 09:30-17:00. So the afternoons (12 to 17) of
    12, 16, 17, 18 and 20 March are free as a whole.

Contacts (~/Contacts; 15 cards; * no e-mail address)
  contacts.vcf (11 cards, changed on 2026-01-11)
    Anna Köhler         mobile +49 170 5550114, anna.koehler@example.org, born 9 May 1988, Rosenstraße 14, 20095 Hamburg
    Jonas Müller        also Joni; mobile +49 171 5550127, home +49 421 555019, jonas@example.net, born 2 April 1991,
                        Osterdeich 40, 28203 Bremen (Jana's brother; no card says so)
    Hildegard Müller    * also Oma; home +49 4131 555031, born 21 February 1941, Am Sande 3, 21335 Lüneburg
    Karl Brandt         also Vermieter, Landlord; home +49 40 5550188, mobile +49 175 5550189, brandt@example.com
    Dr. Sabine Weber    also Zahnärztin, Dentist; Zahnarztpraxis Weber, work +49 40 5550142,
                        praxis@zahnarzt-weber.example, Eppendorfer Weg 12, 20259 Hamburg
    Dr. Amara Okafor    * also Hausärztin, Doctor; Hausarztpraxis Winterhude, work +49 40 5550153, fax +49 40 5550154
    Émile Lefèvre       mobile +33 6 55 01 23 45, emile.lefevre@example.fr, birthday 14 July (no year)
    Maria Sánchez       mobile +34 655 501 237, maria.sanchez@example.es, born 13 March 1990
    Ayşe Yıldız         mobile +49 176 5550166, ayse@example.org
    Jürgen Groß         * Schöne Räder, work +49 40 5550161
    Kraftraum           an organisation (the gym): work +49 40 5550199, info@kraftraum.example
  work.vcf (4 cards, changed on 2026-02-03)
    Anna Schmidt        Bücherei am Markt, Leiterin der Ausleihe, work +49 40 5550102, mobile +49 172 5550103,
                        anna.schmidt@buecherei.example, born 14 March 1985
    Tom Berger          Bücherei am Markt, work +49 40 5550104, tom.berger@buecherei.example
    Lena Vogt           Vogt Bau GmbH, Bauleiterin, work +49 40 5550120, mobile +49 173 5550121, l.vogt@vogt-bau.example
    Henrik Nordholz     Nordholz Regale KG, work +49 4101 555077, henrik@nordholz.example
  "Anna" alone is two people (a question), "Müller" is two, every other first name is one. Next birthdays: Maria Sánchez
  13 March (turns 36), Anna Schmidt 14 March (41), Jonas Müller 2 April (35), Anna Köhler 9 May (38), Émile Lefèvre
  14 July. Contacts are only read: there is no tool that changes them.

Mail (a Maildir in ~/.mail, which is hidden: the other skills do not see it, and ~/Mail does not exist). 20 in the
inbox, 6 of them unread (U), 3 flagged (F; no tool tells of flags); with attachments 7:
    2025-11-18  Acme Hosting Ltd       Invoice INV-2025-1187                 INV-2025-1187.pdf (total EUR 1,249.50)
    2026-01-15  Nordwind Energie GmbH  Ihre Rechnung RE-2026-0042            RE-2026-0042.pdf (1.386,40 €)
    2026-02-05  Anna Köhler            Konzert am 28. März                   two tickets, row 12
    2026-02-18  Karl Brandt            Re: Heizung im Wohnzimmer             "ich kümmere mich darum"
    2026-02-18  Hotel Spreeblick       Booking confirmation HB-77120         HB-77120.pdf
    2026-02-27  Lena Vogt              Floors of the old post office         done by 31 July, oak boards ordered
    2026-03-02  Library Weekly         Library Weekly #9                     HTML: "Ten years of e-books"
    2026-03-02  Bright Office Supplies Ltd  Invoice BO-20931             F   BO-20931.pdf (EUR 318.75, pay by 16 March)
    2026-03-03  Lena Vogt              Re: Floors of the old post office     the reading room comes first, in June
    2026-03-04  Jonas Müller           Essen am Mittwoch                     11. März, 19 Uhr, Trattoria Sole
    2026-03-05  Émile Lefèvre          Photos of Lisbon                      alfama.jpg, tram 28.jpg
    2026-03-06  Karl Brandt            Re: Heizung im Wohnzimmer         F   der Klempner kommt am 23. März um 17 Uhr
    2026-03-09  Library Weekly         Library Weekly #10                U   HTML: "Quiet rooms are back"
    2026-03-09  Tom Berger             Shelf labels                      U   labels.csv (shelf,first,last; 4 rows)
    2026-03-10  Lena Vogt              Re: Floors of the old post office U   the oak boards arrive one week late
    2026-03-10  Zahnarztpraxis Weber   Terminerinnerung                      Montag, 16. März, 8:30 Uhr
    2026-03-10  Anna Schmidt           Agenda for Thursday               F   "Shall I bring the floor plan?"
    2026-03-11  Anna Köhler            Mittagessen am Freitag            U   halb eins im Café Blümchen
    2026-03-11  Stadtwerke Hamburg     Ihre Rechnung SW-2026-118         U   SW-2026-118.pdf (112,00 €, bis 25.03.2026)
    2026-03-11  Deutsche Bahn          Your booking to Berlin            U   ICE 707, coach 9, seat 44, EUR 45.00
  Today 3 came, yesterday 3, since Monday 9 March 8. From Lena Vogt 3, from Karl Brandt 2, from an Anna 3 (Köhler 2,
  Schmidt 1). About an invoice ("Invoice") 2, about a "Rechnung" 2.
  Sent, told only within conversations: 2026-02-17 and 2026-03-05 to Karl Brandt (so "Heizung im Wohnzimmer" is a
  conversation of 4), 2026-03-02 to Lena Vogt (so "Floors of the old post office" is one of 4), 2026-03-05 to Henrik
  Nordholz (Shelf order). Junk, which is told nowhere: 2026-03-10 "You have won" from Lucky Draw, unread.
  No account is set: nothing can be sent or fetched ("failed"), so for sending expect the plan: with ``yes = false`` a
  case comes to "blocked", and its tools and arguments are judged. A draft is made as Mail/Drafts/*.eml; attachments are
  saved into Downloads where no folder is named.

Tasks (own:tasks/todo.txt): 13 open, 2 done; lists "work", "house" and "trip"
    renew the passport                      overdue since 6 March
    Herrn Brandt antworten                  overdue since 9 March                 so 2 are overdue
    call Lena Vogt                          today 15:00, high priority, work
    Blumen gießen                           today, house, every Wednesday         so 2 are due today
    buy a present for Anna                  13 March (nothing is due tomorrow)
    pay the Bright Office invoice           16 March, high priority
    write the speech                        18 March, work                        so 2 are due next week
    Steuererklärung vorbereiten             31 March, medium priority
    Miete überweisen                        1 April, on the 1st of every month
    charge the camera, reserve a table in Berlin, Reiseführer kaufen   no day, trip
    Fenster streichen                       no day, house, low priority
    done: pay the gym (10 March), book the train to Berlin (9 March)
  There is no list for shopping: the shopping list is the note "Shopping list.md" (the Desktop's todo.txt is a file).

Timers (own:timers/schedule.json), 5 on the clock
    timer "bread" of 45 minutes     rings today at 10:25 (25 minutes left)
    timer "Wäsche" of 2 hours       rings today at 11:30 (90 minutes left)
    reminder "call Oma"             Sunday 15 March at 17:00
    reminder "Tabletten nehmen"     every day at 20:00, next today
    alarm                           Monday to Friday at 06:45, next tomorrow
  The alarm of 06:45 rang today and can be put off (snooze); nothing else rang today.

What tasks and timers change is no effect in the home: name it in ``contains`` and ``lacks`` (path -> texts) with paths
that begin with "own:" ("own:tasks/todo.txt" has lines as in todo.txt: "(A) 2026-03-09 call Lena Vogt +work
due:2026-03-11 at:15:00", "x 2026-03-11 ..." for what is done, +list, rrule:; the schedule has JSON). What the calendar
changes is: ``modified = ["Calendar/Personal.ics"]``, with ``contains`` for its lines ("SUMMARY:Zahnarzt").

Web: nothing can be reached, so expect the plan, with ``yes = false`` ("blocked") for reading, finding, links, saving
and downloading. One page was saved before, as the sixth note: Notes/Sourdough for beginners.md (2026-02-15), from
https://bread.example.org/sourdough, 14 February 2026: feed the starter twice a day for a week, bake at 240 degrees for
45 minutes. It is the fourth newest note, and the only one about bread.

System: the machine is whichever one plays the cases, so expect tools and arguments, and of an answer no number. No
program is called firefox there, which "is firefox running?" answers with no ("confirmed"); there may be no battery.
Desktop: there is no display, so opening, the clipboard, notices and pictures of the screen fail when they are allowed
("failed", nothing is changed); expect the plan with ``yes = false`` ("blocked").
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from skills.schedule import FILE as SCHEDULE
from skills.schedule import Scheduled, write_schedule
from tests.golden.home import build_home
from tests.golden.making import BERLIN, date_folders, write
from tests.golden.office_calendar import PERSONAL, WORK, written
from tests.golden.office_mail import fill

PRIVATE_CARDS = """\
FN:Anna Köhler
TEL;TYPE=CELL:+49 170 5550114
EMAIL:anna.koehler@example.org
BDAY:1988-05-09
ADR;TYPE=HOME:;;Rosenstraße 14;Hamburg;;20095;

FN:Jonas Müller
NICKNAME:Joni
TEL;TYPE=CELL:+49 171 5550127
TEL;TYPE=HOME:+49 421 555019
EMAIL:jonas@example.net
BDAY:1991-04-02
ADR;TYPE=HOME:;;Osterdeich 40;Bremen;;28203;

FN:Hildegard Müller
NICKNAME:Oma
TEL;TYPE=HOME:+49 4131 555031
BDAY:1941-02-21
ADR;TYPE=HOME:;;Am Sande 3;Lüneburg;;21335;

FN:Karl Brandt
NICKNAME:Vermieter,Landlord
TITLE:Vermieter
TEL;TYPE=HOME:+49 40 5550188
TEL;TYPE=CELL:+49 175 5550189
EMAIL:brandt@example.com

FN:Dr. Sabine Weber
NICKNAME:Zahnärztin,Dentist
ORG:Zahnarztpraxis Weber
TEL;TYPE=WORK:+49 40 5550142
EMAIL:praxis@zahnarzt-weber.example
ADR;TYPE=WORK:;;Eppendorfer Weg 12;Hamburg;;20259;

FN:Dr. Amara Okafor
NICKNAME:Hausärztin,Doctor
ORG:Hausarztpraxis Winterhude
TEL;TYPE=WORK:+49 40 5550153
TEL;TYPE=FAX:+49 40 5550154

FN:Émile Lefèvre
TEL;TYPE=CELL:+33 6 55 01 23 45
EMAIL:emile.lefevre@example.fr
BDAY:--0714

FN:Maria Sánchez
TEL;TYPE=CELL:+34 655 501 237
EMAIL:maria.sanchez@example.es
BDAY:1990-03-13

FN:Ayşe Yıldız
TEL;TYPE=CELL:+49 176 5550166
EMAIL:ayse@example.org

FN:Jürgen Groß
ORG:Schöne Räder
TEL;TYPE=WORK:+49 40 5550161

FN:Kraftraum
KIND:org
TEL;TYPE=WORK:+49 40 5550199
EMAIL:info@kraftraum.example
"""

WORK_CARDS = """\
FN:Anna Schmidt
ORG:Bücherei am Markt
TITLE:Leiterin der Ausleihe
TEL;TYPE=WORK:+49 40 5550102
TEL;TYPE=CELL:+49 172 5550103
EMAIL:anna.schmidt@buecherei.example
BDAY:1985-03-14

FN:Tom Berger
ORG:Bücherei am Markt
TEL;TYPE=WORK:+49 40 5550104
EMAIL:tom.berger@buecherei.example

FN:Lena Vogt
ORG:Vogt Bau GmbH
TITLE:Bauleiterin
TEL;TYPE=WORK:+49 40 5550120
TEL;TYPE=CELL:+49 173 5550121
EMAIL:l.vogt@vogt-bau.example

FN:Henrik Nordholz
ORG:Nordholz Regale KG
TEL;TYPE=WORK:+49 4101 555077
EMAIL:henrik@nordholz.example
"""

TODO = """\
2026-03-02 renew the passport due:2026-03-06
2026-03-06 Herrn Brandt antworten due:2026-03-09
(A) 2026-03-09 call Lena Vogt +work due:2026-03-11 at:15:00
2026-03-10 Blumen gießen +house due:2026-03-11 rrule:FREQ=WEEKLY;BYDAY=WE
2026-03-08 buy a present for Anna due:2026-03-13
(A) 2026-03-03 pay the Bright Office invoice due:2026-03-16
2026-02-27 write the speech +work due:2026-03-18
(B) 2026-02-10 Steuererklärung vorbereiten due:2026-03-31
2026-01-02 Miete überweisen due:2026-04-01 rrule:FREQ=MONTHLY;BYMONTHDAY=1
2026-03-07 charge the camera +trip
2026-03-07 reserve a table in Berlin +trip
2026-03-07 Reiseführer kaufen +trip
(C) 2026-02-01 Fenster streichen +house
x 2026-03-10 2026-03-01 pay the gym
x 2026-03-09 2026-02-20 book the train to Berlin
"""

SAVED_PAGE = """\
# Sourdough for beginners

https://bread.example.org/sourdough, 14 February 2026

Feed the starter twice a day for a week.

Bake the loaf at 240 degrees for 45 minutes.
"""


def _told(
    number: int, at: datetime, en: str, de: str, repeat: str = "", language: str = "en", **about: str
) -> Scheduled:
    return Scheduled(f"t{number:012x}", at, {"en": en, "de": de}, repeat, language, about)


ON_THE_CLOCK = (
    _told(1, datetime(2026, 3, 11, 10, 25, tzinfo=BERLIN), "The timer of 45 minutes for “bread” is over.",
          "Der Timer von 45 Minuten für „bread“ ist um.", kind="timer", text="bread", length="2700"),
    _told(2, datetime(2026, 3, 11, 11, 30, tzinfo=BERLIN), "The timer of 2 hours for “Wäsche” is over.",
          "Der Timer von 2 Stunden für „Wäsche“ ist um.", language="de", kind="timer", text="Wäsche", length="7200"),
    _told(3, datetime(2026, 3, 15, 17, 0), "Reminder: call Oma.", "Erinnerung: call Oma.", kind="reminder",
          text="call Oma"),
    _told(4, datetime(2026, 3, 2, 20, 0), "Reminder: Tabletten nehmen.", "Erinnerung: Tabletten nehmen.", "FREQ=DAILY",
          "de", kind="reminder", text="Tabletten nehmen"),
    _told(5, datetime(2026, 3, 2, 6, 45), "It is 06:45. Time to get up.", "Es ist 06:45 Uhr. Zeit aufzustehen.",
          "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", kind="alarm", text=""),
)  # fmt: skip


def build_office(home: Path, kept: Path) -> None:
    """Fill ``home`` and ``kept``, which do not exist yet or are empty, with what the module's description tells.

    ``kept`` becomes the folder in which skills keep what is their own (tasks, timers).
    """
    build_home(home)
    write(home / "Calendar/Personal.ics", written(PERSONAL), "2026-03-08 21:00")
    write(home / "Calendar/Work.ics", written(WORK), "2026-03-09 17:30")
    write(home / "Contacts/contacts.vcf", _cards(PRIVATE_CARDS, "private"), "2026-01-11")
    write(home / "Contacts/work.vcf", _cards(WORK_CARDS, "work"), "2026-02-03")
    write(home / "Notes/Sourdough for beginners.md", SAVED_PAGE.encode(), "2026-02-15")
    fill(home / ".mail")
    write(kept / "tasks/todo.txt", TODO.encode(), "2026-03-10 20:00")
    write(kept / "timers" / SCHEDULE, write_schedule(ON_THE_CLOCK), "2026-03-11 09:40")
    date_folders(home)
    for folder in (kept, kept / "tasks", kept / "timers"):
        folder.chmod(0o700)


def _cards(text: str, book: str) -> bytes:
    """The cards of a file, version 3.0; the lines of each are parted by an empty one."""
    cards = [f"BEGIN:VCARD\nVERSION:3.0\nUID:{book}-{number}@office.example\n{lines.strip()}\nEND:VCARD\n"
             for number, lines in enumerate(text.split("\n\n"), 1)]  # fmt: skip
    return "".join(cards).replace("\n", "\r\n").encode()
