"""What is done with wheels and indexes behind the wall, as calls like any other; nobody asks for it in a sentence."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from skills.environments.choosing import is_of, offers_of
from skills.environments.compiling import compiled
from skills.environments.model import LARGEST_WHEEL
from skills.environments.wheels import laid_out
from skills.model import Pin
from skills.packages.authorities import believed
from skills.packages.model import Refused
from skills.sdk import Context, Folder, Text, ToolError

_LARGEST_PAGE = 32 << 20
_JSON = "application/vnd.pypi.simple.v1+json, text/html;q=0.1"


def build(ctx: Context, wheels: Folder) -> str:
    """Unpack wheels into this call's own folder; return as JSON what has no place there.

    Args:
        wheels: where they lie; their sums are right.
    """
    goal, work = (Path(ctx.workroom(name).path) for name in ("environment", "wheels"))
    try:
        left = laid_out(Path(wheels.path).glob("*.whl"), goal, work)
    except Refused as error:
        raise ToolError(str(error), hint=error.hint, code=error.code, de=str(error)) from error
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return json.dumps(left)


def compile_modules(ctx: Context, environment: Folder) -> int:
    """Compile the modules of an environment into this call's own folder, run none, and return how many it made.

    Args:
        environment: what was unpacked.
    """
    return compiled(Path(environment.path), Path(ctx.workroom("compiled").path))


def page(ctx: Context, url: Text, name: Text, version: Text) -> str:
    """Return as JSON which files an index has of one version of a package: of all it may have tens of thousands.

    Args:
        url: the page of the package.
        name: what the package is called (PEP 503).
        version: the one that is wanted.
    """
    pin = Pin(name, version, ())
    answer = ctx.fetch(url, headers={"accept": _JSON}, limit_bytes=_LARGEST_PAGE, redirects=2)
    if answer.status == 404:
        return "[]"
    if answer.status != 200:
        raise _answered(url, answer.status)
    try:
        offers = offers_of(answer.body.decode("utf-8", "replace"), url)
        return json.dumps([asdict(one) for one in offers if is_of(one.filename, pin)])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ToolError(f"{url} is no page of an index of packages.", hint="Look at the setting package_index.",
                        code="environment.index", de=f"{url} ist keine Seite eines Paketindex.") from error  # fmt: skip


def download(ctx: Context, url: Text) -> int:
    """Fetch a wheel into this call's own folder and return its size.

    Args:
        url: where it lies.
    """
    answer = ctx.fetch(url, limit_bytes=LARGEST_WHEEL, timeout_s=300.0)
    if answer.status != 200:
        raise _answered(url, answer.status)
    (Path(ctx.workroom("download").path) / "wheel").write_bytes(answer.body)
    return len(answer.body)


def resolve(ctx: Context, requires: list[Text], index: Text, folders: list[Text], authority: Text) -> str:
    """Ask pip which packages are needed, and return its report as JSON.

    Args:
        requires: what the skill requires.
        index: the address of the index; empty where a folder is one.
        folders: folders of wheels.
        authority: a certificate authority of the person's own, as PEM; empty for none.
    """
    room = Path(ctx.workroom("pip").path)
    report = room / "report.json"
    words = [sys.executable, "-P", "-m", "pip", "--isolated", "--no-input", "--disable-pip-version-check", "install",
             "--dry-run", "--ignore-installed", "--only-binary=:all:", "--no-cache-dir", "--quiet", "--report",
             str(report), *_from(index, folders), *_certificate(room, authority), "--", *requires]  # fmt: skip
    done = ctx.run(words, timeout_s=500.0)
    why = unreached(done.stderr) if done.status != 0 else ""
    if why:
        raise ToolError(f"The index of packages cannot be reached: {why}.",
                        hint="See whether this machine is online, and look at the setting package_index.",
                        code="environment.index", de=f"Das Verzeichnis der Pakete ist nicht zu erreichen: {why}.",
                        )  # fmt: skip
    if done.status != 0:
        raise ToolError(f"pip found no packages that fit: {_last(done.stderr)}",
                        hint="Look at requires in steward.toml, and at the setting package_index.",
                        code="environment.resolve", de=f"pip fand keine passenden Pakete: {_last(done.stderr)}",
                        )  # fmt: skip
    return report.read_text(encoding="utf-8")


_BROKEN = re.compile(r"after connection broken by '(.+)': /")
_WHOM = re.compile(r"^<[^>]*>: |\[Errno [^\]]*\] ")


def unreached(said: str) -> str:
    """Return why no connection came about, as pip tells it between its attempts; empty where it tells of none."""
    broken = _BROKEN.search(said)
    return _WHOM.sub("", broken[1].rstrip("')\" ,").rpartition("'")[2])[:200] if broken else ""


def _from(index: str, folders: Sequence[str]) -> Sequence[str]:
    links = [word for one in folders for word in ("--find-links", one)]
    return ["--index-url", index, *links] if index else ["--no-index", *links]


def _certificate(room: Path, authority: str) -> Sequence[str]:
    found = believed(room, authority)
    return ("--cert", found) if found else ()


def _last(said: str) -> str:
    lines = [line for line in said.splitlines() if line.strip().startswith("ERROR")] or said.splitlines()[-1:]
    return (lines[-1] if lines else "nothing was said")[:300]


def _answered(url: str, status: int) -> ToolError:
    return ToolError(f"{url} answered with {status}.", hint="Look at the setting package_index.",
                     code="environment.index", de=f"{url} antwortete mit {status}.")  # fmt: skip
