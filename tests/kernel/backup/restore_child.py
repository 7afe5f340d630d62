"""A restore in a process of its own, which dies at the step that it is told; prints the steps when it lives."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from kernel import Folders
from kernel.backup.restoring import restore


def main(home: str, steward: str, backup: str, dies_at: str) -> None:
    """Restore, and die where it is said."""
    steps: list[str] = []

    def step(name: str) -> None:
        steps.append(name)
        if name == dies_at:
            os.kill(os.getpid(), signal.SIGKILL)

    restore(Path(backup), Folders({"HOME": home, "STEWARD_HOME": steward}), checkpoint=step)
    print("\n".join(steps))


if __name__ == "__main__":
    main(*sys.argv[1:])
