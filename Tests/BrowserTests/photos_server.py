"""A stub server of Mars photos: sols with gaps, photos in distinct colours, and their failures."""

import json
import re
import threading
import time
from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qs, urlsplit

from png_files import png_file
from stub_server import TIMEOUT, HoldingServer

CAMERAS = ["FHAZ", "MAST", "NAVCAM"]


def colour(number):
    """Returns the colour of a photo; those of consecutive photos differ clearly."""
    return number * 67 % 200 + 40, number * 151 % 200 + 40, number * 29 % 200 + 40


def png(number, width=480, height=360):
    """Returns a picture in the colour of a photo, lighter towards its top."""
    rgb = colour(number)
    rows = (bytes(min(255, round(part * (1.05 - 0.1 * y / height))) for part in rgb) * width for y in range(height))
    return png_file(width, rows)


class PhotosServer(HoldingServer):
    """Serves photos of Curiosity in the format of the Mars Photos API; `requested` are the numbers of photos."""

    def __init__(self, count=60):
        self.sols = {996: range(1, 4), 1000: range(1_000, 1_000 + count), 1001: range(5_000, 5_012), 1004: range(6_000, 6_001)}
        """The photos of each sol; other sols have none."""
        self.broken = set()
        """The photos that are answered with 500."""
        self.replaced_by_html = set()
        """The photos that are replaced by a web page."""
        self.is_failing = False
        """Whether lists are answered with 500."""
        self.is_slow = False
        """Whether photos are sent in two parts, the second when they are released."""
        self._lists_released = threading.Event()
        self._lists_released.set()
        self.manifest_released = threading.Event()
        """The event that releases the manifest."""
        self.manifest_released.set()
        super().__init__(_Handler)

    @property
    def arguments(self):
        """The arguments that let the program read this server."""
        return "--photos-url", f"{self.address}/api/v1", "--orders-url", f"{self.address}/orders.plist"

    def hold_lists(self):
        """Holds lists of photos until lists are released."""
        self._lists_released.clear()

    def release_lists(self):
        self._lists_released.set()

    def wait_until_quiet(self):
        """Waits until no photo was requested for some time: those in view and near it are loaded, also on a busy machine."""
        count = -1
        while count != len(self.requested):
            count = len(self.requested)
            time.sleep(3)

    # Responses, on the threads of the server

    def record_request(self, number):
        self._record(self.requested, number)

    def manifest(self):
        self.manifest_released.wait(TIMEOUT)
        entries = [
            {"sol": sol, "earth_date": f"2015-05-{sol - 970:02}" if sol < 1002 else f"2015-06-{sol - 1001:02}",
             "total_photos": len(photos), "cameras": CAMERAS}
            for sol, photos in self.sols.items()
        ]
        return {"photo_manifest": {**self._rover(), "photos": entries}}

    def _rover(self):
        return {"name": "Curiosity", "landing_date": "2012-08-06", "launch_date": "2011-11-26", "status": "active", "max_sol": max(self.sols),
                "max_date": "2015-06-03", "total_photos": sum(map(len, self.sols.values()))}

    def rovers(self):
        return {"rovers": [self._rover()]}

    def photos(self, sol, camera):
        self._lists_released.wait(TIMEOUT)
        numbers = [number for number in self.sols.get(sol, ()) if camera in (None, CAMERAS[number % 3])]
        return {"photos": [self._photo(number, sol) for number in numbers]}

    def _photo(self, number, sol):
        camera = CAMERAS[number % 3]
        return {"id": number, "sol": sol, "camera": {"id": number % 3, "name": camera, "full_name": f"{camera} camera"},
                "img_src": f"{self.address}/images/{number}.jpg", "earth_date": "2015-05-30", "rover": {"id": 5, "name": "Curiosity"}}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        stub, address = self.server.stub, urlsplit(self.path)
        if found := re.fullmatch(r"/images/(\d+)\.jpg", address.path):
            return self._send_picture(int(found[1]))
        if stub.is_failing:
            return self._respond(500, "text/plain", b"no")
        if address.path.endswith("/rovers"):
            return self._send_json(stub.rovers())
        if address.path.endswith("/manifests/curiosity"):
            return self._send_json(stub.manifest())
        if address.path.endswith("/rovers/curiosity/photos"):
            query = parse_qs(address.query)
            camera = query["camera"][0].upper() if "camera" in query else None
            return self._send_json(stub.photos(int(query["sol"][0]), camera))
        if "/rovers/" in address.path or "/manifests/" in address.path:
            return self._respond(400, "application/json", b'{"errors":"Invalid Rover Name"}')
        return self._respond(404, "text/plain", b"")

    def _send_picture(self, number):
        stub = self.server.stub
        stub.record_request(number)
        if stub.is_slow:
            return self._send_in_two_parts(png(number))
        stub.wait_for_release()
        if number in stub.broken:
            return self._respond(500, "text/plain", b"no")
        if number in stub.replaced_by_html:
            return self._respond(200, "image/jpeg", b"<!doctype html><title>Moved</title>")
        return self._respond(200, "image/jpeg", png(number))

    def _send_in_two_parts(self, body):
        """Sends one half at once, and the other when it is released."""
        self._send_head(200, "image/jpeg", len(body))
        self.wfile.write(body[:len(body) // 2])
        self.wfile.flush()
        self.server.stub.wait_for_release()
        self.wfile.write(body[len(body) // 2:])

    def _send_json(self, document):
        self._respond(200, "application/json", json.dumps(document).encode())

    def _respond(self, status, media_type, body):
        self._send_head(status, media_type, len(body))
        self.wfile.write(body)

    def _send_head(self, status, media_type, length):
        self.send_response(status)
        if status == 200 and media_type == "image/jpeg":
            self.send_header("Cache-Control", "public, max-age=31536000, immutable")
        self.send_header("Content-Type", media_type)
        self.send_header("Content-Length", str(length))
        self.end_headers()

    def log_message(self, format, *arguments):
        """Logs nothing."""
