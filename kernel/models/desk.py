"""The desk of models: what a person sets, binds, tries and takes away. A key goes in here and never comes out.

What this stops: a key or a grant that was given to one address going to another one that takes its name.
What it does not: stop the person's own programs from writing ``models.toml``.
"""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from kernel.errors import BadRequest, UnknownRun
from kernel.models.asking import Behalf
from kernel.models.book import Book, endpoint_of, write_book
from kernel.models.model import MODELS, MODELS_HASH, Endpoint, Role, Seen
from kernel.remember import event_json
from kernel.remembering import bulk
from memory.model import Draft
from permissions.errors import PermissionsError
from permissions.labels import KERNEL_SAID, Label
from permissions.model import Action, Right, Verdict
from permissions.naming import shown
from permissions.policy import for_node, node_path

if TYPE_CHECKING:
    from kernel.house import House

View = dict[str, Any]

_KEY = re.compile(r"[!-~]+")
_changing = threading.Lock()
"""The file is read, changed and written by one at a time."""


class ModelDesk:
    """What a person does with models. Every change is an event that says what was changed, and no key's value."""

    def __init__(self, house: House) -> None:
        self._house = house

    # --- looking --------------------------------------------------------------------------------------------------

    def listed(self) -> View:
        """Return the endpoints with what each may see, and what the roles are bound to. Raises BadRequest."""
        book = self._house.models.book()
        roles = {str(role): list(book.roles.get(role, ())) for role in Role}
        return {"endpoints": [self._view(book, one) for one in book.endpoints.values()], "roles": roles}

    def _view(self, book: Book, endpoint: Endpoint) -> View:
        view = asdict(endpoint) | {"way": str(endpoint.way), "host": endpoint.host, "local": endpoint.is_local}
        view["key"] = bool(endpoint.secret) and endpoint.secret in self._house.post.vault.names()
        view["insecure"] = endpoint.name in book.plain
        view["roles"] = [str(role) for role, names in book.roles.items() if endpoint.name in names]
        view["sees"] = self.seen_by(endpoint)
        return view

    def seen_by(self, endpoint: Endpoint) -> list[str]:
        """Return the classes of data that an endpoint may see when the person asks."""
        principal = for_node(node_path(f"{MODELS}.{endpoint.name}"), MODELS_HASH)
        decide = self._house.decide
        given = [
            str(seen) for seen in (Seen.FACTS, Seen.FILES, Seen.RESULTS)
            if decide(principal, Right(Action.MODEL_SEE, f"{seen}@{endpoint.host}")).verdict is Verdict.ALLOW
        ]  # fmt: skip
        return [str(Seen.REQUEST), str(Seen.TOOLS), *given]

    def prompts(self, run: str) -> View:
        """Return what models were asked in a run, word for word, and what they said. Raises UnknownRun."""
        events = list(self._house.ledger.events(run=run))
        if not events:
            raise UnknownRun("run.unknown", f"There is no run {shown(run)}.", subject=shown(run),
                             hint="./steward runs lists them.")  # fmt: skip
        asked: list[View] = []
        for event in events:
            body = event.body
            if event.kind == "model.asked":
                asked.append({"at": event_json(event)["at"], "forgotten": body is None} | _asked(body or {}))
            elif event.kind == "model.replied" and asked and body is not None:
                said = {name: body.get(name) for name in ("code", "ms", "usage")}
                asked[-1] |= said | {"reply": bulk.kept_in(body, "text")}
        return {"run": run, "asked": asked}

    # --- changing -------------------------------------------------------------------------------------------------

    async def set(self, name: str, said: Mapping[str, Any], key: str | None = None, *, plain: bool = False) -> View:
        """Set an endpoint, or change what is said of it; a new address has neither its key nor its rights.

        Raises BadRequest.
        """
        before, endpoint = await asyncio.to_thread(self._set, name, said, key, plain)
        moved = before is not None and before.url != endpoint.url
        revoked = await self._revoke_at(before) if before is not None and moved else []
        await self._written("model.set", {"name": name, "url": endpoint.url, "model": endpoint.model,
                                          "key": key is not None, "revoked": revoked})  # fmt: skip
        return self._view(self._house.models.book(), endpoint)

    def _set(
        self, name: str, said: Mapping[str, Any], key: str | None, plain: bool
    ) -> tuple[Endpoint | None, Endpoint]:
        _check_key(said, key)
        with _changing:
            book = self._house.models.book()
            before = book.endpoints.get(name)
            held = {k: v for k, v in asdict(before).items() if k != "name"} | {"way": str(before.way)} if before else {}
            endpoint = endpoint_of(name, held | dict(said))
            same = before is not None and before.url == endpoint.url
            if not same:
                endpoint = replace(endpoint, secret="")
            if key is not None:
                endpoint = replace(endpoint, secret=secret_of(name))
            fresh = book.with_endpoint(endpoint, plain=plain or (same and name in book.plain))
            if not same:
                self._let_go_of_key(name)
            self._write(fresh)
            if key is not None:
                self._keep_key(name, key)
        return before, endpoint

    def _let_go_of_key(self, name: str) -> None:
        """Destroy the key of an endpoint, before another address could have it. Raises BadRequest."""
        vault = self._house.post.vault
        if secret_of(name) in vault.names():
            with _refusing():
                vault.remove(secret_of(name))

    def _keep_key(self, name: str, key: str) -> None:
        """Keep a key, when its address is written down: whatever fails before, no other one has it.

        Raises BadRequest.
        """
        with _refusing():
            self._house.post.vault.put(secret_of(name), key)

    async def remove(self, name: str) -> View:
        """Take an endpoint away, with its key, its roles, and its rights where no other one has that host.

        ``roles`` are those that it was bound to, with who is left there; ``beside`` are the others of its host, for
        which what was allowed stays. Raises BadRequest.
        """
        gone, roles = await asyncio.to_thread(self._remove, name)
        revoked = await self._revoke_at(gone)
        await self._written("model.removed", {"name": name, "revoked": revoked})
        beside = sorted(one.name for one in self._house.models.book().endpoints.values() if one.host == gone.host)
        return {"name": name, "host": gone.host, "key": bool(gone.secret), "revoked": revoked, "roles": roles,
                "beside": beside}  # fmt: skip

    def _remove(self, name: str) -> tuple[Endpoint, dict[str, list[str]]]:
        with _changing:
            book = self._house.models.book()
            gone, left = _named(book, name), book.without(name)
            self._let_go_of_key(name)
            self._write(left)
        roles = {str(role): list(left.roles.get(role, ())) for role, names in book.roles.items() if name in names}
        return gone, roles

    async def use(self, role: str, names: Sequence[str]) -> View:
        """Bind a role to an endpoint (and to a second one), or to none. Raises BadRequest.

        ``kinship`` says whether planner and reviewer, where both are bound, are of one family then.
        """
        if role not in set(Role):
            raise BadRequest("model.role", f"There is no role {shown(role)}.", subject=shown(role),
                             hint=f"One of: {', '.join(Role)}")  # fmt: skip
        await asyncio.to_thread(self._use, Role(role), tuple(names))
        await self._written("model.bound", {"role": role, "names": list(names)})
        return {"role": role, "names": list(names), "kinship": self._kinship()}

    def _kinship(self) -> str:
        """Return whether reviewer and planner are of one family; empty where either is not bound."""
        book = self._house.models.book()
        planner, reviewer = (book.of(role)[:1] for role in (Role.PLANNER, Role.REVIEWER))
        return reviewer[0].kin_of(planner[0]) if planner and reviewer else ""

    def _use(self, role: Role, names: tuple[str, ...]) -> None:
        with _changing:
            book = self._house.models.book()
            for name in names:
                _named(book, name)
            self._write(book.bound(role, names))

    def _write(self, book: Book) -> None:
        try:
            write_book(self._house.models.file, book)
        except OSError as error:
            raise BadRequest("model.unwritten", f"It could not be kept: {error.strerror}.",
                             hint="Make room or mend the disk, and set it again.") from error  # fmt: skip

    async def _revoke_at(self, gone: Endpoint) -> list[str]:
        """Take away what a host may see to which no endpoint leads any more; return the ids of the grants."""
        book = self._house.models.book()
        if any(one.host == gone.host for one in book.endpoints.values()):
            return []
        ids = [grant.id for grant in self._house.policy.grants
               if grant.skill == MODELS and grant.right.scope.endswith(f"@{gone.host}")]  # fmt: skip
        if ids:
            await self._house.revoke(*ids)
        return ids

    # --- trying ---------------------------------------------------------------------------------------------------

    async def test(self, name: str) -> View:
        """Measure an endpoint, choose the way to a form, and keep it. Raises BadRequest, ModelFailed."""
        from kernel.models.testing import tested

        endpoint = _named(self._house.models.book(), name)
        found = await tested(endpoint, self._behalf(), self._house.models.line())
        same = self._house.models.book().endpoints.get(name) == endpoint  # it took minutes, perhaps
        if same and found.way is not None and found.way is not endpoint.way:
            await self.set(name, {"way": str(found.way)})
        view = asdict(found) | {"way": str(found.way) if found.way else None, "name": name}
        await self._written("model.tested", view)
        return view

    async def detect(self) -> list[View]:
        """Return the servers for models that run on this machine. Raises ModelFailed."""
        from kernel.models.testing import detected

        known = {endpoint.host for endpoint in self._house.models.book().endpoints.values()}
        return [one | {"known": one["host"] in known} for one in await detected()]

    def _behalf(self) -> Behalf:
        house = self._house

        async def say(
            kind: str, task: str | None, body: Mapping[str, Any], durable: bool = True, label: Label = KERNEL_SAID
        ) -> None:
            draft = Draft(kind=kind, body=body, task=task, label=label.to_json(), durable=durable)
            await asyncio.wrap_future(house.ledger.submit(draft))

        now_s = house.now_s()  # before the tree is read: it may take out what has ended
        return Behalf("", "", house.policy, now_s, house.accounts, house.post.vault, say)

    async def _written(self, kind: str, body: View) -> None:
        draft = Draft(kind=kind, body=body, label=KERNEL_SAID.to_json(), durable=True)
        await asyncio.wrap_future(self._house.ledger.submit(draft))


def secret_of(name: str) -> str:
    """Return the name that the key of an endpoint has in the vault."""
    return f"model-{name.replace('_', '-')}"


def state_of(house: House) -> tuple[bool, str, str]:
    """Return what the doctor says: whether it is well, the state, and what to do now."""
    try:
        book = house.models.book()
    except BadRequest as error:
        return False, str(error), error.hint
    count = f"{len(book.endpoints)} set, bound to no role" if book.endpoints else "none configured"
    bound = ", ".join(f"{role}: {' then '.join(names)}" for role, names in book.roles.items())
    plain = f"; over http, readable on the way: {', '.join(sorted(book.plain))}" if book.plain else ""
    state = bound or f"{count}; Steward works without one"
    if book.endpoints and find_spec("openai") is None:
        state += f"{plain}; the extra models is not installed, so none can be asked"
        return False, state, "./steward setup models"
    return not book.plain, state + plain, f"./steward models set {min(book.plain, default='NAME')} --url https://..."


@contextmanager
def _refusing() -> Iterator[None]:
    """Say what the vault cannot do as what is wrong with the request. Raises BadRequest."""
    try:
        yield
    except PermissionsError as error:
        raise BadRequest(error.code, str(error), subject=error.subject, hint=error.hint) from error


def _check_key(said: Mapping[str, Any], key: str | None) -> None:
    """Check that a key can be sent, and that nobody names the key of another endpoint. Raises BadRequest."""
    if "secret" in said or (key is not None and not _KEY.fullmatch(key)):
        why = "is given by its value" if "secret" in said else "has a blank, or a character that no key has"
        raise BadRequest("model.key", f"The key {why}.", hint="./steward models set NAME --key-stdin")


def _named(book: Book, name: str) -> Endpoint:
    if name not in book.endpoints:
        raise BadRequest("model.unknown", f"There is no endpoint {shown(name)}.", subject=shown(name),
                         hint="./steward models lists them.")  # fmt: skip
    return book.endpoints[name]


def _asked(body: Mapping[str, Any]) -> View:
    names = ("role", "endpoint", "host", "model", "way", "seen", "tokens", "digest")
    return {name: body.get(name) for name in names} | {"messages": bulk.kept_in(body, "messages"), "reply": None}
