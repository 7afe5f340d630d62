"""Whether a skill is a server is told of the bytes of its manifest first: no way to write the table is missed."""

from __future__ import annotations

from pathlib import Path

import pytest

from skills.contents import shipped_folders
from skills.loading import load_skill
from skills.manifest import read_manifest
from skills.model import Skill, SkillId
from skills.packages import powers_of

HEAD = 'version = "1.0.0"\ntitle = "Sky"\n'
WAYS = [
    '[server]\ncommand = ["/x"]', ' \t[ server ]\ncommand = ["/x"]', '["server"]\ncommand = ["/x"]',
    "['server']\ncommand = [\"/x\"]", 'server.command = ["/x"]', 'server = { command = ["/x"] }',
    '"server" . command = ["/x"]', '["s\\u0065rver"]\ncommand = ["/x"]', '"\\u0073erver" .command = ["/x"]',
    '[says]\n[server.env]\nA = "b"\n[server]\ncommand = ["/x"]', '\r\n[server]\r\ncommand = ["/x"]',
]  # fmt: skip


def skill_in(folder: Path) -> Skill:
    return Skill(SkillId("sky"), "1.0.0", "Sky", "Looks up.", str(folder), "0", False, ())


@pytest.mark.parametrize("way", WAYS)
def test_however_the_table_is_written_it_is_one(tmp_path: Path, way: str) -> None:
    (tmp_path / "steward.toml").write_bytes((HEAD + way + "\n").encode())
    server = powers_of(skill_in(tmp_path)).server
    assert server is not None
    assert server.command == ("/x",)


def test_of_no_shipped_skill_the_manifest_is_read_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [(load_skill(folder), read_manifest(folder)) for folder in shipped_folders().values()]
    monkeypatch.setattr("skills.packages.powers.read_manifest", lambda folder: pytest.fail(f"{folder} is read"))
    for skill, manifest in found:
        assert manifest.server is None
        assert powers_of(skill).server is None
