"""A server of deliveries that is not ours: pages of any length, pictures, marks, and what goes wrong with them."""

import json
import re
import threading
from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qs, urlsplit

from listener import Listener

PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><rect width="64" height="64" fill="#397"/></svg>'


class DeliveriesServer:
    """Serves deliveries 0…count-1 in the first version of the format."""

    def __init__(self, count=45):
        self.numbers = list(range(count))
        self.nowhere = set()
        """Those that have no location."""
        self.refused = set()
        """Those whose marks are refused."""
        self.is_failing = False
        """Whether lists are answered with 500."""
        self.offsets = []
        """Where the pages began that were asked for, in that order."""
        self.marks = []
        """What was asked of marks: number, body and key."""
        self._may_go = threading.Event()
        self._may_go.set()
        self._port = 0
        self._changed = threading.Condition()
        self.start()

    def start(self):
        """Listens, on the same port as the time before."""
        self._server = Listener(self._port, _Handler, self)
        self._port = self._server.server_port
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()

    def stop(self):
        """Hangs up on everybody and listens no more; nothing happens when it does not listen."""
        if self._thread is None:
            return
        self._may_go.set()
        self._server.shutdown()
        self._server.hang_up()
        self._server.server_close()
        self._thread.join()
        self._thread = None

    @property
    def address(self):
        return f"http://127.0.0.1:{self._port}"

    @property
    def arguments(self):
        """What tells the program to read this server."""
        return "--deliveries-url", f"{self.address}/deliveries", "--orders-url", f"{self.address}/orders.plist"

    def hold(self):
        """From now on pages are not answered until they are released."""
        self._may_go.clear()

    def release(self):
        self._may_go.set()

    def wait_until(self, condition):
        """Waits until something is true of what was asked."""
        with self._changed:
            assert self._changed.wait_for(condition, 30), f"asked {self.offsets}, marked {self.marks}"

    # Answers, on the threads of the server

    def page(self, query):
        offset, limit = int(query["offset"][0]), int(query["limit"][0])
        with self._changed:
            self.offsets.append(offset)
            self._changed.notify_all()
        self._may_go.wait(30)
        if self.is_failing:
            return 500, "text/plain", "no"
        return 200, "application/json", json.dumps([self._row(number) for number in self.numbers[offset:offset + limit]])

    def _row(self, number):
        row = {"id": number, "description": f"Parcel {number} for Zoë", "imageUrl": f"{self.address}/pictures/{number % 3}.svg"}
        if number not in self.nowhere:
            row["location"] = {"lat": 40.7 + number / 1_000, "lng": -74.0, "address": f"{number} Harbor Street"}
        return row

    def mark(self, number, body, key):
        with self._changed:
            self.marks.append((number, body, key))
            self._changed.notify_all()
        if number in self.refused:
            return 403, "text/plain", "not yours"
        return 200, "application/json", json.dumps({"id": number, **body})


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        address = urlsplit(self.path)
        if address.path == "/deliveries":
            self._answer(*self.server.served.page(parse_qs(address.query)))
        elif address.path.startswith("/pictures/"):
            self._answer(200, "image/svg+xml", PICTURE)
        else:
            self._answer(404, "text/plain", "")

    def do_PUT(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        number = int(re.fullmatch(r"/v1/deliveries/(\d+)/favourite", self.path)[1])
        self._answer(*self.server.served.mark(number, body, self.headers["Idempotency-Key"]))

    def _answer(self, status, media_type, text):
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", media_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format, *arguments):
        """Tests tell what they saw."""
