"""Attacks by the place of a package: what is typed, what an index says, what git is given, what a server answers."""

from __future__ import annotations

import json
import os
import subprocess
import urllib.request
from collections.abc import Awaitable, Callable
from pathlib import Path

import httpx

from tests.permissions.egress.conftest import Handler, moving, saying
from tests.proofs.packages.ground import (
    SECRET,
    Attack,
    Scene,
    below,
    entries_of,
    git,
    hot,
    naive_import,
    naive_run,
    repository,
    zipped,
)
from tests.skills.packages.wares import laid

HOST, OTHER = "packages.test", "elsewhere.test"

# --- git ----------------------------------------------------------------------------------------------------------


def _repository(one: Scene, name: str = "moon") -> Path:
    one.ware.mkdir(exist_ok=True)
    return repository(one.ware, hot(one), name)


def _option(one: Scene) -> str:
    return f"git:{_repository(one)}@--upload-pack={one.shell}"


def _takes_option(one: Scene) -> bool:
    """The reference goes to git as it was typed."""
    words = (
        ("git", "-C", str(one.into), "init", "-q"),
        ("git", "-C", str(one.into), "fetch", "-q", f"--upload-pack={one.shell}", str(one.ware / "moon")),
    )
    return [naive_run(one, *each) for each in words][-1]


def _option_place(one: Scene) -> str:
    _repository(one)
    return f"git:--upload-pack={one.shell}"


def _option_part(one: Scene) -> str:
    return f"git:{_repository(one)}#--output={one.canary}"


def _takes_part(one: Scene) -> bool:
    return naive_run(one, "git", "archive", "HEAD", f"--output={one.canary}", cwd=one.ware / "moon")


def _external(one: Scene) -> str:
    return f"git:ext::{one.shell}"


def _takes_external(one: Scene) -> bool:
    return naive_run(
        one, "git", "-c", "protocol.ext.allow=always", "clone", f"ext::{one.shell}", str(one.into / "moon")
    )


def _by_ssh(one: Scene) -> str:
    return f"git+ssh://-oProxyCommand={one.shell}/moon"


def _takes_ssh(one: Scene) -> bool:
    """What a client made of the address before 2017 (CVE-2017-1000117): the host is an argument of ssh."""
    return naive_run(one, "ssh", f"-oProxyCommand={one.shell}", "-oBatchMode=yes", "x", seconds=10)


def _module(one: Scene) -> str:
    inner = repository(one.folder, {"helper.py": one.code}, "inner")
    outer = _repository(one)
    git(outer, "submodule", "add", "-q", str(inner), "inner")
    git(outer, "commit", "-qm", "Two")
    return f"git:{outer}"


def _fetches_module(one: Scene) -> bool:
    goal = one.into / "moon"
    naive_run(
        one,
        "git",
        "-c",
        "protocol.file.allow=always",
        "clone",
        "-q",
        "--recurse-submodules",
        str(one.ware / "moon"),
        str(goal),
    )
    return "canary" in (goal / "inner" / "helper.py").read_text()


def _linked(one: Scene) -> str:
    folder = _repository(one)
    (folder / "notes.md").symlink_to(one.secret)
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "Two")
    return f"git:{folder}"


def _clone_reads(one: Scene) -> bool:
    naive_run(one, "git", "clone", "-q", str(one.ware / "moon"), str(one.into / "moon"))
    return (one.into / "moon" / "notes.md").read_text() == SECRET


def _climbing(one: Scene) -> str:
    """A commit whose tree has a folder that is called like the one above."""
    folder = _repository(one)
    blob = git(folder, "hash-object", "-w", "--stdin", feed="ran")
    inner = _tree(folder, [("100644", "canary", blob)])
    before = [tuple(row.replace("\t", " ").split(" ")) for row in git(folder, "ls-tree", "HEAD").splitlines()]
    entries = [*((mode, name, id) for mode, _, id, name in before), ("40000", "..", inner)]
    tree = _tree(folder, sorted(entries, key=lambda row: row[1] + "/" * (row[0] == "40000")))
    commit = git(folder, "commit-tree", tree, "-m", "Two")
    git(folder, "update-ref", "refs/heads/main", commit)
    return f"git:{folder}"


def _tree(folder: Path, entries: list[tuple[str, str, str]]) -> str:
    data = b"".join(f"{mode} {name}\0".encode() + bytes.fromhex(id) for mode, name, id in entries)
    command = ["git", "-C", str(folder), "hash-object", "-t", "tree", "-w", "--literally", "--stdin"]
    return subprocess.run(command, input=data, capture_output=True, check=True).stdout.decode().strip()


def _written_out(one: Scene) -> bool:
    """A client that lists the files of a commit and writes each to its path."""
    folder = one.ware / "moon"
    for row in git(folder, "ls-tree", "-r", "HEAD").splitlines():
        about, _, path = row.partition("\t")
        goal = one.into / path
        goal.parent.mkdir(parents=True, exist_ok=True)
        goal.write_text(git(folder, "cat-file", "blob", about.split(" ")[2]))
    return one.canary.exists()


def _like_a_commit(one: Scene) -> str:
    """A branch that is called like the commit that a person pins."""
    folder = _repository(one)
    name = "0123456789" * 4
    git(folder, "update-ref", f"refs/heads/{name}", "HEAD")
    return f"git:{folder}@{name}"


def _takes_branch(one: Scene) -> bool:
    naive_run(one, "git", "clone", "-q", "--branch", "0123456789" * 4, str(one.ware / "moon"), str(one.into / "moon"))
    return naive_import(one, one.into / "moon")


def _moved_commit(one: Scene) -> str:
    """A tag's own id, which is no commit: what it leads to is another one."""
    folder = _repository(one)
    git(folder, "tag", "-a", "v1", "-m", "One")
    return f"git:{folder}@{git(folder, 'rev-parse', 'v1')}"


def _takes_tag(one: Scene) -> bool:
    folder = one.ware / "moon"
    name = git(folder, "rev-parse", "v1")
    naive_run(one, "git", "clone", "-q", str(folder), str(one.into / "moon"))
    naive_run(one, "git", "checkout", "-q", name, cwd=one.into / "moon")
    return git(one.into / "moon", "rev-parse", "HEAD") != name and naive_import(one, one.into / "moon")


GIT = [
    Attack("git: a reference that is an option", "no tag, branch or commit|There is no git at", _option, _takes_option),
    Attack("git: a place that is an option", "There is no git at", _option_place, _takes_option),
    Attack("git: a folder that is an option", "Packages|not a path|does not|no skill|did not work", _option_part, _takes_part),
    Attack("git: ext::", "not taken from ext", _external, _takes_external),
    Attack("git: a host that is an option of ssh", r"not taken from git\+ssh", _by_ssh, _takes_ssh),
    Attack("git: a repository in the repository", "submodule", _module, _fetches_module),
    Attack("git: a link to the person's file", "link or a special file|did not work", _linked, _clone_reads),
    Attack("git: a folder that is called ..", "not a path below|did not work", _climbing, _written_out),
    Attack("git: a branch that is called like a commit", "did not work", _like_a_commit, _takes_branch),
    Attack("git: the id of a tag for a commit", "for the commit", _moved_commit, _takes_tag),
]  # fmt: skip

# --- indexes ------------------------------------------------------------------------------------------------------


def _index(leads_to: Callable[[Scene], object]) -> Callable[[Scene], str]:
    def make(one: Scene) -> str:
        one.path("index.json").write_text(json.dumps({"skills": {"moon": leads_to(one)}}))
        return f"index:{one.ware / 'index.json'}#moon"

    return make


def _secret_zip(one: Scene) -> str:
    return str(zipped(one.folder / "private.zip", entries_of({**below(hot(one)), "moon/notes.md": SECRET})))


def _opens(one: Scene) -> bool:
    """A client that opens whatever address the index has."""
    place = json.loads((one.ware / "index.json").read_text())["skills"]["moon"]
    with urllib.request.urlopen(place) as answer:
        return SECRET.encode() in answer.read() or bool(answer)


def _hangs(one: Scene) -> bool:
    try:
        subprocess.run(["cat", str(one.ware / "index.json")], timeout=0.5, check=False, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return True
    return False


def _pipe(one: Scene) -> str:
    os.mkfifo(one.path("index.json"))
    return f"index:{one.ware / 'index.json'}#moon"


def _deep(one: Scene) -> str:
    one.path("index.json").write_text("[" * 200_000)
    return f"index:{one.ware / 'index.json'}#moon"


def _dies(one: Scene) -> bool:
    try:
        json.loads((one.ware / "index.json").read_text())
    except RecursionError:
        return True
    return False


def _huge(one: Scene) -> str:
    one.path("index.json").write_text(json.dumps({"skills": {"moon": _secret_zip(one), "x": "y" * (3 << 20)}}))
    return f"index:{one.ware / 'index.json'}#moon"


def _loads_all(one: Scene) -> bool:
    return len(json.loads((one.ware / "index.json").read_text())["skills"]["x"]) > 1 << 20


def _another(one: Scene) -> str:
    """What is listed as moon is another skill, which the person did not ask for."""
    return str(zipped(one.folder / "it.zip", entries_of(below(hot(one), "sunshine"))))


def _installs_it(one: Scene) -> bool:
    from tests.proofs.packages.ground import naive_zip

    place = json.loads((one.ware / "index.json").read_text())["skills"]["moon"]
    return naive_import(one, naive_zip(one, Path(place)) / "sunshine")


def _follows_for_ever(one: Scene) -> bool:
    """A client that follows goes round and round."""
    place, rounds = f"index:{one.ware / 'index.json'}#moon", 0
    while place.startswith("index:") and rounds < 50:
        file, _, name = place.removeprefix("index:").partition("#")
        place, rounds = json.loads(Path(file).read_text())["skills"][name], rounds + 1
    return rounds == 50


def _lists_agents(one: Scene) -> bool:
    """Somebody else's list would choose among what lies in the person's project."""
    laid(one.folder / ".agents" / "skills" / "moon", hot(one))
    name = json.loads((one.ware / "index.json").read_text())["skills"]["moon"].removeprefix("agents:")
    return naive_import(one, one.folder / ".agents" / "skills" / name)


INDEXES = [
    Attack("index: a file's address", "not taken from file", _index(lambda one: f"file://{_secret_zip(one)}"), _opens),
    Attack("index: a program's address", "not taken from ext", _index(_external), _takes_external),
    Attack("index: an option for git", "no tag, branch or commit|There is no git at", _index(_option), _takes_option),
    Attack("index: another index", "leads to packages alone", _index(lambda one: f"index:{one.ware / 'index.json'}#moon"),
           _follows_for_ever),
    Attack("index: what other agents keep", "leads to packages alone", _index(lambda _: "agents:moon"), _lists_agents),
    Attack("index: another skill under that name", "holds the skill sunshine", _index(_another), _installs_it),
    Attack("index: a pipe", "cannot be read", _pipe, _hangs),
    Attack("index: nested without end", "no index that has", _deep, _dies),
    Attack("index: without end", "larger than 1 MiB", _huge, _loads_all),
]  # fmt: skip

# --- servers ------------------------------------------------------------------------------------------------------

Serve = Callable[[Scene], Awaitable[str]]


def _served(handler: Callable[[Scene], Handler], path: str, private: Handler | None = None) -> Serve:
    """A host of the network, and perhaps one that only this machine may reach; return the place with its address."""

    async def make(one: Scene) -> str:
        context = one.net.authority.context(HOST)
        if private is not None:
            heard = one.folder / "heard"
            inner = await one.net.internet.server(
                _noting(private, heard), at="127.0.0.1", ssl=one.net.authority.context("inside.test")
            )
            (one.folder / "private").write_text(f"https://127.0.0.1:{inner}/moon.zip")
        port = await one.net.internet.server(handler(one), name=HOST, ssl=context)
        (one.folder / "port").write_text(str(port))
        return path.replace("HOST", f"{HOST}:{port}")

    return make


def _noting(handler: Handler, heard: Path) -> Handler:
    async def handle(reader: object, writer: object) -> None:
        heard.write_text("asked")
        await handler(reader, writer)  # type: ignore[arg-type]

    return handle


def _private(one: Scene) -> str:
    return (one.folder / "private").read_text()


def _to(place: Callable[[Scene], str]) -> Callable[[Scene], Handler]:
    """A server that says where ``place`` is when it is asked: by then it is known."""

    def handler(one: Scene) -> Handler:
        async def handle(reader: object, writer: object) -> None:
            await saying(json.dumps({"skills": {"moon": place(one)}}))(reader, writer)  # type: ignore[arg-type]

        return handle

    return handler


def _moving(place: Callable[[Scene], str]) -> Callable[[Scene], Handler]:
    def handler(one: Scene) -> Handler:
        async def handle(reader: object, writer: object) -> None:
            await moving(place(one))(reader, writer)  # type: ignore[arg-type]

        return handle

    return handler


def _asks(first: str) -> Callable[[Scene], Awaitable[bool]]:
    """A client that goes wherever it is sent."""

    async def harm(one: Scene) -> bool:
        import ssl

        trusted = ssl.create_default_context(cafile=str(one.net.authority.file))
        trusted.check_hostname = False
        (one.folder / "heard").unlink(missing_ok=True)
        port = (one.folder / "port").read_text()
        async with httpx.AsyncClient(verify=trusted, follow_redirects=True, trust_env=False) as client:
            answer = await client.get(f"https://127.0.1.1:{port}{first}")
            if answer.headers.get("content-length") and answer.text.startswith("{"):
                place = answer.json()["skills"]["moon"]
                if place.startswith("/"):
                    return SECRET in Path(place).read_bytes().decode("utf-8", "replace") or Path(place).exists()
                await client.get(place)
        return (one.folder / "heard").exists()

    return harm


_HELLO = saying("hello")
SERVERS = [
    Attack("https index: a place on this machine's disk", "leads to packages alone",
           _served(_to(_secret_zip), "index:https://HOST/i.json#moon"), _asks("/i.json")),
    Attack("https index: a host in the house", "refused|private|public|not reach|loopback|may not",
           _served(_to(_private), "index:https://HOST/i.json#moon", _HELLO), _asks("/i.json")),
    Attack("https index: sent on to a host in the house", "answered with 302",
           _served(_moving(_private), "index:https://HOST/i.json#moon", _HELLO), _asks("/i.json")),
    Attack("https archive: sent on to a host in the house", "answered with 302",
           _served(_moving(_private), "https://HOST/moon.zip", _HELLO), _asks("/moon.zip")),
    Attack("https clone: sent on to a host in the house", "did not work",
           _served(_moving(lambda one: _private(one) + "/info/refs"), "git+https://HOST/moon.git", _HELLO), _asks("/moon.git/info/refs")),
]  # fmt: skip
