"""Calls about skills, their packages and proposals, and the MCP servers among them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from portal.calls.calling import Calls, part
from portal.wire import Json, parse_events


class SkillCalls(Calls):
    """What may be done with skills."""

    def skills(self) -> list[Json]:
        """Return the installed skills."""
        return self._wire.listed("/skills", "skills")

    def skill_problems(self) -> list[Json]:
        """Return why skills that lie there are not used."""
        return self._wire.listed("/skills/problems", "problems")

    def look_at_package(self, source: str, cwd: str, update_of: str = "", made_here: bool = False) -> Json:
        """Return what a package is and may ask for; it waits in quarantine as ``package``."""
        body = {"source": source, "cwd": cwd, "update_of": update_of, "made_here": made_here}
        return self._wire.call("POST", "/skills/packages", json=body)

    def installed_skills(self) -> list[Json]:
        """Return the skills that were installed, with where they came from."""
        return self._wire.listed("/skills/installed", "skills")

    def found_skills(self, cwd: str) -> list[Json]:
        """Return the skills that other agents keep in ``cwd`` and in the home."""
        return self._wire.listed("/skills/found", "skills", cwd=cwd)

    def search_skills(self, words: str) -> list[Json]:
        """Return the installed skills that fit ``words``, best first."""
        return self._wire.listed("/skills/search", "skills", words=words)

    def install_package(self, package: str) -> Json:
        """Install a package that was looked at."""
        return self._wire.call("POST", f"/skills/packages/{part(package, 'skill')}")

    def discard_package(self, package: str) -> None:
        """Let go of a package that was looked at."""
        self._wire.call("DELETE", f"/skills/packages/{part(package, 'skill')}")

    def skill_versions(self, skill: str) -> list[Json]:
        """Return the versions of a skill that are there."""
        return list(self._wire.call("GET", f"/skills/{part(skill, 'skill')}/versions")["versions"])

    def go_back(self, skill: str, version: str) -> Json:
        """Let an earlier version count."""
        return self._wire.call("POST", f"/skills/{part(skill, 'skill')}/version", json={"version": version})

    def pin_skill(self, skill: str, pinned: bool) -> Json:
        """Keep a skill at its version, or no longer."""
        return self._wire.call("POST", f"/skills/{part(skill, 'skill')}/pin", json={"pinned": pinned})

    def verify_skills(self) -> list[Json]:
        """Return every installed skill, and whether it is what was installed."""
        return self._wire.listed("/skills/verify", "skills")

    def repair_skills(self) -> list[Json]:
        """Build Python packages of skills again that are missing or changed; return what ``verify_skills`` does."""
        return list(self._wire.call("POST", "/skills/repair")["skills"])

    def remove_skill(self, skill: str) -> Json:
        """Take a skill out of use, and its grants with it."""
        return self._wire.call("DELETE", f"/skills/{part(skill, 'skill')}")

    def write_skill(self, folder: str, cwd: str) -> Iterator[Json]:
        """Let the skill in ``folder`` count while this is followed; yield what came of each save."""
        with self._wire.stream("/skills/written", {"folder": folder, "cwd": cwd}, "POST") as response:
            yield from parse_events(response.iter_lines())

    def draft_skill(self, run: str, name: str, folder: str) -> Json:
        """Make a skill of a run that went well, in ``folder``; nothing is installed."""
        return self._wire.call("POST", "/skills/drafts", json={"run": run, "name": name, "folder": folder})

    def proposals(self) -> list[Json]:
        """Return what past requests propose for skills."""
        return self._wire.listed("/skills/proposals", "proposals")

    def adopt_proposal(self, proposal: str) -> Json:
        """Put a proposal into its skill as a new version, where nothing gets worse by it."""
        return self._wire.call("POST", f"/skills/proposals/{part(proposal, 'proposal')}")

    def discard_proposal(self, proposal: str) -> None:
        """Drop a proposal for good."""
        self._wire.call("DELETE", f"/skills/proposals/{part(proposal, 'proposal')}")

    def servers(self) -> list[Json]:
        """Return the MCP servers."""
        return self._wire.listed("/mcp/servers", "servers")

    def server_tools(self, name: str) -> Json:
        """Return a server with its tools."""
        return self._wire.call("GET", f"/mcp/servers/{part(name, 'server')}/tools")

    def look_at_server(self, wish: Json) -> Json:
        """Return what a server would be started with; it waits as ``server``, and nothing of it runs."""
        return self._wire.call("POST", "/mcp/servers", json=wish)

    def look_at_servers_of(self, body: Any, cwd: str) -> list[Json]:
        """Return what the servers of another program's file would be started with."""
        return list(self._wire.call("POST", "/mcp/servers/file", json={"servers": body, "cwd": cwd})["servers"])

    def look_at_server_again(self, name: str) -> Json:
        """Return what a server that is there would be started with, to review it anew."""
        return self._wire.call("POST", f"/mcp/servers/{part(name, 'server')}/again")

    def start_server(self, server: str) -> Json:
        """Start a server that waits, once, in its cell; return what it lists."""
        return self._wire.call("POST", f"/mcp/servers/waiting/{part(server, 'server')}/start")

    def add_server(self, server: str, safe: Sequence[str]) -> Json:
        """Let a server that was started and reviewed be a skill."""
        return self._wire.call("POST", f"/mcp/servers/waiting/{part(server, 'server')}", json={"safe": list(safe)})

    def drop_server(self, server: str) -> None:
        """Let go of a server that was looked at."""
        self._wire.call("DELETE", f"/mcp/servers/waiting/{part(server, 'server')}")

    def remove_server(self, name: str) -> Json:
        """Take a server out of use, and its grants with it."""
        return self._wire.call("DELETE", f"/mcp/servers/{part(name, 'server')}")
