"""``python -P -m portal.cli``."""

from __future__ import annotations

from portal.cli import main

main()
