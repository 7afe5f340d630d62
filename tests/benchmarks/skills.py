"""Skills of others: how many SKILL.md under a path are read, how long one takes, and whether the right one is found.

Loaded is a skill that the registry takes, with something that it says of itself; installed would be one against which
the review of packages finds nothing. For finding, every skill whose description has two sentences or more gives one of
them up: it is asked for, and stands nowhere on the shelf. Of copies (equal names) the first counts. The shelf and the
weights are those of ``./steward skills search`` (two of them, chosen on the set below); BM25 is its column of words
alone, over the same documents. The interval of the difference is a paired bootstrap.

python -m tests.benchmarks.skills --data PATH [--no-publish]
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import time
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from kernel.installing.searching import Finder, document_of_skill
from kernel.ranking import Document, Question, shelf_of
from kernel.ranking.documents import sentences
from kernel.ranking.model import Encode
from skills.errors import SkillError
from skills.loading import load_skill
from skills.model import Skill
from skills.packages import opened
from tests.benchmarks.machine import median, publish, quantile, result, table
from tests.benchmarks.understanding.compare import figures, interval, place
from tests.benchmarks.understanding.kept import Kept

LEAST = {"load_rate": 0.98}
FEWEST_WORDS = 4
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True)
class Read:
    """What became of one file: the skill, or why there is none; milliseconds; why the review would not take it."""

    file: Path
    skill: Skill | None
    ms: float
    why: str = ""
    not_installed: str = ""


def read_all(data: Path) -> list[Read]:
    """Read every skill below ``data``."""
    return [_read(file) for file in sorted(data.rglob("SKILL.md")) if file.is_file()]


def _read(file: Path) -> Read:
    began = time.perf_counter()
    try:
        skill = load_skill(file.parent)
    except SkillError as error:
        return Read(file, None, (time.perf_counter() - began) * 1000, error.code, error.code)
    ms = (time.perf_counter() - began) * 1000
    if not skill.description:
        return Read(file, None, ms, "no description", "no description")
    try:
        opened(file.parent, ())
    except SkillError as error:
        return Read(file, skill, ms, "", error.code)
    return Read(file, skill, ms)


@dataclass(frozen=True)
class Asked:
    """A sentence that was taken out of a skill's description."""

    text: str
    skill: str


def held_out(skills: Sequence[Skill]) -> tuple[list[Document], list[Asked]]:
    """Return the documents without the sentences that are asked for, and these."""
    documents, asked = [], []
    for skill in {str(one.id): one for one in reversed(skills)}.values():
        said = sentences(skill.description)
        long = [at for at, one in enumerate(said) if len(_WORD.findall(one)) >= FEWEST_WORDS]
        if len(said) < 2 or not long:
            documents.append(document_of_skill(skill))
            continue
        out = long[zlib.crc32(skill.id.encode()) % len(long)]
        asked.append(Asked(said[out], skill.id))
        left = document_of_skill(replace(skill, description=" ".join((*said[:out], *said[out + 1 :]))))
        documents.append(replace(left, around=" ".join(left.around.split()).replace(said[out], "")))
    return documents, asked


def places(documents: Sequence[Document], asked: Sequence[Asked], encode: Encode | None) -> tuple[list[int], list[int]]:
    """Return the place of the right skill for each sentence: by the search, and by BM25 alone."""
    finder, shelf = Finder(documents, encode), shelf_of(documents)
    ours, words = [], []
    for one in asked:
        ids, scores, _ = finder.scores(one.text)
        ours.append(place(scores, ids.index(one.skill)))
        found = shelf.look(Question(one.text))
        words.append(place(found.columns["text"], found.ids.index(one.skill)))
    return ours, words


def measure(data: Path, encode: Encode | None) -> tuple[dict[str, float], list[Read]]:
    """Return every figure, and what became of every file."""
    read = read_all(data)
    if not read:
        raise SystemExit(
            f"There is no SKILL.md below {data}. Give a folder that holds some: make bench-skills DATA=path"
        )
    skills = [one.skill for one in read if one.skill is not None]
    documents, asked = held_out(skills)
    times = [one.ms for one in read]
    told = {
        "files": float(len(read)), "load_rate": len(skills) / len(read), "ms_per_file": median(times),
        "p95_ms_per_file": quantile(times, 0.95),
        "install_rate": sum(not one.not_installed for one in read) / len(read),
        "skills": float(len(documents)), "asked": float(len(asked)),
    }  # fmt: skip
    if asked:
        ours, words = places(documents, asked, encode)
        low, high = interval(*([float(at == 0) for at in some] for some in (ours, words)))
        told |= {name: value for name, value in figures(ours).items() if name != "ndcg10"}
        told |= {f"bm25_{name}": value for name, value in figures(words).items() if name != "ndcg10"}
        told |= {"gain_low": low, "gain_high": high}
    return told, read


def rows(told: dict[str, float], read: Sequence[Read], data: Path) -> list[str]:
    """The page."""
    places = Counter(one.file.relative_to(data).parts[0] for one in read)
    lines = ["", "From " + ", ".join(f"{name} ({count})" for name, count in sorted(places.items())) + "."]
    lines += ["", *table(told)]
    reasons = {"Not loaded": Counter(one.why for one in read if one.why)}
    reasons["Not installed as they are"] = Counter(one.not_installed for one in read if one.not_installed)
    for title, counts in reasons.items():
        said = ", ".join(f"{why} {count}" for why, count in counts.most_common()) or "none"
        lines += ["", f"{title}: {said}."]
    return lines


def main() -> int:
    """Measure, publish, and close with one RESULT line."""
    wish = argparse.ArgumentParser()
    wish.add_argument("--data", type=Path, default=os.environ.get("DATA") or None)
    wish.add_argument("--no-publish", action="store_true")
    options = wish.parse_args()
    if options.data is None or not options.data.is_dir():
        raise SystemExit("Give a folder with skills: make bench-skills DATA=path")
    told, read = measure(options.data, Kept().encode)
    told = {name: round(value, 4) for name, value in told.items()}
    if not options.no_publish:
        publish(
            "bench-skills",
            "Skills of others",
            [*(__doc__ or "").strip().splitlines()[:-2], *rows(told, read, options.data)],
            told,
        )
    missed = {"load_missed": round(max(0.0, LEAST["load_rate"] - told["load_rate"]), 4),
              "gain_short": round(max(0.0, -told.get("gain_low", 0.0)), 4),
              "r1_behind_bm25": round(max(0.0, told.get("bm25_r1", 0.0) - told.get("r1", 0.0)), 4)}  # fmt: skip
    return result("bench-skills", told | missed, dict.fromkeys(missed, 0.0))


if __name__ == "__main__":
    sys.exit(main())
