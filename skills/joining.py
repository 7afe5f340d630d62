"""One tool: its entry in the manifest, its signature and its examples joined, every cross-reference checked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any, NoReturn

from permissions.model import Action
from skills.errors import BadResult, BadSkill
from skills.examples import parse_example
from skills.manifest import MANIFEST, Manifest, ToolEntry, line_of
from skills.model import (
    OWN,
    Adds,
    Check,
    Clause,
    EffectClass,
    Example,
    Parameter,
    ParamRole,
    RightTemplate,
    SkillId,
    Tool,
    ToolId,
    ToolLimits,
    ValueKind,
)
from skills.roles import role_of
from skills.schema import Signature
from skills.values import to_python

_TOOL = re.compile(r"[a-z][a-z0-9-]{1,62}\.[a-z_][a-z0-9_]{0,62}")
_HOLE = re.compile(r"\{([^{}]*)\}")
_HOLE_INSIDE = re.compile(r"([a-z_][a-z0-9_]*)(:folder|:host)?(\|~(?:/[^{}*]*)?)?")
_LEAST_GATHERED = 2
_TO_WORK = (Action.FS_READ, Action.FS_CREATE, Action.FS_WRITE, Action.FS_DELETE)
IN_ITS_OWN_WAY = "it may change anything there; you see the changes before they count"
IN_ITS_OWN_WAY_ALWAYS_ASKED = (
    "it may change anything there, so it is asked every time; you see the changes before they count"
)
_OWN_WORDS = {
    "de": {
        IN_ITS_OWN_WAY: "es darf dort alles ändern; du siehst die Änderungen, bevor sie gelten",
        IN_ITS_OWN_WAY_ALWAYS_ASKED: (
            "es darf dort alles ändern, deshalb wird jedes Mal gefragt; du siehst die Änderungen, bevor sie gelten"
        ),
    }
}


class Joined:
    """One tool's manifest entry on its way to a ``Tool``; knows where to point when something is wrong."""

    def __init__(self, folder: Path, text: str, manifest: Manifest, name: str, entry: ToolEntry) -> None:
        self._folder, self._text, self._manifest, self._name, self._entry = folder, text, manifest, name, entry

    def tool(self, skill: SkillId, signatures: Mapping[str, Signature]) -> Tool:
        """Return the tool. Raises BadSkill with what is wrong, where, and what to do."""
        signature = signatures.get(self._name)
        if signature is None:
            known = ", ".join(sorted(signatures)) or "none"
            self._refuse([], f"skill.py has no tool {self._name}", f"Tools take a Context first; there are: {known}.")
        names = {parameter.name for parameter in signature.parameters}
        self._check_names("words", self._entry.words, names)
        self._check_names("roles", self._entry.roles, names)
        self._check_names("names", self._entry.names, names)
        self._check_names("ahead", self._entry.ahead, names)
        self._check_names("early", self._entry.early, names)
        self._check_names("found", self._entry.found, names)
        self._check_names("people", self._entry.people, names)
        self._check_names("beside", self._entry.beside, names)
        self._check_names("units", self._entry.units, names)
        self._check_names("defaults", self._entry.defaults, names)
        return Tool(
            id=ToolId(f"{skill}.{self._name}"),
            skill=skill,
            function=self._name,
            summary=signature.summary,
            effect=self._entry.effect,
            parameters=tuple(self._parameter(parameter) for parameter in signature.parameters),
            result=signature.result,
            examples=self._examples(names),
            rights=(*self._rights(names), *self._rights_to_work(signature)),
            limits=ToolLimits(self._entry.limits.wall_s, self._entry.limits.memory_mib << 20),
            says=_with_own_words(self._manifest.says),
            works_in=tuple(self._entry.works_in),
            runs_programs=self._entry.runs_programs is not None,
            requires=tuple(self._clauses("requires", self._entry.requires, signature)),
            ensures=tuple(self._clauses("ensures", self._entry.ensures, signature)),
            nouns=tuple(tuple(chain(*said.values())) for said in self._manifest.nouns.values()),
            amends=self._amends(signature, signatures),
            brings=self._entry.brings or "",
            adds=self._adds(names),
            gathers=self._gathers(signature),
        )

    def _adds(self, names: set[str]) -> Adds | None:
        one = self._entry.adds
        if one is None:
            return None
        self._check_names("adds", [one.called], names)
        if self._entry.effect is EffectClass.PURE:
            self._refuse(["adds"], f"{self._name} is pure and wants to add something", "Use idempotent or once.")
        words, places = ({lang: tuple(said) for lang, said in all.items()} for all in (one.words, one.places))
        return Adds(one.what, one.called, words, places)

    def _gathers(self, signature: Signature) -> bool:
        """Tell whether the tool makes one text of several. Raises BadSkill where it does anything else."""
        if not self._entry.gathers:
            return False
        kinds = [(parameter.type.kind, parameter.type.many) for parameter in signature.parameters]
        if self._entry.effect is not EffectClass.PURE or self._entry.rights:
            self._refuse(["gathers"], f"{self._name} gathers, and wants to do more", "Use pure, and no rights.")
        if len(kinds) < _LEAST_GATHERED or {*kinds, (signature.result.kind, signature.result.many)} != {
            (ValueKind.TEXT, False)
        }:
            self._refuse(
                ["gathers"], f"{self._name} does not make one text of texts", "Take two Text or more, and return Text."
            )
        return True

    def _amends(self, signature: Signature, signatures: Mapping[str, Signature]) -> Mapping[str, Mapping[str, str]]:
        own = {parameter.name: parameter.type for parameter in signature.parameters}
        for function, given in self._entry.amends.items():
            if function not in signatures:
                self._refuse(["amends", function], f"skill.py has no tool {function}", "Name a tool of this skill.")
            self._check_names("amends", given, set(own))
            theirs = {*(one.name for one in signatures[function].parameters), *signatures[function].result.fields}
            for name, taken in given.items():
                known = set(own[name].choices) if own[name].kind is ValueKind.CHOICE else theirs
                if taken not in known:
                    self._refuse(["amends", function], f"{function} has no parameter {taken}", self._known(known))
        return self._entry.amends

    def _clauses(self, key: str, lines: Sequence[str], signature: Signature) -> Iterator[Clause]:
        """Yield what the tool requires or ensures: ``exists {file}``."""
        kinds = {parameter.name: parameter.type for parameter in signature.parameters}
        for line in lines:
            check, _, rest = line.partition(" {")
            name = rest.removesuffix("}")
            self._check_names(key, [name] if name else [], set(kinds))
            if check == Check.AT_MOST and kinds[name].kind is not ValueKind.INTEGER:
                self._refuse([key], f"{name} is no whole number", "Only a parameter of type int bounds a count.", line)
            yield Clause(Check(check), name)

    def _rights(self, names: set[str]) -> Iterator[RightTemplate]:
        return (self._right(index, names) for index in range(len(self._entry.rights)))

    def _rights_to_work(self, signature: Signature) -> Iterator[RightTemplate]:
        """Yield the rights on the folders in which the tool works: everything, and why."""
        kinds = {parameter.name: parameter.type for parameter in signature.parameters}
        self._check_names("works_in", self._entry.works_in, set(kinds))
        if self._entry.works_in and self._entry.effect is EffectClass.PURE:
            self._refuse(["works_in"], f"{self._name} is pure and wants to change a folder", "Use idempotent or once.")
        for name in self._entry.works_in:
            if kinds[name].kind is not ValueKind.FOLDER or kinds[name].many:
                self._refuse(["works_in"], f"{name} is not one folder", "Only a parameter of type Folder is worked in.")
            always = IN_ITS_OWN_WAY_ALWAYS_ASKED if self._entry.effect is EffectClass.ONCE else IN_ITS_OWN_WAY
            reasons = (self._entry.runs_programs, always, always, always)
            for action, reason in zip(_TO_WORK, reasons, strict=True):
                yield RightTemplate(str(action), f"{{{name}}}/**", reason or always)

    def _unit(self, parameter: Parameter) -> str:
        """The unit that a number is in. Raises BadSkill for what is no number."""
        unit = self._entry.units.get(parameter.name, "")
        if unit and (parameter.type.kind not in (ValueKind.NUMBER, ValueKind.INTEGER) or parameter.type.many):
            self._refuse(["units", parameter.name], f"{parameter.name} is no number", "Only an int or float is in one.")
        return unit

    def _usual(self, parameter: Parameter, role: ParamRole) -> Any:
        """What is taken where the parameter is not said. Raises BadSkill for a sink, and where it may be left out."""
        value, name = self._entry.defaults.get(parameter.name), parameter.name
        if value is None:
            return None
        if role is ParamRole.SINK:
            self._refuse(
                ["defaults", name], f"{name} is a sink, and has no default", "A person decides on it each time."
            )
        if not parameter.required:
            self._refuse(["defaults", name], f"{name} may be left out already", "Its default stands in skill.py.")
        try:
            to_python(value, parameter.type, name)
        except BadResult as error:
            self._refuse(["defaults", name], f"{value!r} is no value for {name}", str(error))
        return value

    def _parameter(self, parameter: Parameter) -> Parameter:
        rights = ((str(right.action), right.scope) for right in self._entry.rights)
        role = role_of(parameter.name, parameter.type.kind, self._entry.roles.get(parameter.name), rights)
        ahead, early = parameter.name in self._entry.ahead, parameter.name in self._entry.early
        found = self._found(parameter)
        beside = tuple(word.casefold() for word in self._entry.beside.get(parameter.name, ()))
        names, person = self._named(parameter), self._is_person(parameter)
        parameter = replace(
            parameter, role=role, names=names, ahead=ahead, early=early, found=found, person=person, beside=beside,
            unit=self._unit(parameter), usual=self._usual(parameter, role),
        )  # fmt: skip
        own = self._entry.words.get(parameter.name)
        if parameter.type.kind is not ValueKind.CHOICE:
            if own is not None:
                self._refuse(
                    ["words", parameter.name], f"{parameter.name} is not a choice", "Only a Literal has words."
                )
            return parameter
        words = own if own is not None else self._manifest.words.get(parameter.name, {})
        for choice in own or {}:
            if choice not in parameter.type.choices:
                known = ", ".join(parameter.type.choices)
                self._refuse(
                    ["words", parameter.name, choice],
                    f"{choice} is not a choice of {parameter.name}",
                    f"Choices: {known}.",
                )
        spoken = {
            choice: {language: tuple(texts) for language, texts in words.get(choice, {}).items()}
            or {"en": (choice.replace("_", " "),)}
            for choice in parameter.type.choices
        }
        return replace(parameter, words=spoken, suffixes=self._suffixes(parameter) if own is None else {})

    def _suffixes(self, parameter: Parameter) -> dict[str, tuple[str, ...]]:
        """The suffixes of each choice of a parameter that is called as one whose choices are kinds of files."""
        given = self._manifest.suffixes.get(parameter.name, {})
        return {choice: tuple(given[choice]) for choice in parameter.type.choices if choice in given}

    def _is_person(self, parameter: Parameter) -> bool:
        given = parameter.name in self._entry.people
        if given and (parameter.type.kind is not ValueKind.QUERY or parameter.type.many):
            self._refuse(["people"], f"{parameter.name} is no Query", "Only words that are looked for name somebody.")
        return given

    def _found(self, parameter: Parameter) -> bool:
        """Whether it is what a tool of the skill found before: an optional file."""
        found = parameter.name in self._entry.found
        if found and (parameter.type.kind is not ValueKind.FILE or parameter.required):
            self._refuse(["found"], f"{parameter.name} is no optional file", "Only a parameter of type File | None is.")
        return found

    def _named(self, parameter: Parameter) -> str:
        """Return the pattern of the files of which the parameter is a name, "" for none."""
        pattern = self._entry.names.get(parameter.name, "")
        if pattern and parameter.type.kind is not ValueKind.TITLE:
            self._refuse(["names", parameter.name], f"{parameter.name} is no Title", "Only a Title names files.")
        return pattern

    def _examples(self, names: set[str]) -> tuple[Example, ...]:
        found = []
        for language, markups in self._entry.examples.items():
            for markup in markups:
                try:
                    example = parse_example(markup, language)
                except ValueError as error:
                    self._refuse(
                        ["examples", language], f"in {markup!r}, {error}", "Mark values as {parameter:words}.", markup
                    )
                unknown = [slot.parameter for slot in example.slots if slot.parameter not in names]
                if unknown:
                    self._refuse(["examples", language], f"{markup!r} names {unknown[0]}", self._known(names), markup)
                found.append(example)
        return tuple(found)

    def _right(self, index: int, names: set[str]) -> RightTemplate:
        entry = self._entry.rights[index]
        inner = _HOLE.findall(entry.scope)
        for hole in inner:
            match = _HOLE_INSIDE.fullmatch(hole)
            if match is None or match[1] not in names:
                hint = f"{self._known(names)} Write {{p}}, {{p:folder}}, {{p:host}} or {{p|~}}."
                self._refuse(["rights"], f"the scope {entry.scope} names {{{hole}}}", hint, f'"{entry.scope}"')
        if len(inner) > 1:
            self._refuse(["rights"], f"the scope {entry.scope} names two parameters", "Name one.", f'"{entry.scope}"')
        if entry.action.startswith("fs.") and not entry.scope.startswith(("~", "/", "{", f"{OWN}/")):
            hint = "Begin with ~/, /, {parameter} or own/ (the skill's own folder)."
            self._refuse(["rights"], f"the scope {entry.scope} is not a path", hint, f'"{entry.scope}"')
        if entry.action is Action.SKILL_CALL and not _TOOL.fullmatch(entry.scope):
            hint = "Write the id of a tool, such as files.find."
            self._refuse(["rights"], f"the scope {entry.scope} is not a tool", hint, f'"{entry.scope}"')
        return RightTemplate(str(entry.action), entry.scope, entry.reason)

    def _check_names(self, key: str, given: Iterable[str], names: set[str]) -> None:
        for name in given:
            if name not in names:
                self._refuse([key, name], f"{self._name} has no parameter {name}", self._known(names))

    @staticmethod
    def _known(names: set[str]) -> str:
        return f"Parameters: {', '.join(sorted(names)) or 'none'}."

    def _refuse(self, keys: list[str], what: str, hint: str, quote: str = "") -> NoReturn:
        lines = self._text.splitlines()
        start = line_of(self._text, ["tools", self._name]) - 1
        quoted = next((number + 1 for number in range(start, len(lines)) if quote and quote in lines[number]), 0)
        line = quoted or line_of(self._text, ["tools", self._name, *keys])
        message = f"{self._folder / MANIFEST}:{line}: {what}."
        raise BadSkill("skill.manifest", message, subject=self._folder.name, hint=hint)


def _with_own_words(says: Mapping[str, Mapping[str, str]]) -> Mapping[str, Mapping[str, str]]:
    """Return what a skill says in other languages together with the reasons that are not its own."""
    return {**says, **{language: {**says.get(language, {}), **own} for language, own in _OWN_WORDS.items()}}
