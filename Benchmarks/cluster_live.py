"""Measures pages of several nodes: the time until they show a change of another node, and until they are live again without their node."""

import asyncio
import base64
import json
import random
import re
import statistics
import sys
import time
from collections import namedtuple

from cluster_pages import ROWS_IN_VIEW, Pages, request, run
from cluster_servers import LATITUDE, LONGITUDE, NODES, Cluster, LoadBalancer, Node

PAGES = 1_000
"""The number of pages, each of another courier."""
LOSS_PAGES = 300
"""The number of pages of all nodes, of which one is killed. Two cores open some hundred sessions in a second."""
ORDERS = 100_000
CHANGES = 25
PAUSE = 1
"""The mean time between two changes, in seconds."""
LOSSES = 3
CLAIMS_DURING_LOSS = 5
LOSS_LIMIT = 20
"""The time in seconds after which a page that is not live counts as lost."""


class PageCluster(Cluster):
    """Windows with orders and signed-in couriers."""

    def __init__(self, lading, folder):
        super().__init__(lading, folder, Node.window)

    def prepare(self):
        self.database.fill(1, ORDERS)
        self.tokens, self._claimer = self.database.add_people(PAGES), self.database.add_people(1)[0]

    async def listed_orders(self, node):
        """Returns the orders on the pages, nearest first."""
        path = f"/api/v1/orders?scope=open&sort=distance&near={LATITUDE + 0.05},{LONGITUDE - 0.05}&limit=50"
        status, body = await request(node.origin, "GET", path, Authorization=f"Bearer {self.tokens[0]}")
        assert status == 200, body
        return [order["id"] for order in json.loads(body)["orders"]]

    async def claim(self, node, order):
        headers = {"Authorization": f"Bearer {self._claimer}", "Idempotency-Key": f"claim-{order}"}
        status, body = await request(node.origin, "POST", f"/api/v1/orders/{order}/claim", {}, **headers)
        assert status == 200, body

    def commit_times(self, orders):
        """Returns the times of the last change of each order, by the clock of the database, which is this machine's."""
        lines = self.database.query(f"""
            SELECT DISTINCT ON (order_id) order_id, extract(epoch FROM pg_xact_commit_timestamp(transaction::xid)) FROM order_changes
            WHERE order_id IN ({", ".join(map(str, orders))}) ORDER BY order_id, transaction DESC
            """)
        return {int(order): float(time) for order, time in (line.split("|") for line in lines)}


def measure_changes(lading, folder):
    """The time from a commit until 99 % of the pages of the other nodes have received the changed row; the median of some changes.

    A change is a claim of an order in the list of each page. The time of the commit is the database's, before the answer to the command.
    """
    with PageCluster(lading, folder) as cluster:
        delays = run(lambda selector: change_delays(cluster, selector))
    missing = sum(PAGES - len(received) for received in delays)
    assert missing == 0, f"{missing} of {CHANGES * PAGES} rows were not received"
    slowest = [sorted(received)[int(PAGES * 0.99)] for received in delays]
    middle = statistics.median(statistics.median(received) for received in delays)
    print(f"commit to page: half of the pages {middle * 1000:.0f} ms, slowest change {max(slowest) * 1000:.0f} ms", file=sys.stderr)
    print(f"figure cluster-commit-to-page {statistics.median(slowest) * 1000:.0f} ms ({PAGES} pages)", flush=True)


async def change_delays(cluster, selector):
    """Returns a list of the delays in seconds for each change, one of each page."""
    writer, *others = cluster.nodes
    async with Pages([node.address for node in others], cluster.tokens, selector) as pages:
        orders = (await cluster.listed_orders(writer))[:CHANGES]
        choices = random.Random(1)
        await asyncio.sleep(2)
        for order in orders:
            await cluster.claim(writer, order)
            # Hints are sent at fixed intervals, and changes come at any time.
            await asyncio.sleep(PAUSE * (0.5 + choices.random()))
        await asyncio.sleep(3)
    times = cluster.commit_times(orders)
    received = [arrivals(page, orders) for page in pages.all]
    return [[times_of_page[order] - times[order] for times_of_page in received if order in times_of_page] for order in orders]


def arrivals(page, orders):
    """Returns the times at which a page first received the rows of orders after it had loaded."""
    times, wanted = {}, set(orders)
    for event in page.events:
        if event.name != "rows":
            continue
        for row in re.findall(rb'[{,]"id":"(\d+)"', event.data):
            if int(row) in wanted:
                times.setdefault(int(row), event.time)
    return times


def measure_loss(lading, folder):
    """The time from the kill of a node until the last page with its session or its connection there is live again; the median of some kills.

    The pages are behind a load balancer, as in Docs/Guides/ManyNodes.md. Meanwhile orders in their view are claimed at another node; afterwards each
    page must show these claims.
    """
    losses = []
    with PageCluster(lading, folder) as cluster:
        for number in range(LOSSES):
            balancer = LoadBalancer(cluster.nodes, f"{folder}/nginx-{number}")
            try:
                losses.append(run(lambda selector: lose_node(cluster, balancer, number % NODES, selector)))
            finally:
                balancer.stop()
            print(losses[-1].description, file=sys.stderr)
            cluster.nodes[number % NODES].start()
    missed, seconds = sum(loss.missed for loss in losses), statistics.median(max(loss.times) for loss in losses)
    print(f"figure cluster-node-loss {seconds:.2f} s ({LOSS_PAGES} pages of {NODES} nodes; rows missed: {missed})", flush=True)
    assert missed == 0, f"{missed} rows were missed"


class Loss(namedtuple("Loss", "sessions times missed")):
    """The number of lost sessions, the time of each page until it was live again, and the number of missed rows."""

    @property
    def description(self):
        return (
            f"node loss: {self.sessions} sessions and {len(self.times)} streams ended; live after {statistics.median(self.times):.2f} s (half),"
            f" {max(self.times):.2f} s (all); rows missed: {self.missed}")


async def lose_node(cluster, balancer, number, selector):
    node, other = cluster.nodes[number], cluster.nodes[(number + 1) % NODES]
    async with Pages([balancer.address], cluster.tokens[:LOSS_PAGES], selector) as pages:
        orders = (await cluster.listed_orders(other))[:ROWS_IN_VIEW]
        await asyncio.sleep(2)
        sessions = {page: page.session for page in pages.all}
        start = time.time()
        await asyncio.to_thread(node.kill)
        for order in orders[:CLAIMS_DURING_LOSS]:
            await cluster.claim(other, order)
            await asyncio.sleep(0.1)
        affected = [page for page, session in sessions.items() if address(session) == node.address or page.ends]
        while time.time() < start + LOSS_LIMIT and not all(page.ends and page.is_live for page in affected):
            await asyncio.sleep(0.1)
        # Changes that a page has not received yet would be shown within a second.
        await asyncio.sleep(3)
    return Loss(
        sum(address(session) == node.address for session in sessions.values()),
        [live_time(page, sessions[page], start) - start for page in affected],
        sum(not shows_claim(page, order) for page in pages.all for order in orders[:CLAIMS_DURING_LOSS]))


def address(session):
    """Returns the address of the node that has a session."""
    name = session.split(".")[1]
    return base64.urlsafe_b64decode(name + "=" * (-len(name) % 4)).decode()


def live_time(page, earlier_session, start):
    """Returns the time at which a page was live again: its stream was open, or the list of a new session had arrived."""
    if page.session == earlier_session:
        return next((time for time in page.openings if time > start), start + LOSS_LIMIT)
    return next((event.time for event in page.events if event.session == page.session and is_loaded(event)), start + LOSS_LIMIT)


def is_loaded(event):
    return event.name == "list" and b'"busy":false' in event.data


def shows_claim(page, order):
    """Whether a page shows that an order is not open: its list does not have the order, or the row says so."""
    lists = [index for index, event in enumerate(page.events) if is_loaded(event) and b'"rows":[{' in event.data]
    row = None
    for event in page.events[lists[-1]:] if lists else []:
        if event.name in ("list", "rows"):
            row = next((row for row in json.loads(event.data).get("rows", []) if row["id"] == str(order)), row)
    return bool(lists) and (row is None or 'data-standing="left"' in row["html"])
