"""How well habits are seen, kept and foretold, beside baselines on the same data.

    python -m tests.benchmarks.habits --data DIR [--only ROW,..] [--no-publish]

``DIR`` holds a folder for each public set. ``sequences/bfcl/`` has ``base.json`` and ``base.answers.json``, BFCL's
multi-turn base, and ``functions/``, its descriptions of functions (``multi_turn_func_doc``); ``sequences/tau2/`` has
the tasks of ``airline.json``, ``retail.json`` and ``banking.json``. A row whose set is not there says so and counts as
short. Rows are independent: each is published when it is measured, with its day and the state of the code, and the
whole passes where all of them passed in one state (``tests.benchmarks.understanding.page``).
"""
