"""A stub server of orders in the published format, whose documents can be held back, replaced and refused."""

import select
import socket
import threading
from collections import Counter
from http.server import BaseHTTPRequestHandler
from xml.sax.saxutils import escape

from stub_server import TIMEOUT, StoppableServer

GROCERIES = {1: "Broccoli", 2: "Onion", 3: "Pumpkin", 4: "Leek"}
PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><circle cx="32" cy="32" r="30" fill="#397"/></svg>'


def order_document(number, title=None, items=((1, "5", "kg"), (2, "1.5", "pc."))):
    """Returns the document of an order, with values made from its number."""
    lines = "".join(
        f"<item><id>{id}</id><quantity>{quantity}</quantity><quantityUnit>{unit}</quantityUnit></item>" for id, quantity, unit in items
    )
    return (
        f"<order><title>{escape(title or f'Groceries {number}')}</title><info>Ring {number} times</info>"
        f"<price>{number}.50</price><currency>EUR</currency><itemCount>{len(items)}</itemCount>"
        f"<deliveryDate>May, 15th 16:00</deliveryDate><location><address>{number} Harbor Street, Lading Harbor</address>"
        "<radius>1.5</radius><radiusUnit>km</radiusUnit><latitude>40.764</latitude><longitude>-73.923</longitude></location>"
        f"<items>{lines}</items></order>"
    )


class OrdersServer(StoppableServer):
    """Serves orders 1…count; `requested` are the numbers of the requested documents."""

    def __init__(self, count=40):
        self.numbers = list(range(1, count + 1))
        self.responses = {}
        """The responses in place of documents, by number: a status, or a text."""
        self.abandoned = []
        """The numbers of the held documents whose client disconnected."""
        self.lists_sent = 0
        self._is_holding = False
        self._lists_released = threading.Event()
        self._lists_released.set()
        self._held = {}
        super().__init__(_Handler)

    @property
    def arguments(self):
        """The arguments that let the program read this server."""
        return "--orders-url", f"{self.address}/orders.plist", "--items-url", f"{self.address}/items.plist"

    # Holding responses

    def hold_lists(self):
        """Holds the list of orders until lists are released."""
        self._lists_released.clear()

    def release_lists(self):
        self._lists_released.set()

    def hold(self):
        """Holds the documents of orders until they are released."""
        with self._changed:
            self._is_holding = True

    def release(self, number):
        """Releases the held responses for an order."""
        with self._changed:
            for release_trigger in self._held.pop(number, []):
                release_trigger.send(b"!")

    def release_all(self):
        """Releases all held responses, and holds no more."""
        with self._changed:
            self._is_holding = False
            numbers = list(self._held)
        for number in numbers:
            self.release(number)

    @property
    def held(self):
        """The numbers of the orders whose documents are held."""
        with self._changed:
            return set(self._held)

    def _description(self):
        return f"{super()._description()}, held {set(self._held)}, abandoned {self.abandoned}"

    def request_counts(self):
        """Returns the number of requests for the document of each order."""
        with self._changed:
            return Counter(self.requested)

    # Responses, on the threads of the server

    def response(self, path, connection):
        """Returns the status, media type and text for a path, or None if the client disconnected while it waited."""
        name = path.lstrip("/")
        if name == "orders.plist":
            self._lists_released.wait(TIMEOUT)
            with self._changed:
                self.lists_sent += 1
            return 200, "application/xml", self._list("order", self.numbers)
        if name == "items.plist":
            return 200, "application/xml", self._list("item", GROCERIES)
        if name == "elsewhere":
            return 200, "text/html", "<!doctype html><title>Elsewhere</title>"
        kind, _, number = name.partition("-")
        number = int(number.partition(".")[0] or 0)
        if kind == "order" and number in self.numbers:
            return self._order(number, connection)
        if kind == "item" and number in GROCERIES:
            return 200, "application/xml", self._item(number)
        if kind == "picture" and number in GROCERIES:
            return 200, "image/svg+xml", PICTURE
        return 404, "text/plain", "There is nothing here."

    def _order(self, number, connection):
        with self._changed:
            self.requested.append(number)
            release_signal, release_trigger = socket.socketpair()
            if self._is_holding:
                self._held.setdefault(number, []).append(release_trigger)
            else:
                release_trigger.send(b"!")
            self._changed.notify_all()
        with release_signal, release_trigger:
            ready, _, _ = select.select([release_signal, connection], [], [])
        if release_signal not in ready:
            self._abandon(number, release_trigger)
            return None
        response = self.responses.get(number, order_document(number))
        return (response, "text/plain", "") if isinstance(response, int) else (200, "application/xml", response)

    def _abandon(self, number, release_trigger):
        with self._changed:
            others = self._held.get(number, [])
            if release_trigger in others:
                others.remove(release_trigger)
            if not others:
                self._held.pop(number, None)
            self.abandoned.append(number)
            self._changed.notify_all()

    def _list(self, kind, numbers):
        entries = "".join(f"<key>{number}</key><string>{self.address}/{kind}-{number}.xml</string>" for number in numbers)
        return f'<?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>{entries}</dict></plist>'

    def _item(self, number):
        return f"<item><name>{GROCERIES[number]}</name><imageUrl>{self.address}/picture-{number}.svg</imageUrl></item>"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        response = self.server.stub.response(self.path, self.connection)
        if response is None:
            self.close_connection = True
            return
        status, media_type, text = response
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", media_type)
        self.send_header("Content-Length", str(len(body)))
        if media_type.startswith("image/"):
            self.send_header("Cache-Control", "max-age=3600")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format, *arguments):
        """Logs nothing."""
