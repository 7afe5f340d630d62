"""Are hostile packages refused, honest ones taken, and is every update that wants more asked about? And does nothing run?

Every package is made by this proof, from every kind of source. A malicious one is first looked at by Steward, which must
refuse it by name and for its reason; then the same is done by a naive installer, where the attack must succeed, or else
nothing is shown. An honest one must be taken, and the code in it, which would leave a mark as soon as it is imported or
run, must not have run: neither behind the wall nor when the same code reads it where nothing is forbidden.

python -m tests.proofs.packages [--only WORDS]
"""

from __future__ import annotations

import argparse
import asyncio
import shutil
import sys
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.benchmarks.machine import publish, result
from tests.permissions.egress.conftest import Authority, Internet, _certificate
from tests.proofs.packages.benign import HONEST, LIVELY
from tests.proofs.packages.contents import CONTENTS
from tests.proofs.packages.ground import Attack, Outcome, scene
from tests.proofs.packages.members import ARCHIVES, FOLDERS
from tests.proofs.packages.places import GIT, INDEXES, SERVERS
from tests.proofs.packages.trial import House, asked, quiet, refused, taken
from tests.proofs.packages.updates import UPDATES, WIDER

ATTACKS: list[Attack] = [*ARCHIVES, *FOLDERS, *CONTENTS, *GIT, *INDEXES, *SERVERS, *UPDATES]
LEAST = {"of": 80, "benign_of": 30}


@dataclass(frozen=True)
class Net:
    """The network of the proof: servers of this machine under names, and who vouches for them."""

    internet: Internet
    authority: Authority


def made_authority(folder: Path) -> Authority:
    """An authority for certificates, as a person may have one of their own."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "authority of a proof")])
    basic = x509.BasicConstraints(ca=True, path_length=0)
    certificate = _certificate("authority of a proof", name, key, key, [(basic, True)])
    file = folder / "authority.pem"
    file.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    return Authority(file, key, name)


async def tried(base: Path, wanted: Callable[[str], bool]) -> dict[str, list[Outcome]]:
    """Try everything whose name is wanted."""
    net = Net(Internet(base), made_authority(base))
    house = House(base / "house")
    await house.open(net.internet, net.authority.file)
    kinds: tuple[tuple[str, Sequence[Any], Callable[..., Awaitable[Outcome]]], ...] = (
        ("refused", ATTACKS, refused), ("taken", HONEST, taken), ("quiet", LIVELY, quiet), ("asked", WIDER, asked),
    )  # fmt: skip
    found: dict[str, list[Outcome]] = {}
    number = 0
    try:
        async with net.internet.until:
            for kind, every, trial in kinds:
                found[kind] = []
                for one in every:
                    number += 1
                    if wanted(one.name):
                        found[kind].append(await _one(trial, house, one, base, number, net))
    finally:
        await house.kernel.close()
    return found


async def _one(
    trial: Callable[..., Awaitable[Outcome]], house: House, one: Any, base: Path, number: int, net: Net
) -> Outcome:
    place = scene(base, number, net)
    try:
        outcome = await trial(house, one, place)
    except Exception as error:  # a package that makes the house or the proof stumble is a finding, not an end
        outcome = Outcome(one.name, False, f"STUMBLED: {type(error).__name__}: {error}", False)
        await house.forget("moon")
    if not (outcome.good and outcome.control):
        print(
            f"{'' if outcome.good else 'NOT GOOD'} {'' if outcome.control else 'NO CONTROL'} {outcome.name}: {outcome.said}",
            file=sys.stderr,
        )
    shutil.rmtree(place.folder, ignore_errors=True)
    return outcome


def figures(found: dict[str, list[Outcome]]) -> dict[str, float]:
    """The figures of the RESULT line."""
    proven = [one for one in found["refused"] if one.control]
    every = [one for some in found.values() for one in some]
    controls = [one for kind in ("refused", "quiet", "asked") for one in found[kind]]
    return {
        "malicious_refused": sum(one.good for one in proven), "of": len(found["refused"]),
        "benign_accepted": sum(one.good for one in found["taken"]), "benign_of": len(found["taken"]),
        "widened_asked": sum(one.good for one in found["asked"]), "widened_of": len(found["asked"]),
        "controls": sum(one.control for one in controls), "controls_of": len(controls),
        "quiet": sum(one.good for one in found["quiet"]), "quiet_of": len(found["quiet"]),
        "ran": sum("IT RAN" in one.said for one in every),
        "slowest_s": round(max((one.took_s for one in every), default=0.0), 2),
    }  # fmt: skip


def missed(told: dict[str, float]) -> dict[str, float]:
    """What is short of all, as figures that must be nought."""
    pairs = (("malicious_refused", "of"), ("benign_accepted", "benign_of"), ("widened_asked", "widened_of"),
             ("controls", "controls_of"), ("quiet", "quiet_of"))  # fmt: skip
    short = {f"missed_{name}": told[of] - told[name] for name, of in pairs}
    return (
        short | {f"too_few_{name}": max(0, least - told[name]) for name, least in LEAST.items()} | {"ran": told["ran"]}
    )


def rows(found: dict[str, list[Outcome]]) -> list[str]:
    """The page's tables."""
    titles = {"refused": "Refused: what a naive installer does with it succeeds, and what we said",
              "taken": "Taken, and nothing of it ran", "quiet": "Taken: what runs by itself in careless hands did not here",
              "asked": "Updates that want more, and what was said of them"}  # fmt: skip
    lines: list[str] = []
    for kind, title in titles.items():
        lines += ["", f"## {title}", "", "| package | | |", "|---|---|---|"]
        for one in found[kind]:
            state = ("good" if one.good else "**NOT**") + ("" if one.control else ", no control")
            lines.append(f"| {one.name} | {state} | {_cell(one.said)} |")
    return lines


def _cell(text: str) -> str:
    import re

    plain = re.sub(r"/\S*/(?=[^/\s]+)", "…/", text)
    return plain.replace("|", "\\|").replace("\n", " ")[:160]


def main() -> int:
    """Try all, publish, and close with one RESULT line."""
    wish = argparse.ArgumentParser()
    wish.add_argument("--only", nargs="*", default=[])
    options = wish.parse_args()
    with tempfile.TemporaryDirectory(prefix="steward-packages-") as base:
        found = asyncio.run(tried(Path(base).resolve(), lambda name: all(word in name for word in options.only)))
    told = {name: float(value) for name, value in figures(found).items()}
    short = missed(told)
    if not options.only:
        text = [*(__doc__ or "").strip().splitlines()[:-2], *rows(found)]
        publish("packages", "The proof of packages", text, told)
    status = result("packages", told | short, dict.fromkeys(short, 0.0))
    return status


if __name__ == "__main__":
    sys.exit(main())
