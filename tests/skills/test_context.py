from __future__ import annotations

import os
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from skills.sdk import Context, File, Folder, Passed, ToolError, inputs
from skills.sdk.testing import NOON
from skills.sdk.view import version

Make = Callable[..., Context]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


@pytest.fixture
def make(home: Path, tmp_path: Path) -> Make:
    (tmp_path / "staging").mkdir()

    def build(**other: object) -> Context:
        given = {"home": str(home), "now": NOON, "staging": tmp_path / "staging"} | other
        return Context(**given)  # type: ignore[arg-type]

    return build


def test_now_must_carry_its_zone(make: Make) -> None:
    with pytest.raises(ValueError, match="time zone"):
        make(now=datetime(2025, 1, 1))
    assert make().today.isoformat() == "2025-03-14"


def test_the_seed_decides_the_random_numbers(make: Make) -> None:
    assert make(seed=7).random.random() == make(seed=7).random.random() != make(seed=8).random.random()


def test_sentences_follow_the_language(make: Make) -> None:
    for language, wanted in (("en", "Hello.\nBye."), ("de", "Hallo.\nBye."), ("fr", "Hello.\nBye.")):
        context = make(language=language)
        context.say("Hello.", de="Hallo.")
        context.say("Bye.")
        assert context.told().answer == wanted


def test_progress_is_bounded_and_not_a_flood(make: Make) -> None:
    heard: list[tuple[float | None, str]] = []
    context = make(progress=lambda fraction, text: heard.append((fraction, text)))
    for _ in range(1000):
        context.progress(7.0, "far")
    assert heard[0] == (1.0, "far")
    assert len(heard) < 50


def test_tables_hold_json_scalars(make: Make, home: Path) -> None:
    context = make()
    context.table(("what", "n"), [(File("/x/a.pdf"), float("nan")), (NOON.date(), 3)])
    assert context.told().table == {"columns": ["what", "n"], "rows": [["/x/a.pdf", None], ["2025-03-14", 3]]}


@pytest.mark.parametrize(
    ("given", "wanted"),
    [("~", ""), ("~/a/../b", "/b"), ("a/b", "/a/b"), ("/etc//hosts", None), (Folder("/x"), None), (File("/x/y"), None)],
)
def test_paths_are_absolute_and_normal(make: Make, home: Path, given: object, wanted: str | None) -> None:
    path = make().path(given)  # type: ignore[arg-type]
    assert path == (f"{home}{wanted}" if wanted is not None else path)
    assert os.path.isabs(path)
    assert os.path.normpath(path) == path


def test_places_are_shown_with_a_tilde(make: Make, home: Path) -> None:
    context = make()
    assert (context.shown("~"), context.shown("a/b"), context.shown("/etc")) == ("~", "~/a/b", "/etc")
    assert context.shown(f"{home}-other/x") == f"{home}-other/x"


def test_scan_passes_over_hidden_links_and_ignored(make: Make, home: Path) -> None:
    for name in ("b.txt", ".hidden", "sub/a.txt", ".git/config", "steward/ledger.db"):
        (home / name).parent.mkdir(exist_ok=True)
        (home / name).write_text("x")
    (home / "link").symlink_to(home / "sub")
    (home / "link.txt").symlink_to(home / "b.txt")
    context = make(ignored=[str(home / "steward")])
    assert [file.name for file in context.scan("~")] == ["b.txt", "a.txt"]
    assert [file.name for file in context.scan("~", recursive=False)] == ["b.txt"]
    assert [folder.name for folder in context.folders("~")] == ["sub"]
    assert ".hidden" in {file.name for file in context.scan("~", hidden=True)}


def test_a_walk_leaves_caches_out_where_asked_and_counts_what_it_passes(make: Make, home: Path) -> None:
    for name in (
        "b.txt", ".rc", ".git/config", "web/node_modules/x/y.txt", "web/site.txt", "env/pyvenv.cfg", "env/lib/z.txt",
        "out/CACHEDIR.TAG", "out/o.txt", "steward/ledger.db",
    ):  # fmt: skip
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text("x")
    context, passed = make(ignored=[str(home / "steward")]), Passed()
    assert [file.name for file in context.scan("~", caches=False, passed=passed)] == ["b.txt", "site.txt"]
    assert passed == Passed(hidden_files=1, hidden_folders=1, caches=3)
    assert passed.said("en") == (
        "Not looked at unless you name them: 1 hidden file, 1 hidden folder and 3 cache or package folders."
    )
    assert passed.said("de", hidden=False) == "Nicht angesehen, solange nicht genannt: 3 Cache- oder Paketordner."
    assert Passed().said("en") == ""
    assert "z.txt" in {file.name for file in context.scan("~")}
    assert [file.name for file in context.scan("web/node_modules", caches=False)] == ["y.txt"]
    assert [file.name for file in context.scan("env", caches=False)] == ["pyvenv.cfg", "z.txt"]


def test_the_nearest_files_come_first_where_asked(make: Make, home: Path) -> None:
    for name in ("a/deep/er/1.txt", "a/2.txt", "b/3.txt", "4.txt"):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text("x")
    assert [file.name for file in make().scan("~", near=True)] == ["4.txt", "2.txt", "3.txt", "1.txt"]
    assert [file.name for file in make().scan("~")] == ["4.txt", "2.txt", "1.txt", "3.txt"]


def test_a_listed_file_has_size_and_zoned_time(make: Make, home: Path) -> None:
    (home / "a").write_bytes(b"12345")
    os.utime(home / "a", (1_700_000_000, 1_700_000_000))
    (file,) = make().scan("~")
    assert file == File(str(home / "a"), 5, datetime.fromtimestamp(1_700_000_000, NOON.tzinfo))
    assert make().file("a") == file


@pytest.mark.parametrize("act", ["file", "read_bytes", "scan", "delete", "real"])
def test_what_is_missing_is_said_by_name(make: Make, act: str) -> None:
    with pytest.raises(ToolError, match=r"There is no ~/nowhere\.") as caught:
        list(getattr(make(), act)("nowhere") or ())
    assert caught.value.words("de")[0] == "~/nowhere gibt es nicht."
    assert caught.value.hint


def test_folders_and_files_are_not_confused(make: Make, home: Path) -> None:
    (home / "folder").mkdir()
    (home / "file").write_text("x")
    with pytest.raises(ToolError, match="is a folder"):
        make().file("folder")
    with pytest.raises(ToolError, match="is a file"):
        list(make().scan("file"))
    with pytest.raises(ToolError, match="is a folder"):
        make().write("folder", "x")
    with pytest.raises(ToolError, match="already something called file"):
        make().mkdir("file")
    with pytest.raises(ToolError, match="already something called file"):
        make().write("file/x", "x")


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("grün".encode(), "grün"),
        (b"\xef\xbb\xbfgr\xc3\xbcn", "grün"),
        ("grün".encode("utf-16"), "grün"),
        ("grün €".encode("cp1252"), "grün €"),
        (b"\x81\xfc", "\x81ü"),
    ],
)
def test_text_is_read_in_its_encoding(make: Make, home: Path, data: bytes, text: str) -> None:
    (home / "a.txt").write_bytes(data)
    assert make().read_text("a.txt") == text


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_appending_keeps_the_encoding_and_the_old_bytes(make: Make, home: Path, encoding: str) -> None:
    old = "grün\n".encode(encoding)
    (home / "a.txt").write_bytes(old)
    context = make()
    context.append("a.txt", "blaß\n")
    assert context.read_bytes("a.txt").startswith(old)
    assert context.read_text("a.txt") == "grün\nblaß\n"


def test_a_pure_tool_describes_nothing(make: Make, home: Path) -> None:
    (home / "a").write_text("x")
    context = make(staging=None)
    for act in (
        lambda: context.write("b", "x"),
        lambda: context.delete("a"),
        lambda: context.mkdir("d"),
        lambda: context.move("a", "b"),
    ):
        with pytest.raises(ToolError, match="declared pure"):
            act()
    assert context.told().effects == ()


def test_a_write_carries_the_version_that_was_seen(make: Make, home: Path, tmp_path: Path) -> None:
    path = home / "a.txt"
    path.write_text("old")
    seen = version(path.lstat())
    context = make()
    context.read_text("a.txt")
    path.write_text("somebody else")
    context.write("a.txt", "new")
    context.write("b.txt", "fresh")
    first, second = context.told().effects
    assert (first["base"], first["path"]) == (seen, str(path))
    assert second["base"] is None
    assert (tmp_path / "staging" / second["blob"]).read_text() == "fresh"
    assert path.read_text() == "somebody else"


def test_a_file_that_moved_away_leaves_a_free_name(make: Make, home: Path) -> None:
    (home / "a").write_text("old")
    context = make()
    context.move("a", "b")
    context.write("a", "new")
    assert [effect["op"] for effect in context.told().effects] == ["move", "write"]
    assert context.told().effects[1]["base"] is None
    assert (context.read_text("a"), context.read_text("b")) == ("new", "old")


def test_the_missing_folder_is_described_and_the_home_is_not(make: Make, home: Path) -> None:
    context = make()
    context.write("top.txt", "x")
    context.write("Notes/a.md", "x")
    assert [(effect["op"], effect["path"]) for effect in context.told().effects] == [
        ("write", f"{home}/top.txt"),
        ("mkdir", f"{home}/Notes"),
        ("write", f"{home}/Notes/a.md"),
    ]


def test_a_failed_writing_leaves_nothing(make: Make, tmp_path: Path) -> None:
    context = make()
    with pytest.raises(RuntimeError), context.writing("plot.png") as real:  # noqa: PT012 - the block is the subject
        assert real.suffix == ".png"
        real.write_bytes(b"half")
        raise RuntimeError
    assert context.told().effects == ()
    assert list((tmp_path / "staging").iterdir()) == []


def test_two_calls_in_one_staging_folder_keep_their_contents_apart(make: Make, tmp_path: Path) -> None:
    one, two = make(), make()
    one.write("a", "1")
    two.write("b", "2")
    blobs = [context.told().effects[0]["blob"] for context in (one, two)]
    assert [(tmp_path / "staging" / blob).read_text() for blob in blobs] == ["1", "2"]


def test_names_that_are_taken_are_refused_or_numbered(make: Make, home: Path) -> None:
    for name in ("a.txt", "b.txt", "b (2).txt"):
        (home / name).write_text(name)
    context = make()
    for act in (context.move, context.copy):
        with pytest.raises(ToolError, match=r"already something called b\.txt in ~") as caught:
            act("a.txt", "b.txt")
        assert caught.value.code == "tool.taken"
    assert context.unused("b.txt") == f"{home}/b (3).txt"
    assert context.unused("c.txt") == f"{home}/c.txt"


def test_a_folder_cannot_go_into_itself(make: Make, home: Path) -> None:
    (home / "a").mkdir()
    with pytest.raises(ToolError, match="into itself"):
        make().move("a", "a/b")
    context = make()
    context.move("a", "a")
    assert context.told().effects == ()


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything; run as an ordinary user")
def test_what_may_not_be_read_is_said(make: Make, home: Path) -> None:
    (home / "locked").mkdir(mode=0)
    with pytest.raises(ToolError, match="cannot be read"):
        list(make().scan("locked"))
    assert list(make().scan("~")) == []


def test_later_steps_see_what_earlier_ones_described(make: Make, home: Path, tmp_path: Path) -> None:
    (home / "a.txt").write_text("a")
    first = make()
    first.write("Notes/new.md", "hello")
    first.move("a.txt", "Notes/b.txt")
    view = [
        {**effect, "blob_path": str(tmp_path / "staging" / effect.get("blob", "-"))} for effect in first.told().effects
    ]
    second = make(view=view, staging=None)
    assert [file.name for file in second.scan("Notes")] == ["b.txt", "new.md"]
    assert second.read_text("Notes/new.md") == "hello"
    assert second.file("Notes/b.txt").size_bytes == 1
    assert not second.exists("a.txt")


def test_what_was_read_is_told_with_the_version_from_before(make: Make, home: Path) -> None:
    for name in ("a", "b", "c", "d"):
        (home / name).write_text(name)
    (home / "link").symlink_to(home / "c")
    context = make()
    before = {name: tuple(version(os.lstat(home / name)).values()) for name in ("a", "b", "c")}
    context.read_text("a")
    context.file("b")
    context.read_text("link")
    (home / "a").write_text("saved anew")
    context.read_text("a")
    assert list(context.scan("~"))
    context.write("d", "new")
    context.write("made", "x")
    context.read_text("made")  # staged by the call itself
    context.real(home)
    assert context.told().read == {str(home / name): seen for name, seen in before.items()}


def test_what_is_told_to_be_read_is_bounded(make: Make, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inputs, "MOST", 3)
    context = make()
    for number in range(5):
        (home / str(number)).write_text("x")
        assert context.read_text(str(number)) == "x"
    assert len(context.told().read) == 3
