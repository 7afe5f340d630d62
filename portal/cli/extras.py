"""``setup``: heavy parts, added by name with their size shown first.

What is installed already is pinned while an extra is added, so that a failed or greedy extra cannot change what works.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import distributions, requires
from pathlib import Path

from portal.cli.outcome import DENIED, OK, PENDING, Failure, emit, is_interactive, refuse, say, tell

DISTRIBUTION = "steward-os"


@dataclass(frozen=True, slots=True)
class Extra:
    """A heavy part: what it is for, and about how many MB it adds to a fresh default set (torch for CPUs)."""

    name: str
    purpose: str
    size_mb: int


EXTRAS = (
    Extra("chroma", "Chroma as the place of vectors (chromadb)", 250),
    Extra("embed", "other sentence encoders (sentence-transformers, onnxruntime, torch)", 1400),
    Extra("gpu", "kernels for NVIDIA GPUs, compiled also without one (triton, torch)", 1600),
    Extra("kernels", "PyTorch as the source of kernels to make faster (torch)", 900),
    Extra("models", "models that can be asked (openai)", 33),
)


def setup(names: Sequence[str], *, yes: bool, as_json: bool) -> int:
    """List the extras, or add the named ones."""
    chosen = _chosen(names)
    missing = {extra.name: _missing(extra) for extra in EXTRAS}
    if not names:
        return _list(missing, as_json)
    wanted = [extra for extra in chosen if missing[extra.name]]
    for extra in chosen:
        state = f"about {extra.size_mb} MB" if extra in wanted else "is installed already"
        say(f"{extra.name}: {extra.purpose}: {state}")
    if wanted and not yes:
        _confirm(sum(extra.size_mb for extra in wanted))
    for extra in wanted:
        _install(extra, missing[extra.name])
    if as_json:
        emit({"installed": [extra.name for extra in wanted], "present": [e.name for e in chosen if e not in wanted]})
    else:
        tell("Done." if wanted else "Nothing to do.")
    return OK


def _chosen(names: Sequence[str]) -> list[Extra]:
    known = {extra.name: extra for extra in EXTRAS}
    unknown = [name for name in names if name not in known and name != "all"]
    if unknown:
        refuse(f"There is no extra {unknown[0]}.", "One of: " + ", ".join([*known, "all"]))
    return list(EXTRAS) if "all" in names else [known[name] for name in dict.fromkeys(names)]


def requirements(extra: str) -> list[str]:
    """Return the packages of an extra, as the distribution declares them."""
    marker = re.compile(r"""extra\s*==\s*['"](?P<name>[\w-]+)['"]""")
    found = []
    for line in requires(DISTRIBUTION) or ():
        requirement, _, condition = line.partition(";")
        match = marker.search(condition)
        if match and match["name"] == extra:
            found.append(requirement.strip())
    return found


def _missing(extra: Extra) -> list[str]:
    present = {_canonical(found.name) for found in distributions()}
    return [line for line in requirements(extra.name) if _canonical(re.split(r"[^\w.-]", line)[0]) not in present]


def _canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _list(missing: dict[str, list[str]], as_json: bool) -> int:
    rows = [
        {"name": e.name, "purpose": e.purpose, "size_mb": e.size_mb, "installed": not missing[e.name]} for e in EXTRAS
    ]
    if as_json:
        emit({"extras": rows})
        return OK
    for row in rows:
        state = "installed" if row["installed"] else f"about {row['size_mb']} MB: ./steward setup {row['name']}"
        tell(f"{row['name']:<8} {row['purpose']}  ({state})")
    return OK


def _confirm(size_mb: int) -> None:
    from portal.cli.prompt import confirm

    if not is_interactive():
        raise Failure("setup.consent", f"This adds about {size_mb} MB.", "Say so with: --yes", PENDING)
    if not confirm(f"Add about {size_mb} MB? [y/n] "):
        raise Failure("setup.refused", "Nothing was installed.", exit_code=DENIED)


def _install(extra: Extra, packages: list[str]) -> None:
    with tempfile.TemporaryDirectory(prefix="steward-setup-") as folder:
        pins = Path(folder) / "installed.txt"
        pins.write_text("\n".join(_pins()) + "\n", encoding="utf-8")
        command = [sys.executable, "-P", "-m", "pip", "install", "--disable-pip-version-check", "--no-input"]
        failed = _run([*command, "--constraint", str(pins), *packages], extra.name)
    if failed:
        message = f"The extra {extra.name} could not be installed; everything else works as before. {failed}"
        raise Failure("setup.failed", message, f"Try again: ./steward setup {extra.name}")


def _pins() -> Iterator[str]:
    for found in distributions():
        if found.name and _canonical(found.name) != DISTRIBUTION and found.read_text("direct_url.json") is None:
            yield f"{found.name}=={found.version}"


def _run(command: list[str], name: str) -> str:
    """Run pip with one progress line; return its last error line, or nothing when it succeeded."""
    last = ""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as child:
        assert child.stdout is not None
        for line in child.stdout:
            last = line.strip() or last
            if sys.stderr.isatty():
                sys.stderr.write(f"\r\x1b[K{name}: {last[:100]}")
                sys.stderr.flush()
    if sys.stderr.isatty():
        sys.stderr.write("\r\x1b[K")
    return last or "pip failed." if child.returncode else ""
