"""The bytes on the wire of a page by type, as the browser counts them."""

from collections import defaultdict

PHONE = {"width": 390, "height": 844}


class PageWeight:
    """The bytes of the requests of a page, headers included, by resource type of the browser."""

    def __init__(self, page):
        self._types, self._sizes = {}, defaultdict(int)
        self._protocol = page.context.new_cdp_session(page)
        self._protocol.on("Network.requestWillBeSent", self._on_request)
        self._protocol.on("Network.responseReceived", self._on_response)
        self._protocol.on("Network.dataReceived", self._on_data)
        self._protocol.on("Network.loadingFinished", self._on_finish)
        self._protocol.send("Network.enable")
        self._protocol.send("Network.setCacheDisabled", {"cacheDisabled": True})

    @property
    def requests(self):
        return len(self._types)

    @property
    def by_type(self):
        sizes = defaultdict(int)
        for request, size in self._sizes.items():
            if request in self._types:
                sizes[self._types[request]] += size
        return dict(sizes)

    def total(self, *types):
        """Returns the bytes of these types, or of all."""
        return sum(size for type, size in self.by_type.items() if not types or type in types)

    def _on_request(self, event):
        if event["request"]["url"].startswith("data:"):
            return  # A data URL is part of the resource that contains it.
        self._types[event["requestId"]] = event.get("type", "Other")

    def _on_response(self, event):
        if event["requestId"] not in self._types:
            return
        self._types[event["requestId"]] = event["type"]
        self._sizes[event["requestId"]] += event["response"]["encodedDataLength"]

    def _on_data(self, event):
        self._sizes[event["requestId"]] += event["encodedDataLength"]

    def _on_finish(self, event):
        # For documents the browser reports no parts.
        self._sizes[event["requestId"]] = event["encodedDataLength"]
