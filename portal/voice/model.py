"""The nouns of the voice room, and its errors.

VoiceError
├── UnfitAudio      the sound is not what an engine takes: fix the input
├── NotInstalled    an engine or its weights are missing: install them
└── EngineFailed    the engine's process ended or did not answer: say it again
"""

from __future__ import annotations

from dataclasses import dataclass

RATE = 16_000  # samples a second
SAMPLE_BYTES = 2
LONGEST_S = 30


class VoiceError(Exception):
    """What the voice room cannot do: a stable code, what happened, and what to do now."""

    code = "voice.failed"

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.message, self.hint = message, hint


class UnfitAudio(VoiceError):
    """The sound is not 16 kHz mono int16, or too long."""

    code = "voice.audio"


class NotInstalled(VoiceError):
    """An engine or its weights are not on this computer."""

    code = "voice.missing"


class EngineFailed(VoiceError):
    """The process of an engine ended, or did not answer in time."""

    code = "voice.engine"


@dataclass(frozen=True, slots=True)
class Audio:
    """Sound: 16 kHz, mono, int16 little-endian. Raises UnfitAudio for half a sample or more than 30 seconds."""

    samples: bytes

    def __post_init__(self) -> None:
        if len(self.samples) % SAMPLE_BYTES:
            raise UnfitAudio("The sound ends in the middle of a sample.", "Send 16 kHz mono int16 samples.")
        if self.seconds > LONGEST_S:
            raise UnfitAudio(f"The sound is longer than {LONGEST_S} seconds.", "Say it in shorter sentences.")

    @property
    def seconds(self) -> float:
        """How long it is."""
        return len(self.samples) / (RATE * SAMPLE_BYTES)


@dataclass(frozen=True, slots=True)
class Heard:
    """What an engine heard. ``confidence`` is in 0..1; ``rejected`` says why it is no sentence of here, or is "".

    A rejected sentence has its text for the page to show; nobody acts on it.
    """

    text: str
    confidence: float
    engine: str
    took_s: float
    rejected: str = ""
