"""The post office of the house: the person's account and password, the outbox, and what speaks with the servers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kernel.mailing.outbox import Outbox
from permissions.errors import BadScope
from permissions.vault import Vault

if TYPE_CHECKING:
    from permissions.egress import Account, Egress, Mailer

SECRET = "mail"  # noqa: S105  (its name, not its value)
"""The name of the account's password, and of the right to use the account (``secret.use:mail``)."""


class Post:
    """Nothing is read before it is needed: an account that was set meanwhile counts at once."""

    def __init__(self, egress: Egress, vault: Vault, config: Path, data: Path) -> None:
        self.egress = egress
        self.vault = vault
        self.outbox = Outbox(data / "outbox")
        self._file = config / "mail.toml"

    def account(self) -> Account:
        """Return the account. Raises BadScope (``mail.none``, ``mail.account``)."""
        from permissions.egress import Account  # and all that speaks with servers: no start waits for it

        return Account.read(self._file)

    def mailer(self) -> Mailer:
        """Return what speaks for the account. Raises BadScope where there is none."""
        return self.egress.mailer(self.account(), lambda: self.vault.take(SECRET))

    def set(self, said: Mapping[str, Any]) -> Account:
        """Check and keep an account. Raises BadScope, OSError."""
        from permissions.egress import Account

        account = Account.of(said)
        if not self._known_to(account) and SECRET in self.vault.names():
            self.vault.remove(SECRET)  # before the account is there: no server hears the password of another
        account.write(self._file)
        return account

    def _known_to(self, account: Account) -> bool:
        """Tell whether the password that is kept was for this user, and every server of ``account`` may hear it."""
        try:
            before = self.account()
        except BadScope as error:
            return error.code == "mail.none"  # it was kept for the account that comes
        return before.user == account.user and _hosts(account) <= _hosts(before)

    def forget(self) -> None:
        """Let go of the account, and of its password. Raises BadScope where there is none."""
        try:
            if self._file.exists() and SECRET in self.vault.names():
                self.vault.remove(SECRET)
            self._file.unlink()
        except FileNotFoundError as error:
            raise BadScope("mail.none", "No mail account is set.", hint="Set one with: ./steward mail set") from error


def _hosts(account: Account) -> frozenset[str]:
    return frozenset(one.host for one in (account.smtp, account.imap) if one is not None)
