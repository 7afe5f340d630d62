"""Whose certificates are believed: the machine's authorities, and one of the person's own from the settings.

What this stops: an unverified or outdated connection; an authority that the environment slipped in (``SSL_CERT_FILE``).
What it does not: pin anything.
"""

from __future__ import annotations

import ssl
from contextlib import suppress
from pathlib import Path

from permissions.errors import BadScope


def build_trust(ca_file: Path | None, *, protocol: str = "http/1.1") -> ssl.SSLContext:
    """Return a context that verifies certificate and host name. Raises BadScope for a ``ca_file`` without any.

    ``protocol`` is what it says that it will speak (ALPN); "" to say nothing, as mail does.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    if protocol:
        context.set_alpn_protocols([protocol])
    paths = ssl.get_default_verify_paths()
    there = {
        name: path
        for name, path in (("cafile", paths.openssl_cafile), ("capath", paths.openssl_capath))
        if Path(path).exists()
    }
    if there:
        with suppress(ssl.SSLError):  # an empty store; then nobody is believed
            context.load_verify_locations(**there)
    else:  # a Python that came with no store of its own
        import certifi

        context.load_verify_locations(certifi.where())
    if ca_file is not None:
        _add(context, ca_file)
    return context


def _add(context: ssl.SSLContext, ca_file: Path) -> None:
    try:
        context.load_verify_locations(ca_file)
    except (OSError, ssl.SSLError) as error:
        raise BadScope("scope.ca_file", f"{ca_file} holds no certificate that can be read.", subject=str(ca_file),
                       hint="Correct it with: ./steward config set ca_file FILE") from error  # fmt: skip
