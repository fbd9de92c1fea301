"""Measures the API of orders: claims, the board of 100,000 orders, and the change feed.

order_api.py LADING ORIGIN DATA: the program, the address of a running server with its data, and its data directory.
"""

import http.client
import json
import selectors
import shutil
import socket
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
from pathlib import Path

COURIERS = 16
CLAIMS_PER_COURIER = 60
PAGES = 200
STREAMS = 1_000
CHANGES = 40


class Client:
    """A connection of a person."""

    def __init__(self, origin, token=None):
        self._connection = http.client.HTTPConnection(urllib.parse.urlsplit(origin).netloc, timeout=30)
        self.headers = {"Authorization": f"Bearer {token}"} if token else {}

    def request(self, method, path, body=None, **headers):
        content = None if body is None else json.dumps(body)
        self._connection.request(method, f"/api/v1/{path}", content, {**self.headers, **headers})
        response = self._connection.getresponse()
        text = response.read()
        assert response.status < 300, f"{method} {path}: {response.status} {text!r}"
        return json.loads(text) if text else {}

    def claim(self, order, key):
        return self.request("POST", f"orders/{order}/claim", **{"Idempotency-Key": key})

    def release(self, order, fence, key):
        return self.request("POST", f"orders/{order}/release", **{"Idempotency-Key": key, "If-Match": f'"{fence}"'})


def add_person(lading, data, origin, name):
    output = subprocess.run([lading, "people", "add", name, "--data", data], capture_output=True, text=True, check=True).stdout
    return Client(origin).request("POST", "sign-in", {"secret": output.strip().rsplit("#", 1)[1]})["token"]


def in_threads(work, count):
    """Returns the seconds that the work takes in some threads, which begin together."""
    barrier = threading.Barrier(count + 1)

    def run(number):
        barrier.wait()
        work(number)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    barrier.wait()
    start = time.perf_counter()
    for thread in threads:
        thread.join()
    return time.perf_counter() - start


def measure_claims(origin, tokens, data):
    """Claims through HTTP, against the same statements on a copy of the database by as many threads."""
    clients = [Client(origin, token) for token in tokens]

    def claim(number):
        for index in range(CLAIMS_PER_COURIER):
            clients[number].claim(1 + number * CLAIMS_PER_COURIER + index, f"claim-{index}")

    with tempfile.TemporaryDirectory(dir=Path(data).parent) as folder:
        copy = Path(folder) / "copy.sqlite"
        source = sqlite3.connect(Path(data) / "origin.sqlite")
        with sqlite3.connect(copy) as target:
            source.backup(target)
        source.close()
        with_http = in_threads(claim, COURIERS)
        bare = in_threads(lambda number: claim_bare(copy, number), COURIERS)
    count = COURIERS * CLAIMS_PER_COURIER
    print(f"figure order-claims {bare / with_http:.2f} ratio ({count / with_http:.0f} claims/s)")


def claim_bare(file, number):
    connection = sqlite3.connect(file, timeout=60, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    person, event = f"courier-{number}", json.dumps({"number": 2, "action": "claim", "state": "claimed", "holder": f"courier-{number}"})
    for index in range(CLAIMS_PER_COURIER):
        order = 1 + number * CLAIMS_PER_COURIER + index
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("SELECT fingerprint, verdict FROM verdicts WHERE person = ? AND key = ?", (person, f"claim-{index}")).fetchone()
        connection.execute("SELECT leaseEnd FROM orders WHERE id = ?", (order,)).fetchone()
        connection.execute("SELECT event FROM orderEvents WHERE orderID = ? ORDER BY number", (order,)).fetchall()
        connection.execute("SELECT report FROM orderReports WHERE orderID = ? ORDER BY number", (order,)).fetchall()
        connection.execute("SELECT digest FROM proofs WHERE orderID = ? AND person = ?", (order, person)).fetchall()
        connection.execute("INSERT INTO orderEvents (orderID, number, event) VALUES (?, 2, ?)", (order, event))
        connection.execute("INSERT INTO orderChanges (orderID, event, wasOpen, milliseconds) VALUES (?, 2, 1, 0)", (order,))
        connection.execute("UPDATE orders SET state = 'claimed', fence = 1, holder = ?, leaseEnd = 1, eventCount = 2 WHERE id = ?", (person, order))
        connection.execute("DELETE FROM openPlaces WHERE id = ?", (order,))
        connection.execute("INSERT INTO verdicts VALUES (?, ?, '', '{}', 0)", (person, f"claim-{index}"))
        connection.execute("COMMIT")
    connection.close()


def measure_board(origin, token):
    """The first page of open orders by distance, from places all over the city."""
    client = Client(origin, token)
    times = []
    for index in range(PAGES):
        place = f"{40.70 + index % 20 * 0.005},{-73.98 + index % 17 * 0.005}"
        start = time.perf_counter()
        client.request("GET", f"orders?near={place}&limit=20")
        times.append(time.perf_counter() - start)
    print(f"figure order-board-100000 {statistics.median(times) * 1000:.1f} ms")


def measure_feed(origin, token, courier_token):
    """The time from the answer to a command until the last of all streams has its event."""
    address = urllib.parse.urlsplit(origin)
    selector = selectors.DefaultSelector()
    head = f"GET /api/v1/changes HTTP/1.1\r\nHost: {address.netloc}\r\nAuthorization: Bearer {token}\r\nAccept: text/event-stream\r\n\r\n"
    streams = []
    for _ in range(STREAMS):
        stream = socket.create_connection((address.hostname, address.port))
        stream.sendall(head.encode())
        streams.append(stream)
    for stream in streams:
        received = b""
        while b"event: position" not in received:
            received += stream.recv(4_096)
        stream.setblocking(False)
        selector.register(stream, selectors.EVENT_READ)
    client, delays = Client(origin, courier_token), []
    order, fence = COURIERS * CLAIMS_PER_COURIER + 1, 0
    for index in range(CHANGES):
        if index % 2 == 0:
            fence = client.claim(order, f"feed-{index}")["fence"]
        else:
            client.release(order, fence, f"feed-{index}")
        start, waiting = time.perf_counter(), STREAMS
        while waiting:
            for key, _ in selector.select(timeout=10):
                if b"event: change" in key.fileobj.recv(65_536):
                    waiting -= 1
                    delays.append(time.perf_counter() - start)
    for stream in streams:
        stream.close()
    print(f"figure order-feed {sorted(delays)[int(len(delays) * 0.99)] * 1000:.0f} ms")


if __name__ == "__main__":
    lading, origin, data = sys.argv[1:]
    assert shutil.disk_usage(data).free > 1 << 30, "1 GiB of free disk is needed"
    tokens = [add_person(lading, data, origin, f"Courier {number}") for number in range(COURIERS)]
    measure_board(origin, tokens[0])
    measure_claims(origin, tokens, data)
    measure_feed(origin, tokens[0], tokens[1])
