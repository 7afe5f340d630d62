"""What an engine is: it takes what may be said here, and hears utterances."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from kernel import Sayable
from portal.voice.model import Audio, Heard


class Engine(Protocol):
    """A recogniser. All methods belong to one event loop."""

    @property
    def name(self) -> str: ...

    async def prepare(self, sayable: Sayable) -> bool:
        """Take what may be said here; tell whether anything was made anew. Raises VoiceError."""
        ...

    async def hear(self, audio: Audio) -> Heard:
        """Return what was said. Raises VoiceError."""
        ...

    async def close(self) -> None:
        """End what the engine runs."""
        ...


def choose(folder: Path) -> Engine:
    """Return the engine of this installation, its files in ``folder`` of STEWARD_HOME. Raises NotInstalled."""
    from portal.voice.sphinx import Sphinx

    return Sphinx(folder)
