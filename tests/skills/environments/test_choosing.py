"""Of what an index has the wheel for this machine with a sum of the lock is taken; else it is said what is wrong."""

from __future__ import annotations

import json

import pytest
from packaging.tags import sys_tags

from skills.environments.choosing import chosen, hashes_of, offers_of
from skills.environments.model import Offer
from skills.model import Pin
from skills.packages.model import Refused

A, B = "a" * 64, "b" * 64
PIN = Pin("lune", "1.0", (A,))
HERE = str(next(sys_tags()))
PURE, OWN = Offer("lune-1.0-py3-none-any.whl", "", A), Offer(f"lune-1.0-{HERE}.whl", "", A)


@pytest.mark.parametrize(
    ("offers", "best"),
    [
        ([PURE, OWN], OWN),
        ([Offer(f"lune-1.0-{HERE}.whl", "", B), PURE], PURE),  # the better one is not in the lock
        ([Offer("Lune-1.0.0-py3-none-any.whl", "", A)], Offer("Lune-1.0.0-py3-none-any.whl", "", A)),
    ],
)
def test_the_best_that_the_lock_names_is_taken(offers: list[Offer], best: Offer) -> None:
    assert chosen(PIN, offers, "an index") == best


@pytest.mark.parametrize(
    ("offers", "code"),
    [
        ([], "environment.missing"),
        ([Offer("lune-1.1-py3-none-any.whl", "", A)], "environment.missing"),
        ([Offer("mare-1.0-py3-none-any.whl", "", A)], "environment.missing"),
        ([Offer("lune-1.0.tar.gz", "", A)], "environment.source"),
        ([Offer("lune-1.0-cp311-cp311-win_amd64.whl", "", A)], "environment.platform"),
        ([Offer("lune-1.0-py3-none-any.whl", "", B)], "environment.hash"),
        ([Offer("lune.whl", "", A)], "environment.missing"),
    ],
)
def test_what_is_wrong_is_said(offers: list[Offer], code: str) -> None:
    with pytest.raises(Refused) as error:
        chosen(PIN, offers, "an index")
    assert (error.value.code, bool(error.value.hint)) == (code, True)


def test_pages_of_both_forms_are_read() -> None:
    at = "https://index.test/simple/lune/"
    told = {"files": [{"filename": "lune-1.0-py3-none-any.whl", "url": "../../f/lune.whl", "hashes": {"sha256": A}}]}
    html = f'<a href="../../f/lune-1.0-py3-none-any.whl#sha256={A}">lune</a><a href="/simple/">up</a>'
    (one,), (other,) = offers_of(json.dumps(told), at), offers_of(html, at)
    assert (one.filename, one.place, one.sha256) == (PURE.filename, "https://index.test/f/lune.whl", A)
    assert (other.filename, other.place, other.sha256) == (PURE.filename, f"https://index.test/f/{PURE.filename}", A)
    with pytest.raises(ValueError, match="no name of a file"):
        offers_of('{"files": [{"filename": "../lune.whl", "url": "x"}]}', at)


def test_a_lock_names_the_wheels_of_every_machine() -> None:
    offers = [PURE, Offer("lune-1.0-cp311-cp311-win_amd64.whl", "", B), Offer("lune-1.0.tar.gz", "", "c" * 64)]
    assert hashes_of(PIN, offers) == (A, B)
