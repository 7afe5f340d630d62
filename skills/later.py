"""What no start waits for is imported later, by whichever thread needs it first, and by one thread at a time.

Two threads that import parts of one package from different ends wait for each other, and Python ends that with an error
(``importlib._bootstrap._DeadlockError``); so every such import in the daemon is made with ``one_import`` held.
"""

from __future__ import annotations

import threading

one_import = threading.RLock()
"""Held while something is imported later."""
