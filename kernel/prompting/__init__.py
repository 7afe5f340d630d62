"""Prompting: a model proposes what the planner could not, in the same typed form; nothing is believed (decision 43).

    a request, the tools that may serve, handles -> prompt -> the model -> reading: a plan, or what is wrong with it
                                                      ^----------- at most two repairs ----------'

A model is asked only where the kernel's own planner has no plan. It sees the request, the descriptions of tools and
*handles*: the file that "the bright office invoice" means is a number to it. Names of files, contents and results are
somebody else's text: they never stand in a prompt, so nothing in them can steer a plan. What it writes is read
strictly, validated like every plan, and no word of the person's: ``--yes`` answers nothing about what it would change.
"""
