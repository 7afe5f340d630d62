"""Whatever a server does: an answer or a named error, in time, in bounds, and the budget is right after it."""

from __future__ import annotations

import asyncio
import json
import resource
import time

import pytest

pytest.importorskip("openai", reason="install the extra: ./steward setup models")

from kernel.errors import ModelFailed
from kernel.models.asking import load_wire
from kernel.models.model import Prompt
from kernel.models.wording import CODES
from tests.kernel.models.acts import calls, refuses, says
from tests.kernel.models.behaviours import BEHAVIOURS
from tests.kernel.models.conftest import CANARY, PROMPT, Desk
from tests.kernel.models.server import VALUE, serving

pytestmark = [pytest.mark.slow, pytest.mark.models]
load_wire()  # its 30 MB are nobody's behaviour
NODE = "root/user/workspace/models"


@pytest.mark.parametrize("name", BEHAVIOURS)
async def test_it_ends_as_it_should_in_time_and_with_its_budget_right(desk: Desk, name: str) -> None:
    behaviour = BEHAVIOURS[name]
    desk.behalf.accounts.set(NODE, "tokens", 100_000)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    async with serving(behaviour.act) as server:
        endpoint = desk.endpoint(server, behaviour.way, secret="model-scripted")
        deadline_s = 1.0 if behaviour.code == "model.timeout" else 15.0
        began = time.monotonic()
        code, value, error = "", None, None
        try:
            value = (await desk.ask(endpoint, deadline_s=deadline_s)).value
        except ModelFailed as failed:
            code, error = failed.code, failed
        assert time.monotonic() - began < deadline_s + 1, "the deadline and a second"
        await _closed(server)
    assert (code, value) == (behaviour.code, None if behaviour.code else VALUE)
    if error is not None:
        assert all((error.hint, error.de, error.de_hint, str(error).endswith(".")))
        assert CANARY not in f"{error} {error.hint} {error.de}"
    assert code in ("", *CODES)
    assert desk.kinds() == ["budget.reserved", "model.asked", "budget.settled", "model.replied"]
    assert desk.body("model.replied")["code"] == code
    used = desk.body("budget.settled")["used"]["tokens"]
    assert 0 <= used < 60_000
    assert desk.behalf.accounts.budgets.left(NODE, "tokens") == 100_000 - used
    assert not desk.behalf.accounts.budgets.reserved
    assert CANARY not in str(desk.told)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 64 << 10, "kilobytes"


async def _closed(server: object) -> None:
    """Wait until the connection is closed, as it is when nobody listens any more."""
    for _ in range(100):
        if server.open == 0:  # type: ignore[attr-defined]
            return
        await asyncio.sleep(0.02)
    pytest.fail("a connection is left open")


async def test_the_key_reaches_the_server_and_nothing_of_this_machine_does(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-environment")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/evil")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-of-the-environment")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Evil: yes")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    async with serving(BEHAVIOURS["good"].act) as server:
        await desk.ask(desk.endpoint(server, secret="model-scripted"))
        await desk.ask(desk.endpoint(server))
    first, second = server.asked
    assert first.headers["authorization"] == f"Bearer {CANARY}", "the control: the key is used"
    assert "authorization" not in second.headers
    assert set(second.headers) <= {"host", "content-type", "content-length", "accept", "accept-encoding", "user-agent",
                                   "connection"}  # fmt: skip
    assert second.headers["user-agent"] == "steward"
    assert "environment" not in str(server.asked)


@pytest.mark.parametrize("before", [136, 142, 149, 190, 231])
async def test_no_part_of_the_key_is_left_where_an_error_is_cut(desk: Desk, before: int) -> None:
    acts = [refuses("401 Unauthorized", "x" * before + CANARY), calls(("y" * before + CANARY, "{}")),
            says(json.dumps({"answer": "z" * before + CANARY}))]  # fmt: skip
    for act, way in zip(acts, ("text", "tools", "text"), strict=True):
        async with serving(act) as server:
            with pytest.raises(ModelFailed) as failed:
                await desk.ask(desk.endpoint(server, way, secret="model-scripted"))
        said = f"{failed.value} {failed.value.de} {desk.told}"
        assert CANARY[:7] not in said, said


async def test_a_key_in_escapes_is_not_in_the_value(desk: Desk) -> None:
    escaped = "".join(f"\\u{ord(one):04x}" for one in CANARY)
    told = Prompt(PROMPT.messages, {}, told=True)
    async with serving(says(f'{{"{escaped}": ["it is {escaped}"]}}')) as server:
        reply = await desk.ask(desk.endpoint(server, secret="model-scripted"), told)
        assert reply.value == {"[key]": ["it is [key]"]}
        reply = await desk.ask(desk.endpoint(server), told)
    assert reply.value == {CANARY: [f"it is {CANARY}"]}, "the control: nobody knows it for a key"


async def test_a_redirect_takes_neither_the_question_nor_the_key_elsewhere(desk: Desk) -> None:
    async with serving(BEHAVIOURS["good"].act) as other, serving(BEHAVIOURS["redirect to another host"].act) as server:
        server.elsewhere = f"{other.url}/chat/completions"
        with pytest.raises(ModelFailed) as refused:
            await desk.ask(desk.endpoint(server, secret="model-scripted"))
        assert refused.value.code == "model.refused"
        assert (len(server.asked), len(other.asked)) == (1, 0)


async def test_who_no_longer_waits_closes_the_connection(desk: Desk) -> None:
    desk.behalf.accounts.set(NODE, "tokens", 100_000)
    async with serving(BEHAVIOURS["hang in the middle"].act) as server:
        asking = asyncio.create_task(desk.ask(desk.endpoint(server), deadline_s=20))
        while not server.open:  # noqa: ASYNC110  (the server tells nobody)
            await asyncio.sleep(0.01)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        await _closed(server)
    assert desk.body("model.replied")["code"] == "cancelled"
    assert not desk.behalf.accounts.budgets.reserved


async def test_silence_ends_before_the_deadline(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    from kernel.models import wire

    monkeypatch.setattr(wire, "SILENCE_S", 0.2)
    async with serving(BEHAVIOURS["hang in the middle"].act) as server:
        began = time.monotonic()
        with pytest.raises(ModelFailed) as late:
            await desk.ask(desk.endpoint(server), deadline_s=20)
        assert (late.value.code, time.monotonic() - began < 5) == ("model.timeout", True)


async def test_nobody_listening_is_tried_twice_and_named(desk: Desk) -> None:
    async with serving(BEHAVIOURS["good"].act) as server:
        endpoint = desk.endpoint(server)
    with pytest.raises(ModelFailed) as gone:
        await desk.ask(endpoint)
    assert (gone.value.code, gone.value.retryable) == ("model.unreachable", True)
    assert desk.body("model.replied")["usage"]["tokens_in"] == 0, "nothing was sent, so nothing was used"


async def test_what_a_model_says_is_nobodys_word(desk: Desk) -> None:
    async with serving(BEHAVIOURS["good"].act) as server:
        await desk.ask(desk.endpoint(server))
    labels = {kind: label.integrity.name for kind, _, label in desk.told}
    assert labels == {"model.asked": "KERNEL", "model.replied": "UNTRUSTED"}


async def test_the_log_has_neither_the_key_nor_the_address(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(0)
    async with serving(BEHAVIOURS["echo of the key"].act) as server:
        with pytest.raises(ModelFailed):
            await desk.ask(desk.endpoint(server, secret="model-scripted"))
    assert CANARY not in caplog.text
    assert not [one for one in caplog.records if one.name.startswith(("openai", "httpx2", "httpcore2"))]
