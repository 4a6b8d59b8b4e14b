"""A client of a language server: JSON-RPC over the server's standard streams."""

import json
import queue
import subprocess
import threading


class Client:
    """A running server, its answers and what it published."""

    def __init__(self, command):
        self.server = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self.received = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        self.number = 0

    def _read(self):
        output = self.server.stdout
        while header := output.readline():
            length = 0
            while header.strip():
                name, _, value = header.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
                header = output.readline()
            self.received.put(json.loads(output.read(length)))
        self.received.put(None)

    def raw(self, data):
        """Writes bytes as they are."""
        self.server.stdin.write(data)
        self.server.stdin.flush()

    def _send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.raw(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def notify(self, method, **params):
        """Sends what has no answer."""
        self._send({"method": method, "params": params})

    def request(self, method, **params):
        """Sends a request; returns the result."""
        self.number += 1
        self._send({"id": self.number, "method": method, "params": params})
        message = self.wait(lambda it: it.get("id") == self.number)
        assert "error" not in message, message
        return message["result"]

    def wait(self, wanted):
        """The next message that is wanted; others are dropped."""
        while True:
            message = self.received.get(timeout=60)
            assert message is not None, "the server ended"
            if wanted(message):
                return message

    def open(self, uri, text):
        """Opens a file; returns the diagnostics that the server publishes for it."""
        item = {"uri": uri, "languageId": "mlir", "version": 1, "text": text}
        self.notify("textDocument/didOpen", textDocument=item)
        published = self.wait(
            lambda it: (
                it.get("method") == "textDocument/publishDiagnostics" and it["params"]["uri"] == uri
            )
        )
        return published["params"]["diagnostics"]

    def close(self):
        """Ends the server as an editor does; returns its exit code."""
        self.request("shutdown")
        self.notify("exit")
        code = self.server.wait(timeout=60)
        self.server.stdin.close()
        return code


def position(text, word, nth=1):
    """The place of the n-th occurrence of a word."""
    start = -1
    for _ in range(nth):
        start = text.index(word, start + 1)
    line = text.count("\n", 0, start)
    return {"line": line, "character": start - (text.rfind("\n", 0, start) + 1)}
