"""Whose word the values of a plan are: of what a program says in its own name, none is the person's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from kernel.model import Argument, Constant, Plan
from permissions.labels import Integrity, Label


def said_by(plan: Plan, voice: Label) -> Plan:
    """Return ``plan`` with no value that counts as the person's word, unless ``voice`` is the person's."""
    if voice.integrity is Integrity.USER:
        return plan
    return replace(plan, tasks=tuple(replace(task, arguments=_lowered(task.arguments, voice)) for task in plan.tasks))


def _lowered(arguments: Mapping[str, Argument], voice: Label) -> dict[str, Argument]:
    return {
        name: replace(value, label=voice) if isinstance(value, Constant) and _is_persons(value) else value
        for name, value in arguments.items()
    }


def _is_persons(value: Constant) -> bool:
    return value.label.integrity is Integrity.USER
