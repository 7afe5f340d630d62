"""The mirror: sentences of one to three steps made of the manifests alone, and what the planner makes of them.

    python -m tests.benchmarks.mirror [--count 1000] [--seed 1] [--untaught] [--examples SKILL] [--write]

``--untaught`` says every third example, and teaches the planner only the others: phrasing nobody taught it. It is what
figures for new phrasing can be hoped to look like; the plain table shows where a construct as such is not understood.
``--examples`` lists the examples of one skill that are misread beside all the others. Synthetic sentences say too much
good of a planner: they show faults, they are no measure of it (docs/results/golden.md is one).
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from kernel.context.mind import Mind
from kernel.context.toolbox import Toolbox
from kernel.language.lexicon import Lexicon
from kernel.opening import BUILTIN
from kernel.schooling import Mirror, School, divided, misread
from skills import Registry
from skills.model import Tool

_WRITTEN = Path(__file__).parents[2] / "docs" / "results" / "mirror.md"
_HEAD = """# Mirror

{count} sentences made of the examples of the built-in skills and of construct templates, seed {seed}, read without the
sentence encoder. *Other values*: the tools that were meant, with something else in them. Phrases in longer sentences
are understood when they stand alone. Written by `make mirror`.

"""


def _mind(tools: tuple[Tool, ...]) -> Mind:
    return Mind(Lexicon.from_tools(tools), Toolbox.build(tools))


def _mirrored(count: int, seed: int, untaught: bool, home: Path) -> Mirror:
    tools = Registry([BUILTIN]).tools()
    taught, said = divided(tools) if untaught else (tools, tools)
    school = School(_mind(taught), home, seed=seed, vetted=not untaught, phrased=said)
    mirror = Mirror()
    mirror.read(school.lessons(count), school.reader.read)
    return mirror


def _examples(skill: str, home: Path) -> None:
    tools = Registry([BUILTIN]).tools()
    school = School(_mind(tools), home)
    for one in misread(school, [tool for tool in tools if tool.skill == skill]):
        print(f"{one.tool} {one.language} {one.example!r}: {one.verdict} {' '.join(one.instead)} ({one.said})")


def main() -> None:
    """Print the table, the worst tools, and with ``--write`` keep it in docs/results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--untaught", action="store_true")
    parser.add_argument("--examples", default="")
    parser.add_argument("--write", action="store_true")
    told = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if told.examples:
            _examples(told.examples, Path(folder))
            return
        began = time.perf_counter()
        mirror = _mirrored(told.count, told.seed, told.untaught, Path(folder))
    print(mirror.table(), "", *mirror.worst(), sep="\n")
    print(f"{time.perf_counter() - began:.0f} s")
    if told.write:
        _WRITTEN.write_text(_HEAD.format(count=told.count, seed=told.seed) + mirror.table() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
