"""What the ledger promises while nothing goes wrong."""

from __future__ import annotations

import os
import stat
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from memory import Draft, Event, Ledger
from memory.errors import BadDraft, LedgerBusy, StoreFailed

Make = Callable[..., Draft]
Open = Callable[..., Ledger]


def test_what_was_appended_is_read_back(ledger: Ledger, draft: Make) -> None:
    written = ledger.append(draft(1), draft(2))
    assert [event.seq for event in written] == [1, 2]
    assert tuple(ledger.events()) == written
    first = written[0]
    assert first.body == {"number": 1, "text": "résumé 1"}
    assert (first.kind, first.run, first.task, first.label) == ("task.done", "run-1", "t1", {"integrity": "user"})
    assert first.entities == ("person:anna",)
    assert ledger.head() == (2, written[1].hash)


def test_the_latest_come_first_page_by_page_of_a_run_and_of_some_kinds(ledger: Ledger, draft: Make) -> None:
    kinds = ("task.done", "run.created", "task_done", "run.finished")
    ledger.append(*(draft(n, kind=kinds[n % 4], run=f"run-{n % 3}") for n in range(1, 25)))
    assert [event.seq for event in ledger.latest(5)] == [24, 23, 22, 21, 20]
    assert [event.seq for event in ledger.latest(3, before=20)] == [19, 18, 17]
    assert [event.seq for event in ledger.latest(50, before=3)] == [2, 1]
    of_run = ledger.latest(50, run="run-1", stems=("run.",))
    assert {event.run for event in of_run} == {"run-1"}
    assert [event.seq for event in of_run] == [n for n in range(24, 0, -1) if n % 3 == 1 and n % 2]
    assert {event.kind for event in ledger.latest(50, stems=("task.",))} == {"task.done"}  # "_" is no wildcard
    ledger.destroy([7])
    assert [event.seq for event in ledger.latest(50, before=25) if event.body is None] == [7]
    assert ledger.latest(5, before=1) == []


def test_an_empty_ledger_has_a_head_and_verifies(ledger: Ledger) -> None:
    seq, digest = ledger.head()
    assert (seq, len(digest)) == (0, 64)
    assert ledger.append() == ()
    assert ledger.verify().ok
    assert list(ledger.events()) == []


def test_two_ledgers_begin_differently(tmp_path: Path) -> None:
    with Ledger.open(tmp_path / "a") as one, Ledger.open(tmp_path / "b") as other:
        assert one.head() != other.head()


def test_the_clock_is_the_one_that_was_given(opened: Open, draft: Make) -> None:
    times = iter(range(1_000, 2_000))
    ledger = opened(clock_ns=lambda: next(times))
    assert [event.at_ns for event in ledger.append(draft(1), draft(2))] == [1_000, 1_001]


def test_runs_that_have_not_ended(ledger: Ledger) -> None:
    def say(run: str | None, kind: str) -> None:
        ledger.append(Draft(kind=kind, run=run, body={}))

    for run in ("done", "open", "tried"):
        say(run, "run.tried" if run == "tried" else "run.created")
    say("late", "task.done")  # of a run whose beginning is not asked for
    say(None, "run.created")
    say("open", "task.done")
    say("done", "run.finished")
    assert ledger.runs_without("run.finished", ("run.created", "run.tried")) == ["open", "tried"]
    assert ledger.runs_without("run.finished", ("run.tried",)) == ["tried"]
    say("late", "run.created")
    say("open", "run.finished")
    assert ledger.runs_without("run.finished", ("run.created", "run.tried")) == ["tried", "late"]


def test_where_the_latest_of_a_kind_begin(ledger: Ledger) -> None:
    ledger.append(*(Draft(kind=kind, body={}) for kind in ("a", "b", "a", "a")))
    assert [ledger.nth_latest("a", count) for count in (1, 2, 3, 4)] == [4, 3, 1, 0]
    assert ledger.nth_latest("c", 1) == 0


def test_events_survive_closing(opened: Open, draft: Make) -> None:
    before = opened()
    written = before.append(*map(draft, range(10)))
    before.close()
    after = opened()
    assert tuple(after.events()) == written
    more = after.append(draft(10))
    assert more[0].seq == 11
    assert after.verify().ok


def test_events_are_chosen_by_place_run_and_kind(ledger: Ledger, draft: Make) -> None:
    ledger.append(*(draft(number, kind="a" if number % 2 else "b") for number in range(1, 601)))
    assert [e.seq for e in ledger.events(after=598)] == [599, 600]
    assert [e.seq for e in ledger.events(run="run-1", limit=3)] == [1, 4, 7]
    assert [e.seq for e in ledger.events(kinds={"b"}, after=3, limit=2)] == [4, 6]
    assert [e.seq for e in ledger.events(run="run-0", kinds=["a", "x"], limit=2)] == [3, 9]
    assert sum(1 for _ in ledger.events()) == 600
    assert sum(1 for _ in ledger.events(limit=513)) == 513
    assert list(ledger.events(limit=0)) == []
    assert list(ledger.events(run="nobody")) == []


def test_reading_sees_what_is_written_meanwhile(ledger: Ledger, draft: Make) -> None:
    ledger.append(*map(draft, range(300)))
    events = ledger.events()
    next(events)
    ledger.append(draft(300))
    assert sum(1 for _ in events) == 300


def test_a_submission_is_all_or_nothing(ledger: Ledger, draft: Make) -> None:
    with pytest.raises(BadDraft):
        ledger.submit(draft(1), draft(2, body={"x": object()}))
    assert ledger.head()[0] == 0


@pytest.mark.parametrize(
    "changes",
    [
        {"kind": ""},
        {"kind": "ledger.forgotten"},
        {"kind": "a\0b"},
        {"run": "\udc80"},
        {"body": ["no", "object"]},
        {"entities": ("",)},
        {"entities": (3,)},
    ],
)
def test_bad_drafts_are_refused_and_nothing_is_written(ledger: Ledger, draft: Make, changes: dict[str, object]) -> None:
    with pytest.raises(BadDraft) as caught:
        ledger.append(draft(1, **changes))
    assert caught.value.code.startswith("draft.")
    assert caught.value.hint
    ledger.append(draft(1))
    assert ledger.verify().ok


def test_listeners_hear_every_event_in_order_after_the_commit(ledger: Ledger, draft: Make) -> None:
    heard: list[tuple[int, int]] = []
    stop = ledger.subscribe(lambda event: heard.append((event.seq, ledger.head()[0])))
    ledger.append(draft(1), draft(2))
    ledger.append(draft(3))
    stop()
    stop()
    ledger.append(draft(4))
    assert [seq for seq, _ in heard] == [1, 2, 3]
    assert all(head >= seq for seq, head in heard)


def test_a_listener_has_heard_an_event_when_append_returns(ledger: Ledger, draft: Make) -> None:
    heard: list[Event] = []
    ledger.subscribe(heard.append)
    assert ledger.append(draft(1))[0] in heard


def test_a_listener_that_fails_harms_nobody(ledger: Ledger, draft: Make, caplog: pytest.LogCaptureFixture) -> None:
    heard: list[int] = []

    def fail(_: Event) -> None:
        raise ZeroDivisionError("listener")

    ledger.subscribe(fail)
    ledger.subscribe(lambda event: heard.append(event.seq))
    ledger.append(draft(1))
    ledger.append(draft(2))
    assert heard == [1, 2]
    assert "a listener of the ledger failed at event 1" in caplog.text


def test_a_listener_may_submit_but_not_wait(ledger: Ledger, draft: Make) -> None:
    seen: list[str] = []
    done = threading.Event()

    def listen(event: Event) -> None:
        if event.seq == 1:
            ledger.submit(draft(2))
            for wait in (lambda: ledger.append(draft(3)), ledger.close):
                try:
                    wait()
                except RuntimeError as error:
                    seen.append(str(error))
        else:
            done.set()

    ledger.subscribe(listen)
    ledger.append(draft(1))
    assert done.wait(10)
    assert len(seen) == 2
    assert ledger.head()[0] == 2


def test_many_threads_keep_their_order_and_the_chain(ledger: Ledger, draft: Make) -> None:
    def work(name: str) -> None:
        futures = [
            ledger.submit(draft(number, run=name, durable=number % 4 == 0), draft(number, run=name, kind="second"))
            for number in range(50)
        ]
        for future in futures:
            first, second = future.result(30)
            assert second.seq == first.seq + 1

    threads = [threading.Thread(target=work, args=(f"thread-{at}",)) for at in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert ledger.verify().ok
    assert ledger.head()[0] == 800
    for at in range(8):
        bodies = [event.body for event in ledger.events(run=f"thread-{at}", kinds={"second"})]
        assert [body and body["number"] for body in bodies] == list(range(50))


def test_drafts_that_wait_together_share_a_commit(ledger: Ledger, draft: Make, folder: Path) -> None:
    """Group commit: the write-ahead log grows by far less than a commit for each event would cost."""
    ledger.append(*map(draft, range(10)))
    one_by_one = _log_growth(folder, lambda: [ledger.append(draft(number)) for number in range(40)])
    together = _log_growth(
        folder, lambda: [f.result(10) for f in [ledger.submit(draft(n, durable=False)) for n in range(40)]]
    )
    assert together < one_by_one / 2


def test_a_draft_that_need_not_be_durable_waits_for_company(ledger: Ledger, draft: Make) -> None:
    begun = time.monotonic()
    lonely = ledger.submit(draft(1, durable=False))
    assert lonely.result(10)[0].seq == 1
    assert time.monotonic() - begun >= 0.02


def _log_growth(folder: Path, act: Callable[[], object]) -> int:
    log = folder / "ledger.db-wal"
    before = log.stat().st_size
    act()
    return log.stat().st_size - before


def test_a_future_cannot_be_cancelled(ledger: Ledger, draft: Make) -> None:
    future = ledger.submit(draft(1))
    assert not future.cancel()
    assert future.result(10)[0].seq == 1


def test_only_one_may_hold_the_folder(ledger: Ledger, folder: Path, draft: Make) -> None:
    with pytest.raises(LedgerBusy) as caught:
        Ledger.open(folder)
    assert caught.value.retryable
    ledger.append(draft(1))
    ledger.close()
    Ledger.open(folder).close()


def test_another_process_is_refused_too(ledger: Ledger, folder: Path, child: object) -> None:
    child.start(folder=str(folder))  # type: ignore[attr-defined]
    lines, code = child.rest()  # type: ignore[attr-defined]
    assert code == 1
    assert lines[0].startswith("LedgerBusy")


def test_after_closing_everything_is_refused(ledger: Ledger, draft: Make) -> None:
    ledger.close()
    ledger.close()
    acts = (
        lambda: ledger.append(draft(1)),
        lambda: list(ledger.events()),
        lambda: ledger.forget("x"),
        lambda: ledger.subscribe(print),
    )
    for act in acts:
        with pytest.raises(StoreFailed) as caught:
            act()
        assert caught.value.code == "store.closed"


def test_what_was_submitted_before_closing_is_written(opened: Open, draft: Make) -> None:
    ledger = opened()
    futures = [ledger.submit(draft(number, durable=False)) for number in range(700)]
    ledger.close()
    assert [future.result(0)[0].seq for future in futures] == list(range(1, 701))
    assert opened().head()[0] == 700


def test_files_are_private(ledger: Ledger, folder: Path, draft: Make) -> None:
    ledger.append(draft(1))
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}
    assert set(modes) >= {"ledger.db", "ledger.db-wal", "keys.db", "keys.db-wal", "signing.key"}
    assert set(modes.values()) == {0o600}


def test_rights_that_are_too_wide_are_taken_back(opened: Open, folder: Path) -> None:
    opened().close()
    folder.chmod(0o755)
    for path in folder.iterdir():
        path.chmod(0o644)
    opened()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}


def test_no_word_lies_readable_in_the_event_file_and_no_name_in_either(opened: Open, folder: Path, draft: Make) -> None:
    ledger = opened()
    ledger.append(draft(1, body={"text": "the-secret-word"}, entities=("person:zacharias",), label="the-label"))
    ledger.close()
    files = {path.name: path.read_bytes() for path in folder.iterdir()}
    for word in (b"the-secret-word", b"the-label", b"zacharias"):
        assert not any(word in data for data in files.values())
    assert b"task.done" in files["ledger.db"]  # control: open columns are found like this


def test_the_head_is_signed_after_a_while_without_news(opened: Open, draft: Make) -> None:
    ledger = opened(checkpoint_after_s=0.0)
    ledger.append(draft(1))
    deadline = time.monotonic() + 60
    while not ledger.verify().checkpoints and time.monotonic() < deadline:
        time.sleep(0.01)
    assert ledger.verify().checkpoints == 1


def test_every_thousandth_event_is_signed(opened: Open, draft: Make) -> None:
    ledger = opened()
    ledger.append(*map(draft, range(2_500)))
    assert ledger.verify().checkpoints == 2
    ledger.close()
    assert opened().verify().checkpoints == 3


def test_looking_without_holding(ledger: Ledger, opened: Open, draft: Make) -> None:
    ledger.append(draft(1))
    other = opened(read_only=True)
    assert other.head() == ledger.head()
    ledger.append(draft(2))
    assert [event.seq for event in other.events()] == [1, 2]
    assert other.verify().ok
    with pytest.raises(StoreFailed) as caught:
        other.append(draft(3))
    assert caught.value.code == "store.read_only"


def test_looking_where_there_is_nothing(opened: Open, folder: Path) -> None:
    with pytest.raises(StoreFailed) as caught:
        opened(read_only=True)
    assert caught.value.code == "store.absent"
    assert not folder.exists()


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreFailed) as caught:
        Ledger.open(tmp_path / "file" / "ledger")
    assert caught.value.code == "store.folder"
    assert caught.value.hint


def test_no_descriptor_or_thread_is_left(folder: Path, draft: Make) -> None:
    def count() -> tuple[int, int]:
        return len(os.listdir("/proc/self/fd")), threading.active_count()

    Ledger.open(folder).close()
    before = count()
    for number in range(5):
        ledger = Ledger.open(folder)
        ledger.append(draft(number))
        ledger.verify()
        ledger.close()
    assert count() == before


def test_what_some_kinds_cost_does_not_grow_with_what_comes_after(ledger: Ledger, draft: Make) -> None:
    few, many = [_steps_to_read(ledger, draft, events) for events in (2_000, 12_000)]
    assert many < 1.5 * few


def _steps_to_read(ledger: Ledger, draft: Make, events: int) -> int:
    """Return what the database does for the first events of two kinds, in a ledger of ``events``."""
    ledger.append(*(draft(number, kind="abc"[number % 3]) for number in range(events - ledger.head()[0])))
    connection, steps = ledger._reader.connection, [0]

    def one_more() -> int:
        steps[0] += 1
        return 0

    connection.set_progress_handler(one_more, 100)
    assert len(list(ledger.events(kinds=("a", "b"), limit=50))) == 50
    connection.set_progress_handler(None, 0)
    return steps[0]
