"""Everything that keeps a rule from being kept is said, in both languages."""

from __future__ import annotations

import pytest

from kernel.routines.hearing import Lack
from kernel.routines.sayings import say


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("lack", Lack, ids=str)
def test_every_lack_has_its_question(lack: Lack, language: str) -> None:
    said = say(language, f"unclear.{lack}", about="the moon")
    assert said.endswith((".", "?"))
    assert say("fr", f"unclear.{lack}", about="the moon") == say("en", f"unclear.{lack}", about="the moon")
