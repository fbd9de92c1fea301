#!/usr/bin/env python3
"""Measures how soon a grid of photos is whole where a fling ends; prints one line a figure: figure <name> <value> <unit>.

    Benchmarks/flings.py PROGRAM ORIGIN DIRECT

PROGRAM is `lading`; ORIGIN any address of a server of photos across a line of 1.5 Mbit/s, such as `lading serve --link dsl`, and DIRECT one of the same
server without the line. LADING_SEED says where the flings land, FLINGS how many there are.
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
LINE = 1_500_000 / 8
"""Bytes a second."""
SECONDS = 2
PATIENCE = 150

# How a grid lies in the page: cells are squares, and a part of the page scrolls away above them.
PLACE = """
    const bar = document.getElementById("bar"), list = document.getElementById("list");
    const height = document.querySelector(".cell").getBoundingClientRect().height;
    const lead = list.offsetTop - bar.offsetHeight;
    const columns = getComputedStyle(list).gridTemplateColumns.split(" ").length;
    const room = innerHeight - bar.offsetHeight - document.getElementById("message").offsetHeight;
"""

GRID = "() => { %s return { lines: room / height, columns, count: +list.dataset.count }; }" % PLACE

# Scrolls along the curve of a fling by the time that has passed, whatever the frames do; tells how long each photo then in view took from
# standstill until its cell showed it, in seconds.
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
}""" % PLACE


def note(text):
    print(f"Lading: {text}", file=sys.stderr)


def figure(name, value, unit):
    print(f"figure {name} {value:.3g} {unit}", flush=True)


class Course:
    """Landings that show nothing of each other, and the flings from one to the next, by the curves of iOS and Android in turn."""

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
        self.back = [(line, self.CURVES[number % 2]) for number, line in reversed(list(enumerate(landings[:-1])))]


class Window:
    """The program before the photos, kept in a directory, and a page of it."""

    def __init__(self, program, relay, directory, browser):
        self._program = Program("window", "--port", 0, "--origin", relay.address, "--data", directory, binary=program)
        self._context = browser.new_context(viewport=SCREEN)
        self.page = self._context.new_page()
        self.page.set_default_timeout(PATIENCE * 1_000)
        PhotoGrid(self.page, self._program.page, sol=SOL).open().expect_whole()

    def lines(self):
        """How many lines are in view."""
        grid = self.page.evaluate(GRID)
        assert (grid["columns"], grid["count"]) == (COLUMNS, PHOTOS), grid
        return grid["lines"]

    def fling(self, line, curve):
        """How long each photo took that is in view where it ends, by its name."""
        result = self.page.evaluate(FLING, {"line": line, "seconds": SECONDS, "curve": curve, "patience": PATIENCE})
        if result["missing"]:
            sys.exit(f"{result['missing']} photos have not come within {PATIENCE} s.")
        return result["shown"]

    def close(self):
        self._context.close()
        self._program.stop()


def draw_all(direct):
    """Has the server draw its photos before anybody waits for them; the path and the length of each, by its number."""
    def read(address):
        with urllib.request.urlopen(address) as reply:
            return reply.read()

    photos = json.loads(read(f"{direct}/mars-photos/api/v1/rovers/curiosity/photos?sol={SOL}"))["photos"]
    return {photo["id"]: (urlsplit(photo["img_src"]).path, len(read(photo["img_src"]))) for photo in photos}


class Measurement:
    """What a course brings: how long photos in view took, and which were fetched again."""

    def __init__(self, photos, relay):
        self._photos = photos
        self._relay = relay
        self.repeats = []
        """The photos that were asked for although they had come whole before."""

    def fling(self, window, line, curve):
        """How long the last photo in view took from standstill, over the time in which the line carries those that had not come before the fling; None when
        all had."""
        before, asked = self._relay.whole(), len(self._relay.crossings)
        shown = window.fling(line, curve)
        self.repeats += [crossing.photo for crossing in self._relay.crossings[asked:] if crossing.photo in before]
        photos = [self._photos[int(name.split("/")[-1])] for name in shown]
        missing = sum(length for path, length in photos if path not in before)
        return max(shown.values()) / (missing / LINE) if missing else None


def main(program, origin, direct):
    seed = int(os.environ.get("LADING_SEED") or random.randrange(1, 1 << 32))
    count = int(os.environ.get("FLINGS") or 7)
    photos = draw_all("://".join(urlsplit(direct)[:2]))
    kilobytes = sorted(length // 1_000 for _, length in photos.values())
    note(f"flinging {count} times over {len(photos)} photos of {kilobytes[0]} to {kilobytes[-1]} KB in a browser: LADING_SEED={seed}")
    relay = PhotoRelay(urlsplit(origin).hostname, urlsplit(origin).port)
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as directory:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        there, back, again = (Measurement(photos, relay) for _ in range(3))
        with closing(Window(program, relay, directory, browser)) as window:
            course = Course(seed, count, window.lines())
            ratios = [ratio for fling in course.flings if (ratio := there.fling(window, *fling)) is not None]
            note(f"fling-browser: {' '.join(f'{ratio:.2f}' for ratio in ratios)}")
            figure("fling-browser", median(ratios), "ratio")
            for fling in course.back:
                back.fling(window, *fling)
            figure("fling-browser-repeats", len(there.repeats) + len(back.repeats), "photos")
        with closing(Window(program, relay, directory, browser)) as window:
            for fling in course.flings:
                again.fling(window, *fling)
            figure("fling-restart", len(again.repeats), "photos")
        browser.close()
    relay.stop()


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit("Benchmarks/flings.py PROGRAM ORIGIN DIRECT: lading, and where a server of photos is across a slow line and without it.")
    main(*sys.argv[1:])
