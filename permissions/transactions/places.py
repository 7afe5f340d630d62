"""The never-written places: what no run may change, whatever was granted.

What this stops: planting or changing code and keys that other programs obey later: Steward's own state, ssh and gpg
keys, shell start-up files, autostart and user units, programs on the PATH, git hooks and configuration, editor and
agent configuration, and the system's own trees; also where they do not exist yet, through links (paths are checked
again after resolution), where a place is itself a link to somewhere (``leading``), through other names of the same
folder or file (by inode), and through letter case, Unicode compatibility forms and invisible characters. Folders that
hold such a place cannot be moved or deleted.
What it does not: know every program's own configuration, or bare git repositories; find a second name of a file in a
project's own never-written folder (its hooks), which could lie anywhere; reading is not its business.
"""

from __future__ import annotations

import os
import pwd
import stat
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, lru_cache
from pathlib import Path
from threading import Lock

from permissions.errors import Refused
from permissions.naming import shown
from permissions.transactions.leading import Leads
from permissions.transactions.mounts import is_anything_seen_twice

IN_HOME = (
    ".ssh .gnupg .pki .aws .kube .docker .netrc .pgpass .password-store .git-credentials .gitconfig .config/git "
    ".bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout "
    ".kshrc .mkshrc .cshrc .tcshrc .login .logout .inputrc .config/fish .config/nushell .config/environment.d "
    ".pam_environment .xprofile .xsession .xsessionrc .xinitrc .xserverrc .Xresources .config/autostart "
    ".config/autostart-scripts .config/plasma-workspace .config/systemd .local/share/systemd .config/cron "
    ".local/share/applications .local/share/dbus-1 .local/share/keyrings .config/i3 .config/sway .config/hypr bin "
    ".local/bin .local/lib .cargo/bin .cargo/config.toml .npmrc .pypirc .config/pip .pythonrc.py .pdbrc .gdbinit "
    ".config/gdb .vimrc .vim .gvimrc .exrc .config/nvim .emacs .emacs.d .config/emacs .config/Code .config/VSCodium "
    ".vscode-server .claude.json .codex .gemini .config/claude .config/mcp .tmux.conf .screenrc .config/user-dirs.dirs"
).split()
"""Below the home only."""

ANYWHERE = (
    ".vscode .idea .fleet .zed .claude .cursor .windsurf .mcp.json .agents .aider.conf.yml .cursorrules "
    ".windsurfrules AGENTS.md CLAUDE.md GEMINI.md .github/copilot-instructions.md .envrc .direnv "
    ".pre-commit-config.yaml .husky .git/hooks .git/config .git/config.worktree .git/info/attributes .git/modules"
).split()
"""At any depth, in any tree."""

ITSELF = (".git", "git~1")
"""At any depth; the thing itself, not what lies inside (a file ``.git`` sends git to foreign hooks)."""

SYSTEM = (
    "/proc /sys /dev /etc /usr /boot /bin /sbin /lib /lib32 /lib64 /libx32 /var /run /opt /snap /nix /efi "
    "/lost+found /root"
).split()
"""Trees of the system. The home and user media may lie inside."""

_MEDIA = ("/run/media", "/var/tmp", "/var/home")  # noqa: S108 - named as exceptions, nothing is created there


Names = tuple[str, ...]
"""A path, name by name, each as a careless program may compare it."""


@lru_cache(maxsize=65536)
def fold(name: str) -> str:
    """Return a name as a careless program or file system may compare it."""
    plain = name if name.isascii() else unicodedata.normalize("NFKC", name)
    seen = "".join(c for c in plain if c.isascii() or unicodedata.category(c) not in ("Cf", "Mn", "Cc"))
    folded = seen.casefold().rstrip(". ")
    return folded or name


def _names(path: str) -> tuple[str, ...]:
    return tuple(fold(name) for name in path.split("/") if name)


_FOLDED_ANYWHERE = {_names(place): place for place in ANYWHERE}
_FOLDED_ITSELF = {fold(place) for place in ITSELF}
_FIRST_ANYWHERE = {names[0] for names in _FOLDED_ANYWHERE}


def _real(path: str | Path) -> str:
    return os.path.realpath(path)


class Places:
    """The never-written places around one home. ``own`` are Steward's folders.

    ``skills`` is the one folder in them whose subfolders are written: each is a skill's own.
    """

    def __init__(self, home: Path, own: Collection[Path], skills: Path | None = None) -> None:
        self._homes = _homes(home)
        in_home = [f"{base}/{place}" for base in self._homes for place in IN_HOME]
        stewards = [text for path in own for text in (str(path), _real(path))]
        self._paths = in_home + stewards
        self._stewards = {_names(one) for one in stewards}
        self._skills = () if skills is None else tuple({f"{skills}/", f"{_real(skills)}/"})
        self._leads, self._looking = Leads(_real(home), in_home), Lock()
        self._led: Mapping[str, str] = {}
        self._named, self._above = self._known()
        self._open = [_names(path) for path in (*self._homes, *_MEDIA)]

    def _known(self) -> tuple[dict[Names, str], set[Names]]:
        """Return the places by all their paths, and the folders above them."""
        named = {_names(path): place for path, place in self._led.items()} | {_names(one): one for one in self._paths}
        return named, {names[:length] for names in named for length in range(len(names))}

    def check(self, *paths: str) -> None:
        """Raise Refused if one of ``paths`` is a never-written place or lies in one."""
        for path in paths:
            place = self.covers(path)
            if place:
                raise _refused(path, place)

    def check_removal(self, path: str) -> None:
        """Raise Refused if moving or deleting ``path`` would take a never-written place along."""
        self.check(path)
        if _names(path) in self._above:
            raise _refused(path, "a folder that holds protected places")

    def check_link(self, path: str) -> None:
        """Raise Refused if a link at ``path`` would lead into a never-written place (a link named ``~/.config``)."""
        self.check_removal(path)

    def check_planting(self, source: str, target: str, below: Iterable[str]) -> None:
        """Raise Refused if ``below`` (paths relative to the folder ``source``) become protected under ``target``.

        What was a protected place already (the hooks of a project that moves as a whole) may go along.
        """
        for name in below:
            if self.covers(f"{target}/{name}") and not self.covers(f"{source}/{name}"):
                raise _refused(f"{target}/{name}", self.covers(f"{target}/{name}"))

    def covers(self, path: str) -> str:
        """Return the name of the never-written place that ``path`` is or lies in, or an empty string."""
        names, kept = _names(path), path.startswith(self._skills)
        return self._fixed(names, kept) or _pattern(names) or ("" if kept else self._system(names))

    def _fixed(self, names: tuple[str, ...], kept: bool) -> str:
        """``kept``: it is of what a skill keeps in its own folder, which lies in one of Steward's."""
        for length in range(1, len(names) + 1):
            place = self._named.get(names[:length])
            if place and not (kept and names[:length] in self._stewards):
                return place
        return ""

    def _system(self, names: tuple[str, ...]) -> str:
        if any(names[: len(base)] == base for base in self._open):
            return ""
        if len(names) == 1:
            return "the root folder"
        return f"/{names[0]}" if f"/{names[0]}" in SYSTEM else ""

    def look_again(self) -> None:
        """Follow the links that stand among the places as they are now: before each operation."""
        with self._looking:
            led = self._leads.now()
            if led is not self._led:
                self._led = led
                self._named, self._above = self._known()

    def other_names(self) -> OtherNames:
        """Return what recognises these places under other names, for the length of one operation."""
        return OtherNames(self._paths, self._below)

    def _below(self) -> Iterator[str]:
        folders = {_real(f"{base}/{place}") for base in self._homes for place in IN_HOME}
        for folder in sorted(filter(os.path.isdir, folders)):
            for top, _, names in os.walk(folder, onerror=_not_looked_through):
                yield from (f"{top}/{name}" for name in names)


class OtherNames:
    """Recognises never-written places by inode, under another name that somebody gave them.

    A file has another name where it is linked twice; a file or folder, where a file system is mounted twice. Only then
    the places are looked up, once.
    """

    def __init__(self, places: Sequence[str], below: Callable[[], Iterator[str]]) -> None:
        """``places`` are the named ones; ``below`` yields the files in those that are folders."""
        self._places = places
        self._below = below

    def of(self, info: os.stat_result) -> str:
        """Return the never-written place that ``info`` is too, or an empty string. Raises OSError."""
        linked = not stat.S_ISDIR(info.st_mode) and info.st_nlink > 1
        if not (linked or self._twice):
            return ""
        wanted = (info.st_dev, info.st_ino)
        inside = (path for path in self._below() if _identity(path) == wanted) if linked else iter(())
        return self._known.get(wanted) or next(inside, "")

    @cached_property
    def _twice(self) -> bool:
        return is_anything_seen_twice()

    @cached_property
    def _known(self) -> dict[tuple[int, int], str]:
        found = ((_identity(path, follow=True), path) for path in self._places)
        return {identity: path for identity, path in found if identity}


def _not_looked_through(error: OSError) -> None:
    raise error


def _identity(path: str, *, follow: bool = False) -> tuple[int, int] | None:
    try:
        info = os.stat(path, follow_symlinks=follow)
    except OSError:
        return None
    return info.st_dev, info.st_ino


def _pattern(names: tuple[str, ...]) -> str:
    if names and names[-1] in _FOLDED_ITSELF:
        return ".git"
    for start, name in enumerate(names):
        if name in _FIRST_ANYWHERE or name in _FOLDED_ITSELF:
            head = (".git",) if name in _FOLDED_ITSELF else (name,)
            for length in (1, 2, 3):
                place = _FOLDED_ANYWHERE.get(head + names[start + 1 : start + length])
                if place:
                    return place
    return ""


def _homes(home: Path) -> list[str]:
    bases = {str(home), _real(home)}
    with suppress(KeyError):
        bases.add(pwd.getpwuid(os.geteuid()).pw_dir)
    return sorted(base.rstrip("/") for base in bases if base.startswith("/") and base != "/")


def _refused(path: str, place: str) -> Refused:
    message = f"{shown(path)} is never written by a run: it belongs to {shown(place)}."
    return Refused("refused.place", message, subject=path, hint="Change it yourself, outside Steward.")
