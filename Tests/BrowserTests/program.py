"""The program under test, started as a user starts it."""

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
BINARY = REPOSITORY / ".build" / "debug" / "lading"
PATIENCE = 30
# What the program would keep in the user's own folder.
DATA_HOME = tempfile.mkdtemp(prefix="lading-")
atexit.register(shutil.rmtree, DATA_HOME, ignore_errors=True)


def wait_until(condition, message):
    """Polls for something in the program or its files that no page announces."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, message
        time.sleep(0.05)


class Program:
    """`lading` with arguments; it is up once `page` is known, and down again after `stop()`."""

    ANNOUNCEMENT = r"Lading is at (http://\S+)/"
    """What it prints once it can be requested, and where."""
    PATIENCE = PATIENCE
    """The longest wait for that, in seconds."""

    def __init__(self, *arguments, binary=BINARY, data_home=DATA_HOME):
        if arguments[0] == "window" and "--data" not in arguments:
            arguments += ("--in-memory",)
        self.page = None
        self.output = []
        self._lines = queue.Queue()
        self._process = subprocess.Popen(
            [binary, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "XDG_DATA_HOME": data_home},
        )
        self._errors = []
        self._readers = [
            self._read(self._process.stdout, self._lines.put, at_end=lambda: self._lines.put(None)),
            self._read(self._process.stderr, self._errors.append),
        ]
        try:
            self.page = self._address(self.ANNOUNCEMENT)
        except BaseException:
            self.kill()
            raise

    @property
    def origin(self):
        """Where the orders are served without a link between, as the program told before it told its page."""
        addresses = re.findall(r"(http://[^/\s]+)/swift-concurrency", "".join(self.output))
        return addresses[-1]

    @property
    def port(self):
        return int(self.page.rsplit(":", 1)[1])

    def stop(self):
        """Asks the program to end; it must do so in peace and without a word on standard error."""
        self._process.send_signal(signal.SIGTERM)
        code = self._process.wait(PATIENCE)
        for reader in self._readers:
            reader.join()
        self._close()
        assert (code, "".join(self._errors)) == (0, "")

    def send_signal(self, number):
        self._process.send_signal(number)

    def wait(self):
        """The exit code, once the program has ended."""
        return self._process.wait(PATIENCE)

    def kill(self):
        """Ends the program whatever it does; nothing happens when it has ended."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        for reader in self._readers:
            reader.join()
        self._close()

    @property
    def is_running(self):
        return self._process.poll() is None

    def _address(self, pattern):
        while True:
            line = self._lines.get(timeout=self.PATIENCE)
            assert line is not None, f"lading ended before it listened: {''.join(self._errors)}"
            self.output.append(line)
            if found := re.search(pattern, line):
                return found[1]

    def _close(self):
        self._process.stdout.close()
        self._process.stderr.close()

    @staticmethod
    def _read(stream, take, at_end=lambda: None):
        def read():
            for line in stream:
                take(line)
            at_end()

        reader = threading.Thread(target=read, daemon=True)
        reader.start()
        return reader


class OriginProgram(Program):
    """`lading serve`; `page` is its address, without a path."""

    ANNOUNCEMENT = r"The orders are served at (http://[^/\s]+)/"

    def __init__(self, *arguments):
        super().__init__("serve", *arguments)
