"""Where an utterance begins and ends: generated sound and synthesised speech, with noise beside it."""

from __future__ import annotations

import numpy as np
import pytest

from portal.voice.endpoint import FRAME_BYTES, PRE_ROLL_S, SILENCE_S, Endpointer, level_db
from portal.voice.model import Audio, UnfitAudio
from tests.portal.voice.speech import needs_flite, noisy, silence, speak


def _tone(seconds: float, amplitude: float = 0.2) -> bytes:
    times = np.arange(int(seconds * 16_000)) / 16_000
    return (amplitude * 32767 * np.sin(2 * np.pi * 220 * times)).astype("<i2").tobytes()


def _utterances(endpoint: Endpointer, sound: bytes) -> list[Audio]:
    frames = (sound[at : at + FRAME_BYTES] for at in range(0, len(sound) - FRAME_BYTES + 1, FRAME_BYTES))
    return [one for frame in frames if (one := endpoint.feed(frame))]


def test_two_utterances_are_cut_at_their_silence() -> None:
    sound = silence(1) + _tone(1.5) + silence(1) + _tone(1) + silence(1)
    first, second = _utterances(Endpointer(), sound)
    assert first.seconds == pytest.approx(1.5 + PRE_ROLL_S + SILENCE_S, abs=0.1)
    assert second.seconds == pytest.approx(1.0 + PRE_ROLL_S + SILENCE_S, abs=0.1)


def test_a_short_pause_stays_within_the_utterance() -> None:
    (one,) = _utterances(Endpointer(), silence(1) + _tone(0.8) + silence(0.5) + _tone(0.8) + silence(1))
    assert one.seconds == pytest.approx(2.1 + PRE_ROLL_S + SILENCE_S, abs=0.1)


@pytest.mark.parametrize("seconds", [0.04, 0.15])
def test_a_click_is_no_utterance(seconds: float) -> None:
    assert _utterances(Endpointer(), silence(1) + _tone(seconds) + silence(2)) == []


def test_silence_and_steady_noise_are_no_utterance() -> None:
    assert _utterances(Endpointer(), silence(5)) == []
    noise = np.random.default_rng(3).normal(0, 300, 16_000 * 10).astype("<i2").tobytes()
    assert _utterances(Endpointer(), noise) == []


def test_the_longest_utterance_is_thirty_seconds() -> None:
    shaped = b"".join(_tone(0.4) + _tone(0.2, 0.003) for _ in range(60))
    one = _utterances(Endpointer(), silence(1) + shaped)[0]
    assert 29.9 < one.seconds <= 30


def test_done_ends_it_by_hand_and_says_nothing_where_nobody_spoke() -> None:
    endpoint = Endpointer()
    assert endpoint.done() is None
    assert _utterances(endpoint, silence(1) + _tone(1)) == []
    assert endpoint.speaking
    one = endpoint.done()
    assert one is not None
    assert one.seconds == pytest.approx(1 + PRE_ROLL_S, abs=0.1)
    assert endpoint.done() is None


def test_the_ring_runs_down_in_silence() -> None:
    endpoint = Endpointer()
    _utterances(endpoint, silence(1) + _tone(1) + silence(0.32))
    assert endpoint.silence_left_s == pytest.approx(SILENCE_S - 0.32, abs=0.05)


def test_the_level_is_that_of_the_frame() -> None:
    assert level_db(silence(0.032)) == -90
    assert level_db(_tone(0.032, 1.0)) == pytest.approx(-3, abs=0.5)


def test_a_frame_of_another_length_is_refused() -> None:
    with pytest.raises(UnfitAudio, match="10 bytes"):
        Endpointer().feed(bytes(10))


def test_half_a_sample_and_too_much_sound_are_refused() -> None:
    with pytest.raises(UnfitAudio):
        Audio(b"abc")
    with pytest.raises(UnfitAudio):
        Audio(silence(31))


@needs_flite
@pytest.mark.voice
@pytest.mark.parametrize("snr_db", [60, 20, 10])
@pytest.mark.parametrize("voice", ["slt", "rms", "awb"])
def test_speech_is_found_in_noise(tmp_path, voice: str, snr_db: int) -> None:
    said = speak("show the three largest files in my downloads folder", tmp_path, voice)
    sound = noisy(silence(2) + said + silence(1.5) + said + silence(1.5), said, snr_db)
    found = _utterances(Endpointer(), sound)
    assert len(found) == 2
    length = len(said) / 32_000
    for one in found:
        assert length - 0.5 < one.seconds < length + PRE_ROLL_S + SILENCE_S + 0.3
