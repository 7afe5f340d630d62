"""A kernel of its own process, to be killed while it sends: says ``ready``, waits for a line, then asks what it says.

    python post_child.py HOME STEWARD ADDRESS CA_FILE

A line is JSON: {"ask": TEXT} sends and says how the run stands; {"look": RUN} waits until that run stands still;
{"answer": [RUN, ANSWER]} answers. ADDRESS stands for the mail server's, as one of the internet.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Sequence
from typing import Any

from kernel import Ask, Folders, Kernel, load_settings, open_kernel
from permissions.egress import Egress
from permissions.egress.addresses import refusal


async def main(home: str, steward: str, address: str, ca_file: str) -> None:
    """Serve the lines of standard input."""
    kernel = await open_kernel(load_settings(encoder=False), Folders({"HOME": home, "STEWARD_HOME": steward}))

    async def resolve(_host: str) -> Sequence[str]:
        return [address]

    kernel._house.post.egress = Egress(
        resolve=resolve, refusal=lambda one: "" if one == address else refusal(one), ca_file=ca_file
    )
    print("ready", flush=True)
    while line := await asyncio.to_thread(sys.stdin.readline):
        print(json.dumps(await _done(kernel, json.loads(line), home)), flush=True)
    await kernel.close()


async def _done(kernel: Kernel, said: dict[str, Any], home: str) -> dict[str, Any]:
    if "ask" in said:
        run = await kernel.ask(Ask(said["ask"], cwd=home, yes=True))
    elif "answer" in said:
        run, answer = said["answer"]
        await kernel.approve(run, answer)
    else:
        run = said["look"] or next((one["run"] for one in kernel.runs() if one["text"].startswith("send")), "")
    if not run:
        return {
            "run": "",
            "resolution": "",
            "stage": None,
            "answer": "",
            "code": "",
            "verified": kernel.verify_ledger()["ok"],
        }
    view = await kernel.settled(run)
    return {"run": run, "resolution": view["resolution"], "stage": view["stage"], "answer": view["answer"],
            "code": (view["error"] or {}).get("code", ""), "verified": kernel.verify_ledger()["ok"]}  # fmt: skip


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
