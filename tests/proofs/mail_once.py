"""A mail is sent once: the daemon is killed around the send, again and again, and every time the mails are counted.

A kernel in a process of its own sends a mail to a real SMTP server (aiosmtpd, TLS) and is killed with SIGKILL at a
random stage of the conversation, a random moment after it. It is opened again: what the run says is held against what
the server has. A mail that the server has may not be called unsent, one that it has not may not be called sent; what
nobody knows waits as ``unknown`` for an answer, which is then given as a person would who looks: it was sent, or send
it again. A kill that came before its stage, and an end that was never seen, count as failures: they prove nothing.

python -m tests.proofs.mail_once [--kills N]
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from kernel import Folders
from kernel.mailing.post import Post
from permissions.egress import Egress
from permissions.vault import Vault
from tests.benchmarks.machine import publish, result
from tests.mail_servers import PASSWORD, USER, PostOffice, post_office
from tests.permissions.egress.conftest import PUBLIC, Authority, make_authority

HOST = "post.test"
CHILD = Path(__file__).parents[1] / "kernel" / "mailing" / "post_child.py"
STAGES = ("start", "EHLO", "MAIL", "RCPT", "DATA", "taken", "taken", "taken", "after")
"""Where a kill is: what is around the server's answer to the text counts more, since only there can it be unclear."""
LATEST_S = 0.04
SEED = 20261123


@dataclass
class Found:
    """What became of one kill. ``fired`` is at its stage; ``copies`` is how often the server has it in the end."""

    stage: str
    fired: bool
    first: str
    unknown: bool
    copies: int
    wrong: str = ""


@dataclass
class Child:
    """A kernel in a process of its own."""

    process: asyncio.subprocess.Process

    @classmethod
    async def start(cls, home: Path, steward: Path, authority: Authority) -> Child:
        """Start one, and wait until it is ready."""
        words = [sys.executable, "-P", str(CHILD), str(home), str(steward), PUBLIC, str(authority.file)]
        environ = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(*words, stdin=pipe, stdout=pipe, env=environ)
        assert process.stdout is not None
        said = await asyncio.wait_for(process.stdout.readline(), 120)
        assert said == b"ready\n", said
        return cls(process)

    async def tell(self, **said: object) -> None:
        """Send it a line."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(said).encode() + b"\n")
        await self.process.stdin.drain()

    async def hear(self) -> dict[str, str] | None:
        """Return what it says next, None when it has died."""
        assert self.process.stdout is not None
        line = await asyncio.wait_for(self.process.stdout.readline(), 120)
        return dict(json.loads(line)) if line else None

    def kill(self) -> None:
        """End it as a power cut would."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.process.pid, signal.SIGKILL)

    async def end(self) -> None:
        """Wait until it is gone."""
        self.kill()
        await self.process.wait()


@dataclass
class Killer:
    """Kills a child a moment after the conversation has come to a stage."""

    child: Child
    stage: str
    after_s: float
    met: bool = False
    fired: bool = False
    tasks: list[asyncio.Task[None]] = field(default_factory=list)

    async def at(self, stage: str) -> None:
        """The conversation is at ``stage``; the server goes on meanwhile, a little later."""
        if stage == self.stage:
            self.met = True
        if stage == self.stage and not self.tasks:
            self.tasks.append(asyncio.create_task(self.strike()))
        if stage == "taken":
            await asyncio.sleep(LATEST_S / 2)

    async def strike(self) -> None:
        """Kill."""
        await asyncio.sleep(self.after_s)
        self.fired = True
        self.child.kill()

    @property
    def hit(self) -> bool:
        """Whether it killed where it was to: the conversation came to its stage, where it waits for one."""
        return self.fired and (self.met or self.stage in ("start", "after"))


async def one_kill(folder: Path, office: PostOffice, authority: Authority, random: Random) -> Found:
    """Send a mail in a fresh installation, kill, look, answer, and count."""
    home, steward = folder / "home", folder / "steward"
    _furnish(home, steward, office)
    office.taken.clear()
    child = await Child.start(home, steward, authority)
    killer = Killer(child, random.choice(STAGES), random.uniform(0, LATEST_S))
    office.at = killer.at
    await child.tell(ask="send an email to ben@example.org saying the plumber comes at nine")
    if killer.stage == "start":
        killer.after_s = random.uniform(0, 1.0)
        killer.tasks.append(asyncio.create_task(killer.strike()))
    ended = await child.hear()
    if killer.stage == "after" or (ended is not None and not killer.tasks):
        await killer.strike()
    await asyncio.gather(*killer.tasks)
    await child.end()
    await asyncio.sleep(LATEST_S)  # the server is done with what it has
    office.at = _quiet
    return await _looked(home, steward, authority, office, killer)


async def _looked(home: Path, steward: Path, authority: Authority, office: PostOffice, killer: Killer) -> Found:
    """Open the kernel again; hold what it says against what the server has, and answer where it asks."""
    child = await Child.start(home, steward, authority)
    await child.tell(look="")
    view = await child.hear()
    assert view is not None
    has = len(office.taken)
    found = Found(killer.stage, killer.hit, view["resolution"], view["stage"] == "unknown", has)
    found.wrong = _wrong(view, has)
    if found.unknown:
        await child.tell(answer=[view["run"], "done" if has else "once"])
        after = await child.hear()
        found.wrong = found.wrong or ("" if after and after["resolution"] == "confirmed" else f"answered: {after}")
    await child.end()
    found.copies = len(office.taken)
    return found


def _wrong(view: dict[str, str], has: int) -> str:
    """Say what is wrong about what a run says of its mail, where ``has`` is how often the server has it."""
    if not view["verified"]:
        return "the ledger does not verify"
    if view["stage"] == "unknown":
        return ""
    if view["resolution"] == "confirmed":
        return "" if has == 1 else f"said to be sent, and the server has {has}"
    return "" if has == 0 else f"the server has {has}, and it is said: {view['resolution']} {view['answer']}"


async def _quiet(_stage: str) -> None:
    return


def _furnish(home: Path, steward: Path, office: PostOffice) -> None:
    home.mkdir(parents=True)
    folders = Folders({"HOME": str(home), "STEWARD_HOME": str(steward)})
    folders.make()
    post = Post(Egress(), Vault(folders.data / "secrets"), folders.config, folders.data)
    post.set({"address": USER, "name": "Me", "smtp": {"host": HOST, "port": office.port}})
    post.vault.put("mail", PASSWORD)


async def prove(kills: int, folder: Path, seed: int = SEED) -> list[Found]:
    """Kill so often; return what became of each."""
    random, authority = Random(seed), make_authority(folder)
    found = []
    async with post_office(authority.context(HOST), PUBLIC) as office:
        for number in range(kills):
            place = folder / str(number)
            found.append(await one_kill(place, office, authority, random))
            shutil.rmtree(place, ignore_errors=True)
            print(f"{number + 1:4} {found[-1]}", file=sys.stderr, flush=True)
    return found


def _told(found: Sequence[Found], figures: dict[str, int], wall_s: int) -> list[str]:
    """Return the result as it is read."""
    return [
        "A kernel that sends a mail is killed (SIGKILL) around the send, opened again, and what it says is held",
        "against what the SMTP server has. What nobody can know is asked about, and answered as one would who looks.",
        "",
        "| killed at | kills | said to be sent | asked about | said to be unsent |", "|---|---|---|---|---|",
        *(_row(stage, [one for one in found if one.stage == stage]) for stage in dict.fromkeys(STAGES)),
        "",
        f"Mails that the server had twice: {figures['twice']}. Said otherwise than it was: {figures['wrong']}.",
        f"Kills that missed their stage: {figures['unfired']}. Ends that never came: {figures['never_seen']}.",
        f"It took {wall_s} s.",
    ]  # fmt: skip


def _row(stage: str, found: Sequence[Found]) -> str:
    sent, unknown = sum(one.first == "confirmed" for one in found), sum(one.unknown for one in found)
    return f"| {stage} | {len(found)} | {sent} | {unknown} | {len(found) - sent - unknown} |"


def main(words: Sequence[str]) -> int:
    """Run the proof and print its result."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=100)
    kills = parser.parse_args(words).kills
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(prove(kills, Path(folder)))
    figures = {
        "kills": sum(one.fired for one in found), "twice": sum(one.copies > 1 for one in found),
        "wrong": sum(bool(one.wrong) for one in found), "unknown_shown": sum(one.unknown for one in found),
        "known_sent": sum(one.first == "confirmed" for one in found),
        "known_unsent": sum(not one.unknown and one.first != "confirmed" for one in found),
    }  # fmt: skip
    figures["unfired"] = len(found) - figures["kills"]
    figures["never_seen"] = sum(figures[name] == 0 for name in ("unknown_shown", "known_sent", "known_unsent"))
    wall_s = round(time.monotonic() - began)
    publish("mail-once", "A mail is sent once", _told(found, figures, wall_s), {**figures, "wall_s": wall_s})
    return result("mail-once", figures, dict.fromkeys(("twice", "wrong", "unfired", "never_seen"), 0))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
