"""A PostgreSQL database with a synchronous standby."""

import contextlib
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

from cluster.nginx import free_port
from cluster.processes import START_LIMIT, is_running, send, start, stop, wait_until

STANDBY = "standby"
"""The name by which the primary knows its standby."""
SETTINGS = [
    "listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off", "max_connections=200", "wal_keep_size=256MB", "hot_standby=on",
    "synchronous_commit=on", "wal_retrieve_retry_interval=200ms", "dynamic_shared_memory_type=mmap"]


class Server:
    """A PostgreSQL server: the primary or its standby."""

    def __init__(self, folder, name, apply_delay):
        found = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
        self._programs = found[-1] if found else Path(shutil.which("postgres")).parent
        self._as_user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"] if os.getuid() == 0 else []
        self._data, self._log = folder / name, open(folder / f"{name}.txt", "a")
        self.port, self._apply_delay = free_port(), apply_delay
        self._process = None

    # Data

    def initialize(self):
        self._make_folder()
        self._run("initdb", "-D", self._data, "-U", "lading", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync")
        with open(self._data / "postgresql.conf", "a") as file:
            file.write("include_if_exists 'replication.conf'\n")

    def copy(self, primary):
        """Replaces the data by a copy of the primary's, from which the server starts as a standby."""
        shutil.rmtree(self._data, ignore_errors=True)
        self._make_folder()
        self._run("pg_basebackup", "-D", self._data, "-d", primary.address, "-X", "stream", "-c", "fast", "--no-sync")
        connection = f"host=127.0.0.1 port={primary.port} user=lading application_name={STANDBY}"
        self._write(
            "replication.conf",
            f"primary_conninfo = '{connection}'\nsynchronous_standby_names = ''\n"
            f"recovery_min_apply_delay = {self._apply_delay}\n")
        self._write("standby.signal", "")

    def set_standby(self, name):
        """Sets the standby that commits wait for; empty if there is none."""
        self._write("replication.conf", f"synchronous_standby_names = '{name}'\n")
        self.query("SELECT pg_reload_conf()")
        wait_until(lambda: self.query("SHOW synchronous_standby_names") == name, "the database did not read its settings.")
        # The checkpointer makes the setting valid for all. The server has sent it the signal before it accepted the connection that has shown the
        # new value, and it reads its settings before it begins another checkpoint.
        self.query("CHECKPOINT")

    def promote(self):
        self._run("pg_ctl", "promote", "-D", self._data, "-w", "-t", START_LIMIT)

    def _make_folder(self):
        self._data.mkdir()
        if self._as_user:
            shutil.chown(self._data, "postgres", "postgres")
        self._data.chmod(0o700)

    def _write(self, name, text):
        (self._data / name).write_text(text)
        if self._as_user:
            shutil.chown(self._data / name, "postgres", "postgres")

    def _run(self, name, *arguments):
        command = [*self._as_user, self._programs / name, *map(str, arguments)]
        subprocess.run(command, check=True, stdout=self._log, stderr=self._log, cwd="/")

    # Statements

    @property
    def address(self):
        return f"postgres://lading@127.0.0.1:{self.port}/postgres?connect_timeout=5"

    def query(self, sql):
        """Returns the first value of a statement; None if the server does not answer."""
        command = [self._programs / "psql", "-XqtA", "-c", sql, self.address]
        with contextlib.suppress(subprocess.TimeoutExpired):
            answer = subprocess.run(command, check=False, stdout=subprocess.PIPE, stderr=self._log, text=True, timeout=START_LIMIT)
            if answer.returncode == 0:
                return answer.stdout.strip()
        return None

    # Processes

    def start(self):
        self._process = start(
            [*self._as_user, self._programs / "postgres", "-D", self._data, "-p", self.port,
             *(word for setting in SETTINGS for word in ("-c", setting))], stdout=self._log, stderr=self._log, cwd="/")
        ready = [self._programs / "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.port)]
        wait_until(lambda: subprocess.run(ready, check=False).returncode == 0, f"the database did not start; see {self._log.name}.")

    def _stop_processes(self):
        """Sends SIGSTOP to the server, so that it starts no process, then to the processes of its connections, and returns all."""
        send([self._process.pid], signal.SIGSTOP)
        found = subprocess.run(["pgrep", "-P", str(self._process.pid)], capture_output=True, text=True, check=False).stdout
        children = [int(process) for process in found.split()]
        send(children, signal.SIGSTOP)
        return [self._process.pid, *children]

    def kill(self):
        """Kills the server and the processes of its connections."""
        processes = self._stop_processes()
        send(processes, signal.SIGKILL)
        self._process.wait()
        # A process that is left holds the shared memory, and the server does not start.
        wait_until(lambda: not any(map(is_running, processes)), "the database was not killed.")

    @contextlib.contextmanager
    def paused(self):
        processes = self._stop_processes()
        try:
            yield
        finally:
            send(reversed(processes), signal.SIGCONT)

    def stop(self):
        if self._process and self._process.poll() is None:
            stop(self._process, signal.SIGINT)
        self._log.close()


class Database:
    """A primary and its synchronous standby, which takes over when the primary is killed.

    A commit is confirmed when the standby has it, so that a promotion loses nothing that was confirmed, if the standby has once received everything
    since commits wait for it. Until then a promoted server is alone. The order of steps is therefore:

    1. The standby has `synchronous_standby_names = ''`, so that it accepts commits as soon as it is promoted, and does not wait for itself.
    2. The primary is killed, and can confirm nothing any more. Only then is the standby promoted.
    3. The data of the old primary are deleted: it may have commits that were not confirmed, and would differ from the new primary. It gets a copy.
    4. When the copy streams, `synchronous_standby_names` is set. Commits from now on wait for the copy, which still lacks some of the earlier ones.
    5. When the copy has received what the primary had written after step 4, it may be promoted.
    """

    def __init__(self, folder, apply_delay="0"):
        """
        - Parameter apply_delay: The time by which reads of the standby are behind.
        """
        self.primary, self.standby = (Server(folder, name, apply_delay) for name in ("database-1", "database-2"))
        self.servers = [self.primary, self.standby]

    def start(self):
        self.primary.initialize()
        self.primary.start()
        self._start_standby()

    def _start_standby(self):
        self.standby.copy(self.primary)
        self.standby.start()
        self._wait_for_replication("state = 'streaming'")
        self.primary.set_standby(STANDBY)
        position = self.primary.query("SELECT pg_current_wal_insert_lsn()")
        self._wait_for_replication(f"sync_state = 'sync' AND flush_lsn >= '{position}'")

    def _wait_for_replication(self, condition):
        sql = f"SELECT count(*) FROM pg_stat_replication WHERE application_name = '{STANDBY}' AND {condition}"
        wait_until(lambda: self.primary.query(sql) == "1", "the standby does not follow the primary.")

    def address(self, host, ports):
        """Returns the address with which a program finds the primary behind several ports."""
        return f"postgres://lading@{','.join(f'{host}:{port}' for port in ports)}/postgres"

    @property
    def direct_address(self):
        return self.address("127.0.0.1", [server.port for server in self.servers])

    def promote(self, outage):
        """Kills the primary, promotes the standby, and makes a new standby in the old primary's place."""
        # After a restart of the primary, commits that nobody confirmed are visible before the standby has them; see `promote_behind`.
        self._wait_for_replication("flush_lsn >= pg_current_wal_insert_lsn()")
        self.primary.kill()
        time.sleep(outage)
        self._exchange()

    def promote_behind(self, outage):
        """Promotes a standby that lacks commits of the primary: they wait for it, and are visible after the primary has started again."""
        self.standby.kill()
        time.sleep(outage)
        self.primary.kill()
        self.primary.start()
        time.sleep(outage)
        self.primary.kill()
        self.standby.start()
        self._exchange()

    def _exchange(self):
        self.standby.promote()
        self.primary, self.standby = self.standby, self.primary
        self._start_standby()

    def end_connections(self):
        """Ends all connections of programs, also those in the middle of a commit."""
        self.primary.query(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'")

    def stop(self):
        for server in self.servers:
            server.stop()
