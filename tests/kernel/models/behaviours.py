"""Every way of a server's by name, with what has to come of it; and replies that are JSON and make no plan."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import formatdate
from typing import Any

from tests.kernel.models import acts
from tests.kernel.models.acts import calls, first_then, refuses, says, sends, used
from tests.kernel.models.server import GOOD, NAME, Act


@dataclass(frozen=True, slots=True)
class Behaviour:
    """What a server does. ``code`` is what comes of it ("" for the value), ``way`` how it was asked for a form."""

    act: Act
    code: str = ""
    way: str = "text"


_SOON = {"Retry-After": "0.1"}
_TWICE = '{"answer": "velm", "answer": "trosk"}'

BEHAVIOURS: Mapping[str, Behaviour] = {
    "good": Behaviour(says(GOOD)),
    "good, by schema": Behaviour(says(GOOD), way="schema"),
    "good, by a tool": Behaviour(calls((NAME, GOOD)), way="tools"),
    "truncated stream": Behaviour(acts.truncated, "model.garbage"),
    "announces more than comes": Behaviour(acts.broken_chunk, "model.unreachable"),
    "no [DONE]": Behaviour(acts.no_done),
    "garbage bytes": Behaviour(sends(bytes(range(256)) * 40), "model.garbage"),
    "events that are no JSON": Behaviour(sends(b"data: {nonsense\n\n"), "model.garbage"),
    "an event that is a list": Behaviour(sends(b"data: [1]\n\n"), "model.garbage"),
    "nested without end": Behaviour(sends(b"data: " + b"[" * 100_000 + b"\n\n"), "model.garbage"),
    "numbers for texts": Behaviour(acts.strange_types, "model.garbage"),
    "invalid UTF-8": Behaviour(sends(b'data: {"choices":[{"delta":{"content":"\xff\xfe"}}]}\n\n'), "model.garbage"),
    "half a character": Behaviour(sends(b'data: {"choices":[{"delta":{"content":"\\ud800"}}]}\n\n'), "model.garbage"),
    "endless tokens": Behaviour(acts.endless_tokens, "model.too_long"),
    "endless thought": Behaviour(acts.endless_thought, "model.too_long"),
    "endless comments": Behaviour(acts.endless_comments, "model.too_long"),
    "a line of 100 MB": Behaviour(acts.long_line, "model.too_long"),
    "a packed bomb": Behaviour(acts.packed, "model.garbage"),
    "empty reply": Behaviour(sends(), "model.garbage"),
    "nothing but white space": Behaviour(says("  \n "), "model.garbage"),
    "HTML with 200": Behaviour(sends(b"<html><body>hello</body></html>", kind="text/html"), "model.garbage"),
    "wrong content type": Behaviour(sends(
        b'data: {"choices":[{"delta":{"content":' + json.dumps(GOOD).encode() + b'},"finish_reason":"stop"}]}\n\n',
        kind="text/plain")),
    "wrong schema": Behaviour(says('{"answer": "yes"}'), "model.schema"),
    "wrong schema, by schema": Behaviour(says('{"answer": "velm", "more": 1}'), "model.schema", "schema"),
    "JSON in prose": Behaviour(says(f"Sure! Here it is: {GOOD} I hope it helps.")),
    "JSON in fences": Behaviour(says(f"```json\n{GOOD}\n```")),
    "JSON with a comma too many": Behaviour(says('{"answer": "velm", "count": 2,}')),
    "JSON in single quotes": Behaviour(says("{'answer': 'velm', 'count': 2}")),
    "thought in the text": Behaviour(says(f'<think>maybe {{"answer": "trosk"}}</think>{GOOD}')),
    "thought beside the text": Behaviour(acts.thought),
    "half JSON": Behaviour(says(GOOD[:-4]), "model.garbage"),
    "half JSON for want of tokens": Behaviour(says(GOOD[:-4], "length"), "model.too_long"),
    "two answers": Behaviour(says('{"answer": "velm"} or {"answer": "trosk"}'), "model.schema"),
    "no JSON at all": Behaviour(says("I would rather not."), "model.garbage"),
    "duplicate keys": Behaviour(says(_TWICE), "model.garbage"),
    "NaN": Behaviour(says('{"answer": "velm", "count": NaN}'), "model.garbage"),
    "NUL": Behaviour(says('{"answer": "velm\\u0000"}'), "model.garbage"),
    "unknown finish reason": Behaviour(says(GOOD, "because")),
    "content filter": Behaviour(says("", "content_filter"), "model.refused"),
    "refusal": Behaviour(acts.refusal, "model.refused"),
    "error in the stream": Behaviour(acts.error_in_stream, "model.refused"),
    "400 on response_format": Behaviour(acts.picky, "model.refused", "schema"),
    "400 without a reason": Behaviour(refuses("400 Bad Request", ""), "model.refused"),
    "401": Behaviour(refuses("401 Unauthorized"), "model.refused"),
    "404 model": Behaviour(refuses("404 Not Found", "model m not found"), "model.refused"),
    "413": Behaviour(refuses("413 Payload Too Large"), "model.too_long"),
    "429, soon": Behaviour(first_then("429 Too Many Requests", says(GOOD), **_SOON)),
    "429, always soon": Behaviour(refuses("429 Too Many Requests", "slowly", **_SOON), "model.busy"),
    "429, in a year": Behaviour(refuses("429 Too Many Requests", **{"Retry-After": "31536000"}), "model.busy"),
    "429, a date": Behaviour(
        first_then("429 Too Many Requests", says(GOOD), **{"Retry-After": formatdate(time.time() - 60, usegmt=True)})
    ),
    "429, nonsense": Behaviour(refuses("429 Too Many Requests", **{"Retry-After": "nan"}), "model.busy"),
    "429, never": Behaviour(refuses("429 Too Many Requests", **{"Retry-After": "inf"}), "model.busy"),
    "429 without": Behaviour(refuses("429 Too Many Requests"), "model.busy"),
    "500": Behaviour(refuses("500 Internal Server Error", "out of memory"), "model.unreachable"),
    "503, then good": Behaviour(first_then("503 Service Unavailable", says(GOOD), **_SOON)),
    "hang before the headers": Behaviour(acts.hang_before_headers, "model.timeout"),
    "hang before the first part": Behaviour(acts.hang_before_first, "model.timeout"),
    "hang in the middle": Behaviour(acts.hang_in_the_middle, "model.timeout"),
    "a byte at a time": Behaviour(acts.slow, "model.timeout"),
    "reset in the middle": Behaviour(acts.reset, "model.unreachable"),
    "redirect to another host": Behaviour(acts.redirect, "model.refused"),
    "echo of the key": Behaviour(acts.echo, "model.refused"),
    "echo of the key in the answer": Behaviour(acts.echo_in_text),
    "usage missing": Behaviour(acts.no_usage),
    "usage absurd": Behaviour(used(10**18, 10**18)),
    "usage negative": Behaviour(used(-5, -1)),
    "usage no number": Behaviour(used("many", True)),
    "goes on after the end": Behaviour(acts.after_done),
    "another model's name": Behaviour(acts.other_model),
    "a tool call with broken arguments": Behaviour(calls((NAME, '{"answer": ')), "model.garbage", "tools"),
    "two tool calls": Behaviour(calls((NAME, GOOD), (NAME, GOOD)), "model.schema", "tools"),
    "a tool call of another name": Behaviour(calls(("rm", GOOD)), "model.schema", "tools"),
    "text instead of a tool call": Behaviour(says(GOOD), way="tools"),
}  # fmt: skip


def plan(*tasks: Mapping[str, Any]) -> str:
    """Return a reply that looks like a plan."""
    return json.dumps({"tasks": list(tasks)})


PLANS: Mapping[str, str] = {
    "cyclic plan": plan({"id": "t1", "tool": "files.find", "after": ["t2"]},
                        {"id": "t2", "tool": "files.find", "after": ["t1"]}),
    "10,000 tasks": plan(*({"id": f"t{number}", "tool": "files.find"} for number in range(10_000))),
    "unknown skill": plan({"id": "t1", "tool": "nonsense.do_it"}),
}  # fmt: skip
"""Replies that are JSON and no plan that could be made."""
