"""Dispatching: what ``kernel.dispatch`` needs to run a plan.

Order (``schedule``, ``turns``), arguments (``binding``, ``coercion``), conditions and lists (``holding``,
``gathering``), what a tool requires and ensures (``contracts``), one call from its values to its staged effects
(``perform``, ``effects``, ``connections``), and stand-ins for results while a plan is only looked at (``standing_in``).

It never grants a right and never applies an effect: the one is ``kernel.authorize``, the other ``kernel.commit``.
"""
