"""The network of a cluster: a namespace for each node, with a link to the database and another one to the clients."""

import os
import random
import shutil
import subprocess

from cluster.processes import log

BRIDGES = ("database", "clients")
FORWARDING, DISABLED = "3", "0"
"""States of a port of a bridge, as in linux/if_bridge.h."""


class NetworkUnavailable(Exception):
    """There are no network namespaces; the text says why."""


class LocalNetwork:
    """Nodes that share the network of the machine, so that no link can be interrupted."""

    trusted_addresses = "127.0.0.0/8"
    database_host = "127.0.0.1"

    def host(self, number):
        return "127.0.0.1"

    def command(self, number):
        """Returns the words before the command of a node."""
        return []

    def remove(self):
        pass


class NamespaceNetwork:
    """Two bridges, to which a namespace for each node is linked. The database and the clients are in the namespace of the machine."""

    def __init__(self, count):
        """Raises NetworkUnavailable."""
        if os.getuid() != 0:
            raise NetworkUnavailable("only root can make network namespaces")
        if not shutil.which("ip") or not shutil.which("bridge"):
            raise NetworkUnavailable("the programs ip and bridge are missing (Debian package iproute2)")
        self._name = f"lading{os.getpid()}"
        self._namespaces, self._bridges = [], []
        self._prefix = None
        try:
            self._make(count)
        except subprocess.CalledProcessError as error:
            self.remove()
            raise NetworkUnavailable(f"{' '.join(error.cmd)}: {error.stderr.strip()}") from error

    def _make(self, count):
        self._prefix = self._unused_prefix()
        for kind in BRIDGES:
            self._bridges.append(self._bridge(kind))
            self._run("ip", "link", "add", self._bridge(kind), "type", "bridge")
            self._run("ip", "address", "add", f"{self._address(kind, 1)}/24", "dev", self._bridge(kind))
            self._run("ip", "link", "set", self._bridge(kind), "up")
        for number in range(count):
            self._namespaces.append(self._namespace(number))
            self._run("ip", "netns", "add", self._namespace(number))
            self._run("ip", "-n", self._namespace(number), "link", "set", "lo", "up")
            for kind in BRIDGES:
                self._link(kind, number)

    def _link(self, kind, number):
        inside = ["ip", "-n", self._namespace(number)]
        self._run("ip", "link", "add", self._port(kind, number), "type", "veth", "peer", "name", kind, "netns", self._namespace(number))
        self._run("ip", "link", "set", self._port(kind, number), "master", self._bridge(kind), "up")
        self._run(*inside, "address", "add", f"{self._address(kind, 10 + number)}/24", "dev", kind)
        self._run(*inside, "link", "set", kind, "up")

    def _unused_prefix(self):
        """Returns the first three numbers of addresses for tests of networks (RFC 2544, C.2.2) that no other cluster on the machine uses."""
        used = self._run("ip", "-o", "-4", "address")
        prefixes = [f"198.{second}.{third}" for second in (18, 19) for third in range(0, 256, 2)]
        return random.choice([prefix for prefix in prefixes if f" {prefix}." not in used])

    # Names have at most 15 characters.

    def _namespace(self, number):
        return f"{self._name}-{number}"

    def _bridge(self, kind):
        return f"{self._name}{kind[0]}"

    def _port(self, kind, number):
        return f"{self._name}{kind[0]}{number}"

    def _address(self, kind, last):
        network, third = self._prefix.rsplit(".", 1)
        return f"{network}.{int(third) + BRIDGES.index(kind)}.{last}"

    def _run(self, *command):
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    # Nodes

    @property
    def trusted_addresses(self):
        return f"{self._address('clients', 0)}/24"

    @property
    def database_host(self):
        return self._address("database", 1)

    def host(self, number):
        """Returns the address at which clients reach a node."""
        return self._address("clients", 10 + number)

    def command(self, number):
        """Returns the words before the command of a node."""
        return ["ip", "netns", "exec", self._namespace(number)]

    def interrupt(self, number, kind):
        """Drops all packets between a node and the database or the clients, without an answer."""
        self._run("bridge", "link", "set", "dev", self._port(kind, number), "state", DISABLED)

    def restore(self, number, kind):
        self._run("bridge", "link", "set", "dev", self._port(kind, number), "state", FORWARDING)

    def remove(self):
        for namespace in self._namespaces:
            self._remove("ip", "netns", "delete", namespace)
        for bridge in self._bridges:
            self._remove("ip", "link", "delete", bridge)
        self._namespaces, self._bridges = [], []

    def _remove(self, *command):
        answer = subprocess.run(command, check=False, capture_output=True, text=True)
        if answer.returncode != 0 and "Cannot find device" not in answer.stderr and "No such file" not in answer.stderr:
            log(f"{' '.join(command)}: {answer.stderr.strip()}")
