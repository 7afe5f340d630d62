from __future__ import annotations

import json
from pathlib import Path

import pytest
from fastapi.sse import KEEPALIVE_COMMENT, format_sse_event
from hypothesis import given
from hypothesis import strategies as st

from portal.client import Client
from portal.locate import find_places
from portal.wire import DaemonError, is_listening, parse_events

BODIES = st.dictionaries(st.text(max_size=5), st.text() | st.integers() | st.none(), max_size=4)


@given(st.lists(BODIES), st.booleans())
def test_what_the_server_streams_the_client_reads(bodies: list[dict[str, object]], pings: bool) -> None:
    wire = b""
    for number, body in enumerate(bodies):
        wire += format_sse_event(data_str=json.dumps(body), event="x", id=str(number)) + KEEPALIVE_COMMENT * pings
    assert [*parse_events(wire.decode().split("\n"))] == bodies


def test_data_in_several_lines_is_one_event_and_a_cut_one_is_none() -> None:
    assert [*parse_events(["id: 1", "data: {", 'data: "a": 1}', "", ": ping", "", "data: {"])] == [{"a": 1}]


def test_no_daemon_is_told_with_what_to_do(tmp_path: Path) -> None:
    places = find_places({"STEWARD_HOME": str(tmp_path)})
    assert not is_listening(places)
    (tmp_path / "run").mkdir()
    with Client(places) as client, pytest.raises(DaemonError) as caught:
        client.status()
    assert caught.value.code == "daemon.gone"
    assert caught.value.hint


def test_a_name_that_would_be_another_path_is_refused_with_the_list_that_has_it(tmp_path: Path) -> None:
    with Client(find_places({"STEWARD_HOME": str(tmp_path)})) as client:
        for refused, code, hint in (
            (lambda: client.view("../perms"), "run.unknown", "./steward runs lists them."),
            (lambda: client.test_model("a/b"), "model.unknown", "./steward models lists them."),
            (lambda: client.bind_model("..", []), "role.unknown", "./steward models lists them."),
            (lambda: client.revoke("a/b"), "grant.unknown", "./steward perms lists them."),
        ):
            with pytest.raises(DaemonError) as caught:
                refused()
            assert (caught.value.code, caught.value.hint) == (code, hint)
