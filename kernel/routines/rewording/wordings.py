"""The words that what is left of a rule may be planned by: as it was said, and with other words for what comes.

A file that the trigger brings is called by the place that stands for it, and so is what is read out of it ("the
total"); parts of an appointment or a mail as the tool calls them that finds it; of a text that is told, words stand in
for its parts. Anything may be a pronoun. In a rule about something that happens, whoever is to be told is told by a
notice.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from kernel.language import Line
from kernel.language.free_text import covered
from kernel.language.spelling import is_mended
from kernel.paths import short
from kernel.routines.bringing import Bringing, kind_of
from kernel.routines.hearing import Heard, Words, left_of
from kernel.routines.hearing.afterthoughts import is_attached
from kernel.routines.hearing.brought import is_owned
from kernel.routines.hearing.machine_pronouns import machine_pronouns
from kernel.routines.hearing.mails import HUNG
from kernel.routines.hearing.model import meets
from kernel.routines.hearing.parts_said import parts_said
from kernel.routines.model import Added, Called, Learnt, Recurring
from kernel.routines.owning import of_it
from kernel.routines.parts import Part, stands_for
from kernel.routines.rewording.another import with_its_noun
from kernel.routines.rewording.asked_parts import file_names, parts_asked, with_name
from kernel.routines.rewording.its_folder import its_folder
from kernel.routines.rewording.its_time import at_its_moment, of_its_day, of_its_time, until_its_end
from kernel.routines.rewording.of_facts import into_contacts, of_a_birthday
from kernel.routines.rewording.part_words import heading_of, is_taken_out, part_of, task_called
from kernel.routines.rewording.read_out import read_out
from kernel.routines.rewording.statements import statement
from kernel.routines.rewording.verbless import with_verb
from kernel.routines.rewording.wished_tasks import as_task, wished_task, with_quoted_task
from kernel.routines.rewording.wishes import as_notice, on_screen, plainly
from kernel.routines.rewording.writing import as_written, birthday_words, with_day_numbers, without_reason

Instead = dict[Words, str]
"""Other words for stretches that stay."""

_NAME = frozenset("name names namen dateinamen filename".split())
_MAILS = frozenset("mail email e-mail message nachricht".split())
_SAVES = frozenset("save store put copy keep file drop download speicher speichere leg lege sicher kopier pack".split())
_INTO = frozenset("to in into under unter nach auf ins im".split())
_OUT_OF_IT = frozenset("daraus draus".split())


@dataclass(frozen=True, slots=True)
class Wording:
    """What is left of a rule in other words. ``names_it``: they have the file's name, and a plan writes that down;
    ``notice``: they ask for a notice in place of a reminder; ``own``: they call what comes so that its own skill knows
    it, and mean no other; ``title`` is one that calls what comes by its words, as a
    person would write it down.
    """

    text: str
    names_it: bool = False
    notice: bool = False
    own: bool = False
    title: str = ""


class Rewording:
    """One rule, and how what its trigger brings stands in a plan."""

    def __init__(self, line: Line, heard: Heard, home: str, thing: Bringing | None) -> None:
        self._line, self._heard, self._kind = line, heard, kind_of(heard.trigger, home)
        self._another = heard.trigger.thing if isinstance(heard.trigger, Added) else ""
        self._happens = statement(heard.trigger, line.language, home)
        self._place = short(thing.place, home) if thing is not None and thing.place else ""
        gone = covered(heard.gone)
        self._asked: Instead = parts_asked(line, self._kind, gone, heard.brings)
        self._fields: Instead = {one: words for one in heard.brings if (words := self._field(one))}
        self._quoted: Instead = {
            one: f"„{word}“" for one, words in (self._fields | self._asked).items()
            if thing is not None and (word := thing.word_for(words.split()[-1]))
        }  # fmt: skip
        named = {one: with_name(line, one) for one in heard.brings}
        itself = [one for one in heard.brings if self._is_itself(one) and named[one] == one]
        self._pronouns: Instead = dict.fromkeys(itself, "es" if line.language == "de" else "it")
        title = thing.word_for("title") if thing is not None and self._kind == "task" else ""
        self._tasks: Instead = {one: task_called(line, one, title) for one in self._pronouns} if title else {}
        self._named: Instead = {}
        self._owned: Instead = {}
        self._names: Instead = {}
        if thing is not None and self._place:
            self._named = {one: self._place for one in itself if one[1] - one[0] > 1}
            out = covered((*heard.gone, *itself))
            unknown = read_out(line, out, self._place) if self._kind == "file" else {}
            known = of_it(line, out, thing.values, self._place)
            told = min(unknown, default=(line.size, line.size))  # behind it, "the sum" is what that comes to
            self._owned = unknown | {
                one: words for one, words in known.items() if one < told and not meets(one, unknown)
            }
            its_names = (*filter(self._is_its_name, heard.brings), *file_names(line, gone))
            its_names += tuple(wider for one, wider in named.items() if wider != one)
            self._names = dict.fromkeys(its_names, os.path.basename(self._place))
        self._folder: Instead = its_folder(line, gone, heard.trigger, home)
        said = parts_said(line, heard)
        self._parts: Mapping[Words, Part] = {one: part for one, part in said.items() if not meets(one, self._owned)}

    def wordings(self) -> Iterator[Wording]:
        """Yield the words, the clearest first."""
        line, language = self._line, self._line.language
        left, when = left_of(line, self._heard.gone), self._heard.trigger
        task = "" if self._heard.brings else as_task(left, language)
        if task:
            yield Wording(task)
        named = left_of(line, self._heard.gone, self._fields | self._named | self._folder)
        clause = None if self._parts else wished_task(named, line, self._said_of_it())
        if clause is not None:
            yield Wording(clause.text, title=clause.title)
        change = into_contacts(left, when.predicate, language) if isinstance(when, Learnt) else ""
        if change:
            yield Wording(change)
        names = machine_pronouns(line, self._heard)
        plain, written = ([names, {}] if names else self._plain()), list(self._written())
        for instead in (*written, *plain) if self._parts or self._is_said_again() else (*plain, *written):
            said = self._request(instead)
            wish = plainly(with_verb(said, language), language, self._happens) if self._happens else said
            if instead is names and wish != said:  # a notice says what a person said
                continue
            text = as_written(wish, language) if instead in written else wish
            text = of_a_birthday(text, language) if self._heard.trigger == Learnt("birthday") else text
            opened = "" if self._place else on_screen(text, language)
            if opened:
                yield Wording(opened)
            names_it = bool(self._names) and self._names.items() <= instead.items()
            yield Wording(text, names_it, own=bool(self._tasks) and instead is self._tasks)
        others = {with_day_numbers(left, language): False}
        if not self._happens:
            ends = when.ends if isinstance(when, Recurring) else None
            others |= {until_its_end(left, ends, language): False} if ends is not None else {}
            others |= {of_its_time(left, line): False, as_notice(left, language): True}
        yield from (Wording(one, notice=tells) for one, tells in others.items() if one not in ("", left))

    def _request(self, instead: Instead) -> str:
        """What is asked for at the moment of the rule, with these words: without why, and without "at once"."""
        told = self._folder | self._fields | self._asked | self._named | instead
        said = without_reason(left_of(self._line, self._heard.gone, told))
        said = with_its_noun(said, self._another, self._line.language) if self._another else said
        said = at_its_moment(said, self._line.language) if self._happens else said
        return with_quoted_task(of_its_day(said, self._line.language), self._line.language)

    def _is_itself(self, stretch: Words) -> bool:
        """Tell whether a stretch means the whole of what comes: no part of it, and nothing that hangs on it."""
        owned = is_owned(self._line, stretch) and not isinstance(self._heard.trigger, Called)
        return not owned and not meets(stretch, self._asked) and self._line.norm(stretch[1] - 1) not in HUNG

    def _said_of_it(self) -> str:
        """The words of the trigger."""
        return " ".join(self._line.slice(*stretch) for stretch in self._heard.words)

    def _is_said_again(self) -> bool:
        """Tell whether words for what is told come twice: "it" is that, and not what was made of it meanwhile."""
        return self._kind == "text" and len(self._pronouns) > 1

    def called(self) -> list[str]:
        """Return what the thing and its parts are called in the rule: none of it is a value by itself."""
        found = list[str]()
        for first, last in self._heard.brings:
            found.append(self._line.slice(first, last))
            field = self._fields.get((first, last), "")
            found += (self._line.raw(last - 1), field, field.partition(" ")[2]) if field else ()
        found += [self._line.slice(*one) for one in self._names if not is_owned(self._line, one)]
        for stretch, words in self._asked.items():
            found += (self._line.slice(*stretch), words, words.partition(" ")[2])
        return found

    @property
    def wants_part(self) -> bool:
        """Whether the files of a mail are spoken of and the mail is not: whoever copies them copies no mail."""
        nouns = [self._line.norm(last - 1) for _, last in self._heard.brings]
        parts = {part_of(self._kind, noun) for noun in nouns}
        return self._kind == "mail" and "attachments" in parts and _MAILS.isdisjoint(nouns)

    def parts(self) -> list[str]:
        """Return what the parts of what is told are called in the rule."""
        return [self._line.slice(*stretch) for stretch in self._parts]

    def _plain(self) -> list[Instead]:
        """As it was said, with what is read out of the thing said to be its own, with pronouns, with its heading, and
        with quoted words that stand in for its parts.
        """
        heading = heading_of(self._kind, self._line.language)
        others = {one: word for one, word in self._pronouns.items() if one not in self._named}
        headed = dict.fromkeys(self._pronouns, heading) if heading else {}
        out_of = {one: f"aus {self._place}" for one in others if self._line.norm(one[0]) in _OUT_OF_IT and self._place}
        first = [self._names | self._owned] if self._names else []
        told = (self._quoted, others | self._quoted) if self._quoted else ()
        return [*first, *filter(None, (self._tasks, self._owned)), {}, *filter(None, (out_of, others, headed, *told))]

    def _is_its_name(self, stretch: Words) -> bool:
        """Tell whether a stretch is "its name", which the file has that came, and no copy of it."""
        first, last = stretch
        return is_owned(self._line, stretch) and last == first + 2 and self._line.norm(first + 1) in _NAME

    def _written(self) -> Iterator[Instead]:
        """With words that stand in for parts of it, and for all of what is told."""
        stands = {one: f" {stands_for(part)}" for one, part in self._parts.items()}
        others = {
            one: word for one, word in self._pronouns.items()
            if one not in self._named and not meets(one, self._parts)
        }  # fmt: skip
        whole = Part.NAME if isinstance(self._heard.trigger, Added) else Part.TEXT
        spelled = {one: f" {stands_for(whole)}" for one in others} if self._kind == "text" else {}
        if self._heard.trigger == Learnt("birthday") and others:  # it is a day of somebody's
            tokens = enumerate(self._line.tokens)
            mended: Instead = {(at, at + 1): one.norm for at, one in tokens if is_mended(one)}  # nobody's own text
            spelled = mended | {next(iter(others)): f" {birthday_words(self._line.language)}"}
        if stands:
            yield from (self._owned | stands, self._owned | others | stands, spelled | stands)
        elif spelled:
            yield spelled

    def _is_what_hangs(self, stretch: Words) -> bool:
        """Tell whether what is saved as "it" is what has to hang on the mail: "there's a PDF attached, save it"."""
        line, (first, last) = self._line, stretch
        saved = line.norm(first - 1) in _SAVES and last == first + 1 and line.norm(last) in _INTO
        return saved and is_attached(self._heard)

    def _field(self, stretch: Words) -> str:
        """Return a part of the thing ("seinem Ort") as the tool calls it ("seinem place"); empty where it is none."""
        first, last = stretch
        if self._kind == "mail" and (is_taken_out(self._line, stretch) or self._is_what_hangs(stretch)):
            return "the attachment of it"
        owned = is_owned(self._line, stretch) and last == first + 2
        field = part_of(self._kind, self._line.norm(last - 1)) if owned else ""
        return f"{self._line.raw(first)} {field}" if field else ""
