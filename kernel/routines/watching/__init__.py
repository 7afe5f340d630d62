"""Watching: what happens, told to the routines that wait for it.

    inotify -> settling (what it comes to)          ┐
    mails, the calendar -> a look of the routine's  ┼> watcher (whose it is, what keeps it still) -> firing
    uevents, rtnetlink, logind -> edges (begun now) ┘

Promises: nothing polls, but the disk, of which nobody tells, is looked at every five minutes; of one event a routine
runs once; what a routine changes itself sets it off never, nor does it through others: such a circle ends with its
name told. Never: open a file.
"""
