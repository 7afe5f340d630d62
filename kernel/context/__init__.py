"""Context: what is known when a sentence is read.

The person's places (``world``), what the installed tools' manifests teach (``toolbox``), the words and vectors learnt
from them (``mind``), and what was said and found before (``conversations``, as one ``dialogue``). Read-only for the
stages that use it.
"""
