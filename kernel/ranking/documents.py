"""Documents from tools: what a manifest and a docstring say, in the form that the shelf searches."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from kernel.ranking.model import Document
from kernel.ranking.words import split_name
from skills.model import Tool

_END = re.compile(r"(?<=[.!?])\s+(?=\S)")


def document_of(tool: Tool, around: str = "") -> Document:
    """Return the document of ``tool``; ``around`` is what its skill says of itself."""
    parameters = tuple(f"{split_name(one.name)} {one.doc}" for one in tool.parameters)
    return Document(
        tool.id, f"{split_name(tool.skill)} {split_name(tool.function)}", sentences(tool.summary), parameters, around,
        tuple(example.text for example in tool.examples),
    )  # fmt: skip


def sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of ``text``, by their marks."""
    return tuple(one for one in (part.strip() for part in _END.split(" ".join(text.split()))) if one)


def document_from(
    id: str, title: str, text: str, *, around: str = "", parameters: Mapping[str, str] | None = None,
    said: Callable[[str], str] = split_name,
) -> Document:  # fmt: skip
    """Return the document of a tool that is known by its name, its description and its parameters alone."""
    own = tuple(f"{said(name)} {doc}".strip() for name, doc in (parameters or {}).items())
    return Document(id, said(title), sentences(text), own, around)
