"""MCP: Steward's tools, memory and ``ask`` for other programs, each in its own name, over HTTP and over a command.

It promises: nobody but a client with a token of its own (or the person's own socket) gets in; a client sees what it was
offered and nothing else; a card is answered by the person, never here; nothing of the protocol's library is loaded
before somebody asks. It never decides a right: the kernel does, in the client's name.
"""
