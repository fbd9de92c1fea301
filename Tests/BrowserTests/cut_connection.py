"""A TCP proxy in front of the window, which breaks connections at chosen bytes of a request, or before its answer."""

import socket
import threading
from http.client import parse_headers
from io import BytesIO

TIMEOUT = 60
BUFFER_SIZE = 16_384


class CuttingProxy:
    """Passes requests on to a port of this machine, except for those that a test has chosen."""

    def __init__(self, port):
        self.lost_answers = []
        """The paths of the requests whose answers were lost."""
        self._port = port
        self._cuts = []
        self._cut_count = 0
        self._stalls = False
        self._answers_to_lose = 0
        self._stalls_stored_pages = False
        self._attempts = {}
        self._changed = threading.Condition()
        """Guards the faults and their counts."""
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._connections = set()
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def address(self):
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def stop(self):
        """Closes the listener and all connections."""
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for connection in list(self._connections):
            connection.close()

    # Faults

    def cut_uploads(self, positions):
        """Cuts the upload of a proof when it reaches each of these positions in turn."""
        with self._changed:
            (self._cuts, self._cut_count, self._stalls) = (list(positions), 0, False)

    def stall_upload(self, position):
        """Passes nothing on after this position of the next upload of a proof, until one side closes the connection."""
        with self._changed:
            (self._cuts, self._cut_count, self._stalls) = ([position], 0, True)

    def wait_for_cuts(self, count):
        """Waits until this number of uploads was cut or has stalled."""
        with self._changed:
            assert self._changed.wait_for(lambda: self._cut_count >= count, TIMEOUT), f"{self._cut_count} of {count} cuts"

    def lose_answers(self, count):
        """Loses the answers to the first attempts of each request with a key."""
        with self._changed:
            self._answers_to_lose = count

    def stall_stored_pages(self):
        """Passes on no answer to a request for a page that the worker stores for use offline."""
        with self._changed:
            self._stalls_stored_pages = True

    # Requests

    def stalls_answer(self, request):
        """Whether nothing of the answer to a request is passed on, although its connection stays open."""
        with self._changed:
            return self._stalls_stored_pages and request.path.endswith("?offline=1")

    def loses_answer(self, request):
        """Whether the answer to a request is lost."""
        key = request.headers["Idempotency-Key"]
        with self._changed:
            self._attempts[key] = self._attempts.get(key, 0) + 1
            is_lost = key is not None and self._attempts[key] <= self._answers_to_lose
            if is_lost:
                self.lost_answers.append(request.path)
        return is_lost

    def bytes_to_pass(self, request):
        """Consumes the next cut if a body reaches it, and returns the number of bytes before it; nothing for other requests."""
        if "/proofs/" not in request.path or request.method == "HEAD":
            return None
        start = int(request.headers["Upload-Offset"] or 0)
        with self._changed:
            is_cut = self._cuts and self._cuts[0] <= start + request.length
            return max(0, self._cuts.pop(0) - start) if is_cut else None

    def report_cut(self):
        """Counts a cut, and returns whether the connection stalls instead."""
        with self._changed:
            self._cut_count += 1
            self._changed.notify_all()
            return self._stalls

    def _accept(self):
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return  # The proxy was stopped.
            try:
                server = socket.create_connection(("127.0.0.1", self._port))
            except OSError:
                client.close()  # The program was stopped.
                continue
            connection = _Connection(client, server, self, self._connections)
            self._connections.add(connection)
            connection.start()


class _Request:
    """The head of a request."""

    def __init__(self, head):
        line, fields = head.split(b"\r\n", 1)
        self.head = head
        self.method, self.path, _ = line.decode("latin-1").split(" ", 2)
        self.headers = parse_headers(BytesIO(fields))
        self.length = int(self.headers["Content-Length"] or 0)


class _Connection:
    """A connection of the browser, and that to the window."""

    def __init__(self, client, server, proxy, connections):
        self._client = client
        self._server = server
        self._proxy = proxy
        self._connections = connections
        self._loses_answer = False
        self._stalls_answer = False

    def start(self):
        for pass_on in (self._pass_requests, self._pass_answers):
            threading.Thread(target=self._run, args=(pass_on,), daemon=True).start()

    def close(self):
        self._connections.discard(self)
        for side in (self._client, self._server):
            try:
                side.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass  # The other side was quicker.
            side.close()

    def _run(self, pass_on):
        try:
            pass_on()
        except (OSError, ValueError):
            pass  # The connection was closed.
        finally:
            self.close()

    def _pass_answers(self):
        while answer := self._server.recv(BUFFER_SIZE):
            if self._loses_answer:
                return
            if self._stalls_answer:
                continue
            self._client.sendall(answer)

    def _pass_requests(self):
        with self._client.makefile("rb") as stream:
            while head := self._read_head(stream):
                request = _Request(head)
                self._loses_answer = self._proxy.loses_answer(request)
                self._stalls_answer = self._proxy.stalls_answer(request)
                self._server.sendall(head)
                length = self._proxy.bytes_to_pass(request)
                self._pass_body(stream, request.length if length is None else length)
                if length is not None:
                    if self._proxy.report_cut():
                        self._ignore(stream)
                    return

    @staticmethod
    def _read_head(stream):
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            line = stream.readline()
            if not line:
                return b""
            head += line
        return head

    def _pass_body(self, stream, length):
        while length > 0 and (part := stream.read1(min(length, BUFFER_SIZE))):
            self._server.sendall(part)
            length -= len(part)

    @staticmethod
    def _ignore(stream):
        while stream.read1(BUFFER_SIZE):
            pass
