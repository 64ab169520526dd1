"""Starts a user's server in a JupyterHub, and runs a notebook there by papermill: USER, NOTEBOOK, RESULT."""
import asyncio
import json
import os
import sys
import uuid

from tornado.httpclient import AsyncHTTPClient, HTTPRequest
from tornado.websocket import websocket_connect

HUB = os.environ["HUB_URL"]
HEADERS = {"Authorization": f"token {os.environ['HUB_TOKEN']}", "Content-Type": "application/json"}
user, notebook, result = sys.argv[1:]
CELL = f"import papermill; papermill.execute_notebook({notebook!r}, {result!r}, parameters={{'rows': 1000}})"


async def ask(method, path):
    body = "{}" if method == "POST" else None
    request = HTTPRequest(HUB + path, method=method, headers=HEADERS, body=body, request_timeout=60)
    return await AsyncHTTPClient().fetch(request, raise_error=False)


async def until(method, path, *codes):
    """The hub and the servers behind it take some seconds to start."""
    for _ in range(600):
        try:
            answer = await ask(method, path)
            if answer.code in codes:
                return answer
        except OSError:
            pass
        await asyncio.sleep(0.5)
    raise SystemExit(f"{method} {path} gave no {codes}")


async def main():
    await until("POST", f"/hub/api/users/{user}", 201)
    await until("POST", f"/hub/api/users/{user}/server", 201, 202)
    kernel = json.loads((await until("POST", f"/user/{user}/api/kernels", 201)).body)
    address = f"{HUB.replace('http', 'ws', 1)}/user/{user}/api/kernels/{kernel['id']}/channels"
    channels = await websocket_connect(HTTPRequest(address, headers=HEADERS))
    content = {"code": CELL, "silent": False, "store_history": False, "user_expressions": {}, "allow_stdin": False}
    header = {"msg_id": uuid.uuid4().hex, "msg_type": "execute_request", "username": user, "session": "1", "version": "5.3"}
    message = {"header": header, "parent_header": {}, "metadata": {}, "content": content, "channel": "shell"}
    await channels.write_message(json.dumps(message))
    while True:
        reply = json.loads(await channels.read_message())
        if reply["header"]["msg_type"] == "execute_reply":
            break
    await until("DELETE", f"/hub/api/users/{user}/server", 202, 204)
    print("NOTEBOOK", reply["content"]["status"], reply["content"].get("evalue", ""))


asyncio.run(main())
