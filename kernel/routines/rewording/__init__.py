"""What a rule asks for, in the words of an ordinary request: what is planned is one of these wordings.

``wordings`` puts them in their order, the clearest first; every other file knows one way in which a rule is said
otherwise than a request ("let me know", "off it goes to", "on the same day", "another one").
"""

from kernel.routines.rewording.another import adds_another
from kernel.routines.rewording.declaring import as_happening
from kernel.routines.rewording.persons import whom_to_ask_about
from kernel.routines.rewording.staying import as_either
from kernel.routines.rewording.wished_tasks import as_task
from kernel.routines.rewording.wishes import wants_a_reminder, wants_to_see
from kernel.routines.rewording.wordings import Rewording, Wording

__all__ = [
    "Rewording",
    "Wording",
    "adds_another",
    "as_either",
    "as_happening",
    "as_task",
    "wants_a_reminder",
    "wants_to_see",
    "whom_to_ask_about",
]
