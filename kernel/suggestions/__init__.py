"""Suggestions: what comes again is offered with what was seen, and a person takes it, changes it, puts it off or never
wants it again (decision 54).

Promises: nothing is kept or run without a yes; what others wrote is in no offer (``kernel.habits``); what was passed
over three times rests. Never: a right of its own. What a person takes is a macro, with its card and its rights as ever.
"""
