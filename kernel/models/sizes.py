"""How large a question is, before anybody asks it: in tokens and in money, rather too much.

Whoever makes a prompt fit its endpoint counts as the one does who asks it: what fits here is not refused there.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from kernel.models.forms import request_body
from kernel.models.model import Endpoint, Prompt, Usage, Way

BYTES_PER_TOKEN = 3
"""So an amount of tokens is estimated from UTF-8 bytes; it is rather too high."""


def tokens_of(endpoint: Endpoint, prompt: Prompt) -> int:
    """Return about how many tokens ``prompt`` has with its reply, as it is sent to ``endpoint``."""
    needed = needed_for(endpoint, prompt)
    return needed.tokens_in + needed.tokens_out


def needed_for(endpoint: Endpoint, prompt: Prompt) -> Usage:
    """Return what a question may use at most."""
    body = request_body(endpoint, prompt, way_to(endpoint, prompt))
    return used(endpoint, tokens_sent(body), prompt.most_tokens, estimated=True)


def way_to(endpoint: Endpoint, prompt: Prompt) -> Way:
    """Return the way to the form of the reply; what has no form is text."""
    return endpoint.way if prompt.schema is not None else Way.TEXT


def tokens_sent(body: Mapping[str, Any]) -> int:
    """Return about how many tokens are read of what is sent; a schema that is held to is not."""
    sent = {name: body[name] for name in ("messages", "tools") if name in body}
    return tokens_of_bytes(len(json.dumps(sent, ensure_ascii=False).encode("utf-8", "replace")))


def tokens_of_bytes(size_bytes: int) -> int:
    """Return about how many tokens a text of so many bytes has."""
    return math.ceil(size_bytes / BYTES_PER_TOKEN)


def used(endpoint: Endpoint, tokens_in: int, tokens_out: int, *, estimated: bool) -> Usage:
    """Return so many tokens, with what they cost there."""
    money = math.ceil((tokens_in * endpoint.price_in + tokens_out * endpoint.price_out) / 10**6)
    return Usage(tokens_in, tokens_out, money, estimated)


def usage_of(said: Mapping[str, Any] | None, tokens_in: int, most_out: int) -> tuple[int, int] | None:
    """Return the tokens that an endpoint says were used; None where it says nothing that can be true.

    ``tokens_in`` is our estimate, which is rather too high; templates of models add some.
    """
    found = [(said or {}).get(name) for name in ("prompt_tokens", "completion_tokens")]
    given, out = (one if isinstance(one, int) and not isinstance(one, bool) else -1 for one in found)
    if not 0 < given <= 4 * tokens_in + 4096 or not 0 < out <= most_out + 64:
        return None
    return given, out
