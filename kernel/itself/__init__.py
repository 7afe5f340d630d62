"""What the kernel does itself, with no skill: taking back, saying what it can do, a greeting, examining the machine.

``own_words`` recognises such a request; ``undoing``, ``introduce``, ``record`` and ``doctor`` answer it. ``examples``
and ``nearest`` choose the sentences of the tools that are shown.
"""
