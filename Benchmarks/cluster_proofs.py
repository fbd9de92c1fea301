"""Measures proofs in the database: their rate through three nodes, and their write-ahead log."""

import hashlib
import http.client
import itertools
import os
import sys
import threading
import time
import urllib.parse

from cluster_claims import log_position
from cluster_servers import NODES, REPOSITORY, Cluster, Node
from order_api import Client

sys.path.insert(0, str(REPOSITORY / "Tests" / "BrowserTests"))
from png_files import png_file  # noqa: E402

SIZES = [64 << 10, 256 << 10, 1 << 20, 4 << 20]
BYTES = 48 << 20
"""The bytes of all photos of a size."""
CLIENTS = 6
WIDTH = 1_024
"""The width of a photo, in pixels."""
PART = 1 << 20
"""The length of a part of an interruptible upload, as pages send it."""


class ProofCluster(Cluster):
    """Servers that store photos, each of an order of its own."""

    def __init__(self, lading, folder):
        super().__init__(lading, folder, Node.server)
        self._orders = itertools.count(1)

    def prepare(self):
        self.database.query("ALTER SYSTEM SET full_page_writes = off; ALTER SYSTEM SET autovacuum = off; SELECT pg_reload_conf();")
        self._tokens = self.database.add_people(CLIENTS)
        self.database.fill(1, 10_000)

    def store(self, size, send):
        """Stores photos of a size, and returns the seconds and the bytes of the log that they take, and their number."""
        count = BYTES // size
        orders = list(itertools.islice(self._orders, count))
        for order in orders:
            self._client(order).claim(order, f"claim-{order}")
        photos, start = {order: photo(size) for order in orders}, log_position(self.database).bytes
        began = time.perf_counter()
        threads = [threading.Thread(target=self._send, args=(orders, number, photos, send)) for number in range(CLIENTS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return time.perf_counter() - began, log_position(self.database).bytes - start, count

    def _client(self, order):
        return Client(self.nodes[order % NODES].origin, self._tokens[order % CLIENTS])

    def _send(self, orders, number, photos, send):
        connections = [http.client.HTTPConnection(urllib.parse.urlsplit(node.origin).netloc, timeout=60) for node in self.nodes]
        for order in orders:
            if order % CLIENTS == number:
                send(connections[order % NODES], order, photos[order], {"Authorization": f"Bearer {self._tokens[number]}"})


def photo(size):
    """Returns a PNG file of about this size, which cannot be compressed."""
    return png_file(WIDTH, (os.urandom(3 * WIDTH) for _ in range(size // (3 * WIDTH))), level=0)


def put(connection, order, content, fields):
    """Sends a photo whole."""
    request(connection, "PUT", order, content, content, "kind=photo", {**fields, "Content-Type": "image/png"})


def patch(connection, order, content, fields):
    """Sends a photo in parts, which an interrupted upload would not send again."""
    for offset in range(0, len(content), PART):
        part = content[offset : offset + PART]
        is_last = offset + PART >= len(content)
        request(connection, "PATCH", order, content, part, "kind=photo&type=image/png", {
            **fields, "Content-Type": "application/partial-upload", "Upload-Offset": str(offset), "Upload-Complete": f"?{int(is_last)}"})


def request(connection, method, order, content, body, query, fields):
    connection.request(method, f"/api/v1/orders/{order}/proofs/{hashlib.sha256(content).hexdigest()}?{query}", body, fields)
    response = connection.getresponse()
    text = response.read()
    assert response.status < 300, f"{method}: {response.status} {text!r}"


def measure_proofs(lading, folder):
    """Photos that are sent whole and in parts, in four sizes. The figure is the largest ratio of all sizes."""
    ratios = {}
    with ProofCluster(lading, folder) as cluster:
        for size, send in itertools.product(SIZES, (put, patch)):
            seconds, log, count = cluster.store(size, send)
            ratios.setdefault(send, []).append(log / (count * size))
            print(
                f"{send.__name__} {size >> 10} KiB: {count / seconds:.0f} proofs/s, {count * size / seconds / (1 << 20):.0f} MiB/s,"
                f" log {ratios[send][-1]:.2f} bytes a byte", file=sys.stderr)
    print(f"figure cluster-proof-log {max(ratios[put]):.2f} bytes a byte ({max(ratios[patch]):.2f} in parts)", flush=True)
