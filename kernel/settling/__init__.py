"""What is to be kept for later, a rule or a definition, and left something open: the question and its answers.

A question is written down with what it is about (``asked``); the next sentence of the conversation may answer it, and
the whole is planned again with every answer so far (``answers``).
"""
