"""Write, extend, shorten, read, list, search, rename and delete notes: Markdown files in ~/Notes, named by title."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from rapidfuzz import fuzz

from skills.sdk import Context, File, Query, Text, Title, ToolError, words
from skills.sdk.words import fold

FOLDER = "~/Notes"

_FORBIDDEN = re.compile(r"[\x00-\x1f\x7f/\\]+")
_WORD = re.compile(r"\w+")
_MARK = re.compile(r"^(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?")  # of an item of a list in Markdown
_BETWEEN = re.compile(  # the items of a list in one line; the comma of "1,5 l" is none
    r"\s*(?:;|,(?!(?<=\d,)\d))\s*(?:(?:and|und)\s+)?|\s+(?:and|und)\s+", re.IGNORECASE
)
_HEAD = re.compile(r"\s*(?:(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?)?(?:[^,;:]+:\s+)?")
_TAIL = re.compile(r"[\s.!?]*\Z")
_SURPLUS = (
    frozenset("a called das der die meine meiner my named note notes notiz notizen the titled".split()),
    frozenset({"list", "liste"}),
)
_ALIKE = 80.0  # of 100: how near a roughly given title must be
_NAME_BYTES = 200  # a file name has room for 255 bytes


@dataclass(frozen=True, slots=True)
class Note:
    """A note: its title, its text and the file that holds it."""

    title: str
    text: str
    file: File


@dataclass(frozen=True, slots=True)
class _Cut:
    """What is taken out of a note: on which line, what goes, and what is left of the line (nothing: it goes too)."""

    at: int
    gone: str
    left: str


def create(ctx: Context, title: Title, text: Text) -> Note:
    """Write a new note.

    Args:
        title: what the note is called.
        text: what it says.
    """
    name = _file_name(title)
    path = f"{FOLDER}/{name}.md"
    _refuse_taken(name, _all(ctx))
    ctx.write(path, _ended(text))
    ctx.say(
        f"I saved the note “{name}”:\n{text.strip()}", de=f"Ich habe die Notiz „{name}“ gespeichert:\n{text.strip()}"
    )
    return Note(name, text.strip(), ctx.file(path))


def add(ctx: Context, title: Title, text: Text) -> Note:
    """Add text at the end of an existing note.

    Args:
        title: the note's title, or most of it.
        text: what to add.
    """
    file = _one(ctx, title)
    old = ctx.read_text(file)
    gap = "" if not old or old.endswith("\n") else "\n"
    ctx.append(file, gap + _ended(text))
    ctx.say(
        f"I added to the note “{file.stem}”:\n{text.strip()}",
        de=f"Ich habe die Notiz „{file.stem}“ ergänzt:\n{text.strip()}",
    )
    return Note(file.stem, (old + gap + text).strip(), ctx.file(file.path))


def remove(ctx: Context, title: Title, line: Query) -> Note:
    """Take a line out of a note.

    Args:
        title: the note's title, or most of it.
        line: the line, or words of it.
    """
    note = _note(ctx, _one(ctx, title))
    lines = ctx.read_text(note.file).splitlines(keepends=True)
    cut, *others = _cuts(note.title, lines, line)
    left = "".join([*lines[: cut.at], cut.left, *lines[cut.at + 1 :]])
    ctx.write(note.file, left)
    more, mehr = (" Another one stays.", " Ein weiterer Eintrag bleibt.") if others else ("", "")
    ctx.say(
        f"I took “{cut.gone}” out of the note “{note.title}”.{more}",
        de=f"Ich habe „{cut.gone}“ aus der Notiz „{note.title}“ gestrichen.{mehr}",
    )
    return Note(note.title, left.strip(), ctx.file(note.file.path))


def read(ctx: Context, title: Title) -> Note:
    """Read what a note says.

    Args:
        title: the note's title, or most of it.
    """
    note = _note(ctx, _one(ctx, title))
    if note.text:
        ctx.say(f"“{note.title}” says:\n{note.text}", de=f"In „{note.title}“ steht:\n{note.text}")
    else:
        ctx.say(f"The note “{note.title}” is empty.", de=f"Die Notiz „{note.title}“ ist leer.")
    return note


def contents(ctx: Context, count: int | None = None) -> list[File]:
    """List the notes, newest first.

    Args:
        count: how many at most; all when absent.
    """
    files = _all(ctx)
    kept = files if count is None else files[: max(count, 0)]
    if not files:
        ctx.say("You have no notes yet.", de="Du hast noch keine Notizen.")
        return []
    names, number = [file.stem for file in kept], len(files)
    shown, gezeigt = "", ""
    if len(kept) < number:
        one = len(kept) == 1
        shown, gezeigt = (
            f"; the newest{'' if one else f' {len(kept)}'}",
            f"; die neueste{'' if one else f'n {len(kept)}'}",
        )
    heads = ("Titel", "geändert") if ctx.language == "de" else ("title", "changed")
    ctx.table(heads, [(file.stem, file.modified and file.modified.date()) for file in kept])
    ctx.say(
        f"You have {words.count(number, 'note', 'notes')}{shown}: {words.listing(names)}.",
        de=f"Du hast {words.count(number, 'Notiz', 'Notizen')}{gezeigt}: {words.listing(names, 'de')}.",
    )
    return kept


def search(ctx: Context, words: Query) -> list[Note]:
    """Find notes by words in their title or text.

    Args:
        words: what to look for.
    """
    wanted = _WORD.findall(_fold(words))
    found = [note for note in (_note(ctx, file) for file in _all(ctx)) if _mentions(note, wanted)]
    if not found:
        ctx.say(f"No note mentions “{words}”.", de=f"Keine Notiz erwähnt „{words}“.")
        return []
    lines = "\n".join(f"- {note.title}: {_excerpt(note, wanted)}" for note in found)
    ctx.say(
        f"{len(found)} {'note mentions' if len(found) == 1 else 'notes mention'} “{words}”:\n{lines}",
        de=f"{len(found)} {'Notiz erwähnt' if len(found) == 1 else 'Notizen erwähnen'} „{words}“:\n{lines}",
    )
    return found


def rename(ctx: Context, title: Title, name: Title) -> Note:
    """Give a note another title.

    Args:
        title: the note's title, or most of it.
        name: the new title.
    """
    file, new = _one(ctx, title), _file_name(name)
    if new == file.stem:
        ctx.say(f"The note is called “{new}” already.", de=f"Die Notiz heißt schon „{new}“.")
        return _note(ctx, file)
    _refuse_taken(new, [note for note in _all(ctx) if note.path != file.path])
    note = _note(ctx, file)
    ctx.move(file, f"{FOLDER}/{new}.md")
    ctx.say(f"The note “{note.title}” is now called “{new}”.", de=f"Die Notiz „{note.title}“ heißt jetzt „{new}“.")
    return Note(new, note.text, ctx.file(f"{FOLDER}/{new}.md"))


def delete(ctx: Context, title: Title) -> File:
    """Put a note into the trash.

    Args:
        title: the note's title, or most of it.
    """
    file = _one(ctx, title)
    ctx.delete(file)
    ctx.say(
        f"I put the note “{file.stem}” into the trash.",
        de=f"Ich habe die Notiz „{file.stem}“ in den Papierkorb gelegt.",
    )
    return file


# --- inside -------------------------------------------------------------------------------------------------------


def _all(ctx: Context) -> list[File]:
    if not ctx.is_folder(FOLDER):
        return []
    files = [file for file in ctx.scan(FOLDER) if file.suffix == ".md"]
    return sorted(files, key=lambda file: (-(file.modified.timestamp() if file.modified else 0), file.path))


def _note(ctx: Context, file: File) -> Note:
    return Note(file.stem, ctx.read_text(file).strip(), file)


def _refuse_taken(name: str, notes: list[File]) -> None:
    taken = next((note for note in notes if _key(note.stem) == _key(name)), None)
    if taken is not None:
        raise ToolError(
            f"There is already a note called “{taken.stem}”, so nothing was written.",
            hint="Add to it, or choose another title.",
            code="tool.taken",
            de=f"Es gibt schon eine Notiz „{taken.stem}“, deshalb wurde nichts geschrieben.",
            de_hint="Ergänze sie oder wähle einen anderen Titel.",
        )


def _one(ctx: Context, title: str) -> File:
    """Return the one note that ``title`` means; raises ToolError when there is none or more than one."""
    files = _all(ctx)
    near = _matching(files, title)
    if len(near) == 1:
        return near[0]
    names = [f"“{file.stem}”" for file in near or files]
    namen = [f"„{file.stem}“" for file in near or files]
    if near:
        raise ToolError(
            f"More than one note could be “{title}”: {words.listing(names, most=5)}.",
            hint="Say the whole title.",
            code="tool.ambiguous",
            instead_of=title,
            choices=[file.stem for file in near],
            de=f"Mehr als eine Notiz könnte „{title}“ sein: {words.listing(namen, 'de', most=5)}.",
            de_hint="Nenne den ganzen Titel.",
        )
    raise ToolError(
        f"There is no note called “{title}”.",
        hint=f"Your notes: {words.listing(names, most=5)}." if names else "You have no notes yet.",
        code="tool.missing",
        instead_of=title,
        choices=[file.stem for file in files],
        de=f"Es gibt keine Notiz „{title}“.",
        de_hint=f"Deine Notizen: {words.listing(namen, 'de', most=5)}." if namen else "Du hast noch keine Notizen.",
    )


def _matching(files: list[File], title: str) -> list[File]:
    """Return the notes that ``title`` may mean: as it was said, then without the words that people say around it."""
    forms = [_fold(title)]
    for surplus in _SURPLUS:
        bare = " ".join(word for word in forms[-1].split() if word not in surplus)
        forms.append(bare or forms[-1])
    exact = ([file for file in files if _fold(file.stem) == form] for form in forms)
    near = (_nearest(files, form) for form in forms)
    return next((found for found in (*exact, *near) if found), [])


def _nearest(files: list[File], wanted: str) -> list[File]:
    tokens = set(_WORD.findall(wanted))
    holding = [file for file in files if tokens and tokens <= set(_WORD.findall(_fold(file.stem)))]
    if holding:
        return holding
    scored = [(fuzz.ratio(wanted, _fold(file.stem)), file) for file in files]
    best = max((score for score, _file in scored), default=0.0)
    return [file for score, file in scored if score >= _ALIKE and score > best - 5]


def _file_name(title: str) -> str:
    name = " ".join(_FORBIDDEN.sub(" ", unicodedata.normalize("NFC", title)).split()).strip(". ")
    while len(name.encode()) > _NAME_BYTES:
        name = name[:-1].rstrip()
    if not name:
        raise ToolError(
            f"“{title}” cannot be the title of a note.",
            hint="Choose a title with at least one letter or digit.",
            de=f"„{title}“ kann kein Titel einer Notiz sein.",
            de_hint="Wähle einen Titel mit mindestens einem Buchstaben oder einer Ziffer.",
        )
    return name


def _fold(text: str) -> str:
    return fold(text.replace("_", " ").replace("-", " "))


def _key(name: str) -> str:
    """What two notes may not share: "Blu" and "Blue" are two, "Shopping list" and "shopping-list" one."""
    return " ".join(unicodedata.normalize("NFC", name).casefold().replace("_", " ").replace("-", " ").split())


def _cuts(title: str, lines: list[str], wanted: str) -> list[_Cut]:
    """Return what ``wanted`` may take out, all of it the same: a line, else an item of one; raises ToolError otherwise.

    Words of a line mean all of it where it is no list: of a list they would take away what was not named.
    """
    told = {at: _fold(_bare(line)) for at, line in enumerate(lines) if _bare(line)}
    sought = _fold(_bare(wanted))
    whole = [_Cut(at, _bare(lines[at]), "") for at, line in told.items() if line == sought]
    exact = [*whole, *(cut for at in told if told[at] != sought for cut in _items(at, lines[at], wanted))]
    if exact:
        return exact
    tokens = set(_WORD.findall(sought))
    near = [at for at, line in told.items() if tokens and tokens <= set(_WORD.findall(line))]
    if len({told[at] for at in near}) == 1 and not _BETWEEN.search(_bare(lines[near[0]])):
        return [_Cut(at, _bare(lines[at]), "") for at in near]
    raise _unclear(title, list({told[at]: _bare(lines[at]) for at in near}.values()), wanted)


def _items(at: int, line: str, wanted: str) -> Iterator[_Cut]:
    """Yield what can be cut out of a list in one line: what says no more and no less than ``wanted``."""
    sought, more = _fold(_bare(wanted)), len(_BETWEEN.findall(_bare(wanted)))  # "salt and pepper" is two items there
    head, body, tail = _framed(line)
    between = list(_BETWEEN.finditer(body))
    starts, ends = [0, *(one.end() for one in between)], [*(one.start() for one in between), len(body)]
    for first, last in enumerate(range(more, len(starts))):
        gone = body[starts[first] : ends[last]]
        if not between or not sought or _fold(gone) != sought:
            continue
        rest = [body[a:b] for a, b in zip(starts, ends, strict=True)]
        kept = _joined(rest[:first], rest[last + 1 :], [one.group() for one in between], first, last)
        yield _Cut(at, gone, f"{head}{kept}{tail}" if kept else "")


def _framed(line: str) -> tuple[str, str, str]:
    """Return what stands before the items of a line (the mark of its list, "Buy: "), the items, and what ends it."""
    start = _HEAD.match(line)
    head = start.end() if start else 0
    end = _TAIL.search(line, head)
    return line[:head], line[head : end.start() if end else len(line)], line[end.start() if end else len(line) :]


def _joined(before: list[str], after: list[str], between: list[str], first: int, last: int) -> str:
    """Put items together again, without those from ``first`` to ``last``: "and" stays before the last one."""
    left, right = between[: max(first - 1, 0)], between[last + 1 :]
    if before and after:
        ahead, behind = between[first - 1], between[last]
        left = [*left, ahead if ";" in ahead and ";" not in behind else behind]
    elif left and between[first - 1].strip(" ,;") and left[-1].strip() == ",":
        left = [*left[:-1], between[first - 1]]
    signs = [*left, *right]
    if len(signs) == 1 and signs[0].strip(" ,;"):
        signs = [f" {signs[0].strip(' ,;')} "]  # no comma before "and" where there are but two
    return "".join(item + sign for item, sign in zip([*before, *after], [*signs, ""], strict=False))


def _unclear(title: str, several: list[str], wanted: str) -> ToolError:
    """Return what is said where no single line or item is meant: the lines with these words, if there are any."""
    if not several:
        return ToolError(
            f"The note “{title}” has no line “{wanted}”.",
            hint="Ask what it says, and name the line.",
            code="tool.missing",
            de=f"In der Notiz „{title}“ gibt es keine Zeile „{wanted}“.",
            de_hint="Lass sie dir vorlesen und nenne die Zeile.",
        )
    quoted, zitiert = ([f"{left}{one}{right}" for one in several] for left, right in ("“”", "„“"))
    message = f"More than one line of “{title}” could be “{wanted}”: {words.listing(quoted, most=5)}."
    meldung = f"Mehr als eine Zeile von „{title}“ könnte „{wanted}“ sein: {words.listing(zitiert, 'de', most=5)}."
    if len(several) == 1:
        message = f"The line {quoted[0]} of “{title}” says more than “{wanted}”."
        meldung = f"Die Zeile {zitiert[0]} von „{title}“ sagt mehr als „{wanted}“."
    return ToolError(
        message,
        hint="Say the whole line, or one whole item of it.",
        code="tool.ambiguous",
        instead_of=wanted,
        choices=several,
        de=meldung,
        de_hint="Nenne die ganze Zeile oder einen ganzen Eintrag darin.",
    )


def _bare(line: str) -> str:
    """A line without the mark of its list, as it is spoken of."""
    return _MARK.sub("", line.strip())


def _ended(text: str) -> str:
    return text.strip() + "\n"


def _mentions(note: Note, wanted: list[str]) -> bool:
    text = _fold(f"{note.title} {note.text}")
    return bool(wanted) and all(word in text for word in wanted)


def _excerpt(note: Note, wanted: list[str]) -> str:
    lines = [line.strip() for line in note.text.splitlines() if line.strip()]
    hit = next((line for line in lines if any(word in _fold(line) for word in wanted)), lines[0] if lines else "")
    return hit if len(hit) <= 120 else hit[:119].rstrip() + "…"
