"""What the servers of the tests listen with."""

import socket
import threading
from http.server import ThreadingHTTPServer

PATIENCE = 30


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


class StoppableServer:
    """A server that a test stops and starts again, and asks what it was asked."""

    def __init__(self, handler):
        self.asked = []
        """What was asked for, in that order."""
        self._handler = handler
        self._changed = threading.Condition()
        """Guards what is noted of requests."""
        self._port = 0
        self.start()

    def start(self):
        """Listens, on the same port as the time before."""
        self._server = Listener(self._port, self._handler, self)
        self._port = self._server.server_port
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()

    def stop(self):
        """Hangs up on everybody and listens no more; nothing happens when it does not listen."""
        if self._thread is None:
            return
        self._server.shutdown()
        self._server.hang_up()
        self._server.server_close()
        self._thread.join()
        self._thread = None

    @property
    def address(self):
        return f"http://127.0.0.1:{self._port}"

    def wait_until(self, condition):
        """Waits until something is true of what was asked."""
        with self._changed:
            assert self._changed.wait_for(condition, PATIENCE), self._told()

    def _told(self):
        return f"asked {self.asked}"

    def _note(self, notes, what):
        with self._changed:
            notes.append(what)
            self._changed.notify_all()


class HoldingServer(StoppableServer):
    """Answers nothing to its end, as long as a test wants that."""

    def __init__(self, handler):
        self._may_go = threading.Event()
        self._may_go.set()
        super().__init__(handler)

    def stop(self):
        self._may_go.set()
        super().stop()

    def hold(self):
        """From now on answers wait until they are released."""
        self._may_go.clear()

    def release(self):
        self._may_go.set()

    def wait_for_release(self):
        self._may_go.wait(PATIENCE)
