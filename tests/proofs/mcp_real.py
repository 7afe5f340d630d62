"""MCP servers as they come from the registries, each in its cell: installed once, reviewed, added, called.

Two from PyPI and three from npm; none of them is named in our code. They lie in a folder of their own (``.venv-mcp``):
those of PyPI in the versions that stand here, those of npm as they are when it is made, without any script of theirs.

python -m tests.proofs.mcp_real
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

from tests.benchmarks.machine import ROOT, publish, result

NAME = "mcp-real"
FOLDER = ROOT / ".venv-mcp"
FROM_PYPI = ("mcp-server-time==2026.10.19", "mcp-server-git==2026.10.19")
FROM_NPM = ("filesystem", "memory", "everything")
TESTS = "tests/kernel/serving/test_real.py"


def install() -> list[str]:
    """Put the servers into their folder where they are not there yet; return what is there, with versions."""
    made = FOLDER / ".made"
    if not made.exists():
        shutil.rmtree(FOLDER, ignore_errors=True)
        _do([sys.executable, "-m", "venv", str(FOLDER / "venv")])
        _do([str(FOLDER / "venv/bin/pip"), "--disable-pip-version-check", "install", "--quiet", *FROM_PYPI])
        packages = [f"@modelcontextprotocol/server-{one}" for one in FROM_NPM]
        _do(["npm", "install", "--loglevel=error", "--ignore-scripts", "--prefix", str(FOLDER / "js"), *packages])
        made.touch()
    there = _do([str(FOLDER / "venv/bin/pip"), "--disable-pip-version-check", "list", "--format=freeze"])
    found = [line for line in there.splitlines() if line.startswith("mcp-server-")]
    lines = _do(["npm", "ls", "--prefix", str(FOLDER / "js"), "--depth=0"]).splitlines()
    return [*found, *(line.split()[-1] for line in lines if "@modelcontextprotocol/" in line)]


def _do(command: Sequence[str]) -> str:
    """Return what a command says. Raises SystemExit, with its last words, where it fails."""
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode == 0:
        return done.stdout
    last = "\n".join((done.stderr or done.stdout).strip().splitlines()[-6:])
    print(f"{NAME}: “{' '.join(command[:3])} ...” failed ({done.returncode}):\n{last}")
    print("What would help: a way to the registries of PyPI and npm; one behind a certificate of its own wants "
          "NODE_EXTRA_CA_CERTS and PIP_CERT.")  # fmt: skip
    print(f"RESULT {NAME} short servers=0")
    raise SystemExit(1)


def tried() -> list[tuple[str, str, float]]:
    """Run the tests; return of each its name, what came of it, and its seconds."""
    with tempfile.TemporaryDirectory() as top:
        report = Path(top) / "report.xml"
        environ = {**os.environ, "STEWARD_MCP_SERVERS": str(FOLDER)}
        command = [sys.executable, "-P", "-m", "pytest", "-q", TESTS, f"--junitxml={report}"]
        subprocess.run(command, env=environ, cwd=ROOT, check=False)
        cases = ElementTree.parse(report).iter("testcase") if report.exists() else iter(())
        return [(str(one.get("name")), _came(one), float(one.get("time") or 0)) for one in cases]


def _came(case: ElementTree.Element) -> str:
    kinds = {one.tag for one in case}
    return "failed" if kinds & {"failure", "error"} else "skipped" if "skipped" in kinds else "passed"


def main() -> int:
    """Install, try, publish, and close with one RESULT line."""
    if shutil.which("npm") is None:
        print(f"{NAME}: npm is not here. What would help: apt install nodejs npm")
        print(f"RESULT {NAME} skipped")
        return 0
    began = time.monotonic()
    versions, cases = install(), tried()
    rows = [" ".join((__doc__ or "").split("\n\n")[0].split()), "", "Servers: " + ", ".join(versions) + ".", "",
            "| test | | s |", "|---|---|---|"]  # fmt: skip
    rows += [f"| {name} | {came} | {wall_s:.1f} |" for name, came, wall_s in cases]
    counts = [came for _, came, _ in cases]
    figures = {
        "servers": float(len(versions)), "passed": float(counts.count("passed")),
        "failed": float(counts.count("failed")), "skipped": float(counts.count("skipped")),
        "wall_s": round(time.monotonic() - began),
    }  # fmt: skip
    publish(NAME, "MCP servers from the registries", rows, figures)
    return result(NAME, figures, {"failed": 0, "skipped": 0}, {"servers": 5, "passed": 5})


if __name__ == "__main__":
    sys.exit(main())
