"""How it is said that a model gave nothing: what happened, to whom, and what to do now, in English and in German."""

from __future__ import annotations

from collections.abc import Mapping

from kernel.errors import ModelFailed
from kernel.models.model import Endpoint
from permissions.naming import sentence

_LONGEST_WHY = 240

_TEST = ("Look at it with: ./steward models test {name}", "Sieh nach mit: ./steward models test {name}")

_WORDS: Mapping[str, tuple[str, str, str, str]] = {
    "model.none": (
        "There is no model for this: {why}.", "Für das gibt es kein Modell: {why}.",
        "./steward models lists them; ./steward models use ROLE NAME binds one.",
        "./steward models zeigt sie; ./steward models use ROLLE NAME bindet eines.",
    ),
    "model.unreachable": (
        "The model {name} ({host}) cannot be reached: {why}.",
        "Das Modell {name} ({host}) ist nicht erreichbar: {why}.",
        "See that it runs. " + _TEST[0], "Sieh nach, ob es läuft. " + _TEST[1],
    ),
    "model.busy": (
        "The model {name} ({host}) has no time: {why}.", "Das Modell {name} ({host}) hat keine Zeit: {why}.",
        "Ask again later.", "Frag später noch einmal.",
    ),
    "model.timeout": (
        "The model {name} ({host}) did not answer in time: {why}.",
        "Das Modell {name} ({host}) hat nicht rechtzeitig geantwortet: {why}.",
        "Give it more time with: ./steward models set {name} --timeout SECONDS",
        "Gib ihm mehr Zeit mit: ./steward models set {name} --timeout SEKUNDEN",
    ),
    "model.garbage": (
        "The answer of the model {name} cannot be read: {why}.",
        "Die Antwort des Modells {name} ist nicht lesbar: {why}.", *_TEST,
    ),
    "model.schema": (
        "The answer of the model {name} does not fit what was asked for: {why}.",
        "Die Antwort des Modells {name} passt nicht zur Frage: {why}.", *_TEST,
    ),
    "model.refused": (
        "The model {name} ({host}) refused: {why}.", "Das Modell {name} ({host}) hat abgelehnt: {why}.", *_TEST,
    ),
    "model.too_long": (
        "It is too long for the model {name}: {why}.", "Das ist zu lang für das Modell {name}: {why}.",
        "Ask for less, or set another size with: ./steward models set {name} --context TOKENS",
        "Frag nach weniger, oder setze eine andere Größe mit: ./steward models set {name} --context TOKENS",
    ),
    "model.budget": (
        "The model {name} was not asked: {why}", "Das Modell {name} wurde nicht gefragt: {why}", "{remedy}", "{remedy}",
    ),
    "model.not_allowed": (
        "The model {name} may not see this: {why}.", "Das Modell {name} darf das nicht sehen: {why}.",
        "{remedy}", "{remedy}",
    ),
    "model.resting": (
        "The model {name} failed several times and is left alone for {why}.",
        "Das Modell {name} ist mehrmals ausgefallen und hat Ruhe für {why}.", *_TEST,
    ),
    "model.unrecorded": (
        "The model {name} would be asked what it was not asked then: {why}.",
        "Das Modell {name} würde gefragt, was es damals nicht gefragt wurde: {why}.",
        "What was asked then: ./steward models prompt RUN", "Was damals gefragt wurde: ./steward models prompt RUN",
    ),
}  # fmt: skip

_FIXED: Mapping[str, tuple[str, str]] = {
    "model.timeout": (
        "No setting changes that: see that it is not busy or still loading. " + _TEST[0],
        "Daran ändert keine Einstellung etwas: Sieh nach, ob es beschäftigt ist oder noch lädt. " + _TEST[1],
    ),
    "model.too_long": (
        "No setting changes that: ask for less at once, or use another model.",
        "Daran ändert keine Einstellung etwas: Frag nach weniger auf einmal, oder nimm ein anderes Modell.",
    ),
}
"""What to do where a bound was reached that is the same for every endpoint."""

RETRYABLE = frozenset({"model.unreachable", "model.busy", "model.timeout", "model.garbage", "model.schema",
                       "model.resting"})  # fmt: skip
"""Asked again, later, the same question may be answered."""

ELSEWHERE = frozenset({"model.unreachable", "model.busy", "model.timeout", "model.resting"})
"""An endpoint gave nothing, and another one might; never where somebody said no, or the answer was no good."""

CODES = tuple(_WORDS)
"""Every way in which a model gives nothing."""


def failed(
    code: str, why: str, *, name: str = "", host: str = "", remedy: str = "", hint: str = "", fixed: bool = False
) -> ModelFailed:
    """Return the error. ``why`` has no full stop; ``hint`` stands in the place of the usual one, which names no setting
    where the bound is ``fixed``.
    """
    message, de, usual, de_usual = _WORDS[code]
    usual, de_usual = _FIXED.get(code, (usual, de_usual)) if fixed else (usual, de_usual)
    said = {"why": why, "name": name, "host": host, "remedy": remedy or "./steward models"}
    return ModelFailed(
        code, message.format_map(said), subject=name, hint=hint or usual.format_map(said), de=de.format_map(said),
        de_hint=hint or de_usual.format_map(said), retryable=code in RETRYABLE,
    )  # fmt: skip


def failed_at(endpoint: Endpoint, code: str, why: str, hint: str = "", *, fixed: bool = False) -> ModelFailed:
    """Return the error of an endpoint. ``why`` may be what the endpoint says: it is cut, and made one sentence."""
    why = sentence(why[:_LONGEST_WHY].rstrip("."))
    return failed(code, why, name=endpoint.name, host=endpoint.host, hint=hint, fixed=fixed)


def unfit(endpoint: Endpoint, code: str, why: str, said: str) -> ModelFailed:
    """Return the error of a reply that is of no form, with what was ``said``."""
    error = failed_at(endpoint, code, why)
    error.said = said
    return error
