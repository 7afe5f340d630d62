"""The engine that is always there: pocketsphinx with the sentences and names of this home, in a process of its own.

What this stops: a sentence that is none of here becoming the command that sounds most like it. A loop over all phones
hears it, too; where that fits better by more than a threshold, the sentence is refused.
What it does not: tell two commands apart that sound alike; work beside noise. With white noise 20 dB below the voice,
17 of 30 commands were refused, at 10 dB 27, and three of 30 other sentences were taken for commands there.
"""

from __future__ import annotations

import asyncio
import importlib.util
import json
import math
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from kernel import Sayable
from portal.voice.grammar import DIGEST, WRITTEN, kept
from portal.voice.model import Audio, EngineFailed, Heard, NotInstalled
from portal.voice.pronounce import read_sounds
from portal.voice.sphinx_child import LENGTH, Answer

THRESHOLD = 4.2
"""By how much the phone loop may fit better, per frame (log base 1.0001). Of ten commands and ten other sentences,
each by three synthetic voices, the commands lay at 3.0 and below, the others at 5.6 and above."""

_SPREAD = 2.0  # of the confidence around the threshold, in the same unit
_LEAST_S = 0.1
_LONGEST_WAIT_S = 60.0


def model_folder() -> Path:
    """Return where the acoustic model lies that comes with the package. Raises NotInstalled."""
    spec = importlib.util.find_spec("pocketsphinx")
    for place in spec.submodule_search_locations or () if spec else ():
        if (folder := Path(place) / "model" / "en-us").is_dir():
            return folder
    raise NotInstalled(
        "The speech recogniser pocketsphinx is not installed.",
        "Run `pip install pocketsphinx` in Steward's environment (Python 3.13 or older).",
    )


class Sphinx:
    """The recogniser. Its process starts with the first utterance and ends after ``idle_s`` without one."""

    name = "sphinx"

    def __init__(self, folder: Path, *, idle_s: float = 120.0) -> None:
        self._folder, self._model, self._idle_s = folder, model_folder(), idle_s
        self._process: Process | None = None
        self._written: Mapping[str, str] = {}
        self._one = asyncio.Lock()
        self._ending: asyncio.TimerHandle | None = None
        self._ended: set[asyncio.Task[None]] = set()
        self.rss_bytes = 0

    @property
    def is_running(self) -> bool:
        """Whether there is a process now."""
        return self._process is not None and self._process.returncode is None

    async def prepare(self, sayable: Sayable) -> bool:
        """Make the grammar where sentences or names have changed; tell whether they had. Raises NotInstalled."""
        async with self._one:
            anew = await asyncio.to_thread(self._kept, sayable)
            if anew:
                await self._end()
            return anew

    def _kept(self, sayable: Sayable) -> bool:
        return kept(self._folder, sayable, lambda: read_sounds(self._model / "cmudict-en-us.dict"))

    async def hear(self, audio: Audio) -> Heard:
        """Return what was said, or why it is no sentence of here. Raises EngineFailed, NotInstalled."""
        began = time.monotonic()
        if audio.seconds < _LEAST_S:
            return Heard("", 0.0, self.name, time.monotonic() - began, "nothing was said")
        async with self._one:
            try:
                found = await asyncio.wait_for(self._answered(audio), _LONGEST_WAIT_S)
            except (TimeoutError, OSError, ValueError, asyncio.CancelledError) as error:
                await self._end()  # half an answer would be taken for that to the next utterance
                if isinstance(error, asyncio.CancelledError):
                    raise
                raise EngineFailed("The speech recogniser ended or did not answer.", "Say it again.") from error
            self.rss_bytes = found["rss_bytes"]
            self._end_later()
        return self._heard(found["words"], found["margin"], time.monotonic() - began)

    def _heard(self, words: Sequence[str], margin: float | None, took_s: float) -> Heard:
        text = joined([self._written.get(word, word) for word in words])
        if not text or margin is None:
            return Heard("", 0.0, self.name, took_s, "nothing was understood")
        confidence = 1 / (1 + math.exp((margin - THRESHOLD) / _SPREAD))
        why = "it sounds like no request that is possible here" if margin > THRESHOLD else ""
        return Heard(text, confidence, self.name, took_s, why)

    async def _answered(self, audio: Audio) -> Answer:
        process = await self._started()
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(LENGTH.pack(len(audio.samples)) + audio.samples)
        await process.stdin.drain()
        found: Answer = json.loads(await process.stdout.readline())
        return found

    async def _started(self) -> Process:
        if self._process is not None and self._process.returncode is None:
            return self._process
        if not (self._folder / DIGEST).is_file():
            raise NotInstalled("There is no grammar yet.", "Prepare the engine with what may be said here first.")
        self._written = json.loads((self._folder / WRITTEN).read_text(encoding="utf-8"))
        command = (sys.executable, "-P", "-m", "portal.voice.sphinx_child", str(self._model), str(self._folder))
        self._process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE)
        return self._process

    def _end_later(self) -> None:
        if self._ending is not None:
            self._ending.cancel()
        self._ending = asyncio.get_running_loop().call_later(self._idle_s, self._end_idle)

    def _end_idle(self) -> None:
        task = asyncio.ensure_future(self.close())
        self._ended.add(task)
        task.add_done_callback(self._ended.discard)

    async def close(self) -> None:
        """End the process; the next utterance starts one."""
        async with self._one:
            await self._end()

    async def _end(self) -> None:
        if self._ending is not None:
            self._ending.cancel()
            self._ending = None
        process, self._process, self.rss_bytes = self._process, None, 0
        if process is None:
            return
        with suppress(ProcessLookupError):
            process.kill()
        assert process.stdin is not None
        process.stdin.close()
        await process.wait()


def joined(words: Sequence[str]) -> str:
    """Return words as a sentence: what is owned stands at its owner."""
    return " ".join(words).replace(" 's", "'s")
