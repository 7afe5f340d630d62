"""One commit of somebody's git repository, brought into a cell and packed as it was committed.

What this stops: programs that a repository, or the machine's settings for git, would have run (hooks, filters,
credential helpers, ``ext::``, ``ssh``, modules of its own); files that are not the bytes that were committed (end of
lines, ``export-subst``); a name that reads as an option; a commit that is not the one that was named.
What it does not: survive a bug in git; so it belongs into a cell, which sees the repository and its one host alone.
Source: git-archive(1), gitattributes(5) (``info/attributes`` goes before all others), git-config(1) ``protocol.allow``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from skills.packages.authorities import believed
from skills.sdk import Context, ToolError

_ENVIRONMENT = ("GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=false",
                "GIT_NO_LAZY_FETCH=1", "GIT_LFS_SKIP_SMUDGE=1", "LC_ALL=C.UTF-8")  # fmt: skip
_SETTINGS = ("safe.directory=*", "core.hooksPath=/dev/null", "core.fsmonitor=false", "core.attributesFile=/dev/null",
             "core.autocrlf=false", "credential.helper=", "submodule.recurse=false", "gc.auto=0",
             "maintenance.auto=false", "protocol.allow=never")  # fmt: skip
_AS_COMMITTED = "* -text !filter !ident !export-ignore !export-subst !working-tree-encoding\n"
_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_MODULE = "160000"


class Git:
    """A repository of this call's own, empty at first, which fetches over one transport: ``https`` or ``file``."""

    def __init__(self, ctx: Context, transport: str, authority: str = "") -> None:
        """``authority``, as PEM, is believed beside the machine's."""
        self._ctx, self._room = ctx, ctx.workroom("clone")
        folder = Path(self._room.path)
        self._words = ["env", *_ENVIRONMENT, "git", "--literal-pathspecs"]
        for one in (*_SETTINGS, f"protocol.{transport}.allow=always", *_settings(folder, authority)):
            self._words += ["-c", one]
        self._run("init", "--quiet", "--template=", ".")
        (folder / ".git" / "info").mkdir(exist_ok=True)
        (folder / ".git" / "info" / "attributes").write_text(_AS_COMMITTED)
        self.packed = folder / "package.tar"

    def fetched(self, place: str, ref: str) -> str:
        """Fetch what ``ref`` leads to, without its past, and return its commit. Raises ToolError."""
        self._run("fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules", "--", place, ref)
        commit = self._run("rev-parse", "--verify", "--quiet", "FETCH_HEAD^{commit}").strip()
        if _COMMIT.fullmatch(ref) and commit != ref:
            raise ToolError(f"{place} gave {commit} for the commit {ref}.", hint="Name the commit itself, in full.",
                            de=f"{place} gab {commit} für den Commit {ref}.")  # fmt: skip
        return commit

    def files(self, part: str) -> Mapping[str, str]:
        """Return the kind of every file at or below ``part``, by its path; all files where there is none."""
        below = self._listed(part) if part else {}
        return below or self._listed("")

    def pack(self, paths: Sequence[str], files: Mapping[str, str]) -> None:
        """Write ``paths`` of the commit, byte for byte, into ``packed``; "" is all of it. Raises ToolError."""
        for path, kind in files.items():
            if kind == _MODULE and any(one in ("", path) or path.startswith(f"{one}/") for one in paths):
                raise ToolError(f"{path} is another repository (a submodule); only plain files are taken.",
                                hint="Give that repository itself, or the folder of a skill: …#skills/moon",
                                de=f"{path} ist ein anderes Repositorium (ein Submodul).")  # fmt: skip
        given = [one for one in paths if one]
        self._run("archive", "--format=tar", f"--output={self.packed.name}", "--", "FETCH_HEAD", *given)

    def _listed(self, part: str) -> Mapping[str, str]:
        said = self._run("ls-tree", "-r", "-z", "--full-tree", "FETCH_HEAD", "--", *([part] if part else []))
        rows = (row.partition("\t") for row in said.split("\0") if row)
        return {path: about.partition(" ")[0] for about, _, path in rows}

    def _run(self, *words: str) -> str:
        done = self._ctx.run([*self._words, *words], cwd=self._room)
        if done.status == 0 and not done.cut:
            return done.stdout
        said = [one for one in done.stderr.splitlines() if one.startswith(("fatal:", "error:"))]
        said = said or done.stderr.strip().splitlines()[-1:]
        why = (said or ["it holds too many files" if done.cut else "nothing was said"])[0][:300]
        raise ToolError(f"git {words[0]} did not work: {why}",
                        hint="Look at the place and the name; a commit is written in full, 40 characters.",
                        de=f"git {words[0]} gelang nicht: {why}")  # fmt: skip


def _settings(folder: Path, authority: str) -> list[str]:
    """Return the setting that lets git believe an authority of the person's own beside those of the machine."""
    bundle = believed(folder, authority)
    return [f"http.sslCAInfo={bundle}"] if bundle else []
