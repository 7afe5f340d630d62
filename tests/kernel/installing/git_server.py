"""Git over HTTP as hosts of repositories speak it: git's own server program behind a socket."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

from tests.permissions.egress.conftest import Handler, read_head


def serving(root: Path, heard: list[str]) -> Handler:
    """Return a server of the repositories below ``root``; ``heard`` are the first lines of what it is asked."""

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        first, *lines = (await read_head(reader)).splitlines()
        heard.append(first)
        method, target, _ = first.split(" ")
        fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        path, _, query = target.partition("?")
        environ = {
            "PATH": os.environ["PATH"], "GIT_PROJECT_ROOT": str(root), "GIT_HTTP_EXPORT_ALL": "1", "PATH_INFO": path,
            "QUERY_STRING": query, "REQUEST_METHOD": method, "CONTENT_TYPE": fields.get("content-type", ""),
            "HTTP_CONTENT_ENCODING": fields.get("content-encoding", ""), "GIT_PROTOCOL": fields.get("git-protocol", ""),
            "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*",
        }  # fmt: skip
        body = await reader.readexactly(int(fields.get("content-length", "0")))
        process = await asyncio.create_subprocess_exec(
            "git", "http-backend", env=environ, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
        )
        said, _ = await process.communicate(body)
        head, _, content = said.partition(b"\r\n\r\n")
        rows = head.decode().split("\r\n")
        status = next((row.partition(":")[2].strip() for row in rows if row.lower().startswith("status:")), "200 OK")
        kept = [row for row in rows if row and not row.lower().startswith("status:")]
        kept += [f"content-length: {len(content)}", "connection: close"]
        writer.write(f"HTTP/1.1 {status}\r\n".encode() + "\r\n".join(kept).encode() + b"\r\n\r\n" + content)
        await writer.drain()

    return handle
