"""Remembering: how much of a run is kept, and for how long.

Runs with thousands of values (``bulk``), days of retention (``retention``), and runs of which no word is kept
(``privacy``). What is written of a run is ``kernel.remember``.
"""
