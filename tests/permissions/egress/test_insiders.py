"""A granted name that leads inside, in a network of its own where every such address answers."""

from __future__ import annotations

import pytest

from tests.proofs.insiders import INSIDERS, reached
from tests.proofs.refusals import Refusal


@pytest.mark.network
@pytest.mark.parametrize("insider", INSIDERS, ids=[insider.title for insider in INSIDERS])
def test_no_name_leads_inside(insider: Refusal) -> None:
    if not reached():
        pytest.skip("needs iproute2 and user namespaces")
    outcome = insider.trial()
    assert outcome.live
    assert not outcome.escaped
