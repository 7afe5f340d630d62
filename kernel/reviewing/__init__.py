"""Reviewing: the result of a plan that a model made, held against the request and the run's own evidence.

A second model, bound to the role ``reviewer`` by a person, says claim by claim whether the evidence supports it. The
claims are cut by our code, the evidence is what the run itself has found and staged, and a "supported" is believed only
where the evidence that it names is there and has the numbers, names and paths of the claim (decision 48).
It promises: nothing of a private request leaves this machine; a verdict is shown and written down, and never hides or
changes an answer; it sends a result back once at most. Without a reviewer of the person's, only ``handling`` is loaded.
"""
