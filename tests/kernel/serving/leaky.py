"""A server that says its key wherever it can. It imports nothing of ours."""

import json
import os
import sys

TOKEN = os.environ.get("TOKEN", "")
NOTHING = {"type": "object", "properties": {}}
TOOLS = [
    {"name": name, "description": f"Made with {TOKEN}.", "inputSchema": NOTHING}
    for name in ("ask", "fail", "tell", "die")
]


def send(message):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def called(name, progress):
    if name == "ask":
        field = {"type": "string", "default": TOKEN}
        schema = {"type": "object", "properties": {"text": field}}
        given = {"mode": "form", "message": f"Is it {TOKEN}?", "requestedSchema": schema}
        send({"id": 900, "method": "elicitation/create", "params": given})
        sys.stdin.readline()
    if name == "tell" and progress is not None:
        params = {"progressToken": progress, "progress": 1, "total": 2, "message": f"with {TOKEN}"}
        send({"method": "notifications/progress", "params": params})
    if name == "fail" and progress is not None:
        params = {"progressToken": progress, "progress": 1, "message": f"{'with ' * 38}{TOKEN}"}
        send({"method": "notifications/progress", "params": params})
    if name == "die":
        sys.stderr.write(f"lost {TOKEN}\n")
        sys.stderr.flush()
        os._exit(3)
    return {"content": [{"type": "text", "text": f"It is {TOKEN}."}], "isError": name == "fail"}


def answered(asked):
    method, params = asked["method"], asked.get("params") or {}
    if method == "initialize":
        about = {"name": f"Leaky {TOKEN}", "version": TOKEN}
        return {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": about}
    if method == "tools/list":
        return {"tools": TOOLS}
    if method == "tools/call":
        return called(params["name"], (params.get("_meta") or {}).get("progressToken"))
    return None


for line in sys.stdin:
    asked = json.loads(line)
    if asked.get("id") is None or "method" not in asked:
        continue
    result = answered(asked)
    none = {"error": {"code": -32601, "message": "no such method"}}
    send({"id": asked["id"], **(none if result is None else {"result": result})})
