"""Sessions over a restart: what comes back, what does not, and what a thief of the file can do with it."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from portal.guard import NEW_TAB, Caller, Doorway, Guard, Refused
from portal.session_file import LARGEST_BYTES
from portal.sessions import (
    CLOCK_SKEW_S,
    NOTE_USE_S,
    SESSION_IDLE_S,
    SESSION_LIFE_S,
    SESSIONS_MAX,
    Sessions,
    SignedIn,
    ensure_token,
)

NOW = 1_800_000_000.0
HOST = "127.0.0.1:8377"
COOKIE = "steward_8377_abcd1234"


class House:
    """A state folder in which one daemon after the other runs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "page-sessions"
        self.now = NOW
        ensure_token(folder / "token")

    def daemon(self) -> Sessions:
        """Start anew."""
        return Sessions(self.folder / "token", self.file, wall=lambda: self.now)

    def sign_in(self, sessions: Sessions) -> SignedIn:
        done = sessions.sign_in(sessions.new_code())
        assert done is not None
        return done


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


def knock(sessions: Sessions, path: str, cookie: str, **headers: str) -> Caller:
    """Send a POST to the guard as a page would. Raises Refused."""
    sent = {"host": HOST, "origin": f"http://{HOST}", "cookie": f"{COOKIE}={cookie}"} | {
        name.replace("_", "-"): value for name, value in headers.items()
    }
    scope = {
        "type": "http", "method": "POST", "path": path, "raw_path": path.encode(), "query_string": b"",
        "headers": [(name.encode(), value.encode("latin-1")) for name, value in sent.items()],
    }  # fmt: skip
    return Guard(lambda *_: None, Doorway(8377, COOKIE, ()), sessions).admit(scope)  # type: ignore[arg-type, return-value]


def test_a_restart_signs_nobody_out_and_every_tab_proves_itself_anew(house: House) -> None:
    before = house.daemon()
    done = house.sign_in(before)
    tab = done.session.new_tab()
    assert knock(before, "/api/v1/runs", done.cookie, x_steward_tab=tab).session is done.session
    after = house.daemon()
    with pytest.raises(Refused) as refused:
        knock(after, "/api/v1/runs", done.cookie, x_steward_tab=tab)
    assert refused.value.code == "tab.unknown"
    session = knock(after, NEW_TAB, done.cookie, x_steward_browser=done.browser).session
    assert session is not None
    assert knock(after, "/api/v1/runs", done.cookie, x_steward_tab=session.new_tab()).session is session


def test_the_file_is_private_and_holds_no_secret(house: House) -> None:
    sessions = house.daemon()
    code = sessions.new_code()
    done = sessions.sign_in(code)
    assert done is not None
    tab = done.session.new_tab()
    sessions.keep()
    content = house.file.read_text()
    assert stat.S_IMODE(house.file.stat().st_mode) == 0o600
    for secret in (code, done.cookie, done.browser, tab):
        assert secret not in content
        assert secret.encode().hex() not in content
    assert {*json.loads(content)["sessions"][0]} == {"cookie", "browser", "made_at", "used_at"}
    assert {file.name for file in house.folder.iterdir()} == {"page-sessions", "token"}


def thefts(content: str) -> Iterable[str]:
    """Everything in a stolen file that could be tried as a secret."""
    for row in json.loads(content)["sessions"]:
        for name in ("cookie", "browser"):
            yield row[name]
            yield row[name].upper()
            yield bytes.fromhex(row[name]).decode("latin-1").replace("\n", "")


def test_a_stolen_file_signs_nobody_in(house: House) -> None:
    done = house.sign_in(house.daemon())
    after = house.daemon()
    for stolen in thefts(house.file.read_text()):
        assert after.find(stolen) is None
        with pytest.raises(Refused) as refused:
            knock(after, NEW_TAB, stolen, x_steward_browser=stolen)
        assert refused.value.status in {401, 403}
        assert not after.is_bearer(stolen)
        assert after.sign_in(stolen) is None
    assert after.find(done.cookie) is not None, "the owner still gets in"


def test_a_stolen_file_and_the_cookie_together_do_not_make_a_tab(house: House) -> None:
    """The cookie is sent to every port of this machine, so a thief of the file may have it as well."""
    done = house.sign_in(house.daemon())
    after = house.daemon()
    for stolen in thefts(house.file.read_text()):
        for header in ("x_steward_browser", "x_steward_tab"):
            for path in (NEW_TAB, "/api/v1/runs"):
                with pytest.raises(Refused) as refused:
                    knock(after, path, done.cookie, **{header: stolen})
                assert refused.value.status == 401
    assert knock(after, NEW_TAB, done.cookie, x_steward_browser=done.browser).session, "the missing part opens it"


def test_who_signed_out_stays_out(house: House) -> None:
    sessions = house.daemon()
    done, other = house.sign_in(sessions), house.sign_in(sessions)
    sessions.sign_out(done.session)
    after = house.daemon()
    assert after.find(done.cookie) is None
    assert after.find(other.cookie) is not None


def test_a_session_ages_while_the_daemon_is_down(house: House) -> None:
    done = house.sign_in(house.daemon())
    house.now += SESSION_IDLE_S - 1
    assert house.daemon().find(done.cookie) is not None, "a use, which is noted"
    house.now += SESSION_IDLE_S - 1
    assert house.daemon().find(done.cookie) is not None
    house.now += SESSION_IDLE_S + 1
    assert house.daemon().find(done.cookie) is None


def test_a_session_in_daily_use_ends_at_last(house: House) -> None:
    sessions = house.daemon()
    done = house.sign_in(sessions)
    while house.now < NOW + SESSION_LIFE_S - SESSION_IDLE_S:
        house.now += SESSION_IDLE_S / 2
        assert sessions.find(done.cookie) is not None
    house.now = NOW + SESSION_LIFE_S + 1
    assert sessions.find(done.cookie) is None
    assert house.daemon().find(done.cookie) is None


def test_a_session_from_the_future_is_not_believed(house: House) -> None:
    done = house.sign_in(house.daemon())
    house.now -= CLOCK_SKEW_S / 2
    assert house.daemon().find(done.cookie) is not None
    house.now = NOW - 2 * CLOCK_SKEW_S - NOTE_USE_S
    assert house.daemon().find(done.cookie) is None


def test_a_daemon_that_is_killed_forgets_little(house: House) -> None:
    sessions = house.daemon()
    done = house.sign_in(sessions)
    for _ in range(10):
        house.now += SESSION_IDLE_S / 4
        assert sessions.find(done.cookie) is not None
    assert house.daemon().find(done.cookie) is not None, "nobody told it that it would end"


def replaced_by_link(file: Path) -> None:
    real = file.rename(file.with_name("elsewhere"))
    file.symlink_to(real)


def replaced_by_pipe(file: Path) -> None:
    file.unlink()
    os.mkfifo(file, 0o600)


def planted(content: str) -> Callable[[Path], None]:
    def plant(file: Path) -> None:
        file.write_text(content)

    plant.__name__ = f"planted {content[:40]!r}"
    return plant


ROW = {"cookie": "00" * 32, "browser": "00" * 32, "made_at": NOW, "used_at": NOW}
WRONG = [
    lambda file: file.chmod(0o640),
    lambda file: file.chmod(0o602),
    lambda file: os.link(file, file.with_name("twin")),
    replaced_by_link,
    replaced_by_pipe,
    *(
        planted(content)
        for content in (
            "", "{", "[]", "null", "7", '{"form": 1}', '{"form": 2, "sessions": []}', "[" * 20_000,
            '{"form": 1, "sessions": 7}', '{"form": 1, "sessions": [7]}', " " * (LARGEST_BYTES + 1),
            json.dumps({"form": 1, "sessions": [ROW | {"cookie": "00"}]}),
            json.dumps({"form": 1, "sessions": [ROW | {"browser": "xy" * 32}]}),
            json.dumps({"form": 1, "sessions": [ROW | {"used_at": NOW - 1}]}),
            json.dumps({"form": 1, "sessions": [ROW | {"made_at": float("nan")}]}),
            json.dumps({"form": 1, "sessions": [ROW | {"made_at": None}]}),
            json.dumps({"form": 1, "sessions": [ROW | {"made_at": 10**400, "used_at": 10**400}]}),
        )
    ),
]  # fmt: skip


@pytest.mark.parametrize("spoil", WRONG)
def test_a_file_that_this_daemon_cannot_have_left_counts_for_nothing(
    house: House, spoil: Callable[[Path], None]
) -> None:
    done = house.sign_in(house.daemon())
    assert house.daemon().find(done.cookie) is not None, "the unspoilt file works"
    spoil(house.file)
    after = house.daemon()
    assert after.find(done.cookie) is None
    again = house.sign_in(after)
    assert stat.S_IMODE(house.file.lstat().st_mode) == 0o600
    assert stat.S_ISREG(house.file.lstat().st_mode)
    assert house.daemon().find(again.cookie) is not None, "and is replaced by the next sign-in"


def test_a_folder_in_its_place_keeps_nobody_from_signing_in(house: House) -> None:
    house.file.mkdir()
    sessions = house.daemon()
    done = house.sign_in(sessions)
    assert sessions.find(done.cookie) is done.session


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away; run the tests as root")
def test_a_file_of_another_user_counts_for_nothing(house: House) -> None:
    done = house.sign_in(house.daemon())
    os.chown(house.file, 65534, 65534)
    assert house.daemon().find(done.cookie) is None


def test_the_file_does_not_grow(house: House) -> None:
    sessions = house.daemon()
    for _ in range(SESSIONS_MAX + 5):
        house.now += 1
        house.sign_in(sessions)
    assert len(json.loads(house.file.read_text())["sessions"]) == SESSIONS_MAX
    assert house.file.stat().st_size < LARGEST_BYTES / 4


def test_a_file_that_cannot_be_written_brings_nobody_back(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    sessions = house.daemon()
    done = house.sign_in(sessions)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    sessions.sign_out(done.session)
    monkeypatch.undo()
    assert house.daemon().find(done.cookie) is None
