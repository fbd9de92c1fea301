"""Base classes of the stub servers."""

import socket
import threading
from http.server import ThreadingHTTPServer

TIMEOUT = 60


class ConnectionTrackingServer(ThreadingHTTPServer):
    """Passes each request to a handler, which reads its stub in `server.stub`; can close all connections."""

    allow_reuse_address = True
    daemon_threads = True
    request_queue_size = 128  # All the connections of a client may arrive at once.

    def __init__(self, port, handler, stub):
        self.stub = stub
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

    def close_connections(self):
        with self._lock:
            connections = list(self._connections)
        for connection in connections:
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass  # The client was quicker.

    def handle_error(self, request, client_address):
        """Ignores disconnected clients."""


class StoppableServer:
    """A server that a test can stop and start again, and that records its requests."""

    def __init__(self, handler):
        self.requested = []
        """The requests, in order."""
        self._handler = handler
        self._changed = threading.Condition()
        """Guards the records of requests."""
        self._port = 0
        self.start()

    def start(self):
        """Listens, on the same port as before."""
        self._server = ConnectionTrackingServer(self._port, self._handler, self)
        self._port = self._server.server_port
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()

    def stop(self):
        """Closes all connections and the listener, unless it is closed."""
        if self._thread is None:
            return
        self._server.shutdown()
        self._server.close_connections()
        self._server.server_close()
        self._thread.join()
        self._thread = None

    @property
    def address(self):
        return f"http://127.0.0.1:{self._port}"

    def wait_until(self, condition):
        """Waits until a condition of the recorded requests holds."""
        with self._changed:
            assert self._changed.wait_for(condition, TIMEOUT), self._description()

    def _description(self):
        return f"requested {self.requested}"

    def _record(self, log, entry):
        with self._changed:
            log.append(entry)
            self._changed.notify_all()


class HoldingServer(StoppableServer):
    """A server whose responses a test can hold."""

    def __init__(self, handler):
        self._released = threading.Event()
        self._released.set()
        super().__init__(handler)

    def stop(self):
        self._released.set()
        super().stop()

    def hold(self):
        """Holds responses until they are released."""
        self._released.clear()

    def release(self):
        self._released.set()

    def wait_for_release(self):
        self._released.wait(TIMEOUT)
