"""A question is counted as it is sent: whoever makes one fit its endpoint is not told then that it is too long."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kernel.errors import ModelFailed
from kernel.models.asking import _check_size
from kernel.models.model import Endpoint, Message, Prompt, Way
from kernel.models.sizes import needed_for, tokens_of

FAR = Endpoint("far", "https://api.example.org/v1", "m", price_in=1_000_000, price_out=2_000_000)
FORM = {"type": "object", "properties": {"tasks": {"type": "array", "items": {"enum": ["a" * 300]}}}}
QUOTES = Prompt((Message("user", '"' * 3000),), most_tokens=100)


@pytest.mark.parametrize("way", list(Way))
@pytest.mark.parametrize("prompt", [QUOTES, replace(QUOTES, schema=FORM), replace(QUOTES, schema=FORM, told=True)])
def test_what_fits_is_not_refused_and_what_does_not_is(way: Way, prompt: Prompt) -> None:
    size = tokens_of(replace(FAR, way=way), prompt)
    just = replace(FAR, way=way, context_tokens=size)
    _check_size(just, needed_for(just, prompt))
    with pytest.raises(ModelFailed) as refused:
        _check_size(replace(just, context_tokens=size - 1), needed_for(just, prompt))
    assert refused.value.code == "model.too_long"


def test_what_is_escaped_and_a_form_that_is_read_count() -> None:
    assert tokens_of(FAR, QUOTES) > 2000 + 100, "a quotation mark is two bytes when it is sent"
    with_form = replace(QUOTES, schema=FORM, told=True)
    held, read = (tokens_of(replace(FAR, way=way), with_form) for way in (Way.SCHEMA, Way.TOOLS))
    assert read > held + 100
    needed = needed_for(FAR, QUOTES)
    assert (needed.tokens_out, needed.money) == (100, needed.tokens_in + 200)
