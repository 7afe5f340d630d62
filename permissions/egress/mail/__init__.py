"""Mail as the daemon speaks it: SMTP to hand a letter over, IMAP to fetch letters and to look for one.

A cell never speaks either: it would have to hold the password. It says what the letter is to say (``Letter``), or which
letters it wants; the daemon composes, connects, signs in and speaks.

It promises: only the servers of the person's own account, whatever a cell says; encrypted and verified or not at all;
only addresses that were checked, as for HTTP; bounds on bytes, lines and time; a letter is handed over whole, or where
nobody can know, said to be unclear. It never shows a password, and never passes on what a server said in words.
"""

from __future__ import annotations

from permissions.egress.mail.account import Account, Server
from permissions.egress.mail.letters import Attachment, Letter
from permissions.egress.mail.mailer import Fetched, Mailer

__all__ = ["Account", "Attachment", "Fetched", "Letter", "Mailer", "Server"]
