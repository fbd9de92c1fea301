"""A relay in front of a server of photos, which records the photos that it transfers."""

import asyncio
import re
import threading
from collections import deque

PHOTO = re.compile(rb"GET (\S+/images/\S+) ")
LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
CHUNK_SIZE = 65_536


class PhotoTransfer:
    """The transfer of a photo, and whether it is complete."""

    def __init__(self, photo):
        self.photo = photo
        self.is_complete = False


class PhotoRelay:
    """A relay on a thread of its own; `transfers` are the requested photos, in order."""

    def __init__(self, host, port):
        self.transfers = []
        self._upstream_address = host, port
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._server = asyncio.run_coroutine_threadsafe(self._listen(), self._loop).result()

    @property
    def address(self):
        return "http://127.0.0.1:%d" % self._server.sockets[0].getsockname()[1]

    def stop(self):
        self._loop.call_soon_threadsafe(self._server.close)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    def completed(self):
        """Returns the photos that have been transferred completely."""
        return {transfer.photo for transfer in list(self.transfers) if transfer.is_complete}

    async def _listen(self):
        return await asyncio.start_server(self._relay_connection, "127.0.0.1", 0)

    async def _relay_connection(self, reader, writer):
        """Relays until either side closes its connection: a cancelled request uses no more bandwidth."""
        pending = deque()
        try:
            upstream_reader, upstream_writer = await asyncio.open_connection(*self._upstream_address)
        except OSError:
            return writer.close()
        tasks = [asyncio.ensure_future(task) for task in (self._relay_requests(reader, upstream_writer, pending), self._relay_responses(upstream_reader, writer, pending))]
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for end in (writer, upstream_writer):
            end.transport.abort()

    async def _relay_requests(self, reader, writer, pending):
        """Relays requests, which have no bodies: each ends with its head."""
        head = b""
        while data := await reader.read(CHUNK_SIZE):
            *heads, head = (head + data).split(b"\r\n\r\n")
            for request in heads:
                found = PHOTO.match(request)
                transfer = PhotoTransfer(found[1].decode()) if found else None
                pending.append(transfer)
                if transfer:
                    self.transfers.append(transfer)
            writer.write(data)
            await writer.drain()

    async def _relay_responses(self, reader, writer, pending):
        """Relays responses, whose heads contain the length of their bodies."""
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            writer.write(head)
            transfer, length = pending.popleft(), int((LENGTH.search(head) or [0, 0])[1])
            is_photo = transfer and length > 0
            while length and (data := await reader.read(min(length, CHUNK_SIZE))):
                length -= len(data)
                writer.write(data)
                await writer.drain()
            if is_photo and not length:
                transfer.is_complete = True
