"""Pages of running windows, which hold their event streams open and connect again as their script does."""

import asyncio
import json
import random
import selectors
import time
import urllib.parse
from collections import namedtuple

ROWS_IN_VIEW = 12
OPENING_LIMIT = 32
"""The maximum number of pages that are being opened at once."""
START_LIMIT = 120
"""The maximum time in seconds until all pages are live."""

Event = namedtuple("Event", "time session name data")
"""An event of a stream, with the time at which its last bytes arrived."""


class Selector(selectors.DefaultSelector):
    """A selector that knows when sockets became readable: reading a thousand of them takes a while."""

    time = 0

    def select(self, timeout=None):
        ready = super().select(timeout)
        self.time = time.time()
        return ready


def run(work):
    """Runs a coroutine that is made with a selector."""
    selector = Selector()
    loop = asyncio.SelectorEventLoop(selector)
    try:
        return loop.run_until_complete(work(selector))
    finally:
        loop.close()


async def request(address, method, path, body=None, **headers):
    """Returns the status and the body of a response, over a connection of its own."""
    url = urllib.parse.urlsplit(address)
    content = b"" if body is None else json.dumps(body).encode()
    fields = {"Host": url.netloc, "Connection": "close", "Content-Type": "application/json", "Content-Length": len(content), **headers}
    reader, writer = await asyncio.open_connection(url.hostname, url.port)
    try:
        head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        writer.write(f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode() + content)
        head, _, body = (await reader.read(-1)).partition(b"\r\n\r\n")
    finally:
        writer.close()
    if not head:
        raise ConnectionResetError
    is_chunked = b"transfer-encoding: chunked" in head.lower()
    return int(head.split(b" ", 2)[1]), Chunks().decode(body) if is_chunked else body


class Chunks:
    """A decoder of a body in chunks (RFC 9112 §7.1)."""

    def __init__(self):
        self._received, self.is_complete = b"", False

    def decode(self, data):
        """Returns the content of the chunks that are complete."""
        self._received += data
        content = b""
        while (start := self._received.find(b"\r\n") + 2) > 1:
            end = start + int(self._received[:start], 16)
            if len(self._received) < end + 2:
                break
            content += self._received[start:end]
            self.is_complete = start == end
            self._received = self._received[end + 2:]
        return content


class Page:
    """The list of open orders on a page."""

    def __init__(self, address, token, selector):
        self._address, self._token, self._selector = address, token, selector
        self._random = random.Random(token)
        self._stream, self._last_event = None, None
        self.session = None
        self.events, self.openings, self.ends = [], [], []
        """The events, and the times at which streams were opened and ended."""

    @property
    def is_live(self):
        """Whether the list of the present session has been loaded."""
        return self._stream is not None and any(
            event.session == self.session and event.name == "list" and b'"busy":false' in event.data for event in reversed(self.events))

    async def run(self, opening):
        """Holds a stream open until the task is cancelled. The delays are those of `connection.js`.

        - Parameter opening: Limits the pages that open their first stream at once.
        """
        async with opening:
            is_open = await self._connect()
        failures = 0
        while True:
            if is_open:
                failures = 0
                await self._stream.end
                self.ends.append(self._selector.time)
                self._stream = None
            await asyncio.sleep(min(30, 0.5 * 2 ** failures) * (0.5 + self._random.random() / 2))
            failures += 1
            is_open = await self._connect()

    async def _connect(self):
        return await self._request_session() and await self._open_stream()

    async def _request_session(self):
        description = {
            "window": self.session, "screen": "board", "first": 0, "last": ROWS_IN_VIEW - 1, "row": None, "search": "", "sort": None, "near": None}
        try:
            status, body = await asyncio.wait_for(
                request(self._address, "POST", "/windows", description, Cookie=f"token={self._token}", **{"Sec-Fetch-Site": "same-origin"}), 10)
        except (OSError, asyncio.TimeoutError):
            return False
        if status not in (200, 201):
            return False
        session = json.loads(body)["window"]
        if session != self.session:
            self.session, self._last_event = session, None
        return True

    async def _open_stream(self):
        url = urllib.parse.urlsplit(self._address)
        after = f"?after={self._last_event}" if self._last_event else ""
        head = (
            f"GET /windows/{self.session}/events{after} HTTP/1.1\r\nHost: {url.netloc}\r\nCookie: token={self._token}\r\n"
            "Accept: text/event-stream\r\n\r\n").encode()
        try:
            _, stream = await asyncio.get_running_loop().create_connection(lambda: Stream(self, head), url.hostname, url.port)
        except OSError:
            return False
        if not await stream.opening:
            return False
        self._stream = stream
        self.openings.append(self._selector.time)
        return True

    def receive(self, name, identifier, data):
        self._last_event = identifier or self._last_event
        self.events.append(Event(self._selector.time, self.session, name, data))

    def close(self):
        if self._stream:
            self._stream.close()


class Stream(asyncio.Protocol):
    """A response with events, in chunks."""

    def __init__(self, page, head):
        self._page, self._request = page, head
        self._head, self._chunks, self._events = b"", Chunks(), b""
        loop = asyncio.get_running_loop()
        self.opening, self.end = loop.create_future(), loop.create_future()

    def connection_made(self, transport):
        self._transport = transport
        transport.write(self._request)

    def connection_lost(self, error):
        if not self.opening.done():
            self.opening.set_result(False)
        if not self.end.done():
            self.end.set_result(None)

    def data_received(self, data):
        if not self.opening.done():
            self._head += data
            head, separator, data = self._head.partition(b"\r\n\r\n")
            if not separator:
                return
            is_open = b" 200 " in head.split(b"\r\n")[0]
            self.opening.set_result(is_open)
            if not is_open:
                self._transport.close()
                return
        self._events += self._chunks.decode(data)
        if self._chunks.is_complete:
            self._transport.close()
        *events, self._events = self._events.split(b"\n\n")
        for event in events:
            fields = dict(line.split(b": ", 1) for line in event.split(b"\n") if b": " in line)
            if b"event" in fields:
                self._page.receive(fields[b"event"].decode(), fields.get(b"id", b"").decode(), fields.get(b"data", b""))

    def close(self):
        self._transport.abort()


class Pages:
    """Many pages, as a context: they are open inside of it."""

    def __init__(self, addresses, tokens, selector):
        """
        - Parameter addresses: Those of the windows, to each of which as many pages connect.
        """
        self.all = [Page(addresses[number % len(addresses)], token, selector) for number, token in enumerate(tokens)]

    async def __aenter__(self):
        opening = asyncio.Semaphore(OPENING_LIMIT)
        self._tasks = [asyncio.create_task(page.run(opening)) for page in self.all]
        try:
            await self._wait_until_live()
        except BaseException:
            await self.__aexit__()
            raise
        return self

    async def _wait_until_live(self):
        deadline = time.monotonic() + START_LIMIT
        while not all(page.is_live for page in self.all):
            for task in self._tasks:
                if task.done():
                    task.result()
            assert time.monotonic() < deadline, f"{sum(not page.is_live for page in self.all)} of {len(self.all)} pages are not live"
            await asyncio.sleep(0.1)

    async def __aexit__(self, *_):
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for page in self.all:
            page.close()
