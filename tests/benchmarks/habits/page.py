"""What stands at the head of the page of habits, and the rooms whose code its rows measure."""

from __future__ import annotations

from tests.benchmarks.understanding.page import Book

HABITS = Book(
    "bench-habits",
    "Habits: seen, kept and foretold",
    (
        "Written by `make bench-habits DATA=folder`; a row measured alone (`--only`) takes its own place only.",
        "A state is a digest of the code that was measured.",
    ),
    ("kernel", "memory", "tests/benchmarks/habits"),
)
