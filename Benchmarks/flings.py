#!/usr/bin/env python3
"""Measures the time until the photos in view at the end of a fling are shown; prints one line per figure: figure <name> <value> <unit>.

    Benchmarks/flings.py PROGRAM ORIGIN DIRECT

PROGRAM is `lading`; ORIGIN any address of a server of photos over a link of 1.5 Mbit/s, such as `lading serve --link dsl`, and DIRECT one of the same
server without the link. LADING_SEED is the seed of the landing positions, FLINGS the number of flings.
"""

import json
import os
import random
import sys
import tempfile
import urllib.request
from contextlib import closing
from pathlib import Path
from statistics import median
from urllib.parse import urlsplit

from playwright.sync_api import sync_playwright

from photo_relay import PhotoRelay

sys.path.insert(0, str(Path(__file__).parents[1] / "Tests" / "BrowserTests"))
from browser_profile import CHROMIUM, FLAGS  # noqa: E402
from photo_grid import PhotoGrid  # noqa: E402
from program import Program  # noqa: E402

SOL = 1_000
PHOTOS = 500
COLUMNS = 3
SCREEN = {"width": 500, "height": 1_000}
BYTES_PER_SECOND = 1_500_000 / 8
"""Bytes per second."""
FLING_SECONDS = 2
TIMEOUT = 150

# The metrics of the grid: cells are squares, and the part of the page above them scrolls away.
GRID_METRICS = """
    const bar = document.getElementById("bar"), list = document.getElementById("list");
    const height = document.querySelector(".cell").getBoundingClientRect().height;
    const lead = list.offsetTop - bar.offsetHeight;
    const columns = getComputedStyle(list).gridTemplateColumns.split(" ").length;
    const room = innerHeight - bar.offsetHeight - document.getElementById("error-bar").offsetHeight;
"""

GRID_SIZE = "() => { %s return { lines: room / height, columns, count: +list.dataset.count }; }" % GRID_METRICS

# Scrolls along the curve of a fling by elapsed time, whatever the frame rate; returns the seconds from standstill until each photo then in
# view was shown.
FLING = """async ({ line, seconds, curve, patience }) => {
    %s
    const from = scrollY, to = lead + line * height, frame = () => new Promise(requestAnimationFrame);
    const way = {
        exponential: (part) => (1 - Math.exp(-6 * part)) / (1 - Math.exp(-6)),
        power: (part) => 1 - (1 - part) ** 2.358,
    }[curve];
    const start = performance.now();
    for (let part = 0; part < 1;) {
        await frame();
        part = Math.min(1, (performance.now() - start) / 1000 / seconds);
        scrollTo({ top: from + (to - from) * way(part), behavior: "instant" });
    }
    const standstill = performance.now(), shown = {};
    const first = Math.floor(line) * columns, end = Math.min(+list.dataset.count, Math.ceil(line + room / height) * columns);
    for (let now = standstill; Object.keys(shown).length < end - first && now < standstill + patience * 1000; now = performance.now()) {
        for (const cell of list.querySelectorAll(".row")) {
            const { index, id } = cell.dataset, img = cell.querySelector("img");
            if (index >= first && index < end && img?.complete && img.naturalWidth) shown[id] ??= (now - standstill) / 1000;
        }
        await frame();
    }
    return { shown, missing: end - first - Object.keys(shown).length };
}""" % GRID_METRICS


def log(text):
    print(f"Lading: {text}", file=sys.stderr)


def print_figure(name, value, unit):
    print(f"figure {name} {value:.3g} {unit}", flush=True)


class FlingSequence:
    """Flings between positions that share no photos, with the curves of iOS and Android in turn."""

    CURVES = "exponential", "power"

    def __init__(self, seed, count, lines):
        draw, last = random.Random(seed), PHOTOS / COLUMNS - lines
        if count > last / (2 * (lines + 1)):
            sys.exit(f"FLINGS={count} are too many for a grid of {PHOTOS} photos.")
        landings = [0.0]
        while len(landings) <= count:
            landing = draw.uniform(0, last)
            if all(abs(landing - other) > lines + 1 for other in landings):
                landings.append(landing)
        self.flings = [(line, self.CURVES[number % 2]) for number, line in enumerate(landings[1:])]
        self.reversed_flings = [(line, self.CURVES[number % 2]) for number, line in reversed(list(enumerate(landings[:-1])))]


class WindowPage:
    """The program in front of the photos, with a data directory, and a page of it."""

    def __init__(self, program, relay, directory, browser):
        self._program = Program("window", "--port", 0, "--origin", relay.address, "--data", directory, binary=program)
        self._context = browser.new_context(viewport=SCREEN)
        self.page = self._context.new_page()
        self.page.set_default_timeout(TIMEOUT * 1_000)
        PhotoGrid(self.page, self._program.address, sol=SOL).open().expect_pictures_loaded()

    def visible_grid_rows(self):
        """Returns the number of grid rows in view."""
        grid = self.page.evaluate(GRID_SIZE)
        assert (grid["columns"], grid["count"]) == (COLUMNS, PHOTOS), grid
        return grid["lines"]

    def fling(self, line, curve):
        """Returns the time until each photo in view at the end of a fling was shown, by its name."""
        result = self.page.evaluate(FLING, {"line": line, "seconds": FLING_SECONDS, "curve": curve, "patience": TIMEOUT})
        if result["missing"]:
            sys.exit(f"{result['missing']} photos were not shown within {TIMEOUT} s.")
        return result["shown"]

    def close(self):
        self._context.close()
        self._program.stop()


def prerender_photos(direct):
    """Lets the server render its photos in advance; returns the path and the length of each, by its number."""
    def read(address):
        with urllib.request.urlopen(address) as response:
            return response.read()

    photos = json.loads(read(f"{direct}/mars-photos/api/v1/rovers/curiosity/photos?sol={SOL}"))["photos"]
    return {photo["id"]: (urlsplit(photo["img_src"]).path, len(read(photo["img_src"]))) for photo in photos}


class Measurement:
    """The results of flings: the times of photos in view, and the photos that were fetched again."""

    def __init__(self, photos, relay):
        self._photos = photos
        self._relay = relay
        self.refetches = []
        """The photos that were requested although they had been transferred completely."""

    def fling(self, window, line, curve):
        """Returns the time until the last photo in view was shown, relative to the transfer time of the photos that were missing before the fling; None if
        none was."""
        before, requested = self._relay.completed(), len(self._relay.transfers)
        shown = window.fling(line, curve)
        self.refetches += [transfer.photo for transfer in self._relay.transfers[requested:] if transfer.photo in before]
        photos = [self._photos[int(name.split("/")[-1])] for name in shown]
        missing = sum(length for path, length in photos if path not in before)
        return max(shown.values()) / (missing / BYTES_PER_SECOND) if missing else None


def main(program, origin, direct_origin):
    seed = int(os.environ.get("LADING_SEED") or random.randrange(1, 1 << 32))
    count = int(os.environ.get("FLINGS") or 7)
    photos = prerender_photos("://".join(urlsplit(direct_origin)[:2]))
    kilobytes = sorted(length // 1_000 for _, length in photos.values())
    log(f"flinging {count} times over {len(photos)} photos of {kilobytes[0]} to {kilobytes[-1]} KB in a browser: LADING_SEED={seed}")
    relay = PhotoRelay(urlsplit(origin).hostname, urlsplit(origin).port)
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as directory:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        forward, backward, restarted = (Measurement(photos, relay) for _ in range(3))
        with closing(WindowPage(program, relay, directory, browser)) as window:
            sequence = FlingSequence(seed, count, window.visible_grid_rows())
            ratios = [ratio for fling in sequence.flings if (ratio := forward.fling(window, *fling)) is not None]
            log(f"fling-browser: {' '.join(f'{ratio:.2f}' for ratio in ratios)}")
            print_figure("fling-browser", median(ratios), "ratio")
            for fling in sequence.reversed_flings:
                backward.fling(window, *fling)
            print_figure("fling-browser-repeats", len(forward.refetches) + len(backward.refetches), "photos")
        with closing(WindowPage(program, relay, directory, browser)) as window:
            for fling in sequence.flings:
                restarted.fling(window, *fling)
            print_figure("fling-restart", len(restarted.refetches), "photos")
        browser.close()
    relay.stop()


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit("Benchmarks/flings.py PROGRAM ORIGIN DIRECT: lading, and the addresses of a server of photos over a slow link and without it.")
    main(*sys.argv[1:])
