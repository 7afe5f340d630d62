"""Inside the guest: the groups that systemd would make, and the tests in them, as root and as an ordinary user.

python -m tests.proofs.vm.guest FOLDER STEP ... [-- TEST ...]

Each step's report is put into FOLDER, as JUnit writes it. A process gets where ``./steward service install`` brings the
daemon: systemd's part (the group, and who owns it) is done here, and the unit's own line of shell does the rest.
Source: systemd's ``CONTROL_GROUP_INTERFACE.md`` (Delegation), ``systemd.resource-control(5)``.
"""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from portal.cli.service import MOVE

TOP = Path("/sys/fs/cgroup")
SCRATCH = Path("/scratch")
ORDINARY = 54321
_HANDED_OVER = ("", "cgroup.procs", "cgroup.threads", "cgroup.subtree_control")
_TEST_S, _MOST_S = 240, 1200.0
CONFINE = "tests/permissions/confine"


@dataclass(frozen=True, slots=True)
class Step:
    """One run of tests: who runs them, whether a group was delegated to them, and which they are."""

    name: str
    title: str
    uid: int
    delegated: bool
    tests: Sequence[str]


_GUEST = "tests/proofs/vm/on_guest.py"
_JOB = f"{_GUEST}::test_the_job_of_the_readme_is_done_and_taken_back"
_NONE = f"{_GUEST}::test_without_a_group_it_is_said_with_what_would_help"
_CELLS = ("memory_is_limited", "shared_memory_is_limited_where_there_is_a_group", "a_fork_bomb_is_bounded",
          "no_groups_are_left_behind", "a_worker_that_dies_is_replaced_and_takes_its_cells_along")  # fmt: skip
_ALL = (_GUEST, *(f"{CONFINE}/test_{name}.py" for name in ("groups", "reservation", "orphans", "leaving", "survey")),
        f"{CONFINE}/test_selftest.py", *(f"{CONFINE}/test_cells.py::test_{name}[own]" for name in _CELLS))  # fmt: skip
STEPS = (
    Step("user", "an ordinary user's service", ORDINARY, True, (*_ALL, "tests/kernel/limits/test_memory.py")),
    Step("root", "root's service", 0, True, (_JOB, *_ALL[1:])),
    Step("session", "an ordinary user's terminal, nothing delegated", ORDINARY, False,
         (_NONE, f"{CONFINE}/test_survey.py")),
)  # fmt: skip


def group_of(step: Step) -> Path:
    """Make the group that systemd would start the step in, its controllers switched on, and hand it over."""
    inner = "user@{0}.service/app.slice/steward.service" if step.delegated else "session-1.scope"
    names = f"user.slice/user-{step.uid}.slice/{inner}".format(step.uid).split("/")
    place = TOP
    for name in names:
        (place / "cgroup.subtree_control").write_text("+cpu +memory +pids")
        place = place / name
        place.mkdir(exist_ok=True)
        if name.startswith("user@"):
            own = [place / file for file in _HANDED_OVER]
        else:  # what is below was made by the user's own systemd
            own = [place, *place.iterdir()] if step.delegated and not name.startswith("user") else []
        for path in own:
            os.chown(path, step.uid, step.uid)
    return place


def command_of(step: Step, report: Path) -> list[str]:
    """Return what is run: the tests, through the line of the unit where a group is delegated."""
    tests = [sys.executable, "-P", "-m", "pytest", "-p", "no:cacheprovider", "-o", f"timeout={_TEST_S}", "-rs",
             "--tb=short", "--durations=15", f"--junitxml={report}", *step.tests]  # fmt: skip
    if not step.delegated:
        return tests
    return [*shlex.split(MOVE.replace("$$", "$")), *tests]


def run(step: Step, out: Path) -> None:
    """Run one step, and hand its report and what it said over."""
    home = SCRATCH / step.name
    home.mkdir()
    os.chown(home, step.uid, step.uid)
    group, report = group_of(step), home / "report.xml"
    environ = {"PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "HOME": str(home), "TMPDIR": str(home),
               "LANG": "C.UTF-8", "STEWARD_VM": step.name}  # fmt: skip

    def become() -> None:
        (group / "cgroup.procs").write_text("0")
        os.setgroups([])
        os.setresgid(step.uid, step.uid, step.uid)
        os.setresuid(step.uid, step.uid, step.uid)

    with (out / f"{step.name}.txt").open("wb") as said:
        process = subprocess.Popen(command_of(step, report), stdin=subprocess.DEVNULL, stdout=said, stderr=said,
                                   env=environ, preexec_fn=become, start_new_session=True)  # noqa: PLW1509 - one thread  # fmt: skip
        try:
            process.wait(_MOST_S)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    if report.exists():
        shutil.copyfile(report, out / f"{step.name}.xml")


def main() -> None:
    """Run every step that was named, with its own tests or those that were named."""
    words = sys.argv[2:]
    chosen, tests = (words[: words.index("--")], words[words.index("--") + 1 :]) if "--" in words else (words, [])
    for folder in {*Path.cwd().parents, *Path(sys.base_prefix).parents, *Path(sys.prefix).parents}:
        folder.chmod(
            folder.stat().st_mode | 0o055
        )  # so that the ordinary user gets to the programs; only the guest sees it
    for step in STEPS:
        if step.name in chosen:
            began = time.monotonic()
            print(f"vm: {step.title}", flush=True)
            run(replace(step, tests=tests or step.tests), Path(sys.argv[1]))
            print(f"vm:   {time.monotonic() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()
