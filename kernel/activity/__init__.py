"""What happened, as a person reads it: the ledger backwards, a page at a time, by kind and by run.

It reads and changes nothing. What was forgotten stands there as forgotten, and a private run without its words.
"""

from kernel.activity.reading import Activity, Page
from kernel.activity.sorts import SORTS

__all__ = ["SORTS", "Activity", "Page"]
