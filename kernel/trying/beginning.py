"""How a dry run begins: its first event, which says what is tried out.

What this stops: a dry run that is taken for a request. No word of a person's is behind it, so it has none of the
events that requests are read from, and after a restart it does not go on.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kernel.itself.version import own_version
from kernel.model import ConversationId, Utterance
from kernel.receiving import new_run_id, run_of
from kernel.remember import TRIAL
from kernel.run import Run

if TYPE_CHECKING:
    from kernel.house import House


@dataclass(frozen=True, slots=True)
class Trial:
    """What is tried out (``{"routine": NAME}`` or ``{"macro": NAME}``), in its words, from where, and in whose name.

    ``client`` is the node of a routine that is kept, ``key`` tells it from a namesake; empty: the person's.
    ``asks`` says whether a right that is missing is asked for; where not, it stands beside another run, and in no list.
    ``shown_in`` is the conversation where a person began it: it is seen there, and no sentence refers to it.
    """

    of: Mapping[str, str]
    text: str
    cwd: str
    client: str = ""
    key: str = ""
    asks: bool = True
    shown_in: str = ""


async def begun(house: House, trial: Trial) -> Run:
    """Write down that something is tried out, and return its run."""
    run, now, home = new_run_id(), house.clock(), str(house.folders.home)
    owner = f"{trial.client}/{trial.key}/" if trial.client else ""
    conversation = ConversationId(f"{owner}c-{secrets.token_hex(4)}")
    said = Utterance(trial.text, conversation, trial.cwd or home, home, now, trial.client)
    live = run_of(house, run, said, False, secrets.randbits(48))
    live.trial, live.asks = dict(trial.of), trial.asks
    body = {
        "text": said.text, "conversation": trial.shown_in or conversation, "cwd": said.cwd, "now": now.isoformat(),
        "seed": live.seed, "trial": live.trial, "steward": own_version(),
    }  # fmt: skip
    body |= {"client": trial.client, "client_key": trial.key} if trial.client else {}
    body |= {} if trial.asks else {"aside": True}
    await live.log.say(TRIAL, None, body)
    if trial.asks:
        house.talk.note("", run, trial.client, trial.key)
    return live
