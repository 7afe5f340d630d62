"""The one route that serves a file of the person's: a picture that a run made, and nothing put in its place."""

from __future__ import annotations

import base64
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

pytestmark = pytest.mark.slow

Installation = Any  # tests/portal/conftest.py

SALES = "region,amount\nNorth,480.50\nSouth,300.00\nWest,184.25\n"
SECRET = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


class Charted:
    """A run that drew a chart, and a program that asks for it."""

    def __init__(self, running: Installation, folder: str) -> None:
        self.home: Path = running.home
        self.folder = self.home / folder
        self.folder.mkdir()
        (self.folder / "sales.csv").write_text(SALES)
        with running.client() as client:
            self.address = client.login_link()["url"].partition("/#")[0]
            self.run = client.ask(f"make a bar chart of amount by region from {folder}/sales.csv", yes=True)
            view = client.view(self.run, wait=True)
        self.file = Path(view["result"]["files"][0])
        token = running.places.token.read_text().strip()
        self.http = httpx.Client(base_url=self.address, headers={"Authorization": f"Bearer {token}"}, timeout=30)

    def get(self, index: object = 0, run: str | None = None) -> httpx.Response:
        return self.http.get(f"/api/v1/runs/{run or self.run}/files/{index}")


@pytest.fixture(scope="module")
def drawn(running: Installation) -> Iterator[Charted]:
    """A chart of the whole module."""
    made = Charted(running, "Charts")
    with made.http:
        yield made


@pytest.fixture
def charted(drawn: Charted) -> Iterator[Charted]:
    """The chart of the module; what a test puts in its place is taken away again."""
    kept = drawn.file.read_bytes()
    assert drawn.get().status_code == 200, "the control: what the run made is shown"
    yield drawn
    _clear(drawn.file.parent)
    drawn.file.parent.mkdir()
    drawn.file.write_bytes(kept)


def _clear(folder: Path) -> None:
    if folder.is_symlink():
        folder.unlink()
    else:
        shutil.rmtree(folder)


def test_the_chart_is_served_as_what_it_is(charted: Charted) -> None:
    answer = charted.get()
    assert answer.content == charted.file.read_bytes()
    assert answer.headers["content-type"] == "image/png"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cache-control"] == "no-store"
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"


def test_it_needs_a_tab_or_a_token(charted: Charted) -> None:
    path = f"{charted.address}/api/v1/runs/{charted.run}/files/0"
    assert httpx.get(path).status_code == 401
    assert httpx.get(path, headers={"Host": "evil.test"}).status_code == 403


@pytest.mark.parametrize("index", [1, -1, 10**9, "0.png", "%2e%2e%2f0", "0%2f..%2f0", "sales.csv"])
def test_no_other_number_and_no_name_leads_to_a_file(charted: Charted, index: object) -> None:
    assert charted.get(index).status_code in {400, 404, 405}


def test_another_run_has_not_this_file(charted: Charted, running: Installation) -> None:
    with running.client() as client:
        other = client.ask("what is 2 + 3")
        client.view(other, wait=True)
    assert charted.get(run=other).status_code == 404
    assert charted.get(run="r-none").status_code == 404


def link_to_secret(file: Path) -> None:
    file.unlink()
    file.symlink_to(file.parent.parent / "secret.png")


def folder_becomes_link(file: Path) -> None:
    elsewhere = file.parent.parent / (file.parent.name + " elsewhere")
    elsewhere.mkdir()
    (elsewhere / file.name).write_bytes(SECRET)
    shutil.rmtree(file.parent)
    file.parent.symlink_to(elsewhere)


def pipe(file: Path) -> None:
    file.unlink()
    os.mkfifo(file)


def folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


def large(file: Path) -> None:
    with file.open("r+b") as content:
        content.truncate(21 * 1024 * 1024)


def holds(content: bytes) -> Callable[[Path], None]:
    def write(file: Path) -> None:
        file.write_bytes(content)

    return write


@pytest.mark.parametrize(
    ("spoil", "status"),
    [
        (link_to_secret, 404),
        (folder_becomes_link, 404),
        (pipe, 404),
        (folder, 404),
        (Path.unlink, 404),
        (large, 413),
        (holds(b""), 415),
        (holds(b"<html><script>alert(1)</script>"), 415),
        (holds(b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'), 415),
        (holds(b"-----BEGIN OPENSSH PRIVATE KEY-----\n"), 415),
        (holds(b"GIF89" + b"<script>"), 415),
        (holds(b"RIFF0000WAVE"), 415),
    ],
)
def test_what_was_put_in_its_place_is_not_shown(charted: Charted, spoil: Callable[[Path], None], status: int) -> None:
    (charted.home / "secret.png").write_bytes(SECRET)
    spoil(charted.file)
    answer = charted.get()
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
    assert SECRET not in answer.content
    assert b"PRIVATE" not in answer.content


def test_a_picture_of_another_kind_is_called_what_it_is(charted: Charted) -> None:
    charted.file.write_bytes(b"\xff\xd8\xff\xe0" + b"<script>alert(1)</script>")
    assert charted.get().headers["content-type"] == "image/jpeg"
    charted.file.write_bytes(b"GIF89a" + b"<script>alert(1)</script>")
    assert charted.get().headers["content-type"] == "image/gif"


def test_changes_come_in_pages(charted: Charted, running: Installation) -> None:
    heap = charted.home / "Heap"
    heap.mkdir(exist_ok=True)
    for number in range(70):
        (heap / f"paper {number}.txt").write_text("x")
    with running.client() as client:
        run = client.ask("organize Heap by type", yes=True)
        view = client.view(run, wait=True)
        assert view["resolution"] == "pending", "so many are asked about"

        def page(**wanted: int) -> dict[str, Any]:
            return dict(charted.http.get(f"/api/v1/runs/{run}/changes", params=wanted).json())

        total = page()["total"]
        assert total >= 70
        client.approve(run, "once", seal=view["seal"])
        assert client.view(run, wait=True)["resolution"] == "confirmed"
        whole = [change for offset in range(0, total, 30) for change in page(offset=offset, limit=30)["changes"]]
        assert len(whole) == total == len({change["path"] for change in whole})
        assert page(offset=total)["changes"] == []
        client.undo(run)
    for wrong in ({"offset": -1}, {"limit": 0}, {"limit": 1001}):
        assert charted.http.get(f"/api/v1/runs/{run}/changes", params=wrong).status_code == 400
    assert charted.http.get("/api/v1/runs/r-none/changes").status_code == 404
