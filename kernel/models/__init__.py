"""Models that can be asked: which endpoints there are, what each may see, and how one is asked.

Steward understands requests without a language model; with one it gets better. It promises: an endpoint is set and
bound to a role by a person alone, and none stands in for another; a prompt holds only what its host may see; what a call
may use is reserved before and settled after; it ends in time whatever the server does; and it is written down.
"""
