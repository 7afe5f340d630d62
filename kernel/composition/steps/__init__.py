"""Several calls as one plan: what flows from one to the next, what they share, and what is done for each of several."""
