"""The commands of what Steward knows. Whatever a file or a person has said is made visible before it is shown."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from portal.cli.house import connected, list_rows, shown, sizes_words
from portal.cli.outcome import OK, PENDING, Failure, emit, is_interactive, refuse, say, tell
from portal.cli.words import many, one_line, size
from portal.client import Client

View = Mapping[str, Any]


def search(words: str, as_json: bool, filters: Mapping[str, str], *, at: str, as_known: str, limit: int) -> int:
    """Find facts and what was said and done before; as they were on a day or known then, facts alone."""
    if not words.strip():
        refuse("It was not said what to look for.", "./steward memory search WORDS")
    with connected() as client:
        found = client.memory("search", words=words, at=at, as_known=as_known, limit=limit, **filters)
    if at or as_known:
        return shown(found, as_json, lambda _: _print_facts(found["facts"], _NOTHING))
    return shown(found, as_json, lambda _: _print_hits(found["hits"]))


_NOTHING = "Nothing that is known holds these words."
_REASONS = 3


def _print_hits(found: Sequence[View]) -> None:
    if not found:
        tell(_NOTHING)
        return
    if not any(hit["words"] for hit in found):
        say(f"{_NOTHING} What is nearest in meaning:")
    for hit in found:
        who = f"{hit['speaker']}, " if hit["speaker"] else ""
        name = hit["run"] or hit["id"]
        tell(
            f"{hit['score']:6.2f}  {hit['at'][:16].replace('T', ' ')}  {one_line(str(hit['text']), 160)}  ({who}{name})"
        )
        reasons = list(hit["reasons"].items())[:_REASONS]
        tell("        " + ", ".join(f"{reason} {part:+.2f}" for reason, part in reasons))
        for turn in (hit["before"], hit["after"]):
            if turn is not None:
                tell(f"        {'before' if turn is hit['before'] else 'after '}: {one_line(str(turn['text']), 100)}")


def facts(name: str, as_json: bool, *, predicate: str, retracted: bool, at: str, as_known: str, limit: int) -> int:
    """List facts."""
    with connected() as client:
        found = client.memory("facts", name=name, predicate=predicate, retracted=retracted, at=at, as_known=as_known,
                              limit=limit)  # fmt: skip
    shown(found, as_json, lambda _: _print_facts(found["facts"], "Nothing is known for this."))
    if not as_json and found["total"] > len(found["facts"]):
        say(f"{found['total']} in all; --limit shows more.")
    return OK


def _print_facts(found: Iterable[View], nothing: str) -> None:
    rows = [
        (one_line(str(fact["words"]), 160) + (" (taken back)" if fact["recorded_to"] else ""),
         one_line(str(fact["said"]), 60), fact["id"])
        for fact in found
    ]  # fmt: skip
    list_rows(("what", "who says so", "fact"), rows, nothing)


def _check_named(name: str, command: str) -> None:
    if not name.strip():
        refuse("It was not said who or what is meant.", f"./steward memory {command} NAME")


def entity(name: str, as_json: bool, changes: Mapping[str, str], *, at: str, as_known: str) -> int:
    """Show somebody, or name, join and part them."""
    _check_named(name, "entity")
    with connected() as client:
        if any(changes.values()):
            client.change_memory("entity", {"name": name, **changes})
        found = client.memory("entity", name=name, at=at, as_known=as_known)
    return shown(found, as_json, _print_entity)


def _print_entity(found: View) -> None:
    rows = [(one["id"], one["kind"], one_line(", ".join(one["names"]), 120), one["facts"]) for one in found["entities"]]
    list_rows(("id", "kind", "names", "facts"), rows, "")
    if len(found["entities"]) > 1:
        say("Several are called so; name one by its id, or join them with --same-as.")
        return
    tell("")
    _print_facts(found["facts"], "Nothing is known of it.")
    for conflict in found["conflicts"]:
        first, second = conflict["first"], conflict["second"]
        tell(f"Sources disagree: {one_line(first['words'], 120)} ({one_line(first['said'], 60)}) / "
             f"{one_line(second['words'], 120)} ({one_line(second['said'], 60)})")  # fmt: skip


def forget(name: str, also: Sequence[str], seal: str, as_json: bool) -> int:
    """Show what would be forgotten; forget it after a yes in a terminal, or under the seal that was shown."""
    _check_named(name, "forget")
    with connected() as client:
        if seal:
            return _forgotten(client, name, also, seal, as_json)
        found = client.memory("forget", name=name, also=list(also))
        if as_json:
            emit({"preview": found, "forgotten": None})
            return PENDING
        _print_preview(found)
        if not is_interactive():
            say(
                f"Nothing was forgotten yet. To do it: ./steward memory forget {_quoted(name)} --confirm "
                f"{found['seal']}"
            )
            return PENDING
        from portal.cli.prompt import read_line

        if read_line(f"Forget for good? Type the name to do it ({one_line(name, 60)}): ").strip() != name.strip():
            tell("Nothing was forgotten.")
            return OK
        return _forgotten(client, name, also, found["seal"], as_json)


def _quoted(name: str) -> str:
    return "'" + name.replace("'", "'\\''") + "'"


def _print_preview(found: View) -> None:
    tell(f"Forgetting {one_line(str(found['name']), 80)} would destroy, for good:")
    runs = f"{many(len(found['runs']), 'request')} with their words and results ({many(found['events'], 'event')})"
    tell(f"  {many(found['facts'], 'fact')}, {runs}")
    tell(f"  names looked for: {', '.join(one_line(word, 60) for word in found['words']) or 'none'}")
    if found["undo"]:
        tell(f"  {many(found['undo'], 'change')} could then no longer be taken back")
    if found["own"]:
        tell(f"  entries that skills keep: {', '.join(f'{skill} {count}' for skill, count in found['own'].items())}")
    for key, words in (("own_stays", "only the skill itself can take it out of its file"),
                       ("kept", "called alike, not touched"), ("stays", "a deny or limit for this place stays"),
                       ("backups", "written anew without it: backups"),
                       ("backups_stay", "stays in backups that cannot be reached, to be removed by you"),
                       ("waits_for", "not over, so first to be answered or cancelled")):  # fmt: skip
        if found[key]:
            tell(f"  {words}: {', '.join(one_line(str(one), 80) for one in found[key])}")


def _forgotten(client: Client, name: str, also: Sequence[str], seal: str, as_json: bool) -> int:
    done = client.change_memory("forget", {"name": name, "also": list(also), "seal": seal})
    gone = (many(done["facts"], "fact"), many(done["runs"], "request"), many(done["events"], "event"))
    words = f"Forgotten: {', '.join(gone)}."
    if done["backups_behind"]:
        places = ", ".join(one_line(str(one), 200) for one in done["backups_behind"])
        words += f"\nThese backups could not be reached and may still hold it; remove them yourself: {places}"
    return shown({"preview": None, "forgotten": done}, as_json, lambda _: tell(words))


def export(form: str, out: str, as_json: bool, *, at: str, as_known: str) -> int:
    """Write everything that is known to a file, which only its owner can read, or to standard output."""
    with connected() as client:
        found = client.memory("export", form=form, at=at, as_known=as_known)
    text = str(found["text"])
    if not out:
        if as_json:
            emit(found)
        else:
            sys.stdout.write(text)
        return OK
    try:
        with os.fdopen(os.open(out, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise Failure(
            "memory.exists", f"{out} is there already.", "Name a file that is not, or remove it.", 2
        ) from None
    except OSError as error:
        raise Failure("memory.write", f"{out} cannot be written: {error.strerror}.", "Name another file.") from error
    count = text.count("\n")
    return shown(
        {"form": form, "out": out, "lines": count}, as_json, lambda _: tell(f"Wrote {many(count, 'line')} to {out}.")
    )


def put_in(file: str, as_json: bool) -> int:
    """Take exported lines over."""
    try:
        text = sys.stdin.read() if file == "-" else _text_of(file)
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is no text in UTF-8"
        raise Failure("memory.read", f"{file} cannot be read: {why}.", "Name a file that export wrote.", 2) from error
    if not text.strip():
        refuse(f"{file} is empty.", "Name a file that ./steward memory export wrote.")
    with connected() as client:
        done = client.change_memory("import", {"lines": text})
    words = f"Took over {many(done['facts'], 'fact')} and {many(done['entities'], 'name')}, as the file's word."
    return shown(done, as_json, lambda _: tell(words))


def _text_of(file: str) -> str:
    with open(file, encoding="utf-8") as lines:
        return lines.read()


def stats(as_json: bool) -> int:
    """Show how much is known."""
    with connected() as client:
        found = client.memory("stats")
    about = many(found["entities"], "person, place or thing", "people, places and things")
    words = (f"{many(found['facts'], 'fact')} about {about} ({found['retracted']} taken back, "
             f"{found['conflicts']} on which sources disagree), {size(found['size_bytes'])}.")  # fmt: skip
    return shown(found, as_json, lambda _: tell(words))


def learned(what: str, as_json: bool) -> int:
    """Show what confirmed requests taught, or unlearn a phrase or what a run taught."""
    with connected() as client:
        if what:
            gone = client.change_memory("learned", {"what": what})
            return shown(gone, as_json, lambda _: tell(f"Unlearnt: {one_line(str(gone['forgotten']), 160)}"))
        found = client.memory("learned")
    return shown(found, as_json, lambda _: _print_learned(found))


def _print_learned(found: View) -> None:
    if not found["phrases"] and not found["examples"]:
        tell("Nothing was learnt from your requests yet.")
    for one in found["phrases"]:
        tell(f"{one['run']}  “{one_line(str(one['phrase']), 80)}” means: {one_line(str(one['meaning']), 120)}")
    for one in found["examples"]:
        tell(f"{one['run']}  {one['tool']}: {one_line(str(one['text']), 160)}")


def retention(days: str, as_json: bool) -> int:
    """Show or set how long the words of what was done are kept."""
    off = days.casefold() in ("off", "none", "never")
    if days and not off and not days.isdecimal():
        refuse(f"{days} is no number of days.", "./steward ledger retention 90, or: ./steward ledger retention off")
    with connected() as client:
        done = client.set_retention(None if off else int(days)) if days else {}
        found = {**client.retention(), **done}
    return shown(found, as_json, _print_retention)


def _print_retention(found: View) -> None:
    tell(f"Words of what was done are kept {_for(found['days'])}. {sizes_words(found['sizes'])}.".replace("  ", " "))
    if found.get("destroyed"):
        events = many(found["destroyed"], "event")
        tell(f"The words of {events} were destroyed; the record of that stands.")


def _for(days: int | None) -> str:
    return (
        "for good" if days is None else f"for {many(days, 'day')}, or as long as they are needed to take changes back"
    )
