"""Serving: MCP servers kept at work behind the wall, and what a person does with them (decision 32).

    a call of a server's tool -> warm: the cell of its server, started where none runs -> cell: one question, one answer
                              -> results: the reply as a tool's result

A server runs in a cell of its own, with the rights that the calls of its tools were given and no others. One that
only reads, or reaches hosts, is kept for a while; one that changes folders lives for its call, in layers, so that what
it did is read as effects like a tool's. ``servers`` adds, reviews and removes; ``elicited`` asks the person what a
server asks.

It never starts a server outside a cell, never believes what one says of itself, and never decides a right.
"""
