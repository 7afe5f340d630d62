"""A client of the daemon: one typed method for each call, over the wire of ``portal.wire``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Any, Self

from portal.calls.calling import part
from portal.calls.habits import HabitCalls
from portal.calls.rights import RightCalls
from portal.calls.skills import SkillCalls
from portal.locate import Places
from portal.wire import Json, Wire, parse_events


class Client(SkillCalls, HabitCalls, RightCalls):
    """One connection to the daemon. Every method raises DaemonError; use it as a context manager."""

    def __init__(self, places: Places) -> None:
        self._wire = Wire(places)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection; the client opens a new one when it is used again."""
        self._wire.close()

    # --- runs -----------------------------------------------------------------------------------------------------

    def ask(
        self, text: str, *, conversation: str | None = None, cwd: str = "", yes: bool = False, private: bool = False,
        budget: str = "", deadline: str = "",
    ) -> str:  # fmt: skip
        """Start a run and return its id at once."""
        body = {"text": text, "conversation": conversation, "cwd": cwd, "yes": yes, "private": private,
                "budget": budget, "deadline": deadline}  # fmt: skip
        return str(self._wire.call("POST", "/runs", json=body)["run"])

    def draft(self, text: str, *, conversation: str | None = None, cwd: str = "") -> Json:
        """Return what would be done about a request; nothing is done."""
        return self._wire.call("POST", "/plans", json={"text": text, "conversation": conversation, "cwd": cwd})

    def recommend(self, text: str, limit: int, *, conversation: str | None = None, cwd: str = "") -> Json:
        """Return which tools would serve a request together, and why; nothing is done."""
        body = {"text": text, "conversation": conversation, "cwd": cwd, "limit": limit}
        return self._wire.call("POST", "/recommendations", json=body)

    def view(self, run: str, *, wait: bool = False) -> Json:
        """Return a run; with ``wait``, when it is finished or waits for an answer."""
        return self._wire.call("GET", f"/runs/{part(run, 'run')}", params={"wait": wait})

    def runs(self, limit: int = 20) -> list[Json]:
        """Return the newest runs first."""
        return self._wire.listed("/runs", "runs", limit=limit)

    def approvals(self) -> list[Json]:
        """Return the runs that wait for an answer."""
        return self._wire.listed("/approvals", "approvals")

    def approve(self, run: str, answer: str, seal: str = "") -> None:
        """Answer a run that waits: ``once``, ``run``, ``always`` ``no``; ``seal`` names the changes that were shown."""
        self._wire.call("POST", f"/runs/{part(run, 'run')}/approval", json={"answer": answer, "seal": seal})

    def cancel(self, run: str) -> None:
        """End a run; nothing of it is committed."""
        self._wire.call("POST", f"/runs/{part(run, 'run')}/cancel")

    def undo(self, run: str | None = None, paths: Sequence[str] = ()) -> Json:
        """Take back a run, or the last one that had effects; of it only what lies at and below ``paths``, if any."""
        return self._wire.call("POST", _undo_of(run), params={"path": list(paths)})

    def undoable(self, run: str | None = None, paths: Sequence[str] = ()) -> Json:
        """Return what taking back a run (the last one that had effects) would do: its sentence, the changes.

        ``further`` says that a later run was taken back already.
        """
        return self._wire.call("GET", _undo_of(run), params={"path": list(paths)})

    def replay(self, run: str, *, tools: bool = False) -> Json:
        """Go through a run once more by what was recorded of it; return what comes out otherwise. Nothing is done."""
        return self._wire.call("POST", f"/runs/{part(run, 'run')}/replay", params={"tools": tools})

    def events(self, run: str, *, after: int = 0) -> Iterator[Json]:
        """Follow a run: its events after ``after``, then live, until it is finished."""
        params = {"after": after}
        with self._wire.stream(f"/runs/{part(run, 'run')}/events", params) as response:
            yield from parse_events(response.iter_lines())

    # --- the house ------------------------------------------------------------------------------------------------

    def status(self) -> Json:
        """Return the daemon's state in numbers and words."""
        return self._wire.call("GET", "/status")

    def reminders(self) -> list[Json]:
        """Return what was told last of what skills keep on the clock, the oldest first."""
        return self._wire.listed("/reminders", "reminders")

    def doctor(self) -> list[Json]:
        """Return one line per capability: ``name``, ``ok``, ``state``, ``remedy``."""
        return self._wire.listed("/doctor", "capabilities")

    def mail(self) -> Json:
        """Return the mail account, and whether its password is kept."""
        return self._wire.call("GET", "/mail")

    def set_mail(self, account: Json) -> Json:
        """Keep a mail account."""
        return self._wire.call("PUT", "/mail", json={"account": account})

    def forget_mail(self) -> None:
        """Let go of the mail account."""
        self._wire.call("DELETE", "/mail")

    def secrets(self) -> dict[str, list[str]]:
        """Return the names of the secrets that the daemon keeps, and the hosts that each is for."""
        return dict(self._wire.call("GET", "/secrets")["hosts"])

    def put_secret(self, name: str, value: str, hosts: Sequence[str] = ()) -> None:
        """Have the daemon keep a secret for ``hosts``; it is never given back."""
        self._wire.call("PUT", f"/secrets/{part(name, 'secret')}", json={"value": value, "hosts": list(hosts)})

    def remove_secret(self, name: str) -> None:
        """Have a secret destroyed."""
        self._wire.call("DELETE", f"/secrets/{part(name, 'secret')}")

    def models(self) -> Json:
        """Return the models that can be asked, and what the roles are bound to."""
        return self._wire.call("GET", "/models")

    def set_model(self, name: str, endpoint: Json, key: str | None, insecure: bool) -> Json:
        """Set a model, or change what is said of it."""
        body = {"endpoint": endpoint, "key": key, "insecure": insecure}
        return self._wire.call("PUT", f"/models/{part(name, 'model')}", json=body)

    def remove_model(self, name: str) -> Json:
        """Take a model away, with its key and its rights."""
        return self._wire.call("DELETE", f"/models/{part(name, 'model')}")

    def bind_model(self, role: str, names: Sequence[str]) -> Json:
        """Bind a role to models, to none where there are none."""
        return self._wire.call("PUT", f"/models/roles/{part(role, 'role')}", json={"names": list(names)})

    def test_model(self, name: str) -> Json:
        """Measure a model."""
        return self._wire.call("POST", f"/models/{part(name, 'model')}/test")

    def detect_models(self) -> list[Json]:
        """Return the servers for models that run on this machine."""
        return self._wire.listed("/models/detected", "found")

    def model_prompts(self, run: str) -> Json:
        """Return what models were asked in a run."""
        return self._wire.call("GET", f"/models/prompts/{part(run, 'run')}")

    def memory(self, what: str, **params: Any) -> Json:
        """Return what is known: ``search``, ``facts``, ``entity``, ``stats``, ``export``, ``learned``, or what
        ``forget`` would reach.
        """
        return self._wire.call(
            "GET", f"/memory/{what}", params={name: value for name, value in params.items() if value}
        )

    def change_memory(self, what: str, body: Json) -> Json:
        """Change what is known: ``entity``, ``forget``, ``import``, ``learned``."""
        return self._wire.call("POST", f"/memory/{what}", json=body)

    def retention(self) -> Json:
        """Return how long words are kept, and the sizes of what is kept."""
        return self._wire.call("GET", "/ledger/retention")

    def set_retention(self, days: int | None) -> Json:
        """Set how long words are kept; None for good."""
        return self._wire.call("POST", "/ledger/retention", json={"days": days})

    def verify_ledger(self) -> Json:
        """Check the whole chain of the ledger."""
        return self._wire.call("GET", "/ledger/verify")

    def backups(self) -> Json:
        """Return where backups were written, and how far one is that is being written."""
        return self._wire.call("GET", "/backups")

    def take_backup(self, path: str, *, secrets: bool, replace: bool) -> Json:
        """Have a backup written to a file."""
        return self._wire.call("POST", "/backups", json={"path": path, "secrets": secrets, "replace": replace})

    def log(self, limit: int = 50) -> list[Json]:
        """Return the newest events of the ledger, oldest first."""
        return self._wire.listed("/log", "events", limit=limit)

    def login_link(self) -> Json:
        """Return a link that signs one browser in: ``url`` and ``expires_s``."""
        return self._wire.call("POST", "/login-codes")

    def shutdown(self) -> None:
        """Ask the daemon to end. Returns when it has heard."""
        self._wire.call("POST", "/shutdown")


def _undo_of(run: str | None) -> str:
    return f"/runs/{part(run, 'run')}/undo" if run is not None else "/undo"
