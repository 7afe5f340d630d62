"""Calls about rights: the programs that may ask, and the tree of grants, denies and limits."""

from __future__ import annotations

from collections.abc import Sequence

from portal.calls.calling import Calls, part
from portal.wire import Json


class RightCalls(Calls):
    """What may be done with rights."""

    def clients(self) -> list[Json]:
        """Return the programs that may ask in their own names, and what each may call."""
        return self._wire.listed("/clients", "clients")

    def add_client(self, name: str) -> Json:
        """Make a client; ``token`` is shown once."""
        return self._wire.call("POST", "/clients", json={"name": name})

    def remove_client(self, name: str) -> Json:
        """Let a client's token open nothing any more, and take its grants away."""
        return self._wire.call("DELETE", f"/clients/{part(name, 'client')}")

    def allow_client(self, name: str, offers: Sequence[str]) -> Json:
        """Let a client call more."""
        return self._wire.call("POST", f"/clients/{part(name, 'client')}/offers", json={"offers": list(offers)})

    def withdraw_from_client(self, name: str, offers: Sequence[str]) -> Json:
        """Let a client call less."""
        return self._wire.call("POST", f"/clients/{part(name, 'client')}/withdrawals", json={"offers": list(offers)})

    def perms(self, node: str = "") -> Json:
        """Return grants, denies and limits: all of them, or what holds at ``node``."""
        return self._wire.call("GET", "/perms", params={"node": node})

    def explain(self, node: str, action: str) -> Json:
        """Return which node decides on a right or an amount, why, and what would change it."""
        return self._wire.call("GET", "/perms/explain", params={"node": node, "action": action})

    def perms_history(self, limit: int) -> list[Json]:
        """Return the latest changes of the tree, oldest first."""
        return self._wire.listed("/perms/history", "events", limit=limit)

    def grant(self, skill: str, right: str, *, lasting: str = "", until: str = "", why: str = "") -> str:
        """Give ``skill`` a right such as ``fs.read:~/Documents/**``, for good or for a time; returns the grant's id."""
        body = {"skill": skill, "right": right, "lasting": lasting, "until": until, "why": why}
        return str(self._wire.call("POST", "/perms", json=body)["grant"])

    def deny(self, node: str, right: str, why: str = "", *, lasting: str = "", until: str = "") -> str:
        """Deny a right at ``node`` and below, for a time or for good; returns the deny's id."""
        body = {"node": node, "right": right, "why": why, "lasting": lasting, "until": until}
        return str(self._wire.call("POST", "/perms/denies", json=body)["deny"])

    def limit(
        self, node: str, controller: str, value: str, *, total: bool, why: str = "", lasting: str = "", until: str = ""
    ) -> Json:
        """Bound an amount at ``node`` and below, for a time or for good; returns what holds now."""
        body = {"node": node, "controller": controller, "value": value, "total": total, "why": why}
        return self._wire.call("POST", "/perms/limits", json=body | {"lasting": lasting, "until": until})

    def revoke(self, one: str) -> None:
        """Take a standing grant, or a deny (``d-...``), back."""
        place = "denies/" if one.startswith("d-") else ""
        self._wire.call("DELETE", f"/perms/{place}{part(one, 'grant')}")

    def revoke_all(self, skill: str) -> list[str]:
        """Take every grant of a skill back; returns their ids."""
        return list(self._wire.call("DELETE", f"/perms/skills/{part(skill, 'grant')}")["revoked"])
