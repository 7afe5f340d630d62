"""Authoring: what the kernel does for a person who writes a skill.

    lock      the Python packages that it needs, with their sums (``locking``)
    test      its tests, in a cell, each tool call with the rights of its manifest (``testing``)
    dev       beside the installed skills while it is written: every save counts at once (``developing``)
    from-run  a run that went well, as a skill that calls the same tools (``from_run``)
    proposals what a person explained after a request failed, as an example for a skill (``proposals``)

New skills and findings about them need no kernel: ``desk`` hands them through to ``skills.authoring``. Nothing here
grants a right, and no line of a skill runs outside a cell.
"""
