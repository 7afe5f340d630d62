"""Which addresses are public. The oracle is the standard library's own table, and the kernel's reading of IPv4."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from permissions.egress.addresses import refusal

NAT64 = IPv6Network("64:ff9b::/96")


@pytest.mark.parametrize(
    ("kind", "addresses"),
    [
        ("metadata", "169.254.169.254 fd00:ec2::254 100.100.100.200 168.63.129.16"),
        ("loopback", "127.0.0.1 127.255.255.254 ::1"),
        ("private", "10.0.0.1 172.16.0.1 172.31.255.255 192.168.0.1 fc00::1 fdff::1 fec0::1"),
        ("link-local", "169.254.0.1 fe80::1 fe80::1%eth0 2606:4700::1%eth0"),
        ("shared", "100.64.0.1 100.127.255.255"),
        ("multicast", "224.0.0.1 239.255.255.250 ff02::1 ff0e::1"),
        ("documentation", "192.0.2.1 198.51.100.1 203.0.113.1 2001:db8::1 3fff::1"),
        ("transition", "::ffff:127.0.0.1 ::ffff:8.8.8.8 2002:7f00:1:: 2002:808:808:: 2001::1 64:ff9b:1::1"),
        ("reserved", "0.0.0.0 0.1.2.3 192.0.0.8 198.18.0.1 240.0.0.1 255.255.255.255 :: ::127.0.0.1 ::8.8.8.8 100::1"),
        ("reserved", "1::1 4000::1 e000::1 5f00::1 2001:2::1"),
        ("", "1.1.1.1 8.8.8.8 172.32.0.1 100.128.0.1 2606:4700:4700::1111 2a00:1450::1 64:ff9b::8.8.8.8"),
        ("", "2a00:1450::5efe:808:808"),
    ],
)  # fmt: skip
def test_kinds(kind: str, addresses: str) -> None:
    assert {address: refusal(address) for address in addresses.split()} == dict.fromkeys(addresses.split(), kind)


@pytest.mark.parametrize("inner", ["127.0.0.1", "10.0.0.1", "169.254.169.254", "192.168.1.1", "100.64.0.1", "0.0.0.0"])
def test_an_inner_address_counts(inner: str) -> None:
    number = int(IPv4Address(inner))
    for prefix in (
        IPv6Address("64:ff9b::"),
        IPv6Address("2a00:1450::5efe:0:0"),
        IPv6Address("2a00:1450::200:5efe:0:0"),
    ):
        assert refusal(str(IPv6Address(int(prefix) | number))) == (refusal(inner) or "refused")


@given(st.ip_addresses())
def test_what_is_public_is_public_to_the_standard_library_too(address: IPv4Address | IPv6Address) -> None:
    if not refusal(str(address)) and address not in NAT64:
        assert address.is_global
        assert not any((address.is_multicast, address.is_private, address.is_reserved, address.is_link_local))


@given(st.ip_addresses(v=4))
def test_most_of_ipv4_can_be_reached(address: IPv4Address) -> None:
    ordinary = address.is_global and not address.is_multicast and int(address) >> 24 not in (0, 192, 198, 240)
    if ordinary and str(address) not in ("168.63.129.16",):
        assert refusal(str(address)) == ""


@given(st.text(max_size=20))
def test_what_is_no_address_is_refused(text: str) -> None:
    try:
        ip_address(text)
    except ValueError:
        assert refusal(text) == "reserved"
