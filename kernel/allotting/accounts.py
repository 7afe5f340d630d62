"""The one holder of the budgets: values go in and out under a lock, so that calls in parallel never share an amount."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Mapping

from permissions.policy import Budgets, Reservation


class Accounts:
    """The budgets of a running kernel. Thread-safe; the events of what happens here are written by the caller."""

    def __init__(self, budgets: Budgets) -> None:
        self._budgets = budgets
        self._lock = threading.Lock()

    @property
    def budgets(self) -> Budgets:
        """The budgets as they stand."""
        return self._budgets

    def set(self, node: str, meter: str, amount: int | None) -> None:
        """Set, renew or (None) remove a budget. Raises BadAmount."""
        with self._lock:
            self._budgets = self._budgets.set(node, meter, amount)

    def reserve(self, path: tuple[str, ...], amounts: Mapping[str, int]) -> Reservation:
        """Hold ``amounts`` at every node of ``path``. Raises Refused, with the node that has too little left."""
        wanted = Reservation("b-" + secrets.token_hex(5), path, dict(amounts))
        with self._lock:
            self._budgets = self._budgets.reserve(wanted)
        return wanted

    def reserve_most(self, path: tuple[str, ...], amounts: Mapping[str, int]) -> Reservation | None:
        """Hold as much of ``amounts`` as there is, of each meter with a budget; None where no node has one.

        Raises Refused where nothing is left of one.
        """
        with self._lock:
            meters = self._budgets.meters(path) & amounts.keys()
            if not meters:
                return None
            rooms = {meter: room for meter in meters if (room := self._budgets.room(path, meter)) is not None}
            held = {meter: min(amounts[meter], left) if left else 1 for meter, (left, _) in rooms.items()}
            wanted = Reservation("b-" + secrets.token_hex(5), path, held)  # one unit of nothing is refused by name
            self._budgets = self._budgets.reserve(wanted)
        return wanted

    def settle(self, reservation: Reservation, used: Mapping[str, int]) -> None:
        """Give ``reservation`` back and take what was really used. Raises BadAmount."""
        with self._lock:
            self._budgets = self._budgets.settle(reservation.id, used)
