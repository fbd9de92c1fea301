"""What the servers of the tests listen with."""

import socket
import threading
from http.server import ThreadingHTTPServer


class Listener(ThreadingHTTPServer):
    """Hands each request to a handler, which finds what it serves in `server.served`; can hang up on everybody."""

    allow_reuse_address = True
    daemon_threads = True
    request_queue_size = 128  # All the connections of a client may come at once.

    def __init__(self, port, handler, served):
        self.served = served
        self._connections = set()
        self._lock = threading.Lock()
        super().__init__(("127.0.0.1", port), handler)

    def process_request(self, request, client_address):
        with self._lock:
            self._connections.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request):
        with self._lock:
            self._connections.discard(request)
        super().shutdown_request(request)

    def hang_up(self):
        with self._lock:
            connections = list(self._connections)
        for connection in connections:
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass  # The client was quicker.

    def handle_error(self, request, client_address):
        """A client that hangs up is nothing to write about."""
