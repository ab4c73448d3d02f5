"""A model server on loopback that plays a script: chat completions as server-sent events (standard library only)."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def call(name, **arguments):
    """One tool call of a scripted reply."""
    return {"name": name, "arguments": json.dumps(arguments)}


class ModelServer:
    """Answers each request by the script of its conversation.

    `scripts` maps the first user text of a conversation to the replies of its turns: a list of turns, each a list of replies, each a
    string (the answer) or a list of calls.
    """

    def __init__(self, scripts):
        self.scripts = scripts
        self.requests = []
        self.lock = threading.Lock()
        owner = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                with owner.lock:
                    owner.requests.append({"path": self.path, "headers": dict(self.headers), "body": body})
                self.send_response(200)
                self.send_header("content-type", "text/event-stream")
                self.send_header("transfer-encoding", "chunked")
                self.end_headers()
                for frame in owner.frames(body):
                    data = f"data: {frame}\n\n".encode()
                    self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
                self.wfile.write(b"0\r\n\r\n")

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def reply(self, messages):
        people = [at for at, message in enumerate(messages) if message["role"] == "user"]
        turns = self.scripts[messages[people[0]]["content"]]
        said = sum(message["role"] == "assistant" for message in messages[people[-1]:])
        return turns[len(people) - 1][said]

    def frames(self, body):
        reply = self.reply(body["messages"])
        if isinstance(reply, str):
            deltas = [{"content": piece} for piece in (reply[:3], reply[3:]) if piece]
            finish = "stop"
        else:
            number = len(body["messages"])
            deltas = []
            for index, asked in enumerate(reply):
                function = {"name": asked["name"], "arguments": ""}
                deltas.append({"tool_calls": [{"index": index, "id": f"call-{number}-{index}", "type": "function", "function": function}]})
                half = len(asked["arguments"]) // 2
                for piece in (asked["arguments"][:half], asked["arguments"][half:]):
                    deltas.append({"tool_calls": [{"index": index, "function": {"arguments": piece}}]})
            finish = "tool_calls"
        for delta in deltas:
            yield json.dumps({"choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
        usage = {"prompt_tokens": 10, "completion_tokens": 5, "prompt_cache_hit_tokens": 4}
        yield json.dumps({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}], "usage": usage})
        yield "[DONE]"

    def close(self):
        self.server.shutdown()
        self.server.server_close()
