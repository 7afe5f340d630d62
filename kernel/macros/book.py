"""Which macros there are, made again from the ledger.

What this stops: a macro whose words were forgotten, or that cannot be read, being run. What it does not: run anything.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from kernel.macros.macro_json import from_json
from kernel.macros.model import Macro
from memory.model import Event

_log = logging.getLogger("steward.kernel")

KEPT, RENAMED, PHRASED, REMOVED = "macro.kept", "macro.renamed", "macro.phrased", "macro.removed"
CALLED = "macro.called"
"""Of a run: it came of a macro. Body: name, key, by (words or name), and what had changed since it was frozen."""

KINDS = (KEPT, RENAMED, PHRASED, REMOVED)


class MacroBook:
    """The macros by their keys. One event loop only."""

    def __init__(self, events: Iterable[Event] = ()) -> None:
        """Fold ``events``, oldest first."""
        self._macros: dict[str, Macro] = {}
        self.keeping = asyncio.Lock()
        """Held while one is named and written down: no two are called alike."""
        for event in events:
            self.take_in(event)

    def take_in(self, event: Event) -> None:
        """Take in one event that was written. What was forgotten of one names none."""
        body = event.body or {}
        key = str(body.get("key"))
        if event.kind == KEPT:
            self._keep(body)
        elif event.kind == REMOVED:
            self._macros.pop(key, None)
        elif event.kind == RENAMED and key in self._macros:
            self._macros[key] = replace(self._macros[key], name=str(body["new"]))
        elif event.kind == PHRASED and key in self._macros:
            phrases: Any = body["phrases"]
            self._macros[key] = replace(self._macros[key], phrases=tuple(str(one) for one in phrases))

    def _keep(self, body: Mapping[str, Any]) -> None:
        try:
            macro = from_json(body)
        except (KeyError, ValueError, TypeError, AttributeError) as error:
            _log.warning("a macro in the ledger is malformed and left out: %s", error)
            return
        before = self.get(macro.name)
        if before is not None:
            del self._macros[before.key]
        self._macros[macro.key] = macro

    def get(self, name: str) -> Macro | None:
        """Return the macro of this name."""
        return next((one for one in self._macros.values() if one.name == name), None)

    def of_key(self, key: str) -> Macro | None:
        """Return the macro with this key, whatever it is called by now."""
        return self._macros.get(key)

    def every(self) -> tuple[Macro, ...]:
        """Return all macros, by name."""
        return tuple(sorted(self._macros.values(), key=lambda one: one.name))

    def kept_by(self, run: str) -> tuple[Macro, ...]:
        """Return the macros that ``run`` kept, and that are still there."""
        return tuple(one for one in self._macros.values() if one.run == run)
