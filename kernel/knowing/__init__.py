"""What Steward knows: told by a person, read back in words, forgotten for good; over the graph of ``memory``.

``hearing`` reads a sentence that tells, asks or forgets; ``handling`` answers it inside a run; ``known`` is the same
for the command line and the page. The graph is opened by the first of them that needs it (``knowledge``).

It promises: nothing of the graph is imported before somebody needs it; a fact is written with its source and label;
what sources disagree on is shown and not settled; a forget is shown and asked first, always.
It never learns from what memory itself answered, and never extracts from a file inside the daemon.
"""
