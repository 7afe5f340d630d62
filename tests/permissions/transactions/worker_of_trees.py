"""A worker whose calls run a program in a tree: what the tests of layers start behind the wall."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable

from permissions.confine import serve


def run(request: bytes, _emit: Callable[[bytes], None]) -> bytes:
    asked = json.loads(request)
    try:
        done = subprocess.run(asked["argv"], cwd=asked["cwd"], capture_output=True, text=True, check=False)
    except OSError as error:
        return json.dumps({"errno": error.errno}).encode()
    umask = os.umask(0)
    return json.dumps({"status": done.returncode, "out": done.stdout, "err": done.stderr, "umask": umask}).encode()


if __name__ == "__main__":
    serve(run)
