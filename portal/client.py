"""A client of the daemon: one typed method for each call, over the wire of ``portal.wire``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote

from portal.locate import Places
from portal.wire import DaemonError, Json, Wire, parse_events


class Client:
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
        return self._wire.call("GET", f"/runs/{_id(run, 'run')}", params={"wait": wait})

    def runs(self, limit: int = 20) -> list[Json]:
        """Return the newest runs first."""
        return self._wire.listed("/runs", "runs", limit=limit)

    def approvals(self) -> list[Json]:
        """Return the runs that wait for an answer."""
        return self._wire.listed("/approvals", "approvals")

    def approve(self, run: str, answer: str, seal: str = "") -> None:
        """Answer a run that waits: ``once``, ``run``, ``always`` ``no``; ``seal`` names the changes that were shown."""
        self._wire.call("POST", f"/runs/{_id(run, 'run')}/approval", json={"answer": answer, "seal": seal})

    def cancel(self, run: str) -> None:
        """End a run; nothing of it is committed."""
        self._wire.call("POST", f"/runs/{_id(run, 'run')}/cancel")

    def undo(self, run: str | None = None, paths: Sequence[str] = ()) -> Json:
        """Take back a run, or the last one that had effects; of it only what lies at and below ``paths``, if any."""
        return self._wire.call("POST", _undo_of(run), params={"path": list(paths)})

    def undoable(self, run: str | None = None, paths: Sequence[str] = ()) -> Json:
        """Return what taking back a run (the last one that had effects) would do: its sentence, the changes.

        ``further`` says that a later run was taken back already.
        """
        return self._wire.call("GET", _undo_of(run), params={"path": list(paths)})

    def events(self, run: str, *, after: int = 0) -> Iterator[Json]:
        """Follow a run: its events after ``after``, then live, until it is finished."""
        params = {"after": after}
        with self._wire.stream(f"/runs/{_id(run, 'run')}/events", params) as response:
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
        self._wire.call("PUT", f"/secrets/{_id(name, 'secret')}", json={"value": value, "hosts": list(hosts)})

    def remove_secret(self, name: str) -> None:
        """Have a secret destroyed."""
        self._wire.call("DELETE", f"/secrets/{_id(name, 'secret')}")

    def models(self) -> Json:
        """Return the models that can be asked, and what the roles are bound to."""
        return self._wire.call("GET", "/models")

    def set_model(self, name: str, endpoint: Json, key: str | None, insecure: bool) -> Json:
        """Set a model, or change what is said of it."""
        body = {"endpoint": endpoint, "key": key, "insecure": insecure}
        return self._wire.call("PUT", f"/models/{_id(name, 'model')}", json=body)

    def remove_model(self, name: str) -> Json:
        """Take a model away, with its key and its rights."""
        return self._wire.call("DELETE", f"/models/{_id(name, 'model')}")

    def bind_model(self, role: str, names: Sequence[str]) -> Json:
        """Bind a role to models, to none where there are none."""
        return self._wire.call("PUT", f"/models/roles/{_id(role, 'role')}", json={"names": list(names)})

    def test_model(self, name: str) -> Json:
        """Measure a model."""
        return self._wire.call("POST", f"/models/{_id(name, 'model')}/test")

    def detect_models(self) -> list[Json]:
        """Return the servers for models that run on this machine."""
        return self._wire.listed("/models/detected", "found")

    def model_prompts(self, run: str) -> Json:
        """Return what models were asked in a run."""
        return self._wire.call("GET", f"/models/prompts/{_id(run, 'run')}")

    def skills(self) -> list[Json]:
        """Return the installed skills."""
        return self._wire.listed("/skills", "skills")

    def look_at_package(self, source: str, cwd: str, update_of: str = "", made_here: bool = False) -> Json:
        """Return what a package is and may ask for; it waits in quarantine as ``package``."""
        body = {"source": source, "cwd": cwd, "update_of": update_of, "made_here": made_here}
        return self._wire.call("POST", "/skills/packages", json=body)

    def installed_skills(self) -> list[Json]:
        """Return the skills that were installed, with where they came from."""
        return self._wire.listed("/skills/installed", "skills")

    def found_skills(self, cwd: str) -> list[Json]:
        """Return the skills that other agents keep in ``cwd`` and in the home."""
        return self._wire.listed("/skills/found", "skills", cwd=cwd)

    def search_skills(self, words: str) -> list[Json]:
        """Return the installed skills that fit ``words``, best first."""
        return self._wire.listed("/skills/search", "skills", words=words)

    def install_package(self, package: str) -> Json:
        """Install a package that was looked at."""
        return self._wire.call("POST", f"/skills/packages/{_id(package, 'skill')}")

    def discard_package(self, package: str) -> None:
        """Let go of a package that was looked at."""
        self._wire.call("DELETE", f"/skills/packages/{_id(package, 'skill')}")

    def skill_versions(self, skill: str) -> list[Json]:
        """Return the versions of a skill that are there."""
        return list(self._wire.call("GET", f"/skills/{_id(skill, 'skill')}/versions")["versions"])

    def go_back(self, skill: str, version: str) -> Json:
        """Let an earlier version count."""
        return self._wire.call("POST", f"/skills/{_id(skill, 'skill')}/version", json={"version": version})

    def pin_skill(self, skill: str, pinned: bool) -> Json:
        """Keep a skill at its version, or no longer."""
        return self._wire.call("POST", f"/skills/{_id(skill, 'skill')}/pin", json={"pinned": pinned})

    def verify_skills(self) -> list[Json]:
        """Return every installed skill, and whether it is what was installed."""
        return self._wire.listed("/skills/verify", "skills")

    def repair_skills(self) -> list[Json]:
        """Build Python packages of skills again that are missing or changed; return what ``verify_skills`` does."""
        return list(self._wire.call("POST", "/skills/repair")["skills"])

    def remove_skill(self, skill: str) -> Json:
        """Take a skill out of use, and its grants with it."""
        return self._wire.call("DELETE", f"/skills/{_id(skill, 'skill')}")

    def write_skill(self, folder: str, cwd: str) -> Iterator[Json]:
        """Let the skill in ``folder`` count while this is followed; yield what came of each save."""
        with self._wire.stream("/skills/written", {"folder": folder, "cwd": cwd}, "POST") as response:
            yield from parse_events(response.iter_lines())

    def draft_skill(self, run: str, name: str, folder: str) -> Json:
        """Make a skill of a run that went well, in ``folder``; nothing is installed."""
        return self._wire.call("POST", "/skills/drafts", json={"run": run, "name": name, "folder": folder})

    def proposals(self) -> list[Json]:
        """Return what past requests propose for skills."""
        return self._wire.listed("/skills/proposals", "proposals")

    def adopt_proposal(self, proposal: str) -> Json:
        """Put a proposal into its skill as a new version, where nothing gets worse by it."""
        return self._wire.call("POST", f"/skills/proposals/{_id(proposal, 'proposal')}")

    def discard_proposal(self, proposal: str) -> None:
        """Drop a proposal for good."""
        self._wire.call("DELETE", f"/skills/proposals/{_id(proposal, 'proposal')}")

    def servers(self) -> list[Json]:
        """Return the MCP servers."""
        return self._wire.listed("/mcp/servers", "servers")

    def server_tools(self, name: str) -> Json:
        """Return a server with its tools."""
        return self._wire.call("GET", f"/mcp/servers/{_id(name, 'server')}/tools")

    def look_at_server(self, wish: Json) -> Json:
        """Return what a server would be started with; it waits as ``server``, and nothing of it runs."""
        return self._wire.call("POST", "/mcp/servers", json=wish)

    def look_at_servers_of(self, body: Any, cwd: str) -> list[Json]:
        """Return what the servers of another program's file would be started with."""
        return list(self._wire.call("POST", "/mcp/servers/file", json={"servers": body, "cwd": cwd})["servers"])

    def look_at_server_again(self, name: str) -> Json:
        """Return what a server that is there would be started with, to review it anew."""
        return self._wire.call("POST", f"/mcp/servers/{_id(name, 'server')}/again")

    def start_server(self, server: str) -> Json:
        """Start a server that waits, once, in its cell; return what it lists."""
        return self._wire.call("POST", f"/mcp/servers/waiting/{_id(server, 'server')}/start")

    def add_server(self, server: str, safe: Sequence[str]) -> Json:
        """Let a server that was started and reviewed be a skill."""
        return self._wire.call("POST", f"/mcp/servers/waiting/{_id(server, 'server')}", json={"safe": list(safe)})

    def drop_server(self, server: str) -> None:
        """Let go of a server that was looked at."""
        self._wire.call("DELETE", f"/mcp/servers/waiting/{_id(server, 'server')}")

    def remove_server(self, name: str) -> Json:
        """Take a server out of use, and its grants with it."""
        return self._wire.call("DELETE", f"/mcp/servers/{_id(name, 'server')}")

    def routines(self) -> list[Json]:
        """Return the routines, by name."""
        return self._wire.listed("/routines", "routines")

    def routine(self, name: str) -> Json:
        """Return one routine with its plan and its rights."""
        return self._wire.call("GET", f"/routines/{_id(name, 'routine')}")

    def change_routine(self, name: str, what: str) -> Json:
        """Let a routine ``pause`` or ``resume``; return it."""
        return self._wire.call("POST", f"/routines/{_id(name, 'routine')}/{what}")

    def run_routine(self, name: str) -> str:
        """Have a routine run now; return the run's id."""
        return str(self._wire.call("POST", f"/routines/{_id(name, 'routine')}/runs")["run"])

    def routine_versions(self, name: str) -> list[Json]:
        """Return what a routine was and is, the oldest first."""
        return self._wire.listed(f"/routines/{_id(name, 'routine')}/versions", "versions")

    def routine_back(self, name: str, version: int, conversation: str | None = None) -> str:
        """Ask for a routine to be what it was as ``version``; return the run that waits for a yes."""
        body = {"version": version, "conversation": conversation}
        return str(self._wire.call("POST", f"/routines/{_id(name, 'routine')}/back", json=body)["run"])

    def try_routine(self, name: str, file: str = "") -> str:
        """Begin a dry run of a routine, or of the rule that a run would keep; return the dry run's id."""
        return str(self._wire.call("POST", f"/routines/{_id(name, 'routine')}/tries", json={"file": file})["run"])

    def routine_token(self, name: str) -> Json:
        """Make the token of a routine's webhook; return it with its address."""
        return self._wire.call("POST", f"/routines/{_id(name, 'routine')}/token")

    def remove_routine(self, name: str) -> Json:
        """Take a routine away; return the grants that went with it."""
        return self._wire.call("DELETE", f"/routines/{_id(name, 'routine')}")

    def macros(self) -> list[Json]:
        """Return the macros, by name."""
        return self._wire.listed("/macros", "macros")

    def macro(self, name: str) -> Json:
        """Return one macro with its plan."""
        return self._wire.call("GET", f"/macros/{_id(name, 'macro')}")

    def new_macro(self, name: str, run: str, ask: Sequence[str], phrases: Sequence[str]) -> Json:
        """Make a macro of a run; ``ask`` are the values that it is told each time."""
        body = {"name": name, "run": run, "ask": list(ask), "phrases": list(phrases)}
        return self._wire.call("POST", "/macros", json=body)

    def run_macro(self, name: str, values: Mapping[str, Any], *, conversation: str | None, cwd: str, yes: bool) -> str:
        """Have a macro done; return the run's id."""
        body = {"values": dict(values), "conversation": conversation, "cwd": cwd, "yes": yes}
        return str(self._wire.call("POST", f"/macros/{_id(name, 'macro')}/runs", json=body)["run"])

    def try_macro(self, name: str, values: Mapping[str, Any], cwd: str) -> str:
        """Begin a dry run of a macro; return the run's id."""
        body = {"values": dict(values), "cwd": cwd}
        return str(self._wire.call("POST", f"/macros/{_id(name, 'macro')}/tries", json=body)["run"])

    def rename_macro(self, name: str, new: str) -> Json:
        """Call a macro by another name."""
        return self._wire.call("POST", f"/macros/{_id(name, 'macro')}/name", json={"name": new})

    def phrase_macro(self, name: str, words: str) -> Json:
        """Have a macro done by these words too."""
        return self._wire.call("POST", f"/macros/{_id(name, 'macro')}/phrases", json={"words": words})

    def remove_macro(self, name: str) -> Json:
        """Take a macro away."""
        return self._wire.call("DELETE", f"/macros/{_id(name, 'macro')}")

    def offers(self) -> Json:
        """Return what may be wanted next, and which sources are on; asked for, so it takes nobody's attention."""
        return self._wire.call("GET", "/offers")

    def fitting_offers(self, typed: str) -> Json:
        """Return what a sentence that was begun may become."""
        return self._wire.call("POST", "/offers/fitting", json={"typed": typed})

    def dismiss_offer(self, key: str) -> None:
        """Put an offer away."""
        self._wire.call("DELETE", f"/offers/{_id(key, 'offer')}")

    def switch_offers(self, source: str, *, on: bool) -> Json:
        """Turn a source of offers off or on; return what is on."""
        return self._wire.call("PUT", f"/offers/sources/{_id(source, 'source')}", json={"on": on})

    def made_ahead(self) -> Json:
        """Return what was made ahead of offers lately, and what came of it."""
        return self._wire.call("GET", "/offers/ahead")

    def switch_ahead(self, source: str, *, on: bool) -> Json:
        """Have something made ahead for offers of a source, or no longer; return for which."""
        return self._wire.call("PUT", f"/offers/ahead/{_id(source, 'source')}", json={"on": on})

    def suggestions(self) -> Json:
        """Return what the person does again and again, and may want to keep; ``left`` of it is not looked at yet."""
        return self._wire.call("GET", "/suggestions")

    def suggestion(self, key: str) -> Json:
        """Return one suggestion with its steps."""
        return self._wire.call("GET", f"/suggestions/{_id(key, 'suggestion')}")

    def accept_suggestion(self, key: str, name: str) -> Json:
        """Keep a suggestion as a macro; return that and the rule that would do it."""
        return self._wire.call("POST", f"/suggestions/{_id(key, 'suggestion')}/macro", json={"name": name})

    def edit_suggestion(self, key: str, changes: Mapping[str, Any]) -> Json:
        """Change what would be kept of a suggestion."""
        return self._wire.call("PATCH", f"/suggestions/{_id(key, 'suggestion')}", json=dict(changes))

    def snooze_suggestion(self, key: str, days: int) -> Json:
        """Put a suggestion off."""
        return self._wire.call("POST", f"/suggestions/{_id(key, 'suggestion')}/snooze", json={"days": days})

    def refuse_suggestion(self, key: str) -> None:
        """Never have a suggestion made again."""
        self._wire.call("DELETE", f"/suggestions/{_id(key, 'suggestion')}")

    def clients(self) -> list[Json]:
        """Return the programs that may ask in their own names, and what each may call."""
        return self._wire.listed("/clients", "clients")

    def add_client(self, name: str) -> Json:
        """Make a client; ``token`` is shown once."""
        return self._wire.call("POST", "/clients", json={"name": name})

    def remove_client(self, name: str) -> Json:
        """Let a client's token open nothing any more, and take its grants away."""
        return self._wire.call("DELETE", f"/clients/{_id(name, 'client')}")

    def allow_client(self, name: str, offers: Sequence[str]) -> Json:
        """Let a client call more."""
        return self._wire.call("POST", f"/clients/{_id(name, 'client')}/offers", json={"offers": list(offers)})

    def withdraw_from_client(self, name: str, offers: Sequence[str]) -> Json:
        """Let a client call less."""
        return self._wire.call("POST", f"/clients/{_id(name, 'client')}/withdrawals", json={"offers": list(offers)})

    def perms(self, node: str = "") -> Json:
        """Return grants, denies and limits: all of them, or what holds at ``node``."""
        return self._wire.call("GET", "/perms", params={"node": node})

    def explain(self, node: str, action: str) -> Json:
        """Return which node decides on a right or an amount, why, and what would change it."""
        return self._wire.call("GET", "/perms/explain", params={"node": node, "action": action})

    def perms_history(self, limit: int) -> list[Json]:
        """Return the latest changes of the tree, oldest first."""
        return self._wire.listed("/perms/history", "events", limit=limit)

    def grant(self, skill: str, right: str, *, lasting: str = "", until: str = "", why: str = "") -> str:
        """Give ``skill`` a right such as ``fs.read:~/Documents/**``, for good or for a time; returns the grant's id."""
        body = {"skill": skill, "right": right, "lasting": lasting, "until": until, "why": why}
        return str(self._wire.call("POST", "/perms", json=body)["grant"])

    def deny(self, node: str, right: str, why: str = "", *, lasting: str = "", until: str = "") -> str:
        """Deny a right at ``node`` and below, for a time or for good; returns the deny's id."""
        body = {"node": node, "right": right, "why": why, "lasting": lasting, "until": until}
        return str(self._wire.call("POST", "/perms/denies", json=body)["deny"])

    def limit(
        self, node: str, controller: str, value: str, *, total: bool, why: str = "", lasting: str = "", until: str = ""
    ) -> Json:
        """Bound an amount at ``node`` and below, for a time or for good; returns what holds now."""
        body = {"node": node, "controller": controller, "value": value, "total": total, "why": why}
        return self._wire.call("POST", "/perms/limits", json=body | {"lasting": lasting, "until": until})

    def revoke(self, one: str) -> None:
        """Take a standing grant, or a deny (``d-...``), back."""
        place = "denies/" if one.startswith("d-") else ""
        self._wire.call("DELETE", f"/perms/{place}{_id(one, 'grant')}")

    def revoke_all(self, skill: str) -> list[str]:
        """Take every grant of a skill back; returns their ids."""
        return list(self._wire.call("DELETE", f"/perms/skills/{_id(skill, 'grant')}")["revoked"])

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
    return f"/runs/{_id(run, 'run')}/undo" if run is not None else "/undo"


def _id(given: str, what: str) -> str:
    """Return an id as one part of a path; what holds a slash or is dots only would name another path. Raises."""
    if not given or "/" in given or not given.strip("."):
        where = {
            "run": "runs",
            "skill": "skills",
            "secret": "secrets",
            "proposal": "skills proposals",
            "server": "mcp list",
            "client": "mcp clients",
            "model": "models",
            "role": "models",
            "routine": "routines",
            "macro": "macros",
            "offer": "offers",
            "source": "offers",
            "suggestion": "suggestions",
        }.get(what, "perms")
        hint = f"./steward {where} lists them."
        raise DaemonError(f"{what}.unknown", f"There is no {what} {given}.", hint, 404)
    return quote(given, safe="")
