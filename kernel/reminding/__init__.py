"""Reminding: what skills keep on the clock is told at its time, once, also over crashes, clock changes and suspends.

A skill describes ``schedule.json`` in its own folder (``skills.schedule``); this room reads it after every commit,
sleeps until the next time on the system's own clock, and tells what is due: an event in the ledger, which the page and
a terminal show, and a notification of the desktop. What was missed while no daemon ran is told at the next start, and
said to be missed.

Promises: of one time there is one ``reminder.told`` in the ledger, whatever dies when; a notification whose showing was
cut short is shown again and says so. Never: run a skill's code, write what a skill keeps, or tell for a skill whose
manifest does not say why.
"""

from kernel.reminding.alarm import Alarm
from kernel.reminding.journal import Journal
from kernel.reminding.keeper import Keeper
from kernel.reminding.model import Due

__all__ = ["Alarm", "Due", "Journal", "Keeper"]
