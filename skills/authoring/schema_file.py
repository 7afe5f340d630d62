"""The JSON Schema of ``steward.toml``, for editors: made from the model that reads it, so that both say the same.

``python -P -m skills.authoring.write_schema`` writes ``docs/steward.schema.json``; a test holds that file against it.
Source: JSON Schema 2020-12; the comment ``#:schema`` of taplo and of Even Better TOML.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from skills.manifest import Manifest

PLACE = Path(__file__).resolve().parents[2] / "docs" / "steward.schema.json"
"""Where the schema lies in the sources."""

_ID = "urn:steward:schema:steward.toml:1"
_DIALECT = "https://json-schema.org/draft/2020-12/schema"

DESCRIBED: Mapping[str, Mapping[str, str]] = {
    "Manifest": {
        "format": "The form of this file; 1 where nothing is said.",
        "version": "The version of the skill: three numbers (1.0.0).",
        "title": "What the skill is called where a person reads it, in English.",
        "entry": "The file with the tools.",
        "reminds": "Why it may tell something at a time; without this line nothing is put on the clock.",
        "publisher": "The minisign public key of whoever signs the package; empty where nobody does.",
        "words": "What the choices of a Literal are called, by parameter, choice and language; for every tool.",
        "suffixes": "By parameter and choice, the suffixes of such files, without the dot.",
        "nouns": "Groups of nouns that mean the same in the name of a file (invoice, bill, Rechnung), by language.",
        "says": "Translations by language: each English text that a person reads, and what it is there.",
        "tools": "The tools, by the name of their function in skill.py.",
        "server": "The MCP server whose tools, in tools.json, are the skill's; in place of tools.",
        "python": "The Python packages of others that the tools need.",
    },
    "PythonEntry": {
        "requires": "Packages and versions, as pip writes them: tabulate >= 0.9. requirements.lock pins them.",
    },
    "ServerEntry": {
        "command": "The program of the server and its arguments; or a url.",
        "url": "The address of the server; or a command.",
        "env": "Environment variables of the program.",
        "secrets": "Secrets of the vault that it is told: by environment variable, or by header where it has a url.",
        "reads": "What it may read: files, or with a slash at the end folders with all in them.",
        "writes": "Folders, with a slash at the end, in which it may change, make and delete files.",
        "hosts": "What it may reach: host:port.",
        "programs": "Where its own program lies: files, or folders with a slash at the end.",
        "safe": "Tools, as the server calls them, that change nothing; you say so, never the server.",
        "limits": "What one call may use.",
    },
    "ToolEntry": {
        "effect": "pure changes nothing; idempotent may run again after a crash; once may not.",
        "examples": "By language, sentences that mean this tool; {parameter:words} marks a value. Ten or more each.",
        "rights": "What it may ask for, each with the reason that a person reads.",
        "limits": "What one call may use.",
        "words": "What the choices of a Literal are called, for this tool.",
        "roles": "How far an untrusted value may go: a sink says where something goes, a payload what goes there.",
        "ahead": "Parameters whose days are to come: 'on Friday' is the next one.",
        "early": "Parameters of which a bare hour is one of the morning: 'at half past five' is 05:30.",
        "found": "Parameters that nobody names: what a tool of the skill found before.",
        "people": "Parameters (a Query) that say who somebody is: other names of theirs mean them, too.",
        "amends": "Tools of the skill whose work this one puts right, and which parameter takes what was given there.",
        "brings": "A thing of this kind that sets a rule off is like one that the tool found.",
        "adds": "What kind of thing it adds, which parameter gives it a name, and what a person calls one.",
        "gathers": "It makes one text of its texts: several results go through it into one text ('save both').",
        "beside": "By parameter, words of which a request that gives it has one; <when> stands for a day or a time.",
        "units": "By parameter (a number), the unit it is in (m, kg, min): what is said in another one is converted.",
        "defaults": "By parameter that must be given (no sink), the value that is taken where it is not said.",
        "names": "By parameter (a Title), the pattern of the files of which it is a name: ~/Notes/*.md",
        "works_in": "Parameters (one Folder each) in which the tool changes files in its own way, in a layer.",
        "requires": "What is held before a call: exists {p}, absent {p}, some {p}.",
        "ensures": "What is held after it: some, exists, gone {p}, as many as {p}, at most {p}.",
        "runs_programs": "Why it runs programs; without this line no program starts.",
    },
    "AddsEntry": {
        "what": "The kind of thing: task, event, note. Tools of several skills may add things of one kind.",
        "called": "The parameter that gives it a name.",
        "words": "By language, what a person says for one, with its article: a task, an item.",
        "places": "By language, what it is added to: to-do list.",
    },
    "RightEntry": {
        "action": "What it wants to do.",
        "scope": "Where: a path with {p}, {p:folder} or {p|~}, /** for everything below; host:port; a tool's id.",
        "reason": "Why, as a person reads it on the card.",
    },
    "LimitEntry": {
        "wall_s": "Seconds, 30 when absent.",
        "memory_mib": "Mebibytes, 1024 when absent.",
    },
}  # fmt: skip
"""What each key is for, by the model's class and field."""


def schema() -> dict[str, Any]:
    """Return the schema with a description of every key."""
    made: dict[str, Any] = Manifest.model_json_schema()
    for name, table in _tables(made):
        for key, text in DESCRIBED.get(name, {}).items():
            if key in table.get("properties", {}):
                table["properties"][key]["description"] = text
    made["title"] = "steward.toml"
    made["required"] = [one for one in made["required"] if one != "tools"]
    made["oneOf"] = [{"required": ["tools"]}, {"required": ["server"]}]
    return {"$schema": _DIALECT, "$id": _ID, **made}


def schema_text() -> str:
    """Return the schema as the file holds it."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


def directive() -> str:
    """Return the first line of a ``steward.toml`` that leads an editor to the schema; "" where there is none."""
    return f"#:schema {PLACE.as_uri()}\n" if PLACE.is_file() else ""


def _tables(made: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    yield "Manifest", made
    yield from made.get("$defs", {}).items()
