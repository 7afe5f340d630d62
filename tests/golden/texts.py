"""What the files of the golden home say: letters, invoices, tables."""

from __future__ import annotations

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
    ("month", "product", "region", "units", "revenue"),
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
