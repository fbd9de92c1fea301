"""A stub server of deliveries: pages of any length, pictures, favourites, and their failures."""

import json
import re
from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qs, urlsplit

from stub_server import HoldingServer

PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><rect width="64" height="64" fill="#397"/></svg>'


class DeliveriesServer(HoldingServer):
    """Serves deliveries 0…count-1 in the first version of the format; `requested` are the offsets of the pages."""

    def __init__(self, count=45):
        self.numbers = list(range(count))
        self.without_location = set()
        """The numbers of deliveries without a location."""
        self.refused = set()
        """The numbers of deliveries whose favourites are refused."""
        self.extra_fields = {}
        """Additional members of rows, by number."""
        self.favourites = {}
        """The favourites in lists, by number; other rows have no such member."""
        self.is_failing = False
        """Whether lists are answered with 500."""
        self.favourite_requests = []
        """The number, body and key of each request for a favourite."""
        super().__init__(_Handler)

    @property
    def arguments(self):
        """The arguments that let the program read this server."""
        return "--deliveries-url", f"{self.address}/deliveries", "--orders-url", f"{self.address}/orders.plist"

    def _description(self):
        return f"{super()._description()}, marked {self.favourite_requests}"

    # Responses, on the threads of the server

    def page_response(self, query):
        offset, limit = int(query["offset"][0]), int(query["limit"][0])
        self._record(self.requested, offset)
        self.wait_for_release()
        if self.is_failing:
            return 500, "text/plain", "no"
        return 200, "application/json", json.dumps([self._row(number) for number in self.numbers[offset:offset + limit]])

    def _row(self, number):
        row = {"id": number, "description": f"Parcel {number} for Zoë", "imageUrl": f"{self.address}/pictures/{number % 3}.svg"}
        if number not in self.without_location:
            row["location"] = {"lat": 40.74 + number / 10_000, "lng": -73.92, "address": f"{number} Harbor Street, Lading Harbor"}
        if number in self.favourites:
            row["favourite"] = self.favourites[number]
        return row | self.extra_fields.get(number, {})

    def favourite_response(self, number, body, key):
        self._record(self.favourite_requests, (number, body, key))
        if number in self.refused:
            return 403, "text/plain", "not yours"
        return 200, "application/json", json.dumps({"id": number, **body})


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        address = urlsplit(self.path)
        if address.path == "/deliveries":
            self._respond(*self.server.stub.page_response(parse_qs(address.query)))
        elif address.path.startswith("/pictures/"):
            self._respond(200, "image/svg+xml", PICTURE)
        else:
            self._respond(404, "text/plain", "")

    def do_PUT(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        number = int(re.fullmatch(r"/v1/deliveries/(\d+)/favourite", self.path)[1])
        self._respond(*self.server.stub.favourite_response(number, body, self.headers["Idempotency-Key"]))

    def _respond(self, status, media_type, text):
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", media_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format, *arguments):
        """Logs nothing."""
