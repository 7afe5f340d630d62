"""MCP: a server of the Model Context Protocol as a skill (decision 32).

    skills/<id>/SKILL.md, steward.toml with [server], tools.json     what a person reviewed, bound by the folder's hash

``listing`` reads what a server says of itself, which nobody believes; ``pins`` keeps it and tells what has changed;
``mapping`` makes typed parameters of JSON schemas; ``loading`` makes tools of the folder; ``writing`` makes the folder.
``worker`` is what runs in a server's cell, beside the server: it alone imports the protocol's library, so whatever a
server sends is taken apart behind the wall.

It never starts a server, never grants a right, and never lowers an effect because a server says so.
"""
