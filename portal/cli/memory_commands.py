"""``./steward memory ...`` and its options; the work stands in ``portal.cli.memory``."""

from __future__ import annotations

from typing import Annotated

import typer

memory_app = typer.Typer(help="What Steward knows: look, name, forget, take out, put in.", no_args_is_help=True)

AsJson = Annotated[bool, typer.Option("--json", help="One JSON object on standard output, nothing else there.")]
At = Annotated[str, typer.Option("--at", metavar="DATE", help="As it was true on that day, e.g. 2026-03-31.")]
AsKnown = Annotated[str, typer.Option("--as-known", metavar="DATE", help="As Steward knew it at the end of that day.")]
Limit = Annotated[int, typer.Option("--limit", "-n", min=1, max=500, help="How many, at most.")]
Name = Annotated[str, typer.Argument(help="A name, or an id such as person:anna-berg-1a2b3c4d.")]


@memory_app.command("search")
def search(
    words: Annotated[list[str], typer.Argument(help="What it is about.")],
    since: Annotated[str, typer.Option("--since", metavar="DATE", help="Not before that day.")] = "",
    until: Annotated[str, typer.Option("--until", metavar="DATE", help="Not after that day.")] = "",
    person: Annotated[str, typer.Option("--person", help="Who said it (me, steward), or who is mentioned.")] = "",
    source: Annotated[str, typer.Option("--source", help="What it was read from: conversation, changes, user …")] = "",
    label: Annotated[
        str, typer.Option("--label", help="Whose word it is: user, kernel, trusted_source, untrusted.")
    ] = "",
    reader: Annotated[str, typer.Option("--reader", help="Who may read it by its label: mcp:claude.")] = "",
    at: At = "",
    as_known: AsKnown = "",
    limit: Limit = 20,
    as_json: AsJson = False,
) -> int:
    """Find facts and what was said and done before, in one list: the best first, with the reasons in numbers."""
    from portal.cli import memory

    filters = {"since": since, "until": until, "person": person, "source": source, "label": label, "reader": reader}
    return memory.search(" ".join(words), as_json, filters, at=at, as_known=as_known, limit=limit)


@memory_app.command("facts")
def facts(
    name: Annotated[str, typer.Argument(metavar="[NAME]", help="Only what is known of this one.")] = "",
    relation: Annotated[str, typer.Option("--relation", help="Only this relation, e.g. works_at.")] = "",
    retracted: Annotated[bool, typer.Option("--retracted", help="Also what was taken back.")] = False,
    at: At = "",
    as_known: AsKnown = "",
    limit: Limit = 100,
    as_json: AsJson = False,
) -> int:
    """List facts: of all, or of one."""
    from portal.cli import memory

    return memory.facts(name, as_json, predicate=relation, retracted=retracted, at=at, as_known=as_known, limit=limit)


@memory_app.command("entity")
def entity(
    name: Name,
    also_called: Annotated[str, typer.Option("--also-called", help="One more name.")] = "",
    same_as: Annotated[str, typer.Option("--same-as", help="Who is the same; can be taken back.")] = "",
    split_from: Annotated[str, typer.Option("--split-from", help="Who is not the same after all.")] = "",
    at: At = "",
    as_known: AsKnown = "",
    as_json: AsJson = False,
) -> int:
    """Show somebody or something: names, facts, and what sources disagree on. Or name, join and part them."""
    from portal.cli import memory

    changes = {"also_called": also_called, "same_as": same_as, "split_from": split_from}
    return memory.entity(name, as_json, changes, at=at, as_known=as_known)


@memory_app.command("forget")
def forget(
    name: Name,
    also: Annotated[list[str] | None, typer.Option("--also", help="A further name to look for everywhere.")] = None,
    confirm: Annotated[str, typer.Option("--confirm", metavar="SEAL", help="Do what was shown under this seal.")] = "",
    as_json: AsJson = False,
) -> int:
    """Forget somebody for good. What it would reach is shown first; nothing brings it back."""
    from portal.cli import memory

    return memory.forget(name, also or [], confirm, as_json)


@memory_app.command("export")
def export(
    form: Annotated[str, typer.Option("--form", help="jsonl, which can be put in again, or graphml.")] = "jsonl",
    out: Annotated[str, typer.Option("--out", "-o", help="The file to write; standard output if left out.")] = "",
    at: At = "",
    as_known: AsKnown = "",
    as_json: AsJson = False,
) -> int:
    """Take everything out that is known."""
    from portal.cli import memory

    return memory.export(form, out, as_json, at=at, as_known=as_known)


@memory_app.command("import")
def import_(
    file: Annotated[str, typer.Argument(help="JSON lines as export writes them; - for standard input.")],
    as_json: AsJson = False,
) -> int:
    """Put exported lines in, all or none. They count as somebody else's word, and end nothing that you said."""
    from portal.cli import memory

    return memory.put_in(file, as_json)


@memory_app.command("learned")
def learned(
    forget: Annotated[str, typer.Option("--forget", help="A phrase, or a run whose examples are to go.")] = "",
    as_json: AsJson = False,
) -> int:
    """Show what your confirmed requests taught, or take one back."""
    from portal.cli import memory

    return memory.learned(forget, as_json)


@memory_app.command("stats")
def stats(as_json: AsJson = False) -> int:
    """Show how much is known."""
    from portal.cli import memory

    return memory.stats(as_json)
