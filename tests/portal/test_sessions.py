from __future__ import annotations

import stat
from pathlib import Path

import pytest

from portal.sessions import (
    CODE_LIFE_S,
    FAILURES_MAX,
    FAILURES_WINDOW_S,
    SESSION_IDLE_S,
    SESSIONS_MAX,
    TABS_MAX,
    Sessions,
    ensure_token,
)


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def sessions(tmp_path: Path, clock: Clock) -> Sessions:
    ensure_token(tmp_path / "token")
    return Sessions(tmp_path / "token", clock=clock, wall=clock)


def test_a_code_signs_one_browser_in_once(sessions: Sessions) -> None:
    code = sessions.new_code()
    done = sessions.sign_in(code)
    assert done is not None
    assert sessions.find(done[1]) is done[0]
    assert sessions.sign_in(code) is None


def test_a_code_expires(sessions: Sessions, clock: Clock) -> None:
    code = sessions.new_code()
    clock.now += CODE_LIFE_S
    assert sessions.sign_in(code) is None


def test_two_sign_ins_never_share_an_id(sessions: Sessions) -> None:
    first, second = sessions.sign_in(sessions.new_code()), sessions.sign_in(sessions.new_code())
    assert first is not None
    assert second is not None
    assert first[1] != second[1]


def test_guessing_locks_sign_ins_until_the_window_has_passed(sessions: Sessions, clock: Clock) -> None:
    for _ in range(FAILURES_MAX):
        assert sessions.sign_ins.wait_s() == 0
        assert sessions.sign_in("guess") is None
    assert 0 < sessions.sign_ins.wait_s() <= FAILURES_WINDOW_S
    clock.now += FAILURES_WINDOW_S
    assert sessions.sign_ins.wait_s() == 0


def test_an_idle_session_ends(sessions: Sessions, clock: Clock) -> None:
    done = sessions.sign_in(sessions.new_code())
    assert done is not None
    clock.now += SESSION_IDLE_S - 1
    assert sessions.find(done[1]) is not None
    clock.now += SESSION_IDLE_S + 1
    assert sessions.find(done[1]) is None


def test_the_oldest_session_and_tab_give_way(sessions: Sessions, clock: Clock) -> None:
    cookies = []
    for _ in range(SESSIONS_MAX + 1):
        clock.now += 1
        done = sessions.sign_in(sessions.new_code())
        assert done is not None
        cookies.append(done[1])
    assert sessions.find(cookies[0]) is None
    session = sessions.find(cookies[-1])
    assert session is not None
    tabs = [session.new_tab() for _ in range(TABS_MAX + 1)]
    assert not session.has_tab(tabs[0])
    assert session.has_tab(tabs[1])


def test_a_tab_token_of_one_session_is_nothing_in_another(sessions: Sessions) -> None:
    one, other = sessions.sign_in(sessions.new_code()), sessions.sign_in(sessions.new_code())
    assert one is not None
    assert other is not None
    assert not other[0].has_tab(one[0].new_tab())


def test_the_token_file_is_private_kept_and_read_anew(tmp_path: Path, sessions: Sessions) -> None:
    file = tmp_path / "token"
    token = file.read_text().strip()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert sessions.is_bearer(token)
    assert not sessions.is_bearer(token + "x")
    ensure_token(file)
    assert file.read_text().strip() == token
    file.write_text("another-token-of-at-least-thirty-two-characters")
    assert not sessions.is_bearer(token)


@pytest.mark.parametrize("content", ["", "short", "ü" * 40])
def test_a_token_file_without_a_good_token_opens_nothing(tmp_path: Path, sessions: Sessions, content: str) -> None:
    (tmp_path / "token").write_text(content, encoding="utf-8")
    assert not sessions.is_bearer(content)
