"""Approval: what a person is asked before anything happens, in words that can be answered, and the wait for it.

``plan_words`` says what a plan will do, ``card`` what it asks for, ``rights_words`` says rights in words, ``consent``
lets a run wait until it is answered, ``more`` asks for a call that met a limit. What the answers allow is decided in
``kernel.authorize`` and ``kernel.commit``.
"""
