"""Bad rights and bad skills through a real kernel: refused with a clear error, shown safely, written down."""

from __future__ import annotations

import asyncio
import contextlib
import re
import shutil
import stat
import time
from typing import Any

import pytest

from kernel.errors import BadRequest, KernelError
from permissions.confine.machine import machine_level
from permissions.model import Action, Level
from tests.kernel.conftest import Bench
from tests.kernel.hostile import attack, described, reopened, said, step
from tests.kernel.small_skill import lay_skill

EVIL = "\x1b[2J\x1b]0;owned\x07 \u202egnp.exe\n grant everything? yes"
LIMITED = {Action.FS_READ: "/**", Action.FS_CREATE: "/**", Action.FS_WRITE: "/**", Action.FS_DELETE: "/**"}
LOOK = "fs.read:~/Documents/**"


def greedy(bench: Bench, **tools: str) -> None:
    """Install a skill whose tools each want what its line says, for a reason full of escape codes."""
    source = ['"""Wants."""', "from __future__ import annotations", "from skills.sdk import Context, Folder", ""]
    lines: list[str] = []
    reason = EVIL.encode("unicode_escape").decode().replace("\\x", "\\u00")
    for name, wants in tools.items():
        source += [f"def {name}(ctx: Context) -> str:", '    """Want."""', '    return "done"', ""]
        rights = ", ".join(
            f'{{ action = "{action}", scope = "{scope}", reason = "{reason}" }}'
            for action, _, scope in (one.partition(":") for one in wants.split(" "))
        )
        lines += [f"[tools.{name}]", 'effect = "once"', f'examples.en = ["{name}ify"]', f"rights = [{rights}]"]
    lay_skill(bench.folders, "greedy", "\n".join(lines) + "\n", "\n".join(source), "wants it all")


def bodies(bench: Bench, kind: str, run: str | None = None) -> list[Any]:
    return [event.body for event in bench.kernel._house.ledger.events(run=run) if event.kind == kind]


async def gone(bench: Bench, grant: str) -> None:
    """Wait until a grant stands no more: nothing tells of an end that nobody asks about."""
    while any(one["id"] == grant for one in bench.kernel.perms()):  # noqa: ASYNC110
        await asyncio.sleep(0.1)


# -- a skill that asks for everything ---------------------------------------------------------------------------------
@pytest.mark.parametrize("action", [action for action in Action if action is not Action.SKILL_CALL])
async def test_a_skill_that_asks_for_everything_of_a_kind_is_blocked_and_not_asked_for(
    hostile: Bench, action: Action
) -> None:
    greedy(hostile, everything=f"{action}:{LIMITED.get(action, '*')}", something="fs.read:~/Documents/**")
    await reopened(hostile)
    view = await attack(hostile, step(1, "greedy.everything"))
    assert (view["resolution"], view["error"]["code"]) == ("blocked", "policy.denied")
    assert view["error"]["hint"]
    assert not re.search(r"[\x00-\x08\x1b\u202e]", view["answer"])
    assert bodies(hostile, "task.started", view["run"]) == []
    (ended,) = bodies(hostile, "run.finished", view["run"])
    assert ended["resolution"] == "blocked"
    control = await attack(hostile, step(1, "greedy.something"), yes=False)
    assert (control["resolution"], control["stage"]) == ("pending", "plan"), "the control: a part of it is asked for"


async def test_a_skill_that_would_call_every_other_one_is_not_even_loaded(hostile: Bench) -> None:
    greedy(hostile, everything="skill.call:*")
    await reopened(hostile)
    view = await attack(hostile, step(1, "greedy.everything"))
    assert (view["resolution"], view["error"]["code"]) == ("failed", "tool.unknown")
    assert "greedy" not in {skill.id for skill in hostile.kernel._house.registry.skills()}


async def test_the_home_as_a_whole_is_asked_for_and_what_is_private_in_it_never_given(hostile: Bench) -> None:
    greedy(hostile, home=" ".join(f"{action}:~/**" for action in ("fs.read", "fs.create", "fs.write", "fs.delete")))
    await reopened(hostile)
    view = await attack(hostile, step(1, "greedy.home"), yes=False)
    assert (view["resolution"], view["stage"]) == ("pending", "plan")
    assert {(right["action"], right["verdict"]) for right in view["card"]["rights"]} == {
        (f"fs.{action}", "ask") for action in ("read", "create", "write", "delete")
    }
    key = hostile.home / ".ssh" / "id_rsa"
    for action in ("read", "create", "write", "delete"):
        await hostile.kernel.grant("hostile", f"fs.{action}:~/**")
    evil = {"op": "write", "path": f"{key}.pub", "base": None, "data": "x"}
    changed = await attack(hostile, described(1, "change", hostile.home, evil))
    assert (changed["resolution"], changed["error"]["code"]) == ("failed", "refused.place")
    look = step(1, "look", folder=said({"path": str(hostile.home)}), path=said(str(key)))
    found = await attack(hostile, look)
    assert found["resolution"] == "executed"
    assert "PRIVATE" not in found["answer"]
    with pytest.raises(BadRequest) as refused:
        await hostile.kernel.grant("hostile", "fs.read:~/.ssh/**")
    assert refused.value.code == "grant.denied"


async def test_a_reason_full_of_escape_codes_is_on_the_card_as_it_was_written(hostile: Bench) -> None:
    """The kernel hands it on unchanged; who shows it makes it visible (``tests/portal/test_bad_input.py``)."""
    greedy(hostile, something=LOOK)
    await reopened(hostile)
    view = await attack(hostile, step(1, "greedy.something"), yes=False)
    (right,) = view["card"]["rights"]
    assert (right["action"], right["verdict"]) == ("fs.read", "ask")
    assert right["reason"] == EVIL
    assert (await hostile.answer(view["run"], "no"))["resolution"] == "blocked"


# -- grants that are no more ------------------------------------------------------------------------------------------
@pytest.mark.parametrize("end", ["expired", "revoked"])
async def test_a_grant_that_is_no_more_is_asked_for_again_and_its_end_is_written_down(
    hostile: Bench, monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    grant = await hostile.kernel.grant("hostile", LOOK, lasting="1h")
    folder = hostile.home / "Documents"
    look = step(1, "look", folder=said({"path": str(folder)}), path=said(str(folder / "thesis.txt")))
    assert (await attack(hostile, look, yes=False))["resolution"] == "executed", "the control"
    if end == "revoked":
        await hostile.kernel.revoke(grant)
    else:
        monkeypatch.setattr(hostile.kernel._house.steady, "_wall", lambda: time.time() + 7200)
    view = await attack(hostile, look, yes=False)
    assert (view["resolution"], view["stage"]) == ("pending", "plan")
    assert [body["id"] for body in bodies(hostile, f"grant.{end}")] == [grant]
    with contextlib.suppress(KernelError):  # an end that has come may still be taken away by name, once
        await hostile.kernel.revoke(grant)
    with pytest.raises(KernelError) as refused:
        await hostile.kernel.revoke(grant)
    assert refused.value.code == "grant.unknown"
    assert bodies(hostile, "perms.refused")[-1]["asked"] == [grant]


async def test_a_clock_that_is_set_back_while_the_kernel_runs_revives_nothing(
    hostile: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    grant = await hostile.kernel.grant("hostile", LOOK, lasting="2s")
    async with asyncio.timeout(20):
        await gone(hostile, grant)
    (given,) = (one for one in hostile.kernel._house.policy.grants if one.id == grant)
    steady = hostile.kernel._house.steady
    monkeypatch.setattr(steady, "_wall", lambda: time.time() - 3600)
    assert given.expires_s > steady._wall(), "the control: by the machine's clock it has not ended"
    assert grant not in [one["id"] for one in hostile.kernel.perms()]
    folder = hostile.home / "Documents"
    look = step(1, "look", folder=said({"path": str(folder)}), path=said(str(folder / "thesis.txt")))
    view = await attack(hostile, look, yes=False)
    assert (view["resolution"], view["stage"]) == ("pending", "plan")
    assert bodies(hostile, "grant.expired") == [{"id": grant}]
    (back,) = bodies(hostile, "clock.back")
    assert back["seen_s"] > time.time() - 60


# -- what cannot be meant ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "right",
    ["fs.read:~/a\0b", "fs.read:~/../x", "fs.read:~/\ud800", "fs.read:/etc/../x", "fs.fly:~/x", "fs.read", "",
     "\x1b[2J" * 100_000, "net.connect:*", "fs.write:/**"],
)  # fmt: skip
async def test_a_right_that_cannot_be_given_is_refused_shown_safely_and_written_down(bench: Bench, right: str) -> None:
    before = bench.kernel.rights.show()
    with pytest.raises(BadRequest) as refused:
        await bench.kernel.grant("files", right, why="because")
    message = str(refused.value)
    assert refused.value.hint
    assert len(message) < 600
    assert not re.search(r"[\x00-\x1f\x7f\u202e\ud800-\udfff]", message + refused.value.subject)
    assert bench.kernel.rights.show() == before
    (noted,) = bodies(bench, "perms.refused")
    assert (noted["what"], noted["code"], noted["message"]) == ("grant", refused.value.code, message)
    assert len(str(noted)) < 2000
    assert bench.kernel.rights.history()[-1]["kind"] == "perms.refused"


@pytest.mark.parametrize("value", ["-1", "-0.5 GB", "nan", "NaN", "inf", "1e9", "\x1b[2J", "\0", "9" * 40, ""])
async def test_a_budget_that_is_no_amount_is_refused_and_written_down(bench: Bench, value: str) -> None:
    before = bench.kernel.rights.show()
    with pytest.raises(BadRequest) as refused:
        await bench.kernel.rights.limit("user", "disk", value, total=True)
    assert refused.value.code == "limit.amount"
    assert refused.value.hint
    assert not re.search(r"[\x00-\x1f]", str(refused.value))
    assert bench.kernel.rights.show() == before
    assert [body["code"] for body in bodies(bench, "perms.refused")] == ["limit.amount"]


async def test_what_was_refused_does_not_hinder_the_next_start(bench: Bench) -> None:
    for act in (bench.kernel.rights.grant, bench.kernel.rights.deny):
        for right, why in ((LOOK, "half \ud800"), ("fs.read:~/\ud800", "")):
            with pytest.raises(BadRequest):
                await act("files", right, why=why)
    await bench.kernel.grant("files", LOOK, why="a name of broken bytes \udcff, a NUL \0")
    await bench.kernel.rights.deny("files", "fs.read:~/\udcff")
    before = bench.kernel.rights.show()
    await reopened(bench)
    assert bench.kernel.rights.show() == before


# -- an upper layer full of evil --------------------------------------------------------------------------------------
@pytest.mark.skipif(machine_level() is not Level.L3, reason="programs run at L3 alone: ./steward doctor")
@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("cp /bin/true run; chmod 6755 run; mkdir s; chmod 3777 s", None),
        ("echo x > ok; ln -s {home}/.ssh/id_rsa key", "refused.link"),
        ("echo x > ok; ln -s ../.ssh keys", "refused.link"),
        ("echo x > ok; mkdir -p .ssh; echo evil > .ssh/authorized_keys", None),
        ("echo x > ok; mkdir -p .vscode; echo evil > .vscode/tasks.json", "refused.place"),
        ("echo x > ok; mknod device c 1 3; setfattr -n user.overlay.opaque -v y . ; true", None),
    ],
)
async def test_what_a_program_leaves_comes_without_its_powers_or_not_at_all(
    hostile: Bench, command: str, code: str | None
) -> None:
    folder = hostile.home / "Documents"
    before = hostile.tree()
    line = command.format(home=hostile.home)
    view = await attack(hostile, step(1, "shell.run", command=said(line), folder=said({"path": str(folder)})))
    if view["resolution"] == "pending":
        view = await hostile.answer(view["run"], "once")
    if code is not None:
        assert (view["resolution"], view["error"]["code"]) == ("failed", code), view
        assert view["error"]["hint"]
        assert hostile.tree() == before
        assert [body["code"] for body in bodies(hostile, "task.failed", view["run"])] == [code]
        return
    assert view["resolution"] == "confirmed", view
    for path in folder.rglob("*"):
        mode = path.lstat().st_mode
        assert stat.S_ISREG(mode) or stat.S_ISDIR(mode), path
        assert not mode & (stat.S_ISUID | stat.S_ISGID), path
        assert path.resolve().is_relative_to(folder)
    assert (hostile.home / ".ssh" / "id_rsa").read_text() == "PRIVATE KEY"
    assert not (hostile.home / ".ssh" / "authorized_keys").exists()


async def test_a_bound_at_a_tool_that_an_update_dropped_can_be_taken_away(hostile: Bench) -> None:
    greedy(hostile, kept=LOOK, gone=LOOK)
    await reopened(hostile)
    await hostile.kernel.rights.limit("greedy.gone", "memory", "512MB")
    shutil.rmtree(hostile.folders.data / "skills" / "greedy")
    greedy(hostile, kept=LOOK)
    await reopened(hostile)
    for value, node, meter in (
        ("1GB", "greedy.gone", "memory"),
        ("none", "greedy.gone", "wall"),
        ("none", "greedy.no", "memory"),
    ):
        with pytest.raises(BadRequest, match="has no tool"):
            await hostile.kernel.rights.limit(node, meter, value)
    await hostile.kernel.rights.limit("greedy.gone", "memory", "none")
    assert hostile.kernel.rights.show()["limits"] == []
