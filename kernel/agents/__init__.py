"""Agents: a model that goes on by itself, turn by turn, until its work is done or it is stopped.

A skill that is instructions alone is followed here (decision 47). It promises: a loop ends, whatever its model says,
and asks for nothing that may use more than it was given; progress is what was newly read or changed, never what a model
says of itself; each action is a call behind the wall with rights of the card that a person has seen; what comes back is
quoted to the model as the words of others; and nothing counts before the person has seen all of it. Never: a file that
the daemon reads for a model, a wider right, a network.
"""

from kernel.agents.loop import Bounds, Cost, End, Ended, Observation, Step, Turn, go_on

__all__ = ["Bounds", "Cost", "End", "Ended", "Observation", "Step", "Turn", "go_on"]
