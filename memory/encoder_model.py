"""Any sentence-transformers model as the encoder, run in a process of its own: begun on first use, ended when idle.

The library and torch (extra ``embed``) are never imported here; a daemon that uses another model holds none of it
while nobody asks.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from memory.encoder_worker import exactly, read, write
from memory.errors import EncoderMissing
from memory.folder import write_private

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

ALGORITHM = "sentence-transformers-1"
"""Changes when the same model would give other vectors."""
IDLE_S = 120.0
_AT_ONCE = 256
_END_S = 5.0
_ENVIRON = {
    "HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "HF_HUB_DISABLE_TELEMETRY": "1",
    "TOKENIZERS_PARALLELISM": "false", "OMP_NUM_THREADS": "1",
}  # fmt: skip


class ModelEncoder:
    """Encodes texts with the model in ``folder``; thread-safe. Made by ``open_model``."""

    def __init__(self, folder: Path, digest: str, dimensions: int, idle_s: float = IDLE_S) -> None:
        self._folder, self._digest, self._dimensions, self._idle_s = folder, digest, dimensions, idle_s
        self._lock = threading.Lock()
        self._worker: subprocess.Popen[bytes] | None = None
        self._timer: threading.Timer | None = None
        self.backend = ""

    @property
    def digest(self) -> str:
        """Names every file of the model: vectors of two digests cannot be compared."""
        return self._digest

    @property
    def dimensions(self) -> int:
        """How many numbers a vector has."""
        if not self._dimensions:
            with self._lock:
                self._begin()
                self._later()
        return self._dimensions

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Unit vectors, float32 [len(texts), dimensions]. Raises EncoderMissing when the model cannot be run."""
        import numpy as np

        readable = [text.encode("utf-8", "replace").decode() for text in texts]
        with self._lock:
            worker = self._begin()
            try:
                parts = [self._some(worker, readable[at : at + _AT_ONCE]) for at in range(0, len(readable), _AT_ONCE)]
            except (EOFError, OSError) as error:
                self._end()
                raise self._failed(f"its process ended ({error or 'without a word'})") from error
            finally:
                self._later()
        return np.concatenate([*parts, np.empty((0, self._dimensions), dtype=np.float32)])

    def _some(self, worker: subprocess.Popen[bytes], texts: Sequence[str]) -> npt.NDArray[np.float32]:
        import numpy as np

        requests, answers = _pipes(worker)
        write(requests, {"texts": list(texts)})
        answer = read(answers)
        if "error" in answer:
            raise self._failed(str(answer["error"]))
        data = exactly(answers, len(texts) * self._dimensions * 4)
        return np.frombuffer(data, dtype="<f4").reshape(len(texts), self._dimensions)

    def _begin(self) -> subprocess.Popen[bytes]:
        """The worker, begun where there is none; the first takes seconds (it imports torch)."""
        if self._timer is not None:
            self._timer.cancel()
        if self._worker is not None and self._worker.poll() is None:
            return self._worker
        command = [sys.executable, "-P", "-m", "memory.encoder_worker", str(self._folder)]
        self._worker = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, **_ENVIRON}
        )
        try:
            said = read(_pipes(self._worker)[1])
        except EOFError:
            said = {"error": "its process ended without a word"}
        if "error" in said:
            self._end()
            raise self._failed(str(said["error"]))
        self._dimensions, self.backend = int(said["dimensions"]), str(said["backend"])
        return self._worker

    def _later(self) -> None:
        """End the worker when nobody has asked for a while."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = threading.Timer(self._idle_s, self.rest)
        self._timer.daemon = True
        self._timer.start()

    def rest(self) -> None:
        """End the worker; the next call begins another. Always safe."""
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
            self._end()

    def _end(self) -> None:
        worker, self._worker = self._worker, None
        if worker is None:
            return
        for pipe in _pipes(worker):
            with suppress(OSError):
                pipe.close()
        try:
            worker.wait(_END_S)
        except subprocess.TimeoutExpired:
            worker.kill()
            worker.wait()

    def _failed(self, reason: str) -> EncoderMissing:
        return EncoderMissing(
            "encoder.failed",
            f"The model in {self._folder} cannot be run: {reason}",
            subject=str(self._folder),
            hint="Choose another (./steward config set encoder_model FOLDER), or take that line out of the file that "
            "`./steward config path` names; then the built-in encoder is used.",
        )


def open_model(folder: Path, stamps: Path | None = None) -> ModelEncoder:
    """The encoder for the model in ``folder`` (as sentence-transformers saves it); its worker begins on first use.

    ``stamps`` is where its digest is remembered. Raises EncoderMissing when the folder holds no model
    or the library is not installed.
    """
    if not (folder / "modules.json").is_file():
        raise EncoderMissing(
            "encoder.no_model",
            f"{folder} holds no sentence-transformers model (no modules.json).",
            subject=str(folder),
            hint='Save one there: .venv/bin/python -c "from sentence_transformers import SentenceTransformer as S; '
            "S('NAME').save('FOLDER')\"",
        )
    if find_spec("sentence_transformers") is None:
        raise EncoderMissing(
            "encoder.not_installed",
            "The library for other sentence encoders is not installed; tools are found by their words alone.",
            subject="sentence-transformers",
            hint="Install it: ./steward setup embed",
        )
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    state = [[str(path.relative_to(folder)), path.stat().st_size, path.stat().st_mtime_ns] for path in files]
    stamp = stamps / f"model-{hashlib.sha256(str(folder).encode()).hexdigest()[:16]}.json" if stamps else None
    known = _stamped(stamp, state)
    if known is None:
        known = {"state": state, "digest": _digest(folder, files)}
        if stamp is not None:
            stamp.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_private(stamp, json.dumps(known).encode())
    return ModelEncoder(folder, str(known["digest"]), 0)


def _stamped(stamp: Path | None, state: list[list[Any]]) -> dict[str, Any] | None:
    try:
        known = json.loads(stamp.read_bytes()) if stamp else {}
    except (OSError, ValueError):
        return None
    return known if isinstance(known, dict) and known.get("state") == state else None


def _digest(folder: Path, files: Sequence[Path]) -> str:
    digest = hashlib.sha256(ALGORITHM.encode())
    for path in files:
        with path.open("rb") as file:
            digest.update(f"\n{path.relative_to(folder)} {hashlib.file_digest(file, 'sha256').hexdigest()}".encode())
    return digest.hexdigest()


def _pipes(worker: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes]]:
    assert worker.stdin is not None
    assert worker.stdout is not None
    return worker.stdin, worker.stdout
