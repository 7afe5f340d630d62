"""The recogniser, with its real model: commands are heard, other sentences refused, its process comes and goes."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from kernel import Part, Sayable
from kernel.opening import BUILTIN
from kernel.sayable import sayable
from portal.voice.model import Audio, EngineFailed, NotInstalled
from portal.voice.sphinx import Sphinx, joined
from skills import Registry
from tests.portal.voice.speech import needs_flite, silence, speak

pytestmark = [pytest.mark.voice, pytest.mark.slow]
pytest.importorskip("pocketsphinx", reason="the recogniser is not there: pip install pocketsphinx")


def _here() -> Sayable:
    tools = [tool for skill in Registry([BUILTIN]).skills() for tool in skill.tools]
    return sayable(tools, [], ["/h/Downloads", "/h/Pictures"], ["/h/report.pdf", "/h/budget.csv"])


@pytest.fixture(scope="module")
def grammar(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("voice") / "grammar"
    assert asyncio.run(Sphinx(folder).prepare(_here()))
    return folder


@pytest.fixture
async def engine(grammar: Path) -> AsyncIterator[Sphinx]:
    one = Sphinx(grammar)
    yield one
    await one.close()


@needs_flite
@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("set a timer for ten minutes", "set a timer for 10 minutes"),
        ("what is on my calendar on Friday", "what is on my calendar on Friday"),
        ("delete the file report dot p d f", "delete the file report.pdf"),
        ("move the newest file in downloads to pictures", "move the newest file in Downloads to Pictures"),
    ],
)
async def test_a_command_is_heard_as_it_is_written(engine: Sphinx, tmp_path: Path, said: str, written: str) -> None:
    heard = await engine.hear(Audio(speak(said, tmp_path)))
    assert (heard.text, heard.rejected, heard.engine) == (written, "", "sphinx")
    assert heard.confidence > 0.5
    assert 0 < heard.took_s < 60


@needs_flite
@pytest.mark.parametrize("voice", ["slt", "rms", "awb"])
@pytest.mark.parametrize(
    "said", ["my grandmother used to bake bread with walnuts", "the quick brown fox jumps over the lazy dog"]
)
async def test_another_sentence_is_refused(engine: Sphinx, tmp_path: Path, voice: str, said: str) -> None:
    heard = await engine.hear(Audio(speak(said, tmp_path, voice)))
    assert heard.rejected
    assert heard.confidence < 0.5


async def test_silence_is_nothing_understood(engine: Sphinx) -> None:
    assert (await engine.hear(Audio(silence(2)))).rejected
    assert (await engine.hear(Audio(b""))).rejected == "nothing was said"


async def test_the_process_starts_when_used_tells_its_memory_and_ends_when_idle(grammar: Path) -> None:
    engine = Sphinx(grammar, idle_s=0)
    assert not engine.is_running
    await engine.hear(Audio(silence(1)))
    process = engine._process
    assert process is not None
    await asyncio.wait_for(process.wait(), 10)  # nothing but the timer ends it
    await engine.close()
    assert not engine.is_running
    assert engine.rss_bytes == 0


async def test_a_process_that_died_is_told_and_replaced(engine: Sphinx) -> None:
    await engine.hear(Audio(silence(1)))
    assert engine.rss_bytes > 10_000_000
    first = engine._process
    assert first is not None
    hearing = asyncio.create_task(engine.hear(Audio(silence(25))))
    await asyncio.sleep(0)
    os.kill(first.pid, 9)
    with pytest.raises(EngineFailed):
        await hearing
    await engine.hear(Audio(silence(1)))
    assert engine._process is not first


async def test_nothing_is_heard_without_a_grammar(tmp_path: Path) -> None:
    with pytest.raises(NotInstalled, match="no grammar"):
        await Sphinx(tmp_path).hear(Audio(silence(1)))


async def test_the_grammar_is_made_anew_only_when_something_changed(tmp_path: Path) -> None:
    engine = Sphinx(tmp_path / "g")
    one = Sayable(((Part("open"), Part("report.pdf", "file")),), {"file": ("report.pdf",)})
    other = Sayable(one.sentences, {"file": ("report.pdf", "letter.odt")})
    assert [await engine.prepare(each) for each in (one, one, other)] == [True, False, True]


def test_what_is_owned_stands_at_its_owner() -> None:
    assert joined(["when", "is", "Anna", "'s", "birthday"]) == "when is Anna's birthday"
