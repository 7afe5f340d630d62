"""Requests of several steps: what an earlier step came to is a number, a name, a place or an original later on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kernel.model import Plan

if TYPE_CHECKING:
    from conftest import Desk

TOTAL = "documents.value(file=~/Cellar/letter.docx, name=total)"
ARITHMETIC = [
    ("read the total of letter.docx and divide that by three",
     f"{TOTAL}; calc.compute(expression=x / 3, x=<t1.amount>)"),
    (
        "count the words in letter.docx and multiply that by 0.12",
        "documents.pages(file=~/Cellar/letter.docx); calc.compute(expression=x * 0.12, x=<t1.words>)",
    ),
    (
        "count the pages of letter.docx and divide that by two",
        "documents.pages(file=~/Cellar/letter.docx); calc.compute(expression=x / 2, x=<t1.pages>)",
    ),
    (
        "read the total of letter.docx and take 10 percent off it",
        f"{TOTAL}; calc.compute(expression=x * (1 - 10 / 100), x=<t1.amount>)",
    ),
    (
        "add up the price in wine.csv and divide the result by 12",
        "data.total(column=price, table=~/Cellar/wine.csv); calc.compute(expression=x / 12, x=<t1.value>)",
    ),
    ("how much is 48 times 12 and then add 50 to it",
     "calc.compute(expression=48 * 12); calc.compute(expression=x + 50, x=<t1.value>)"),
    (
        "lies den Gesamtbetrag aus letter.docx, berechne davon zehn Prozent und schreib das Ergebnis in eine neue "
        "Notiz namens Rabatt",
        "documents.value(file=~/Cellar/letter.docx, name=Gesamtbetrag); "
        "calc.compute(expression=10 % of x, x=<t1.amount>); notes.create(text=<t2>, title=Rabatt)",
    ),
    ("Berechne 48 mal 12 und zieh davon 50 ab",
     "calc.compute(expression=48 * 12); calc.compute(expression=x - 50, x=<t1.value>)"),
    ("summiere price in wine.csv und teile das Ergebnis durch 4",
     "data.total(column=price, table=~/Cellar/wine.csv); calc.compute(expression=x / 4, x=<t1.value>)"),
]  # fmt: skip
SECOND_REQUESTS = [
    (
        "join wine.csv with survey.csv, total up the price per grape and save it as grapes.csv",
        "data.join(left=~/Cellar/wine.csv, right=~/Attic/survey.csv); "
        "data.group(by=grape, column=price, measure=sum, table=<t1>); data.save(file=~/Attic/grapes.csv, table=<t2>)",
    ),
    (
        "get the total of letter.docx add it to wine.csv",
        f"{TOTAL}; data.append(file=~/Cellar/wine.csv, row=<t1>)",
    ),
    (
        "Kopieren Sie bitte letter.docx nach Garage, und werfen Sie danach roof.png in den Papierkorb",
        "files.copy(files=['~/Cellar/letter.docx'], to=~/Garage); files.delete(files=['~/Attic/roof.png'])",
    ),
    (
        "aus wine.csv nur die Zeilen mit Riesling, und das dann als riesling.csv abspeichern",
        "data.pick(only=Riesling, table=~/Cellar/wine.csv); data.save(file=~/Cellar/riesling.csv, table=<t1>)",
    ),
    (
        "two things: copy letter.docx to Garage and delete roof.png",
        "files.copy(files=['~/Cellar/letter.docx'], to=~/Garage); files.delete(files=['~/Attic/roof.png'])",
    ),
]
MEANT = [
    (
        "Erstelle einen Ordner Steuern in Garage und verschiebe letter.docx dorthin",
        "files.make_folder(folder=~/Garage, name=Steuern); files.move(files=['~/Cellar/letter.docx'], to=<t1>)",
    ),
    ("copy letter.docx to Garage and delete the original",
     "files.copy(files=['~/Cellar/letter.docx'], to=~/Garage); files.delete(files=~/Cellar/letter.docx)"),
    ("move the folder Norway to Garage and rename it to Fjords",
     "files.move_folder(folders=['~/Trips/Norway'], to=~/Garage); files.rename_folder(folder=<t1[0]>, name=Fjords)"),
    ("konvertiere wine.csv nach xlsx und verschieb die Datei danach in die Garage",
     "data.convert(format=xlsx, table=~/Cellar/wine.csv); files.move(files=<t1>, to=~/Garage)"),
    ("add sunflower seeds to the note Bird feeder and read me the whole note",
     "notes.add(text=sunflower seeds, title=Bird feeder); notes.read(title=<t1.title>)"),
    ("lies mir die Notiz Bird feeder vor und füg dann Nüsse im Juni hinzu",
     "notes.read(title=Bird feeder); notes.add(text=Nüsse im Juni, title=Bird feeder)"),
    ("count the rows of wine.csv and write the number into a new note Wine",
     "data.total(measure=count, table=~/Cellar/wine.csv); notes.create(text=<t1>, title=Wine)"),
]  # fmt: skip
NAMED = [
    ("what is the total of letter.docx and wine.csv?", "documents.value(file=~/Cellar/letter.docx, name=total); "
     "documents.value(file=~/Cellar/wine.csv, name=total)"),
    ("convert wine.csv and survey.csv to json", "data.convert(format=json, table=~/Cellar/wine.csv); "
     "data.convert(format=json, table=~/Attic/survey.csv)"),
    ("delete letter.docx, and roof.png too",
     "files.delete(files=['~/Cellar/letter.docx', '~/Attic/roof.png'])"),
    ("letter.docx can go, and roof.png too",
     "files.delete(files=['~/Cellar/letter.docx']); files.delete(files=['~/Attic/roof.png'])"),
]  # fmt: skip


GOING_ON = [
    ("get the total of letter.docx divide it by 3 for the three nights and put what comes out in a note called Garage "
     "per night",
     f"{TOTAL}; calc.compute(expression=x / 3, x=<t1.amount>); notes.create(text=<t2>, title=Garage per night)"),
    ("take the total of letter.docx, times it by 1.1 and stick that in a note called VAT for March",
     f"{TOTAL}; calc.compute(expression=x * 1.1, x=<t1.amount>); notes.create(text=<t2>, title=VAT for March)"),
    ("what is the total of letter.docx and what would that be with 3 percent more",
     f"{TOTAL}; calc.compute(expression=x * (1 + 3 / 100), x=<t1.amount>)"),
    ("Rechne 90 minus 15 Prozent und dann noch 5 Euro Versand drauf",
     "calc.compute(expression=90 - 15 %); calc.compute(expression=x + 5, x=<t1.value>)"),
    ("Addier 64,20 und 71,35 und schlag auf die Summe 19 Prozent Mehrwertsteuer drauf",
     "calc.compute(expression=64.2 + 71.35); calc.tax(amount=<t1.value>, rate=19)"),
    ("Lies das Fälligkeitsdatum aus letter.docx, zähl 14 Tage dazu und sag mir, welcher Wochentag das ist",
     "documents.value(file=~/Cellar/letter.docx, name=Fälligkeitsdatum); "
     "calc.shift(amount={'value': '14', 'unit': 'day'}, date=<t1.date>); calc.weekday(date=<t2.date>)"),
    ("look up the due date in letter.docx and tell me how many days from today that is",
     "documents.value(file=~/Cellar/letter.docx, name=due date); "
     "calc.between(end=<t1.date>, start=2025-03-12, unit=days)"),
    ("sort wine.csv by price, highest first, and save the top 3 rows as best.csv",
     "data.sort(column=price, order=descending, table=~/Cellar/wine.csv); data.show(count=3, end=first, table=<t1>); "
     "data.save(file=~/Cellar/best.csv, table=<t2>)"),
    ("filter wine.csv by Riesling, sort by price, save as riesling.csv in Garage",
     "data.pick(only=Riesling, table=~/Cellar/wine.csv); data.sort(column=price, table=<t1>); "
     "data.save(file=~/Garage/riesling.csv, table=<t2>)"),
]  # fmt: skip
MADE = [
    ("Make a folder called Old papers in Garage, move letter.docx and the roof into it, and then list what is in there",
     "files.make_folder(folder=~/Garage, name=Old papers); "
     "files.move(files=['~/Cellar/letter.docx', '~/Attic/roof.png'], to=<t1>); files.contents(folder=<t1>)"),
    ("mach nen Ordner Urlaub in Garage, schieb letter.docx und roof.png da rein und zeig mir dann, was drin ist",
     "files.make_folder(folder=~/Garage, name=Urlaub); "
     "files.move(files=['~/Cellar/letter.docx', '~/Attic/roof.png'], to=<t1>); files.contents(folder=<t1>)"),
    ("find all pngs in Attic and copy em to Garage",
     "files.find(folder=~/Attic, kind=png); files.copy(files=<t1>, to=~/Garage)"),
    ("Such alle Fotos und kopier die nach Garage", "files.find(kind=image); files.copy(files=<t1>, to=~/Garage)"),
    ("delete roof.png and then tell me how much space Attic takes",
     "files.delete(files=['~/Attic/roof.png']); files.usage(folder=~/Attic)"),
    ("write a note called Ideas saying buy wood and read the note to me",
     "notes.create(text=buy wood, title=Ideas); notes.read(title=<t1.title>)"),
]  # fmt: skip


@pytest.mark.parametrize(("sentence", "expected"), [*ARITHMETIC, *SECOND_REQUESTS, *MEANT, *NAMED, *GOING_ON, *MADE])
def test_every_step_is_done_and_takes_what_is_meant(desk: Desk, sentence: str, expected: str) -> None:
    assert desk.shape(desk.say(sentence)) == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "divide that by three",  # nothing came before
        "list the files in Attic and divide them by three",
        "rename letter.docx and roof.png to brand",  # both cannot be called so
        "delete the folder Garage and its subfolders",
        "copy letter.docx to Garage, and the weather too",
    ],
)
def test_what_names_no_number_and_no_thing_is_not_acted_on(desk: Desk, sentence: str) -> None:
    proposal = desk.say(sentence)
    assert not isinstance(proposal, Plan) or not proposal.tasks
