"""System: what the daemon says of its machine to a call that may ask, and how it ends a program for a person.

A cell sees a ``/proc`` of its own and no network, so these facts come from outside of it: a small closed set
(``facts.FACTS``), each a right of its own (``system.read:memory``). It promises: plain reads of ``/proc`` and ``/sys``,
nobody is contacted; of a program its name and what it uses, never its command line, its files or its surroundings. Only
the person's own programs are ended, never Steward's, and always the very process that was looked at (a pidfd).
"""

from kernel.system.facts import FACTS
from kernel.system.stopping import stop

__all__ = ["FACTS", "stop"]
