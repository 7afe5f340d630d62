"""A commit is taken byte for byte as it was committed, and nothing that a repository would run is run."""

from __future__ import annotations

import shutil
import tarfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from skills.packages.cell.skill import _wanted
from skills.packages.cloning import Git
from skills.sdk import ToolError, programs
from skills.sdk.types import Folder
from tests.proofs.packages.ground import git, repository
from tests.skills.packages.wares import GOOD

pytestmark = pytest.mark.skipif(not shutil.which("git"), reason="there is no git here: apt install git")


class InTheOpen:
    """The two things that a repository is fetched with, without a cell."""

    def __init__(self, room: Path) -> None:
        self._room = room

    def workroom(self, name: str) -> Folder:
        (self._room / name).mkdir(parents=True, exist_ok=True)
        return Folder(str(self._room / name))

    def run(self, argv: Sequence[str], cwd: Folder) -> programs.Ran:
        return programs.run(argv, cwd=str(cwd.path), timeout_s=60, fed=b"", environment={})


def packed(tmp_path: Path, place: Path, ref: str = "HEAD", part: str = "") -> tuple[str, dict[str, bytes]]:
    one = Git(InTheOpen(tmp_path / "room"), "file")  # type: ignore[arg-type]
    commit = one.fetched(str(place), ref)
    files = one.files(part)
    one.pack(_wanted(files, part), files)
    with tarfile.open(one.packed) as archive:
        return commit, {info.name: archive.extractfile(info).read() for info in archive if info.isreg()}  # type: ignore[union-attr]


def test_a_commit_is_taken_as_it_was_committed(tmp_path: Path) -> None:
    attributes = "*.md text eol=crlf export-subst ident\nhidden* export-ignore\n"
    files = {
        **GOOD,
        ".gitattributes": attributes,
        "notes.md": "$Format:%H$\n$Id$\n",
        "hidden.md": "signed\n",
        "b.bin": b"\r\n\0",
    }
    place = repository(tmp_path, files)
    commit, found = packed(tmp_path, place)
    assert commit == git(place, "rev-parse", "HEAD")
    assert found == {name: text.encode() if isinstance(text, str) else text for name, text in files.items()}
    naive = tmp_path / "naive.tar"  # the control: the attributes do all that
    git(place, "archive", f"--output={naive}", "HEAD")
    with tarfile.open(naive) as archive:
        assert "hidden.md" not in archive.getnames()
        assert b"$Format" not in archive.extractfile("notes.md").read()  # type: ignore[union-attr]


def test_one_folder_of_a_repository_is_taken_alone(tmp_path: Path) -> None:
    files = {f"skills/{name}/SKILL.md": f"---\nname: {name}\n---\n{name}" for name in ("moon", "sun")}
    place = repository(tmp_path, {**files, "README.md": "x", "skills/moon/a/b.md": "y"}, "many")
    (place / "link").symlink_to("README.md")
    git(place, "add", "-A")
    git(place, "commit", "-qm", "Two")
    assert set(packed(tmp_path, place, part="skills/moon")[1]) == {"skills/moon/SKILL.md", "skills/moon/a/b.md"}
    assert set(packed(tmp_path / "b", place)[1]) == set(files)  # which of them is for the person to say
    assert set(packed(tmp_path / "c", place, part="skills/mars")[1]) == set(files)


def test_a_module_of_another_repository_is_named(tmp_path: Path) -> None:
    inner = repository(tmp_path, {"x.py": "x = 1"}, "inner")
    outer = repository(tmp_path, GOOD)
    git(outer, "submodule", "add", "-q", str(inner), "inner")
    git(outer, "commit", "-qm", "Two")
    with pytest.raises(ToolError, match=r"inner is another repository \(a submodule\)"):
        packed(tmp_path, outer)


def test_a_commit_that_was_named_is_the_one_that_is_taken(tmp_path: Path) -> None:
    place = repository(tmp_path, GOOD)
    first = git(place, "rev-parse", "HEAD")
    git(place, "tag", "-a", "v1", "-m", "One")
    (place / "SKILL.md").write_text("---\nname: moon\n---\nother")
    git(place, "commit", "-qam", "Two")
    assert packed(tmp_path / "a", place, first)[0] == first
    assert packed(tmp_path / "b", place, "v1")[0] == first
    for number, ref in enumerate((git(place, "rev-parse", "v1"), "0" * 40, "nowhere", first[:12])):
        with pytest.raises(ToolError, match=r"for the commit|git fetch did not work"):
            packed(tmp_path / f"c{number}", place, ref)


def test_a_transport_that_was_not_meant_is_refused(tmp_path: Path) -> None:
    canary = tmp_path / "canary"
    one = Git(InTheOpen(tmp_path / "room"), "https")  # type: ignore[arg-type]
    for place in (str(repository(tmp_path, GOOD)), f"ext::touch {canary}", "ssh://host/x", "http://127.0.0.1:9/x"):
        with pytest.raises(ToolError, match="did not work"):
            one.fetched(place, "HEAD")
    assert not canary.exists()
    git(
        tmp_path / "moon", "-c", "protocol.ext.allow=always", "ls-remote", "--", str(tmp_path / "moon")
    )  # git itself is well
