"""Environments are kept whole, read-only, and held against what was built."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from skills.environments.kept import Kept
from skills.errors import BadSkill
from skills.model import Pin

D, E = "d" * 64, "e" * 64


def kept(tmp_path: Path, *digests: str) -> Kept:
    """Keep environments of two files."""
    one = Kept(tmp_path / "environments")
    for digest in digests:
        built = tmp_path / f"built-{digest}"
        (built / "lune").mkdir(parents=True)
        (built / "lune" / "__init__.py").write_text("X = 1\n")
        (built / "mare.py").write_text("Y = 2\n")
        one.put(digest, built, [Pin("lune", "1.0", (D,))])
    return one


def rewrite(place: Path, text: str) -> None:
    """Change a file as somebody would who may."""
    place.parent.chmod(0o755)
    place.chmod(0o644)
    place.write_text(text)


def test_what_was_kept_is_there_read_only_and_checked(tmp_path: Path) -> None:
    one = kept(tmp_path, D)
    one.check(D, "moon")
    modes = {path.stat().st_mode & 0o222 for path in (one.lib(D), *one.lib(D).rglob("*"))}
    assert modes == {0}
    assert one.names() == [D]
    assert not list((tmp_path / "environments").glob(".*"))


@pytest.mark.parametrize("what", ["content", "size and time", "more", "less", "link", "pipe"])
def test_any_change_is_seen_also_after_it_was_found_right(tmp_path: Path, what: str) -> None:
    one = kept(tmp_path, D)
    one.check(D, "moon")
    place = one.lib(D) / "mare.py"
    seen = place.stat()
    match what:
        case "content":
            rewrite(place, "Y = 3333\n")
        case "size and time":
            time.sleep(0.02)
            rewrite(place, "Y = 3\n")
            os.utime(place, ns=(seen.st_atime_ns, seen.st_mtime_ns))
        case "more":
            one.lib(D).chmod(0o755)
            (one.lib(D) / "json.py").write_text("")
        case "less":
            place.parent.chmod(0o755)
            place.unlink()
        case "pipe":  # whoever reads it waits for ever
            place.parent.chmod(0o755)
            place.unlink()
            os.mkfifo(place)
        case _:
            place.parent.chmod(0o755)
            place.unlink()
            place.symlink_to("/etc/hostname")
    with pytest.raises(BadSkill) as error:
        one.check(D, "moon")
    assert error.value.code == "environment.changed"
    assert "--repair" in error.value.hint
    assert one.changed(D)


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    with pytest.raises(BadSkill) as error:
        kept(tmp_path, D).check(E, "moon")
    assert (error.value.code, "--repair" in error.value.hint) == ("environment.missing", True)


HOLDS = """
import sys
from pathlib import Path
from skills.environments.kept import Kept

with Kept(Path(sys.argv[1])).held(sys.argv[2]):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_what_another_process_works_with_stays_until_that_has_ended_or_was_killed(tmp_path: Path) -> None:
    """The control: the same environment goes as soon as nobody holds it, also where its holder was killed."""
    one = kept(tmp_path, D, E)
    words = [sys.executable, "-P", "-c", HOLDS, str(tmp_path / "environments"), D]
    environ = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        assert one.sweep(()) == [E]
        one.check(D, "moon")
        holder.kill()
        holder.wait(20)
    assert one.sweep(()) == [D]
    with pytest.raises(FileNotFoundError), one.held(D):
        pass


def test_what_was_used_a_moment_ago_stays_for_a_while(tmp_path: Path) -> None:
    one = kept(tmp_path, D, E)
    for digest in (D, E):
        os.utime(tmp_path / "environments" / digest, (1, 1))
    with one.held(E):
        pass
    assert one.sweep((), 60) == [D]
    assert one.names() == [E]


def test_one_without_its_sums_goes_too(tmp_path: Path) -> None:
    one = kept(tmp_path, D)
    (tmp_path / "environments" / D / "sums.json").unlink()
    assert one.sweep(()) == [D]
    assert one.names() == []


def test_what_nobody_needs_goes_with_what_was_left_half_done(tmp_path: Path) -> None:
    one = kept(tmp_path, D, E)
    half, now = (tmp_path / "environments" / name for name in (".coming-x", ".building-y"))
    for place in (half, now):
        (place / "part").mkdir(parents=True)
    os.utime(half, (1, 1))
    gone = tmp_path / "environments" / ".going-z"
    gone.symlink_to("nowhere")  # listed, and not there any more when it is looked at
    assert one.sweep({E}) == [D]
    assert sorted(path.name for path in (tmp_path / "environments").iterdir()) == [now.name, gone.name, E]
    one.check(E, "moon")
