"""Prepare what is derived from shipped data alone, once after installation: word forms and example vectors.

python -P -m kernel.prepare
"""

from __future__ import annotations

import sys

from kernel.context.kept import SHIPPED, example_vectors, open_mind, remove_outdated
from kernel.firewall.classifier import teach
from kernel.language import lemmas
from kernel.opening import BUILTIN
from memory import open_encoder
from memory.errors import StoreError
from skills import Registry


def main() -> int:
    """Build and keep everything; without the encoder's weights only the words."""
    remove_outdated()
    lemmas.prepare()
    registry = Registry([BUILTIN])
    open_mind(registry, SHIPPED)
    try:
        encoder = open_encoder(SHIPPED)
        example_vectors(registry, encoder, SHIPPED)
        teach(encoder, SHIPPED)
    except StoreError as error:
        sys.stderr.write(f"{error} {error.hint}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
