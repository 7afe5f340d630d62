"""Schooling: sentences that the manifests make possible, with what they mean, and how the planner does on them.

From the examples of the installed tools alone, with values marked, and from the forms in which people join requests
(``kernel/language/joining_words``), ``School`` makes any number of lessons in English and German; the same seed makes
the same ones. ``Mirror`` has the planner read them: which constructs, tools and pairs it gets right, asks about,
declines or misplans. A skill that is installed is in the lessons at once.

It promises: no word of any tool stands here. It never runs a tool, and nothing of it is needed to plan a sentence.
"""

from kernel.schooling.constructs import CONSTRUCTS
from kernel.schooling.mirror import Mirror
from kernel.schooling.misread import Misread, misread
from kernel.schooling.model import Lesson, Verdict
from kernel.schooling.school import School, divided

__all__ = ["CONSTRUCTS", "Lesson", "Mirror", "Misread", "School", "Verdict", "divided", "misread"]
