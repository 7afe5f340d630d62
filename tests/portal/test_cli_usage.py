"""The command line where no daemon is needed: usage, settings, extras, start-up cost."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from portal.cli.extras import EXTRAS, requirements
from tests.portal.asked import PROMISED

pytestmark = pytest.mark.slow

Installation = Any  # tests/portal/conftest.py

WRONG = [
    ["frobnicate"], ["ask"], ["ask", ""], ["ask", "  \t\n"], ["ask", "x", "--unknown"], ["approve", "--yes"],
    ["approve", "--answer", "once"], ["approve", "r-1", "--answer", "maybe"], ["config", "get", "nonsense"],
    ["config", "set", "port", "many"], ["config", "set", "port", "70000"], ["runs", "--limit", "0"],
    ["setup", "nonsense"], ["log", "-n", "x"],
]  # fmt: skip


@pytest.mark.parametrize("arguments", WRONG, ids=" ".join)
def test_wrong_usage_is_2_with_one_object_and_no_daemon(installation: Installation, arguments: list[str]) -> None:
    done = installation.steward(*arguments, "--json")
    assert done.code == 2
    assert set(done.json) >= PROMISED
    assert done.json["resolution"] == "failed"
    assert done.json["error"]["code"]
    assert done.err
    plain = installation.steward(*arguments)
    assert (plain.code, plain.out) == (2, "")
    assert not installation.places.socket.exists()


def test_help_is_for_people(installation: Installation) -> None:
    for arguments in ([], ["--help"], ["ask", "-h"]):
        done = installation.steward(*arguments)
        assert done.code == 0
        assert "Usage" in done.out
        assert "bool" not in done.out
    assert "..." not in installation.steward("--help").out.partition("Commands:")[2]


def test_the_conversation_is_named_in_a_refusal(installation: Installation) -> None:
    assert installation.steward("ask", "", "--json", "--conversation", "c-7").json["conversation"] == "c-7"
    named = installation.steward("ask", "", "--json", env={"STEWARD_CONVERSATION": "c-8"})
    assert named.json["conversation"] == "c-8"


def test_status_and_down_without_a_daemon(installation: Installation) -> None:
    assert installation.steward("status", "--json").json == {"running": False}
    assert installation.steward("down", "--json").json == {"stopped": False}
    assert not (installation.root / "s").exists()


def test_settings_are_checked_kept_and_shown_with_their_origin(installation: Installation) -> None:

    where = installation.steward("config", "path", "--json").json
    assert where == {"path": str(installation.places.config_file), "exists": False}
    assert installation.steward("config", "set", "parallel_tasks", "3").code == 0
    assert installation.steward("config", "set", "encoder", "false", "--json").json == {
        "name": "encoder",
        "value": False,
    }
    assert tomllib.loads(installation.places.config_file.read_text()) == {"parallel_tasks": 3, "encoder": False}
    assert installation.places.config_file.stat().st_mode & 0o777 == 0o600
    assert installation.steward("config", "get", "parallel_tasks").out == "3\n"
    shown = installation.steward("config", "show", "--json").json["settings"]
    assert shown["parallel_tasks"]["from"] == "config.toml"
    assert shown["port"]["from"] == "environment"
    assert shown["task_timeout_s"]["from"] == "default"


def test_a_wrong_setting_is_refused_and_nothing_is_lost(installation: Installation) -> None:
    installation.steward("config", "set", "parallel_tasks", "3")
    refused = installation.steward("config", "set", "parallel_tasks", "1000", "--json")
    assert refused.json["error"]["hint"]
    assert installation.steward("config", "get", "parallel_tasks").out == "3\n"
    installation.places.config_file.write_text("this is not toml")
    broken = installation.steward("config", "show")
    assert broken.code == 3
    assert "configuration file" in broken.err


@pytest.mark.parametrize("name", ["ca_file", "encoder_model"])
def test_a_place_is_kept_by_its_whole_path_and_let_go_of(installation: Installation, name: str) -> None:
    place = installation.home / "mine"
    place.mkdir()
    kept = installation.steward("config", "set", name, "mine", "--json")
    assert (kept.code, kept.json["value"]) == (0, str(place))
    assert installation.steward("config", "get", name).out == f"{place}\n"
    missing = installation.steward("config", "set", name, "nowhere", "--json")
    assert (missing.code, missing.json["error"]["code"]) == (2, "usage")
    assert str(installation.home / "nowhere") in missing.json["error"]["message"]
    assert installation.steward("config", "get", name).out == f"{place}\n", "what was kept stays"
    assert installation.steward("config", "set", name, "").code == 0
    assert installation.steward("config", "get", name, "--json").json["value"] is None


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("faiss", "chroma (./steward setup chroma)"),
        ("http://192.168.1.7:8000", "over https"),
        ("http://127.0.0.1:9", "chroma run --host 127.0.0.1 --port 9" if find_spec("chromadb") else "setup chroma"),
    ],
)
def test_a_place_of_vectors_that_cannot_be_used_is_not_kept(installation: Installation, place: str, said: str) -> None:
    refused = installation.steward("config", "set", "vectors", place)
    assert refused.code == 2
    assert said in refused.err
    assert installation.steward("config", "get", "vectors").out == "flat\n"
    assert installation.steward("config", "set", "vectors", "flat").code == 0


def test_extras_are_listed_with_their_size_before_anything_is_installed(installation: Installation) -> None:
    listed = installation.steward("setup", "--json").json["extras"]
    assert [extra["name"] for extra in listed] == [extra.name for extra in EXTRAS]
    assert all(extra["size_mb"] > 0 for extra in listed)
    wanting = [extra["name"] for extra in listed if not extra["installed"]]
    if not wanting:
        pytest.skip("every extra is installed; to see a question: pip uninstall sentence-transformers")
    asked = installation.steward("setup", wanting[0], "--json")
    assert asked.code == 4
    assert "MB" in asked.json["answer"]


def test_every_extra_is_declared_by_the_distribution() -> None:
    for extra in EXTRAS:
        assert requirements(extra.name)


def test_the_command_line_loads_neither_kernel_nor_framework() -> None:
    code = (
        "import sys, portal.cli.commands, portal.cli.asking, portal.cli.approving, portal.cli.undoing,"
        " portal.cli.history, portal.cli.house, portal.cli.follow, portal.cli.answers, portal.client, httpx;"
        "print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    )
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "portal" in loaded
    assert not loaded & {
        "kernel",
        "skills",
        "memory",
        "permissions",
        "fastapi",
        "starlette",
        "uvicorn",
        "pydantic",
        "numpy",
    }


def test_the_guide_names_every_command_and_no_other(installation: Installation) -> None:
    guide = (Path(__file__).parents[2] / "docs/guides/command-line.md").read_text(encoding="utf-8")
    table = guide.partition("| Command |")[2].partition("\n\n")[0]
    named = {
        cell.split()[0] for row in table.splitlines() for cell in re.findall(r"`([a-z][^`]*)`", row.split(" | ")[0])
    }
    listed = set(re.findall(r"^  ([a-z]+)  ", installation.steward("--help").out, re.MULTILINE))
    assert named == listed


@pytest.mark.parametrize(
    ("how", "rich"), [("import httpx", "True"), ("from portal.wire import _httpx; _httpx()", "False")]
)
def test_a_command_does_not_load_the_command_line_of_httpx(how: str, rich: str) -> None:
    """The control: httpx itself does, where rich is installed."""
    code = f"{how}; import sys; print(sys.modules['httpx'].Client.__name__, 'rich' in sys.modules)"
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["Client", rich]
