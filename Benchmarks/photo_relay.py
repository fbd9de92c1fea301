"""A relay before a server of photos: hands on every byte as it comes, and notes which photos crossed it."""

import asyncio
import re
import threading
from collections import deque

PHOTO = re.compile(rb"GET (\S+/images/\S+) ")
LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
READ = 65_536


class Crossing:
    """A photo on its way, and whether all of it has come."""

    def __init__(self, photo):
        self.photo = photo
        self.is_whole = False


class PhotoRelay:
    """Listens on a thread of its own; `crossings` are the photos that were asked for, in that order."""

    def __init__(self, host, port):
        self.crossings = []
        self._server_at = host, port
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

    def whole(self):
        """The photos that have come whole."""
        return {crossing.photo for crossing in list(self.crossings) if crossing.is_whole}

    async def _listen(self):
        return await asyncio.start_server(self._join, "127.0.0.1", 0)

    async def _join(self, reader, writer):
        """Both sides end when one of them does: what a client does not want any more takes no more of the line."""
        awaited = deque()
        try:
            above, below = await asyncio.open_connection(*self._server_at)
        except OSError:
            return writer.close()
        ways = [asyncio.ensure_future(way) for way in (self._up(reader, below, awaited), self._down(above, writer, awaited))]
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        for way in ways:
            way.cancel()
        await asyncio.gather(*ways, return_exceptions=True)
        for end in (writer, below):
            end.transport.abort()

    async def _up(self, reader, writer, awaited):
        """Requests have no bodies here: each ends with its head."""
        head = b""
        while data := await reader.read(READ):
            *heads, head = (head + data).split(b"\r\n\r\n")
            for request in heads:
                found = PHOTO.match(request)
                crossing = Crossing(found[1].decode()) if found else None
                awaited.append(crossing)
                if crossing:
                    self.crossings.append(crossing)
            writer.write(data)
            await writer.drain()

    async def _down(self, reader, writer, awaited):
        """Replies have bodies whose length stands in their heads."""
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            writer.write(head)
            crossing, length = awaited.popleft(), int((LENGTH.search(head) or [0, 0])[1])
            is_photo = crossing and length > 0
            while length and (data := await reader.read(min(length, READ))):
                length -= len(data)
                writer.write(data)
                await writer.drain()
            if is_photo and not length:
                crossing.is_whole = True
