"""``config``: read and write the few settings, checked by the kernel's own schema before they are kept."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kernel import KernelError, Settings, check_vectors, load_settings
from portal.cli.outcome import OK, USAGE, Failure, emit, refuse, say, tell
from portal.locate import find_places, private_folder
from portal.settings_file import store, stored
from portal.wire import is_listening


def path(as_json: bool) -> int:
    """Print where the settings stand."""
    where = find_places().config_file
    if as_json:
        emit({"path": str(where), "exists": where.exists()})
    else:
        tell(str(where))
    return OK


def show(as_json: bool) -> int:
    """Print every setting with its value and origin."""
    values = _values()
    rows = {
        name: {"value": values[name], "from": _origin(name), "meaning": field.description or ""}
        for name, field in Settings.model_fields.items()
    }
    if as_json:
        emit({"settings": rows})
        return OK
    for name, row in rows.items():
        tell(f"{name} = {json.dumps(row['value'])}    # {row['meaning']} ({row['from']})")
    return OK


def get(name: str, as_json: bool) -> int:
    """Print one setting."""
    _check_name(name)
    value = _values()[name]
    if as_json:
        emit({"name": name, "value": value})
    else:
        tell(value if isinstance(value, str) else json.dumps(value))
    return OK


def put(name: str, value: str, as_json: bool) -> int:
    """Check and keep one setting; of one that names a place and may have none, an empty value lets go of it."""
    _check_name(name)
    places = find_places()
    private_folder(places.config)
    kept = _stored(places.config_file)
    if value or Settings.model_fields[name].default is not None:
        kept[name] = _checked(name, value)
    else:
        kept.pop(name, None)
    store(places.config_file, kept)
    if as_json:
        emit({"name": name, "value": kept.get(name)})
    else:
        tell(f"{name} = {json.dumps(kept.get(name))}")
    if is_listening(places):
        say("It counts from the daemon's next start: ./steward down && ./steward up")
    if name == "vectors":
        say("The next search in memory then brings the vectors over; ./steward status says where they are.")
    return OK


def _checked(name: str, value: str) -> Any:
    """Return a value as the file holds it; a place has to be there, and is kept by its whole path. Raises Failure."""
    try:
        settings = load_settings(**{name: _parsed(value)})
        if name == "vectors":
            check_vectors(settings)
    except KernelError as error:
        raise Failure(error.code, str(error), error.hint, USAGE) from error
    found = getattr(settings, name)
    if not isinstance(found, Path):
        return found
    place = os.path.abspath(found.expanduser())
    if not os.path.exists(place):
        refuse(f"There is nothing at {place}.", f"./steward config set {name} PLACE, or for none: config set {name} ''")
    return place


def _check_name(name: str) -> None:
    if name not in Settings.model_fields:
        refuse(f"There is no setting {name}.", "One of: " + ", ".join(Settings.model_fields))


def _values() -> Mapping[str, Any]:
    try:
        return load_settings().model_dump(mode="json")
    except KernelError as error:
        raise Failure(error.code, str(error), error.hint) from error


def _origin(name: str) -> str:
    if f"STEWARD_{name}".upper() in os.environ:
        return "environment"
    return "config.toml" if name in _stored(find_places().config_file) else "default"


def _stored(file: Path) -> dict[str, Any]:
    try:
        return stored(file)
    except (OSError, ValueError) as error:
        raise Failure("config.file", f"{file} cannot be read: {error}.", f"Correct it: {file}") from error


def _parsed(value: str) -> Any:
    """Read a value as TOML (numbers, true, "text"), else take it as text."""
    try:
        return tomllib.loads(f"value = {value}")["value"]
    except ValueError:
        return value
