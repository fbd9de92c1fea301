"""A PostgreSQL server, nodes that share it, and a load balancer."""

import hashlib
import os
import re
import secrets
import socket
import subprocess
import sys
import threading
import time
from contextlib import ExitStack
from pathlib import Path

REPOSITORY = Path(__file__).parents[1]
sys.path.insert(0, str(REPOSITORY / "Scripts"))

from cluster import nginx  # noqa: E402
from cluster.nginx import free_port  # noqa: E402

NODES = 3
START_LIMIT = 60
"""The maximum time in seconds until the load balancer accepts requests."""
STOP_LIMIT = 20
CREATION = (
    '{"number": 1, "action": "create", "state": "open", "fence": 0, "actionTime": 1790000000000, "acceptanceTime": 1790000000000,'
    ' "isHandover": false, "missingItems": [], "proofs": []}')
LATITUDE, LONGITUDE = 40, -73
"""The south-eastern corner of the places of orders, which are within a tenth of a degree."""


def stop(process):
    """Ends a process, and kills it if it does not end."""
    process.terminate()
    try:
        process.wait(STOP_LIMIT)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


class Database:
    """A PostgreSQL server that waits for its disk, as one in use does."""

    def __init__(self):
        self._process = subprocess.Popen(
            [REPOSITORY / "Scripts" / "postgresql", "fsync=on", "shared_buffers=512MB", "max_wal_size=4GB", "checkpoint_timeout=30min",
             "track_commit_timestamp=on", "shared_preload_libraries=pg_stat_statements"], stdout=subprocess.PIPE, text=True)
        self.address = self._process.stdout.readline().strip()
        assert self.address, "PostgreSQL did not start"
        self.folder = sorted(Path("/usr/lib/postgresql").glob("*/bin"))[-1]

    def query(self, sql, address=None):
        """Executes statements, and returns the lines that they print."""
        result = subprocess.run(
            [self.folder / "psql", "-XqtA", "-v", "ON_ERROR_STOP=1", address or self.address], input=sql, capture_output=True, text=True)
        assert result.returncode == 0, result.stderr
        return result.stdout.strip().splitlines()

    def create(self, name):
        """Creates a database, and returns its address."""
        self.query(f"CREATE DATABASE {name}")
        return f"{self.address.rsplit('/', 1)[0]}/{name}"

    def fill(self, first, count, address=None):
        """Adds open orders, with the events of their creation."""
        numbers = f"generate_series({first}, {first + count - 1}) AS number"
        self.query(f"""
            INSERT INTO orders (id, title, note, price, currency, amount, item_count, delivery_time, due, address, radius, radius_unit,
                latitude, longitude, items, state, fence, event_count)
            SELECT number, 'Order ' || number, 'Ring twice', '4.50', 'EUR', 4500 + number % 90, 0, '', 1790000000000 + number,
                number || ' Quay Street', 0, 'm', {LATITUDE} + number % 1000 / 10000.0, {LONGITUDE} - number % 997 / 10000.0, '[]', 'open', 0, 1
            FROM {numbers};
            INSERT INTO order_events SELECT number, 1, '{CREATION}' FROM {numbers};
            SELECT setval(pg_get_serial_sequence('orders', 'id'), GREATEST({first + count - 1}, (SELECT MAX(id) FROM orders)));
            VACUUM ANALYZE orders, order_events; CHECKPOINT;
            """, address)

    def add_people(self, count, address=None):
        """Adds couriers who are signed in, and returns their tokens."""
        tokens = [secrets.token_hex(16) for _ in range(count)]
        people = ", ".join(f"('{token}', '{token}', 'courier', 0)" for token in tokens)
        hashes = ", ".join(f"('{hashlib.sha256(token.encode()).hexdigest()}', '{token}', 4102444800000)" for token in tokens)
        self.query(
            f"INSERT INTO people (id, name, role, creation_time) VALUES {people}; INSERT INTO tokens (hash, person, expiry) VALUES {hashes};",
            address)
        return tokens

    def stop(self):
        stop(self._process)


class Node:
    """A running program."""

    def __init__(self, lading, folder, name, database, *arguments):
        self._command = [lading, *arguments, "--deliveries", "1", "--data", Path(folder) / name, "--connections-per-client", "10000"]
        self._log = Path(folder) / f"{name}.txt"
        self._environment = {**os.environ, "LADING_DATABASE": database}
        self.start()

    @classmethod
    def server(cls, lading, folder, name, database):
        """Starts a server without pages."""
        return cls(lading, folder, name, database, "serve", "--port", "0")

    @classmethod
    def window(cls, lading, folder, name, database):
        """Starts a server with pages, whose sessions the other nodes can reach."""
        port, secret = free_port(), Path(folder) / "secret"
        secret.write_text("a secret that the nodes share")
        place = f"{LATITUDE + 0.05},{LONGITUDE - 0.05}"
        return cls(
            lading, folder, name, database, "run", "--port", str(port), "--node", f"http://127.0.0.1:{port}", "--node-secret-file", secret,
            "--trusted-proxy", "127.0.0.0/8", "--pages-per-client", "10000", "--near", place)

    def start(self):
        with open(self._log, "a") as log:
            self._process = subprocess.Popen(self._command, stdout=subprocess.PIPE, stderr=log, text=True, env=self._environment)
        self.origin, self.address = None, None
        for line in self._process.stdout:
            if found := re.search(r"(http://[^/\s]+)/swift-concurrency", line):
                self.origin = found[1]
            if found := re.search(r"Lading is at (http://\S+)/", line):
                self.address = found[1]
            if self.address or "serve" in self._command and "photos are served" in line:
                break
        assert self.origin, self._log.read_text()
        threading.Thread(target=self._process.stdout.read, daemon=True).start()

    def kill(self):
        self._process.kill()
        self._process.wait()

    def stop(self):
        stop(self._process)


class LoadBalancer:
    """nginx, which sends each request to the next node."""

    def __init__(self, nodes, folder):
        # With room for many pages.
        command, self.address = nginx.prepare(
            folder, [node.address.removeprefix("http://") for node in nodes], options="worker_rlimit_nofile 16384;", connections=8192)
        self._process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        port = int(self.address.rsplit(":", 1)[1])
        deadline = time.monotonic() + START_LIMIT
        while socket.socket().connect_ex(("127.0.0.1", port)):
            assert time.monotonic() < deadline and self._process.poll() is None, Path(folder, "error.log").read_text()
            time.sleep(0.05)

    def stop(self):
        stop(self._process)


class Cluster:
    """A database and nodes on it, as a context."""

    def __init__(self, lading, folder, start_node):
        """
        - Parameter start_node: `Node.server` or `Node.window`.
        """
        self.folder, self._start = folder, lambda number: start_node(lading, folder, f"node-{number}", self.database.address)

    def __enter__(self):
        with ExitStack() as stack:
            self.database = Database()
            stack.callback(self.database.stop)
            self.nodes = []
            for number in range(NODES):
                self.nodes.append(self._start(number))
                stack.callback(self.nodes[-1].stop)
            self.prepare()
            self._stack = stack.pop_all()
        return self

    def prepare(self):
        """Adds what a benchmark needs."""

    def __exit__(self, *_):
        self._stack.close()
