"""Files by the words of their names: what is kept, what is forgotten, and what fits."""

from __future__ import annotations

from pathlib import Path

import pytest

from kernel.context.naming import NamedBy, Wanted, date_in, parts_of, plain
from kernel.context.world import HomeWorld
from tests.kernel.homes import furnish

PATHS = ("/h/invoice_acme_2025-11.pdf", "/h/Rechnung_Nordwind_2026-01.pdf", "/h/old/acme logo.png", "/h/acme.pdf")


def fitting(named: NamedBy, *words: str, **more: object) -> set[str]:
    return set(named.fitting(Wanted(frozenset(words), **more)))  # type: ignore[arg-type]


@pytest.fixture
def named() -> NamedBy:
    found = NamedBy()
    for path in PATHS:
        found.add(path)
    return found


def test_files_are_found_by_words_suffix_and_month(named: NamedBy) -> None:
    assert fitting(named, "acme") == {PATHS[0], PATHS[2], PATHS[3]}
    assert fitting(named, "acme", "invoice") == {PATHS[0]}
    assert fitting(named, "acme", suffixes=frozenset({"png", "jpg"})) == {PATHS[2]}
    assert fitting(named, "acme", month=11) == fitting(named, "acme", month=11, year=2025) == {PATHS[0]}
    assert not fitting(named, "acme", month=11, year=2024)
    assert not fitting(named, "acme", "nordwind")
    assert not fitting(named)


def test_what_is_gone_is_forgotten(named: NamedBy) -> None:
    for path in PATHS[:3]:
        named.remove(path)
    assert fitting(named, "acme") == {PATHS[3]}
    assert not fitting(named, "nordwind")
    assert not fitting(named, "acme", month=11)


def test_a_word_of_very_many_names_names_none_of_them() -> None:
    named = NamedBy()
    for number in range(5_000):
        named.add(f"/h/IMG_{number}.jpg")
    assert not fitting(named, "img")
    assert fitting(named, "img", "17") == {"/h/IMG_17.jpg"}
    named.add("/h/IMG beach.jpg")
    assert fitting(named, "img", "beach") == {"/h/IMG beach.jpg"}


@pytest.mark.parametrize(
    ("name", "date"),
    [
        ("bill_2025-11.pdf", (2025, 11)),
        ("bill 03.12.2024.pdf", (2024, 12)),
        ("20240317 scan.pdf", (2024, 3)),
        ("tax 2024.pdf", (2024, 0)),
        ("room 2041.pdf", (2041, 0)),
        ("part 31999.pdf", (0, 0)),
        ("plan.pdf", (0, 0)),
    ],
)
def test_the_date_of_a_name(name: str, date: tuple[int, int]) -> None:
    assert date_in(f"/h/{name}") == date


def test_words_have_the_pieces_of_which_they_are_made() -> None:
    assert parts_of("/h/MyScan2 für Jörg.pdf") == (("myscan2", "my", "scan", "2"), ("fuer",), ("joerg",))


def test_a_home_knows_files_that_come_and_go(tmp_path: Path) -> None:
    home = furnish(tmp_path / "home", ["Bills/gas bill.pdf"])
    world = HomeWorld(str(home))
    wanted = Wanted(frozenset({"bill"}))
    assert world.such(wanted) == (str(home / "Bills/gas bill.pdf"),)
    furnish(home, ["Bills/water bill.pdf"])
    world.look()
    assert len(world.such(wanted)) == 2
    (home / "Bills/gas bill.pdf").unlink()
    world.look()
    assert world.such(wanted) == (str(home / "Bills/water bill.pdf"),)
    assert not world.has_such(Wanted(frozenset({"gas"})))


@pytest.mark.parametrize("said", ["Käsekuchen.jpg", "kaesekuchen.jpg", "KAESEKUCHEN.JPG"])
def test_a_name_is_found_without_its_umlauts(said: str, tmp_path: Path) -> None:
    home = furnish(tmp_path / "home", ["Käsekuchen.jpg", "Kaesekuchen.png", "Käse.jpg"])
    assert HomeWorld(str(home)).files(said) == (str(home / "Käsekuchen.jpg"),)


def test_a_file_is_found_by_its_words_without_their_accents(tmp_path: Path) -> None:
    home = furnish(tmp_path / "home", ["Résumé Ayşe Yıldız.pdf"])
    world = HomeWorld(str(home))
    world.look()
    assert world.such(Wanted(frozenset(map(plain, ("resume", "yildiz"))))) == (str(home / "Résumé Ayşe Yıldız.pdf"),)
