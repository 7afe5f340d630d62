"""The process that runs a sentence-transformers model: the one file that imports that library (extra ``embed``).

Reads requests from standard input and answers on standard output, each a length (u32 little-endian) and a JSON object;
an answer with vectors is followed by their bytes (float32). Begun by ``memory/encoder_model.py`` alone.

What this stops: a model that brings pickled weights or code of its own (safetensors or ONNX only, no remote code);
anything being downloaded.
What it does not: a library that reads a hostile model wrongly; choose models that you trust.
"""

from __future__ import annotations

import json
import os
import struct
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

LENGTH = struct.Struct("<I")


def write(stream: IO[bytes], message: dict[str, Any], data: bytes = b"") -> None:
    """Write one message and what follows it."""
    text = json.dumps(message).encode()
    stream.write(LENGTH.pack(len(text)) + text + data)
    stream.flush()


def read(stream: IO[bytes]) -> dict[str, Any]:
    """Read one message. Raises EOFError when the other side is gone."""
    (size,) = LENGTH.unpack(exactly(stream, LENGTH.size))
    message: dict[str, Any] = json.loads(exactly(stream, size))
    return message


def exactly(stream: IO[bytes], size: int) -> bytes:
    """Read so many bytes. Raises EOFError."""
    data = stream.read(size)
    if len(data) != size:
        raise EOFError
    return data


def load(folder: Path) -> tuple[Any, str]:
    """The model and the back end that runs it: ONNX where the model has one and it can be used."""
    from sentence_transformers import SentenceTransformer

    if (folder / "onnx" / "model.onnx").is_file():
        try:
            return SentenceTransformer(str(folder), backend="onnx", device="cpu", local_files_only=True), "onnx"
        except Exception as error:  # whatever the runtime and its bridge raise: torch can do the same
            print(f"the ONNX form of {folder} cannot be used ({error}); torch is", file=sys.stderr)
    options = {"use_safetensors": True}
    return SentenceTransformer(str(folder), device="cpu", local_files_only=True, model_kwargs=options), "torch"


def serve(folder: Path, requests: IO[bytes], answers: IO[bytes]) -> None:
    """Load the model, say so, and encode until nobody asks any more."""
    try:
        model, backend = load(folder)
        dimensions = model.encode(["x"], normalize_embeddings=True, show_progress_bar=False).shape[1]
    except Exception as error:  # the process's edge: said to whoever began it
        write(answers, {"error": f"{type(error).__name__}: {error}"})
        return
    write(answers, {"dimensions": int(dimensions), "backend": backend})
    while True:
        try:
            texts: Sequence[str] = read(requests)["texts"]
        except EOFError:
            return
        try:
            vectors = model.encode(list(texts), normalize_embeddings=True, show_progress_bar=False, batch_size=32)
        except Exception as error:  # one request failed; the next may not
            write(answers, {"error": f"{type(error).__name__}: {error}"})
            continue
        write(answers, {"rows": len(texts)}, vectors.astype("<f4").tobytes())


def main() -> None:
    """Serve the model of the folder that is named."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints must not be taken for an answer
    serve(Path(sys.argv[1]), sys.stdin.buffer, answers)


if __name__ == "__main__":
    main()
