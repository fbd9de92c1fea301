"""Measures claims in a large database against those in a small one."""

import random
import re
import socket
import statistics
import sys
import threading
import time
import urllib.parse
from contextlib import ExitStack

from cluster_servers import Database, Node

LARGE, SMALL = 1_000_000, 1_000
ROUNDS = 16
CLAIMS = 600
BATCH = 60
"""The number of claims before those in the other database."""
CLIENTS = 6


def measure_growth(lading, folder):
    """The time of claims in a database with 1,000,000 open orders, against that in one with 1,000, alternately through a server on each.

    The claimed orders are as many and as close together in both: those of a large database are the latest.
    """
    with ExitStack() as stack:
        database = Database()
        stack.callback(database.stop)
        runs = {}
        for name in ("small", "large"):
            address = database.create(name)
            node = Node.server(lading, folder, name, address)
            stack.callback(node.stop)
            runs[name] = (address, node, database.add_people(1, address=address)[0])
        start = time.monotonic()
        database.fill(1, LARGE, runs["large"][0])
        print(f"filled {LARGE} orders in {time.monotonic() - start:.0f} s", file=sys.stderr)
        ratios, choices = [], random.Random(1)
        for round in range(ROUNDS):
            firsts = {"small": round * SMALL + 1, "large": LARGE - (round + 1) * SMALL + 1}
            database.query("TRUNCATE orders, order_events, verdicts CASCADE", runs["small"][0])
            database.fill(firsts["small"], SMALL, runs["small"][0])
            seconds = {"small": 0, "large": 0}
            for start in range(0, CLAIMS, BATCH):
                for name in choices.sample(list(runs), 2):
                    orders = shuffled(firsts[name])[start:start + BATCH]
                    seconds[name] += claim_all(*runs[name][1:], orders)
            ratios.append(seconds["large"] / seconds["small"])
            print(f"claims/s: {CLAIMS / seconds['small']:.0f} of {SMALL}, {CLAIMS / seconds['large']:.0f} of {LARGE}", file=sys.stderr)
        print(f"figure cluster-growth {statistics.median(ratios):.2f} ratio", flush=True)


def shuffled(first):
    orders = list(range(first, first + SMALL))
    random.Random(1).shuffle(orders)
    return orders


def claim_all(node, token, orders):
    """Returns the seconds of claims over several connections of a server."""
    address = urllib.parse.urlsplit(node.origin)
    barrier, failures = threading.Barrier(CLIENTS + 1), []

    def claim(number):
        with socket.create_connection((address.hostname, address.port)) as connection:
            barrier.wait()
            for order in orders[number::CLIENTS]:
                connection.sendall(
                    f"POST /api/v1/orders/{order}/claim HTTP/1.1\r\nHost: {address.netloc}\r\nAuthorization: Bearer {token}\r\n"
                    f"Idempotency-Key: claim-{order}\r\nContent-Length: 0\r\n\r\n".encode())
                answer = b""
                while not (found := re.search(rb"(?i)content-length: (\d+).*?\r\n\r\n", answer, re.S)) or len(answer) < found.end() + int(found[1]):
                    received = connection.recv(65_536)
                    assert received, "the server has closed a connection"
                    answer += received
                if not answer.startswith(b"HTTP/1.1 200 "):
                    failures.append(answer)

    threads = [threading.Thread(target=claim, args=(number,)) for number in range(CLIENTS)]
    for thread in threads:
        thread.start()
    barrier.wait()
    start = time.perf_counter()
    for thread in threads:
        thread.join()
    assert not failures, failures[0]
    return time.perf_counter() - start
