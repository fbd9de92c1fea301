"""Faults of a cluster, at times that a seed decides."""

import time

OUTAGE = (0.0, 2.0)
"""The least and the longest time for which a program is dead or stopped, in seconds."""
PARTITION = (0.5, 4.0)
"""The least and the longest time for which a link is interrupted, in seconds."""
LONG_OUTAGE = (10.5, 13.0)
"""The times of some outages of a node: people give up after ten seconds, and another node gets their requests before this one continues with them."""
LONG_SHARE = 0.1
CLOCK_ERROR = 120
"""The largest error of a clock, in seconds."""
LOST_CONFIRMATIONS = 5
"""The largest number of commits whose confirmations are lost at once."""


def kill_node(choices, cluster):
    node = choices.choice(cluster.nodes)
    node.kill()
    time.sleep(choices.uniform(*OUTAGE))
    node.start()


def pause_node(choices, cluster):
    choices.choice(cluster.nodes).pause(outage(choices, OUTAGE))


def kill_database(choices, cluster):
    server = choices.choice(cluster.database.servers)
    server.kill()
    time.sleep(choices.uniform(*OUTAGE))
    server.start()


def pause_database(choices, cluster):
    with choices.choice(cluster.database.servers).paused():
        time.sleep(choices.uniform(*OUTAGE))


def promote(choices, cluster):
    cluster.database.promote(choices.uniform(*OUTAGE))


def promote_behind(choices, cluster):
    cluster.database.promote_behind(choices.uniform(*OUTAGE))


def partition(choices, cluster):
    node = choices.choice(cluster.nodes)
    links = choices.choice([["database"], ["clients"], ["database", "clients"]])
    for link in links:
        cluster.network.interrupt(node.number, link)
    time.sleep(outage(choices, PARTITION))
    for link in links:
        cluster.network.restore(node.number, link)


def end_connections(choices, cluster):
    cluster.database.end_connections()


def cut_connections(choices, cluster):
    cluster.forwarder.cut(choices.choice(cluster.nodes).number)


def lose_confirmations(choices, cluster):
    cluster.forwarder.lose_confirmations(choices.randint(1, LOST_CONFIRMATIONS))


def outage(choices, times):
    return choices.uniform(*(LONG_OUTAGE if choices.random() < LONG_SHARE else times))


class Fault:
    """A kind of fault. Without a cause it is the state of the cluster the whole time."""

    def __init__(self, cause, weight, text):
        self.cause, self.weight, self.text = cause, weight, text


FAULTS = {
    "kill-node": Fault(kill_node, 4, "SIGKILL of a node, which starts again"),
    "pause-node": Fault(pause_node, 2, "SIGSTOP of a node for a while"),
    "kill-database": Fault(kill_database, 2, "SIGKILL of the primary or the standby, which starts again"),
    "pause-database": Fault(pause_database, 2, "SIGSTOP of the primary or the standby for a while"),
    "promote": Fault(promote, 1, "SIGKILL of the primary, then promotion of the standby"),
    "promote-behind": Fault(promote_behind, 1, "promotion of a standby that lacks commits which were never confirmed"),
    "partition": Fault(partition, 2, "loss of all packets between a node and the database, the clients or both"),
    "end-connections": Fault(end_connections, 2, "the database ends all connections"),
    "cut-connections": Fault(cut_connections, 2, "the connections of a node to the database are closed on the way"),
    "lose-confirmations": Fault(lose_confirmations, 3, "connections are closed after a commit, before its confirmation arrives"),
    "clocks": Fault(None, 0, f"the clock of each node is wrong by up to {CLOCK_ERROR} seconds, the whole time"),
}
"""The faults by their names. The weight is the share among those that happen at a moment."""
