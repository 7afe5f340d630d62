"""What the kernel does itself, with no skill: taking back, saying what it can do, a greeting, examining the machine.

``own_words`` recognises such a request; ``undoing``, ``introduce`` and ``doctor`` answer it.
"""
