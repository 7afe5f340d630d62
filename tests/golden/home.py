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

from __future__ import annotations

import json
from pathlib import Path

from tests.golden.making import date_folders, docx, pdf, picture, write, xlsx
from tests.golden.texts import (
    ACME_MARCH,
    ACME_NOVEMBER,
    AGENDA,
    APPLICATION,
    BRIGHT_OFFICE,
    BROKEN,
    CUSTOMERS,
    CYCLING,
    DONATION,
    EXPENSES,
    GYM,
    HOTEL,
    ITINERARY,
    LANDLORD,
    LEASE_DRAFT,
    MANUAL,
    NORDWIND,
    ORDERS,
    PARTS,
    PROJECT_PLAN,
    RENTAL,
    SALES,
    SOUP,
    SUBSCRIPTIONS,
    SUPPORT,
    UMSAETZE,
)

MIB = 1024 * 1024

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
        write(home / name, docx(title, paragraphs), day)
    write(home / "Finance/sales.xlsx", xlsx("Sales", SALES), "2026-01-07")
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
