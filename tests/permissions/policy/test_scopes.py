"""Scopes: what covers what, and what is no scope at all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from permissions.errors import BadScope
from permissions.model import Action, Right
from permissions.policy.scopes import checked, covers, holds_path, is_own_network, parse_right

NAMES = st.sampled_from(["a", "b", "a-private", "ü", "x y", "..."])
PATHS = st.lists(NAMES, max_size=4).map(lambda parts: "/" + "/".join(parts))
RIGHTS = st.builds(
    Right,
    st.sampled_from([Action.FS_READ, Action.FS_WRITE]),
    PATHS.map(lambda p: p if p == "/" else p.rstrip("/")),
    st.booleans(),
)


@given(RIGHTS, RIGHTS)
def test_covering_means_every_path_of_one_is_a_path_of_the_other(wide: Right, narrow: Right) -> None:
    """The oracle: enumerate the small universe of paths instead of comparing components."""

    def holds(right: Right, path: str) -> bool:
        if path == right.scope:
            return True
        return right.tree and (right.scope == "/" or path.startswith(right.scope + "/"))

    names = ["a", "b", "a-private", "ü", "x y", "...", "zz"]
    universe = {"/", narrow.scope, wide.scope} | {f"{narrow.scope.rstrip('/')}/{name}" for name in names}
    expected = wide.action is narrow.action and all(holds(wide, p) for p in universe if holds(narrow, p))
    assert covers(wide, narrow) == expected


@given(RIGHTS, RIGHTS, RIGHTS)
def test_covering_is_a_partial_order(a: Right, b: Right, c: Right) -> None:
    assert covers(a, a)
    if covers(a, b) and covers(b, c):
        assert covers(a, c)
    if covers(a, b) and covers(b, a):
        assert (a.scope, a.action) == (b.scope, b.action)
    assert holds_path(a.scope, b.scope) == covers(Right(b.action, a.scope, True), b)


@pytest.mark.parametrize(
    "scope",
    ["relative", "/a/../b", "/a/", "//a", "/a/./b", "", "/a\0b", "~", "C:\\"],
)
def test_malformed_paths_are_refused(scope: str) -> None:
    with pytest.raises(BadScope):
        checked(Right(Action.FS_READ, scope))


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("fs.read:~/Downloads/**", Right(Action.FS_READ, "/home/u/Downloads", True)),
        ("fs.read:~/Downloads/", Right(Action.FS_READ, "/home/u/Downloads", True)),
        ("fs.write:~/a b.txt", Right(Action.FS_WRITE, "/home/u/a b.txt")),
        ("fs.read:~", Right(Action.FS_READ, "/home/u")),
        ("fs.read:/**", Right(Action.FS_READ, "/", True)),
        ("net.connect:example.org:443", Right(Action.NET_CONNECT, "example.org:443")),
        ("net.connect:*.Example.org:443", Right(Action.NET_CONNECT, "*.example.org:443")),
        ("skill.call:notes", Right(Action.SKILL_CALL, "notes")),
        ("skill.call:notes.create", Right(Action.SKILL_CALL, "notes.create")),
        ("device.use:nvidia0", Right(Action.DEVICE_USE, "nvidia0")),
        ("secret.use:mail password", Right(Action.SECRET_USE, "mail password")),
        ("graph.read:person/anna", Right(Action.GRAPH_READ, "person/anna")),
        ("model.see:facts@127.0.0.1:11434", Right(Action.MODEL_SEE, "facts@127.0.0.1:11434")),
        ("model.see:*@[::1]:8080", Right(Action.MODEL_SEE, "*@[::1]:8080")),
    ],
)
def test_a_right_is_read_as_a_person_types_it(text: str, right: Right) -> None:
    assert parse_right(text, "/home/u") == right


@pytest.mark.parametrize(
    "text",
    [
        "",
        "read:~/x",
        "fs.read",
        "fs.read:",
        "fs.read:../x",
        "net.connect:host",
        "net.connect:host:port:1",
        "skill.call:../x",
        "skill.call:notes.",
        "skill.call:notes.Create",
        "skill.call:notes.create.x",
        "skill.call:notes.*",
        "net.connect:example.org:0",
        "net.connect:example.org:70000",
        "net.connect:ex*mple.org:80",
        "net.connect:a..b:80",
        "net.connect:user@example.org:80",
        "device.use:../sda",
        "secret.use:\x1b[2J",
        "secret.reveal:",
        "graph.read:a\0b",
        "model.see:facts",
        "model.see:@127.0.0.1:11434",
        "model.see:facts@",
        "model.see:facts@127.0.0.1",
        "model.see:facts@127.0.0.1:0",
        "model.see:facts@127.0.0.1:70000",
        "model.see:secrets@127.0.0.1:11434",
        "model.see:facts@*:11434",
        "model.see:facts@*.example.org:443",
        "model.see:facts@example.org:*",
        "model.see:facts@user@example.org:443",
        "model.see:facts,results@example.org:443",
        "model.see:facts@" + "a" * 300 + ":443",
        "fs.read:/home/u/**/**",
        "fs.read:/home/u/" + "x" * 5000,
    ],
)
def test_what_is_no_right_is_refused_with_a_next_step(text: str) -> None:
    with pytest.raises(BadScope):
        parse_right(text, "/home/u")


@pytest.mark.parametrize(
    ("wide", "narrow", "covered"),
    [
        ("*.example.org:443", "a.example.org:443", True),
        ("*.example.org:443", "a.b.example.org:443", True),
        ("*.example.org:443", "example.org:443", False),
        ("*.example.org:443", "evilexample.org:443", False),
        ("*.example.org:443", "a.example.org:80", False),
        ("*.example.org:*", "a.example.org:80", True),
        ("*.org:443", "*.example.org:443", True),
        ("*", "example.org:443", True),
        ("*:443", "example.org:443", True),
        ("example.org:443", "*.example.org:443", False),
        ("*.0.0.1:80", "10.0.0.1:80", False),
    ],
)
def test_a_host_lies_below_its_domains_and_nowhere_else(wide: str, narrow: str, covered: bool) -> None:
    assert covers(Right(Action.NET_CONNECT, wide), Right(Action.NET_CONNECT, narrow)) is covered


@pytest.mark.parametrize(
    ("scope", "own"),
    [
        ("localhost:80", True), ("db.localhost:80", True), ("127.0.0.1:80", True), ("10.1.2.3:443", True),
        ("169.254.169.254:80", True), ("192.168.0.1:*", True), ("0.0.0.0:80", True), ("127.1:80", True),
        ("2130706433:80", True), ("0x7f.1:80", True), ("0177.0.0.1:80", True), ("printer.local:631", True),
        ("*.local:631", True), ("metadata:80", True), ("*.internal:80", True),
        ("1.1.1.1:443", False), ("example.org:443", False), ("*.example.org:443", False),
        ("local.example.org:1", False), ("*:443", False), ("*", False),
    ],
)  # fmt: skip
def test_addresses_of_this_machine_and_its_network_are_told(scope: str, own: bool) -> None:
    assert is_own_network(checked(Right(Action.NET_CONNECT, scope))) is own


@pytest.mark.parametrize(
    ("action", "scope"),
    [
        (Action.FS_READ, "/home/u/nas.local:2024"),
        (Action.DESKTOP_OPEN, "/home/u/nas.local:2024"),
        (Action.DESKTOP_OPEN, "https://nas.local:8443"),
        (Action.MODEL_SEE, "results@gpu.lan:11434"),
    ],
)
def test_only_a_connection_is_one_to_this_network_whatever_else_is_called_like_it(action: Action, scope: str) -> None:
    assert is_own_network(Right(Action.NET_CONNECT, "nas.local:2024"))
    assert not is_own_network(checked(Right(action, scope)))


def test_a_skill_stands_for_its_tools_and_for_nobody_else_s() -> None:
    skill, tool = Right(Action.SKILL_CALL, "notes"), Right(Action.SKILL_CALL, "notes.create")
    assert covers(skill, tool)
    assert covers(tool, tool)
    assert not covers(tool, skill)
    assert not covers(tool, Right(Action.SKILL_CALL, "notes.delete"))
    assert not covers(skill, Right(Action.SKILL_CALL, "notes-2.create"))
    assert not covers(skill, Right(Action.NET_CONNECT, "notes.create:80"))
