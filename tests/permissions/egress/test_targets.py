"""URLs and hosts: read once, in one form, or refused."""

from __future__ import annotations

import socket

import pytest
from hypothesis import given
from hypothesis import strategies as st

from permissions.egress.rules import Hosts
from permissions.egress.targets import Target, normal_host, read_url
from permissions.errors import BadScope, Refused


@pytest.mark.parametrize(
    ("url", "means"),
    [
        ("https://example.org", ("https", "example.org", 443, "/")),
        ("HTTPS://EXAMPLE.Org.:8443/A?b=c#d", ("https", "example.org", 8443, "/A?b=c")),
        ("http://example.org?x", ("http", "example.org", 80, "/?x")),
        ("https://münchen.de/ü?ä=ß", ("https", "xn--mnchen-3ya.de", 443, "/%C3%BC?%C3%A4=%C3%9F")),
        ("https://EXAMPLE\uff0eorg/", ("https", "example.org", 443, "/")),
        ("https://example.org/a%2Fb/../c", ("https", "example.org", 443, "/a%2Fb/../c")),
        ("http://127.0.0.1.:80/", ("http", "127.0.0.1", 80, "/")),
        ("http://[::FFFF:127.0.0.1]/", ("http", "::ffff:7f00:1", 80, "/")),
        ("https://example.org/a@b:c", ("https", "example.org", 443, "/a@b:c")),
    ],
)
def test_what_a_url_means(url: str, means: tuple[str, str, int, str]) -> None:
    assert read_url(url) == Target(*means)


@pytest.mark.parametrize(
    "url",
    [
        "", "example.org", "//example.org/", "file:///etc/passwd", "ftp://example.org/", "gopher://example.org/",
        "data:text/plain,x", "unix:/run/steward.sock", "https:example.org", "https:/example.org", "https:///path",
        "https://user@example.org/", "https://user:word@example.org/", "https://example.org@evil.test/",
        "https://example.org\\@evil.test/", "https://evil.test\\.example.org/", "https://example.org/a b",
        "https://example.org/\r\nhost: evil", "https://example.org/\tx", "https://example.org/\0", " https://example.org",
        "https://example.org:/", "https://example.org:0/", "https://example.org:65536/", "https://example.org:443:80/",
        "https://example.org:-1/", "https://example.org:٤٤٣/", "https://[::1/", "https://::1/", "https://[fe80::1%25lo]/",
        "https://[v1.x]/", "https://example.org/\ud800", "https://example.org/" + "a" * 9000,
    ],
)  # fmt: skip
def test_urls_that_are_refused(url: str) -> None:
    with pytest.raises(Refused) as refused:
        read_url(url)
    assert refused.value.code in ("refused.net.url", "refused.net.spelling")
    assert refused.value.hint


@pytest.mark.parametrize(
    "host", ["2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "127.1", "127.0.1", "017700000001"]
)
def test_a_number_in_disguise_is_refused_that_the_system_takes_for_this_machine(host: str) -> None:
    assert socket.inet_aton(host)[0] == 127  # the control: this spelling leads here without us
    with pytest.raises(Refused, match="disguise"):
        normal_host(host)


@pytest.mark.parametrize("host", ["１２７.0.0.1", "127。0。0。1", "①27.0.0.1"])
def test_digits_of_other_scripts_are_digits(host: str) -> None:
    assert normal_host(host) == "127.0.0.1"


@pytest.mark.parametrize(
    "host",
    ["localhost", "router", "", ".", "..", "a..b", ".example.org", "-a.org", "a-.org", "a" * 64 + ".org",
     "exa mple.org",
     "example.org..", "example.org%00.evil", "%31%32%37.0.0.1", "1.2.3.4.5", "1.2.3.256", "01.2.3.4", "example.0x1",
     ".".join(["abcdefghi"] * 30), "\u2028.org"],
)  # fmt: skip
def test_hosts_that_are_refused(host: str) -> None:
    with pytest.raises(Refused):
        normal_host(host)


@pytest.mark.parametrize(
    "host", ["r3---sn-4g5e6nsz.example.org", "_dmarc.example.org", "XN--MNCHEN-3YA.de", "a1.b-2.org"]
)
def test_a_host_of_plain_letters_is_taken_as_it_is(host: str) -> None:
    """The rules for other scripts would refuse names that are in use."""
    assert normal_host(host) == host.lower()


@given(st.text(max_size=30))
def test_the_one_form_of_a_host_is_its_own(text: str) -> None:
    try:
        once = normal_host(text)
    except Refused:
        return
    assert normal_host(f"[{once}]" if ":" in once else once) == once
    assert once.isascii()
    assert once == once.lower()


@given(st.text(max_size=60))
def test_any_text_is_a_target_or_refused(text: str) -> None:
    try:
        target = read_url(f"https://{text}")
    except Refused:
        return
    assert read_url(str(target)) == target
    assert all("!" <= character <= "~" for character in target.path)


@pytest.mark.parametrize("url", ["https://user@example.org/", "https://u:p@example.org/", "https://@example.org/"])
def test_who_puts_a_name_before_the_host_is_told_so(url: str) -> None:
    with pytest.raises(Refused, match="user name"):
        read_url(url)


RULES = ("example.org:443", "*.example.net:443", "open.example.com:*", "93.184.216.34:80", "Straße.example.:443")


@pytest.mark.parametrize(
    "url",
    ["https://example.org/", "https://EXAMPLE.ORG./", "https://a.example.net/", "https://a.b.example.net/",
     "http://open.example.com:8080/", "https://open.example.com/", "http://93.184.216.34/", "https://straße.example/"],
)  # fmt: skip
def test_hosts_with_a_right(url: str) -> None:
    Hosts(RULES).require(read_url(url))


@pytest.mark.parametrize(
    "url",
    ["http://example.org/", "https://example.org:444/", "https://www.example.org/", "https://example.org.evil.test/",
     "https://example.orgevil.test/", "https://evilexample.org/", "https://example.net/", "https://evilexample.net/",
     "https://example.net.evil.test/", "https://a.example.net:8443/", "https://example.com/", "https://93.184.216.35/",
     "https://93.184.216.34/", "http://[::ffff:5db8:d822]/", "https://other.test/"],
)  # fmt: skip
def test_hosts_without_a_right(url: str) -> None:
    with pytest.raises(Refused) as refused:
        Hosts(RULES).require(read_url(url))
    target = read_url(url)
    assert refused.value.code == "refused.net.host"
    assert f"net.connect:{target.place}" in refused.value.hint


def test_a_star_is_every_name_at_that_port_and_no_part_of_an_address() -> None:
    Hosts(["*:443"]).require(read_url("https://anything.test/"))
    with pytest.raises(Refused):
        Hosts(["*:443"]).require(read_url("http://anything.test/"))
    with pytest.raises(BadScope):
        Hosts(["*.0.0.1:80"])


@pytest.mark.parametrize(
    "scope", ["", "*", "example.org", "example.org:", "example.org:x", "example.org:0", "example.org:70000", ":443",
              "*.:443", "*.*.org:443", "a.*.org:443", "**:443", "example.org/path:443", "u@example.org:443"],
)  # fmt: skip
def test_scopes_that_are_none(scope: str) -> None:
    with pytest.raises(BadScope):
        Hosts([scope])


@pytest.mark.parametrize("denied", ["evil.example.org:443", "*.example.org:443", "evil.example.org:*", "*:443"])
def test_what_was_denied_holds_against_every_scope(denied: str) -> None:
    url = read_url("https://evil.example.org/")
    for scope in ("evil.example.org:443", "*.example.org:443", "*:*"):
        Hosts([scope]).require(url)  # the control
        for require in (Hosts([scope], [denied]).require, Hosts([scope], [denied]).require_by_name):
            with pytest.raises(Refused) as refused:
                require(url)
            assert refused.value.code == "refused.net.denied"
    Hosts(["*:*"], [denied]).require(read_url("http://evil.example.com/"))
