"""Servers of orders, and nginx before them."""

import contextlib
import os
import signal
import socket
import time
import urllib.request

from cluster import nginx
from cluster.clocks import Clocks
from cluster.nginx import free_port
from cluster.processes import log, send, start, stop, wait_until


class Node:
    """A server, which is started again on its port after it was killed."""

    def __init__(self, folder, number, prefix, host, trusted_addresses, database_address):
        self.number, self.host, self.port = number, host, free_port()
        self._command = [
            *prefix, folder / "lading", "serve", "--data", folder / f"node-{number}", "--deliveries", "1", "--connections-per-client", "10000",
            "--trusted-proxy", trusted_addresses, "--host", self.host, "--port", self.port]
        self._log = open(folder / f"node-{number}.txt", "w")
        self._environment = {**os.environ, "LADING_DATABASE": database_address, "HOME": str(folder)}
        self._process, self._was_ready = None, False
        self.failures = []
        """The ends of the program that no fault explains."""

    @property
    def address(self):
        return f"http://{self.host}:{self.port}"

    def start(self):
        """Starts the server if it does not run: a fault has killed it, or it has found no database at its start."""
        if self._process and self._process.poll() is None:
            return
        if self._process:
            self._note_end(-signal.SIGKILL)
        self._was_ready = False
        self._process = start(self._command, stdout=self._log, stderr=self._log, env=self._environment)

    def _note_end(self, *explained):
        code = self._process.returncode
        Clocks.remove_memory(self._process.pid)
        if code in explained or code > 0 and not self._was_ready:
            return
        self.failures.append(f"node {self.number} ended with {code}; see {self._log.name}")
        log(self.failures[-1])

    def is_listening(self):
        with contextlib.suppress(OSError), socket.create_connection((self.host, self.port), 1) as connection:
            # A port without a listener may be chosen as that of the connection, which then connects to itself.
            self._was_ready = self._was_ready or connection.getsockname() != connection.getpeername()
            return self._was_ready
        return False

    def wait(self):
        def is_listening():
            self.start()
            return self.is_listening()
        wait_until(is_listening, f"node {self.number} did not start; see {self._log.name}.")

    def kill(self):
        self._process.kill()
        self._process.wait()

    def pause(self, seconds):
        send([self._process.pid], signal.SIGSTOP)
        time.sleep(seconds)
        send([self._process.pid], signal.SIGCONT)

    def stop(self):
        if self._process and self._process.poll() is None:
            stop(self._process)
        if self._process:
            self._note_end(0, -signal.SIGKILL, *([] if self._was_ready else [-signal.SIGTERM]))
        self._process = None
        self._log.close()


class LoadBalancer:
    """nginx, which sends each request to the next node."""

    def __init__(self, nodes, folder):
        self._errors = folder / "error.log"
        self._command, self.address = nginx.prepare(
            folder, [f"{node.host}:{node.port}" for node in nodes], options="master_process off;", connect_timeout="2s", read_timeout="20s")
        self._process = None

    def start(self):
        with open(self._errors, "a") as errors:
            self._process = start(self._command, stdout=errors, stderr=errors)
        self.wait()

    def wait(self):
        """Waits for an answer of a node: nginx sends no requests to a node for ten seconds after an error."""
        def is_answering():
            with contextlib.suppress(OSError), urllib.request.urlopen(f"{self.address}/ready", timeout=5):
                return True
            return False
        wait_until(is_answering, f"nginx does not answer; see {self._errors}.")

    def stop(self):
        if self._process:
            stop(self._process)

