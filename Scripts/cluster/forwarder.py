"""Connections between nodes and database that can be cut."""

import contextlib
import errno
import random
import selectors
import socket
import threading

from cluster.planted import hide_standby

CHUNK = 1 << 16
ALL = "all"
"""Stands for the names of all nodes."""
COMMITTED = (b"INSERT 0 ", b"COMMIT\0", b"written\0")
"""Parts of the answers to statements that change data: results of PostgreSQL, and the column of a decided command, which `CommandWriting` names.
PostgreSQL sends the answers of a transaction after its commit."""


class Forwarder(threading.Thread):
    """A thread that forwards connections to PostgreSQL servers, and cuts them."""

    def __init__(self, bug=None, ports=()):
        """
        - Parameter bug: The bug that is planted in the connections; None for none.
        - Parameter ports: The ports of the servers, of which a bug may choose another one.
        """
        super().__init__(daemon=True)
        self._bug, self._ports, self._hides_standby = bug, ports, False
        self._selector = selectors.DefaultSelector()
        self._wake, self._waker = socket.socketpair()
        self._connections = set()
        # Other threads set these, and wake this one.
        self._is_ended, self._cut_name, self._armed_count = False, None, 0
        self.lost_count = 0
        """The number of confirmations of commits that were cut off."""
        self._selector.register(self._wake, selectors.EVENT_READ, lambda _: self._wake.recv(CHUNK))

    # Calls of other threads

    def listen(self, host, target, name):
        """Forwards connections to a port of this machine, and returns the port for them. The name is that of their node."""
        listener = socket.create_server((host, 0), backlog=128)
        listener.setblocking(False)
        self._selector.register(listener, selectors.EVENT_READ, lambda _: self._accept(listener, target, name))
        return listener.getsockname()[1]

    def cut(self, name):
        """Closes all connections of a node."""
        self._cut_name = name
        self._waker.send(b"!")

    def lose_confirmations(self, count):
        """Closes connections that are about to confirm a commit, in place of the confirmation, as often as the count says."""
        self._armed_count = count

    def read_standby(self, hides_standby):
        """Connects nodes to any of the servers from now on, or to the primary only."""
        self._hides_standby, self._cut_name = hides_standby, ALL
        self._waker.send(b"!")

    def stop(self):
        self._is_ended = True
        self._waker.send(b"!")
        self.join()

    # The thread

    def run(self):
        while not self._is_ended:
            for key, events in self._selector.select():
                key.data(events)
            name, self._cut_name = self._cut_name, None
            for connection in [each for each in self._connections if name in (each.name, ALL)]:
                self.close(connection)
        for connection in list(self._connections):
            self.close(connection)
        for key in list(self._selector.get_map().values()):
            key.fileobj.close()

    def _accept(self, listener, target, name):
        try:
            client, _ = listener.accept()
        except OSError:
            return
        if self._hides_standby:
            target = random.choice(self._ports)
        server = socket.socket()
        for each in (client, server):
            each.setblocking(False)
            each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if server.connect_ex(("127.0.0.1", target)) not in (0, errno.EINPROGRESS):
            client.close()
            server.close()
            return
        self._connections.add(Connection(self, client, server, name, self._bug, self._hides_standby))

    def watch(self, side, events, receive):
        """Waits for events of a socket; for none with 0."""
        if side in self._selector.get_map():
            self._selector.unregister(side)
        if events:
            self._selector.register(side, events, receive)

    def loses(self, data):
        """Whether the connection is cut in place of these data of the database."""
        if self._armed_count <= 0 or not any(part in data for part in COMMITTED):
            return False
        self._armed_count -= 1
        self.lost_count += 1
        return True

    def close(self, connection):
        self._connections.discard(connection)
        for side in connection.sides:
            self.watch(side, 0, None)
            side.close()


class Connection:
    """A connection of a node, and that to the database; a side is read only while the other one accepts what it has sent."""

    def __init__(self, forwarder, client, server, name, bug, hides_standby):
        self._forwarder, self.name, self._hides_standby = forwarder, name, hides_standby
        self._rewriter = bug.rewriter() if bug else None
        self.sides = (client, server)
        self._pending = {client: b"", server: b""}
        for side in self.sides:
            self._watch(side)

    def _watch(self, side):
        other = self._other(side)
        events = (0 if self._pending[other] else selectors.EVENT_READ) | (selectors.EVENT_WRITE if self._pending[side] else 0)
        self._forwarder.watch(side, events, lambda events: self._handle(side, events))

    def _other(self, side):
        return self.sides[1 - self.sides.index(side)]

    def _handle(self, side, events):
        if side.fileno() < 0:
            return
        try:
            if events & selectors.EVENT_WRITE:
                self._send(b"", side)
            if events & selectors.EVENT_READ:
                data = side.recv(CHUNK)
                if not data or side is self.sides[1] and self._forwarder.loses(data):
                    self._forwarder.close(self)
                    return
                self._send(self._altered(data, side), self._other(side))
        except BlockingIOError:
            pass
        except OSError:
            self._forwarder.close(self)

    def _altered(self, data, side):
        """Returns received data with the planted bug."""
        if side is self.sides[0]:
            return self._rewriter.rewrite(data) if self._rewriter else data
        return hide_standby(data) if self._hides_standby else data

    def _send(self, data, side):
        data = self._pending[side] + data
        sent = 0
        with contextlib.suppress(BlockingIOError):
            sent = side.send(data)
        was_pending, self._pending[side] = bool(self._pending[side]), data[sent:]
        if was_pending != bool(self._pending[side]):
            for each in self.sides:
                self._watch(each)
