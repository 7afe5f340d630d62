"""Programs that work in a tree: what they did is shown, committed and undone like what a tool described."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any

import pytest

from permissions.errors import Conflict, Refused
from permissions.model import ChangeKind
from permissions.transactions import trees
from permissions.transactions.resolve import Folders
from permissions.transactions.syscalls import mount_of
from tests.permissions.transactions.trees import Workshop, kinds, python

pytestmark = pytest.mark.sandbox


def furnish(lab: Any) -> Path:
    """A tree with one thing of each kind."""
    lab.file("site/index.html", "<p>old</p>\n")
    lab.file("site/run.sh", "#!/bin/sh\necho ran\n", mode=0o755)
    lab.file("site/css/main.css", "body {}\n")
    lab.file("site/css/old.css", "a {}\n")
    (lab.home / "site" / "link").symlink_to("index.html")
    return Path(lab.home / "site")


def test_what_a_program_does_in_a_tree_waits_for_the_commit_and_is_undone(workshop: Workshop, lab: Any) -> None:
    site = furnish(lab)
    before = lab.snapshot()
    staging = lab.tx.begin("r")
    said = workshop.works(
        staging, site, "./run.sh && echo new > index.html && rm css/old.css && mkdir build && echo x > build/out"
    )
    assert (said["status"], said["out"], said["left"]) == (0, "ran\n", ())
    assert lab.snapshot() == before
    sealed = staging.seal()
    assert kinds(sealed.changes, site) == {
        "index.html": "modified", "css/old.css": "deleted", "build": "created", "build/out": "created",
    }  # fmt: skip
    diff = {Path(one.path).name: one for one in staging.diff()}
    assert "-<p>old</p>" in diff["index.html"].text
    staging.commit(sealed.seal)
    assert (site / "index.html").read_text() == "new\n"
    assert (site / "build" / "out").read_text() == "x\n"
    assert lab.leftovers() == []
    lab.tx.undo("r")
    assert lab.snapshot() == before
    assert lab.leftovers() == []


def test_what_was_staged_before_a_call_that_is_let_go_of_is_still_committed(workshop: Workshop, lab: Any) -> None:
    """The layer of the second call holds a name of what the first one staged."""
    site = furnish(lab)
    staging = lab.tx.begin("r")
    workshop.works(staging, site, "echo kept > kept", task="t1")
    staging.open_trees("t2", [str(site)])
    staging.forget("t2")
    staging.commit(staging.seal().seal)
    assert (site / "kept").read_text() == "kept\n"
    assert lab.leftovers() == []


def test_a_program_that_changes_nothing_leaves_nothing_to_commit(workshop: Workshop, lab: Any) -> None:
    site = furnish(lab)
    staging = lab.tx.begin("r")
    said = workshop.works(staging, site, "cat index.html link && ls -la css && : >> run.sh")
    assert said["status"] == 0
    assert staging.seal().changes == ()


def test_a_link_that_is_made_again_and_leads_where_it_led_is_no_change(workshop: Workshop, lab: Any) -> None:
    site = furnish(lab)
    (site / "turned").symlink_to("index.html")
    changes = workshop.done("r", site, "ln -sfn index.html link && ln -sfn css/main.css turned")
    assert {Path(change.path).name for change in changes} == {"turned"}


def test_the_tree_is_shown_with_what_earlier_tasks_staged_by_either_way(workshop: Workshop, lab: Any) -> None:
    site = furnish(lab)
    before = lab.snapshot()
    staging = lab.tx.begin("r")
    lab.describe(
        staging,
        lab.over(site / "index.html", "described\n"),
        lab.write(site / "deep" / "er" / "new", "n\n"),
        lab.delete(site / "css" / "old.css"),
        lab.move(site / "css", site / "style"),
        lab.copy(site / "run.sh", site / "again.sh"),
    )
    said = workshop.works(
        staging, site, "cat index.html deep/er/new; ls css style; ./again.sh; echo two > third", task="t2"
    )
    assert said["out"] == "described\nn\nstyle:\nmain.css\nran\n", said
    said = workshop.works(
        staging, site, "cat third style/main.css; mv third fourth; echo more >> index.html", task="t3"
    )
    assert said["out"] == "two\nbody {}\n"
    lab.describe(staging, lab.delete(site / "run.sh"), task="t4")
    staging.commit(staging.seal().seal)
    assert (site / "index.html").read_text() == "described\nmore\n"
    assert (site / "fourth").read_text() == "two\n"
    assert (site / "style" / "main.css").read_text() == "body {}\n"
    assert sorted(os.listdir(site)) == ["again.sh", "deep", "fourth", "index.html", "link", "style"]
    lab.tx.undo("r")
    assert lab.snapshot() == before


def test_a_tree_that_an_earlier_task_made_is_one_to_work_in(workshop: Workshop, lab: Any) -> None:
    staging = lab.tx.begin("r")
    made = lab.home / "made"
    lab.describe(staging, lab.mkdir(made), lab.write(made / "a", "1\n"))
    said = workshop.works(staging, made, "cat a; echo 2 > b", task="t2")
    assert said["out"] == "1\n"
    assert kinds(staging.seal().changes, lab.home) == {"made": "created", "made/a": "created", "made/b": "created"}


def test_what_is_renamed_moves_and_is_not_written_again(workshop: Workshop, lab: Any) -> None:
    site = furnish(lab)
    inode = (site / "run.sh").stat().st_ino
    before = lab.snapshot()
    changes = workshop.done("r", site, "mkdir bin && mv run.sh bin/go && mv link l2 && mv css/main.css css/m.css")
    moved = {Path(change.source or "").name: Path(change.path).name for change in changes if change.source}
    assert moved == {"run.sh": "go", "link": "l2", "main.css": "m.css"}
    assert (site / "bin" / "go").stat().st_ino == inode
    lab.tx.undo("r")
    assert lab.snapshot() == before


def test_links_modes_times_and_attributes_survive_commit_and_undo(workshop: Workshop, lab: Any) -> None:
    site = furnish(lab)
    os.setxattr(site / "index.html", "user.from", b"here")
    before, kept = lab.snapshot(), os.listxattr(site / "index.html")
    workshop.done("r", site, " && ".join([
        "touch -d 2001-02-03T04:05:06Z index.html css/main.css", "ln -s css/main.css to", "ln -sfn run.sh link",
        "chmod 700 css", "chmod 640 run.sh", "mkdir -m 750 shut", "echo in > shut/file", "chmod 500 shut",
        "touch -d 1999-01-01T00:00:00Z shut",
        python("import os; os.setxattr('index.html', 'user.more', b'1'); os.removexattr('index.html', 'user.from');"
               "os.setxattr('css', 'user.c', b'2'); os.setxattr('shut/file', 'user.f', b'3')"),
    ]))  # fmt: skip
    assert (site / "index.html").stat().st_mtime == (site / "css" / "main.css").stat().st_mtime == 981173106
    assert (os.readlink(site / "to"), os.readlink(site / "link")) == ("css/main.css", "run.sh")
    modes = {name: stat.S_IMODE((site / name).stat().st_mode) for name in ("css", "run.sh", "shut")}
    assert modes == {"css": 0o700, "run.sh": 0o640, "shut": 0o500}
    assert (site / "shut").stat().st_mtime == 915148800
    assert os.listxattr(site / "index.html") == ["user.more"]
    assert os.getxattr(site / "css", "user.c") == b"2"
    assert os.getxattr(site / "shut" / "file", "user.f") == b"3"
    lab.tx.undo("r")
    assert lab.snapshot() == before
    assert os.listxattr(site / "index.html") == kept
    assert os.listxattr(site / "css") == []


def test_large_sparse_and_strangely_named_files_survive(workshop: Workshop, lab: Any) -> None:
    site = furnish(lab)
    names = ["ü", "u\u0308", "sp ace", "new\nline", "-rf", "日本", ".hidden", "w:o,r\\k"]
    made = python(f"for n in {names!r}: open(n, 'w').write(n)")
    before = lab.snapshot()
    workshop.done("r", site, f"{made} && truncate -s 200M hole && echo end >> hole && head -c 20M /dev/urandom > noise")
    assert {name: (site / name).read_text() for name in names} == {name: name for name in names}
    hole = (site / "hole").stat()
    assert hole.st_size == (200 << 20) + 4
    assert hole.st_blocks * 512 < 1 << 20
    assert (site / "noise").stat().st_size == 20 << 20
    lab.tx.undo("r")
    assert lab.snapshot() == before


def test_a_tree_with_characters_that_mount_options_use_is_worked_in(workshop: Workshop, lab: Any) -> None:
    lab.file("a:b,c\\d=e/x", "1\n")
    tree = lab.home / "a:b,c\\d=e"
    workshop.done("r", tree, "cat x > y")
    assert (tree / "y").read_text() == "1\n"


def test_files_and_folders_take_each_others_places(workshop: Workshop, lab: Any) -> None:
    site = furnish(lab)
    before = lab.snapshot()
    workshop.done("r", site, "rm -r css && echo f > css && rm index.html && mkdir index.html && echo g > index.html/in"
                  " && rm link && mkdir link && rm run.sh && ln -s css run.sh")  # fmt: skip
    assert (site / "css").read_text() == "f\n"
    assert (site / "index.html" / "in").read_text() == "g\n"
    assert os.readlink(site / "run.sh") == "css"
    lab.tx.undo("r")
    assert lab.snapshot() == before


def test_a_folder_deleted_and_made_again_holds_the_new_things_alone(workshop: Workshop, lab: Any) -> None:
    site = furnish(lab)
    before = lab.snapshot()
    changes = workshop.done(
        "r", site, "rm -r css && mkdir css && echo n > css/n && rm index.html && echo i > index.html"
    )
    assert os.listdir(site / "css") == ["n"]
    assert kinds(changes, site)["index.html"] == "modified"
    lab.tx.undo("r")
    assert lab.snapshot() == before


def test_a_file_of_several_names_becomes_one_of_its_own_and_that_is_said(workshop: Workshop, lab: Any) -> None:
    site = furnish(lab)
    os.link(site / "index.html", site / "twin.html")
    before = lab.snapshot()
    staging = lab.tx.begin("r")
    workshop.works(
        staging,
        site,
        "echo changed > index.html; cat twin.html; ln css/main.css css/second.css; echo + >> css/second.css",
    )
    sealed = staging.seal()
    assert {Path(one.path).name: one.note for one in sealed.changes}["index.html"] == "breaks a hard link"
    assert any("breaks a hard link" in one.summary for one in staging.diff())
    staging.commit(sealed.seal)
    assert (site / "twin.html").read_text() == "<p>old</p>\n"
    assert (site / "css" / "main.css").read_text() == (site / "css" / "second.css").read_text() == "body {}\n+\n"
    lab.tx.undo("r")
    assert lab.snapshot() == before


def test_files_keep_the_persons_own_umask(workshop: Workshop, lab: Any) -> None:
    site = furnish(lab)
    mask = os.umask(0o077)
    os.umask(mask)
    workshop.done("r", site, "echo x > made && mkdir folder")
    assert stat.S_IMODE((site / "made").stat().st_mode) == 0o666 & ~mask
    assert stat.S_IMODE((site / "folder").stat().st_mode) == 0o777 & ~mask


# --- conflicts ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "program", ["echo mine > index.html", "rm index.html", "mv index.html moved", "chmod 600 index.html"]
)
def test_what_somebody_else_changed_meanwhile_is_a_conflict(workshop: Workshop, lab: Any, program: str) -> None:
    site = furnish(lab)
    staging = lab.tx.begin("r")
    layers = staging.open_trees("t1", [str(site)])
    (site / "index.html").write_text("the editor's\n")
    _run(workshop, layers, site, program)
    with pytest.raises(Conflict):
        _to_the_end(staging)
    assert (site / "index.html").read_text() == "the editor's\n"
    lab.tx.begin("s").drop()


def test_a_change_between_the_call_and_the_commit_is_a_conflict(workshop: Workshop, lab: Any) -> None:
    site = furnish(lab)
    staging = lab.tx.begin("r")
    workshop.works(staging, site, "echo mine > index.html")
    lab.file("site/index.html", "theirs\n")
    sealed = staging.seal()
    with pytest.raises(Conflict):
        staging.commit(sealed.seal)
    assert (site / "index.html").read_text() == "theirs\n"


def test_a_file_that_somebody_else_put_into_a_deleted_folder_is_not_lost(workshop: Workshop, lab: Any) -> None:
    site = furnish(lab)
    staging = lab.tx.begin("r")
    layers = staging.open_trees("t1", [str(site)])
    lab.file("site/css/theirs", "theirs\n")
    _run(workshop, layers, site, "rm -r css")
    with pytest.raises(Conflict):
        _to_the_end(staging)
    assert (site / "css" / "theirs").exists()


@pytest.mark.parametrize("program", ["rm -r css", "rm -r css && mkdir css", "rm -r css && echo file > css"])
@pytest.mark.parametrize("edits", [True, False])
def test_what_somebody_else_wrote_in_a_deleted_folder_is_not_lost(
    workshop: Workshop, lab: Any, program: str, edits: bool
) -> None:
    """An edit in place leaves the folder as it was to look at: it is what lies below that tells."""
    site = furnish(lab)
    lab.file("site/css/deep/er.css", "i {}\n")
    staging = lab.tx.begin("r")
    layers = staging.open_trees("t1", [str(site)])
    if edits:
        (site / "css/deep/er.css").write_text("the editor's\n")
    _run(workshop, layers, site, program)
    if edits:
        with pytest.raises(Conflict) as caught:
            _to_the_end(staging)
        assert caught.value.paths == (str(site / "css/deep/er.css"),)
        assert (site / "css/deep/er.css").read_text() == "the editor's\n"
    else:  # the control
        _to_the_end(staging)
        assert not (site / "css/deep").exists()


def test_a_file_that_both_made_is_a_conflict(workshop: Workshop, lab: Any) -> None:
    site = furnish(lab)
    staging = lab.tx.begin("r")
    layers = staging.open_trees("t1", [str(site)])
    _run(workshop, layers, site, "echo mine > fresh")
    lab.file("site/fresh", "theirs\n")
    with pytest.raises(Conflict):
        _to_the_end(staging)
    assert (site / "fresh").read_text() == "theirs\n"


def test_what_somebody_else_deleted_is_not_brought_back(workshop: Workshop, lab: Any) -> None:
    site = furnish(lab)
    staging = lab.tx.begin("r")
    layers = staging.open_trees("t1", [str(site)])
    _run(workshop, layers, site, "echo mine > index.html")
    (site / "index.html").unlink()
    with pytest.raises(Conflict):
        _to_the_end(staging)
    assert not (site / "index.html").exists()


def _run(workshop: Workshop, layers: Any, site: Path, program: str) -> None:
    from permissions.model import CellSpec, CellStatus

    outcome = workshop.call(CellSpec(layers=layers), "sh", "-c", program, cwd=site)
    assert outcome.status is CellStatus.RETURNED, outcome


def _to_the_end(staging: Any) -> None:
    staging.take_in("t1")
    staging.commit(staging.seal().seal)


# --- checks and drops ---------------------------------------------------------------------------------------------
def test_every_change_is_held_against_the_check_before_it_is_staged(workshop: Workshop, lab: Any) -> None:
    site = furnish(lab)
    staging, seen = lab.tx.begin("r"), []
    workshop.works(staging, site, "echo x > index.html; rm run.sh", check=seen.extend)
    assert {(one["op"], Path(one["path"]).name) for one in seen} == {("write", "index.html"), ("delete", "run.sh")}

    def refuse(_effects: Any) -> None:
        raise Refused("refused.test", "no")

    other = lab.tx.begin("s")
    with pytest.raises(Refused):
        workshop.works(other, site, "echo y > index.html", check=refuse)
    assert other.seal().changes == ()


def test_a_dropped_run_leaves_no_trace(workshop: Workshop, lab: Any) -> None:
    site = furnish(lab)
    before = lab.snapshot()
    staging = lab.tx.begin("r")
    layers = staging.open_trees("t1", [str(site)])
    _run(workshop, layers, site, "mkdir -m 000 shut; echo x > y; chmod 000 css")
    staging.drop()
    assert lab.snapshot() == before
    assert lab.leftovers() == []


def test_the_kinds_of_change_are_those_of_described_effects(workshop: Workshop, lab: Any) -> None:
    site = furnish(lab)
    changes = workshop.done("r", site, "echo more >> index.html; chmod 750 css")
    found = {Path(change.path).name: change for change in changes}
    assert found["index.html"].appends
    assert (found["css"].kind, found["css"].folder) == (ChangeKind.MODIFIED, True)


def test_a_disk_that_keeps_no_layers_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folders = Folders()
    try:
        own = trees.kind_of(mount_of(folders.fd(str(tmp_path)))[1])
        if own not in trees._SERVED:
            pytest.skip(f"the temporary folder lies on {own}")
        assert trees._of_its_disk(folders, str(tmp_path)) == trees.store_hindrance(str(tmp_path)) == ""
        monkeypatch.setattr(trees, "kind_of", lambda _number: "nfs4")
        assert trees._of_its_disk(folders, str(tmp_path)) == "it lies on nfs4"
        assert trees.store_hindrance(str(tmp_path)) == "Steward's own folder lies on nfs4"
    finally:
        folders.close()
