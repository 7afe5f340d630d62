"""Calls about what is done again: routines, macros, offers and suggestions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from portal.calls.calling import Calls, part
from portal.wire import Json


class HabitCalls(Calls):
    """What may be done with what comes again."""

    def routines(self) -> list[Json]:
        """Return the routines, by name."""
        return self._wire.listed("/routines", "routines")

    def routine(self, name: str) -> Json:
        """Return one routine with its plan and its rights."""
        return self._wire.call("GET", f"/routines/{part(name, 'routine')}")

    def change_routine(self, name: str, what: str) -> Json:
        """Let a routine ``pause`` or ``resume``; return it."""
        return self._wire.call("POST", f"/routines/{part(name, 'routine')}/{what}")

    def run_routine(self, name: str) -> str:
        """Have a routine run now; return the run's id."""
        return str(self._wire.call("POST", f"/routines/{part(name, 'routine')}/runs")["run"])

    def routine_versions(self, name: str) -> list[Json]:
        """Return what a routine was and is, the oldest first."""
        return self._wire.listed(f"/routines/{part(name, 'routine')}/versions", "versions")

    def routine_back(self, name: str, version: int, conversation: str | None = None) -> str:
        """Ask for a routine to be what it was as ``version``; return the run that waits for a yes."""
        body = {"version": version, "conversation": conversation}
        return str(self._wire.call("POST", f"/routines/{part(name, 'routine')}/back", json=body)["run"])

    def try_routine(self, name: str, file: str = "") -> str:
        """Begin a dry run of a routine, or of the rule that a run would keep; return the dry run's id."""
        return str(self._wire.call("POST", f"/routines/{part(name, 'routine')}/tries", json={"file": file})["run"])

    def routine_token(self, name: str) -> Json:
        """Make the token of a routine's webhook; return it with its address."""
        return self._wire.call("POST", f"/routines/{part(name, 'routine')}/token")

    def remove_routine(self, name: str, conversation: str | None = None) -> Json:
        """Take a routine away; return the grants that went with it, and the run whose undo brings all of it back."""
        said = {"conversation": conversation} if conversation else None
        return self._wire.call("DELETE", f"/routines/{part(name, 'routine')}", params=said)

    def macros(self) -> list[Json]:
        """Return the macros, by name."""
        return self._wire.listed("/macros", "macros")

    def macro(self, name: str) -> Json:
        """Return one macro with its plan."""
        return self._wire.call("GET", f"/macros/{part(name, 'macro')}")

    def new_macro(self, name: str, run: str, ask: Sequence[str], phrases: Sequence[str]) -> Json:
        """Make a macro of a run; ``ask`` are the values that it is told each time."""
        body = {"name": name, "run": run, "ask": list(ask), "phrases": list(phrases)}
        return self._wire.call("POST", "/macros", json=body)

    def run_macro(self, name: str, values: Mapping[str, Any], *, conversation: str | None, cwd: str, yes: bool) -> str:
        """Have a macro done; return the run's id."""
        body = {"values": dict(values), "conversation": conversation, "cwd": cwd, "yes": yes}
        return str(self._wire.call("POST", f"/macros/{part(name, 'macro')}/runs", json=body)["run"])

    def try_macro(self, name: str, values: Mapping[str, Any], cwd: str) -> str:
        """Begin a dry run of a macro; return the run's id."""
        body = {"values": dict(values), "cwd": cwd}
        return str(self._wire.call("POST", f"/macros/{part(name, 'macro')}/tries", json=body)["run"])

    def rename_macro(self, name: str, new: str) -> Json:
        """Call a macro by another name."""
        return self._wire.call("POST", f"/macros/{part(name, 'macro')}/name", json={"name": new})

    def phrase_macro(self, name: str, words: str) -> Json:
        """Have a macro done by these words too."""
        return self._wire.call("POST", f"/macros/{part(name, 'macro')}/phrases", json={"words": words})

    def remove_macro(self, name: str) -> Json:
        """Take a macro away."""
        return self._wire.call("DELETE", f"/macros/{part(name, 'macro')}")

    def offers(self) -> Json:
        """Return what may be wanted next, and which sources are on; asked for, so it takes nobody's attention."""
        return self._wire.call("GET", "/offers")

    def fitting_offers(self, typed: str) -> Json:
        """Return what a sentence that was begun may become."""
        return self._wire.call("POST", "/offers/fitting", json={"typed": typed})

    def dismiss_offer(self, key: str) -> None:
        """Put an offer away."""
        self._wire.call("DELETE", f"/offers/{part(key, 'offer')}")

    def switch_offers(self, source: str, *, on: bool) -> Json:
        """Turn a source of offers off or on; return what is on."""
        return self._wire.call("PUT", f"/offers/sources/{part(source, 'source')}", json={"on": on})

    def manners(self) -> Json:
        """Return how often a day, and when not, something is shown that nobody asked for."""
        return self._wire.call("GET", "/manners")

    def set_manners(self, attention: int, quiet_hours: str) -> Json:
        """Set how often a day, and when not, something is shown that nobody asked for; return it."""
        return self._wire.call("PUT", "/manners", json={"attention": attention, "quiet_hours": quiet_hours})

    def made_ahead(self) -> Json:
        """Return what was made ahead of offers lately, and what came of it."""
        return self._wire.call("GET", "/offers/ahead")

    def switch_ahead(self, source: str, *, on: bool) -> Json:
        """Have something made ahead for offers of a source, or no longer; return for which."""
        return self._wire.call("PUT", f"/offers/ahead/{part(source, 'source')}", json={"on": on})

    def suggestions(self) -> Json:
        """Return what the person does again and again, and may want to keep; ``left`` of it is not looked at yet."""
        return self._wire.call("GET", "/suggestions")

    def suggestion(self, key: str) -> Json:
        """Return one suggestion with its steps."""
        return self._wire.call("GET", f"/suggestions/{part(key, 'suggestion')}")

    def accept_suggestion(self, key: str, name: str) -> Json:
        """Keep a suggestion as a macro; return that and the rule that would do it."""
        return self._wire.call("POST", f"/suggestions/{part(key, 'suggestion')}/macro", json={"name": name})

    def edit_suggestion(self, key: str, changes: Mapping[str, Any]) -> Json:
        """Change what would be kept of a suggestion."""
        return self._wire.call("PATCH", f"/suggestions/{part(key, 'suggestion')}", json=dict(changes))

    def snooze_suggestion(self, key: str, days: int) -> Json:
        """Put a suggestion off."""
        return self._wire.call("POST", f"/suggestions/{part(key, 'suggestion')}/snooze", json={"days": days})

    def refuse_suggestion(self, key: str) -> None:
        """Never have a suggestion made again."""
        self._wire.call("DELETE", f"/suggestions/{part(key, 'suggestion')}")
