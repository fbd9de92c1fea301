"""The program under test, started as by a user."""

import atexit
import os
import queue
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
BUILD = Path(os.environ.get("LADING_BUILD", REPOSITORY / ".build" / "debug"))
"""The folder of the program: LADING_BUILD, or that of the debug build."""
TIMEOUT = 60
# The directory in place of the user's own data directory.
DATA_HOME = tempfile.mkdtemp(prefix="lading-")
atexit.register(shutil.rmtree, DATA_HOME, ignore_errors=True)
# A copy of the program, because the script behind `make run` may link it again, and a program cannot be started while it is written.
COPY = tempfile.mkdtemp(prefix="lading-program-")
atexit.register(shutil.rmtree, COPY, ignore_errors=True)
BINARY = Path(shutil.copy2(BUILD / "lading", COPY))
for resources in BUILD.glob("*.resources"):
    shutil.copytree(resources, Path(COPY) / resources.name)


def wait_until(condition, message):
    """Polls for a condition of the program or its files that no page announces."""
    deadline = time.monotonic() + TIMEOUT
    while not condition():
        assert time.monotonic() < deadline, message
        time.sleep(0.05)


class Program:
    """`lading` with arguments; it runs once `address` is known, until `stop()`."""

    ADDRESS_PATTERN = r"Lading is at (http://\S+)/"
    """The line that the program prints once it accepts requests, with its address."""
    TIMEOUT = TIMEOUT
    """The maximum wait for the address, in seconds."""

    def __init__(self, *arguments, binary=BINARY, data_home=DATA_HOME, environment=None, timeout=None):
        if arguments[0] == "window" and "--data" not in arguments:
            arguments += ("--in-memory",)
        self.address = None
        self.output = []
        self._lines = queue.Queue()
        self._process = subprocess.Popen(
            [binary, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "XDG_DATA_HOME": data_home, **(environment or {})},
        )
        self._errors = []
        self._readers = [
            self._read(self._process.stdout, self._lines.put, on_end=lambda: self._lines.put(None)),
            self._read(self._process.stderr, self._errors.append),
        ]
        try:
            self.address = self._wait_for_address(self.ADDRESS_PATTERN, timeout)
        except BaseException:
            self.kill()
            raise

    @property
    def origin_address(self):
        """The address of the orders without a link; the program prints it before its own."""
        addresses = re.findall(r"(http://[^/\s]+)/swift-concurrency", "".join(self.output))
        return addresses[-1]

    @property
    def port(self):
        return int(self.address.rsplit(":", 1)[1])

    def stop(self):
        """Terminates the program, which must exit with 0 and print nothing to standard error."""
        self._process.send_signal(signal.SIGTERM)
        code = self._process.wait(TIMEOUT)
        for reader in self._readers:
            reader.join()
        self._close()
        errors = "".join(self._errors)
        assert (code, errors) == (0, ""), f"exit code {code}, standard error: {errors!r}"

    def send_signal(self, number):
        self._process.send_signal(number)

    def wait(self):
        """Returns the exit code, once the program has ended."""
        return self._process.wait(TIMEOUT)

    def kill(self):
        """Kills the program, unless it has ended."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        for reader in self._readers:
            reader.join()
        self._close()

    @property
    def is_running(self):
        return self._process.poll() is None

    def wait_for_line(self, pattern):
        """Returns the first group of a pattern in a line, which the program prints after its address."""
        return self._wait_for_address(pattern)

    def _wait_for_address(self, pattern, timeout=None):
        while True:
            line = self._lines.get(timeout=timeout or self.TIMEOUT)
            assert line is not None, f"lading ended before it listened: {''.join(self._errors)}"
            self.output.append(line)
            if found := re.search(pattern, line):
                return found[1]

    def _close(self):
        self._process.stdout.close()
        self._process.stderr.close()

    @staticmethod
    def _read(stream, on_line, on_end=lambda: None):
        def read():
            for line in stream:
                on_line(line)
            on_end()

        reader = threading.Thread(target=read, daemon=True)
        reader.start()
        return reader


class OriginProgram(Program):
    """`lading serve`; `address` is its origin, without a path."""

    ADDRESS_PATTERN = r"The orders are served at (http://[^/\s]+)/"

    def __init__(self, *arguments):
        super().__init__("serve", *arguments)
