"""Measures the table of dispatchers with 100,000 orders, its changes, and the import of 100,000 orders.

dispatch.py LADING WORK: the program, and a folder for data.
"""

import http.client
import itertools
import random
import re
import shutil
import socket
import sqlite3
import statistics
import subprocess
import sys
import threading
import time
import urllib.parse
from pathlib import Path

from order_api import Client, add_person

ORDERS = 100_000
REPETITIONS = 7
TABLES = 50
CHANGES_PER_SECOND = 200
SECONDS = 5
SENDERS = 8

SHARES = {"delivered": 0.6, "cancelled": 0.1, "returned": 0.05, "returning": 0.01, "pickedUp": 0.05, "arrived": 0.02}
"""The states of the orders; the others are open."""


class Server:
    """A running program."""

    def __init__(self, lading, data, *arguments):
        self._process = subprocess.Popen([lading, "run", "--port", "0", "--data", data, *arguments], stdout=subprocess.PIPE, text=True)
        for line in self._process.stdout:
            if found := re.search(r"(http://[^/\s]+)/swift-concurrency", line):
                self.origin = found[1]
            if found := re.search(r"Lading is at (http://\S+)/", line):
                self.address = found[1]
                threading.Thread(target=self._process.stdout.read, daemon=True).start()
                return
        raise SystemExit("The program did not start.")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.terminate()
        self._process.wait()


def set_states(data):
    """Changes the states of orders in the database, as weeks of work would have left them."""
    with sqlite3.connect(Path(data) / "origin.sqlite") as database:
        ids = list(range(1, ORDERS + 1))
        random.Random(1).shuffle(ids)
        start = 0
        for state, share in SHARES.items():
            end = start + int(share * ORDERS)
            database.executemany("UPDATE orders SET state = ?, holder = 'somebody' WHERE id = ?", [(state, id) for id in ids[start:end]])
            start = end
        database.execute("DELETE FROM openPlaces WHERE id IN (SELECT id FROM orders WHERE state <> 'open')")
    database.close()


def page(server, token, query):
    """Returns the HTML of a table."""
    connection = http.client.HTTPConnection(urllib.parse.urlsplit(server.address).netloc, timeout=60)
    connection.request("GET", f"/dispatch?{query}", headers={"Cookie": f"token={token}", "Accept": "text/html"})
    response = connection.getresponse()
    text = response.read().decode()
    assert response.status == 200, f"{query}: {response.status}"
    return text


def measure_table(server, token):
    """The slowest of all filters, sorts, searches and pages, by its median."""
    scopes = ["attention", "all", "open", *SHARES]
    slowest = (0, "")
    for show, sort, search in itertools.product(scopes, ["newest", "due", "price"], ["", "breakfast", "street"]):
        query = f"show={show}&sort={sort}&search={search}&plain=1"
        times = []
        for _ in range(REPETITIONS):
            start = time.perf_counter()
            text = page(server, token, query)
            times.append(time.perf_counter() - start)
            if found := re.search(r'rel="next" href="/dispatch\?([^"]*)"', text):
                query = found[1].replace("&amp;", "&") + "&plain=1"
        slowest = max(slowest, (statistics.median(times), query))
    print(f"figure dispatch-table-100000 {slowest[0] * 1000:.1f} ms", flush=True)
    print(f"slowest: {slowest[1]}", file=sys.stderr)


def measure_live(server, token, couriers):
    """The time from the answer to a claim until each of many tables shows it, in their number of open orders."""
    streams = [Stream(server, token) for _ in range(TABLES)]
    for stream in streams:
        stream.start()
    time.sleep(2)
    orders = iter(open_orders(server, token, CHANGES_PER_SECOND * SECONDS))
    lock, answers, start = threading.Lock(), [], time.perf_counter()

    def send(number):
        client = Client(server.origin, couriers[number])
        while True:
            with lock:
                order = next(orders, None)
                index = len(answers)
                if order is None:
                    return
                answers.append(None)
            time.sleep(max(0, start + index / CHANGES_PER_SECOND - time.perf_counter()))
            client.claim(order, f"live-{order}")
            answers[index] = time.perf_counter()

    threads = [threading.Thread(target=send, args=(number,)) for number in range(SENDERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    elapsed = time.perf_counter() - start
    time.sleep(3)
    times = sorted(answers)
    delays = []
    for stream in streams:
        first = stream.counts[0][1]
        for count, answered in enumerate(times, 1):
            shown = next((at for at, shown in stream.counts if shown <= first - count), None)
            assert shown is not None, f"a table shows {first - stream.counts[-1][1]} of {len(times)} changes"
            delays.append(max(0, shown - answered))
    p99 = sorted(delays)[int(len(delays) * 0.99)]
    print(f"figure dispatch-live {p99 * 1000:.0f} ms ({len(times) / elapsed:.0f} changes/s)", flush=True)


def open_orders(server, token, count):
    client, orders, after = Client(server.origin, token), [], ""
    while len(orders) < count:
        answer = client.request("GET", f"orders?state=open&limit=100{after}")
        orders += [order["id"] for order in answer["orders"]]
        after = f"&after={answer['next']}"
    return orders[:count]


class Stream(threading.Thread):
    """The event stream of a table; records when it showed which number of open orders."""

    def __init__(self, server, token):
        super().__init__(daemon=True)
        text = page(server, token, "show=open&sort=newest")
        self.counts = [(0, self._count(text))]
        window = re.search(r'data-window="([^"]+)"', text)[1]
        address = urllib.parse.urlsplit(server.address)
        self._socket = socket.create_connection((address.hostname, address.port))
        self._socket.sendall(
            f"GET /windows/{window}/events HTTP/1.1\r\nHost: {address.netloc}\r\nCookie: token={token}\r\n\r\n".encode())

    @staticmethod
    def _count(text):
        found = re.findall(r'show=open[^>]*>Open <b>([\d,]+)</b>', text.replace('\\"', '"').replace("\\/", "/"))
        return int(found[-1].replace(",", "")) if found else None

    def run(self):
        received = b""
        while data := self._socket.recv(262_144):
            received += data
            *events, received = received.split(b"\n\n")
            for event in events:
                if (count := self._count(event.decode(errors="replace"))) is not None:
                    self.counts.append((time.perf_counter(), count))


def measure_import(lading, work):
    """An import against that of the shell of SQLite into a table without indexes."""
    file = Path(work) / "orders.csv"
    with open(file, "w") as orders:
        orders.write("externalId,title,price,currency,address,latitude,longitude,due,note\n")
        for number in range(ORDERS):
            orders.write(
                f"E{number},Order {number},{number % 90}.50,EUR,\"{number} Ash Street, Lading Harbor\",40.{number % 1000:04d},"
                f"-73.{number % 997:04d},2026-12-{1 + number % 28:02d} 12:00,Ring twice\n")
    times = []
    for round in range(3):
        data = Path(work) / f"import-{round}"
        start = time.perf_counter()
        subprocess.run([lading, "import", file, "--data", data], check=True, capture_output=True)
        middle = time.perf_counter()
        subprocess.run(["sqlite3", f"{data}.sqlite", ".mode csv", f".import {file} orders"], check=True)
        times.append((middle - start) / (time.perf_counter() - middle))
        seconds = middle - start
        shutil.rmtree(data)
        Path(f"{data}.sqlite").unlink()
    print(f"figure order-import {statistics.median(times):.1f} ratio ({ORDERS / seconds:.0f} orders/s)", flush=True)


def main(lading, work):
    measure_import(lading, work)
    data = Path(work) / "dispatch-data"
    with Server(lading, data, "--orders", str(ORDERS), "--deliveries", "1"):
        pass
    set_states(data)
    dispatcher = subprocess.run(
        [lading, "people", "add", "Bench", "--dispatcher", "--data", data], capture_output=True, text=True, check=True).stdout
    with Server(lading, data, "--orders", str(ORDERS), "--deliveries", "1", "--connections-per-client", "2000") as server:
        token = Client(server.origin).request("POST", "sign-in", {"secret": dispatcher.strip().rsplit("#", 1)[1]})["token"]
        measure_table(server, token)
        couriers = [add_person(lading, data, server.origin, f"Sender {number}") for number in range(SENDERS)]
        measure_live(server, token, couriers)


main(*sys.argv[1:])
