"""The writer: one thread through which everything that changes the ledger passes, in order.

Drafts that wait together share one transaction (group commit). Drafts that need not be durable wait up to 20 ms for
company; a durable one ends the wait. Listeners run after the commit and before the futures are answered, so that
whoever waited for an event finds every listener's view up to date.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable, Collection
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path

from memory.errors import StoreFailed
from memory.model import EntityId, Event
from memory.moment import Moment
from memory.rows import Prepared
from memory.scribe import Scribe

COMPANY_S = 0.02
MAX_BATCH = 512

_log = logging.getLogger(__name__)
Listener = Callable[[Event], None]


@dataclass(frozen=True, slots=True, eq=False)
class _Append:
    prepared: tuple[Prepared, ...]
    done: Future[tuple[Event, ...]]

    @property
    def durable(self) -> bool:
        return any(one.draft.durable for one in self.prepared)


@dataclass(frozen=True, slots=True, eq=False)
class _Forget:
    entity: EntityId | None
    seqs: frozenset[int]
    done: Future[int]


@dataclass(frozen=True, slots=True, eq=False)
class _Freeze:
    folder: Path
    done: Future[Moment]


class _Stop:
    """Ends the thread once everything before it is written."""


_Job = _Append | _Forget | _Freeze | _Stop


class Writer:
    """Owns the scribe and the thread that it runs on."""

    def __init__(self, scribe: Scribe, checkpoint_after_s: float) -> None:
        self._scribe = scribe
        self._checkpoint_after_s = checkpoint_after_s
        self._jobs: queue.SimpleQueue[_Job] = queue.SimpleQueue()
        self._carried: _Job | None = None
        self._listeners: dict[object, Listener] = {}
        self._gate = threading.Lock()
        self._closed = False
        self._unsigned_since: float | None = None
        self._thread = threading.Thread(target=self._work, name="ledger-writer", daemon=True)
        self._thread.start()

    # --- from any thread ----------------------------------------------------------------------------------------------

    def append(self, prepared: tuple[Prepared, ...]) -> Future[tuple[Event, ...]]:
        """Queue the drafts as one unit. Raises StoreFailed when the ledger is closed."""
        done: Future[tuple[Event, ...]] = Future()
        self._put(_Append(prepared, done), done)
        return done

    def forget(self, entity: EntityId | None = None, seqs: Collection[int] = ()) -> Future[int]:
        """Queue the destruction of an entity's keys, or of those of these events."""
        done: Future[int] = Future()
        self._put(_Forget(entity, frozenset(seqs), done), done)
        return done

    def freeze(self, folder: Path) -> Future[Moment]:
        """Queue the taking of a moment: what was queued before is in it, what comes after is not."""
        done: Future[Moment] = Future()
        self._put(_Freeze(folder, done), done)
        return done

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call ``listener`` for every event from now on; the answer ends it."""
        token = object()
        with self._gate:
            self._listeners[token] = listener

        def unsubscribe() -> None:
            with self._gate:
                self._listeners.pop(token, None)

        return unsubscribe

    def head(self) -> tuple[int, bytes]:
        """(seq, hash) of the last committed event."""
        return self._scribe.head

    def refuse_own_thread(self) -> None:
        """Raise RuntimeError on the writer's own thread, where waiting for it would never end."""
        if threading.current_thread() is self._thread:
            raise RuntimeError("a listener must not wait for the ledger that calls it; use Ledger.submit")

    def close(self) -> None:
        """Write what is queued, sign the head, close the files. Twice is harmless."""
        self.refuse_own_thread()
        with self._gate:
            if not self._closed:
                self._closed = True
                self._jobs.put(_Stop())
        self._thread.join()

    def _put(self, job: _Job, done: Future[Moment] | Future[int] | Future[tuple[Event, ...]]) -> None:
        done.set_running_or_notify_cancel()  # what is submitted is written: it cannot be cancelled any more
        with self._gate:
            if self._closed:
                raise StoreFailed("store.closed", "The ledger is closed.", hint="Open it again; nothing was written.")
            self._jobs.put(job)

    # --- on the writer's thread ---------------------------------------------------------------------------------------

    def _work(self) -> None:
        while True:
            match self._next():
                case _Append() as job:
                    self._write(self._company(job))
                case _Forget() as job:
                    self._forget(job)
                case _Freeze() as job:
                    self._freeze(job)
                case _Stop():
                    break
        try:
            self._scribe.close()
        except Exception:
            _log.exception("the ledger was not closed cleanly")

    def _next(self) -> _Job:
        if self._carried is not None:
            job, self._carried = self._carried, None
            return job
        if self._jobs.empty():
            self._scribe.top_up()
        while True:
            try:
                return self._jobs.get(timeout=self._until_checkpoint())
            except queue.Empty:
                self._scribe.checkpoint()
                self._unsigned_since = time.monotonic() if self._scribe.has_news else None

    def _until_checkpoint(self) -> float | None:
        if self._unsigned_since is None:
            return None
        return max(0.0, self._unsigned_since + self._checkpoint_after_s - time.monotonic())

    def _company(self, first: _Append) -> list[_Append]:
        batch, size, durable = [first], len(first.prepared), first.durable
        deadline = time.monotonic() + COMPANY_S
        while size < MAX_BATCH:
            try:
                job = self._jobs.get(timeout=0 if durable else max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                break
            if not isinstance(job, _Append):
                self._carried = job
                break
            batch.append(job)
            size, durable = size + len(job.prepared), durable or job.durable
        return batch

    def _write(self, batch: list[_Append]) -> None:
        try:
            events = self._scribe.write([one for job in batch for one in job.prepared])
        except Exception as error:  # the task edge: whoever waits is told, the thread lives on
            for job in batch:
                job.done.set_exception(error)
            return
        self._publish(events)
        at = 0
        for job in batch:
            job.done.set_result(tuple(events[at : at + len(job.prepared)]))
            at += len(job.prepared)

    def _forget(self, job: _Forget) -> None:
        try:
            count = self._scribe.doom(job.entity or "", job.seqs)
            self._publish(self._scribe.declare_doomed())
            if count:
                self._scribe.destroy_doomed()
        except Exception as error:  # the task edge, as above
            job.done.set_exception(error)
        else:
            job.done.set_result(count)

    def _freeze(self, job: _Freeze) -> None:
        try:
            moment = self._scribe.freeze(job.folder)
        except Exception as error:  # the task edge, as above
            job.done.set_exception(error)
        else:
            job.done.set_result(moment)

    def _publish(self, events: list[Event]) -> None:
        if self._unsigned_since is None and self._scribe.has_news:
            self._unsigned_since = time.monotonic()
        with self._gate:
            listeners = list(self._listeners.values())
        for event in events:
            for listener in listeners:
                try:
                    listener(event)
                except Exception:  # the task edge: a listener's fault is its own
                    _log.exception("a listener of the ledger failed at event %d", event.seq)
