"""Secrets: kept for the person alone, and not believed where somebody else could have written or read them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from permissions.errors import BadScope, StorageFailed
from permissions.vault import Vault


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    return Vault(tmp_path / "secrets")


def test_a_secret_comes_back_and_is_the_persons_alone(vault: Vault, tmp_path: Path) -> None:
    vault.put("mail", "pass wörd")
    assert vault.take("mail") == "pass wörd"
    file = tmp_path / "secrets" / "mail"
    assert (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    vault.put("mail", "another")
    assert (vault.take("mail"), vault.names()) == ("another", ("mail",))
    vault.remove("mail")
    assert vault.names() == ()


@pytest.mark.parametrize("name", ["", "../mail", "Mail", "a/b", ".mail", "a" * 64, "mail\n", "1a"])
def test_a_name_is_no_path(vault: Vault, name: str) -> None:
    for act in (lambda: vault.put(name, "x"), lambda: vault.take(name), lambda: vault.remove(name)):
        with pytest.raises(BadScope, match="name has small letters"):
            act()


@pytest.mark.parametrize("value", ["", "two\nlines", "a\0b", "x" * 4097])
def test_a_value_is_one_line(vault: Vault, value: str) -> None:
    with pytest.raises(BadScope, match="one line"):
        vault.put("mail", value)
    assert vault.names() == ()


def test_one_that_others_may_read_is_not_used(vault: Vault, tmp_path: Path) -> None:
    vault.put("mail", "secret")
    os.chmod(tmp_path / "secrets" / "mail", 0o644)
    with pytest.raises(BadScope) as caught:
        vault.take("mail")
    assert caught.value.code == "secret.open"
    assert 'secret"' not in str(caught.value)


def test_a_link_in_its_place_is_not_followed(vault: Vault, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_text("planted")
    other.chmod(0o600)
    vault.put("keep", "x")
    (tmp_path / "secrets" / "mail").symlink_to(other)
    with pytest.raises(BadScope, match="There is no secret"):
        vault.take("mail")
    vault.put("mail", "mine")
    assert (other.read_text(), vault.take("mail")) == ("planted", "mine")


def test_a_pipe_in_its_place_holds_up_nobody(vault: Vault, tmp_path: Path) -> None:
    vault.put("keep", "x")
    os.mkfifo(tmp_path / "secrets" / "mail", 0o600)
    with pytest.raises(BadScope):
        vault.take("mail")


def test_a_secret_that_cannot_be_destroyed_is_not_said_to_be_absent(vault: Vault, tmp_path: Path) -> None:
    vault.put("keep", "x")
    (tmp_path / "secrets" / "mail").mkdir()
    with pytest.raises(StorageFailed, match="The secret mail is still there"):
        vault.remove("mail")
    with pytest.raises(BadScope, match="There is no secret phone"):
        vault.remove("phone")
