"""A stub server in place of the program, which records writes."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TIMEOUT = 60


class WriteServer:
    """Accepts writes on a port; responds to other requests like a proxy whose program is unreachable."""

    def __init__(self, port, status=200):
        self.status = status
        """The status of the next responses."""
        self.received = []
        """Path, idempotency key and body of each write, in order."""
        self._changed = threading.Condition()
        self._server = ThreadingHTTPServer(("127.0.0.1", port), type("Handler", (_Handler,), {"stub": self}))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()

    def stop(self):
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def wait_for(self, count):
        """Returns the keys of the writes, once this number has arrived."""
        with self._changed:
            assert self._changed.wait_for(lambda: len(self.received) >= count, TIMEOUT), f"received {self.received}"
            return [key for _, key, _ in self.received]

    def receive(self, path, key, body):
        with self._changed:
            self.received.append((path, key, body))
            self._changed.notify_all()
            return self.status


class _Handler(BaseHTTPRequestHandler):
    stub = None

    def do_PUT(self):
        body = self.rfile.read(int(self.headers["Content-Length"] or 0)).decode()
        self._respond(self.stub.receive(self.path, self.headers["Idempotency-Key"], body), '{"favourite":true}')

    def do_GET(self):
        self._respond(503, "")

    do_POST = do_GET

    def _respond(self, status, text):
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", len(text))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_):
        pass
