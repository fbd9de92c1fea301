"""A server of deliveries that is not ours: pages of any length, pictures, marks, and what goes wrong with them."""

import json
import re
from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qs, urlsplit

from listener import HoldingServer

PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><rect width="64" height="64" fill="#397"/></svg>'


class DeliveriesServer(HoldingServer):
    """Serves deliveries 0…count-1 in the first version of the format; `asked` is where the pages began."""

    def __init__(self, count=45):
        self.numbers = list(range(count))
        self.nowhere = set()
        """Those that have no location."""
        self.refused = set()
        """Those whose marks are refused."""
        self.extras = {}
        """Members that rows have beside the usual ones, by number."""
        self.favourites = {}
        """Whether rows are favourites, as lists say it; other rows do not mention it."""
        self.is_failing = False
        """Whether lists are answered with 500."""
        self.marks = []
        """What was asked of marks: number, body and key."""
        super().__init__(_Handler)

    @property
    def arguments(self):
        """What tells the program to read this server."""
        return "--deliveries-url", f"{self.address}/deliveries", "--orders-url", f"{self.address}/orders.plist"

    def _told(self):
        return f"{super()._told()}, marked {self.marks}"

    # Answers, on the threads of the server

    def page(self, query):
        offset, limit = int(query["offset"][0]), int(query["limit"][0])
        self._note(self.asked, offset)
        self.wait_for_release()
        if self.is_failing:
            return 500, "text/plain", "no"
        return 200, "application/json", json.dumps([self._row(number) for number in self.numbers[offset:offset + limit]])

    def _row(self, number):
        row = {"id": number, "description": f"Parcel {number} for Zoë", "imageUrl": f"{self.address}/pictures/{number % 3}.svg"}
        if number not in self.nowhere:
            row["location"] = {"lat": 40.74 + number / 10_000, "lng": -73.92, "address": f"{number} Harbor Street, Lading Harbor"}
        if number in self.favourites:
            row["favourite"] = self.favourites[number]
        return row | self.extras.get(number, {})

    def mark(self, number, body, key):
        self._note(self.marks, (number, body, key))
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
