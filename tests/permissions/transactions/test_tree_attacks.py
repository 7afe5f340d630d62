"""Programs that try to leave their tree something that nobody may have: each with a control in which it would work."""

from __future__ import annotations

import os
import stat
import subprocess
from pathlib import Path
from typing import Any

import pytest

from permissions.errors import Refused
from permissions.model import CellSpec, CellStatus, Limits
from tests.permissions.transactions.trees import Workshop, python

pytestmark = pytest.mark.sandbox


def site_of(lab: Any) -> Path:
    lab.file("site/run.sh", "#!/bin/sh\necho ran\n", mode=0o755)
    lab.file("site/index.html", "old\n")
    return Path(lab.home / "site")


def outside(site: Path, program: str) -> None:
    """The control: the same program with no wall and no layer."""
    subprocess.run(["sh", "-c", program], cwd=site, check=True)


def test_set_id_bits_never_reach_the_tree(workshop: Workshop, lab: Any, tmp_path: Path) -> None:
    site = site_of(lab)
    program = "cp run.sh new && chmod 6755 new run.sh && mkdir d && chmod 2777 d"
    workshop.done("r", site, program)
    modes = {name: stat.S_IMODE((site / name).stat().st_mode) for name in ("new", "run.sh", "d")}
    assert modes == {"new": 0o755, "run.sh": 0o755, "d": 0o777}
    control = tmp_path / "control"
    control.mkdir()
    (control / "run.sh").write_text("x")
    outside(control, program)
    assert (control / "new").stat().st_mode & stat.S_ISUID


def test_an_upper_layer_full_of_evil_brings_nothing_of_it(workshop: Workshop, lab: Any) -> None:
    """What a program cannot make itself is put into the layer by hand, as one that broke out would."""
    site = site_of(lab)
    staging = lab.tx.begin("r")
    (layer,) = staging.open_trees("t1", [str(site)])
    upper = Path(layer.upper)
    (upper / "suid").write_bytes(b"\x7fELF")
    (upper / "suid").chmod(0o4755)
    os.mkfifo(upper / "pipe")
    for name, key in (("marked", "user.overlay.redirect"), ("plain", "user.mine")):
        (upper / name).write_text(name)
        os.setxattr(upper / name, key, b"/etc")
    if os.geteuid() == 0:
        os.mknod(upper / "device", stat.S_IFBLK | 0o666, os.makedev(7, 0))
        os.setxattr(upper / "suid", "security.capability", bytes.fromhex("0100000200000000000000000000000000000000"))
    left = staging.take_in("t1")
    assert {Path(path).name for path in left} == {"pipe"} | ({"device"} if os.geteuid() == 0 else set())
    staging.commit(staging.seal().seal)
    assert sorted(os.listdir(site)) == ["index.html", "marked", "plain", "run.sh", "suid"]
    assert stat.S_IMODE((site / "suid").stat().st_mode) == 0o755
    assert os.listxattr(site / "suid") == os.listxattr(site / "marked") == []
    assert os.listxattr(site / "plain") == ["user.mine"]


@pytest.mark.parametrize("target", ["/etc/passwd", "../../outside", "../../site2/x", "/", "../.."])
def test_a_link_that_leads_out_of_the_tree_is_refused_by_name(workshop: Workshop, lab: Any, target: str) -> None:
    site = site_of(lab)
    before = lab.snapshot()
    staging = lab.tx.begin("r")
    with pytest.raises(Refused, match="site/deep/astray: links that lead out") as refused:
        workshop.works(staging, site, f"mkdir deep && ln -s {target} deep/astray && echo x > fine")
    assert refused.value.code == "refused.link"
    assert staging.seal().changes == ()
    assert lab.snapshot() == before
    outside(site, f"ln -s {target} astray")
    assert (site / "astray").is_symlink()


def test_a_link_to_a_key_placed_in_the_layer_is_neither_followed_nor_kept(workshop: Workshop, lab: Any) -> None:
    site = site_of(lab)
    key = lab.file(".ssh/id_ed25519", "PRIVATE\n", mode=0o600)
    staging = lab.tx.begin("r")
    (layer,) = staging.open_trees("t1", [str(site)])
    Path(layer.upper, "innocent.txt").symlink_to(key)
    Path(layer.upper, "folder").symlink_to(key.parent)
    with pytest.raises(Refused, match=r"site/folder, .*site/innocent.txt: links"):
        staging.take_in("t1")
    assert staging.seal().changes == ()
    assert key.read_text() == "PRIVATE\n"
    assert stat.S_IMODE(key.stat().st_mode) == 0o600


@pytest.mark.parametrize("place", [".git/hooks/pre-commit", ".vscode/tasks.json", ".git/config", "AGENTS.md", ".envrc"])
def test_a_place_that_is_never_written_refuses_the_call_by_name(workshop: Workshop, lab: Any, place: str) -> None:
    site = site_of(lab)
    before = lab.snapshot()
    staging = lab.tx.begin("r")
    with pytest.raises(Refused, match="is never written by a run"):
        workshop.works(staging, site, f"echo ok > fine; mkdir -p $(dirname {place}); echo evil > {place}")
    assert staging.seal().changes == ()
    assert lab.snapshot() == before
    outside(site, f"mkdir -p $(dirname {place}); echo evil > {place}")
    assert (site / place).read_text() == "evil\n"


def test_every_place_that_may_not_be_written_is_named_up_to_five(workshop: Workshop, lab: Any) -> None:
    site = site_of(lab)
    with pytest.raises(Refused) as refused:
        workshop.works(lab.tx.begin("r"), site, "echo 1 > AGENTS.md; echo 2 > .envrc; echo 3 > .mcp.json")
    assert all(name in str(refused.value) for name in ("AGENTS.md", ".envrc", ".mcp.json"))


def test_the_tree_itself_is_out_of_reach_while_the_call_runs(workshop: Workshop, lab: Any) -> None:
    """Neither the lower tree, nor the layers, nor the old root is anywhere to be seen."""
    site = site_of(lab)
    staging = lab.tx.begin("r")
    said = workshop.works(
        staging, site, f"ls -A /.layers /.old {lab.store} {lab.home}/.. 2>&1; ls -A {lab.home}; cat /proc/mounts 2>&1"
    )
    assert "runs" not in said["out"].split()
    assert said["out"].split().count("site") == 1
    outside(site, f"ls {lab.store}/runs")


def test_what_is_hidden_in_a_tree_stays_hidden_and_cannot_be_moved_away(workshop: Workshop, lab: Any) -> None:
    site = site_of(lab)
    lab.file("site/secret/key", "SECRET\n")
    before = lab.snapshot()
    program = "cat secret/key; ls secret; mv secret gone; cat gone/key; rmdir secret; echo x > secret/y; true"
    said = workshop.works(lab.tx.begin("r"), site, program, hidden_paths=(str(site / "secret"),))
    assert "SECRET" not in said["out"]
    assert lab.snapshot() == before
    outside(site, "cat secret/key > copy")
    assert (site / "copy").read_text() == "SECRET\n"


def test_without_the_right_to_run_programs_none_starts(workshop: Workshop, lab: Any) -> None:
    site = site_of(lab)
    programs = (["sh", "-c", "echo hi"], [str(site / "run.sh")], ["/usr/bin/env", "true"])
    for number, argv in enumerate(programs):
        layers = lab.tx.begin(f"r{number}").open_trees("t1", [str(site)])
        refused = workshop.call(CellSpec(layers=layers, runs_programs=False), *argv, cwd=site)
        assert refused.reply == b'{"errno": 13}', (argv, refused)
        layers = lab.tx.begin(f"control{number}").open_trees("t1", [str(site)])
        control = workshop.call(CellSpec(layers=layers), *argv, cwd=site)
        assert b'"status": 0' in (control.reply or b"")


def test_a_program_that_outlives_its_call_writes_nothing_any_more(workshop: Workshop, lab: Any) -> None:
    site = site_of(lab)
    program = (
        "(trap '' TERM HUP; setsid sh -c 'while :; do date >> late; done') > /dev/null 2>&1 & sleep 0.2; echo done"
    )
    staging = lab.tx.begin("r")
    said = workshop.works(staging, site, program)
    assert said["out"] == "done\n"
    sealed = staging.seal()
    staging.commit(sealed.seal)
    size = (site / "late").stat().st_size
    assert size == next(one.size_bytes for one in sealed.changes if one.path.endswith("late"))


def test_a_call_that_is_killed_leaves_the_tree_and_no_layer(workshop: Workshop, lab: Any) -> None:
    site = site_of(lab)
    before = lab.snapshot()
    staging = lab.tx.begin("r")
    layers = staging.open_trees("t1", [str(site)])
    outcome = workshop.call(
        CellSpec(layers=layers, limits=Limits(wall_s=0.5)), "sh", "-c", "echo x > y; rm index.html; sleep 60", cwd=site
    )
    assert outcome.status is CellStatus.OUT_OF_TIME
    staging.drop()
    assert lab.snapshot() == before
    assert lab.leftovers() == []


def test_what_a_call_writes_into_layers_counts_against_its_room(workshop: Workshop, lab: Any) -> None:
    site = site_of(lab)
    staging = lab.tx.begin("r")
    layers = staging.open_trees("t1", [str(site)])
    space = staging.space("t1")
    space.check()
    space._most = 1 << 20
    workshop.call(CellSpec(layers=layers), "sh", "-c", "head -c 3000000 /dev/zero > big", cwd=site)
    with pytest.raises(Exception, match="more than one run may stage"):
        space.check()


def test_a_whiteout_cannot_be_made_by_hand(workshop: Workshop, lab: Any) -> None:
    """A program that could make one would delete without saying so."""
    site = site_of(lab)
    staging = lab.tx.begin("r")
    made = python("import os, stat; os.mknod('index.html2', stat.S_IFCHR, 0)")
    marked = python("import os; os.setxattr('.', 'user.overlay.opaque', b'y')")
    said = workshop.works(staging, site, f"{made}; {marked}; true")
    assert "PermissionError" in said["err"]
    assert not [one for one in staging.seal().changes if str(one.kind) == "deleted"]
