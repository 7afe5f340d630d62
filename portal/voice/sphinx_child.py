"""The process that runs pocketsphinx: the one file that imports that library.

Reads utterances from standard input, each a length (u32 little-endian) and 16 kHz mono int16 samples; answers each with
a line of JSON: the words of the model, and by how much a loop over all phones fits better, per frame (``margin``).
Begun by ``portal/voice/sphinx.py`` alone; it ends with its input.

What this stops: a crash or the memory of the recogniser becoming those of the daemon.
What it does not: confine it; it reads the person's own voice and a model that came with its package.
"""

from __future__ import annotations

import json
import math
import os
import struct
import sys
from pathlib import Path
from typing import Any, TypedDict

LENGTH = struct.Struct("<I")
_LOG_BASE = math.log(1.0001)  # of the decoder's scores
_WORDS, _PHONES = "_default", "phones"


class Answer(TypedDict):
    """What is told of an utterance. ``margin`` is None where there was nothing to score."""

    words: list[str]
    margin: float | None
    rss_bytes: int


def load(model: Path, grammar: Path) -> Any:
    """Return a decoder with two searches: the sentences of here, and a loop over all phones."""
    from pocketsphinx import Decoder

    decoder = Decoder(
        hmm=str(model / "en-us"),
        dict=str(grammar / "phrases.dict"),
        lm=str(grammar / "phrases.arpa"),
        loglevel="FATAL",
    )
    decoder.add_allphone_file(_PHONES, str(model / "en-us-phone.lm.bin"))
    return decoder


def hear(decoder: Any, samples: bytes) -> Answer:
    """Decode an utterance twice: with the sentences of here, and with the loop."""
    words, score = _decoded(decoder, _WORDS, samples)
    if not words:
        return {"words": [], "margin": None, "rss_bytes": rss_bytes()}
    _, loop = _decoded(decoder, _PHONES, samples)
    frames = decoder.n_frames()
    margin = (loop - score) / frames if frames else None
    return {"words": words, "margin": margin, "rss_bytes": rss_bytes()}


def _decoded(decoder: Any, search: str, samples: bytes) -> tuple[list[str], float]:
    decoder.activate_search(search)
    decoder.start_utt()
    decoder.process_raw(samples, no_search=False, full_utt=True)
    decoder.end_utt()
    found = decoder.hyp()
    if found is None or found.best_score <= 0:
        return [], 0.0
    return found.hypstr.split(), math.log(found.best_score) / _LOG_BASE


def rss_bytes() -> int:
    """Return the memory of this process."""
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


def main(model: Path, grammar: Path) -> None:
    """Load the model and answer until nobody asks any more."""
    decoder = load(model, grammar)
    source, answers = sys.stdin.buffer, sys.stdout
    while len(head := source.read(LENGTH.size)) == LENGTH.size:
        (size,) = LENGTH.unpack(head)
        samples = source.read(size)
        if len(samples) < size:
            return
        answers.write(json.dumps(hear(decoder, samples)) + "\n")
        answers.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
