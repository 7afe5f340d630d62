"""A generated home folder for the golden set: realistic, and the same bytes, names and times every time.

"Now" in the tests is Wednesday 2026-03-11 10:00 Europe/Berlin; the person is Jana Müller. All times below are local
(Berlin) modification times; where an hour matters it is given. Everything that an expectation may rest on:

Home itself
  Reisen -> Documents/Travel (a symbolic link to a folder); Archive does not exist; ~/.ssh/id_ed25519 (a stand-in, not
  a key) and ~/.config/player/settings.ini are hidden.

Downloads (19 visible files directly in it, no subfolder)
  ubuntu-24.04.iso            20,971,520 bytes (20 MiB, sparse)    2026-01-14   1st of the three largest of the home
  holiday clip.mp4             9,437,184 bytes (9 MiB, sparse)     2025-08-24   2nd
  backup-2025.zip              5,242,880 bytes (5 MiB, sparse)     2026-02-01   3rd
  zoom_installer.deb           2,097,152 bytes (2 MiB, sparse)     2025-11-20   4th in Downloads
  .part-8d1.tmp                7,340,032 bytes (7 MiB, sparse)     2026-03-08   hidden, so passed over
  invoice_acme_2025-11.pdf     Acme Hosting Ltd, INV-2025-1187, 18 November 2025, due 2 December 2025, subtotal
                               EUR 1,050.00, VAT 199.50, total EUR 1,249.50; mtime 2025-11-19
  Rechnung_Nordwind_2026-01.pdf  Nordwind Energie GmbH (German), RE-2026-0042, 15.01.2026, fällig 29.01.2026, netto
                               1.165,04, MwSt 221,36, Gesamtbetrag 1.386,40 €, IBAN DE89 3704 0044 0532 0130 00;
                               mtime 2026-01-16
  invoice_brightoffice_2026-03.pdf  Bright Office Supplies Ltd, BO-20931, 2 March 2026, due 16 March 2026 (a Monday),
                               subtotal 267.86, VAT 50.89, total EUR 318.75, IBAN GB29 NWBK 6016 1331 9268 19;
                               mtime 2026-03-03: the latest invoice of the home by any reading
  washing machine manual.pdf   3 pages; mtime 2025-10-05
  boarding pass LH2034.pdf     1 page; mtime 2025-09-12: the oldest PDF in Downloads
  damaged_scan.pdf             a broken PDF; mtime 2026-02-20
  report.pdf                   2 pages, city cycling report; mtime 2025-12-03 (same name as Documents/Work/report.pdf)
                               So Downloads holds 7 PDFs.
  Bewerbung Müller.docx        a German letter of application; 2026-02-11
  lease agreement draft.docx   rent EUR 1,120 a month, deposit EUR 3,360; 2026-02-25
  meeting agenda.docx          2026-03-10 16:20: the newest file in Downloads
  recipe-lentil-soup.html      "Lentil soup", 4 servings, coconut milk, cumin; 2026-01-25
  router settings.txt          2025-12-28
  beach sunset.jpg             EXIF 2025-07-12; mtime 2025-07-30
  Käsekuchen.jpg               EXIF 2026-01-18; mtime 2026-01-19
  logo.png                     no EXIF; 2025-10-22
                               So Downloads holds 3 pictures.

Documents
  Contracts/Rental agreement.docx   author Jana Müller, rent EUR 940, notice period of three months; 2024-06-01
  Contracts/Gym membership.pdf      2 pages, fee EUR 29.90 a month, notice period of six weeks; 2025-01-10
  Taxes/2025/invoice_acme_2025-03.pdf   Acme Hosting Ltd, INV-2025-0311, 14 March 2025, subtotal 700.00, VAT 133.00,
                                    total EUR 833.00; mtime 2025-03-15: the oldest file called invoice
  Taxes/2025/donation receipt.pdf   Sea Rescue Fund, 12 December 2025, total EUR 120.00; 2025-12-15
  Taxes/2024/tax assessment 2024.pdf   1 page; 2025-06-17
  Travel/Berlin/Hotel Berlin.pdf    Hotel Spreeblick, booking HB-77120, 3 nights, total EUR 412.50; 2026-02-18
  Travel/Berlin/packing list.md     2026-02-19
  Travel/Lisbon/itinerary.docx      2025-04-02
  Travel/Lisbon/Übersicht Lissabon.md   2025-04-05
  Work/report.pdf                   1 page, author Jana Müller, support desk report; 2026-01-30
  Work/project plan.docx            title "Library move", author Jana Müller, 14 sentences; 2026-02-05
  Letters/Brief an Vermieter.docx   German, mentions Heizung; 2025-11-28
  Certificates/                     a read-only folder (0555) with Birth certificate.pdf; 2023-08-21
  The words "notice period" stand only in Rental agreement.docx and Gym membership.pdf.

Pictures (5 photos directly in it)
  IMG_2041.jpg EXIF 2025-06-14 mtime 2025-06-14; IMG_2107.jpg EXIF 2025-07-20 mtime 2025-07-21;
  IMG_2388.jpg EXIF 2025-12-24 mtime 2026-01-02 (year of capture and of change differ);
  IMG_2502.jpg EXIF 2026-02-07 mtime 2026-02-07; Oma Geburtstag.jpg EXIF 2026-02-21 mtime 2026-02-22
  Wallpapers/mountains.png 2025-05-03

Notes (newest first): Shopping list.md 2026-03-07 (oat milk, coffee, batteries), Meeting Müller.md 2026-03-04,
  Garden plan.md 2026-02-22 (the only one with tomatoes), Book ideas.md 2026-01-30 (Piranesi, Stoner),
  WiFi guest network.md 2025-11-02

Finance
  expenses.csv       12 rows, date,vendor,amount,category, ISO dates; sum 745.20, mean 62.10, largest 112.00 (twice,
                     Stadtwerke), then 89.90; groceries 272.20 (mean 54.44), travel 193.50 (64.50),
                     utilities 224.00 (112.00), leisure 55.50 (27.75). Over 50: 7 rows; over 80: 3 rows
                     (Deutsche Bahn 89.90 and Stadtwerke twice)
  umsätze.csv        semicolons, decimal comma, dd.mm.yyyy: Datum;Kunde;Betrag;Region; 6 rows; Nord 515,75 (480,50 and
                     35,25), Süd 300,00, West 184,25; sum 1.000,00
  sales.xlsx         month,product,region,units,revenue; 12 rows; units: lamp 96, desk 41, chair 127; first product
                     lamp in 2025-09, last chair in 2025-12
  orders.csv         order_id,customer_id,amount; 7 rows; customers.csv: customer_id,name,city; 4 rows; in common only
                     customer_id; amounts per city: Hamburg 205.00, Leipzig 77.50, Bremen 310.00
  subscriptions.json 3 records: name,price,renews
  broken.csv         ragged: line 4 has two fields, line 6 has six, where the header has four

Projects
  website/README.md, website/index.html, website/style.css; robot arm/README.md (the second README.md),
  robot arm/parts list.csv (part,quantity,price; 5 rows); Ideen/ is an empty folder

Desktop: todo.txt 2026-03-10 18:05, Screenshot 2026-03-09.png 2026-03-09, Neues Dokument.docx 2026-01-08,
  draft speech.md 2026-02-27 (no subfolder)
Music: Cello Suite No 1.mp3 (1.5 MiB, sparse), Morgenlied.mp3 (1 MiB, sparse), both 2024-10-10

Changed on 2026-03-10: exactly Downloads/meeting agenda.docx and Desktop/todo.txt. PDFs changed in February 2026:
exactly Downloads/damaged_scan.pdf and Documents/Travel/Berlin/Hotel Berlin.pdf. Over 4 MiB: exactly the iso, the clip
and the zip. Names that occur twice: report.pdf, README.md.
"""

import io
import json
import os
import re
import zipfile
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import numpy as np
from docx import Document
from openpyxl import Workbook
from PIL import Image
from reportlab.pdfgen.canvas import Canvas  # type: ignore[import-untyped, unused-ignore]

BERLIN = ZoneInfo("Europe/Berlin")
MIB = 1024 * 1024
TAKEN_AT = 306, 36867, 36868  # EXIF: DateTime, DateTimeOriginal, DateTimeDigitized
EXIF_IFD = 0x8769

ACME_NOVEMBER = """\
Acme Hosting Ltd
12 Harbour Street, Dublin

INVOICE
Invoice number: INV-2025-1187
Invoice date: 18 November 2025
Due date: 2 December 2025
Customer: Jana Müller

Dedicated server, 12 months              EUR 900.00
Backup space, 12 months                  EUR 150.00

Subtotal: EUR 1,050.00
VAT 19%: EUR 199.50
Total: EUR 1,249.50

IBAN: NL91 ABNA 0417 1643 00
"""

ACME_MARCH = """\
Acme Hosting Ltd
12 Harbour Street, Dublin

INVOICE
Invoice number: INV-2025-0311
Invoice date: 14 March 2025
Due date: 28 March 2025
Customer: Jana Müller

Moving the web shop                      EUR 700.00

Subtotal: EUR 700.00
VAT 19%: EUR 133.00
Total: EUR 833.00

IBAN: NL91 ABNA 0417 1643 00
"""

NORDWIND = """\
Nordwind Energie GmbH
Deichstraße 8, 20459 Hamburg

RECHNUNG
Rechnungsnummer: RE-2026-0042
Rechnungsdatum: 15.01.2026
Fällig am: 29.01.2026
Kundin: Jana Müller

Strom, 3.640 kWh                         1.092,00 €
Grundpreis                                  73,04 €

Nettobetrag: 1.165,04 €
MwSt 19%: 221,36 €
Gesamtbetrag: 1.386,40 €

IBAN: DE89 3704 0044 0532 0130 00
"""

BRIGHT_OFFICE = """\
Bright Office Supplies Ltd
4 Mill Lane, Leeds

INVOICE
Invoice number: BO-20931
Invoice date: 2 March 2026
Due date: 16 March 2026
Customer: Jana Müller

1 x Desk lamp                            EUR 67.86
1 x Office chair                         EUR 200.00

Subtotal: EUR 267.86
VAT 19%: EUR 50.89
Total: EUR 318.75

IBAN: GB29 NWBK 6016 1331 9268 19
"""

DONATION = """\
Sea Rescue Fund
Am Hafen 3, Bremen

DONATION RECEIPT
Receipt number: SRF-5519
Date: 12 December 2025
Donor: Jana Müller

Total: EUR 120.00
"""

HOTEL = """\
Hotel Spreeblick
Uferstraße 20, Berlin

BOOKING CONFIRMATION
Booking number: HB-77120
Date: 18 February 2026
Guest: Jana Müller
Arrival: 20 April 2026
Departure: 23 April 2026
Nights: 3

Total: EUR 412.50
"""

MANUAL = (
    "Washing machine manual\n\nRemove the transport bolts before the first wash.\nKeep the bolts for the next move.",
    "Programmes\n\nCotton 60 takes two hours and ten minutes.\nWool 30 spins at 800 turns.",
    "Troubles\n\nError E18 means that the pump is blocked.\nClean the filter behind the small door.",
)

CYCLING = (
    "City cycling report\n\nThe city counted four million bicycle trips in the summer.\n"
    "Two new lanes were opened beside the river.",
    "Outlook\n\nThe council plans a bridge for bicycles.\nWorks begin next spring.",
)

SUPPORT = (
    "Support desk report\n\nThe support desk answered 1,912 calls in January.\n"
    "The mean waiting time fell from nine minutes to six.\nTwo colleagues joined the team.",
)

GYM = (
    "Gym membership\n\nMember: Jana Müller\nMembership fee: EUR 29.90 a month\nStart: 10 January 2025",
    "Terms\n\nThe notice period is six weeks before the end of a year.\nA lost card costs EUR 10.",
)

PROJECT_PLAN = (
    "The town library moves into the old post office in the autumn.",
    "The move concerns eighty thousand books, two reading rooms and the music collection.",
    "The old post office needs new floors before shelves can be set up.",
    "The building firm has promised to finish the floors by the end of July.",
    "Shelves are ordered in May and delivered in August.",
    "The books are packed in the order of the shelves, so that they can be unpacked without sorting.",
    "Every box carries the number of its shelf in the new library.",
    "The library stays closed for three weeks in September while the books are moved.",
    "Readers may borrow twice as many books before the library closes.",
    "The move costs 86,000 euros, and the town council has granted 90,000 euros.",
    "The largest risk is that the floors are finished late.",
    "If the floors are late, the books stay in storage for a month.",
    "Jana Müller leads the move and reports to the council every month.",
    "The new library opens on 3 October with a party for all readers.",
)

RENTAL = (
    "This agreement is made between Karl Brandt, landlord, and Jana Müller, tenant.",
    "The flat at Lindenweg 5 has three rooms, a kitchen and a bath.",
    "The rent is EUR 940 a month and is due on the third working day.",
    "The notice period is three months to the end of a month.",
    "Pets need the consent of the landlord.",
)

LEASE_DRAFT = (
    "Draft of a lease for the flat at Gartenstraße 17.",
    "The rent would be EUR 1,120 a month.",
    "The deposit would be EUR 3,360.",
    "The flat could be taken over on 1 July 2026.",
)

APPLICATION = (
    "Sehr geehrte Frau Petersen,",
    "hiermit bewerbe ich mich um die Stelle als Leiterin der Stadtbibliothek.",
    "Seit neun Jahren arbeite ich in der Bücherei am Markt und leite dort die Ausleihe.",
    "Mit freundlichen Grüßen, Jana Müller",
)

LANDLORD = (
    "Sehr geehrter Herr Brandt,",
    "die Heizung im Wohnzimmer ist seit Montag kalt.",
    "Bitte schicken Sie bald jemanden vorbei.",
    "Mit freundlichen Grüßen, Jana Müller",
)

AGENDA = (
    "Team meeting on Thursday 12 March 2026 at 9:30.",
    "1. Floors of the old post office",
    "2. Order of the shelves",
    "3. Anything else",
)

ITINERARY = (
    "Day 1: arrival in Lisbon, walk through Alfama.",
    "Day 2: tram 28 and the castle.",
    "Day 3: train to Sintra.",
    "Day 4: flight home.",
)

SOUP = """\
<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Lentil soup</title></head>
<body><h1>Lentil soup</h1><p>For 4 servings.</p>
<ul><li>250 g red lentils</li><li>400 ml coconut milk</li><li>1 teaspoon cumin</li></ul>
<p>Simmer the lentils for twenty minutes, add the coconut milk and season with cumin.</p></body></html>
"""

EXPENSES = """\
date,vendor,amount,category
2026-01-05,Rewe,64.20,groceries
2026-01-09,Deutsche Bahn,89.90,travel
2026-01-14,Stadtwerke,112.00,utilities
2026-01-20,Edeka,38.75,groceries
2026-01-28,Kino Babylon,24.00,leisure
2026-02-03,Rewe,71.35,groceries
2026-02-08,Shell,58.60,travel
2026-02-12,Stadtwerke,112.00,utilities
2026-02-17,Thalia,31.50,leisure
2026-02-24,Edeka,42.10,groceries
2026-03-03,Rewe,55.80,groceries
2026-03-06,Deutsche Bahn,45.00,travel
"""

UMSAETZE = """\
Datum;Kunde;Betrag;Region
05.01.2026;Bäckerei Krüger;480,50;Nord
12.01.2026;Café Blümchen;95,00;Süd
23.01.2026;Buchladen Eck;184,25;West
02.02.2026;Café Blümchen;120,00;Süd
16.02.2026;Schöne Räder;35,25;Nord
27.02.2026;Café Blümchen;85,00;Süd
"""

BROKEN = """\
date,vendor,amount,category
2026-01-05,Rewe,64.20,groceries
2026-01-09,Deutsche Bahn,89.90,travel
2026-01-14,Stadtwerke
2026-01-20,Edeka,38.75,groceries
2026-01-28,Kino,Babylon,24.00,leisure,cash
"""

ORDERS = """\
order_id,customer_id,amount
9001,C1,120.00
9002,C2,77.50
9003,C3,210.00
9004,C1,35.00
9005,C4,50.00
9006,C3,60.00
9007,C3,40.00
"""

CUSTOMERS = """\
customer_id,name,city
C1,Anna Vogt,Hamburg
C2,Ben Roth,Leipzig
C3,Cem Aydin,Bremen
C4,Dora Lenz,Hamburg
"""

SALES = (
    ("2025-09", "lamp", "north", 30, 900),
    ("2025-09", "desk", "south", 12, 3000),
    ("2025-09", "chair", "north", 25, 2000),
    ("2025-10", "lamp", "south", 18, 540),
    ("2025-10", "desk", "north", 9, 2250),
    ("2025-10", "chair", "south", 33, 2640),
    ("2025-11", "lamp", "north", 22, 660),
    ("2025-11", "desk", "south", 11, 2750),
    ("2025-11", "chair", "north", 40, 3200),
    ("2025-12", "lamp", "south", 26, 780),
    ("2025-12", "desk", "north", 9, 2250),
    ("2025-12", "chair", "south", 29, 2320),
)

PARTS = "part,quantity,price\nservo,6,12.50\nbracket,12,1.80\nscrew set,1,7.95\ncontroller,1,34.00\ncable,8,2.25\n"

SUBSCRIPTIONS = [
    {"name": "Newspaper", "price": 29.9, "renews": "2026-04-01"},
    {"name": "Cloud storage", "price": 2.99, "renews": "2026-03-20"},
    {"name": "Film club", "price": 11.0, "renews": "2026-05-15"},
]

TEXTS = (
    ("Downloads/recipe-lentil-soup.html", "2026-01-25", SOUP),
    ("Downloads/router settings.txt", "2025-12-28", "Address 192.168.178.1\nNetwork name Lindenweg\nChannel 11\n"),
    ("Documents/Travel/Berlin/packing list.md", "2026-02-19", "# Packing list\n\n- umbrella\n- charger\n- passport\n"),
    (
        "Documents/Travel/Lisbon/Übersicht Lissabon.md",
        "2025-04-05",
        "# Übersicht Lissabon\n\nDrei Nächte in der Alfama, danach ein Tag in Sintra.\n",
    ),
    ("Notes/Shopping list.md", "2026-03-07", "# Shopping list\n\n- oat milk\n- coffee\n- batteries\n"),
    (
        "Notes/Meeting Müller.md",
        "2026-03-04",
        "# Meeting Müller\n\nThe council wants the figures for the move by Friday.\n",
    ),
    ("Notes/Garden plan.md", "2026-02-22", "# Garden plan\n\nSow tomatoes in March, beans in May.\n"),
    ("Notes/Book ideas.md", "2026-01-30", "# Book ideas\n\n- Piranesi\n- Stoner\n"),
    ("Notes/WiFi guest network.md", "2025-11-02", "# WiFi guest network\n\nNetwork: Lindenweg-Gast\n"),
    ("Finance/expenses.csv", "2026-03-07", EXPENSES),
    ("Finance/umsätze.csv", "2026-02-28", UMSAETZE),
    ("Finance/orders.csv", "2026-01-12", ORDERS),
    ("Finance/customers.csv", "2026-01-11", CUSTOMERS),
    ("Finance/broken.csv", "2026-01-29", BROKEN),
    ("Finance/subscriptions.json", "2026-01-03", json.dumps(SUBSCRIPTIONS, indent=2) + "\n"),
    ("Projects/website/README.md", "2025-09-01", "# Website\n\nThe pages of the reading club.\n"),
    ("Projects/website/index.html", "2025-09-02", "<!DOCTYPE html><title>Reading club</title><p>Welcome.</p>\n"),
    ("Projects/website/style.css", "2025-09-02", "body { font-family: serif; }\n"),
    ("Projects/robot arm/README.md", "2025-10-12", "# Robot arm\n\nA small arm with six servos.\n"),
    ("Projects/robot arm/parts list.csv", "2025-10-13", PARTS),
    ("Desktop/todo.txt", "2026-03-10 18:05", "call the building firm\norder labels for the boxes\npay the gym\n"),
    ("Desktop/draft speech.md", "2026-02-27", "# Draft speech\n\nDear readers, welcome to your new library.\n"),
    (".config/player/settings.ini", "2025-05-05", "[player]\nvolume = 70\n"),
    (".ssh/id_ed25519", "2024-01-01", "A stand-in for a private key; it opens nothing.\n"),
)

PDFS: tuple[tuple[str, str, str, str, tuple[str, ...]], ...] = (
    ("Downloads/invoice_acme_2025-11.pdf", "2025-11-19", "Invoice INV-2025-1187", "Acme Hosting Ltd", (ACME_NOVEMBER,)),
    ("Downloads/Rechnung_Nordwind_2026-01.pdf", "2026-01-16", "Rechnung", "Nordwind Energie GmbH", (NORDWIND,)),
    (
        "Downloads/invoice_brightoffice_2026-03.pdf",
        "2026-03-03",
        "Invoice BO-20931",
        "Bright Office Supplies Ltd",
        (BRIGHT_OFFICE,),
    ),
    ("Downloads/washing machine manual.pdf", "2025-10-05", "Washing machine manual", "Waschwerk", MANUAL),
    (
        "Downloads/boarding pass LH2034.pdf",
        "2025-09-12",
        "Boarding pass",
        "Lufthansa",
        ("Boarding pass\n\nPassenger: Jana Müller\nFlight: LH 2034\nSeat: 14C\nGate: B22",),
    ),
    ("Downloads/report.pdf", "2025-12-03", "City cycling report", "City of Hamburg", CYCLING),
    ("Documents/Contracts/Gym membership.pdf", "2025-01-10", "Gym membership", "Kraftraum", GYM),
    (
        "Documents/Taxes/2025/invoice_acme_2025-03.pdf",
        "2025-03-15",
        "Invoice INV-2025-0311",
        "Acme Hosting Ltd",
        (ACME_MARCH,),
    ),
    ("Documents/Taxes/2025/donation receipt.pdf", "2025-12-15", "Donation receipt", "Sea Rescue Fund", (DONATION,)),
    (
        "Documents/Taxes/2024/tax assessment 2024.pdf",
        "2025-06-17",
        "Tax assessment 2024",
        "Finanzamt Hamburg",
        ("Tax assessment for 2024\n\nTaxpayer: Jana Müller\nIncome tax: EUR 6,214.00\nRefund: EUR 388.20",),
    ),
    ("Documents/Travel/Berlin/Hotel Berlin.pdf", "2026-02-18", "Booking confirmation", "Hotel Spreeblick", (HOTEL,)),
    ("Documents/Work/report.pdf", "2026-01-30", "Support desk report", "Jana Müller", SUPPORT),
    (
        "Documents/Certificates/Birth certificate.pdf",
        "2023-08-21",
        "Birth certificate",
        "Standesamt Hamburg",
        ("Birth certificate\n\nName: Jana Müller\nPlace of birth: Hamburg",),
    ),
)

WORD: tuple[tuple[str, str, str, tuple[str, ...]], ...] = (
    ("Downloads/Bewerbung Müller.docx", "2026-02-11", "Bewerbung", APPLICATION),
    ("Downloads/lease agreement draft.docx", "2026-02-25", "Lease agreement draft", LEASE_DRAFT),
    ("Downloads/meeting agenda.docx", "2026-03-10 16:20", "Meeting agenda", AGENDA),
    ("Documents/Contracts/Rental agreement.docx", "2024-06-01", "Rental agreement", RENTAL),
    ("Documents/Travel/Lisbon/itinerary.docx", "2025-04-02", "Four days in Lisbon", ITINERARY),
    ("Documents/Work/project plan.docx", "2026-02-05", "Library move", PROJECT_PLAN),
    ("Documents/Letters/Brief an Vermieter.docx", "2025-11-28", "Brief an Vermieter", LANDLORD),
    ("Desktop/Neues Dokument.docx", "2026-01-08", "Neues Dokument", ("Noch leer.",)),
)

PICTURES: tuple[tuple[str, str, str | None], ...] = (
    ("Downloads/beach sunset.jpg", "2025-07-30", "2025-07-12 20:41"),
    ("Downloads/Käsekuchen.jpg", "2026-01-19", "2026-01-18 15:02"),
    ("Downloads/logo.png", "2025-10-22", None),
    ("Pictures/IMG_2041.jpg", "2025-06-14", "2025-06-14 11:15"),
    ("Pictures/IMG_2107.jpg", "2025-07-21", "2025-07-20 09:30"),
    ("Pictures/IMG_2388.jpg", "2026-01-02", "2025-12-24 18:05"),
    ("Pictures/IMG_2502.jpg", "2026-02-07", "2026-02-07 13:44"),
    ("Pictures/Oma Geburtstag.jpg", "2026-02-22", "2026-02-21 16:20"),
    ("Pictures/Wallpapers/mountains.png", "2025-05-03", None),
    ("Desktop/Screenshot 2026-03-09.png", "2026-03-09", None),
)

SPARSE: tuple[tuple[str, str, bytes, int], ...] = (
    ("Downloads/ubuntu-24.04.iso", "2026-01-14", b"\x00", 20 * MIB),
    ("Downloads/holiday clip.mp4", "2025-08-24", b"\x00\x00\x00\x18ftypmp42", 9 * MIB),
    ("Downloads/backup-2025.zip", "2026-02-01", b"PK\x03\x04", 5 * MIB),
    ("Downloads/zoom_installer.deb", "2025-11-20", b"!<arch>\n", 2 * MIB),
    ("Downloads/.part-8d1.tmp", "2026-03-08", b"\x00", 7 * MIB),
    ("Music/Cello Suite No 1.mp3", "2024-10-10", b"ID3\x03", 3 * MIB // 2),
    ("Music/Morgenlied.mp3", "2024-10-10", b"ID3\x03", MIB),
)

READ_ONLY = "Documents/Certificates"


def build_home(home: Path) -> None:
    """Fill ``home``, which is empty or does not exist, with the files of the module's description."""
    home.mkdir(parents=True, exist_ok=True)
    for name, day, text in TEXTS:
        write(home / name, text.encode(), day)
    for name, day, title, author, pages in PDFS:
        write(home / name, pdf(title, author, pages), day)
    write(home / "Downloads/damaged_scan.pdf", b"%PDF-1.4\n1 0 obj\n<< /Type /Cat" + bytes(range(256)), "2026-02-20")
    for name, day, title, paragraphs in WORD:
        write(home / name, _docx(title, paragraphs), day)
    write(home / "Finance/sales.xlsx", _xlsx(), "2026-01-07")
    for seed, (name, day, taken) in enumerate(PICTURES):
        write(home / name, picture(seed, taken, Path(name).suffix), day)
    for name, day, head, size in SPARSE:
        write(home / name, head, day, size=size)
    _folders(home)


def _folders(home: Path) -> None:
    (home / "Projects/Ideen").mkdir()
    (home / "Reisen").symlink_to("Documents/Travel", target_is_directory=True)
    (home / ".ssh").chmod(0o700)
    (home / ".ssh/id_ed25519").chmod(0o600)
    date_folders(home)
    (home / READ_ONLY).chmod(0o555)


def date_folders(home: Path) -> None:
    """Give all folders of the home one day on which they were last changed."""
    at = seconds("2026-03-01")
    for folder in [*(each for each in home.rglob("*") if each.is_dir() and not each.is_symlink()), home]:
        os.utime(folder, (at, at))


def write(path: Path, content: bytes, day: str, *, size: int | None = None) -> None:
    """Write a file that was last changed on ``day``; with ``size`` a sparse one of so many bytes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    if size is not None:
        os.truncate(path, size)
    at = seconds(day)
    os.utime(path, (at, at))


def seconds(day: str) -> float:
    """A local time, noon where no hour is given, as seconds since the epoch."""
    moment = datetime.fromisoformat(day if ":" in day else f"{day} 12:00")
    return moment.replace(tzinfo=BERLIN).timestamp()


def pdf(title: str, author: str, pages: Sequence[str]) -> bytes:
    """Return a PDF with these pages, the same bytes every time."""
    out = io.BytesIO()
    canvas = Canvas(out, invariant=1)
    canvas.setTitle(title)
    canvas.setAuthor(author)
    for page in pages:
        canvas.setFont("Helvetica", 11)
        for row, line in enumerate(page.splitlines()):
            canvas.drawString(60, 780 - 18 * row, line)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def _docx(title: str, paragraphs: Sequence[str]) -> bytes:
    document = Document()
    document.core_properties.title = title
    document.core_properties.author = "Jana Müller"
    document.add_heading(title, level=1)
    for paragraph in paragraphs:
        document.add_paragraph(paragraph)
    out = io.BytesIO()
    document.save(out)
    return _repacked(out.getvalue())


def _xlsx() -> bytes:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "Sales"
    sheet.append(["month", "product", "region", "units", "revenue"])
    for row in SALES:
        sheet.append(list(row))
    out = io.BytesIO()
    book.save(out)
    return _repacked(out.getvalue())


def _repacked(archive: bytes) -> bytes:
    """The same archive without the time at which it was packed."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            content = old.read(name)
            if name == "docProps/core.xml":
                content = re.sub(rb"\d{4}-\d\d-\d\dT[\d:]+Z", b"2026-01-07T11:00:00Z", content)
            new.writestr(zipfile.ZipInfo(name, (2026, 1, 7, 12, 0, 0)), content, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def picture(seed: int, taken: str | None, suffix: str) -> bytes:
    """A soft landscape of chance colours; ``taken`` becomes its EXIF time."""
    coarse = np.random.default_rng(seed).integers(0, 256, (4, 6, 3), dtype=np.uint8)
    picture = Image.fromarray(coarse).resize((640, 480), Image.Resampling.BICUBIC)
    out = io.BytesIO()
    if suffix == ".png":
        picture.save(out, "PNG")
        return out.getvalue()
    exif = Image.Exif()
    if taken is not None:
        written = datetime.fromisoformat(taken).strftime("%Y:%m:%d %H:%M:%S")
        exif[TAKEN_AT[0]] = written
        exif.get_ifd(EXIF_IFD).update(dict.fromkeys(TAKEN_AT[1:], written))
    picture.save(out, "JPEG", quality=80, exif=exif)
    return out.getvalue()
