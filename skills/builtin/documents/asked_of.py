"""One value that a document is asked for: where it stands, what it comes to, and how it is told."""

from __future__ import annotations

from dataclasses import dataclass

from skills.sdk import Context, File, words

from . import amounts, facts_of, labels, prose
from .reading import Document


@dataclass(frozen=True, slots=True)
class Asked:
    """What was found under a name, and what a person calls that; ``currency`` where it is a sum of money."""

    label: str
    german: str
    found: labels.Found
    currency: str | None

    @property
    def amount(self) -> float | None:
        """The number that it is, if it is one."""
        return float(self.found.money.amount) if self.found.money else None


def read(ctx: Context, file: File, document: Document, issued: facts_of.Issued, name: str) -> Asked:
    """Return the value that ``name`` means. Raises ToolError where the document does not state it."""
    known, sort = labels.sort_of(name)
    found = labels.find(document.printed, known, sort) or labels.find(document.pages, known, sort)
    if found is None:
        found = prose.stated(document.pages, sort, day_first=amounts.currency_of(document.text) != "USD")
    if found is None and known == "vendor" and issued.vendor:
        found = labels.where(document.printed, issued.vendor)
    if found is None:
        raise facts_of.absent(ctx, file, name, document)
    label = known if known in labels.VERBS else name  # "signed" asks for the signing date
    currency = (found.money.currency or issued.currency) if found.money else None
    return Asked(label, labels.VERBS.get(known, name), found, currency)


def say(ctx: Context, file: File, one: Asked) -> None:
    """Tell a value with its place."""
    found, shown = one.found, _shown(ctx, one)
    place_en = f"page {found.page}, line {found.line}: “{found.excerpt}”"
    place_de = f"Seite {found.page}, Zeile {found.line}: „{found.excerpt}“"
    ctx.say(
        f"The {one.label} in {ctx.shown(file)} is {shown} ({place_en}).",
        de=f"{one.german} in {ctx.shown(file)}: {shown} ({place_de}).",
    )


def _shown(ctx: Context, one: Asked) -> str:
    """Return a found value as a sentence has it: money with its currency, days in words, more than that as it is."""
    found = one.found
    if found.money and found.money.text == found.text:
        return amounts.written(found.money.amount, one.currency, ctx.language)
    return words.day(found.day, ctx.language) if found.day else found.text
