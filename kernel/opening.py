"""Opening: the parts of the kernel put together in order, and what an earlier daemon left unfinished.

The order matters: the ledger first (it is the single-instance lock), then the recovery of interrupted commits, then
everything that is rebuilt from them.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kernel.allotting import KINDS, Accounts, Standing, replay
from kernel.approval.card import change_view
from kernel.clients.book import KINDS as CLIENTS
from kernel.clients.book import ClientBook
from kernel.config import Folders, Settings
from kernel.context.conversations import Conversations
from kernel.context.mind import Learning
from kernel.context.world import HomeWorld
from kernel.house import House
from kernel.itself.undoing_meanwhile import undone_meanwhile
from kernel.knowing.knowledge import Knowledge
from kernel.learning.learnt import LearntStore
from kernel.limits import LEARNED, MemoryLimits
from kernel.macros.book import KINDS as MACROS
from kernel.macros.book import MacroBook
from kernel.mailing.post import Post
from kernel.mailing.standing import KINDS as MAIL_KINDS
from kernel.model import ConversationId, Plan, Resolution, RunId, Utterance
from kernel.models import Models
from kernel.recalling.recollection import Recollection, RecollectionStore
from kernel.remember import TRIAL
from kernel.remembering import pictures
from kernel.remembering.bulk import kept_in, lean_changes
from kernel.remembering.lapsing import still_kept
from kernel.routines.book import KINDS as ROUTINES
from kernel.routines.book import RoutineBook
from kernel.suggestions.seeing import Seeing, SeeingStore
from kernel.terms import Held, Terms, taken_up
from memory import Ledger
from memory.model import Draft, Event
from permissions import Cells, Policy, Transactions, default_policy, holds_path, private_places
from permissions.egress import Egress
from permissions.labels import KERNEL_SAID
from permissions.policy import ROUTINE, SteadyClock
from permissions.transactions import Keep, Recovery
from permissions.vault import Vault
from skills import Registry, one_import

if TYPE_CHECKING:
    from kernel.installing.environments import Environments
    from kernel.serving.warm import Serving
    from memory.graph import Store
    from memory.model import Verification
    from permissions.transactions import Staging

_log = logging.getLogger("steward.kernel")

CHECKOUT = str(Path(__file__).resolve().parent.parent)
"""Where Steward's own code lies; no request is about it, wherever it was put."""

MODELS_FILE = "models.toml"
"""What a person has set about models, among the configuration."""

BUILTIN = Path(CHECKOUT) / "skills" / "builtin"

KERNELS = Path(CHECKOUT) / "gpu_skills"
"""The folder that holds the kernel optimizer's skill; its library lies beside it, and nobody here imports either."""


SERVERS = (sys.executable, "-P", "-m", "skills.mcp.worker")
SERVERS_IDLE_S = 60.0
"""The worker in whose cells MCP servers run, and how long it outlives the last of them."""


def build(settings: Settings, folders: Folders, clock: Callable[[], datetime]) -> House:
    """Open every part. Raises LedgerBusy when a daemon runs already, LedgerBroken when the chain does not verify."""
    folders.make()
    ledger = Ledger.open(folders.data / "ledger")
    home = os.path.realpath(folders.home)
    own = [os.path.realpath(folder) for folder in folders.own]
    own += [place for place in {CHECKOUT, sys.prefix} if not holds_path(place, home)]
    private = private_places(home, own)
    keep = Keep(settings.undo_keep_days * 86_400.0, int(settings.undo_quota_gib * (1 << 30)))
    transactions = Transactions(
        folders.data / "transactions", folders.home, state=folders.data, skills=folders.kept, keep=keep
    )
    for one in transactions.recover():
        if one.action is Recovery.WAITING:
            _log.error("%s waits for its disk, and is tried again at the next start: %s", one.run, *one.problems)
    for draft in undone_meanwhile(ledger, transactions):
        ledger.append(draft)
    standing = _standing(ledger, default_policy(home, private, os.path.realpath(folders.kept)))
    others = folders.data / "skills"
    registry = Registry([BUILTIN, KERNELS, others])
    left = Cells.sweep()
    if left:
        _log.warning("%d processes of calls that outlived an earlier daemon were ended", left)
    worker = [sys.executable, "-P", "-m", "skills.worker", str(clock().tzinfo), str(others)]
    vault = Vault(folders.data / "secrets")
    egress = Egress(ca_file=settings.ca_file, lend=vault.lend)
    cells = Cells(worker, network=egress)
    knowledge = Knowledge(folders.data / "graph", ledger)
    learning = Learning(registry, folders.state / "learnt", encoder=settings.encoder, model=settings.encoder_model)
    live: set[str] = set()
    waiting: dict[str, asyncio.Future[str]] = {}
    routines, macros = RoutineBook(ledger.events(kinds=ROUTINES)), MacroBook(ledger.events(kinds=MACROS))
    house = House(
        settings=settings,
        folders=folders,
        ledger=ledger,
        registry=registry,
        cells=cells,
        transactions=transactions,
        world=HomeWorld(str(folders.home), state=tuple(own)),
        learning=learning,
        policy=standing.policy,
        accounts=Accounts(standing.budgets),
        memory=_memory(ledger),
        steady=_steady(ledger, standing.seen_s),
        private=tuple(path for path, _ in private),
        talk=Conversations(ledger, str(folders.home)),
        clock=clock,
        knowledge=knowledge,
        recollection=Recollection(
            folders.data / "recall", ledger, knowledge, learning.encoder, str(folders.home), settings.vectors
        ),
        seeing=Seeing(ledger, registry, folders.data / "habits", lambda: len(live) > len(waiting)),
        post=Post(egress, vault, folders.config, folders.data),
        models=Models(folders.config / MODELS_FILE, settings.ca_file),
        make_serving=partial(_serving, egress),
        make_environments=partial(_environments, egress),
        clients=ClientBook(ledger.events(kinds=CLIENTS)),
        routines=routines,
        macros=macros,
        live=live,
        waiting=waiting,
        with_effects=_with_effects(ledger, transactions.runs(), routines.runs() | {one.run for one in macros.every()}),
    )
    house.knowledge.join(lambda: _record_of(house))
    house.knowledge.join(lambda: _log_of(folders))
    house.knowledge.join(lambda: _own_of(folders))
    house.knowledge.join(lambda: LearntStore(house))
    house.knowledge.join(lambda: RecollectionStore(house.recollection))  # after the record: it goes by what went there
    house.knowledge.join(lambda: SeeingStore(house.seeing))
    house.knowledge.join(lambda: _backups_of(house))  # last: they are made to forget what all others have forgotten
    return house


def _serving(egress: Egress, house: House) -> Serving:
    """Return what keeps the MCP servers of ``house`` at work; none runs yet."""
    with one_import:  # with all that reads what servers say: no start waits for it
        from kernel.serving.warm import Serving

    home = os.path.realpath(house.folders.home)
    serving = Serving(
        lambda: Cells(SERVERS, idle_s=SERVERS_IDLE_S, network=egress), pictures.folder_of(house.folders.data), home,
        lend=house.post.vault.lend,
    )  # fmt: skip
    serving.attach(house.note, house.may_stay)
    return serving


def _environments(egress: Egress, house: House) -> Environments:
    """Return what brings, keeps and runs the Python packages of skills; none is looked at yet."""
    with one_import:  # with all that reads packages: no start waits for it
        from kernel.installing.opening import environments_at

    zone = str(house.clock().tzinfo)
    return environments_at(house.folders.data, house.settings.package_index, lambda: house.cells, zone, egress)


def _is_gone(house: House, runs: Collection[str]) -> None:
    """Take note that these runs were forgotten: nothing is left to take them back with, nor to look at."""
    house.cannot_undo(runs)
    pictures.drop(pictures.folder_of(house.folders.data), runs)


def _log_of(folders: Folders) -> Store:
    """Return the daemon's own log as a store that forgets with the graph."""
    from kernel.knowing.stores import LogStore  # no start waits for it

    return LogStore(folders.state)


def _own_of(folders: Folders) -> Store:
    """Return what skills keep for themselves as a store that forgets with the graph."""
    from kernel.knowing.own_folders import OwnStore  # no start waits for it

    return OwnStore(folders.kept)


def _record_of(house: House) -> Store:
    """Return the runs of ``house`` as a store that forgets with the graph."""
    from kernel.knowing.apart import sought
    from kernel.knowing.stores import RecordStore  # no start waits for it

    return RecordStore(house.ledger, house.transactions, partial(_is_gone, house), partial(sought, house))


def _backups_of(house: House) -> Store:
    """Return the backups that were written as a store that forgets with the graph."""
    from kernel.backup.forgetting import BackupStore  # no start waits for it
    from kernel.knowing.apart import sought

    return BackupStore(house, partial(sought, house))


def _standing(ledger: Ledger, policy: Policy) -> Standing:
    """Return the tree, the budgets and the highest time seen: of the events they are made of, and of the last one."""
    seq, _ = ledger.head()
    last = next(ledger.events(after=max(0, seq - 1)), None)
    return replay(ledger.events(kinds=KINDS), policy, seen_s=last.at_ns / 1e9 if last else 0.0)


def _memory(ledger: Ledger) -> MemoryLimits:
    """Return what the calls of every tool have been found to need."""
    found = MemoryLimits(ledger.submit)
    found.replay(ledger.events(kinds=(LEARNED,)))
    return found


def _steady(ledger: Ledger, seen_s: float) -> SteadyClock:
    """Return the clock that grants end by; that the machine's was set back is kept, for the next start."""

    def back(highest_s: float) -> None:
        ledger.submit(Draft(kind="clock.back", body={"seen_s": highest_s}, label=KERNEL_SAID.to_json()))

    return SteadyClock(seen_s, on_back=back)


_KEPT = ("routine.kept", "routine.removed", "macro.kept")


def _with_effects(ledger: Ledger, kept: frozenset[str], standing: Collection[str]) -> list[str]:
    """Return the runs of which something is left to take back; ``standing`` are those that kept a routine
    or macro, or took away a routine that can come back."""
    runs: dict[str, None] = {}
    committed: set[str] = set()
    for event in ledger.events(kinds=("commit.done", "facts.told", *_KEPT, "run.undone")):
        if event.run is None or (event.body is None and event.kind != "run.undone"):
            continue  # what was forgotten is not taken back
        if event.kind in _KEPT and event.run not in standing:
            continue
        if event.kind == "commit.done":
            committed.add(event.run)
        if event.kind != "run.undone":
            runs[event.run] = None
        else:
            runs.pop(event.run, None)
    return still_kept(runs, committed, kept)


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A run without an end when the daemon stopped: it goes on waiting (``plan``), or it ends now (``ended``).

    With ``letters`` and a plan it waits for an answer about these; without a plan it is to be said what became of them.
    With something ``proposed`` it waits for a yes to keep that: a routine, or a macro, as ``stage`` says.
    """

    run: RunId
    utterance: Utterance
    yes: bool
    seed: int
    plan: Plan | None = None
    staging: Staging | None = None
    ended: dict[str, Any] | None = None
    letters: bool = False
    proposed: Mapping[str, Any] | None = None
    stage: str = ""
    held: Held = field(default_factory=Held)


def unfinished(house: House) -> Iterator[Unfinished]:
    """Yield every run without an end, with what becomes of it; not one whose changes wait for their disk."""
    waits = {one.run for one in house.transactions.half_done() if not one.undo}
    for run in house.ledger.runs_without("run.finished", ("run.created", TRIAL)):
        if run in waits:
            continue
        steps = _steps(house, run)
        if TRIAL in steps:
            yield _untried(house, RunId(run), steps)
        elif "run.created" in steps and steps["run.created"].body is not None:
            if steps["run.created"].body.get("private"):
                yield _lost(house, RunId(run), steps)
                continue
            found = _judged(house, RunId(run), steps)
            goes_on = (found.plan or found.proposed) is not None  # a letter is asked about in no time of the request
            yield replace(found, held=_held(house, found, steps["run.created"])) if goes_on else found


def _steps(house: House, run: str) -> dict[str, Event]:
    """Return the last event of each kind that says how far a run has come."""
    kinds = ("run.created", TRIAL, "approval.requested", "approval.resolved", "commit.started", "commit.done",
             *MAIL_KINDS)  # fmt: skip
    steps: dict[str, Event] = {}
    for event in house.ledger.events(run=run, kinds=kinds):
        steps[event.kind] = event
        if event.kind == "approval.resolved":
            steps.pop("approval.requested", None)
    return steps


def _held(house: House, found: Unfinished, created: Event) -> Held:
    """Return the terms that a run was asked under, with what of them is used."""
    body: Mapping[str, Any] = created.body or {}
    terms = Terms.from_json(body.get("terms"))
    since_s = (house.clock() - found.utterance.now).total_seconds()
    return taken_up(terms, since_s, house.ledger.events(run=found.run, kinds=("model.replied",)))


_KEEPS = ("routine", "macro")
"""The cards about what is to be kept for later."""

_Known = tuple[RunId, Utterance, bool, int]


def _judged(house: House, run: RunId, steps: dict[str, Event]) -> Unfinished:
    body = dict(steps["run.created"].body or {})
    utterance = Utterance(
        str(body.get("text")), ConversationId(str(body.get("conversation"))), str(body.get("cwd")),
        str(house.folders.home), datetime.fromisoformat(str(body.get("now"))), str(body.get("client") or ""),
    )  # fmt: skip
    known = (run, utterance, bool(body.get("yes")), int(str(body.get("seed") or 0)))
    request = steps.get("approval.requested")
    plan = house.talk.plan(run) if _may_go_on(house, utterance.client, str(body.get("client_key") or "")) else None
    if "mail.prepared" in steps:
        return _with_letters(house, known, request, plan)
    if request is not None and request.body is not None and (stage := request.body.get("stage")) in _KEEPS:
        frozen = kept_in(request.body, "frozen")
        if frozen:
            return Unfinished(*known, proposed=frozen, stage=str(stage))
        return Unfinished(*known, ended=_ending(house, run, steps))
    if request is not None and request.body is not None and plan is not None:
        staging = house.transactions.reopen(run) if request.body.get("stage") == "commit" else None
        if request.body.get("stage") == "plan" or staging is not None:
            return Unfinished(*known, plan=plan, staging=staging)
    return Unfinished(*known, ended=_ending(house, run, steps))


def _with_letters(house: House, known: _Known, request: Event | None, plan: Plan | None) -> Unfinished:
    """Judge a run that was to send something: it still waits for a yes to that, or it is told how it stands."""
    run = known[0]
    stage = (request.body or {}).get("stage") if request is not None else None
    staging = house.transactions.reopen(run) if stage in ("mail", "commit") else None
    if plan is not None and house.post.outbox.of(run) and (stage == "mail" or staging is not None):
        return Unfinished(*known, plan=plan, staging=staging, letters=True)
    return Unfinished(*known, letters=True)


def _may_go_on(house: House, client: str, key: str) -> bool:
    """Tell whether a run goes on waiting: not one in the name of a client or a routine that was removed meanwhile."""
    return not client or house.owner_key(client) == key or house.routines.has_key(client.removeprefix(ROUTINE), key)


def _untried(house: House, run: RunId, steps: dict[str, Event]) -> Unfinished:
    """Say how a dry run ended that was cut short: it never goes on, least of all as a run that changes anything."""
    utterance = Utterance("", ConversationId(""), "", str(house.folders.home), house.clock())
    tried = (steps[TRIAL].body or {}).get("trial") or {}
    return Unfinished(run, utterance, False, 0, ended=_ending(house, run, steps) | {"trial": tried})


def _lost(house: House, run: RunId, steps: dict[str, Event]) -> Unfinished:
    """Say how a private run ended whose words went with the daemon that stopped."""
    utterance = Utterance("", ConversationId(""), "", str(house.folders.home), house.clock())
    house.post.outbox.drop(run)
    ended = _ending(house, run, steps)
    if "mail.handing" in steps:  # its letters are not told apart in the ledger
        ended = {**_unclear(), "effects": ended["effects"]}
    return Unfinished(run, utterance, False, 0, ended=ended)


def _unclear() -> dict[str, Any]:
    """Say of a private run that nobody knows whether its letter was sent: its words went with the daemon."""
    from kernel.mailing.asking import said  # no start waits for it

    message, hint = said("en", "private"), said("en", "private.hint")
    error = {"code": "mail.unknown", "message": message, "hint": hint}
    return {"resolution": str(Resolution.FAILED), "answer": f"{message} {hint}", "effects": [], "error": error}


def _ending(house: House, run: str, steps: dict[str, Event]) -> dict[str, Any]:
    """Say how an interrupted run ended: as before it, or, when its commit went through, as after it."""

    applied = lean_changes([change_view(change) for change in house.transactions.effects(run)])
    if "commit.done" in steps or ("commit.started" in steps and applied):
        if run not in house.with_effects:
            house.with_effects.append(run)
        answer = "Steward was stopped in the middle, and the changes were completed."
        return {"resolution": str(Resolution.CONFIRMED), "answer": answer, "effects": applied}
    message = "Steward was stopped in the middle of this run; nothing was changed."
    error = {"code": "run.interrupted", "message": message, "hint": "Ask again."}
    return {"resolution": str(Resolution.ROLLED_BACK), "answer": message, "effects": [], "error": error}


def inspect_ledger(folders: Folders | None = None) -> dict[str, Any]:
    """Check the ledger read-only, without a daemon: for one that a daemon refuses to write to."""
    with Ledger.open((folders or Folders()).data / "ledger", read_only=True) as ledger:
        return verification_view(ledger.verify())


def verification_view(found: Verification) -> dict[str, Any]:
    """Return the result of a check of the ledger as a client shows it."""
    problems = [{"seq": problem.seq, "reason": problem.reason} for problem in found.problems]
    return {"ok": found.ok, "events": found.events, "problems": problems}
