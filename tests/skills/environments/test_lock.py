"""``requirements.lock`` is read strictly: names, versions and sums, and nothing that leads anywhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from skills.authoring import lint
from skills.environments import digest_of, read_lock, written
from skills.errors import BadSkill
from skills.loading import load_skill
from skills.model import Pin
from tests.skills.environments.wheelwright import MANIFEST, lune, skill

A, B = "a" * 64, "b" * 64


def read(folder: Path, text: str, *requires: str) -> tuple[Pin, ...]:
    (folder / "requirements.lock").write_text(text)
    return read_lock(folder, requires)


@pytest.mark.parametrize(
    "text",
    [
        f"lune==1.0 --hash=sha256:{A} --hash=sha256:{B}\n",
        f"# by hand\n\nlune==1.0 \\\n    --hash=sha256:{B} \\\n    --hash=sha256:{A}  # two\n",
        f"LUNE==1.0   --hash=sha256:{A}\t--hash=sha256:{B}",
    ],
)
def test_the_forms_that_pip_writes_are_read(tmp_path: Path, text: str) -> None:
    assert read(tmp_path, text, "Lune >= 0.9") == (Pin("lune", "1.0", (A, B)),)


@pytest.mark.parametrize(
    "line",
    [
        "lune==1.0", "lune>=1.0 --hash=sha256:" + A, f"lune @ https://example.org/lune.whl --hash=sha256:{A}",
        "-e ./lune", "--index-url https://example.org/simple", "-r other.txt", f"lune==1.0 --hash=md5:{A[:32]}",
        f"lune==1.0 --hash=sha256:{A[:63]}", f"lune==1.0; python_version > '3' --hash=sha256:{A}",
        f"lune==1.0 --hash=sha256:{A}\nlune==1.1 --hash=sha256:{A}", f"../lune==1.0 --hash=sha256:{A}",
        f"lune==1.0 --hash=sha256:{A} --no-deps",
    ],
)  # fmt: skip
def test_whatever_else_is_refused_with_what_to_do(tmp_path: Path, line: str) -> None:
    with pytest.raises(BadSkill) as error:
        read(tmp_path, line, "lune")
    assert error.value.code == "skill.lock"
    assert "./steward skills lock" in error.value.hint


@pytest.mark.parametrize(
    ("requires", "why"), [("lune >= 2", "pins lune 1.0"), ("mare", "no line for mare"), ("lune[sea] < 1", "pins lune")]
)
def test_a_lock_that_does_not_do_what_is_required_is_refused(tmp_path: Path, requires: str, why: str) -> None:
    with pytest.raises(BadSkill, match=why):
        read(tmp_path, f"lune==1.0 --hash=sha256:{A}\n", requires)


@pytest.mark.parametrize("requires", ['"lune @ https://x.org/a.whl"', "\"lune; os_name == 'nt'\"", '"-e ."', '""', ""])
def test_a_manifest_requires_names_and_versions_alone(tmp_path: Path, requires: str) -> None:
    place = skill(tmp_path, lune(tmp_path / "wheels"))
    (place / "steward.toml").write_text(MANIFEST.replace("VERSION", "1.0.0").replace('"lune >= 1"', requires))
    with pytest.raises(BadSkill, match=r"python\.requires"):
        load_skill(place)


def test_without_a_lock_a_skill_is_not_loaded_and_lint_says_so(tmp_path: Path) -> None:
    place = skill(tmp_path, lune(tmp_path / "wheels"))
    assert [one.name for one in load_skill(place).packages] == ["lune"]
    assert not [one for one in lint(place) if one.severity == "error"]
    (place / "requirements.lock").unlink()
    with pytest.raises(BadSkill, match="is missing"):
        load_skill(place)
    (found,) = [one for one in lint(place) if one.severity == "error"]
    assert (found.code, "./steward skills lock FOLDER" in found.hint) == ("skill.lock", True)


def test_what_is_written_is_read_and_the_digest_follows_every_sum(tmp_path: Path) -> None:
    pins = (Pin("lune", "1.0", (A, B)), Pin("mare", "2.0", (B,)))
    assert read(tmp_path, written(pins, ["lune", "mare"]), "lune", "mare") == pins
    others = [(pins[0],), (Pin("lune", "1.0", (A,)), pins[1]), (Pin("lune", "1.1", (A, B)), pins[1])]
    assert len({digest_of(one) for one in (pins, *others)}) == 4
    assert digest_of(pins) == digest_of(pins[::-1])
