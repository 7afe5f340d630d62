"""Places that no skill may read or change, whoever asks: keys, password stores, Steward's own folders.

What this stops: a skill reading secrets because it was granted "everything in the home", also where the well-known
place is a link and the secrets lie elsewhere (``~/.ssh -> ~/dotfiles/ssh``).
What it does not: secrets kept elsewhere under a name we do not know, and links made after the start; those are behind
the grant for their folder.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from permissions.policy.scopes import holds_path

_SECRETS = (
    ".ssh", ".gnupg", ".password-store", ".local/share/keyrings", ".local/share/kwalletd", ".aws", ".azure", ".kube",
    ".docker", ".netrc", ".pgpass", ".git-credentials", ".config/gh", ".config/gcloud", ".config/rclone",
    ".pki", ".npmrc", ".pypirc", ".cargo/credentials.toml", ".vault-token", ".config/op",
    ".mozilla", ".thunderbird", ".config/google-chrome", ".config/chromium", ".config/BraveSoftware",
    ".config/microsoft-edge", ".config/vivaldi", "snap/firefox", ".var/app/org.mozilla.firefox",
)  # fmt: skip


def private_places(home: str, own: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Return (path, reason) of every private place of the user at ``home``; ``own`` are Steward's folders.

    A place that is a link stands there twice: by its name and by where it really lies.
    """
    named = [(os.path.join(home, name), "it holds keys or passwords") for name in _SECRETS]
    named += [(path, "it belongs to Steward itself") for path in own]
    real = [(os.path.realpath(path), reason) for path, reason in named]
    return tuple(dict.fromkeys(place for place in (*named, *real) if not holds_path(place[0], home)))
