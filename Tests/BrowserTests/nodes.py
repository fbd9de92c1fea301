"""Several programs over one PostgreSQL database, behind nginx."""

import base64
import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
import uuid
from pathlib import Path

from program import BINARY, REPOSITORY, TIMEOUT

sys.path.insert(0, str(REPOSITORY / "Scripts"))

from cluster import nginx  # noqa: E402
from cluster.nginx import free_port  # noqa: E402


class Database:
    """A temporary PostgreSQL server."""

    def __init__(self):
        self._process = subprocess.Popen([REPOSITORY / "Scripts" / "postgresql"], stdout=subprocess.PIPE, text=True)
        self.address = self._process.stdout.readline().strip()
        assert self.address, "PostgreSQL did not start"

    def stop(self):
        self._process.terminate()
        self._process.wait(TIMEOUT)
        self._process.stdout.close()


class LoadBalancer:
    """nginx, which sends each request to the next node."""

    def __init__(self, nodes, folder):
        command, self.address = nginx.prepare(
            folder, [node.address.removeprefix("http://") for node in nodes], api=[node.origin_address.removeprefix("http://") for node in nodes])
        self._process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + TIMEOUT
        while True:
            try:
                urllib.request.urlopen(f"{self.address}/health").read()
                return
            except OSError:
                assert time.monotonic() < deadline and self._process.poll() is None, Path(folder, "error.log").read_text()
                time.sleep(0.05)

    def stop(self):
        self._process.terminate()
        self._process.wait(TIMEOUT)


class Cluster:
    """Nodes, their database and their load balancer, whose address is that of the pages."""

    def __init__(self, start, folder, count=3):
        self.database = Database()
        secret = folder / "secret"
        secret.write_text("a secret that the nodes share")
        self._environment = {"LADING_DATABASE": self.database.address}
        self.nodes = []
        for number in range(count):
            port = free_port()
            self.nodes.append(start(
                "run", "--port", port, "--data", folder / f"node-{number}", "--deliveries", 5, "--node", f"http://127.0.0.1:{port}",
                "--node-secret-file", secret, "--trusted-proxy", "127.0.0.0/8", environment=self._environment))
        self._balancer = LoadBalancer(self.nodes, folder / "nginx")
        self.address = self._balancer.address
        self._token = None

    @property
    def origin_address(self):
        """The address under which the load balancer forwards the API."""
        return self.address

    def stop(self):
        self._balancer.stop()
        for node in self.nodes:
            if node.is_running:
                node.stop()
        self.database.stop()

    def link(self, name):
        """Adds a courier, and returns a link to sign in."""
        command = [BINARY, "people", "add", name, "--url", self.address]
        output = subprocess.run(command, env={**os.environ, **self._environment}, capture_output=True, text=True, check=True).stdout
        return output.split()[-1]

    def kill_node_of(self, session):
        """Kills the node that a session names, and returns the others."""
        name = session.split(".")[1]
        address = base64.urlsafe_b64decode(name + "=" * (-len(name) % 4)).decode()
        owner = next(node for node in self.nodes if node.address == address)
        owner.send_signal(signal.SIGKILL)
        owner.wait()
        return [node for node in self.nodes if node is not owner]

    def create_order(self, node, title):
        """Creates an order through the API of a node, as the first dispatcher."""
        if self._token is None:
            link = self.nodes[0].wait_for_line(r"with the link (\S+)")
            self._token = self._post(self.nodes[0], "sign-in", {"secret": link.rsplit("#", 1)[1]})["token"]
        content = {"title": title, "price": "4.50", "currency": "EUR", "destination": {"address": "1 Quay Street"}}
        return self._post(node, "orders", content)["order"]

    def _post(self, node, path, body):
        headers = {"Content-Type": "application/json", "Idempotency-Key": str(uuid.uuid4())}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        request = urllib.request.Request(f"{node.origin_address}/api/v1/{path}", json.dumps(body).encode(), headers)
        with urllib.request.urlopen(request, timeout=TIMEOUT) as response:
            return json.load(response)
