"""Test speech: a sentence by flite at 16 kHz, and noise beside it at a given distance."""

from __future__ import annotations

import shutil
import subprocess
import wave
from pathlib import Path

import numpy as np
import pytest

needs_flite = pytest.mark.skipif(
    shutil.which("flite") is None, reason="test speech needs flite: apt-get install -y flite"
)


def speak(text: str, folder: Path, voice: str = "slt") -> bytes:
    """Return a sentence as 16 kHz mono int16."""
    path = folder / "said.wav"
    subprocess.run(["flite", "-voice", voice, "-t", text, "-o", str(path)], check=True, timeout=60)
    with wave.open(str(path)) as sound:
        assert (sound.getframerate(), sound.getnchannels(), sound.getsampwidth()) == (16_000, 1, 2)
        return sound.readframes(sound.getnframes())


def silence(seconds: float) -> bytes:
    """Return digital silence."""
    return bytes(int(seconds * 16_000) * 2)


def noisy(sound: bytes, speech: bytes, snr_db: float, seed: int = 7) -> bytes:
    """Return ``sound`` with white noise so many dB below ``speech``."""
    power = np.mean(np.frombuffer(speech, "<i2").astype(float) ** 2)
    noise = np.random.default_rng(seed).normal(0, np.sqrt(power / 10 ** (snr_db / 10)), len(sound) // 2)
    return np.clip(np.frombuffer(sound, "<i2") + noise, -32768, 32767).astype("<i2").tobytes()
