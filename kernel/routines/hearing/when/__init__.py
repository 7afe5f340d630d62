"""The words of a rule that say when: read piece by piece, gathered around what repeats, and written as a trigger.

``mending`` reads careless words of time; ``days``, ``hours``, ``steps`` and ``bounds`` read pieces; ``gathering`` puts
together those that stand together; ``guards`` tells words of time that are no rule; ``writing`` and ``bounding`` make
the trigger.
"""
