"""Loading a skill's code inside a cell: always from its source, under a name of its own.

What this stops: a skill's module shadowing one of ours or a standard one (its package is ``_skill_<id>``, and nothing
is put on ``sys.path``); a compiled file beside the source running instead of the source whose hash was granted (for
skills that come with Steward: only one of this very source, from where the compiled forms of Steward itself lie).
What it does not: keep the code from doing harm; by the time it is loaded the cell is confined.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
import os
import re
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib.abc import InspectLoader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import CodeType, ModuleType

from skills.compiled import Compiled, keep_compiled, read_compiled

_PREFIX = "_skill_"
_BODY = re.compile(rb"^(?:async def|def|class|@)", re.MULTILINE)

_PATIENCE_S = 10
_compiled: Compiled = {}


def precompile(folder: Path) -> None:
    """Compile (never run) every module of the skills in ``folder``, so that the calls forked later need not."""
    for path in sorted(folder.glob("*/*.py")):
        try:
            _code(str(path))
        except (OSError, SyntaxError, ValueError):  # said when the registry reads it
            continue


def precompile_ours(folder: Path, kept: Path) -> None:
    """``precompile`` for skills that come with Steward; what an earlier worker compiled is read from ``kept``."""
    known = read_compiled(kept)
    _compiled.update(known)
    precompile(folder)
    ours = {path: made for path, made in _compiled.items() if Path(path).is_relative_to(folder)}
    if ours != known:
        keep_compiled(kept, ours)


def precompile_foreign(folder: Path) -> None:
    """``precompile`` for skills of others, unless their source brings the compiler down or keeps it too long.

    A child tries first: what happens to it happens to no call. Only for a process with a single thread.
    """
    if not any(folder.glob("*/*.py")):
        return
    child = os.fork()
    if not child:
        code = 1
        try:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.alarm(_PATIENCE_S)
            precompile(folder)
            code = 0
        finally:
            os._exit(code)
    if os.waitpid(child, 0)[1] == 0:
        precompile(folder)


def import_ahead(folder: Path) -> None:
    """Import what the skills in ``folder`` import from elsewhere when they are loaded; their own code is not run.

    Only the modules' first level counts, before their first function or class: what a tool imports when it is called is
    heavy, and stays its own.
    """
    for path in sorted(folder.glob("*/*.py")):
        with suppress(OSError, SyntaxError, ValueError):
            for name in _imported(ast.parse(_head(path.read_bytes()))):
                with suppress(ImportError):  # said by the call that needs it
                    importlib.import_module(name)


def _head(source: bytes) -> bytes:
    """Return what stands before the first function or class: a tree of all of it takes ten times as long to make."""
    body = _BODY.search(source)
    return source[: body.start()] if body else source


def _imported(module: ast.Module) -> Iterator[str]:
    for line in module.body:
        if isinstance(line, ast.Import):
            yield from (alias.name for alias in line.names)
        elif isinstance(line, ast.ImportFrom) and line.level == 0 and line.module:
            yield line.module


def unload(folder: Path) -> None:
    """Forget what ``load`` loaded from this folder."""
    for finder in (each for each in sys.meta_path if isinstance(each, _Finder)):
        _forget(_name_of(folder))
        finder.folders.pop(_name_of(folder), None)


def load(folder: Path) -> ModuleType:
    """Load ``skill.py`` of a skill's folder as the package ``_skill_<id>``; its siblings are ``_skill_<id>.<name>``."""
    finder = next((each for each in sys.meta_path if isinstance(each, _Finder)), None)
    if finder is None:
        finder = _Finder()
        sys.meta_path.insert(0, finder)
    name = _name_of(folder)
    if finder.folders.get(name) != folder:
        if name in finder.folders:
            _forget(name)
        finder.folders[name] = folder
    return sys.modules.get(name) or _run(finder, name)


def _run(finder: _Finder, name: str) -> ModuleType:
    """Import a skill's package from where it is known to be; asking the importers in turn takes as long as running it.

    Raises ModuleNotFoundError, and what its code raises.
    """
    spec = finder.find_spec(name, None)
    if spec is None or spec.loader is None:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except BaseException:
        sys.modules.pop(name, None)
        raise
    return sys.modules.get(name, module)  # a module may put something else in its place


def _name_of(folder: Path) -> str:
    return _PREFIX + folder.name.replace("-", "_")


def _forget(name: str) -> None:
    for loaded in [each for each in sys.modules if each == name or each.startswith(f"{name}.")]:
        del sys.modules[loaded]


def _code(path: str) -> CodeType:
    with open(path, "rb") as file:
        source = file.read()
    known = _compiled.get(path)
    if known is None or known[0] != source:
        known = (source, compile(source, path, "exec", dont_inherit=True))
        _compiled[path] = known
    return known[1]


class _Source(InspectLoader):
    """Runs one source file as one module."""

    def __init__(self, path: Path, *, package: bool) -> None:
        self._path = str(path)
        self._package = package

    def get_code(self, fullname: str) -> CodeType:
        return _code(self._path)

    def get_source(self, fullname: str) -> str:
        return Path(self._path).read_text(encoding="utf-8")

    def is_package(self, fullname: str) -> bool:
        return self._package


class _Finder(MetaPathFinder):
    """Finds ``_skill_<id>`` and its siblings in the skill's folder, and nothing else."""

    def __init__(self) -> None:
        self.folders: dict[str, Path] = {}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        top, _, rest = fullname.partition(".")
        folder = self.folders.get(top)
        if folder is None or "." in rest:
            return None
        file = folder / f"{rest or 'skill'}.py"
        if not file.is_file():
            return None
        loader = _Source(file, package=not rest)
        return importlib.util.spec_from_file_location(
            fullname, file, loader=loader, submodule_search_locations=None if rest else []
        )
