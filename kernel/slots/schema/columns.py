"""The features of a guess by name, in the order of their columns."""

from __future__ import annotations

from kernel.slots.schema.model import SOURCES

PLAIN = (
    "left_name left_doc right_name right_doc inside_name inside_doc next_name previous_name unit role_fits "
    "role_differs rank_same rank_off length long capital figure listed_value exampled cosine cosine_more "
    "year_like year_misfit percent_fits date_fits first_word verb_first ends_open starts_open equals_name "
    "touched negated required missing defaulted covers shared_head lone whole_name cuts_name in_quotes "
    "number_word ing inside_function next_function rank_end unit_misfit code_fits code_misfit "
    "glued comma_fits comma_misfit many stands exact starts_name owner context context_more begins "
    "before_of after_of unspoken nearest_name nearest_doc continues holes "
    "offered formed misformed open_name"
).split()
CROSSED = ("left_name", "next_name", "cosine", "cosine_more", "role_fits", "capital", "ends_open", "context_more")
"""Features that mean one thing for a number and another for a name: once more for each source."""
NAMES = (*PLAIN, *SOURCES, *(f"{name} of {source}" for name in CROSSED for source in SOURCES))
WIDTH, SINGLE = len(NAMES), len(PLAIN) + len(SOURCES)
"""How many features there are, and how many of them, the first, are not crossed."""
AT = {name: at for at, name in enumerate(NAMES)}
