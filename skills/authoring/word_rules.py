"""Findings about the words of a skill: examples that teach too little, choices without words, texts without German."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from skills.authoring.code_rules import Looked
from skills.authoring.model import Finding, Severity
from skills.manifest import MANIFEST, Manifest, line_of
from skills.model import Example, Parameter, Tool, ValueKind

LANGUAGES: Mapping[str, str] = {"en": "English", "de": "German"}
FEW = 5
"""With fewer examples a tool is hardly told from others."""

_VALUE = re.compile(r"""\b\d[\d.,:]*\b|"[^"]+"|“[^”]+”|„[^“]+“""")
_TOO_WIDE = ("~/**", "/**", "~", "/")


def of_tool_words(one: Looked) -> Iterator[Finding]:
    """Yield what is wrong with the examples and the words of a tool."""
    for language, name in LANGUAGES.items():
        examples = [example for example in one.tool.examples if example.language == language]
        yield from _how_many(one, language, name, len(examples))
        if examples:
            yield from _never_marked(one, language, name, examples)
        for example in examples:
            yield from _not_marked(one, example)
    yield from _choices(one)
    yield from _wide(one)


def _how_many(one: Looked, language: str, name: str, count: int) -> Iterator[Finding]:
    line = one.line("examples") if count == 0 else one.line(f"examples.{language}", "examples", language)
    if count == 0:
        message = f"{one.tool.function} has no {name} examples, so it is not understood in {name}."
        yield _warning(line, "examples.none", message, f"Add examples.{language} = [...] as people talk.")
    elif count < FEW:
        message = f"{one.tool.function} has {count} {name} example{'s' * (count > 1)}."
        yield _warning(line, "examples.few", message, "Write ten: commands, questions, polite and terse ones.")


def _never_marked(one: Looked, language: str, name: str, examples: Sequence[Example]) -> Iterator[Finding]:
    marked = {slot.parameter for example in examples for slot in example.slots}
    for parameter in one.tool.parameters:
        if parameter.required and parameter.name not in marked:
            message = f"{one.tool.function} needs {parameter.name}, and no {name} example marks one."
            line = one.line(f"examples.{language}", "examples", language)
            yield _warning(line, "examples.unmarked", message, f"Mark it where it stands: {{{parameter.name}:words}}")


def _not_marked(one: Looked, example: Example) -> Iterator[Finding]:
    """A number or a quoted text that no mark holds, in an example that leaves a parameter open."""
    marked = {slot.parameter for slot in example.slots}
    open_ones = [each for each in one.tool.parameters if each.name not in marked]
    rest, at = "", 0
    for slot in example.slots:
        rest, at = f"{rest}{example.text[at : slot.start]}\n", slot.end
    found = _VALUE.search(rest + example.text[at:])
    if found and open_ones:
        names = ", ".join(each.name for each in open_ones)
        message = f"{example.text!r} holds the value {found[0]} and does not mark it."
        line = one.quoted(example.text[: example.slots[0].start] if example.slots else example.text)
        yield _warning(line, "examples.value", message, f"Mark it as {{parameter:{found[0]}}}; open are: {names}.")


def _choices(one: Looked) -> Iterator[Finding]:
    for parameter in one.tool.parameters:
        if parameter.type.kind is not ValueKind.CHOICE:
            continue
        silent = [choice for choice in parameter.type.choices if not parameter.words.get(choice, {}).get("de")]
        if silent:
            message = f"{one.tool.function}: {parameter.name} = {silent[0]} has no German words."
            hint = f'Write [words.{parameter.name}] {silent[0]} = {{ en = ["..."], de = ["..."] }}'
            yield _warning(one.line("words", parameter.name), "words.german", message, hint)


def _wide(one: Looked) -> Iterator[Finding]:
    for right in one.entry.rights:
        if right.action.startswith("fs.") and right.scope in _TOO_WIDE:
            message = f"{one.tool.function} asks for {right.action} of {right.scope}, which is everything."
            yield _warning(one.quoted(f'"{right.scope}"'), "rights.wide", message,
                           "Name a folder of its own, or the path of a parameter: {file}.")  # fmt: skip


def of_manifest_words(manifest: Manifest, text: str, tools: Sequence[Tool]) -> Iterator[Finding]:
    """Yield words that serve no tool, sentences that mean two, and texts that are English only."""
    yield from _unused(manifest, text, tools)
    yield from _twice(text, tools)
    yield from _untranslated(manifest, text, tools)


def _unused(manifest: Manifest, text: str, tools: Sequence[Tool]) -> Iterator[Finding]:
    known: dict[str, list[Parameter]] = {}
    for tool in tools:
        for parameter in tool.parameters:
            known.setdefault(parameter.name, []).append(parameter)
    tables: list[tuple[str, Mapping[str, Mapping[str, object]]]] = []
    tables += [("words", manifest.words), ("suffixes", manifest.suffixes)]
    for table, given in tables:
        for name, choices in given.items():
            line = line_of(text, [table, name])
            offered = {choice for parameter in known.get(name, ()) for choice in parameter.type.choices}
            if not offered:
                message = f"[{table}.{name}]: no tool has a parameter {name} with choices."
                yield _warning(line, f"{table}.unused", message, "Take it out, or correct the name.")
            for choice in sorted(set(choices) - offered) if offered else ():
                message = f"[{table}.{name}]: {choice} is no choice of {name}."
                line = line_of(text, [table, name, choice])
                yield _warning(line, f"{table}.unused", message, f"Choices: {', '.join(sorted(offered))}.")


def _twice(text: str, tools: Sequence[Tool]) -> Iterator[Finding]:
    seen: dict[str, Tool] = {}
    for tool in tools:
        for example in tool.examples:
            first = seen.setdefault(f"{example.language} {example.text.casefold().strip(' .!?')}", tool)
            if first is not tool:
                message = f"{example.text!r} is an example of {first.function} and of {tool.function}."
                line = line_of(text, ["tools", tool.function])
                yield _warning(line, "examples.twice", message, "A phrase that two tools share belongs to neither.")


def _untranslated(manifest: Manifest, text: str, tools: Sequence[Tool]) -> Iterator[Finding]:
    said = [manifest.title, *(tool.summary for tool in tools)]
    said += [each.doc for tool in tools for each in tool.parameters]
    said += [entry.reason for tool in manifest.tools.values() for entry in tool.rights]
    missing = [one for one in dict.fromkeys(said) if one and one not in manifest.says.get("de", {})]
    missing = [one for one in missing if one != manifest.title]  # a name may well be the same
    if missing:
        more = f" (and {len(missing) - 1} more)" if len(missing) > 1 else ""
        message = f"{missing[0]!r}{more} is shown in English to people who speak German."
        yield _warning(
            line_of(text, ["says", "de"]), "says.missing", message, f'Below [says.de]: "{missing[0]}" = "..."'
        )


def _warning(line: int, code: str, message: str, hint: str) -> Finding:
    return Finding(MANIFEST, line, Severity.WARNING, code, message, hint)
