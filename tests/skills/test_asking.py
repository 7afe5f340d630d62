"""A tool that has another one called: what it hands out, what it gets back, and the same in a practice home."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from permissions.confine.asker import HEAD, Asker
from skills.asking import Asking
from skills.sdk import Context, File, Folder, ToolError
from skills.sdk.testing import PracticeHome
from skills.sdk.types import Record


class Line:
    """The other end of a real line: what it answers, and what was asked. Without an answer it hangs up."""

    def __init__(self, *said: dict[str, Any]) -> None:
        self.asked: list[Any] = []
        self._ours, self._theirs = socket.socketpair()
        self._thread = threading.Thread(target=self._serve, args=(said,), daemon=True)
        self._thread.start()
        self.asking = Asking(Asker(self._theirs.fileno()))

    def _serve(self, said: tuple[dict[str, Any], ...]) -> None:
        with self._ours, self._ours.makefile("rb") as questions:
            for one in said:
                head = questions.read(HEAD.size)
                if not head:
                    return
                self.asked.append(json.loads(questions.read(*HEAD.unpack(head))))
                data = json.dumps(one).encode()
                self._ours.sendall(HEAD.pack(len(data)) + data)

    def close(self) -> None:
        self._theirs.close()
        self._thread.join(5)


@pytest.fixture
def line() -> Iterator[Callable[..., Line]]:
    """Make lines, and close them."""
    made: list[Line] = []

    def make(*said: dict[str, Any]) -> Line:
        made.append(Line(*said))
        return made[-1]

    yield make
    for one in made:
        one.close()


def answer(value: Any, kind: str, *, many: bool = False, withheld: tuple[str, ...] = ()) -> dict[str, Any]:
    return {"value": value, "type": [kind, many, []], "answer": "Done.", "withheld": list(withheld)}


@pytest.mark.parametrize(
    ("said", "value"),
    [
        (answer("x", "text"), "x"),
        (answer(2.5, "number"), 2.5),
        (answer({"fields": {"a": 1}}, "record"), Record({"a": 1})),
        (answer({"a": 1}, "record"), Record({"a": 1})),
        (answer([{"path": "/h/a"}], "file", many=True), [File("/h/a")]),
        (answer({"path": "/h"}, "folder"), Folder("/h")),
        (answer(None, "text"), None),
        (answer({"free": ["form"]}, "any"), {"free": ["form"]}),
    ],
)
def test_a_value_comes_back_in_the_type_that_the_tool_declares(
    line: Callable[..., Line], said: dict[str, Any], value: Any
) -> None:
    assert line(said).asking("a.b", {}).value == value


def test_values_go_out_as_json(line: Callable[..., Line]) -> None:
    one = line(answer("x", "text", withheld=("fs.read:/h/**",)))
    called = one.asking("a.b", {"file": File("/h/a"), "folder": Folder("/h"), "text": "t", "none": None})
    assert (called.answer, called.withheld) == ("Done.", ("fs.read:/h/**",))
    [asked] = one.asked
    assert asked["tool"] == "a.b"
    assert asked["arguments"]["file"]["path"] == "/h/a"
    assert asked["arguments"]["folder"] == {"path": "/h", "name": "h"}
    assert (asked["arguments"]["text"], asked["arguments"]["none"]) == ("t", None)


def test_what_goes_wrong_is_an_error_of_the_tool(line: Callable[..., Line]) -> None:
    refused = {"error": {"code": "call.right", "message": "no", "hint": "ask"}}
    for said, arguments, code in [
        ((refused,), {}, "call.right"),
        ((), {}, "call.cut"),
        ((refused,), {"text": "x" * (5 << 20)}, "call.size"),
    ]:
        with pytest.raises(ToolError) as failed:
            line(*said).asking("a.b", arguments)
        assert failed.value.code == code


@dataclass(frozen=True, slots=True)
class Built:
    """What was built."""

    name: str
    size: int


def build(ctx: Context, folder: Folder) -> Built:
    made = Path(folder.path, "out")
    made.write_text(Path(folder.path, "in").read_text().upper())
    ctx.say("Built.")
    return Built(made.name, made.stat().st_size)


def describe(ctx: Context) -> str:
    ctx.write("~/x", "x")
    return "never"


def boss(ctx: Context, whom: str) -> str:
    room = ctx.workroom()
    Path(room.path, "in").write_text("source")
    called = ctx.call(whom, **({"folder": room} if whom == "hand.build" else {}))
    ctx.write("~/made", Path(room.path, "out").read_text())
    return f"{called.value.fields['size']} {called.answer}"


def test_in_a_practice_home_the_other_tool_is_called_as_in_life(tmp_path: Path) -> None:
    home = PracticeHome(tmp_path, calls={"hand.build": build, "hand.describe": describe})
    assert home.do(boss, whom="hand.build").value == "6 Built."
    assert home.tree() == {"made": b"SOURCE"}
    for whom, code in [("hand.other", "tool.calls"), ("hand.describe", "tool.called")]:
        with pytest.raises(ToolError) as failed:
            home.do(boss, whom=whom)
        assert failed.value.code == code
    with pytest.raises(ToolError) as failed:
        home.do(boss, pure=True, whom="hand.build")
    assert failed.value.code == "tool.pure"


def test_a_workroom_has_a_simple_name(tmp_path: Path) -> None:
    context = Context(home=str(tmp_path), now=PracticeHome(tmp_path).now, staging=tmp_path)
    assert Path(context.workroom("a").path) == Path(context.workroom("a").path) == tmp_path / "room-a"
    for name in ("", "../x", "a/b", "."):
        with pytest.raises(ValueError, match="simple name"):
            context.workroom(name)
