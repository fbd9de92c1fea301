"""What a page costs a phone: the bytes on the wire by kind, as the browser counts them."""

from collections import defaultdict

PHONE = {"width": 390, "height": 844}


class PageWeight:
    """The bytes that the requests of a page bring, heads included, by the browser's name of their kind."""

    def __init__(self, page):
        self._kinds, self._sizes = {}, defaultdict(int)
        self._protocol = page.context.new_cdp_session(page)
        self._protocol.on("Network.requestWillBeSent", self._note_request)
        self._protocol.on("Network.responseReceived", self._note_head)
        self._protocol.on("Network.dataReceived", self._note_data)
        self._protocol.on("Network.loadingFinished", self._note_end)
        self._protocol.send("Network.enable")
        self._protocol.send("Network.setCacheDisabled", {"cacheDisabled": True})

    @property
    def requests(self):
        return len(self._kinds)

    @property
    def by_kind(self):
        sizes = defaultdict(int)
        for request, size in self._sizes.items():
            if request in self._kinds:
                sizes[self._kinds[request]] += size
        return dict(sizes)

    def total(self, *kinds):
        """The bytes of these kinds; without one, of all."""
        return sum(size for kind, size in self.by_kind.items() if not kinds or kind in kinds)

    def _note_request(self, event):
        if event["request"]["url"].startswith("data:"):
            return  # It is part of what names it.
        self._kinds[event["requestId"]] = event.get("type", "Other")

    def _note_head(self, event):
        if event["requestId"] not in self._kinds:
            return
        self._kinds[event["requestId"]] = event["type"]
        self._sizes[event["requestId"]] += event["response"]["encodedDataLength"]

    def _note_data(self, event):
        self._sizes[event["requestId"]] += event["encodedDataLength"]

    def _note_end(self, event):
        # Of a document the browser tells no parts.
        self._sizes[event["requestId"]] = event["encodedDataLength"]
