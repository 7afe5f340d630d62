"""The part of the escape list about calls that a tool asks for: each attack succeeds without us, and not with us."""

from __future__ import annotations

import pytest

from tests.proofs.deputies import DEPUTIES
from tests.proofs.refusals import Refusal

pytestmark = [pytest.mark.sandbox, pytest.mark.slow]


@pytest.mark.parametrize("deputy", DEPUTIES, ids=[deputy.title for deputy in DEPUTIES])
def test_nobody_has_another_tool_do_what_it_may_not(deputy: Refusal) -> None:
    outcome = deputy.trial()
    assert outcome.live
    assert not outcome.escaped
