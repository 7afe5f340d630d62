"""Places that no skill may read or change, whoever asks: keys, password stores, Steward's own folders.

What this stops: a skill reading secrets because it was granted "everything in the home".
What it does not: secrets kept elsewhere under a name we do not know; those are behind the grant for their folder.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

_SECRETS = (
    ".ssh", ".gnupg", ".password-store", ".local/share/keyrings", ".local/share/kwalletd", ".aws", ".azure", ".kube",
    ".docker", ".netrc", ".pgpass", ".git-credentials", ".config/gh", ".config/gcloud", ".config/rclone",
    ".mozilla", ".thunderbird", ".config/google-chrome", ".config/chromium", ".config/BraveSoftware",
)  # fmt: skip


def private_places(home: str, own: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Return (path, reason) of every private place of the user at ``home``; ``own`` are Steward's folders."""
    secrets = tuple((os.path.join(home, name), "it holds keys or passwords") for name in _SECRETS)
    return secrets + tuple((path, "it belongs to Steward itself") for path in own)
