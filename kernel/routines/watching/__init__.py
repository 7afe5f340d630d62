"""Watching: what happens, told to the routines that wait for it.

    inotify -> settling (what it comes to)          ┐
    mails, the calendar, tasks, what is in a file   │
                        -> a look of the routine's  ┼> watcher (whose it is, what keeps it still) -> firing
    uevents, rtnetlink, logind -> edges (begun now) ┘

Promises: nothing polls, but of the disk, the memory and the temperature nobody tells: while a routine waits for one, it
is looked at every five minutes, the last two every half minute; of one event a routine runs once; what a routine
changes itself sets it off never, nor does it through others: such a circle ends with its name told. Never: open a file.
"""
