"""``kernels``: a command becomes a sentence; a sentence that would be planned as anything else is not sent."""

from __future__ import annotations

import os
import re

from portal.cli.asking import ask, working_directory
from portal.cli.daemon import ensure_running
from portal.cli.outcome import Failure, refuse
from portal.client import Client
from portal.locate import find_places

_BUDGET = re.compile(r"(\d{1,6})\s*(s|sec|seconds?|m|min|minutes?)?")
_NAME = re.compile(r"[A-Za-z_]\w{0,80}")
_SHAPES = re.compile(r"[\w=:<,.x ]{1,400}")


def optimize(file: str, function: str, shapes: str, budget: str, *, as_json: bool, yes: bool) -> int:
    """Have a kernel made."""
    said = f"optimize kernel{_function(function)} in {_path(file)} for {_seconds(budget)} seconds{_shapes(shapes)}"
    return _asked("optimize", said, as_json, yes)


def bench(file: str, function: str, shapes: str, *, as_json: bool, yes: bool) -> int:
    """Have a model profiled."""
    what = f"PyTorch module{_function(function)}" if function else "model"
    return _asked("bench", f"profile the {what} in {_path(file)}{_shapes(shapes)}", as_json, yes)


def show(kernel: str, *, as_json: bool, yes: bool) -> int:
    """Have a kernel's certificate told."""
    return _asked("show", f"show what the kernel in {_folder(kernel)} gained", as_json, yes)


def replay(kernel: str, against: str, *, as_json: bool, yes: bool) -> int:
    """Have a kernel judged and measured again."""
    rest = f" against {_path(against)}" if against else ""
    return _asked("replay", f"replay the kernel in {_folder(kernel)}{rest}", as_json, yes)


def apply(kernel: str, file: str, function: str, shapes: str, *, as_json: bool, yes: bool) -> int:
    """Have a kernel put into a model."""
    whom = f"{_function(function)}" if function else " the model"
    said = f"apply the kernel in {_folder(kernel)} to{whom} in {_path(file)}{_shapes(shapes)}"
    return _asked("apply", said, as_json, yes)


def export(*, as_json: bool, yes: bool) -> int:
    """Have what was learned written into a file."""
    return _asked("export", "export what was learned about kernels", as_json, yes)


def doctor(*, as_json: bool, yes: bool) -> int:
    """Have this machine looked at."""
    return _asked("doctor", "what does this machine have for making kernels?", as_json, yes)


def _asked(tool: str, sentence: str, as_json: bool, yes: bool) -> int:
    """Send a sentence, if the plan for it is the one call that is meant."""
    places = find_places()
    ensure_running(places)
    with Client(places) as client:
        view = client.draft(sentence, cwd=working_directory())
    tasks = (view.get("plan") or {}).get("tasks") or []
    if view.get("plan") and [one["tool"] for one in tasks] != [f"kernels.{tool}"]:
        raise Failure("kernels.plan", f"This would not be kernels {tool}, so it was not done: {sentence}",
                      'Say it in your own words: ./steward ask "..."')  # fmt: skip
    return ask(sentence, f"c-kernels-{os.getpid()}", as_json=as_json, yes=yes)


def _path(given: str) -> str:
    """Return a path as a sentence holds it: absolute, since a command speaks of where it was given."""
    place = os.path.abspath(os.path.expanduser(given))
    if not os.path.isfile(place):
        refuse(f"There is no file {given}.", "Give the path of a file that is there.")
    return _said(place, given)


def _said(place: str, given: str) -> str:
    if '"' in place or "\n" in place:
        refuse(f"{given} cannot be said in a sentence.", "Rename it: no quotes, no line breaks.")
    return f'"{place}"' if " " in place else place


def _folder(given: str) -> str:
    home = os.path.expanduser(f"~/Kernels/{given}")
    place = home if "/" not in given and os.path.isdir(home) else os.path.abspath(os.path.expanduser(given))
    if not given or not os.path.isdir(place):
        hint = "Give its folder, or its name in ~/Kernels. Make one: ./steward kernels optimize FILE"
        refuse(f"There is no kernel {given}.", hint)
    return _said(place, given)


def _function(name: str) -> str:
    if name and not _NAME.fullmatch(name):
        refuse(f"{name!r} is no name of a function.", "Give the name as it stands in the file.")
    return f" {name}" if name else ""


def _shapes(shapes: str) -> str:
    if shapes and not _SHAPES.fullmatch(shapes):
        refuse(f"{shapes!r} are no shapes.", "Write 4096x4096,4096, or x=64x128:bfloat16.")
    return f" with shapes `{shapes}`" if shapes else ""


def _seconds(budget: str) -> int:
    found = _BUDGET.fullmatch(budget.strip().lower())
    if not found or not int(found[1]):
        refuse(f"{budget!r} is no length of time to search for.", "Write 60s or 2m.")
    return int(found[1]) * (60 if (found[2] or "s").startswith("m") else 1)
