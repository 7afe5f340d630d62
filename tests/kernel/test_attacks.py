"""Attacks on the seams: a hostile skill, a hostile file system and a hurried yes against a real kernel.

Each test performs the attack; the plans are written by hand, so that no sentence has to be found for them.
"""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from kernel import NotNow, opening
from kernel.house import House
from kernel.model import FromTask, TaskId
from permissions.labels import USER_SAID, Label
from permissions.transactions.commit import Commit
from skills.compiled import default_file
from tests.kernel.conftest import Bench
from tests.kernel.hostile import attack, begin, described, reasons, reopened, said, step

# --- reading what is private --------------------------------------------------------------------------------------


@pytest.mark.parametrize("reader", ["peek", "documents.text"])
@pytest.mark.parametrize("secret", [".ssh/id_rsa", ".config/gh/hosts.yml"])
async def test_a_result_cannot_make_the_next_task_read_a_private_file(hostile: Bench, reader: str, secret: str) -> None:
    everything = said({"path": str(hostile.home)})
    name = "files" if reader == "peek" else "file"
    for path in (hostile.home / secret, "/etc/shadow"):
        view = await attack(
            hostile,
            step(1, "pick", folder=everything, path=said(str(path))),
            step(2, reader, **{name: FromTask(TaskId("t1"), index=None if reader == "peek" else 0)}),
        )
        assert (view["resolution"], view["error"]["code"]) == ("failed", "task.rights")


async def test_a_private_place_that_is_a_link_is_private_where_it_really_lies(hostile: Bench) -> None:
    real = hostile.home / "dotfiles" / "ssh"
    real.parent.mkdir()
    shutil.move(hostile.home / ".ssh", real)
    (hostile.home / ".ssh").symlink_to("dotfiles/ssh")
    await reopened(hostile)
    named = await attack(hostile, step(1, "documents.text", file=said({"path": f"{hostile.home}/.ssh/id_rsa"})))
    assert (named["resolution"], named["error"]["code"]) == ("blocked", "policy.denied")
    around = said({"path": str(real.parent)})
    view = await attack(hostile, step(1, "look", folder=around, path=said(str(real / "id_rsa"))))
    assert "PRIVATE" not in view["answer"]
    copied = {"op": "copy", "source": str(real.parent), "path": f"{hostile.home}/Documents/x", "base": None}
    view = await attack(hostile, described(1, "create", hostile.home, copied))
    assert view["error"]["code"] == "task.effect"


@pytest.mark.parametrize("holder", [".config", ".config/gh", ".ssh"])
async def test_a_folder_is_not_copied_together_with_a_private_place(hostile: Bench, holder: str) -> None:
    before = hostile.tree()
    target = hostile.home / "Documents" / "copied"
    effect = {"op": "copy", "source": str(hostile.home / holder), "path": str(target), "base": None}
    view = await attack(hostile, described(1, "create", hostile.home, effect))
    assert (view["resolution"], view["error"]["code"]) == ("failed", "task.effect")
    assert hostile.tree() == before
    harmless = {"op": "copy", "source": str(hostile.home / "Downloads"), "path": str(target), "base": None}
    assert (await attack(hostile, described(1, "create", hostile.home, harmless)))["resolution"] == "confirmed"


async def test_a_folder_swapped_for_a_link_after_the_decision_is_not_shown(
    hostile: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = tmp_path / "shared"  # another user may write here
    shared.mkdir()
    (shared / "thesis.txt").write_text("harmless")
    call = House.run_call

    async def swapped(house: House, *arguments: Any, **more: Any) -> Any:
        shutil.rmtree(shared)
        shared.symlink_to(hostile.home / "Documents")
        return await call(house, *arguments, **more)

    monkeypatch.setattr(House, "run_call", swapped)
    folder = said({"path": str(shared)})
    view = await attack(hostile, step(1, "look", folder=folder, path=said(str(shared / "thesis.txt"))))
    assert (view["resolution"], view["error"]["code"]) == ("failed", "refused.swapped")


async def test_a_call_does_not_see_what_an_earlier_task_staged_elsewhere(hostile: Bench) -> None:
    effect = {"op": "write", "path": f"{hostile.home}/Documents/new.txt", "base": None, "data": "STAGED SECRET"}
    view = await attack(
        hostile,
        described(1, "create", hostile.home / "Documents", effect),
        step(2, "snoop", top=said(str(hostile.folders.data / "transactions"))),
    )
    assert view["answer"] == "nothing"


async def test_a_call_cannot_read_what_the_hash_of_its_skill_leaves_out(hostile: Bench) -> None:
    hidden = hostile.folders.data / "skills" / "hostile" / "__pycache__"
    hidden.mkdir()
    (hidden / "payload.py").write_text("print('not what was granted')")
    folder = said({"path": f"{hostile.home}/Documents"})
    view = await attack(hostile, step(1, "look", folder=folder, path=said(str(hidden / "payload.py"))))
    assert view["answer"] == "FileNotFoundError"


# --- changing more than was decided -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "effect",
    [
        {"op": "mkdir", "path": "{home}/.ssh/x"},
        {"op": "mkdir", "path": "{home}/Documents/../.ssh/x"},
        {"op": "mkdir", "path": "{home}/Documents/link/x"},
        {"op": "mkdir", "path": "{home}/Documents/x/"},
        {"op": "mkdir", "path": "{home}/Documents/x\0y/z"},
        {"op": "mkdir", "path": "{home}/Documents/x\ud800y/z"},
        {"op": "mkdir", "path": ["/"]},
        {"op": "mkdir"},
        {"op": "MKDIR", "path": "{home}/Documents/x"},
        {"op": "chmod", "path": "{home}/Documents/thesis.txt"},
        {"op": "copy", "path": "{home}/Documents/k", "source": "{home}/.ssh/id_rsa", "base": None},
        {"op": "copy", "path": "{home}/Documents/k", "source": "{home}/Documents/link/id_rsa", "base": None},
        {"op": "move", "path": "{home}/Documents/other.txt", "source": "{home}/Documents/thesis.txt", "base": "real"},
        {"op": "write", "path": "{home}/Documents/thesis.txt", "base": None, "data": "x"},
        {"op": "write", "path": "{home}/Documents/thesis.txt", "base": "real", "data": "x"},
        {"op": "write", "path": "{home}/Documents/run.sh", "base": None, "data": "x", "mode": 0o4777},
        {"op": "write", "path": "{home}/Downloads/x", "base": None, "data": "x"},
    ],
)
async def test_an_effect_outside_the_rights_of_its_task_changes_nothing(hostile: Bench, effect: dict[str, Any]) -> None:
    (hostile.home / "Documents" / "link").symlink_to(hostile.home / ".ssh")
    before = hostile.tree()
    filled = {key: value.replace("{home}", str(hostile.home)) if isinstance(value, str) else value
              for key, value in effect.items()}  # fmt: skip
    view = await attack(hostile, described(1, "create", hostile.home / "Documents", filled))
    assert view["resolution"] == "failed"
    assert view["error"]["code"] != "task.fault", view["answer"]
    assert hostile.tree() == before


async def test_no_call_puts_code_where_a_worker_runs_it_outside_of_every_cell(
    hostile: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Steward may lie in the home, with what it keeps compiled. The control: a folder like it that is not Steward's."""
    assert default_file().is_relative_to(opening.CHECKOUT)
    kept = hostile.home / "steward" / "skills" / "__pycache__"
    kept.mkdir(parents=True)
    effect = {"op": "write", "path": str(kept / default_file().name), "base": None, "data": "evil"}
    assert (await attack(hostile, described(1, "create", kept, effect)))["resolution"] == "confirmed"
    (kept / default_file().name).unlink()
    monkeypatch.setattr(opening, "CHECKOUT", str(hostile.home / "steward"))
    await reopened(hostile)
    for folder, code in ((kept, "policy.denied"), (hostile.home, "task.effect")):
        view = await attack(hostile, described(1, "create", folder, effect))
        assert view["error"]["code"] == code, view["answer"]
    assert not list(kept.iterdir())


async def test_appending_nothing_does_not_open_a_file_to_others(hostile: Bench) -> None:
    path = hostile.home / "Documents" / "thesis.txt"
    path.chmod(0o600)
    effect = {"op": "write", "path": str(path), "base": "real", "data": "thesis\n", "mode": 0o666}
    view = await attack(hostile, described(1, "change", path.parent, effect))
    assert (view["resolution"], view["error"]["code"]) == ("failed", "task.effect")
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("moved", [False, True])
async def test_who_may_only_create_cannot_write_over_what_an_earlier_task_changed(hostile: Bench, moved: bool) -> None:
    folder = hostile.home / "Documents"
    path = other = folder / "thesis.txt"
    before = hostile.tree()
    effects = [{"op": "write", "path": str(path), "base": "real", "data": "thesis\nmore\n"}]
    if moved:
        other = folder / "renamed.txt"
        effects.append({"op": "move", "path": str(other), "source": str(path), "base": "real"})
    lie = {"op": "write", "path": str(other), "base": None, "data": "thesis\nwhat nobody allowed\n"}
    view = await attack(hostile, described(1, "change", folder, *effects), described(2, "create", folder, lie))
    assert (view["resolution"], view["error"]["code"]) == ("failed", "task.effect")
    assert hostile.tree() == before


# --- a yes to something else --------------------------------------------------------------------------------------


async def test_yes_does_not_delete_the_folder_that_was_named_to_look_into(hostile: Bench) -> None:
    folder = hostile.home / "Documents"
    view = await attack(hostile, described(1, "change", folder, {"op": "delete", "path": str(folder), "base": "real"}))
    assert reasons(view) == ["deletes"]
    await hostile.answer(view["run"], "no")
    assert (folder / "thesis.txt").exists()


@pytest.mark.parametrize(("label", "asks"), [(USER_SAID, False), (Label(), True)])
async def test_yes_covers_the_person_s_own_words_and_not_what_an_earlier_result_named(
    hostile: Bench, label: Label, asks: bool
) -> None:
    path = hostile.home / "Documents" / "thesis.txt"
    view = await attack(hostile, step(1, "files.delete", files=said([{"path": str(path)}], label)))
    assert (view["resolution"] == "pending") is asks
    assert path.exists() is asks


async def test_many_new_folders_are_shown_first(hostile: Bench) -> None:
    folder = hostile.home / "Documents"
    effects = [{"op": "mkdir", "path": str(folder / f"d{number}")} for number in range(300)]
    assert reasons(await attack(hostile, described(1, "create", folder, *effects))) == ["many"]


async def test_a_second_click_does_not_answer_the_next_question(hostile: Bench) -> None:
    path = hostile.home / "Documents" / "thesis.txt"
    effect = {"op": "delete", "path": str(path), "base": "real"}
    view = await attack(hostile, described(1, "change", path.parent, effect), yes=False)
    assert (view["stage"], view["seal"]) == ("plan", None)
    await hostile.kernel.approve(view["run"], "once", seal="")
    asked = await hostile.kernel.settled(view["run"])
    assert asked["stage"] == "commit"
    for seal in ("", "0" * 64):
        with pytest.raises(NotNow) as refused:
            await hostile.kernel.approve(view["run"], "once", seal=seal)
        assert refused.value.code == "approval.other"
    assert path.exists()
    await hostile.kernel.approve(view["run"], "once", seal=asked["seal"])
    assert (await hostile.kernel.settled(view["run"]))["resolution"] == "confirmed"
    assert not path.exists()


async def test_a_grant_that_was_revoked_while_the_card_waited_is_asked_for(hostile: Bench) -> None:
    folder = hostile.home / "Documents"
    grant = await hostile.kernel.grant("hostile", f"fs.create:{folder}/**")
    view = await attack(hostile, described(1, "create", folder, {"op": "mkdir", "path": f"{folder}/x"}), yes=False)
    await hostile.kernel.revoke(grant)
    asked = await hostile.answer(view["run"], "once")
    assert (asked["resolution"], asked["stage"]) == ("pending", "plan")
    open_rights = [right["action"] for right in asked["card"]["rights"] if right["verdict"] == "ask"]
    assert open_rights == ["fs.create"]
    assert (await hostile.answer(view["run"], "no"))["resolution"] == "blocked"
    assert not (folder / "x").exists()


async def test_a_changed_skill_keeps_no_grant_and_no_waiting_yes(hostile: Bench) -> None:
    folder = hostile.home / "Documents"
    await hostile.kernel.grant("hostile", f"fs.read:{folder}/**")
    waiting = await attack(hostile, described(1, "create", folder, {"op": "mkdir", "path": f"{folder}/x"}), yes=False)
    source = hostile.folders.data / "skills" / "hostile" / "skill.py"
    source.write_text(source.read_text() + "\n# and now for something else\n")
    look = step(1, "look", folder=said({"path": str(folder)}), path=said(str(folder / "thesis.txt")))
    assert (await attack(hostile, look))["error"]["code"] == "skill.changed"
    await reopened(hostile)
    assert (await attack(hostile, look, yes=False))["stage"] == "plan"
    view = await hostile.kernel.settled(waiting["run"])
    assert {right["verdict"] for right in view["card"]["rights"]} == {"ask"}


# --- telling the truth about what happened ------------------------------------------------------------------------


async def test_cancelling_in_the_middle_of_a_commit_is_told_as_it_was(
    hostile: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go = threading.Event(), threading.Event()
    carry_out = Commit.carry_out

    def held(commit: Commit) -> object:
        begun.set()
        assert go.wait(20)
        return carry_out(commit)

    monkeypatch.setattr(Commit, "carry_out", held)
    folder = hostile.home / "Documents"
    run = await begin(hostile, described(1, "create", folder, {"op": "mkdir", "path": f"{folder}/x"}))
    assert await asyncio.to_thread(begun.wait, 20)
    await hostile.kernel.cancel(run)
    await asyncio.sleep(0.05)
    go.set()
    view = await hostile.kernel.settled(run)
    assert (view["resolution"], len(view["effects"])) == ("confirmed", 1)
    assert (folder / "x").is_dir()
    await hostile.kernel.undo(run)
    assert not (folder / "x").exists()


async def test_two_undos_at_once_take_back_once(hostile: Bench) -> None:
    folder = hostile.home / "Documents"
    view = await attack(hostile, described(1, "create", folder, {"op": "mkdir", "path": f"{folder}/x"}))
    taken = await asyncio.gather(*(hostile.kernel.undo(view["run"]) for _ in range(2)), return_exceptions=True)
    assert sorted(isinstance(one, dict) for one in taken) == [False, True]
    assert not (folder / "x").exists()


async def test_a_flood_of_progress_does_not_fill_the_ledger(hostile: Bench) -> None:
    view = await attack(hostile, step(1, "flood"))
    assert view["resolution"] == "executed"
    assert len(view["events"]) < 100


async def _longest_without_a_turn(hostile: Bench) -> float:
    """The processor seconds for which the daemon's loop had no turn while a flood of effects was read and refused."""
    folder = hostile.home / "Documents"
    effects = [{"op": "mkdir", "path": str(folder / f"d{number}")} for number in range(8000)]
    longest_s = 0.0

    async def tick() -> None:
        nonlocal longest_s
        while True:
            before = time.process_time()  # what else the machine is busy with is no fault of the daemon
            await asyncio.sleep(0.01)
            longest_s = max(longest_s, time.process_time() - before)

    ticking = asyncio.create_task(tick())
    assert reasons(await attack(hostile, described(1, "create", folder, *effects))) == ["many"]
    ticking.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await ticking
    return longest_s


async def test_a_flood_of_effects_does_not_stop_the_daemon(hostile: Bench) -> None:
    found: list[float] = []
    while len(found) < 3 and not (found and found[-1] < 1):  # a busy machine may once leave the loop without its turn
        found.append(await _longest_without_a_turn(hostile))
    assert min(found) < 1, found
