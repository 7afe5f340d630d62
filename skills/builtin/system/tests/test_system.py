from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kernel.system import FACTS
from skills.sdk import ToolError
from skills.sdk.testing import PracticeHome, load

system = load(Path(__file__).parent.parent)
judging, naming, telling = (getattr(system, name) for name in ("judging", "naming", "telling"))

GB = 10**9
CALM: dict[str, Any] = {
    "memory": {"total_bytes": 16 * GB, "available_bytes": 9 * GB, "swap_total_bytes": 0, "swap_free_bytes": 0},
    "load": {"busy": 0.12, "processors": 4, "minute": 0.5, "five_minutes": 0.4, "quarter_hour": 0.3},
    "disks": {"disks": [{"place": "/", "total_bytes": 500 * GB, "free_bytes": 200 * GB}]},
    "temperatures": {"sensors": [{"name": "cpu", "celsius": 52.0}]},
    "programs": {"programs": [
        {"name": "firefox", "processes": 12, "memory_bytes": 3 * GB, "busy": 0.4, "mine": True},
        {"name": "ld", "processes": 1, "memory_bytes": GB, "busy": 3.5, "mine": True},
        {"name": "sshd", "processes": 1, "memory_bytes": 5_000_000, "busy": 0.0, "mine": False},
    ], "processors": 4},
    "battery": {"batteries": [{"percent": 81, "status": "discharging", "left_s": 9000}], "plugged_in": False},
    "network": {"lines": [
        {"name": "wlan0", "kind": "wifi", "up": True, "way_out": True, "addresses": ["192.168.1.7"], "wifi": "Attic"},
        {"name": "eth0", "kind": "cable", "up": False, "way_out": False, "addresses": [], "wifi": ""},
    ], "way_out": True},
    "uptime": {"seconds": 93_600.0},
    "versions": {"system": "Debian 13", "linux": "6.12", "machine": "x86_64", "processor": "", "python": "3.13.1"},
}  # fmt: skip


class Machine:
    """The facts of a machine that is written down here; the real ones are tested beside those who read them."""

    def __init__(self, **facts: Any) -> None:
        self.facts = {**CALM, **facts}

    def __call__(self, door: str, given: Any, /) -> Any:
        assert door == "system"
        return self.facts[given["fact"]]


def told(tmp_path: Path, tool: str, language: str = "en", machine: Machine | None = None, **given: Any) -> str:
    home = PracticeHome(tmp_path, language=language, doors=machine or Machine())
    return home.do(getattr(system, tool), pure=True, **given).answer


@pytest.mark.parametrize(
    ("tool", "given", "english", "german"),
    [
        ("disks", {}, "200 GB of 500 GB is free.", "Frei ist 200 GB von 500 GB."),
        ("memory", {}, "9 GB of 16 GB of memory are free.", "Vom Arbeitsspeicher sind 9 GB von 16 GB frei."),
        ("hungriest", {}, "firefox (3 GB), ld (1 GB) and sshd (5 MB) use the most memory.",
         "Am meisten Speicher brauchen firefox (3 GB), ld (1 GB) und sshd (5 MB)."),
        ("hungriest", {"what": "processor", "count": 1}, "ld (350%) uses the most of the processor.",
         "Am meisten Rechenzeit braucht ld (350 %)."),
        ("programs", {}, "2 programs of yours are running: firefox and ld.",
         "Es laufen 2 Programme von dir: firefox und ld."),
        ("running", {"program": "Firefox"}, "Yes, firefox (12 processes, 3 GB) is running.",
         "Ja, firefox (12 Prozesse, 3 GB) läuft."),
        ("running", {"program": "gimp"}, "No, gimp is not running.", "Nein, gimp läuft nicht."),
        ("battery", {}, "The battery is at 81% (on battery, it lasts for 2 hours and 30 minutes); the computer is not "
         "plugged in.",
         "Der Akku hat 81 % (wird entladen, reicht noch 2 Stunden und 30 Minuten); der Rechner ist nicht am Netz."),
        ("network", {}, "Connected by wifi “Attic” (wlan0, 192.168.1.7). There is a way to the internet; whether it "
         "answers was not tried.",
         "Verbunden über WLAN „Attic“ (wlan0, 192.168.1.7). Es gibt einen Weg ins Internet; ob es antwortet, wurde "
         "nicht ausprobiert."),
        ("uptime", {}, "This computer has been running for 1 day and 2 hours, since 13 March 2025, 10:00.",
         "Dieser Rechner läuft seit 1 Tag und 2 Stunden, seit dem 13. März 2025, 10:00 Uhr."),
        ("versions", {}, "This is Debian 13 with Linux 6.12 (x86_64) and Python 3.13.1.",
         "Hier läuft Debian 13 mit Linux 6.12 (x86_64) und Python 3.13.1."),
        ("temperatures", {}, "The hottest sensor says 52 °C (cpu).", "Am wärmsten ist es mit 52 °C (cpu)."),
    ],
)  # fmt: skip
def test_it_is_said_in_both_languages(
    tmp_path: Path, tool: str, given: dict[str, Any], english: str, german: str
) -> None:
    assert told(tmp_path / "en", tool, "en", **given) == english
    assert told(tmp_path / "de", tool, "de", **given) == german


@pytest.mark.parametrize(
    ("changed", "reasons"),
    [
        ({}, []),
        ({"memory": {**CALM["memory"], "available_bytes": GB}}, ["memory"]),
        ({"memory": {**CALM["memory"], "available_bytes": 3 * GB, "swap_total_bytes": 8 * GB, "swap_free_bytes": GB}},
         ["memory"]),
        ({"memory": {**CALM["memory"], "swap_total_bytes": 8 * GB, "swap_free_bytes": GB}}, []),
        ({"load": {**CALM["load"], "busy": 0.97}}, ["processor"]),
        ({"disks": {"disks": [{"place": "/", "total_bytes": 500 * GB, "free_bytes": GB}]}}, ["disk"]),
        ({"disks": {"disks": [{"place": "/big", "total_bytes": 8000 * GB, "free_bytes": 300 * GB}]}}, []),
        ({"temperatures": {"sensors": [{"name": "cpu", "celsius": 97.0}]}}, ["heat"]),
        ({"temperatures": {"sensors": []}}, []),
    ],
)  # fmt: skip
def test_what_makes_it_slow_is_judged(tmp_path: Path, changed: dict[str, Any], reasons: list[str]) -> None:
    assert judging.reasons({**CALM, **changed}) == reasons
    for language in ("en", "de"):
        answer = told(tmp_path / language, "slow", language, Machine(**changed))
        assert ("Nothing that I can see" in answer or "Im Moment bremst nichts" in answer) == (not reasons)
        assert ("ld" in answer.split()) == ("processor" in reasons) or "ld." in answer


@pytest.mark.parametrize(
    ("said", "name", "found"),
    [
        ("firefox", "firefox", True), ("the Firefox browser", "firefox-bin", True),
        ("Thunderbird", "thunderbird", True),
        ("libre office", "libreoffice", True), ("chrome", "google-chrome", True), ("python", "python3", False),
        ("fire", "firefox", False), ("ld", "systemd", False), ("sh", "bash", False), ("code", "code", True),
        ("das Programm gimp", "gimp-2.10", True),
    ],
)  # fmt: skip
def test_a_program_is_known_by_its_name(said: str, name: str, found: bool) -> None:
    assert bool(naming.called([{"name": name}], said)) is found


def test_a_machine_without_sensors_says_so(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="no sensors"):
        told(tmp_path, "temperatures", machine=Machine(temperatures={"sensors": []}))


def test_without_a_battery_or_a_network_it_says_so(tmp_path: Path) -> None:
    machine = Machine(battery={"batteries": [], "plugged_in": None}, network={"lines": [], "way_out": False})
    assert told(tmp_path / "a", "battery", machine=machine) == "This computer has no battery."
    assert told(tmp_path / "b", "network", "de", machine) == "Dieser Rechner ist mit keinem Netz verbunden."


@pytest.mark.parametrize("tool", ["disks", "memory", "load", "hungriest", "programs", "battery", "network", "uptime",
                                  "versions", "slow"])  # fmt: skip
def test_the_facts_of_this_machine_can_be_told(tmp_path: Path, tool: str) -> None:
    home = PracticeHome(tmp_path, doors=lambda _door, given: FACTS[given["fact"]]())
    assert home.do(getattr(system, tool), pure=True).answer.endswith(".")


def test_without_the_right_it_says_which_is_missing(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="may not ask about this computer"):
        PracticeHome(tmp_path).do(system.memory, pure=True)
