"""The daemon, in whose network one address stands for a mail server of the internet, and where a line breaks on demand.

    python -P -m tests.portal.posting_daemon ADDRESS CA_FILE FAULT

While the file FAULT exists, the connection breaks once the server has the text of a mail.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kernel import Kernel, open_kernel
from permissions.egress import Egress
from permissions.egress.addresses import refusal
from permissions.egress.mail import smtp
from portal import host


def main(address: str, ca_file: str, fault: str) -> int:
    """Serve until a signal."""
    data = smtp._Smtp.data

    def breaks(self: Any, mail: bytes) -> Any:
        answer = data(self, mail)
        if Path(fault).exists():
            raise ConnectionResetError
        return answer

    smtp._Smtp.data = breaks  # type: ignore[method-assign]

    async def resolve(_host: str) -> Sequence[str]:
        return [address]

    async def opened(*given: Any) -> Kernel:
        kernel = await open_kernel(*given)
        kernel._house.post.egress = Egress(
            resolve=resolve, refusal=lambda one: "" if one == address else refusal(one), ca_file=ca_file
        )
        return kernel

    host.open_kernel = opened  # type: ignore[attr-defined]
    return host.run()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
