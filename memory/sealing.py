"""Sealing payloads and signing checkpoints.

What this stops: a payload can be read, or changed unnoticed, without its key; a payload whose key was destroyed can
be read again by anybody; a checkpoint can be forged without the signing key.
What it does not: who can read the key file reads everything that is not forgotten; copies of the key file made
before a forget (backups, snapshots, blocks that the disk has not reused) still hold the destroyed keys.

AES-256-GCM (NIST SP 800-38D) under a random key for each event, with a random nonce, so that a key whose event was
never committed may be used again without harm; Ed25519 (RFC 8032) for checkpoints.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from memory.chain import SALT_BYTES, payload_digest
from memory.folder import write_private

KEY_BYTES = 32
NONCE_BYTES = 12


class Secret(NamedTuple):
    """What opens one event: ``key`` is 32 bytes, ``salt`` 16."""

    key: bytes
    salt: bytes


class Unsealable(ValueError):
    """The ciphertext, its key, its salt or its header is not what was written."""


def new_secrets(count: int) -> list[Secret]:
    """``count`` fresh random secrets."""
    step = KEY_BYTES + SALT_BYTES
    noise = os.urandom(step * count)
    return [Secret(noise[at : at + KEY_BYTES], noise[at + KEY_BYTES : at + step]) for at in range(0, len(noise), step)]


def seal(secret: Secret, head: bytes, plaintext: bytes) -> tuple[bytes, bytes]:
    """(sealed, digest): sealed is nonce [12] | ciphertext | tag [16], bound to the header ``head``."""
    nonce = os.urandom(NONCE_BYTES)
    return nonce + AESGCM(secret.key).encrypt(nonce, plaintext, head), payload_digest(secret.salt, plaintext)


def unseal(secret: Secret, head: bytes, sealed: bytes, digest: bytes) -> bytes:
    """The plaintext. Raises Unsealable when anything differs from what ``seal`` was given."""
    try:
        plaintext = AESGCM(secret.key).decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], head)
    except (InvalidTag, ValueError, TypeError) as error:
        raise Unsealable("its payload does not open with its key") from error
    if payload_digest(secret.salt, plaintext) != digest:
        raise Unsealable("its salted digest does not fit its payload")
    return plaintext


class Signer:
    """The key that signs checkpoints: 32 raw bytes in a file of mode 0600."""

    def __init__(self, seed: bytes) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(seed)
        self.public = self._key.public_key().public_bytes_raw()

    @classmethod
    def create(cls, path: Path) -> Signer:
        """Make a new key and write it to ``path`` durably."""
        seed = Ed25519PrivateKey.generate().private_bytes_raw()
        write_private(path, seed)
        return cls(seed)

    def sign(self, message: bytes) -> bytes:
        """64 bytes."""
        return self._key.sign(message)


def signed_by(public: bytes, signature: bytes, message: bytes) -> bool:
    """Whether ``signature`` is that of ``public`` over ``message``; False for malformed input too."""
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError, TypeError):
        return False
    return True
