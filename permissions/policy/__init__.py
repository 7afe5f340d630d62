"""The decision point: who may do what, decided over the policy tree.

Give it a principal (a call of a tool of a skill in a run) and a right, and it returns a decision that names the node
that decided, the reason, and the one command that would change it. The tree is an immutable value; grants are written
to the ledger by the kernel and folded back into it.

It promises: absent means deny at the ceilings and ask at a skill; a deny anywhere wins; a grant serves only the skill
content, run and time it was given for. It never enforces anything and never asks anybody.
"""

from permissions.policy.budget import Budgets, Reservation, used_up
from permissions.policy.ceilings import default_policy
from permissions.policy.clock import SteadyClock
from permissions.policy.controllers import CONTROLLERS, amount_words, checked_meter, parse_amount
from permissions.policy.grants import PERSON, Bound, Grant, Origin, Rule, new_grant, right_from_json, right_to_json
from permissions.policy.held import Places
from permissions.policy.meet import intersection, normal
from permissions.policy.node import CLIENT, OWNERS, ROUTINE, node_name, program_of
from permissions.policy.private import private_places
from permissions.policy.scopes import covers, holds_path, parse_right
from permissions.policy.tree import OWN_FOLDER, Policy, node_path, path_of, way_to
from permissions.policy.why import explain, explain_amount, for_node

__all__ = [
    "CLIENT",
    "CONTROLLERS",
    "OWNERS",
    "OWN_FOLDER",
    "PERSON",
    "ROUTINE",
    "Bound",
    "Budgets",
    "Grant",
    "Origin",
    "Places",
    "Policy",
    "Reservation",
    "Rule",
    "SteadyClock",
    "amount_words",
    "checked_meter",
    "covers",
    "default_policy",
    "explain",
    "explain_amount",
    "for_node",
    "holds_path",
    "intersection",
    "new_grant",
    "node_name",
    "node_path",
    "normal",
    "parse_amount",
    "parse_right",
    "path_of",
    "private_places",
    "program_of",
    "right_from_json",
    "right_to_json",
    "used_up",
    "way_to",
]
