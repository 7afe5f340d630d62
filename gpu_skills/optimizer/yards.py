"""A yard of this process's own: bays that compile and judge here."""

from __future__ import annotations

from pathlib import Path

from gpu_skills.judge import ceilings
from gpu_skills.judge.peaks import Ceilings
from gpu_skills.parts import Part
from gpu_skills.workshop import Bay, Here


class Own:
    """Gives bays in ``folder``, each in a folder of its own, without cells of the kernel's."""

    def __init__(self, folder: Path, *, seed: int = 0, threads: int = 1) -> None:
        self._folder, self._seed, self._threads = folder, seed, threads
        self._bays: list[Here] = []

    def ceilings(self) -> Ceilings:
        """Measure this machine."""
        return ceilings(3)

    def bay(self, part: Part) -> Bay:
        """Return the bay of a part."""
        made = Here(part.problem, self.folder(part), seed=self._seed, threads=self._threads)
        self._bays.append(made)
        return made

    def folder(self, part: Part) -> Path:
        """Return where a part's files lie."""
        return self._folder / f"part-{part.begin}"

    def close(self) -> None:
        """Give all memory back."""
        for one in self._bays:
            one.close()
