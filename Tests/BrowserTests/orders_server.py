"""A server of orders that is not ours: it speaks the published format, and does with each document what a test wants."""

import select
import socket
import threading
from collections import Counter
from http.server import BaseHTTPRequestHandler
from xml.sax.saxutils import escape

from listener import PATIENCE, StoppableServer

GROCERIES = {1: "Broccoli", 2: "Onion", 3: "Pumpkin", 4: "Leek"}
PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><circle cx="32" cy="32" r="30" fill="#397"/></svg>'


def order_document(number, title=None, items=((1, "5", "kg"), (2, "1.5", "pc."))):
    """The document of an order, every value told by its number."""
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
    """Serves orders 1…count. Documents can be held back, replaced and refused; `asked` are their numbers."""

    def __init__(self, count=40):
        self.numbers = list(range(1, count + 1))
        self.replies = {}
        """What to send in place of an order's document: a status, or a text."""
        self.abandoned = []
        """The numbers of those held back whose client hung up."""
        self.lists_sent = 0
        self._holds = False
        self._lists_may_go = threading.Event()
        self._lists_may_go.set()
        self._held = {}
        super().__init__(_Handler)

    @property
    def arguments(self):
        """What tells the program to read this server."""
        return "--orders-url", f"{self.address}/orders.plist", "--items-url", f"{self.address}/items.plist"

    # Holding back

    def hold_lists(self):
        """From now on the list of orders is not answered until lists are released."""
        self._lists_may_go.clear()

    def release_lists(self):
        self._lists_may_go.set()

    def hold(self):
        """From now on documents of orders are not answered until they are released."""
        with self._changed:
            self._holds = True

    def release(self, number):
        """Answers those who wait for the document of an order."""
        with self._changed:
            for waiting in self._held.pop(number, []):
                waiting.send(b"!")

    def release_all(self):
        """Answers all who wait, and from now on at once."""
        with self._changed:
            self._holds = False
            numbers = list(self._held)
        for number in numbers:
            self.release(number)

    @property
    def held(self):
        """The numbers of the orders whose documents somebody waits for."""
        with self._changed:
            return set(self._held)

    def _told(self):
        return f"{super()._told()}, held {set(self._held)}, abandoned {self.abandoned}"

    def times_asked(self):
        """How often the document of each order was asked for."""
        with self._changed:
            return Counter(self.asked)

    # Answers, on the threads of the server

    def answer(self, path, connection):
        """Status, media type and text for a path; None when the client hung up while it waited."""
        name = path.lstrip("/")
        if name == "orders.plist":
            self._lists_may_go.wait(PATIENCE)
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
            self.asked.append(number)
            awaited, waiting = socket.socketpair()
            if self._holds:
                self._held.setdefault(number, []).append(waiting)
            else:
                waiting.send(b"!")
            self._changed.notify_all()
        with awaited, waiting:
            ready, _, _ = select.select([awaited, connection], [], [])
        if awaited not in ready:
            self._abandon(number, waiting)
            return None
        reply = self.replies.get(number, order_document(number))
        return (reply, "text/plain", "") if isinstance(reply, int) else (200, "application/xml", reply)

    def _abandon(self, number, waiting):
        with self._changed:
            others = self._held.get(number, [])
            if waiting in others:
                others.remove(waiting)
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
        answer = self.server.served.answer(self.path, self.connection)
        if answer is None:
            self.close_connection = True
            return
        status, media_type, text = answer
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", media_type)
        self.send_header("Content-Length", str(len(body)))
        if media_type.startswith("image/"):
            self.send_header("Cache-Control", "max-age=3600")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format, *arguments):
        """Tests tell what they saw."""
