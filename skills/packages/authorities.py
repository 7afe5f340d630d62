"""Whom a program in a cell believes about certificates: the machine's authorities, and one of the person's own."""

from __future__ import annotations

import ssl
from pathlib import Path

_USUAL = ("/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem")


def believed(folder: Path, authority: str) -> str:
    """Return a file in ``folder`` with the machine's authorities and ``authority`` (PEM); "" where that is empty."""
    if not authority:
        return ""
    usual = ssl.get_default_verify_paths()
    found = next((one for one in (usual.cafile, usual.openssl_cafile, *_USUAL) if one and Path(one).is_file()), "")
    bundle = folder / "authorities.pem"
    bundle.write_text((Path(found).read_text() if found else "") + "\n" + authority)
    return str(bundle)
