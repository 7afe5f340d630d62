"""The commands of a person who writes skills. ``new``, ``lint`` and ``test`` need no daemon."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from kernel import BadRequest
from kernel.authoring import desk
from portal.cli.house import connected, list_rows, shown
from portal.cli.outcome import DENIED, FAILED, OK, USAGE, Failure, emit, tell
from portal.cli.words import one_line

View = Mapping[str, Any]


def new(name: str, folder: str, as_json: bool) -> int:
    """Write a new skill."""
    try:
        made = desk.new_skill(name, folder)
    except BadRequest as error:
        raise _failure(error) from error
    return shown(made, as_json, _print_new)


def _print_new(made: View) -> None:
    place = _near(made["folder"])
    for file in made["files"]:
        tell(_near(file))
    tell(f"Write it in {place}. Then: ./steward skills test {place}")
    tell(f"To try it while you write: ./steward skills dev {place}")


def lint(folder: str, as_json: bool) -> int:
    """Say what is wrong; an error is a failure, a warning is none."""
    found = desk.lint_skill(folder)
    shown(found, as_json, _print_lint)
    return FAILED if found["errors"] else OK


def _print_lint(found: View) -> None:
    _print_findings(found["findings"], found["folder"])
    if not found["findings"]:
        tell("Nothing is wrong with it.")
        return
    counts = ((found["errors"], "error", "errors"), (found["warnings"], "warning", "warnings"))
    tell(", ".join(f"{count} {one if count == 1 else many}" for count, one, many in counts if count))


def _print_findings(findings: Iterable[View], folder: str) -> None:
    for one in findings:
        place = _near(os.path.normpath(os.path.join(folder, one["file"])))
        tell(f"{place}:{one['line']}: {one['severity']}: {one_line(one['message'], 300)} [{one['code']}]")
        tell(f"    {one_line(one['hint'], 300)}")


def lock(folder: str, as_json: bool) -> int:
    """Write the lock."""
    try:
        made = desk.lock_skill(folder)
    except BadRequest as error:
        raise _failure(error) from error
    return shown(made, as_json, _print_lock)


def _print_lock(made: View) -> None:
    for one in made["packages"]:
        files = "1 wheel" if one["files"] == 1 else f"{one['files']} wheels"
        tell(f"{one_line(one['name'], 80)} {one['version']} ({files})")
    tell(f"{_near(made['file'])} names them, from {one_line(made['from'], 120)}.")


def run_tests(folder: str, as_json: bool) -> int:
    """Run the tests; one that fails is a failure."""
    try:
        report = desk.run_tests(folder)
    except BadRequest as error:
        raise _failure(error) from error
    shown(report, as_json, _print_report)
    return OK if report["passed"] else FAILED


def _print_report(report: View) -> None:
    for one in report["tests"]:
        tell(f"{one['outcome']:<8} {one_line(one['test'], 120)}  {one['seconds']:.2f} s")
        if one["why"]:
            tell(f"         {one_line(one['why'], 300)}")
    if not report["passed"]:
        tell(report["output"].rstrip())
    for tool in report["uncalled"]:
        tell(f"{tool} was called by no test.")
    rights = [(one["tool"], one["right"], _use_of(one)) for one in report["rights"]]
    if rights:
        list_rows(("tool", "right", "in the tests"), rights, "")
    passed = sum(one["outcome"] == "passed" for one in report["tests"])
    tell(f"{passed} of {len(report['tests'])} passed at {report['level']} in {report['wall_s']} s.")


def _use_of(right: View) -> str:
    if not right["tried"]:
        return "not tried here"
    return "used" if right["used"] else "NOT used" if right["called"] else "tool not called"


def dev(folder: str, as_json: bool) -> int:
    """Follow a skill while it is written."""
    loaded = False
    try:
        with connected() as client:
            for seen in client.write_skill(folder, os.getcwd()):
                loaded = loaded or seen["kind"] == "dev.loaded"
                _show_seen(seen, folder, as_json)
    except KeyboardInterrupt:
        pass
    if not as_json:
        tell("It is gone again, and so is what was granted to it.")
    return OK if loaded else FAILED


def _show_seen(seen: View, folder: str, as_json: bool) -> None:
    if as_json:
        emit(dict(seen))
    elif seen["kind"] == "dev.failed":
        tell(f"{one_line(seen['message'], 500)}")
        tell(f"    {one_line(seen['hint'], 300)}")
        tell(f"Version {seen['still']} as it was before still counts." if seen["still"] else "Nothing counts yet.")
    else:
        tools = ", ".join(tool["id"] for tool in seen["tools"])
        tell(f"{seen['skill']} {seen['version']} ({seen['digest'][:12]}) counts now: {tools}")
        _print_findings(seen["findings"], folder)


def from_run(run: str, name: str, folder: str, *, as_json: bool, yes: bool) -> int:
    """Draft a skill from a run; into a folder it is written, else it goes through the review of any package."""
    import tempfile

    from portal.cli import skills

    if folder:
        with connected() as client:
            made = client.draft_skill(run, name, os.path.abspath(os.path.expanduser(folder)))
        return shown(made, as_json, _print_drafted)
    with tempfile.TemporaryDirectory(prefix="steward-draft-") as room:
        with connected() as client:
            made = client.draft_skill(run, name, room)
        if not as_json:
            _print_drafted(made)
        return skills.install(made["folder"], as_json=as_json, yes=yes, made_here=True)


def _print_drafted(made: View) -> None:
    tell(f"{made['skill']} does what you asked with “{one_line(made['text'], 200)}”:")
    for step in made["steps"]:
        tell(f"  {one_line(step, 160)}")
    for parameter in made["parameters"]:
        tell(f"  {parameter['name']}: {one_line(parameter['said'], 80)}, or what you say instead")


def proposals(adopt: str, drop: str, as_json: bool) -> int:
    """List proposals, adopt one or drop one."""
    if adopt and drop:
        raise Failure("usage", "Adopt one or drop one, not both.", "./steward skills proposals", USAGE)
    with connected() as client:
        if drop:
            client.discard_proposal(drop)
            return shown({"dropped": drop}, as_json, lambda _: tell(f"{drop} is dropped."))
        if adopt:
            done = client.adopt_proposal(adopt)
            shown(done, as_json, _print_adopted)
            return OK if done["adopted"] else DENIED
        found = client.proposals()
    rows = [(one["proposal"], one["skill"], one["what"], f"“{one_line(one['text'], 70)}”") for one in found]
    nothing = (
        "Nothing is proposed. What you explain after a request failed may be, and what you answer alike each time."
    )
    return shown({"proposals": found}, as_json, lambda _: list_rows(("", "skill", "adds", ""), rows, nothing))


def _print_adopted(done: View) -> None:
    if done["adopted"]:
        tell(f"{done['skill']} {done['version']} has it now. Back: ./steward skills rollback {done['skill']}")
        return
    tell(f"It was not adopted: {one_line(done['why'], 300)}")


def _near(path: str) -> str:
    """Return a path as it is shortest from here."""
    here = Path.cwd()
    return os.path.relpath(path, here) if Path(path).is_relative_to(here) else path


def _failure(error: BadRequest) -> Failure:
    return Failure(error.code, str(error), error.hint, USAGE)
