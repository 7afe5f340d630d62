"""The kernel's own grammar for English and German: from text to tokens, typed spans, references and clause boundaries.

It promises that nothing is decided here: every stretch of a sentence is marked with everything that it may mean, and a
plan that explains all the words decides later. It is pure, linear in the length of the sentence up to small constants,
and never raises on any string.

It never contains a word of any skill: what tools call things comes in as a ``Lexicon``, read from their manifests.
Reading never invents a date in ordinary words ("you may open the door").
"""

from __future__ import annotations

from kernel.language.function_words import guess_language, is_function_word
from kernel.language.lexicon import Lexicon
from kernel.language.line import Found, Line
from kernel.language.tokens import tokenize, words_of

__all__ = ["Found", "Lexicon", "Line", "guess_language", "is_function_word", "tokenize", "words_of"]
