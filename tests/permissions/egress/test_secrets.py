"""Secrets by name: the value goes to the host that it was kept for, encrypted, and nowhere else; the cell never has it.

Attacks are of a call that has every other right: to connect to the host, and often to use the secret.
"""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest

from permissions.egress import Line, NoAnswer
from permissions.egress.handles import Filled, Mask
from permissions.egress.rules import Hosts
from permissions.egress.targets import read_place
from permissions.errors import BadScope
from permissions.model import CellSpec
from permissions.vault import LONGEST_BYTES, MOST_HOSTS, Kept, Vault
from tests.permissions.egress.conftest import Authority, Internet, authority, internet, moving, read_head, saying

__all__ = ["authority", "internet"]

HOST, OTHER = "api.example.org", "evil.example.net"
VALUE = "s3cr3t-value-of-the-person"
BEARER = {"Authorization": ("Bearer {}", "weather")}


class Asking:
    """A call at its line, with rights to hosts and to secrets."""

    def __init__(self, internet: Internet, authority: Authority, vault: Vault) -> None:
        self.internet, self.authority, self.vault = internet, authority, vault

    async def __call__(self, url: str, *hosts: str, uses: tuple[str, ...] = ("weather",), **wishes: Any) -> Any:
        import socket

        ours, theirs = socket.socketpair()
        spec = CellSpec(hosts=hosts, secrets=uses)
        egress = self.internet.egress(ca_file=self.authority.file, lend=self.vault.lend)
        serving = asyncio.create_task(egress.serve(ours, spec, self.internet.reports.append))
        with ours, theirs:
            line = Line(theirs.fileno())
            try:
                return await asyncio.to_thread(lambda: line.ask(url, **{"timeout_s": 5.0, "secrets": BEARER, **wishes}))
            finally:
                serving.cancel()
                await asyncio.wait([serving])


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    return Vault(tmp_path / "secrets")


@pytest.fixture
def ask(internet: Internet, authority: Authority, vault: Vault) -> Asking:
    return Asking(internet, authority, vault)


async def serve(ask: Asking, host: str, handler: Any) -> int:
    return await ask.internet.server(handler, name=host, ssl=ask.authority.context(host))


async def test_the_host_hears_it_and_the_cell_does_not(ask: Asking) -> None:
    heard: list[str] = []
    port = await serve(ask, HOST, saying(f"you said {VALUE}.", headers=f"X-Echo: {VALUE}\r\n", heard=heard))
    ask.vault.put("weather", VALUE, (f"{HOST}:{port}",))
    answer = await ask(f"https://{HOST}:{port}/", f"{HOST}:{port}", headers={"Accept-Encoding": "gzip"})
    assert f"Authorization: Bearer {VALUE}" in heard[0].split("\r\n")
    assert "gzip" not in heard[0]
    assert VALUE not in repr(answer)
    assert answer.body == f"you said {'*' * len(VALUE)}.".encode()
    assert VALUE not in repr(ask.internet.reports)


@pytest.mark.parametrize("why", ["right", "host", "kept for none", "plain", "none"])
async def test_it_is_sent_nowhere_else(ask: Asking, why: str) -> None:
    heard: list[str] = []
    if why == "plain":
        port = await ask.internet.server(saying("ok", heard=heard), name=HOST)
    else:
        port = await serve(ask, HOST, saying("ok", heard=heard))
    place = f"{HOST}:{port}"
    if why != "none":
        ask.vault.put("weather", VALUE, {"host": (f"{OTHER}:{port}",), "kept for none": ()}.get(why, (place,)))
    url = f"{'http' if why == 'plain' else 'https'}://{place}/"
    with pytest.raises(NoAnswer) as error:
        await ask(url, place, uses=() if why == "right" else ("weather",))
    assert error.value.code == ("secret.none" if why == "none" else "refused.net.secret")
    assert VALUE not in str(error.value)
    assert heard == []
    ask.vault.put("weather", VALUE, (place,))
    if why != "plain":
        assert (await ask(url, place)).body == b"ok", "the control: kept for this host, and with the right to it"


async def test_it_does_not_go_along_to_another_host(ask: Asking) -> None:
    heard: list[str] = []
    there = await serve(ask, OTHER, saying("ok", heard=heard))
    here = await serve(ask, HOST, moving(f"https://{OTHER}:{there}/", heard=heard))
    ask.vault.put("weather", VALUE, (f"{HOST}:{here}",))
    answer = await ask(f"https://{HOST}:{here}/", f"{HOST}:{here}", f"{OTHER}:{there}", redirects=2)
    assert answer.body == b"ok"
    assert [VALUE in one for one in heard] == [True, False]


@pytest.mark.parametrize("how", ["/{}", "https://{}.evil.org/", "https://%s/?q={}", "/%%73%s"])
async def test_a_redirect_that_says_it_is_not_followed(ask: Asking, how: str) -> None:
    to = how.replace("{}", VALUE).replace("%%73%s", f"%73{VALUE[1:]}").replace("%s", OTHER)
    heard: list[str] = []
    port = await serve(ask, HOST, moving(to, heard=heard))
    ask.vault.put("weather", VALUE, (f"{HOST}:{port}",))
    with pytest.raises(NoAnswer) as error:
        await ask(f"https://{HOST}:{port}/", f"{HOST}:{port}", "*.evil.org:443", redirects=2)
    assert error.value.code == "refused.net.redirect"
    assert VALUE not in f"{error.value} {error.value.subject} {error.value.hint} {ask.internet.reports}"
    assert len(heard) == 1


async def test_what_another_host_says_is_masked_as_well(ask: Asking) -> None:
    there = await serve(ask, OTHER, saying(f"you are {VALUE}"))
    here = await serve(ask, HOST, moving(f"https://{OTHER}:{there}/"))
    ask.vault.put("weather", VALUE, (f"{HOST}:{here}",))
    answer = await ask(f"https://{HOST}:{here}/", f"{HOST}:{here}", f"{OTHER}:{there}", redirects=2)
    assert answer.body == f"you are {'*' * len(VALUE)}".encode()


@pytest.mark.parametrize("cut", range(19))
@pytest.mark.parametrize(
    "values",
    [("longer-sec", "longer-secret-word"), ("cret-word", "longer-secret-word"), ("r-secret", "longer-secret-word"),
     ("longer-sec", "secret-word")],
)  # fmt: skip
def test_of_a_secret_that_has_another_in_it_nothing_is_left(values: tuple[str, ...], cut: int) -> None:
    body = b"longer-secret-word."
    for some in (values, values[::-1]):
        both = Filled((), some)
        assert both.masked_text("longer-secret-word") == "*" * 18
        mask = both.mask()
        assert b"".join([*mask.parts(body[:cut]), *mask.parts(body[cut:]), mask.rest()]) == b"*" * 18 + b"."


async def test_the_names_of_headers_say_it_no_more_than_their_values(ask: Asking) -> None:
    secret = "A-Secret-Of-The-Person"
    said = f"X-{secret}: yes\r\nX-Value: {secret} and {secret.lower()}\r\n"
    port = await serve(ask, HOST, saying("ok", headers=said))
    ask.vault.put("weather", secret, (f"{HOST}:{port}",))
    answer = await ask(f"https://{HOST}:{port}/", f"{HOST}:{port}")
    assert "person" not in repr(answer).lower()
    stars = "*" * len(secret)
    assert {(f"x-{stars}", "yes"), ("x-value", f"{stars} and {stars}")} <= set(answer.headers)


@pytest.mark.parametrize(
    ("header", "form"),
    [("Host", "{}"), ("Accept", "{}"), ("Proxy-Authorization", "{}"), ("X-Key", "no place"), ("X-Key", "{}{}"),
     ("X-Key\r\nX-B", "{}"), ("X-Key", "{}\r\nX-B: 1"), ("", "{}"), ("Referer", "{}"), ("X-Forwarded-Host", "{}"),
     ("Origin", "https://{}.org")],
)  # fmt: skip
async def test_only_a_header_of_its_own_holds_it(ask: Asking, header: str, form: str) -> None:
    heard: list[str] = []
    port = await serve(ask, HOST, saying("ok", heard=heard))
    ask.vault.put("weather", VALUE, (f"{HOST}:{port}",))
    with pytest.raises(NoAnswer) as error:
        await ask(f"https://{HOST}:{port}/", f"{HOST}:{port}", secrets={header: (form, "weather")})
    assert error.value.code == "refused.net.secret"
    assert heard == []


async def test_the_password_of_the_mail_account_goes_to_no_web_host(ask: Asking) -> None:
    port = await serve(ask, HOST, saying("ok"))
    ask.vault.put("mail", VALUE)
    with pytest.raises(NoAnswer, match="was kept for no host"):
        await ask(f"https://{HOST}:{port}/", f"{HOST}:{port}", uses=("mail",),
                  secrets={"Authorization": ("{}", "mail")})  # fmt: skip


async def test_an_answer_that_is_packed_all_the_same_is_not_handed_on(ask: Asking) -> None:
    port = await serve(ask, HOST, saying("xx", headers="Content-Encoding: gzip\r\n"))
    ask.vault.put("weather", VALUE, (f"{HOST}:{port}",))
    with pytest.raises(NoAnswer, match="answered packed"):
        await ask(f"https://{HOST}:{port}/", f"{HOST}:{port}")


async def test_it_is_masked_across_parts_of_a_body(ask: Asking) -> None:
    async def slowly(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_head(reader)
        writer.write(b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n" + b"a" * 100_000)
        for letter in VALUE:
            writer.write(letter.encode())
            await writer.drain()
            await asyncio.sleep(0.005)

    port = await serve(ask, HOST, slowly)
    ask.vault.put("weather", VALUE, (f"{HOST}:{port}",))
    answer = await ask(f"https://{HOST}:{port}/", f"{HOST}:{port}")
    assert answer.body == b"a" * 100_000 + b"*" * len(VALUE)


@pytest.mark.parametrize("size", [1, 3, 7, 26, 27, 1000])
def test_a_mask_keeps_every_other_byte(size: int) -> None:
    body = os.urandom(500) + VALUE.encode() * 3 + os.urandom(500) + VALUE.encode()[:-1]
    mask = Mask([VALUE.encode()])
    parts = [part for at in range(0, len(body), size) for part in mask.parts(body[at : at + size])]
    assert b"".join([*parts, mask.rest()]) == body.replace(VALUE.encode(), b"*" * len(VALUE))


def test_what_it_is_for_is_kept_with_it(vault: Vault) -> None:
    vault.put("weather", VALUE, ("API.example.org:443", "b.org:8443"))
    assert vault.lend("weather") == Kept(VALUE, ("api.example.org:443", "b.org:8443"))
    assert vault.take("weather") == VALUE
    vault.put("weather", "another")
    assert vault.lend("weather") == Kept("another"), "a new value is for nobody until it is said"
    for wrong in ("api.example.org", "*.example.org:443", "a.org:0", "a.org:x", "a b:1", "a.org:1\nfor b.org:2", "*:1",
                  "a..org:1", "a.-b.org:1", "localhost:1", "a.org:99999", "a.org:\u0661", "a.org:01", "1.2.3:1",
                  "a.0x7f:1", "1.2.3.256:1", f"{'a' * 64}.org:1", f"{'a.' * 126}org:1", ":1"):  # fmt: skip
        with pytest.raises(BadScope, match="no host:port"):
            vault.put("weather", VALUE, (wrong,))
    assert vault.take("weather") == "another", "what is refused changes nothing"


def test_what_it_is_for_is_bounded_and_comes_back_whole(vault: Vault) -> None:
    label = "a" * 62
    longest = [f"x{number:02}{label[3:]}.{label}.{label}.{label}.a:65535" for number in range(MOST_HOSTS + 1)]
    assert len(longest[0]) == 253 + len(":65535")
    vault.put("weather", "x" * LONGEST_BYTES, (*longest[1:], *longest[1:]))
    assert vault.lend("weather") == Kept("x" * LONGEST_BYTES, tuple(longest[1:])), "each once"
    for host in longest[1:]:
        Hosts(vault.lend("weather").hosts).require(read_place(host))
    with pytest.raises(BadScope, match="at most 32 hosts") as error:
        vault.put("weather", VALUE, tuple(longest))
    assert error.value.code == "secret.hosts"
    assert vault.lend("weather").hosts == tuple(longest[1:]), "what is refused changes nothing"
    vault.put("weather", VALUE, ("192.0.2.7:443",))
    assert vault.lend("weather").hosts == ("192.0.2.7:443",)


async def test_what_is_to_be_typed_keeps_the_hosts_that_it_has(ask: Asking) -> None:
    port = await serve(ask, HOST, saying("ok"))
    ask.vault.put("weather", VALUE, ("b.org:443", "c.org:443"))
    with pytest.raises(NoAnswer) as error:
        await ask(f"https://{HOST}:{port}/", f"{HOST}:{port}")
    assert error.value.hint.endswith(f"secrets set weather --for b.org:443 --for c.org:443 --for {HOST}:{port}")
    ask.vault.put("weather", "no header holds th\u00eds", (f"{HOST}:{port}", "b.org:443"))
    with pytest.raises(NoAnswer) as error:
        await ask(f"https://{HOST}:{port}/", f"{HOST}:{port}")
    assert error.value.hint.endswith(f"secrets set weather --for {HOST}:{port} --for b.org:443")
