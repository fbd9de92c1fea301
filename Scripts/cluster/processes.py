"""Processes, ports and the log of a script that runs a cluster."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

START_LIMIT = 60
STOP_LIMIT = 20


def log(text):
    print(f"Lading: {text}", file=sys.stderr, flush=True)


def wait_until(condition, message, limit=START_LIMIT):
    deadline = time.monotonic() + limit
    while not condition():
        if time.monotonic() > deadline:
            raise SystemExit(f"Lading: {message}")
        time.sleep(0.05)


def start(command, **options):
    """Starts a process that Ctrl-C in the terminal does not reach, because the script decides when it ends."""
    return subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL, start_new_session=True, **options)


def stop(process, with_signal=signal.SIGTERM):
    """Ends a process, and kills it if it does not end."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(process.pid, signal.SIGCONT)
    process.send_signal(with_signal)
    try:
        process.wait(STOP_LIMIT)
    except subprocess.TimeoutExpired:
        log(f"process {process.pid} did not end, and was killed.")
        process.kill()
        process.wait()


def is_running(process):
    """Returns whether a process exists, and not only its result."""
    try:
        status = Path(f"/proc/{process}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


def send(processes, number):
    """Sends a signal to the processes that still exist."""
    for process in processes:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, number)
