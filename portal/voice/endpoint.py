"""Where an utterance begins and ends in a stream of sound: frames in, utterances out; no clock, no device.

A frame is speech when it is well above the noise floor, which follows the quietest of the last seconds. Times are those
of Silero's frame (32 ms) and of what people bear: 700 ms of silence end an utterance, 30 s at most.
"""

from __future__ import annotations

from collections import deque

import numpy as np

from portal.voice.model import LONGEST_S, RATE, SAMPLE_BYTES, Audio, UnfitAudio

FRAME_SAMPLES = 512
FRAME_BYTES = FRAME_SAMPLES * SAMPLE_BYTES
FRAME_S = FRAME_SAMPLES / RATE
SILENCE_S, SPEECH_S, PRE_ROLL_S = 0.7, 0.25, 0.3

_LOWEST_DB, _QUIET_DB = -90.0, -60.0  # nothing below the second is speech, however quiet the room
_ABOVE_DB, _STAYS_DB = 7.0, 4.0  # above the floor: to begin as speech, and to go on as it
_FLOOR_FRAMES = 94  # three seconds
_FLOOR_SHARE = 0.2  # the quantile of those that is the floor
_GAP_FRAMES = 6  # a stop between two sounds of one word


def _frames(seconds: float) -> int:
    return round(seconds / FRAME_S)


def level_db(frame: bytes) -> float:
    """Return the level of a frame in dB of full scale, from -90 to 0."""
    samples = np.frombuffer(frame, "<i2").astype(np.float64) / 32768
    power = float(np.mean((samples - samples.mean()) ** 2)) if len(samples) else 0.0
    return max(_LOWEST_DB, 10 * float(np.log10(power + 1e-12)))


class Endpointer:
    """Cuts a stream into utterances. ``feed`` takes frames of 512 samples, ``done`` ends an utterance by hand."""

    def __init__(self) -> None:
        self.level = _LOWEST_DB
        self._levels: deque[float] = deque(maxlen=_FLOOR_FRAMES)
        self._before: deque[bytes] = deque(maxlen=_frames(PRE_ROLL_S))
        self._kept: list[bytes] = []
        self._voiced = self._silent = 0

    @property
    def floor(self) -> float:
        """The noise floor in dB of full scale."""
        return float(np.quantile(self._levels, _FLOOR_SHARE)) if self._levels else _QUIET_DB

    @property
    def speaking(self) -> bool:
        """Whether an utterance has begun."""
        return bool(self._kept)

    @property
    def silence_left_s(self) -> float:
        """How much more silence ends the utterance: what the ring on the page shows."""
        return max(0.0, SILENCE_S - self._silent * FRAME_S) if self._kept else SILENCE_S

    def feed(self, frame: bytes) -> Audio | None:
        """Take a frame; return the utterance that it ends. Raises UnfitAudio for a frame of another length."""
        if len(frame) != FRAME_BYTES:
            raise UnfitAudio(
                f"A frame has {len(frame)} bytes.", f"Send {FRAME_SAMPLES} samples of int16 ({FRAME_BYTES} bytes)."
            )
        self.level = level_db(frame)
        margin = _STAYS_DB if self._kept else _ABOVE_DB
        speech = self.level > max(self.floor + margin, _QUIET_DB)
        self._levels.append(self.level)
        if not self._kept and not speech:
            self._before.append(frame)
            return None
        return self._take(frame, speech=speech)

    def done(self) -> Audio | None:
        """End the utterance by hand; return it, or nothing where nobody spoke."""
        return self._end() if self._kept else None

    def _take(self, frame: bytes, *, speech: bool) -> Audio | None:
        if not self._kept:
            self._kept.extend(self._before)
            self._before.clear()
        self._kept.append(frame)
        self._voiced += speech
        self._silent = 0 if speech else self._silent + 1
        if len(self._kept) >= int(LONGEST_S / FRAME_S) or self._silent >= _frames(SILENCE_S):
            return self._end()
        if self._silent > _GAP_FRAMES and self._voiced < _GAP_FRAMES // 2:  # a click
            self._forget()
        return None

    def _end(self) -> Audio | None:
        enough, kept = self._voiced >= SPEECH_S / FRAME_S, b"".join(self._kept)
        self._forget()
        return Audio(kept) if enough else None

    def _forget(self) -> None:
        self._before.extend(self._kept)
        self._clear()

    def _clear(self) -> None:
        self._kept, self._voiced, self._silent = [], 0, 0
