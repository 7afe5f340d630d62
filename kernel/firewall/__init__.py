"""The semantic firewall: what a person says is told from what they show, and some wishes are refused early.

It promises that text which is shown (a quotation over a line, a pasted mail, a fenced block ...) is one value and
nothing else: the words of it are on no way that leads to a tool, a path, a condition or a number of steps, whatever
they say and whether or not anybody notices that they give orders (``said``, ``binding``). What looks like an order in
it is marked for the person (``orders``); nothing depends on that mark. ``objections`` answers plain wishes against
Steward itself before anything is planned.

It is never the wall: what it lets through is still planned, shown, asked for and confined.
"""

from kernel.firewall.objections import concern, escape, leads_inside, objection, shown
from kernel.firewall.said import Parts, split

__all__ = ["Parts", "concern", "escape", "leads_inside", "objection", "shown", "split"]
