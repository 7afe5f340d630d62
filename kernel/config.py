"""Where Steward keeps its things, and the few settings a person may change.

Order of precedence: environment (``STEWARD_...``), ``config.toml``, default. With ``STEWARD_HOME`` set everything
lies under that one folder (``config/ data/ state/ run/``); otherwise the XDG base directories are used
(XDG Base Directory Specification 0.8).
"""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

from platformdirs import PlatformDirs
from pydantic import AfterValidator, Field, ValidationError
from pydantic_core import PydanticCustomError
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict, TomlConfigSettingsSource

from kernel.errors import BadRequest
from kernel.models.model import is_this_machine


class Folders:
    """The four folders of an installation and the user's home. All are made 0700 on first use."""

    def __init__(self, environ: dict[str, str] | None = None) -> None:
        env = dict(os.environ) if environ is None else environ
        self.home = Path(env.get("HOME") or Path.home())
        root = env.get("STEWARD_HOME")
        if root:
            base = Path(root).expanduser().absolute()
            self.config, self.data, self.state, self.runtime = (base / name for name in _OWN)
        else:
            dirs = PlatformDirs("steward", appauthor=False)
            self.config = Path(dirs.user_config_dir)
            self.data = Path(dirs.user_data_dir)
            self.state = Path(dirs.user_state_dir)
            runtime = env.get("XDG_RUNTIME_DIR")
            self.runtime = Path(runtime) / "steward" if runtime else self.state / "run"

    @property
    def own(self) -> tuple[Path, ...]:
        """Every folder that is Steward's and never a skill's."""
        return (self.config, self.data, self.state, self.runtime)

    @property
    def kept(self) -> Path:
        """What skills keep for themselves, a folder each: of Steward's data the one part that a skill writes."""
        return self.data / "own"

    @property
    def socket(self) -> Path:
        """The Unix socket of the daemon."""
        return self.runtime / "steward.sock"

    def make(self) -> None:
        """Create the folders, each 0700. Raises BadRequest if one is a link or open to others."""
        for folder in (*self.own, self.kept):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            mode = folder.lstat().st_mode
            if stat.S_ISLNK(mode):
                raise BadRequest(
                    "config.folder",
                    f"{folder} is a symbolic link; Steward keeps private files there.",
                    hint=f"Replace it with a folder of your own: rm {folder} && mkdir -m 700 {folder}",
                )
            if stat.S_IMODE(mode) & 0o077:
                folder.chmod(0o700)


_OWN = ("config", "data", "state", "run")
_INDEX = "give https://pypi.org/simple, another index over https, or the whole path of a folder with wheels"


def _checked_index(place: str) -> str:
    """Return the place of an index of packages. Raises PydanticCustomError, which says what is wrong with it."""
    if place.startswith(("/", "~/")):
        return place
    if why := _wrong_about(place):
        raise PydanticCustomError("package_index", "{why}; {hint}", {"why": why, "hint": _INDEX})
    return place


_VECTORS = "give flat, chroma (./steward setup chroma), or the address of your Chroma server: http://127.0.0.1:8000"


def _checked_vectors(place: str) -> str:
    """Return the place of vectors. Raises PydanticCustomError, which says what is wrong with it."""
    if place in ("flat", "chroma"):
        return place
    if why := _wrong_server(place):
        raise PydanticCustomError("vectors", "{why}; {hint}", {"why": why, "hint": _VECTORS})
    return place


def _wrong_server(address: str) -> str:
    """Say what keeps an address from being a Chroma server's; "" for nothing."""
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return "that is no address"
    if parts.scheme not in ("http", "https") or not host or re.search(r"\s", address):
        return "that is no place of vectors"
    if "@" in parts.netloc or parts.path.strip("/") or "?" in address or "#" in address:
        return "the address of a server is its host and port alone"
    if parts.scheme == "http" and not is_this_machine(host):
        return "what you said would travel readable: a server on another machine is reached over https"
    return ""


def _wrong_about(address: str) -> str:
    """Say what keeps an address from being an index's; "" for nothing."""
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return "that is no address"
    if parts.scheme != "https":
        return (
            "packages are asked for over https alone" if parts.scheme == "http" else "that is no address and no folder"
        )
    if parts.username is not None or parts.password is not None:
        return "an address with a user or a password is not taken"
    if "?" in address or "#" in address:
        return "the address of an index ends before ? and #"
    return "" if host and not re.search(r"\s", address) else "that address has no host, or a blank in it"


def _checked_names(names: str) -> str:
    """Return names of skills with one blank between them. Raises PydanticCustomError for what is no such name."""
    wrong = next((one for one in names.split() if not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,63}", one)), "")
    if wrong:
        raise PydanticCustomError("skill_names", "{name} is no name of a skill; give names with blanks between them",
                                  {"name": repr(wrong)})  # fmt: skip
    return " ".join(dict.fromkeys(names.split()))


def _checked_hours(hours: str) -> str:
    """Return quiet hours as they were written. Raises PydanticCustomError for what is none."""
    from kernel.manners.hours import hours_of

    try:
        hours_of(hours)
    except ValueError:
        raise PydanticCustomError(
            "quiet_hours", "{hours} are no hours; give them like 22-7 or 22:30-6:45, or nothing", {"hours": repr(hours)}
        ) from None
    return hours


class Settings(BaseSettings):
    """What a person may set in ``config.toml`` or by ``STEWARD_<NAME>``. Times in seconds."""

    model_config = SettingsConfigDict(env_prefix="STEWARD_", extra="ignore", frozen=True)

    port: Annotated[int, Field(ge=0, le=65535, description="loopback port of the page; 0 takes any free one")] = 8377
    task_timeout_s: Annotated[float, Field(gt=0, le=3600, description="longest run of one task")] = 1800.0
    approval_timeout_s: Annotated[float, Field(gt=0, le=30 * 86400, description="how long a question waits")] = 86400.0
    client_wait_s: Annotated[
        float, Field(gt=0, le=3600, description="how long a program's call waits for your answer")
    ] = 50.0
    parallel_tasks: Annotated[int, Field(ge=1, le=64, description="tasks of one plan that run at once")] = 4
    worker_turns: Annotated[int, Field(ge=1, le=200, description="turns of a model that follows instructions")] = 12
    worker_tokens: Annotated[int, Field(ge=1000, le=10**8, description="tokens it may use for a request")] = 120_000
    worker_money: Annotated[
        int, Field(ge=0, le=10**9, description="what it may cost, in millionths of the model's currency")
    ] = 500_000
    worker_s: Annotated[float, Field(gt=0, le=36_000, description="how long it may take")] = 900.0
    encoder: Annotated[bool, Field(description="warm the sentence encoder after start")] = True
    encoder_model: Annotated[Path | None, Field(description="folder of another sentence encoder (extra embed)")] = None
    vectors: Annotated[
        str,
        AfterValidator(_checked_vectors),
        Field(description="where memory's vectors lie: flat, chroma, or the address of a Chroma server"),
    ] = "flat"
    package_index: Annotated[
        str, AfterValidator(_checked_index), Field(description="where Python packages of skills come from")
    ] = "https://pypi.org/simple"
    below_l3: Annotated[
        str, AfterValidator(_checked_names), Field(description="skills of others that may run below L3, by name")
    ] = ""
    undo_keep_days: Annotated[
        int, Field(ge=1, le=36_500, description="so many days a run can be taken back, unless the quota is over")
    ] = 90
    undo_quota_gib: Annotated[
        float, Field(gt=0, le=1_000_000, description="old contents for undo take at most so many GiB; the oldest go")
    ] = 50.0
    attention: Annotated[
        int, Field(ge=0, le=1000, description="how often a day something is shown that nobody asked for")
    ] = 12
    quiet_hours: Annotated[
        str, AfterValidator(_checked_hours), Field(description="when nothing is shown unasked, like 22-7; empty: never")
    ] = "22-7"
    ahead_cpu_s: Annotated[
        float, Field(ge=0, le=3600, description="seconds of a processor an hour for first steps of offers; 0: none")
    ] = 60.0
    ca_file: Annotated[Path | None, Field(description="a certificate authority of your own, as PEM, for https")] = None

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Environment before file before default; no dotenv, no secrets folder."""
        del dotenv_settings, file_secret_settings
        return (
            init_settings,
            env_settings,
            TomlConfigSettingsSource(settings_cls, toml_file=Folders().config / "config.toml"),
        )


def check_vectors(settings: Settings) -> None:
    """Raise BadRequest, with what to do, unless the place of vectors that ``settings`` name can be used now."""
    from memory.errors import StoreError
    from memory.stores import Place, must_serve

    where = settings.vectors
    place = Place(where) if where in ("flat", "chroma") else Place("chroma-server", url=where)  # type: ignore[arg-type]
    try:
        must_serve(place)
    except StoreError as error:
        raise BadRequest(error.code, str(error), subject="vectors", hint=error.hint) from error


def _where_to_correct(name: str) -> str:
    variable = f"STEWARD_{name.upper()}"
    if variable in os.environ:
        return f"It stands in the environment, as {variable}: correct it there."
    return f"Correct it with: ./steward config set {name} VALUE"


def load_settings(**overrides: Any) -> Settings:
    """Read the settings. Raises BadRequest that names the setting and what it must be."""
    try:
        return Settings(**overrides)
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(str(part) for part in first["loc"])
        raise BadRequest(
            "config.value",
            f"The setting {name} cannot be {first.get('input')!r}: {first['msg']}.",
            subject=name,
            hint=_where_to_correct(name),
        ) from error
    except (OSError, ValueError) as error:
        raise BadRequest(
            "config.file",
            f"The configuration file cannot be read: {error}.",
            hint="Correct or remove it: ./steward config path",
        ) from error
