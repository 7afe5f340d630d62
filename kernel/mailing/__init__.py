"""Mail on its way out of a run: asked about, written down, handed over once, and where nobody knows, asked about again.

    described   a tool says what is to be sent (``describing``); nothing has left, and nothing will by itself
    prepared    composed with its Message-ID, kept in the outbox, in the ledger; a person sees it and says yes
    handing     in the ledger, on disk, before the first byte of the text goes to the server
    accepted    in the ledger; or refused, which is as certain
    unclear     handing and nothing after it: looked for in the folder of sent mail, else a person is asked

It promises: no letter leaves that a person did not see as it leaves, but where their request came with ``--yes`` and
names every address itself, whole; after a crash at any moment one of these is what
the ledger says, and only what was not begun, or what a person says, is sent (again). It never guesses.
"""
