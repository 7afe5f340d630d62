"""The folder of a kernel: sources, libraries, wrapper, certificate and card; written, and read back checked."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gpu_skills.errors import BadFolder
from gpu_skills.intake import Outline
from gpu_skills.intake.outline import outline_from_json
from gpu_skills.intake.wire import problem_from_json
from gpu_skills.model import Built, Candidate, Language, Problem
from gpu_skills.output.card import card
from gpu_skills.output.certificate import VERSION, Work, certificate
from gpu_skills.output.wrapper import Kept, wrapper_source
from gpu_skills.parts import Part, parts_of

CERTIFICATE, WRAPPER, CARD = "certificate.json", "wrapper.py", "card.html"
_MOST = 64 << 20
_FILE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,150}\.(so|cpp)")


def contents(work: Work) -> dict[str, bytes]:
    """Return the files of an optimization's folder by name. Without a kept kernel there is no wrapper."""
    told = certificate(work)
    files = {CERTIFICATE: (json.dumps(told, indent=1) + "\n").encode(), CARD: card(told).encode()}
    for one in work.results:
        if one.best is not None:
            library = one.best.library
            files[library.name] = library.read_bytes()
            files[library.with_suffix(".cpp").name] = one.best.candidate.source.encode()
    kept = [Kept(one.part, one.best.library.name, one.best.sha256, work.threads) for one in work.kept if one.best]
    if kept and work.problem.origin is not None:
        files[WRAPPER] = wrapper_source(work.problem, work.outline, kept).encode()
    return files


@dataclass(frozen=True, slots=True)
class Shelved:
    """A folder that was read: its certificate, its problem, and the kernels that it keeps, of the right hashes."""

    folder: Path
    told: Mapping[str, Any]
    problem: Problem
    outline: Outline
    kernels: tuple[tuple[Part, Built], ...]


def read_folder(folder: Path) -> Shelved:
    """Read a folder and check its files against its certificate. Raises BadFolder. Nothing of it is run."""
    told = read_certificate(folder)
    try:
        problem = problem_from_json(told["problem"])
        parts = {(one.begin, one.end): one for one in parts_of(problem)}
        kernels = tuple(
            (parts[one["begin"], one["end"]], _built(folder, one["structure"], one["kernel"]))
            for one in told["parts"] if one["kept"]
        )  # fmt: skip
        return Shelved(folder, told, problem, outline_from_json(told["outline"]), kernels)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise _damaged(folder, f"its certificate is damaged: {error}") from error


def read_certificate(folder: Path) -> dict[str, Any]:
    """Return the certificate of a folder. Raises BadFolder where there is none, or one of another version."""
    try:
        with (folder / CERTIFICATE).open("rb") as file:
            told = json.loads(file.read(_MOST))
    except FileNotFoundError as error:
        raise BadFolder("output.no_certificate", f"{folder.name} holds no kernel: there is no {CERTIFICATE}.",
                        hint="Give the folder that ./steward kernels optimize made.") from error  # fmt: skip
    except (OSError, ValueError, RecursionError) as error:
        raise _damaged(folder, f"its certificate cannot be read: {error}") from error
    if not isinstance(told, dict) or told.get("version") != VERSION:
        raise _damaged(folder, "its certificate is of another version")
    return told


def _built(folder: Path, structure: str, made: Mapping[str, Any]) -> Built:
    for name in (made["library"], made["source"]):
        if not _FILE.fullmatch(name):
            raise _damaged(folder, f"{name!r} is no name of a file of its own")
    library, source = folder / made["library"], folder / made["source"]
    try:
        data, text = library.read_bytes(), source.read_text(encoding="utf-8")
    except OSError as error:
        raise _damaged(folder, f"a file is missing: {error}") from error
    if hashlib.sha256(data).hexdigest() != made["sha256"]:
        raise _damaged(folder, f"{library.name} is not the library that was judged")
    candidate = Candidate(made["id"], structure, Language(made["language"]), text, dict(made["genome"]),
                          made["made_by"], tuple(made["parents"]))  # fmt: skip
    return Built(candidate, library, made["sha256"], tuple(made["command"]), float(made["seconds"]))


def _damaged(folder: Path, said: str) -> BadFolder:
    return BadFolder("output.damaged", f"{folder.name}: {said}.", hint="Run ./steward kernels optimize again.")
