"""The decision point: who may do what, decided over the policy tree.

Give it a principal (a call of a tool of a skill in a run) and a right, and it returns a decision that names the node
that decided, the reason, and the one command that would change it. The tree is an immutable value; grants are written
to the ledger by the kernel and folded back into it.

It promises: absent means deny at the ceilings and ask at a skill; a deny anywhere wins; a grant serves only the skill
content, run and time it was given for. It never enforces anything and never asks anybody.
"""

from permissions.policy.ceilings import default_policy
from permissions.policy.grants import Bound, Grant, Origin, Rule, new_grant
from permissions.policy.private import private_places
from permissions.policy.scopes import covers, holds_path, parse_right
from permissions.policy.tree import Policy

__all__ = [
    "Bound",
    "Grant",
    "Origin",
    "Policy",
    "Rule",
    "covers",
    "default_policy",
    "holds_path",
    "new_grant",
    "parse_right",
    "private_places",
]
