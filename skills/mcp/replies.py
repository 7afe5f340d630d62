"""What a server returns, in the daemon's words; made in the server's cell."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping
from typing import Any

import mcp_types as types
from jsonschema import exceptions
from jsonschema.validators import Draft202012Validator, validator_for

from skills.mcp.texts import plain
from skills.mcp.wire import MOST_PICTURE_BYTES, MOST_PICTURES, MOST_TEXT

Said = dict[str, Any]


def error(code: str, message: str) -> Said:
    """Return a reply that is an error."""
    return {"error": {"code": code, "message": plain(message, 1500)}}


def of_tool(result: types.CallToolResult) -> Said:
    """Return what a tool gave back; an error of the tool's own is its text."""
    said = _content(result.content)
    if result.is_error:
        return error("server.refused", said["text"] or "it says that it failed, and not why")
    return said | {"structured": result.structured_content}


def of_resource(result: types.ReadResourceResult) -> Said:
    """Return what a resource holds."""
    return _content(types.EmbeddedResource(type="resource", resource=one) for one in result.contents)


def of_resources(listed: Iterable[Mapping[str, Any]], templates: Iterable[Mapping[str, Any]]) -> Said:
    """Return what there is to read, a line each: what it is called, its address, and what it says of itself."""
    lines = [_line(one, str(one.get("uri"))) for one in listed]
    lines += [_line(one, str(one.get("uriTemplate"))) for one in templates]
    text = "\n".join(lines)
    notes = [f"{len(lines)} resources, of which the first are kept"] if len(text) > MOST_TEXT else []
    return {"text": text[:MOST_TEXT], "pictures": [], "notes": notes}


def _line(one: Mapping[str, Any], place: str) -> str:
    about = plain(one.get("description"), 200)
    return f"{plain(one.get('title') or one.get('name'), 100)}: {plain(place, 500)}{f' ({about})' if about else ''}"


def of_prompt(result: types.GetPromptResult) -> Said:
    """Return a prompt, one paragraph a message."""
    return _content(one.content for one in result.messages)


def _content(blocks: Iterable[Any]) -> Said:
    texts: list[str] = []
    pictures: list[Said] = []
    notes: list[str] = []
    for block in blocks:
        match block:
            case types.TextContent():
                texts.append(block.text)
            case types.ImageContent() if (
                len(pictures) < MOST_PICTURES and len(block.data) < MOST_PICTURE_BYTES * 4 // 3
            ):
                pictures.append({"media_type": block.mime_type, "content": block.data})
            case types.ImageContent() | types.AudioContent():
                notes.append(f"{block.mime_type}, {len(block.data) * 3 // 4} bytes: not shown")
            case types.ResourceLink():
                notes.append(f"{block.name}: {block.uri}")
            case types.EmbeddedResource(resource=types.TextResourceContents() as found):
                texts.append(found.text)
            case types.EmbeddedResource(resource=types.BlobResourceContents() as found):
                size = len(base64.b64decode(found.blob, validate=False))
                notes.append(f"{found.uri}: {found.mime_type or 'data'}, {size} bytes: not shown")
            case _:
                notes.append("something of a kind that is not known here")
    text = "\n".join(texts)
    if len(text) > MOST_TEXT:
        notes.append(f"{len(text)} characters, of which the first {MOST_TEXT} are kept")
    return {"text": text[:MOST_TEXT], "pictures": pictures, "notes": [plain(note, 200) for note in notes]}


class Fit:
    """Holds arguments to the schemas of tools, each read once."""

    def __init__(self) -> None:
        self._read: dict[str, Any] = {}

    def wrong(self, digest: str, schema: Mapping[str, Any], arguments: Mapping[str, Any]) -> str:
        """Return why ``arguments`` do not fit a tool's own schema, "" where they do. ``digest`` names the tool."""
        try:
            if digest not in self._read:
                self._read[digest] = _validator(schema)
            if self._read[digest].is_valid(arguments):
                return ""
            found = exceptions.best_match(self._read[digest].iter_errors(arguments))
        except Exception as problem:  # whatever a schema of somebody's does to its reader
            return f"its schema for the arguments cannot be used ({type(problem).__name__})"
        if found is None:
            return ""
        where = ".".join(map(str, found.absolute_path))
        return plain(f"{where}: {found.message}" if where else found.message, 400)


def _validator(schema: Mapping[str, Any]) -> Any:
    kind = validator_for(schema, default=Draft202012Validator)
    kind.check_schema(schema)
    return kind(schema)


def fault(problem: BaseException) -> str:
    """Say in one line what went wrong, of a group of faults the first."""
    while isinstance(problem, BaseExceptionGroup) and problem.exceptions:
        problem = problem.exceptions[0]
    return plain(f"{problem}" or type(problem).__name__, 400) or type(problem).__name__
