"""Sentences in many phrasings over the built-in skills' manifests, and the plans they mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kernel.model import (
    Plan,
)
from kernel.plan import validate
from tests.kernel.homes import furnish
from tests.kernel.planner import Planner

if TYPE_CHECKING:
    from kernel.context.mind import Mind

SENTENCES = [
    (
        "find the three largest files in ~/Downloads and save their names as a note called big files",
        "files.largest(count=3, folder=~/Downloads, order=largest); notes.create(text=<t1.name>, title=big files)",
    ),
    (
        "find the latest invoice, read its total and add it to expenses.csv",
        "files.find(count=1, name=invoice, order=newest); "
        "documents.value(file=<t1[0]>, name=total); "
        "data.append(file=~/Finance/expenses.csv, row=<t2>)",
    ),
    (
        "how many pages has a.pdf and what is 17% of 230",
        "documents.pages(file=~/Downloads/a.pdf); calc.compute(expression=17 % of 230)",
    ),
    ("move a.pdf and b.pdf to Archive", "files.move(files=['~/Downloads/a.pdf', '~/Downloads/b.pdf'], to=~/Archive)"),
    ("what is 17% of 230?", "calc.compute(expression=17 % of 230)"),
    ("convert 5.5 miles to kilometers", "calc.convert(quantity={'value': '5.5', 'unit': 'miles'}, unit=kilometers)"),
    (
        "delete the three largest files in Downloads",
        "files.largest(count=3, folder=~/Downloads, order=largest); files.delete(files=<t1>)",
    ),
    ("summarize report.pdf", "documents.summary(file=~/Documents/report.pdf)"),
    (
        "move all pdfs from Downloads to Documents",
        "files.find(folder=~/Downloads, kind=pdf); files.move(files=<t1>, to=~/Documents)",
    ),
    (
        "summarize the newest pdf in Downloads",
        "files.find(count=1, folder=~/Downloads, kind=pdf, order=newest); documents.summary(file=<t1[0]>)",
    ),
    ("list my notes", "notes.contents()"),
    ("rename my shopping note to groceries", "notes.rename(name=groceries, title=shopping)"),
    ("benenne meine Notiz Einkauf in Besorgungen um", "notes.rename(name=Besorgungen, title=Einkauf)"),
    ("show the note plumber", "notes.read(title=plumber)"),
    ("search for deductible in Documents", "documents.search(folder=~/Documents, words=deductible)"),
    ("look for the deposit in ~/Documents", "documents.search(folder=~/Documents, words=deposit)"),
    ("suche nach Kaution in Documents", "documents.search(folder=~/Documents, words=Kaution)"),
    ("find the file called deposit in Documents", "files.find(folder=~/Documents, name=deposit)"),
    ("finde die Datei Kaution in Documents", "files.find(folder=~/Documents, name=Kaution)"),
    ("search for pdfs in Documents", "files.find(folder=~/Documents, kind=pdf)"),
    ("suche nach PDFs in Documents", "files.find(folder=~/Documents, kind=pdf)"),
    (
        "find plan in Documents and copy it to Archive",
        "files.find(folder=~/Documents, name=plan); files.copy(files=<t1>, to=~/Archive)",
    ),
    ("what's in Documents?", "files.contents(folder=~/Documents)"),
    (
        "make a note called shopping saying milk, eggs and bread",
        "notes.create(text=milk, eggs and bread, title=shopping)",
    ),
    (
        "lege bitte eine Notiz mit dem Titel Enkel an: Lukas kommt um acht",
        "notes.create(text=Lukas kommt um acht, title=Enkel)",
    ),
    ("mach eine Notiz namens Licht an mit dem Text brennt noch", "notes.create(text=brennt noch, title=Licht an)"),
    ("make a note saying milk and eggs called shopping thank you", "notes.create(text=milk and eggs, title=shopping)"),
    ("what is the average price in sales.csv?", "data.total(column=price, measure=mean, table=~/Work/sales.csv)"),
    (
        "sort sales.csv by amount and save that as top.csv",
        "data.sort(column=amount, table=~/Work/sales.csv); data.save(file=~/Work/top.csv, table=<t1>)",
    ),
    ("group sales.csv by region", "data.group(by=region, table=~/Work/sales.csv)"),
    ("how many days until 24 December?", "calc.between(end=2025-12-24, unit=days)"),
    ("show me all photos from 2023", "files.find(kind=image, modified={'start': '2023-01-01', 'end': '2024-01-01'})"),
    ("find my tax documents", "files.find(kind=document, name=tax)"),
    (
        "which pdfs in Downloads are larger than 10 MB?",
        "files.find(folder=~/Downloads, kind=pdf, size={'min': 10000001, 'max': None})",
    ),
    ("show me the five biggest files on this computer", "files.largest(count=5, order=largest)"),
    ("what are the newest photos in Pictures?", "files.find(folder=~/Pictures, kind=image, order=newest)"),
    ("could you please copy report.pdf to Archive?", "files.copy(files=['~/Documents/report.pdf'], to=~/Archive)"),
    (
        "put photo1.jpg and photo2.jpg into Pictures/Holiday",
        "files.move(files=['~/Pictures/photo1.jpg', '~/Pictures/photo2.jpg'], to=~/Pictures/Holiday)",
    ),
    ("get rid of setup.exe", "files.delete(files=['~/Downloads/setup.exe'])"),
    ("throw old.zip away", "files.delete(files=['~/Downloads/old.zip'])"),
    ("tidy up my Downloads folder", "files.organize(folder=~/Downloads)"),
    ("organize Pictures by month", "files.organize(by=month, folder=~/Pictures)"),
    ("how much space does Downloads take?", "files.usage(folder=~/Downloads)"),
    ("how many files are in Documents?", "files.usage(folder=~/Documents)"),
    ("create a folder called Receipts in Documents", "files.make_folder(folder=~/Documents, name=Receipts)"),
    ("make a new folder Receipts", "files.make_folder(name=Receipts)"),
    ("list the files in Finance", "files.contents(folder=~/Finance)"),
    ("rename setup.exe to installer", "files.rename(file=~/Downloads/setup.exe, name=installer)"),
    (
        "find the oldest pdf in Documents and move it to Archive",
        "files.find(count=1, folder=~/Documents, kind=pdf, order=oldest); files.move(files=<t1>, to=~/Archive)",
    ),
    ("find all invoices and copy them to Finance", "files.find(name=invoices); files.copy(files=<t1>, to=~/Finance)"),
    (
        "show the two smallest files in Music and delete them",
        "files.largest(count=2, folder=~/Music, order=smallest); files.delete(files=<t1>)",
    ),
    ("delete all pdfs in Downloads", "files.find(folder=~/Downloads, kind=pdf); files.delete(files=<t1>)"),
    (
        "move the newest photo to Desktop",
        "files.find(count=1, kind=image, order=newest); files.move(files=<t1>, to=~/Desktop)",
    ),
    ("files changed last week", "files.find(modified={'start': '2025-03-03', 'end': '2025-03-10'})"),
    ("what did I change yesterday?", "files.find(modified={'start': '2025-03-11', 'end': '2025-03-12'})"),
    ("which file in Music is the largest?", "files.largest(count=1, folder=~/Music, order=largest)"),
    ("read report.pdf", "documents.text(file=~/Documents/report.pdf)"),
    ("what is thesis.pdf about?", "documents.summary(file=~/Documents/thesis.pdf)"),
    ("give me a three sentence summary of thesis.pdf", "documents.summary(file=~/Documents/thesis.pdf, sentences=3)"),
    ("how many words does meeting.md have?", "documents.pages(file=~/Documents/meeting.md)"),
    ("search my documents for solar panels", "documents.search(words=solar panels)"),
    ("which documents mention the garden project?", "documents.search(words=garden project)"),
    ("who wrote thesis.pdf?", "documents.facts(file=~/Documents/thesis.pdf, what=author)"),
    ("when is phone bill.pdf due?", "documents.value(file=~/Invoices/phone bill.pdf, name=due)"),
    ("what does contract.docx say?", "documents.text(file=~/Documents/contract.docx)"),
    (
        "summarize lecture.md and save it as a note called lecture summary",
        "documents.summary(file=~/Documents/lecture.md); notes.create(text=<t1>, title=lecture summary)",
    ),
    (
        "read the invoice number from invoice_2024-03.pdf",
        "documents.value(file=~/Invoices/invoice_2024-03.pdf, name=invoice number)",
    ),
    (
        "find the newest pdf in Downloads, summarize it and save the summary as a note called digest",
        "files.find(count=1, folder=~/Downloads, kind=pdf, order=newest); "
        "documents.summary(file=<t1[0]>); "
        "notes.create(text=<t2>, title=digest)",
    ),
    ("describe sales.csv", "data.describe(table=~/Work/sales.csv)"),
    ("what columns does orders.csv have?", "data.describe(table=~/Work/orders.csv)"),
    ("show the first 5 rows of sales.csv", "data.show(count=5, end=first, table=~/Work/sales.csv)"),
    (
        "rows of sales.csv where amount is greater than 100",
        "data.filter(condition={'column': 'amount', 'op': '>', 'value': '100'}, table=~/Work/sales.csv)",
    ),
    (
        "total amount per category in expenses.csv",
        "data.group(by=category, column=amount, measure=sum, table=~/Finance/expenses.csv)",
    ),
    (
        "what is the sum of amount in expenses.csv?",
        "data.total(column=amount, measure=sum, table=~/Finance/expenses.csv)",
    ),
    (
        "plot revenue by month from sales.csv as a bar chart",
        "data.plot(kind=bar, table=~/Work/sales.csv, x=month, y=revenue)",
    ),
    ("convert budget.xlsx to csv", "data.convert(format=csv, table=~/Finance/budget.xlsx)"),
    (
        "join orders.csv and customers.csv on customer_id",
        "data.join(left=~/Work/orders.csv, on=customer_id, right=~/Work/customers.csv)",
    ),
    ("sort orders.csv by date descending", "data.sort(column=date, order=descending, table=~/Work/orders.csv)"),
    (
        "filter sales.csv where region is north and save it as north.csv",
        "data.filter(condition={'column': 'region', 'op': '=', 'value': 'north'}, table=~/Work/sales.csv); "
        "data.save(file=~/Work/north.csv, table=<t1>)",
    ),
    ("what's the highest price in sales.csv?", "data.total(column=price, measure=max, table=~/Work/sales.csv)"),
    ("how many rows are in customers.csv?", "data.total(measure=count, table=~/Work/customers.csv)"),
    ("add 42.50 to expenses.csv", "data.append(file=~/Finance/expenses.csv, row=42.5)"),
    ("make a pie chart of expenses.csv", "data.plot(kind=pie, table=~/Finance/expenses.csv)"),
    ("show all notes", "notes.contents()"),
    ("read my note shopping list", "notes.read(title=shopping list)"),
    ("add butter to my shopping list note", "notes.add(text=butter, title=shopping list)"),
    ("delete the note ideas", "notes.delete(title=ideas)"),
    ("search my notes for birthday", "notes.search(words=birthday)"),
    ("write a note titled ideas: build a bird house", "notes.create(text=build a bird house, title=ideas)"),
    ("what does the note plumber say?", "notes.read(title=plumber)"),
    ("note down call the bank as todo", "notes.create(text=call the bank, title=todo)"),
    ('save "hello world" as a note called greeting', "notes.create(text=hello world, title=greeting)"),
    ("what is (3 + 4) * 12?", "calc.compute(expression=(3 + 4) * 12)"),
    ("how much is 15 percent off 80", "calc.compute(expression=80 * (1 - 15 / 100))"),
    ("how many cups are in a litre?", "calc.convert(quantity={'value': '1', 'unit': 'litre'}, unit=cups)"),
    ("100 °F in celsius", "calc.convert(quantity={'value': '100', 'unit': 'degF'}, unit=celsius)"),
    ("what day of the week is 24 December 2025?", "calc.weekday(date=2025-12-24)"),
    (
        "how many weeks from 1 January 2025 to 30 June 2025",
        "calc.between(end=2025-06-30, start=2025-01-01, unit=weeks)",
    ),
    (
        "what date is 90 days after 1 March?",
        "calc.shift(amount={'value': '90', 'unit': 'days'}, date=2025-03-01, direction=after)",
    ),
    (
        "calculate 2^10 - 1 and save the result as a note called power",
        "calc.compute(expression=2 ^ 10 - 1); notes.create(text=<t1>, title=power)",
    ),
    (
        "convert 10 kg to pounds and 5 miles to km",
        "calc.convert(quantity={'value': '10', 'unit': 'kg'}, unit=pounds); "
        "calc.convert(quantity={'value': '5', 'unit': 'miles'}, unit=km)",
    ),
    (
        "what is 12 times 4 and how many days until Christmas Eve",
        "calc.compute(expression=12 * 4); calc.between(end=2025-12-24, unit=days)",
    ),
    ("What's the oldest photo in Pictures?", "files.find(count=1, folder=~/Pictures, kind=image, order=oldest)"),
    ("Please show me the 10 newest files in Documents.", "files.find(count=10, folder=~/Documents, order=newest)"),
    ("I'd like to see all spreadsheets in Finance", "files.find(folder=~/Finance, kind=spreadsheet)"),
    ("look for files named budget", "files.find(name=budget)"),
    ("do I have any videos larger than 1 GB?", "files.find(kind=video, size={'min': 1000000001, 'max': None})"),
    (
        "copy the newest pdf in Downloads to Documents",
        "files.find(count=1, folder=~/Downloads, kind=pdf, order=newest); files.copy(files=<t1>, to=~/Documents)",
    ),
    (
        "move every jpg from Downloads to Pictures",
        "files.find(folder=~/Downloads, kind=jpeg); files.move(files=<t1>, to=~/Pictures)",
    ),
    (
        "rename the newest file in Downloads to latest download",
        "files.find(count=1, folder=~/Downloads, order=newest); files.rename(file=<t1[0]>, name=latest download)",
    ),
    ("put old.zip in the trash", "files.delete(files=['~/Downloads/old.zip'])"),
    (
        "delete the oldest file in Downloads",
        "files.find(count=1, folder=~/Downloads, order=oldest); files.delete(files=<t1>)",
    ),
    (
        "make a folder named Trips inside Documents and move a.pdf there",
        "files.make_folder(folder=~/Documents, name=Trips); files.move(files=['~/Downloads/a.pdf'], to=<t1>)",
    ),
    ("how big is the Music folder?", "files.usage(folder=~/Music)"),
    ("show me the contents of contract.docx", "documents.text(file=~/Documents/contract.docx)"),
    ("tell me what meeting.md is about", "documents.summary(file=~/Documents/meeting.md)"),
    ("summarise report.pdf in four sentences", "documents.summary(file=~/Documents/report.pdf, sentences=4)"),
    (
        "how many pages does report.pdf have and who wrote it?",
        "documents.pages(file=~/Documents/report.pdf); documents.facts(file=~/Documents/report.pdf, what=author)",
    ),
    ("extract the IBAN from phone bill.pdf", "documents.value(file=~/Invoices/phone bill.pdf, name=IBAN)"),
    ("find every document that mentions insurance", "documents.search(words=insurance)"),
    ("search Invoices for late fee", "documents.search(folder=~/Invoices, words=late fee)"),
    (
        "what is the due date of the newest invoice?",
        "files.find(count=1, name=invoice, order=newest); documents.value(file=<t1[0]>, name=due date)",
    ),
    (
        "get the total of invoice_2024-03.pdf and add it to Finance/expenses.csv",
        "documents.value(file=~/Invoices/invoice_2024-03.pdf, name=total); "
        "data.append(file=~/Finance/expenses.csv, row=<t1>)",
    ),
    (
        "read meeting.md and save it as a note titled minutes",
        "documents.text(file=~/Documents/meeting.md); notes.create(text=<t1>, title=minutes)",
    ),
    ("show the last 20 rows of orders.csv", "data.show(count=20, end=last, table=~/Work/orders.csv)"),
    (
        "average price per brand in sales.csv",
        "data.group(by=brand, column=price, measure=mean, table=~/Work/sales.csv)",
    ),
    (
        "sort expenses.csv by amount, highest first",
        "data.sort(column=amount, order=descending, table=~/Finance/expenses.csv)",
    ),
    ("export sales.csv as excel", "data.convert(format=xlsx, table=~/Work/sales.csv)"),
    (
        "draw a line chart of temperature over date from weather.csv",
        "data.plot(kind=line, table=~/Work/weather.csv, x=date, y=temperature)",
    ),
    (
        "filter orders.csv where total > 500 then sort by date and save that as big.csv",
        "data.filter(condition={'column': 'total', 'op': '>', 'value': '500'}, table=~/Work/orders.csv); "
        "data.sort(column=date, table=<t1>); "
        "data.save(file=~/Work/big.csv, table=<t2>)",
    ),
    (
        "join sales.csv with customers.csv and show the first 5 rows",
        "data.join(left=~/Work/sales.csv, right=~/Work/customers.csv); data.show(count=5, end=first, table=<t1>)",
    ),
    ("remember the gate code is 4711 in a note called gate", "notes.create(text=the gate code is 4711, title=gate)"),
    ("add milk to my shopping list", "tasks.add(group=shopping, text=milk)"),
    ("what's on my shopping list?", "tasks.show(group=shopping)"),
    ("how many notes do I have?", "notes.contents()"),
    ("throw away the note called ideas", "notes.delete(title=ideas)"),
    ("do I have a note about insurance?", "notes.search(words=insurance)"),
    ("show me my five latest notes", "notes.contents(count=5)"),
    ("compute 3 plus 4.75 plus 12", "calc.compute(expression=3 + 4.75 + 12)"),
    ("what's 7 squared?", "calc.compute(expression=7 ^ 2)"),
    (
        "how much is 48 times 12 and what is 100 minus 37?",
        "calc.compute(expression=48 * 12); calc.compute(expression=100 - 37)",
    ),
    ("convert 180 cm to feet", "calc.convert(quantity={'value': '180', 'unit': 'cm'}, unit=feet)"),
    (
        "what is 100 fahrenheit in celsius?",
        "calc.convert(quantity={'value': '100', 'unit': 'fahrenheit'}, unit=celsius)",
    ),
    (
        "how many days are there between March 3 and May 10?",
        "calc.between(end=2025-05-10, start=2025-03-03, unit=days)",
    ),
    ("what weekday was 3 October 1990?", "calc.weekday(date=1990-10-03)"),
    (
        "subtract two months from 31 March 2025",
        "calc.shift(amount={'value': '2', 'unit': 'months'}, date=2025-03-31, direction=before)",
    ),
    (
        "what's 15% of 80, and save the answer as a note called tip",
        "calc.compute(expression=15 % of 80); notes.create(text=<t1>, title=tip)",
    ),
    ("open the folder Projects", "files.contents(folder=~/Projects)"),
    ("find files not older than a week", "files.find(modified={'start': '2025-03-05', 'end': None})"),
    ("show me everything in Work/Clients", "files.contents(folder=~/Work/Clients)"),
    (
        "organise Downloads by type and tell me how much space it takes",
        "files.organize(by=type, folder=~/Downloads); files.usage(folder=~/Downloads)",
    ),
    (
        "merge orders.csv with customers.csv by customer and save the result as merged.csv",
        "data.join(left=~/Work/orders.csv, on=customer, right=~/Work/customers.csv); "
        "data.save(file=~/Work/merged.csv, table=<t1>)",
    ),
    ("move a.pdf to Backups", "files.move(files=['~/Downloads/a.pdf'], to=~/Backups)"),
    ("list the 5 newest files", "files.find(count=5, order=newest)"),
    ("delete a.pdf and old.zip", "files.delete(files=['~/Downloads/a.pdf', '~/Downloads/old.zip'])"),
    (
        "delete the note shopping list and make a new note called groceries saying eggs",
        "notes.delete(title=shopping list); notes.create(text=eggs, title=groceries)",
    ),
    (
        "how many days until 24 December and what weekday is it?",
        "calc.between(end=2025-12-24, unit=days); calc.weekday(date=2025-12-24)",
    ),
    ("zeige die drei größten Dateien in Downloads", "files.largest(count=3, folder=~/Downloads, order=largest)"),
    (
        "finde die neueste Rechnung und lies ihren Betrag",
        "files.find(count=1, name=Rechnung, order=newest); documents.value(file=<t1[0]>, name=Betrag)",
    ),
    ("fasse report.pdf zusammen", "documents.summary(file=~/Documents/report.pdf)"),
    ("wie viele Seiten hat thesis.pdf?", "documents.pages(file=~/Documents/thesis.pdf)"),
    ("verschiebe a.pdf nach Archive", "files.move(files=['~/Downloads/a.pdf'], to=~/Archive)"),
    ("was ist 17 % von 230?", "calc.compute(expression=17 % of 230)"),
    ("lege eine Notiz Einkaufsliste an: Milch und Brot", "notes.create(text=Milch und Brot, title=Einkaufsliste)"),
    ("lösche old.zip", "files.delete(files=['~/Downloads/old.zip'])"),
    ("wie viel Platz braucht Downloads?", "files.usage(folder=~/Downloads)"),
    ("sortiere sales.csv nach amount", "data.sort(column=amount, table=~/Work/sales.csv)"),
]


@pytest.mark.parametrize(("sentence", "expected"), SENTENCES, ids=[sentence for sentence, _ in SENTENCES])
def test_a_sentence_becomes_its_plan(planner: Planner, sentence: str, expected: str) -> None:
    proposal = planner.say(sentence)
    assert planner.shape(proposal) == expected
    assert isinstance(proposal, Plan)
    assert validate(proposal, planner.toolbox) == ()


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("find\nthe largest\nfile in Downloads", "files.find(count=1, folder=~/Downloads, order=largest)"),
        (
            "find the largest file in Downloads\nsort sales.csv by date",
            "files.find(count=1, folder=~/Downloads, order=largest); data.sort(column=date, table=~/Work/sales.csv)",
        ),
    ],
)
def test_a_line_break_inside_a_sentence_is_a_space(planner: Planner, sentence: str, expected: str) -> None:
    assert planner.shape(planner.say(sentence)) == expected


@pytest.fixture(scope="module")
def listed(mind: Mind, tmp_path_factory: pytest.TempPathFactory) -> Planner:
    """A home with notes that are lists."""
    return Planner.knowing(
        mind, furnish(tmp_path_factory.mktemp("listed"), ("Notes/shopping list.md", "Notes/Einkaufsliste.md"))
    )


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("add milk to my shopping list", "notes.add(text=milk, title=shopping list)"),
        ("setz Milch auf meine Einkaufsliste", "notes.add(text=Milch, title=Einkaufsliste)"),
        ("was steht auf meiner Einkaufsliste?", "notes.read(title=Einkaufsliste)"),
    ],
)
def test_a_list_that_is_a_note_is_no_list_of_tasks(listed: Planner, sentence: str, expected: str) -> None:
    assert listed.shape(listed.say(sentence)) == expected
