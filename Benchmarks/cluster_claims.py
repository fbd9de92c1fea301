"""Measures claims through three nodes against the same statements in pgbench: their rate, their round trips and their write-ahead log."""

import json
import re
import selectors
import socket
import statistics
import subprocess
import sys
import threading
import time
import urllib.parse
from collections import namedtuple
from pathlib import Path

from cluster_servers import NODES, Cluster, Node

CLIENTS = 18
"""The number of connections that claim, those of all nodes together, and of pgbench."""
SECONDS = 3
ROUNDS = 10
RUN_ORDERS = 24_000
"""The number of orders that a run can claim, 8,000 in a second."""
BOARDS = 10
"""The number of change streams of each node."""
STATISTICS_DELAY = 11
"""The time in seconds after which an idle connection has reported its transactions (`PGSTAT_IDLE_INTERVAL` of PostgreSQL, and a second)."""
COUNTED_SECONDS = 4

# What a claim reads and writes, as `CommandReading` and `CommandWriting` do. The leases do not end, because the servers would write that.
STATEMENTS = r"""
\set number :number + 1
\set order :client_id * STRIDE + :base + :number
SELECT epoch, fence_floor, (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS time, target.id, revision, lease_end, fingerprint, verdict,
    (SELECT id FROM orders WHERE external_id = NULL::text) AS other,
    (SELECT json_agg(event::json ORDER BY number) FROM order_events WHERE order_id = target.id) AS events,
    (SELECT json_agg(report::json ORDER BY number) FROM order_reports WHERE order_id = target.id) AS reports,
    (SELECT json_agg(digest) FROM proofs WHERE order_id = target.id AND (NOT true OR person = 'a')) AS proofs
FROM order_metadata CROSS JOIN (SELECT (:order)::bigint AS id) AS target
    LEFT JOIN orders ON orders.id = target.id
    LEFT JOIN verdicts ON verdicts.person = 'a' AND verdicts.key = 'claim-' || (:order)::bigint::text;
WITH written AS (
    UPDATE orders SET revision = revision + 1, state = 'claimed', fence = 1, holder = 'courier-' || (:client_id)::bigint::text,
        held_since = 1790000000000, lease_end = 4102444800000, deadline = NULL, attempts = 0, event_count = 2
    WHERE id = (:order)::bigint AND revision = 1 AND EXISTS (SELECT 1 FROM order_metadata WHERE epoch <> '') RETURNING id),
events AS (
    INSERT INTO order_events (order_id, number, event)
    SELECT written.id, new.* FROM written, (VALUES (2::bigint, '{EVENT}'::text)) AS new),
changes AS (
    INSERT INTO order_changes (order_id, event, report, previous_holder, was_open, milliseconds)
    SELECT written.id, new.* FROM written, (VALUES (2::bigint, NULL::bigint, NULL::text, true, 1790000000000)) AS new),
verdict AS (
    INSERT INTO verdicts (person, key, fingerprint, verdict, milliseconds)
    SELECT 'a', 'claim-' || (:order)::bigint::text, '{FINGERPRINT}', '{VERDICT}', 1790000000000 FROM written)
SELECT count(*) AS written FROM written;
""".replace("STRIDE", str(RUN_ORDERS // CLIENTS)).replace("{EVENT}", json.dumps({
    "number": 2, "action": "claim", "state": "claimed", "fence": 1, "holder": "8676ce6adf21c09d", "actor": "8676ce6adf21c09d",
    "actionTime": 1790000000000, "acceptanceTime": 1790000000000, "isHandover": False, "missingItems": [], "proofs": [],
})).replace("{FINGERPRINT}", "f" * 64).replace("{VERDICT}", json.dumps({
    "outcome": {"accepted": {"events": [2]}}, "order": 1, "state": "claimed", "version": {"fence": 1, "eventCount": 2},
    "acceptanceTime": 1790000000000,
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


LogPosition = namedtuple("LogPosition", "bytes claims")


class ClaimCluster(Cluster):
    """Servers that are sent claims."""

    def __init__(self, lading, folder):
        super().__init__(lading, folder, Node.server)
        self._next = 1

    def prepare(self):
        self._tokens = self.database.add_people(NODES)

    def add_orders(self, runs):
        """Adds the orders of some runs, and returns their first numbers."""
        first, self._next = self._next, self._next + runs * RUN_ORDERS
        self.database.fill(first, runs * RUN_ORDERS)
        return [first + run * RUN_ORDERS for run in range(runs)]

    def bare_rate(self, base):
        return self.bare(base, "-T", str(SECONDS))

    def rate(self, base):
        return self.claim(base, SECONDS) / SECONDS

    def rate_with_boards(self, base):
        with self.boards():
            return self.rate(base)

    def bare(self, base, *limit):
        """Returns the claims in a second of pgbench."""
        script, claims = Path(self.folder) / "claims.sql", log_position(self.database).claims
        script.write_text(STATEMENTS)
        output = subprocess.run(
            [self.database.folder / "pgbench", "-n", "-M", "prepared", "-c", str(CLIENTS), "-j", "2", *limit, "-D", f"base={base}",
             "-D", "number=0", "-f", script, self.database.address], capture_output=True, text=True)
        assert output.returncode == 0, output.stderr
        processed = int(re.search(r"actually processed: (\d+)", output.stdout)[1])
        assert log_position(self.database).claims - claims == processed, "a run needs more orders"
        return float(re.search(r"tps = ([\d.]+)", output.stdout)[1])

    def claim(self, base, seconds):
        """Returns the number of won claims through all nodes."""
        processes, share = [], RUN_ORDERS // NODES
        for number, (node, token) in enumerate(zip(self.nodes, self._tokens)):
            script = Path(self.folder) / f"claims-{number}.lua"
            script.write_text(CLAIMS.replace("FIRST", str(base + number * share)).replace("TOKEN", token))
            processes.append(subprocess.Popen(
                ["wrk", "-t", "1", "-c", str(CLIENTS // NODES), "-d", f"{seconds}s", "-s", script, node.origin],
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True))
        won = []
        for process in processes:
            output, errors = process.communicate()
            found = re.search(r"claimed (\d+)", errors)
            assert found, output + errors
            won.append(int(found[1]))
        assert max(won) < share - 2 * CLIENTS, "a run needs more orders"
        return sum(won)

    def boards(self):
        return Boards(self.nodes, self._tokens[0])


class Boards(threading.Thread):
    """Streams of changes that are read and forgotten, as a context."""

    def __init__(self, nodes, token):
        super().__init__(daemon=True)
        self._selector, self._is_ended = selectors.DefaultSelector(), False
        for node in nodes:
            address = urllib.parse.urlsplit(node.origin)
            for _ in range(BOARDS):
                stream = socket.create_connection((address.hostname, address.port))
                stream.sendall(
                    f"GET /api/v1/changes HTTP/1.1\r\nHost: {address.netloc}\r\nAuthorization: Bearer {token}\r\n"
                    "Accept: text/event-stream\r\n\r\n".encode())
                self._selector.register(stream, selectors.EVENT_READ)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self._is_ended = True
        self.join()
        for key in list(self._selector.get_map().values()):
            key.fileobj.close()

    def run(self):
        while not self._is_ended:
            for key, _ in self._selector.select(0.2):
                key.fileobj.recv(1 << 17)
            # The reader shares the processor with the servers, and needs little of it when it reads rarely.
            time.sleep(0.05)


def measure_claims(lading, folder):
    """Claims with and without live boards, against those of pgbench. Each round measures all three, in another order than the one before."""
    rounds = []
    with ClaimCluster(lading, folder) as cluster:
        runs = [cluster.bare_rate, cluster.rate_with_boards, cluster.rate]
        for _ in range(ROUNDS):
            runs = runs[1:] + runs[:1]
            rates = {run.__name__: run(base) for run, base in zip(runs, cluster.add_orders(len(runs)))}
            rounds.append((rates["bare_rate"], rates["rate_with_boards"], rates["rate"]))
            print("claims/s: pgbench {:.0f}, with boards {:.0f}, without {:.0f}".format(*rounds[-1]), file=sys.stderr)
    ratio = statistics.median(through / bare for bare, through, _ in rounds)
    live_cost = statistics.median(without / through for _, through, without in rounds)
    print(f"figure cluster-claims {ratio:.2f} ratio ({statistics.median(through for _, through, _ in rounds):.0f} claims/s)", flush=True)
    print(f"figure cluster-live-cost {live_cost:.2f} ratio", flush=True)


class Counters:
    """The transactions of a database and its claims so far. A transaction is one round trip: only reads of the feed begin one explicitly, in one
    pipeline."""

    PERIODIC = "query LIKE '%pruned_transaction%pg_snapshot_xmin%' OR query LIKE '%pg_notify%' OR query LIKE '%FROM tokens JOIN people%'"
    """The statements that servers execute at most some times a second for any number of claims: reads of the feed, hints, and reads of tokens."""
    EXPLICIT = "query ~* '^(begin|start transaction)'"

    def __init__(self, database):
        time.sleep(STATISTICS_DELAY)
        self.time = time.monotonic()
        total, self.periodic, explicit, self.claims = map(int, database.query(f"""
            SELECT (SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = current_database()),
                COALESCE(SUM(calls) FILTER (WHERE {self.PERIODIC}), 0), COALESCE(SUM(calls) FILTER (WHERE {self.EXPLICIT}), 0),
                (SELECT count(*) FROM verdicts)
            FROM pg_stat_statements
            """)[0].split("|"))
        assert 0 < self.periodic >= explicit, "a transaction is more than one round trip, or the statements of the feed have changed"
        self.other = total - self.periodic


def measure_costs(lading, folder):
    """The round trips and the write-ahead log of a claim.

    The log is compared with that of the same statements in pgbench, without the images of pages that PostgreSQL writes after a checkpoint: a run with
    more claims has fewer of them for each.
    """
    with ClaimCluster(lading, folder) as cluster:
        # Vacuums and images of pages would appear in one of the runs by chance.
        cluster.database.query("""
            CREATE EXTENSION IF NOT EXISTS pg_stat_statements; ALTER SYSTEM SET full_page_writes = off; ALTER SYSTEM SET autovacuum = off;
            SELECT pg_reload_conf();
            """)
        with cluster.boards():
            measure_logs(cluster)
            measure_round_trips(cluster)


def measure_logs(cluster):
    logs = []
    for _ in range(3):
        bases = cluster.add_orders(2)
        start = log_position(cluster.database)
        cluster.bare(bases[0], "-t", "200")
        middle = log_position(cluster.database)
        cluster.claim(bases[1], 2)
        end = log_position(cluster.database)
        logs.append([(to.bytes - since.bytes) / (to.claims - since.claims) for since, to in ((middle, end), (start, middle))])
        print("log of a claim: {:.0f} bytes, bare {:.0f} bytes".format(*logs[-1]), file=sys.stderr)
    print(f"figure cluster-claim-log {statistics.median(through / bare for through, bare in logs):.2f} ratio", flush=True)


def log_position(database):
    """Returns the number of bytes of the log so far, and that of claims."""
    values = database.query("SELECT pg_current_wal_insert_lsn() - '0/0', (SELECT count(*) FROM verdicts)")[0].split("|")
    return LogPosition(*map(int, values))


def measure_round_trips(cluster):
    base, database = cluster.add_orders(1)[0], cluster.database
    idle, start = Counters(database), Counters(database)
    cluster.claim(base, COUNTED_SECONDS)
    end = Counters(database)
    claims = end.claims - start.claims
    idle_rate = (start.other - idle.other) / (start.time - idle.time)
    round_trips = (end.other - start.other - idle_rate * (end.time - start.time)) / claims
    print(
        f"{claims} claims: {end.other - start.other} transactions, {end.periodic - start.periodic} of the feed and for tokens,"
        f" {idle_rate:.1f} others/s without claims: {round_trips:.3f} round trips", file=sys.stderr)
    # The rate of the others is known to a hundredth of a round trip.
    print(f"figure cluster-claim-round-trips {round_trips:.1f} round trips", flush=True)
