"""What a cell may have fetched: attacks through its line, each with a control that succeeds without the broker."""

from __future__ import annotations

import asyncio
import gzip
import math
import socket
import time
import urllib.request
from contextlib import suppress
from typing import Any

import pytest

from permissions.egress import NoAnswer
from permissions.egress.frames import ASK, BODY, FAILED, HEAD, LARGEST_BODY, frame, json_frame
from permissions.model import CellSpec, ConnectionEnd
from tests.permissions.egress.conftest import PUBLIC, Authority, Internet, moving, read_head, saying

HOST = "example.org"
HERE = "127.0.0.1"


def reached(url: str) -> str:
    """The control: fetch ``url`` as a program without a cell does, redirects and all."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(url, timeout=2) as answer:
        return str(answer.read().decode())


async def refused(internet: Internet, url: str, *hosts: str, **wishes: Any) -> NoAnswer:
    with pytest.raises(NoAnswer) as found:
        await internet.ask(url, *hosts, **wishes)
    return found.value


async def test_a_granted_host_is_fetched_and_counted(internet: Internet) -> None:
    heard: list[str] = []
    port = await internet.server(saying("hello", headers="X-Kind: greeting\r\n", heard=heard), name=HOST)
    answer = await internet.ask(f"http://{HOST}:{port}/a?b=c", f"{HOST}:{port}", headers={"X-Mine": "1"})
    assert (answer.status, answer.body, answer.url) == (200, b"hello", f"http://{HOST}:{port}/a?b=c")
    assert ("x-kind", "greeting") in answer.headers
    lines = heard[0].split("\r\n")
    assert lines[0] == "GET /a?b=c HTTP/1.1"
    assert {f"host: {HOST}:{port}", "connection: close", "X-Mine: 1", "accept-encoding: identity"} <= set(lines)
    [report] = internet.reports
    assert (report.host, report.port, report.address, report.end) == (HOST, port, PUBLIC, ConnectionEnd.CONNECTED)
    assert report.up_bytes == len(heard[0])
    assert report.down_bytes > len(b"hello")
    assert report.code == ""


async def test_nothing_of_what_was_asked_is_reported(internet: Internet) -> None:
    port = await internet.server(saying("ok"), name=HOST)
    await internet.ask(f"http://{HOST}:{port}/path-word?query-word=1", f"{HOST}:{port}", headers={"X-W": "header-word"})
    assert "-word" not in repr(internet.reports)


async def test_a_host_without_a_right_is_not_even_looked_up(internet: Internet) -> None:
    port = await internet.server(saying("secret"), name="other.test")
    error = await refused(internet, f"http://other.test:{port}/", f"{HOST}:{port}", f"*.{HOST}:{port}")
    assert error.code == "refused.net.host"
    assert f"net.connect:other.test:{port}" in error.hint
    assert internet.asked == []
    assert [(one.host, one.end, one.code) for one in internet.reports] == [
        ("other.test", ConnectionEnd.REFUSED, "refused.net.host")
    ]
    control = await internet.ask(f"http://other.test:{port}/", f"other.test:{port}")
    assert control.body == b"secret"


@pytest.mark.parametrize("name", [f"{HOST}.evil.test", f"evil{HOST}", HOST])
async def test_what_only_looks_like_a_granted_domain(internet: Internet, name: str) -> None:
    port = await internet.server(saying("x"), name=name)
    assert (await refused(internet, f"http://{name}:{port}/", f"*.{HOST}:{port}")).code == "refused.net.host"
    internet.names[f"www.{HOST}"] = [[PUBLIC]]
    assert (await internet.ask(f"http://www.{HOST}:{port}/", f"*.{HOST}:{port}")).body == b"x"


@pytest.mark.parametrize(
    ("address", "kind"),
    [(HERE, "loopback"), ("::1", "loopback"), ("169.254.169.254", "metadata"), ("fd00:ec2::254", "metadata"),
     ("::ffff:127.0.0.1", "transition"), ("64:ff9b::7f00:1", "loopback"), ("10.0.0.7", "private"),
     ("0.0.0.0", "reserved")],
)  # fmt: skip
async def test_a_granted_name_that_leads_inside_is_refused(internet: Internet, address: str, kind: str) -> None:
    internet.names[HOST] = [[address]]
    error = await refused(internet, f"http://{HOST}:80/", f"{HOST}:80")
    assert error.code == "refused.net.address"
    assert f"({kind})" in str(error)
    assert internet.reports[0].end is ConnectionEnd.REFUSED


async def test_one_inner_address_among_public_ones_refuses_the_name(internet: Internet) -> None:
    port = await internet.server(saying("x"), name=HOST)
    for addresses in ([PUBLIC, HERE], [HERE, PUBLIC], ["8.8.8.8", "::1"]):
        internet.names[HOST] = [addresses]
        assert (await refused(internet, f"http://{HOST}:{port}/", f"{HOST}:{port}")).code == "refused.net.address"
    internet.names[HOST] = [[PUBLIC, PUBLIC]]
    assert (await internet.ask(f"http://{HOST}:{port}/", f"{HOST}:{port}")).body == b"x"


@pytest.mark.parametrize(
    "spelling", [HERE, f"{HERE}.", "2130706433", "0x7f000001", "0x7f.0.0.1", "0177.0.0.1", "127.1"]
)
async def test_this_machine_is_not_reached_by_any_spelling(internet: Internet, spelling: str) -> None:
    port = await internet.server(saying("inside"), at=HERE)
    with socket.create_connection((spelling.removesuffix("."), port), 2):
        pass  # the control: the system takes each of them for this machine
    error = await refused(internet, f"http://{spelling}:{port}/", f"*:{port}", f"{HERE}:{port}")
    assert error.code in ("refused.net.address", "refused.net.spelling")


async def test_a_name_that_changes_its_mind_is_asked_once(internet: Internet) -> None:
    """Rebinding: public when it is checked, inside when it is connected to."""
    port = await internet.server(saying("outside"))
    await internet.server(saying("inside"), at=HERE, port=port)
    internet.names[HOST] = [[PUBLIC], [HERE]]
    assert [await internet.resolve(HOST) for _ in range(2)] == [[PUBLIC], [HERE]]
    assert (
        await asyncio.to_thread(reached, f"http://{HERE}:{port}/") == "inside"
    )  # the control: who asks twice is inside
    internet.names[HOST], internet.asked = [[PUBLIC], [HERE]], []
    answer = await internet.ask(f"http://{HOST}:{port}/", f"{HOST}:{port}")
    assert (answer.body, internet.asked) == (b"outside", [HOST])
    assert (await refused(internet, f"http://{HOST}:{port}/", f"{HOST}:{port}")).code == "refused.net.address"


async def test_redirects_are_off_by_default_and_handed_to_the_cell(internet: Internet) -> None:
    port = await internet.server(moving("/there"), name=HOST)
    answer = await internet.ask(f"http://{HOST}:{port}/", f"{HOST}:{port}")
    assert answer.status == 302
    assert len(internet.reports) == 1


@pytest.mark.parametrize(
    "inside", [f"http://{HERE}:{{port}}/", "http://inside.test:{port}/", "http://2130706433:{port}/"]
)
async def test_a_redirect_inside_is_refused_also_where_every_host_is_granted(internet: Internet, inside: str) -> None:
    secret = await internet.server(saying("inside"), at=HERE, name="inside.test")
    url = inside.format(port=secret)
    port = await internet.server(moving(url), name=HOST)
    if "inside.test" not in url:  # the control: who follows it is inside
        assert await asyncio.to_thread(reached, f"http://{PUBLIC}:{port}/") == "inside"
    error = await refused(internet, f"http://{HOST}:{port}/", f"*:{port}", f"*:{secret}", redirects=5)
    assert error.code in ("refused.net.address", "refused.net.spelling")


async def test_a_redirect_is_followed_within_the_rights_only(internet: Internet) -> None:
    heard: list[str] = []
    last = await internet.server(saying("there", heard=heard), name="b.test")
    first = await internet.server(moving(f"http://b.test:{last}/x"), name="a.test")
    url, rights = f"http://a.test:{first}/", (f"a.test:{first}", f"b.test:{last}")
    error = await refused(internet, url, rights[0], redirects=3)
    assert (error.code, heard) == ("refused.net.host", [])
    secrets = {"Authorization": "Bearer key", "Cookie": "a=b", "X-Api-Key": "key", "Accept": "text/plain"}
    answer = await internet.ask(url, *rights, redirects=3, headers=secrets)
    assert (answer.body, answer.url) == (b"there", f"http://b.test:{last}/x")
    assert "key" not in heard[0]
    assert "a=b" not in heard[0]
    assert "Accept: text/plain" in heard[0]


async def test_redirects_end(internet: Internet) -> None:
    port = await internet.server(moving("/again"), name=HOST)
    answer = await internet.ask(f"http://{HOST}:{port}/", f"{HOST}:{port}", redirects=1000)
    assert answer.status == 302
    assert len(internet.reports) == 11


async def test_headers_stay_with_their_host(internet: Internet) -> None:
    heard: list[str] = []
    port = await internet.server(moving("/b", heard=heard), name=HOST)
    await internet.ask(f"http://{HOST}:{port}/a", f"{HOST}:{port}", redirects=1, headers={"X-Key": "mine"})
    assert ["X-Key: mine" in head for head in heard] == [True, True]


async def test_a_redirect_gives_up_no_encryption_and_repeats_no_change(
    internet: Internet, authority: Authority
) -> None:
    plain = await internet.server(saying("plain"), name=HOST)
    port = await internet.server(moving(f"http://{HOST}:{plain}/"), name=HOST, ssl=authority.context(HOST))
    rights, options = (f"{HOST}:{port}", f"{HOST}:{plain}"), {"ca_file": authority.file}
    error = await refused(internet, f"https://{HOST}:{port}/", *rights, redirects=1, options=options)
    assert error.code == "refused.net.redirect"
    port = await internet.server(moving("/again", status="307 Temporary"), name=HOST)
    wishes = {"method": "POST", "body": b"order", "changes": True, "redirects": 3}
    assert (
        await refused(internet, f"http://{HOST}:{port}/", f"{HOST}:{port}", **wishes)
    ).code == "refused.net.redirect"


@pytest.mark.parametrize(
    ("name", "value"),
    [("X-A", "b\r\nHost: inside.test"), ("X-A", "b\nX: y"), ("X-A\r\nX-B", "c"), ("X A", "b"), ("X-A:", "b"), ("", "b"),
     ("X-A", "b\0c"), ("X-A", "ü"), ("X-A", " b"), ("Host", "inside.test"), ("host", "x"), ("Content-Length", "0"),
     ("Transfer-Encoding", "chunked"), ("Connection", "upgrade"), ("Upgrade", "websocket"),
     ("Proxy-Authorization", "x"),
     ("Expect", "100-continue"), ("TE", "trailers"), ("X-A", "b" * 9000)],
)  # fmt: skip
async def test_headers_that_would_be_another_request(internet: Internet, name: str, value: str) -> None:
    heard: list[str] = []
    port = await internet.server(saying("x", heard=heard), name=HOST)
    error = await refused(internet, f"http://{HOST}:{port}/", f"{HOST}:{port}", headers={name: value})
    assert (error.code, heard, internet.reports) == ("refused.net.header", [], [])


async def test_a_raw_client_does_inject_headers(internet: Internet) -> None:
    """The control of the test above: what is written as it is becomes another header."""
    heard: list[str] = []
    port = await internet.server(saying("x", heard=heard))

    def raw() -> None:
        with socket.create_connection((PUBLIC, port), 2) as link:
            link.sendall(b"GET / HTTP/1.1\r\nX-A: b\r\nHost: inside.test\r\n\r\n")
            link.recv(100)

    await asyncio.to_thread(raw)
    assert "\r\nHost: inside.test\r\n" in heard[0]


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
async def test_only_who_may_change_something_does(internet: Internet, method: str) -> None:
    heard: list[str] = []
    port = await internet.server(saying("done", heard=heard), name=HOST)
    url, right = f"http://{HOST}:{port}/", f"{HOST}:{port}"
    assert (await refused(internet, url, right, method=method)).code == "refused.net.method"
    assert heard == []
    assert (await internet.ask(url, right, method=method, body=b"a", changes=True)).body == b"done"
    assert "content-length: 1\r\n" in heard[0]


@pytest.mark.parametrize("method", ["CONNECT", "TRACE", "get", "", "GET / HTTP/1.1\r\nX: y\r\n\r\n", "PROPFIND"])
async def test_other_methods_are_none(internet: Internet, method: str) -> None:
    error = await refused(internet, f"http://{HOST}/", f"{HOST}:80", method=method, changes=True)
    assert error.code == "refused.net.method"


@pytest.mark.parametrize("url", [f"http://{HOST}@inside.test/", "http://u:p@example.org/", "file:///etc/passwd", "x"])
async def test_urls_that_are_none(internet: Internet, url: str) -> None:
    assert (await refused(internet, url, f"{HOST}:80", "inside.test:80")).code == "refused.net.url"
    assert internet.asked == []


@pytest.mark.parametrize("announced", [True, False])
async def test_an_answer_larger_than_asked_for_is_cut(internet: Internet, announced: bool) -> None:
    sent = 0

    async def flood(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal sent
        await read_head(reader)
        length = f"content-length: {1 << 30}\r\n" if announced else ""
        writer.write(f"HTTP/1.1 200 OK\r\n{length}\r\n".encode())
        for _ in range(1 << 14):
            writer.write(b"x" * (64 << 10))
            await writer.drain()
            sent += 64 << 10

    port = await internet.server(flood, name=HOST)
    wishes = {"limit_bytes": 1 << 20}
    assert (await refused(internet, f"http://{HOST}:{port}/", f"{HOST}:{port}", **wishes)).code == "net.size"
    assert sent < 32 << 20
    assert internet.reports[0].down_bytes < 4 << 20


async def test_a_packed_answer_is_not_unpacked_by_the_daemon(internet: Internet) -> None:
    bomb = gzip.compress(b"\0" * (32 << 20))

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_head(reader)
        head = f"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: {len(bomb)}\r\n\r\n"
        writer.write(head.encode() + bomb)
        await writer.drain()

    port = await internet.server(handle, name=HOST)
    answer = await internet.ask(f"http://{HOST}:{port}/", f"{HOST}:{port}", limit_bytes=100_000)
    assert answer.body == bomb


@pytest.mark.parametrize("stage", ["silent", "head", "body", "headers without end"])
async def test_a_server_that_drips_is_left(internet: Internet, stage: str) -> None:
    async def drip(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_head(reader)
        begin = {"silent": b"", "head": b"HTTP/1.1 200", "body": b"HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n"}
        writer.write(begin.get(stage, b"HTTP/1.1 200 OK\r\n"))
        while True:
            writer.write({"silent": b"", "body": b"x"}.get(stage, b"x: y\r\n" if stage != "head" else b" "))
            await writer.drain()
            await asyncio.sleep(0.02)

    port = await internet.server(drip, name=HOST)
    began = time.monotonic()
    wishes = {"timeout_s": 0.3}
    assert (await refused(internet, f"http://{HOST}:{port}/", f"{HOST}:{port}", **wishes)).code == "net.time"
    assert time.monotonic() - began < 8, "it drips for ever"
    assert internet.reports[0].code == "net.cut"


@pytest.mark.parametrize(
    "answer",
    [b"", b"\0" * 100, b"SSH-2.0-OpenSSH\r\n",
     b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nab", b"HTTP/9 200 OK\r\n\r\n",
     b"HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab", b"HTTP/1.1 200 OK\r\nx: " + b"y" * 200_000,
     b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n", b"HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n",
     b"HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\nab",
     b"HTTP/1.1 100 Continue\r\n\r\n"],
)  # fmt: skip
async def test_what_is_no_answer_is_an_error_in_words(internet: Internet, answer: bytes) -> None:
    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_head(reader)
        writer.write(answer)
        await writer.drain()
        writer.close()
        await writer.wait_closed()

    port = await internet.server(handle, name=HOST)
    assert (await refused(internet, f"http://{HOST}:{port}/", f"{HOST}:{port}")).code == "net.protocol"
    assert internet.reports[0].end is ConnectionEnd.CONNECTED


async def test_a_certificate_must_be_for_the_host_and_from_an_authority(
    internet: Internet, authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = await internet.server(saying("sealed"), name=HOST, ssl=authority.context(HOST))
    internet.names["other.test"] = [[PUBLIC]]
    own = {"ca_file": authority.file}
    answer = await internet.ask(f"https://{HOST}:{port}/", f"{HOST}:{port}", options=own)
    assert answer.body == b"sealed"
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))  # the environment adds nobody
    assert (await refused(internet, f"https://{HOST}:{port}/", f"{HOST}:{port}")).code == "net.tls"
    wrong = await refused(internet, f"https://other.test:{port}/", f"other.test:{port}", options=own)
    assert wrong.code == "net.tls"
    assert [one.end for one in internet.reports] == [ConnectionEnd.CONNECTED, *[ConnectionEnd.FAILED] * 2]


async def test_nobody_there_is_an_error_in_words(internet: Internet) -> None:
    with socket.socket() as free:
        free.bind((PUBLIC, 0))
        port = free.getsockname()[1]
    internet.names[HOST] = [[PUBLIC]]
    assert (await refused(internet, f"http://{HOST}:{port}/", f"{HOST}:{port}")).code == "net.connect"
    assert (await refused(internet, "http://nowhere.test/", "nowhere.test:80")).code == "net.name"
    assert [one.end for one in internet.reports] == [ConnectionEnd.FAILED] * 2


async def test_a_proxy_of_the_environment_is_not_used(internet: Internet, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[str] = []
    proxy = await internet.server(saying("proxied", heard=heard), at=HERE)
    port = await internet.server(saying("direct"), name=HOST)
    for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, f"http://{HERE}:{proxy}")
    control = urllib.request.build_opener()
    assert await asyncio.to_thread(lambda: control.open(f"http://{HOST}:{port}/").read()) == b"proxied"
    assert (await internet.ask(f"http://{HOST}:{port}/", f"{HOST}:{port}")).body == b"direct"


async def test_several_questions_one_after_the_other(internet: Internet) -> None:
    port = await internet.server(saying("x"), name=HOST)
    async with internet.line(f"{HOST}:{port}") as line:
        for _ in range(3):
            assert (await asyncio.to_thread(line.ask, f"http://{HOST}:{port}/")).body == b"x"
            with pytest.raises(NoAnswer):
                await asyncio.to_thread(line.ask, "http://other.test/")
    assert len(internet.reports) == 6


async def test_who_is_refused_too_often_is_not_listened_to(internet: Internet) -> None:
    def insist(line: Any) -> list[str]:
        codes = []
        for _ in range(60):
            try:
                line.ask("http://other.test/")
            except NoAnswer as error:
                codes.append(error.code)
        return codes

    async with internet.line(f"{HOST}:80") as line:
        codes = await asyncio.to_thread(insist, line)
    assert codes == ["refused.net.host"] * 50 + ["net.cut"] * 10
    assert len(internet.reports) == 50


def _asked(body: bytes = b"", **more: Any) -> bytes:
    """Return a question as it goes over the line."""
    question = {"url": f"http://{HOST}/", "method": "GET", "headers": [], "limit_bytes": 9, "timeout_s": 2,
                "redirects": 0} | more  # fmt: skip
    return json_frame(ASK, question) + frame(BODY, body)


async def test_a_name_without_an_address_is_an_error_in_words(internet: Internet) -> None:
    internet.names[HOST] = [[]]
    with pytest.raises(NoAnswer) as failed:
        await internet.ask(f"http://{HOST}/", f"{HOST}:80")
    assert failed.value.code == "net.name"


async def test_more_than_may_be_sent_is_not_sent(internet: Internet) -> None:
    async with internet.line(f"{HOST}:80", changes=True) as line:
        with pytest.raises(NoAnswer) as refused:
            line.ask(f"http://{HOST}/", method="POST", body=bytes(LARGEST_BODY + 1))
    assert refused.value.code == "net.size"
    assert internet.asked == []


async def test_a_question_in_good_form_is_answered(internet: Internet) -> None:
    """The control of what follows."""
    ours, theirs = socket.socketpair()
    serving = asyncio.create_task(internet.egress().serve(ours, CellSpec(), internet.reports.append))
    with ours, theirs:
        theirs.settimeout(2)
        theirs.sendall(_asked())
        assert b"refused.net.host" in await asyncio.to_thread(theirs.recv, 1000)
        theirs.shutdown(socket.SHUT_WR)
        await serving


@pytest.mark.parametrize(
    "data",
    [b"GET / HTTP/1.1\r\n\r\n", b"q\xff\xff\xff\xff", b"q\x02\0\0\0[]b\0\0\0\0", b"q\x02\0\0\0{}b\0\0\0\0",
     b"b\0\0\0\0",
     _asked(url=7), _asked(method=None), _asked(headers=[["a", 1]]), _asked(limit_bytes="9"), _asked(timeout_s=True),
     _asked(timeout_s=math.nan), _asked(redirects=None), _asked().replace(b"b\0\0\0\0", b"e\0\0\0\0"),
     _asked(body=b"x" * (LARGEST_BODY + 1)), _asked(url=f"http://{HOST}/" + "x" * (256 << 10)),
     b"q\x03\0\0\0\xff\xfe\xfdb\0\0\0\0", b"q\x05\0\0\0[[[[[b\0\0\0\0", bytes(range(190, 254))],
)  # fmt: skip
async def test_what_is_no_question_ends_the_line(internet: Internet, data: bytes) -> None:
    ours, theirs = socket.socketpair()
    serving = asyncio.create_task(
        internet.egress().serve(ours, CellSpec(hosts=(f"{HOST}:80",)), internet.reports.append)
    )
    with ours, theirs:
        theirs.settimeout(2)
        with suppress(OSError):  # it may be closed before all was said
            await asyncio.to_thread(theirs.sendall, data)
            theirs.shutdown(socket.SHUT_WR)
        assert await asyncio.to_thread(_last_words, theirs) == b""
        await serving
    assert internet.reports == []


def _last_words(line: socket.socket) -> bytes:
    with suppress(ConnectionResetError):
        return line.recv(10)
    return b""


async def test_the_end_of_a_call_ends_its_connection(internet: Internet) -> None:
    begun, ended = asyncio.Event(), asyncio.Event()

    async def wait(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_head(reader)
        begun.set()
        try:
            assert await reader.read() == b""
        finally:
            ended.set()

    port = await internet.server(wait, name=HOST)
    async with internet.line(f"{HOST}:{port}") as line:
        asking = asyncio.create_task(asyncio.to_thread(line.ask, f"http://{HOST}:{port}/"))
        await begun.wait()
    with pytest.raises(NoAnswer, match="closed the network"):
        await asking
    await asyncio.wait_for(ended.wait(), 2)
    [report] = internet.reports
    assert (report.end, report.code) == (ConnectionEnd.CONNECTED, "net.cut")
    assert report.up_bytes > 0


@pytest.mark.parametrize(("limit_bytes", "first"), [(5, HEAD), (4, FAILED)])
async def test_of_an_answer_that_announces_too_much_nothing_is_passed_on(
    internet: Internet, limit_bytes: int, first: bytes
) -> None:
    port = await internet.server(saying("hello"), name=HOST)
    ours, theirs = socket.socketpair()
    spec = CellSpec(hosts=(f"{HOST}:{port}",))
    serving = asyncio.create_task(internet.egress().serve(ours, spec, internet.reports.append))
    with ours, theirs:
        theirs.settimeout(5)
        theirs.sendall(_asked(url=f"http://{HOST}:{port}/", limit_bytes=limit_bytes))
        assert (await asyncio.to_thread(theirs.recv, 1)) == first
        theirs.shutdown(socket.SHUT_WR)
        await serving
