"""The guide's code does what the guide says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

GUIDE = Path(__file__).parents[3] / "docs" / "guides" / "memory.md"


def test_what_the_guide_writes_down_and_asks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    writing, asking, *_ = re.findall(r"```python\n(.*?)```", GUIDE.read_text(), re.DOTALL)
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    exec(writing, names)
    graph, anna, query = names["graph"], names["anna"], names["Query"]
    try:
        first, second = graph.facts()
        assert first.valid_to == second.valid_from
        names |= {"ledger_time_ns": first.recorded_from, "now_ns": second.recorded_from}
        exec(asking, names)
        assert graph.facts(query(subject=anna.id, valid_at=names["day_ns"]("2022-05-01")))[0].object.value.startswith(
            "org:x"
        )
        assert graph.facts(query(recorded_at=first.recorded_from))[0].valid_to is None
    finally:
        graph.close()
        names["ledger"].close()
