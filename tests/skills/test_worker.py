"""The worker's ``run``, in this process and in one of its own: everything but the wall."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from skills import modules
from skills.model import Call, CallResult, ToolId
from skills.schema import read_signatures
from skills.wire import decode_reply, encode_request
from skills.worker import rehearse, run

_CODE = '''from __future__ import annotations
import os
import shutil
from dataclasses import dataclass
from skills.sdk import Context, File, Text, ToolError
from . import helper

@dataclass(frozen=True)
class Greeting:
    words: str
    when: str

def greet(ctx: Context, name: Text, times: int = 1) -> Greeting:
    """Greet.

    Args:
        name: whom.
        times: how often.
    """
    ctx.progress(0.5, "half")
    ctx.say(f"Hello {name}.", de=f"Hallo {name}.")
    return Greeting(" ".join([helper.WORD] * times), ctx.now.isoformat() + " " + str(ctx.now.tzinfo))

def write(ctx: Context, text: Text) -> File:
    """Write.

    Args:
        text: what.
    """
    ctx.write("a.txt", text)
    ctx.say("Written.")
    return ctx.file("a.txt")

def refuse(ctx: Context) -> None:
    """Refuse."""
    raise ToolError("I will not.", hint="Ask nicely.", code="demo.no", de="Nein.", de_hint="Bitte.")

def crash(ctx: Context) -> int:
    """Crash."""
    return 1 // 0

def lie(ctx: Context) -> int:
    """Lie."""
    return "three"

def odd(ctx: Context) -> int:
    """Return what cannot be passed on."""
    return object()

def hungry(ctx: Context) -> int:
    """Eat."""
    raise MemoryError

def full(ctx: Context) -> int:
    """Fill the disk."""
    raise OSError(28, "No space left on device", "/x")

def name(ctx: Context) -> str:
    """Tell under which name this runs."""
    ctx.say(__name__ + " " + helper.__name__)
    return __name__
'''

Run = Callable[..., CallResult]


@pytest.fixture
def skill(tmp_path: Path) -> Path:
    # One process loads many: each test has a skill of its own name.
    folder = tmp_path / f"demo-{tmp_path.name.replace('_', '-').lower()}"
    folder.mkdir()
    (folder / "skill.py").write_text(_CODE)
    (folder / "helper.py").write_text("WORD = 'hi'\n")
    return folder


def _request(skill: Path, function: str, **other: Any) -> bytes:
    given = {"language": "en", "arguments": {}, "staging": None, "timezone": "Europe/Berlin"} | other
    call = Call(
        tool=ToolId(f"demo.{function}"),
        folder=str(skill),
        function=function,
        home=str(skill.parent),
        cwd=str(skill.parent),
        now="2025-07-01T12:00:00+02:00",
        seed=1,
        **given,
    )
    return encode_request(call, read_signatures(skill / "skill.py")[function], ())


@pytest.fixture
def ask(skill: Path) -> Run:
    def act(function: str, **other: Any) -> CallResult:
        reply = run(_request(skill, function, **other), lambda _data: None)
        return decode_reply(reply, read_signatures(skill / "skill.py")[function].result)

    return act


def test_a_call_answers_in_the_language_asked_for(ask: Run) -> None:
    result = ask("greet", arguments={"name": "Anna", "times": 2}, language="de")
    assert result.answer == "Hallo Anna."
    assert result.value == {"words": "hi hi", "when": "2025-07-01T12:00:00+02:00 Europe/Berlin"}


def test_an_offset_without_a_name_is_kept(ask: Run) -> None:
    result = ask("greet", arguments={"name": "Anna"}, timezone="UTC+02:00")
    assert result.value["when"] == "2025-07-01T12:00:00+02:00 UTC+02:00"


def test_progress_is_emitted(skill: Path) -> None:
    heard: list[bytes] = []
    run(_request(skill, "greet", arguments={"name": "x"}), heard.append)
    assert [json.loads(each) for each in heard] == [{"fraction": 0.5, "text": "half"}]


def test_effects_come_back_and_nothing_else_is_touched(ask: Run, tmp_path: Path) -> None:
    (tmp_path / "staging").mkdir()
    result = ask("write", arguments={"text": "hi"}, staging=str(tmp_path / "staging"))
    assert [effect["op"] for effect in result.effects] == ["write"]
    assert (tmp_path / "staging" / result.effects[0]["blob"]).read_text() == "hi"
    assert not (tmp_path / "a.txt").exists()
    assert result.value["size_bytes"] == 2


@pytest.mark.parametrize(
    ("function", "language", "code", "words", "hint"),
    [
        ("refuse", "en", "demo.no", "I will not.", "Ask nicely."),
        ("refuse", "de", "demo.no", "Nein.", "Bitte."),
        ("write", "en", "tool.pure", "declared pure", "idempotent"),
        ("crash", "en", "tool.fault", "ZeroDivisionError", "author"),
        ("odd", "en", "result.type", "returned a object", "author"),
        ("hungry", "en", "task.memory", "out of memory", ""),
        ("full", "en", "tool.disk_full", "disk is full", "Free some space"),
    ],
)
def test_every_failure_has_a_code_and_words(
    ask: Run, function: str, language: str, code: str, words: str, hint: str
) -> None:
    arguments = {"text": "x"} if function == "write" else {}
    error = ask(function, language=language, arguments=arguments).error
    assert error is not None
    assert error["code"] == code
    assert words in error["message"]
    assert hint in error["hint"]


def test_a_wrong_argument_is_worded(skill: Path, ask: Run) -> None:
    error = ask("greet", arguments={"name": "x", "times": "many"}).error
    assert error is not None
    assert (error["code"], "times" in error["message"]) == ("result.argument", True)


def test_a_skill_runs_under_a_name_of_its_own(ask: Run, skill: Path) -> None:
    package = "_skill_" + skill.name.replace("-", "_")
    assert ask("name").answer == f"{package} {package}.helper"
    assert str(skill) not in sys.path


def test_a_compiled_file_beside_the_source_never_runs(tmp_path: Path) -> None:
    folder = tmp_path / "sly-skill"
    folder.mkdir()
    (folder / "skill.py").write_text("WHO = 'evil'\n")
    code = f"import sys; sys.path.insert(0, {str(folder)!r}); import skill"
    subprocess.run([sys.executable, "-c", code], check=True, env={})
    (pyc,) = (folder / "__pycache__").iterdir()
    stat = (folder / "skill.py").stat()
    (folder / "skill.py").write_text("WHO = 'good'\n")
    import os

    os.utime(folder / "skill.py", ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert pyc.exists()
    assert modules.load(folder).WHO == "good"


def test_a_module_may_put_something_else_in_its_place(tmp_path: Path) -> None:
    folder = tmp_path / "turned"
    folder.mkdir()
    (folder / "skill.py").write_text("import sys, types\nsys.modules[__name__] = types.SimpleNamespace(WHO='other')\n")
    assert modules.load(folder).WHO == "other"
    assert modules.load(folder).WHO == "other", "and so it is the second time"
    modules.unload(folder)


def test_precompiling_runs_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "loud"
    folder.mkdir()
    (folder / "skill.py").write_text(f"open({str(tmp_path / 'proof')!r}, 'w').close()\n")
    (folder / "broken.py").write_text("def (")
    modules.precompile(tmp_path)
    assert not (tmp_path / "proof").exists()
    modules.load(folder)
    assert (tmp_path / "proof").exists()


def _compiled_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Start as a new worker would with the skills below ``tmp_path``; return what had to be compiled."""
    sources: list[str] = []

    def compiling(source: bytes, path: str, *more: Any, **how: Any) -> Any:
        sources.append(Path(path).name)
        return compile(source, path, *more, **how)

    monkeypatch.setattr(modules, "_compiled", {})
    monkeypatch.setattr(modules, "compile", compiling, raising=False)
    modules.precompile_ours(tmp_path / "ours", tmp_path / "kept" / "codes")
    return sources


@pytest.fixture
def ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A skill of ours that was compiled once, and the file with what it was compiled to."""
    folder = tmp_path / "ours" / "kept-skill"
    folder.mkdir(parents=True)
    (folder / "skill.py").write_text("WHO = 'first'\n")
    (folder / "other.py").write_text("WHO = 'other'\n")
    assert _compiled_ours(tmp_path, monkeypatch) == ["other.py", "skill.py"]
    return folder


def test_what_is_ours_is_compiled_once(ours: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _compiled_ours(tmp_path, monkeypatch) == []
    assert modules.load(ours).WHO == "first"
    modules.unload(ours)
    assert [file.name for file in (tmp_path / "kept").iterdir()] == ["codes"], "nothing else is left there"


def test_what_changed_is_compiled_anew(ours: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stat = (ours / "skill.py").stat()
    (ours / "skill.py").write_text("WHO = 'later'\n")
    os.utime(ours / "skill.py", ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert _compiled_ours(tmp_path, monkeypatch) == ["skill.py"]
    assert modules.load(ours).WHO == "later"
    modules.unload(ours)
    assert _compiled_ours(tmp_path, monkeypatch) == [], "and is kept"


def _of_another_python(data: bytes) -> bytes:
    return b"xx" + data[2:]


def _flipped(data: bytes) -> bytes:
    return data[:-9] + bytes([data[-9] ^ 1]) + data[-8:]


@pytest.mark.parametrize("harm", [_of_another_python, _flipped, lambda data: data[:-5], lambda _: b""])
def test_what_is_damaged_is_not_read(
    harm: Callable[[bytes], bytes], ours: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / "kept" / "codes"
    kept.write_bytes(harm(kept.read_bytes()))
    assert _compiled_ours(tmp_path, monkeypatch) == ["other.py", "skill.py"]
    assert _compiled_ours(tmp_path, monkeypatch) == [], "it was written anew"


def test_where_nothing_can_be_kept_everything_is_compiled(
    ours: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.rmtree(tmp_path / "kept")
    (tmp_path / "kept").write_text("a file where the folder would be")
    assert _compiled_ours(tmp_path, monkeypatch) == ["other.py", "skill.py"]
    assert modules.load(ours).WHO == "first"
    modules.unload(ours)


def test_what_others_wrote_is_compiled_where_that_does_no_harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "theirs"
    folder.mkdir()
    (folder / "skill.py").write_text("WHO = 'they'\n")
    modules.precompile_foreign(tmp_path)
    assert str(folder / "skill.py") in modules._compiled
    monkeypatch.setattr(modules, "_compiled", {})
    monkeypatch.setattr(modules, "compile", lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL), raising=False)
    modules.precompile_foreign(tmp_path)
    assert modules._compiled == {}, "the child died of it, this process tried nothing"
    monkeypatch.setattr(modules, "_PATIENCE_S", 1)
    monkeypatch.setattr(modules, "compile", lambda *_, **__: time.sleep(60), raising=False)
    modules.precompile_foreign(tmp_path)
    assert modules._compiled == {}


def test_a_rehearsal_is_a_whole_call_and_leaves_nothing(tmp_path: Path) -> None:
    assert json.loads(rehearse("Europe/Berlin")) == {
        "value": "", "answer": "", "effects": [], "table": None, "files": [], "error": None, "offered": None,
        "read": {}, "holds": "always",
    }  # fmt: skip
    assert not [name for name in sys.modules if name.startswith("_skill_rehearsal")]


def test_what_is_imported_ahead_is_what_stands_at_the_top(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"steward_test_{name}" for name in ("plain", "other", "listed", "guarded", "called", "late")]
    for name in names:
        (tmp_path / f"{name}.py").write_text("x = 1\n")
    plain, other, listed, guarded, called, late = names
    folder = tmp_path / "skills" / "loud"
    folder.mkdir(parents=True)
    (folder / "broken.py").write_text("import (")
    (folder / "skill.py").write_text(
        f"""open({str(tmp_path / "proof")!r}, "w").close()
import {plain}, {other} as them
from {listed} import (
    x,
)
from .sibling import y
import steward_test_missing
if x:
    import {guarded}

def call():
    import {called}

import {late}
"""
    )
    monkeypatch.syspath_prepend(tmp_path)
    modules.import_ahead(tmp_path / "skills")
    assert [name for name in names if sys.modules.pop(name, None)] == [plain, other, listed]
    assert not (tmp_path / "proof").exists()


def test_the_same_in_a_process_of_its_own(skill: Path) -> None:
    code = "import sys; from skills.worker import run; sys.stdout.buffer.write(run(sys.stdin.buffer.read(), print))"
    done = subprocess.run(
        [sys.executable, "-P", "-c", code],
        input=_request(skill, "name"),
        capture_output=True,
        check=True,
    )
    signature = read_signatures(skill / "skill.py")["name"]
    assert decode_reply(done.stdout, signature.result).value.startswith("_skill_demo")
