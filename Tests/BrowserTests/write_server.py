"""A server in place of the program, which notes the writes that arrive and answers them as a test wants."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PATIENCE = 30


class WriteServer:
    """Takes writes on a port; for pages it is out of reach, as a proxy tells when the program behind it is away."""

    def __init__(self, port):
        self.status = 200
        """What the next writes are answered with."""
        self.taken = []
        """Path, idempotency key and body of each write, in order."""
        self._changed = threading.Condition()
        self._server = ThreadingHTTPServer(("127.0.0.1", port), type("Handler", (_Handler,), {"writes": self}))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()

    def stop(self):
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def wait_for(self, count):
        """The keys of the writes, once so many have arrived."""
        with self._changed:
            assert self._changed.wait_for(lambda: len(self.taken) >= count, PATIENCE), f"taken {self.taken}"
            return [key for _, key, _ in self.taken]

    def take(self, path, key, body):
        with self._changed:
            self.taken.append((path, key, body))
            self._changed.notify_all()
            return self.status


class _Handler(BaseHTTPRequestHandler):
    writes = None

    def do_PUT(self):
        body = self.rfile.read(int(self.headers["Content-Length"] or 0)).decode()
        self._answer(self.writes.take(self.path, self.headers["Idempotency-Key"], body), '{"favourite":true}')

    def do_GET(self):
        self._answer(503, "")

    do_POST = do_GET

    def _answer(self, status, text):
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", len(text))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_):
        pass
