"""Which addresses the daemon may connect to for a call: those of the public internet, and no others.

What this stops: reaching this machine, its network, a cloud's metadata service, or anything that is not a public host,
by whatever name led there; the same hidden in an IPv6 address that carries an IPv4 one.
What it does not: tell whose public address it is (``nearby`` knows this machine's own and its neighbours'). A network's
own NAT64 prefix cannot be known.

Sources: the IANA special-purpose address registries (RFC 6890), RFC 4291, 6052, 8215, 3056, 4380, 5214; the metadata
addresses of the large clouds.
"""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

Address = IPv4Address | IPv6Address

_KINDS = """
metadata      169.254.169.254/32 fd00:ec2::254/128 168.63.129.16/32 100.100.100.200/32 fd20:ce::254/128
loopback      127.0.0.0/8 ::1/128
private       10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 fc00::/7 fec0::/10
link-local    169.254.0.0/16 fe80::/10
shared        100.64.0.0/10
multicast     224.0.0.0/4 ff00::/8
documentation 192.0.2.0/24 198.51.100.0/24 203.0.113.0/24 2001:db8::/32 3fff::/20
transition    ::ffff:0:0/96 2002::/16 2001::/32 64:ff9b:1::/48
reserved      0.0.0.0/8 192.0.0.0/24 192.88.99.0/24 198.18.0.0/15 240.0.0.0/4 ::/96 100::/64 2001::/23 5f00::/16
"""
_PUBLIC_V6 = IPv6Network("2000::/3")
_NAT64 = IPv6Network("64:ff9b::/96")
_ISATAP = (0x00005EFE, 0x02005EFE)


def _table(text: str) -> tuple[tuple[IPv4Network | IPv6Network, str], ...]:
    lines = (line.split() for line in text.strip().splitlines())
    return tuple((ip_network(network), kind) for kind, *networks in lines for network in networks)


_REFUSED = _table(_KINDS)


def refusal(text: str) -> str:
    """Return the kind of address that ``text`` is and may not be connected to; empty when it is a public one.

    The kinds: metadata, loopback, private, link-local, shared, multicast, documentation, transition, reserved.
    """
    try:
        address = ip_address(text)
    except ValueError:
        return "reserved"
    if isinstance(address, IPv6Address) and address.scope_id is not None:
        return "link-local"
    return _refusal(address)


def _refusal(address: Address) -> str:
    for network, kind in _REFUSED:
        if address in network:
            return kind
    if isinstance(address, IPv6Address):
        inner = _carried(address)
        if inner is not None:
            return _refusal(inner)
        if address not in _PUBLIC_V6:
            return "reserved"
    return "" if address.is_global and not address.is_multicast else "reserved"


def _carried(address: IPv6Address) -> IPv4Address | None:
    """Return the IPv4 address that a packet to ``address`` ends at: a translator's (NAT64), a tunnel's (ISATAP)."""
    number = int(address)
    if address in _NAT64 or (number >> 32) & 0xFFFFFFFF in _ISATAP:
        return IPv4Address(number & 0xFFFFFFFF)
    return None
