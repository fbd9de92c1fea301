"""Measures claims through three nodes over one PostgreSQL database, against the same statements in pgbench.

cluster.py LADING WORK: the program, and a folder for data.
"""

import json
import os
import re
import selectors
import shutil
import socket
import statistics
import subprocess
import sys
import threading
import time
import urllib.parse
from pathlib import Path

from order_api import Client

REPOSITORY = Path(__file__).parents[1]
NODES = 3
CLIENTS = 18
"""The number of connections that claim, those of all nodes together, and of pgbench."""
SECONDS = 6
ROUNDS = 3
BOARDS = 10
"""The number of change streams of each node."""
GROWN = 1_000_000
CREATED = 1_790_000_000_000

CREATION = json.dumps({
    "number": 1, "action": "create", "state": "open", "fence": 0, "actionTime": CREATED, "acceptanceTime": CREATED, "isHandover": False,
    "missingItems": [], "proofs": [],
})

# What a claim reads and writes, as `CommandReading` and `CommandWriting` do.
STATEMENTS = r"""
\set number :number + 1
\set order :client_id * 20000 + :base + :number
SELECT epoch, fence_floor, target.id, revision, lease_end, fingerprint, verdict,
    (SELECT id FROM orders WHERE external_id = NULL::text) AS other,
    (SELECT json_agg(event::json ORDER BY number) FROM order_events WHERE order_id = target.id) AS events,
    (SELECT json_agg(report::json ORDER BY number) FROM order_reports WHERE order_id = target.id) AS reports,
    (SELECT json_agg(digest) FROM proofs WHERE order_id = target.id AND (NOT true OR person = 'a')) AS proofs
FROM order_metadata CROSS JOIN (SELECT (:order)::bigint AS id) AS target
    LEFT JOIN orders ON orders.id = target.id
    LEFT JOIN verdicts ON verdicts.person = 'a' AND verdicts.key = 'claim-' || (:order)::bigint::text;
\startpipeline
WITH written AS (
    UPDATE orders SET revision = revision + 1, state = 'claimed', fence = 1, holder = 'courier-' || (:client_id)::bigint::text,
        held_since = 1790000000000, lease_end = 1790001800000, deadline = NULL, attempts = 0, event_count = 2
    WHERE id = (:order)::bigint AND revision = 1 AND EXISTS (SELECT 1 FROM order_metadata) RETURNING 1)
SELECT 1 / count(*) FROM written;
INSERT INTO order_events (order_id, number, event) VALUES ((:order)::bigint, 2, '{EVENT}');
INSERT INTO order_changes (order_id, event, report, previous_holder, was_open, milliseconds)
VALUES ((:order)::bigint, 2, NULL, NULL, true, 1790000000000);
INSERT INTO verdicts (person, key, fingerprint, verdict, milliseconds)
VALUES ('a', 'claim-' || (:order)::bigint::text, '{FINGERPRINT}', '{VERDICT}', 1790000000000);
\endpipeline
""".replace("{EVENT}", json.dumps({
    "number": 2, "action": "claim", "state": "claimed", "fence": 1, "holder": "8676ce6adf21c09d", "actor": "8676ce6adf21c09d",
    "actionTime": CREATED, "acceptanceTime": CREATED, "isHandover": False, "missingItems": [], "proofs": [],
})).replace("{FINGERPRINT}", "f" * 64).replace("{VERDICT}", json.dumps({
    "outcome": {"accepted": {"events": [2]}}, "order": 1, "state": "claimed", "version": {"fence": 1, "eventCount": 2},
    "acceptanceTime": CREATED,
}))

CLAIMS = """
number = 0
claimed = 0
local threads = {}
function setup(thread) table.insert(threads, thread) end
function request()
    number = number + 1
    local order = FIRST + number
    return wrk.format("POST", "/api/v1/orders/" .. order .. "/claim",
        {["Authorization"] = "Bearer TOKEN", ["Idempotency-Key"] = "claim-" .. order, ["Content-Type"] = "application/json"}, "{}")
end
function response(status)
    if status == 200 then claimed = claimed + 1 end
end
function done()
    local total = 0
    for _, thread in ipairs(threads) do total = total + thread:get("claimed") end
    io.stderr:write("claimed " .. total .. "\\n")
end
"""


class Server:
    """A PostgreSQL server that waits for its disk, as one in use does."""

    def __init__(self):
        self._process = subprocess.Popen(
            [REPOSITORY / "Scripts" / "postgresql", "fsync=on", "shared_buffers=512MB", "max_wal_size=4GB"], stdout=subprocess.PIPE, text=True)
        self.address = self._process.stdout.readline().strip()
        self.folder = sorted(Path("/usr/lib/postgresql").glob("*/bin"))[-1]

    def query(self, sql):
        """Returns the first value of the last statement."""
        return subprocess.run(
            [self.folder / "psql", "-XqtA", "-v", "ON_ERROR_STOP=1", self.address], input=sql, capture_output=True, text=True, check=True
        ).stdout.strip().splitlines()[-1:]

    def fill(self, first, count):
        """Adds open orders, with the events of their creation."""
        self.query(f"""
            INSERT INTO orders (id, title, note, price, currency, amount, item_count, delivery_time, due, address, radius, radius_unit,
                latitude, longitude, items, state, fence, event_count)
            SELECT number, 'Order ' || number, 'Ring twice', '4.50', 'EUR', 4500 + number % 90, 0, '', 1790000000000 + number, number || ' Quay Street',
                0, 'm', 40 + number % 1000 / 10000.0, -73 - number % 997 / 10000.0, '[]', 'open', 0, 1
            FROM generate_series({first}, {first + count - 1}) AS number;
            INSERT INTO order_events SELECT number, 1, '{CREATION}' FROM generate_series({first}, {first + count - 1}) AS number;
            SELECT setval(pg_get_serial_sequence('orders', 'id'), GREATEST({first + count - 1}, (SELECT MAX(id) FROM orders)));
            VACUUM ANALYZE orders, order_events; CHECKPOINT;
            """)

    def wal(self):
        return int(self.query("SELECT pg_current_wal_insert_lsn() - '0/0'")[0])

    def commits(self):
        time.sleep(1.5)
        return int(self.query("SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()")[0])

    def pgbench(self, base):
        """Returns the claims in a second."""
        script = Path(WORK) / "claims.sql"
        script.write_text(STATEMENTS)
        output = subprocess.run(
            [self.folder / "pgbench", "-n", "-M", "prepared", "-c", str(CLIENTS), "-j", "2", "-T", str(SECONDS), "-D", f"base={base}",
             "-D", "number=0", "-f", script, self.address], capture_output=True, text=True, check=False)
        assert output.returncode == 0, output.stderr
        return float(re.search(r"tps = ([\d.]+)", output.stdout)[1])

    def stop(self):
        self._process.terminate()
        self._process.wait()


class Node:
    """A running server."""

    def __init__(self, lading, data, database):
        self.environment = {**os.environ, "LADING_DATABASE": database}
        self._process = subprocess.Popen(
            [lading, "serve", "--port", "0", "--deliveries", "1", "--data", data, "--connections-per-client", "5000"],
            stdout=subprocess.PIPE, text=True, env=self.environment)
        for line in self._process.stdout:
            if found := re.search(r"(http://[^/\s]+)/swift-concurrency", line):
                self.address = found[1]
            if "photos are served" in line:
                break
        threading.Thread(target=self._process.stdout.read, daemon=True).start()

    def token(self, lading, name):
        output = subprocess.run([lading, "people", "add", name], capture_output=True, text=True, check=True, env=self.environment).stdout
        return Client(self.address).request("POST", "sign-in", {"secret": output.strip().rsplit("#", 1)[1]})["token"]

    def stop(self):
        self._process.terminate()
        self._process.wait()


class Boards(threading.Thread):
    """Streams of changes that are read and forgotten."""

    def __init__(self, nodes, token):
        super().__init__(daemon=True)
        self._selector, self._isEnded = selectors.DefaultSelector(), False
        for node in nodes:
            address = urllib.parse.urlsplit(node.address)
            for _ in range(BOARDS):
                stream = socket.create_connection((address.hostname, address.port))
                stream.sendall(
                    f"GET /api/v1/changes HTTP/1.1\r\nHost: {address.netloc}\r\nAuthorization: Bearer {token}\r\n"
                    "Accept: text/event-stream\r\n\r\n".encode())
                self._selector.register(stream, selectors.EVENT_READ)

    def run(self):
        while not self._isEnded:
            for key, _ in self._selector.select(0.2):
                key.fileobj.recv(1 << 20)

    def end(self):
        self._isEnded = True
        self.join()
        for key in list(self._selector.get_map().values()):
            key.fileobj.close()


def claims(nodes, tokens, base):
    """Returns the number of won claims in a second, through all nodes."""
    processes = []
    for number, (node, token) in enumerate(zip(nodes, tokens)):
        script = Path(WORK) / f"claims-{number}.lua"
        script.write_text(CLAIMS.replace("FIRST", str(base + number * 100_000)).replace("TOKEN", token))
        processes.append(subprocess.Popen(
            ["wrk", "-t", "1", "-c", str(CLIENTS // NODES), "-d", f"{SECONDS}s", "-s", script, node.address],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True))
    won = 0
    for process in processes:
        output, errors = process.communicate()
        found = re.search(r"claimed (\d+)", errors)
        assert found, output + errors
        won += int(found[1])
    return won / SECONDS


def main(lading):
    database = Server()
    nodes = [Node(lading, f"{WORK}/node-{number}", database.address) for number in range(NODES)]
    tokens = [node.token(lading, f"Courier {number}") for number, node in enumerate(nodes)]
    try:
        measure(database, nodes, tokens)
    finally:
        for node in nodes:
            node.stop()
        database.stop()


def measure(database, nodes, tokens):
    base = 1_000
    # Each run claims other orders.
    bare, through, live_ratio = [], [], []
    for _ in range(ROUNDS):
        database.fill(base, 1_100_000 // ROUNDS)
        bare.append(database.pgbench(base))
        base += 1_100_000 // ROUNDS
        database.fill(base, 300_000)
        boards = Boards(nodes, tokens[0])
        boards.start()
        through.append(claims(nodes, tokens, base))
        boards.end()
        base += 300_000
        database.fill(base, 300_000)
        live_ratio.append(claims(nodes, tokens, base) / through[-1])
        base += 300_000
        print(f"claims/s: pgbench {bare[-1]:.0f}, with boards {through[-1]:.0f}, without {live_ratio[-1] * through[-1]:.0f}", file=sys.stderr)
    print(f"figure cluster-claims {statistics.median(through) / statistics.median(bare):.2f} ratio ({statistics.median(through):.0f} claims/s)")
    print(f"figure cluster-live-cost {statistics.median(live_ratio):.2f} ratio")


WORK = sys.argv[2]
main(sys.argv[1])
