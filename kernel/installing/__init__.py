"""Installing: a person brings a skill into the house, or another version of it, and decides on what it may ask for.

    source -> fetched into quarantine by a cell (``fetching``) -> opened and read, never run (``skills.packages``)
           -> shown: tools, rights with reasons, signer, what an update wants more (``reviewing``)
           -> a person's yes -> on the shelf, in the registry, in the ledger (``installed``)

What an update of Steward itself means for what was granted to its own skills is decided at the start (``renewed``).

It never runs code of a package, never grants a right by itself, and lets an update keep its grants only if the same key
signed it and it wants nothing more.
"""
