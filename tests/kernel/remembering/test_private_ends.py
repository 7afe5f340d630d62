"""How a private run ended stays, and no word of it: also over a restart."""

from __future__ import annotations

from typing import Any

import pytest

from kernel import Ask

Bench = Any  # tests/kernel/conftest.py

pytestmark = [pytest.mark.slow, pytest.mark.sandbox]


@pytest.mark.parametrize(("answer", "resolution", "refused"), [("no", "blocked", True), ("once", "confirmed", False)])
async def test_a_private_run_is_after_a_restart_what_it_was(
    bench: Bench, answer: str, resolution: str, refused: bool
) -> None:
    said = "show me the largest files in Downloads"
    run = await bench.kernel.ask(Ask(said, conversation="c", cwd=str(bench.home), channel="test", private=True))
    assert (await bench.kernel.settled(run))["resolution"] == "pending"
    first = await bench.answer(run, answer)
    assert first["resolution"] == resolution, first
    await bench.kernel.close()
    bench.kernel = await bench.reopen()
    after = await bench.kernel.settled(run)
    assert (after["resolution"], after["answer"]) == (resolution, "")
    assert ((after["error"] or {}).get("code") == "approval.refused") is refused
    ledger = b"".join(one.read_bytes() for one in bench.folders.data.rglob("*") if one.is_file())
    assert b"largest files" not in ledger
