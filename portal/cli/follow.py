"""Following a run in a terminal: its events become a plan, a card and progress lines, in this order."""

from __future__ import annotations

from typing import Any

from portal.cli import cards, screens
from portal.cli.asking import close
from portal.cli.outcome import Json
from portal.cli.phrases import phrase, stage_of
from portal.cli.prompt import ask_card
from portal.cli.reviewed import review_lines
from portal.cli.words import one_line, span
from portal.client import Client
from portal.wire import DaemonError

TRY = "try"
"""What a person says to the card of a routine instead of yes or no; the card stays."""


class Follower:
    """Draws one run on standard error and asks where it waits, in the language of the run."""

    def __init__(
        self, client: Client, run: str, *, after: int = 0, language: str = "en", plan: Json | None = None
    ) -> None:
        self._client = client
        self._run = run
        self._after = after
        self._language = language
        self._review: Json | None = None
        self._role = ""  # of the model that was asked last
        self._progress = screens.Progress()
        self._progress.plan(plan or {})  # of a run that is gone on with: its plan was told before

    def follow(self) -> Json:
        """Follow until the run is finished and return its view."""
        try:
            for event in self._client.events(self._run, after=self._after):
                self._draw(str(event["kind"]), event.get("task"), event.get("body") or {})
        finally:
            self._progress.end()
        return self._client.view(self._run, wait=True)

    def _draw(self, kind: str, task: str | None, body: dict[str, Any]) -> None:
        self._language = str(body.get("language") or self._language)
        match kind:
            case "run.warming":
                screens.note(phrase(self._language, "warming"))
            case "run.interpreted":
                for line in cards.shown_lines(body.get("shown"), self._language):
                    screens.people.print(line)
            case "run.reviewed":
                self._reviewed(body)
            case "run.planned":
                self._progress.plan(body["plan"])
                cards.show_plan(body["plan"], self._language)
            case "approval.requested":
                self._ask(body)
            case "model.asked":
                self._role = str(body.get("role") or "")
                name, host = (one_line(str(body.get(key) or "?"), 60) for key in ("endpoint", "host"))
                self._progress.wait(phrase(self._language, "model.asked", name=name, host=host))
            case "model.replied":
                self._replied(body)
            case "worker.turn" if body.get("text"):
                self._progress.turn(str(body["text"]))
            case "task.started" | "task.progress" | "task.done" | "task.failed" | "task.skipped":
                self._progress.update(kind, task or "", body)
            case _:
                pass

    def _replied(self, body: dict[str, Any]) -> None:
        self._progress.end()
        if self._role == "worker" and not body.get("code"):
            return  # its turn says what came of it
        key = "model.failed" if body.get("code") else "model.replied"
        name, took = one_line(str(body.get("endpoint") or "?"), 60), span(float(body.get("ms") or 0) / 1000)
        screens.note(phrase(self._language, key, name=name, took=took))

    def _reviewed(self, body: Json) -> None:
        """Say why a result went back at once; what else was said of one stands on its card and below the answer."""
        self._review = body
        if body.get("sent_back"):
            self._progress.end()
            for said in review_lines(body):
                screens.note(said)

    def _ask(self, body: dict[str, Any]) -> None:
        self._progress.end()
        if body.get("consented"):
            return
        answer = answered(self._client, {**body, "run": self._run, "review": self._review}, self._language)
        try:
            self._client.approve(self._run, answer, body.get("seal") or "")
        except DaemonError as error:
            if error.code not in ("run.state", "approval.other"):
                raise
            screens.note(phrase(self._language, "elsewhere"))


def answer_card(request: Json, language: str) -> str:
    """Show what a run waits for and return the person's answer."""
    cards.show_card(request, language)
    return ask_card(stage_of(request), language)


def answered(client: Client, request: Json, language: str) -> str:
    """Show what a run waits for and return the person's answer; a rule is tried out first as often as they say so.

    Where it cannot be, they are told why, and the card is shown again.
    """
    while (answer := answer_card(request, language)) == TRY:
        try:
            run = client.try_routine(str(request["run"]))
        except DaemonError as error:
            if not error.status:
                raise
            screens.note(f"{error} {error.hint}".rstrip())
            continue
        close(Follower(client, run, language=language).follow(), as_json=False, asked_back=False)
    return answer
