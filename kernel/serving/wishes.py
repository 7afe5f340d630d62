"""What a person asks for when a server is added, checked before anything is started: program, folders, hosts.

What this stops: a program that is fetched anew at every start (what was reviewed is not what runs); a folder that is
none; a host that is none; an address with a password in it.
What it does not: decide. The person sees all of it on one card, and says yes or no.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from kernel.errors import BadRequest
from permissions import holds_path
from permissions.naming import readable, shown
from skills.mcp.writing import Wish

_PATH = "/usr/local/bin:/usr/bin:/bin"
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib64", sys.prefix, sys.base_prefix)
"""What every cell is shown: the system, and the Python that Steward itself runs with."""
_FETCHES = {
    "npx": "npm install --ignore-scripts --prefix ~/.local/share/mcp/{name} {package}, then: "
           "./steward mcp add {name} -- node ~/.local/share/mcp/{name}/node_modules/{package}/dist/index.js",
    "uvx": "python3 -m venv ~/.local/share/mcp/{name} && ~/.local/share/mcp/{name}/bin/pip install {package}, then: "
           "./steward mcp add {name} -- ~/.local/share/mcp/{name}/bin/{package}",
}  # fmt: skip
_FETCHES["bunx"] = _FETCHES["pnpx"] = _FETCHES["npx"]
_FETCHES["pipx"] = _FETCHES["uv"] = _FETCHES["uvx"]
_NAME = re.compile(r"[a-z][a-z0-9-]{1,62}")
_HOST = re.compile(r"(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)+:[0-9]{1,5}")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,60}")
_INTERPRETER = re.compile(r"(python|node|nodejs|deno|bun|ruby|perl|php|lua|tsx|ts-node|sh|bash|dash|zsh)[0-9.]*")
_NO_SCRIPT = frozenset({"-", "-c", "-m", "-e", "-E", "-p", "-pe", "--eval", "--print"})
"""After these an interpreter runs no file that is named."""
_WITH_VALUE = frozenset({"-W", "-X", "-r", "-o", "-O", "-C", "--require", "--import", "--loader", "--conditions"})
"""The word after these belongs to them."""
_HEADER = re.compile(r"[A-Za-z][A-Za-z0-9-]{0,60}")
_SECRET = re.compile(r"[a-z][a-z0-9-]{0,62}")
_KEY = re.compile(r"(TOKEN|SECRET|PASSWORD|PASSWD|API_?KEY|PRIVATE_?KEY|_KEY|_PAT)$", re.IGNORECASE)
_LOADERS = ("LD_", "PYTHONSTARTUP", "NODE_OPTIONS")


@dataclass(frozen=True, slots=True)
class Asked:
    """A server as a client describes it; paths are as the person typed them, seen from ``cwd``."""

    name: str
    command: Sequence[str] = ()
    url: str = ""
    env: Mapping[str, str] | None = None
    secret: Mapping[str, str] | None = None
    read: Sequence[str] = ()
    write: Sequence[str] = ()
    host: Sequence[str] = ()
    program: Sequence[str] = ()
    cwd: str = ""


def checked(asked: Asked, home: str) -> tuple[Wish, list[str]]:
    """Return what is asked for, in its one form, and what a person should know about it. Raises BadRequest."""
    if not _NAME.fullmatch(asked.name):
        raise _bad("name", f"{shown(asked.name)} cannot be the name of a server.",
                   "Take 2 to 63 small letters, digits and hyphens, a letter first.")  # fmt: skip
    if bool(asked.command) is bool(asked.url):
        raise _bad("command", "A server has a command or an address.",
                   f"./steward mcp add {asked.name} -- COMMAND ARGUMENT..., or: --url https://…")  # fmt: skip
    cwd = asked.cwd or home
    reads, writes, programs = (
        tuple(dict.fromkeys(_place(one, cwd, home) for one in some))
        for some in (asked.read, asked.write, asked.program)
    )
    for place in writes:
        if not place.endswith("/"):
            raise _bad("place", f"{place} is no folder; a server works in folders.", "Name the folder it lies in.")
    wish = Wish(asked.name, env=checked_environment(asked.env or {}),
                secrets=checked_secrets(asked.secret or {}, asked.env or {}, headers=bool(asked.url)), reads=reads,
                writes=writes, hosts=tuple(dict.fromkeys(map(_host, asked.host))), programs=programs)  # fmt: skip
    if asked.url:
        address, host = _address(asked.url)
        return replace(wish, url=address, hosts=tuple(dict.fromkeys((*wish.hosts, host)))), []
    found, notes = _with_program(wish, [*asked.command], cwd, home)
    return found, [*notes, *_open_keys(wish.name, wish.env)]


def _with_program(wish: Wish, command: list[str], cwd: str, home: str) -> tuple[Wish, list[str]]:
    if len(" ".join(command)) > 4000 or any("\0" in word for word in command) or len(command) > 100:
        raise _bad("command", "The command is too long.", "Put what is long into a file that it reads.")
    must_not_fetch(wish.name, command)
    words = [_in_full(word, cwd, home) for word in command]
    words[0] = _program(words[0], command[0], cwd)
    script = _script_at(words)
    words = [word if not at else _real_file(word) for at, word in enumerate(words)]
    own = [*_faces(words[0]), *([words[script]] if script else [])]
    programs = [_tree_of(word, home) for word in own if os.path.isfile(word) and not _is_system(word)]
    wish = replace(wish, command=tuple(words), programs=tuple(dict.fromkeys([*wish.programs, *programs])))
    told = [word for at, word in enumerate(words) if at and at != script and not _is_seen(word, wish, home)]
    files = [word for word in told if os.path.isfile(word) and not _is_system(word)]
    notes = [f"{shown(one)} is an argument: it may read this file, and none beside it." for one in files]
    notes += [f"{shown(one)} is an argument, and not among what it may see (--read or --write)."
              for one in told if os.path.isdir(one)]  # fmt: skip
    reads = dict.fromkeys([*wish.reads, *(_place(one, cwd, home) for one in files)])
    return replace(wish, reads=tuple(reads)), notes


def must_not_fetch(server: str, command: Sequence[str]) -> None:
    """Raise BadRequest where a program is fetched at every start: what was reviewed would not be what runs."""
    name = os.path.basename(command[0]) if command else ""
    if name in _FETCHES:
        package = next((word for word in command[1:] if not word.startswith("-") and word != "tool"), "PACKAGE")
        hint = _FETCHES[name].format(name=server, package=shown(package).partition("@latest")[0])
        raise _bad("fetches", f"{name} fetches a program at every start, so nobody could say what would run.",
                   f"Install it once: {hint}")  # fmt: skip


def _program(word: str, said: str, cwd: str) -> str:
    """Return the whole path of a program."""
    found = word if "/" in word else shutil.which(word, path=_PATH)
    if not found or not os.access(found, os.X_OK) or os.path.isdir(found):
        raise _bad("program", f"There is no program {shown(said)}.", "Give its whole path, or install it first.")
    return os.path.normpath(os.path.join(cwd, found))


def _in_full(word: str, cwd: str, home: str) -> str:
    """Return a word of a command as it is, but what names something that is there with its whole path."""
    if word.startswith("~/"):
        return home + word[1:]
    if not word.startswith("-") and ("/" in word or "." in word) and os.path.exists(os.path.join(cwd, word)):
        return os.path.normpath(os.path.join(cwd, word))
    return word


def _script_at(words: Sequence[str]) -> int:
    """Return where the one script stands that an interpreter is told to run; 0 where there is none."""
    if not _INTERPRETER.fullmatch(os.path.basename(words[0])):
        return 0
    at = 1
    while at < len(words) and (words[at].startswith("-") or words[at] == "run"):
        if words[at] in _NO_SCRIPT:
            return 0
        if words[at] == "--":
            at += 1
            break
        at += 2 if words[at] in _WITH_VALUE else 1
    return at if at < len(words) and os.path.isfile(words[at]) else 0


def _real_file(word: str) -> str:
    """Return the real path of what is a file: a cell is shown no links."""
    real = os.path.realpath(word) if word.startswith("/") and os.path.isfile(word) else word
    return word if _is_system(real) else real


def _faces(program: str) -> list[str]:
    """Return a program where it lies (an environment's is often a link out of it), and what it really is."""
    place = os.path.join(os.path.realpath(os.path.dirname(program)), os.path.basename(program))
    real = os.path.realpath(program)
    linked = any((above / "pyvenv.cfg").exists() for above in Path(place).parents[:2])
    return list(dict.fromkeys([place, real] if linked else [real]))


def _is_system(path: str) -> bool:
    return any(holds_path(tree, path) for tree in _SYSTEM)


def _tree_of(file: str, home: str) -> str:
    """Return what belongs to a program: its environment, its package with the others beside it, or the file alone."""
    parents = [above for above in Path(file).parents if not _holds(str(above), home)]
    for above in parents:
        if (above / "pyvenv.cfg").exists():
            return _named(str(above), home) + "/"
        if above.name == "node_modules" and not _holds(str(above.parent), home):
            return _named(str(above.parent), home) + "/"
    package = next((above for above in parents if (above / "package.json").exists()), None)
    return _named(str(package), home) + "/" if package is not None else _named(file, home)


def _holds(folder: str, home: str) -> bool:
    """Tell whether a folder is the home, or holds it: it is never the program of a server."""
    return folder == "/" or holds_path(folder, os.path.realpath(home)) or holds_path(folder, home)


def _is_seen(folder: str, wish: Wish, home: str) -> bool:
    seen = (home + one[1:] if one.startswith("~/") else one for one in (*wish.reads, *wish.writes, *wish.programs))
    return any(holds_path(one.rstrip("/") or "/", folder) for one in seen)


def _place(text: str, cwd: str, home: str) -> str:
    """Return a place in its one form. Raises BadRequest where nothing lies there, or it cannot be written down."""
    full = home + text[1:] if text == "~" or text.startswith("~/") else os.path.join(cwd, text)
    real = os.path.realpath(full)
    if not os.path.exists(real) or not (os.path.isdir(real) or os.path.isfile(real)):
        raise _bad("place", f"{shown(text)} is not there.", "Name a folder or a file that is.")
    if re.search(r"[*{}\0\n]", real) or real == "/":
        raise _bad("place", f"{shown(real)} cannot be given to a server.", "Name a folder with a plain name.")
    return _named(real, home) + ("/" if os.path.isdir(real) else "")


def _named(path: str, home: str) -> str:
    return f"~{path[len(home) :]}" if path.startswith(f"{home}/") else path


def _host(text: str) -> str:
    host = text.lower() if ":" in text else f"{text.lower()}:443"
    if not _HOST.fullmatch(host) or not 0 < int(host.rpartition(":")[2]) < 1 << 16:
        raise _bad("host", f"{shown(text)} is no host.", "Write example.org, or example.org:8443.")
    return host


def _address(text: str) -> tuple[str, str]:
    try:
        parts = urlsplit(text)
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme, 0)
    except ValueError:
        parts, port = urlsplit(""), 0
    if not port or not parts.hostname or parts.username or parts.password or parts.query or parts.fragment:
        raise _bad("url", "That is no address of a server, or it holds a password or a query, which would be kept.",
                   "Write https://example.org/mcp")  # fmt: skip
    return text, _host(f"{parts.hostname}:{port}")


def checked_environment(given: Mapping[str, str]) -> dict[str, str]:
    """Return what a server is told. Raises BadRequest where it would have other code loaded into the program."""
    for name, value in given.items():
        if not _VARIABLE.fullmatch(name) or name.startswith(_LOADERS) or "\0" in value or len(value) > 4000:
            raise _bad("env", f"{shown(name)} cannot be set for a server.", "Write NAME=VALUE, with a plain name.")
    return dict(given)


def checked_secrets(given: Mapping[str, str], env: Mapping[str, str], *, headers: bool) -> dict[str, str]:
    """Return by which names a server is told which secrets. Raises BadRequest."""
    for name, secret in given.items():
        fits = _HEADER.fullmatch(name) if headers else _VARIABLE.fullmatch(name) and not name.startswith(_LOADERS)
        if not fits or not _SECRET.fullmatch(secret) or name in env:
            example = "Authorization=github" if headers else "GITHUB_TOKEN=github"
            raise _bad("secret", f"{shown(name)} cannot be told the secret {shown(secret)}.",
                       f"Write --secret {example}, with the name that ./steward secrets shows.")  # fmt: skip
    return dict(given)


def _open_keys(server: str, env: Mapping[str, str]) -> list[str]:
    """Say of what looks like a key that it would lie in a file as it is, and what to do instead."""
    said = "{name} looks like a key, and would stand in steward.toml as it is. Keep it in the vault instead: "
    how = "./steward secrets set {server} --for HOST:443, then --secret {name}={server} in place of --env."
    return [(said + how).format(name=shown(name), server=server) for name in env if _KEY.search(name)]


def from_file(body: Any) -> list[Asked]:
    """Read what other programs keep of their servers: ``{"mcpServers": {name: {command, args, env, url}}}``."""
    servers = body.get("mcpServers", body.get("servers")) if isinstance(body, Mapping) else None
    if not isinstance(servers, Mapping) or not servers or len(servers) > 50:
        raise _bad("file", "There are no servers in that file.", 'It holds {"mcpServers": {"NAME": {"command": …}}}.')
    return [_one(str(name), one) for name, one in servers.items()]


def _one(name: str, one: Any) -> Asked:
    if not isinstance(one, Mapping):
        raise _bad("file", f"{shown(name)} is described in no form that is known.", "Look at that entry.")
    arguments, environment = one.get("args") or [], one.get("env") or {}
    if not isinstance(arguments, list) or not isinstance(environment, Mapping):
        raise _bad("file", f"The arguments of {shown(name)} are no list, or its environment no table.", "Correct it.")
    command = [one["command"], *map(str, arguments)] if isinstance(one.get("command"), str) else []
    told = {str(key): str(value) for key, value in environment.items()}
    plain = re.sub(r"[^a-z0-9-]+", "-", name.lower()).strip("-")
    return Asked(plain, command, str(one.get("url") or one.get("serverUrl") or ""), told)


def card(wish: Wish, notes: Iterable[str]) -> dict[str, Any]:
    """Return what a person is asked before a server is started for the first time."""
    return {
        "name": wish.name, "command": [readable(word) for word in wish.command], "url": wish.url,
        "env": sorted(wish.env), "secrets": told_secrets(wish.secrets), "reads": list(wish.reads),
        "writes": list(wish.writes), "hosts": list(wish.hosts), "programs": list(wish.programs), "notes": list(notes),
    }  # fmt: skip


def told_secrets(secrets: Mapping[str, str]) -> list[str]:
    """Return which secrets a server is told, and by which names it knows them, as a person reads it."""
    return [f"{secret} ({name})" for name, secret in sorted(secrets.items())]


def _bad(code: str, message: str, hint: str) -> BadRequest:
    return BadRequest(f"server.{code}", message, hint=hint)
