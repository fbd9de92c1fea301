#!/usr/bin/env python3
"""Draws a fling over photos on a slow link, in the page of the program and in a naive list, side by side.

    Scripts/picture.py PROGRAM PICTURE

Both lists show the same photos of one server behind one simulated link, one list after the other, and are scrolled by the same pixels in the same
time. The naive list requests each photo when it first comes into view, in that order, six at a time, which fills the link, and cancels none.
"""

import base64
import bisect
import io
import json
import re
import sys
import urllib.request
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont
from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1] / "Tests" / "BrowserTests"))
from browser_profile import CHROMIUM, FLAGS  # noqa: E402
from program import Program  # noqa: E402

LINK, SOL = "3g", 1000
SCREEN = {"width": 390, "height": 844}
CONNECTIONS = 6
LANDING = 120
"""The index of the first photo in view after the fling."""
FLING_SECONDS = 2.5
TIMEOUT = 180

NAIVE_PAGE = """<!doctype html><meta name="viewport" content="width=device-width"><title>Naive list</title>
<style>
body { margin: 0; font: 20px "DejaVu Sans", sans-serif; background: #fff; }
#bar { position: sticky; top: 0; z-index: 1; box-sizing: border-box; height: %(bar)dpx; padding: 14px 16px; background: #f0f4f8; border-bottom: 1px solid #dde4ea; font-weight: bold; }
#bar small { display: block; margin-top: 12px; font-size: 14px; font-weight: normal; color: #51606d; }
#space { height: %(space)dpx; background: #f0f4f8; }
#list { display: grid; grid-template-columns: 1fr 1fr; gap: 2px; }
.row { height: %(height)dpx; background: #dfe4e8; overflow: hidden; }
.row img { width: 100%%; height: 100%%; object-fit: cover; display: block; }
</style>
<div id="bar">A naive list<small>%(count)d photos</small></div><div id="space"></div><div id="list"></div>
<script>
const photos = %(photos)s, waiting = [];
let running = 0;
function next() {
    while (running < %(connections)d && waiting.length) {
        const row = waiting.shift(), img = new Image();
        running++;
        img.onload = img.onerror = () => { running--; next(); };
        img.src = row.dataset.photo;
        row.append(img);
    }
}
const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) if (isIntersecting) { observer.unobserve(target); waiting.push(target); }
    next();
});
for (const [index, photo] of photos.entries()) {
    const row = document.createElement("div");
    row.className = "row";
    Object.assign(row.dataset, { index, photo });
    list.append(row);
    observer.observe(row);
}
</script>"""

# The position of the first photo, the height of a grid row with its gap, the height of the bar, and the number of photos.
METRICS = """() => {
    const box = (index) => document.querySelector(`.row[data-index="${index}"]`).getBoundingClientRect(), first = box(0);
    return { top: first.y + scrollY, height: box(2).y - first.y, bar: document.getElementById("bar").offsetHeight, count: +list.dataset.count };
}"""

# The numbers of photos in view and of those that are shown, and the time.
VISIBLE = """() => {
    const top = document.getElementById("bar").getBoundingClientRect().bottom;
    const rows = [...document.querySelectorAll(".row")].filter((row) => {
        const box = row.getBoundingClientRect();
        return box.bottom > top + 1 && box.top < innerHeight - 1;
    });
    const shown = rows.filter((row) => { const img = row.querySelector("img"); return img?.complete && img.naturalWidth; });
    return { rows: rows.length, shown: shown.length };
}"""

# Scrolls with the deceleration of iOS, then records the number of photos shown until there are as many as can be in view.
FLING = """async ({ to, seconds, expected, timeout }) => {
    const visible = %s, from = scrollY, frame = () => new Promise(requestAnimationFrame), start = Date.now();
    for (let part = 0; part < 1;) {
        await frame();
        part = Math.min(1, (Date.now() - start) / 1000 / seconds);
        scrollTo({ top: from + (to - from) * (1 - Math.exp(-6 * part)) / (1 - Math.exp(-6)), behavior: "instant" });
    }
    const end = Date.now(), counts = [];
    for (let shown = -1; shown < expected && Date.now() < end + timeout * 1000;) {
        await frame();
        const now = visible().shown;
        if (now !== shown) counts.push({ time: (Date.now() - end) / 1000, shown: now });
        shown = now;
    }
    return { start: start / 1000, end: end / 1000, counts };
}""" % VISIBLE


class Recording:
    """The frames of a fling; times are seconds since its end."""

    def __init__(self, frames, result, expected):
        self.expected = expected
        self.counts = [(count["time"], count["shown"]) for count in result["counts"]]
        self.start = result["start"] - result["end"]
        self._frames = sorted((time - result["end"], data) for time, data in frames)
        self._times = [time for time, _ in self._frames]

    @property
    def completion(self):
        """The time at which all photos in view were shown."""
        return self.counts[-1][0]

    def shown(self, time):
        """Returns the number of photos in view that are shown; None during the fling."""
        return None if time < 0 else [0, *(shown for at, shown in self.counts if at <= time)][-1]

    def frame(self, time):
        data = self._frames[max(0, bisect.bisect_right(self._times, time) - 1)][1]
        return Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB")


def record(page, metrics):
    """Flings the list of a page whose photos in view are loaded."""
    to = metrics["top"] + LANDING // 2 * metrics["height"] - metrics["bar"]
    columns, height = 2, SCREEN["height"] - metrics["bar"]
    expected = columns * -(-height // round(metrics["height"]))
    session, frames = page.context.new_cdp_session(page), []

    def store(event):
        frames.append((event["metadata"]["timestamp"], event["data"]))
        session.send("Page.screencastFrameAck", {"sessionId": event["sessionId"]})

    session.on("Page.screencastFrame", store)
    session.send("Page.startScreencast", {"format": "png", "everyNthFrame": 1})
    page.wait_for_timeout(500)
    result = page.evaluate(FLING, {"to": to, "seconds": FLING_SECONDS, "expected": expected, "timeout": TIMEOUT})
    page.wait_for_timeout(1_000)
    session.send("Page.stopScreencast")
    print(f"Lading: {result['counts']} of {expected}", file=sys.stderr)
    return Recording(frames, result, expected)


def new_page(browser):
    page = browser.new_context(viewport=SCREEN, has_touch=True, service_workers="block").new_page()
    page.set_default_timeout(TIMEOUT * 1_000)
    return page


def expect_loaded(page):
    page.wait_for_function("() => { const { rows, shown } = (%s)(); return rows > 3 && shown === rows; }" % VISIBLE)
    page.wait_for_timeout(3_000)


def record_program(browser, program):
    page = new_page(browser)
    page.goto(f"{program.address}/photos/curiosity/{SOL}")
    expect_loaded(page)
    metrics = page.evaluate(METRICS)
    recording = record(page, metrics)
    page.context.close()
    return recording, metrics


def record_naive_list(browser, server, metrics):
    page, photos = new_page(browser), photo_addresses(server)
    html = NAIVE_PAGE % {
        "bar": metrics["bar"], "space": metrics["top"] - metrics["bar"], "height": metrics["height"] - 2, "photos": json.dumps(photos), "count": len(photos),
        "connections": CONNECTIONS,
    }
    # The server lets pages of its own origin alone display its photos.
    page.route(f"{server}/naive", lambda route: route.fulfill(body=html, content_type="text/html; charset=utf-8"))
    page.goto(f"{server}/naive")
    expect_loaded(page)
    recording = record(page, metrics)
    page.context.close()
    return recording


def read(address):
    with urllib.request.urlopen(address) as response:
        return response.read()


def link_address(program):
    """Returns the address of the server behind the link, which the program prints before the one that bypasses it."""
    return re.findall(r"(http://[^/\s]+)/swift-concurrency", "".join(program.output))[0]


def photo_addresses(address):
    return [photo["img_src"] for photo in json.loads(read(f"{address}/mars-photos/api/v1/rovers/curiosity/photos?sol={SOL}"))["photos"]]


# MARK: The picture

WIDTH, GAP, MARGIN = 280, 32, 16
HEIGHT = SCREEN["height"] * WIDTH // SCREEN["width"]
TOP, BOTTOM = 62, 62
SIZE = 2 * MARGIN + 2 * WIDTH + GAP, TOP + HEIGHT + BOTTOM
BACKGROUND, INK, FAINT, ACCENT = "#ffffff", "#14202b", "#5a6772", "#0f5a94"
# The steps in seconds during and after the fling, and the time after which the picture runs faster, by the factor.
STEP, SETTLED_STEP, FAST_FROM, FAST_FACTOR = 0.1, 0.25, 8, 12


def font(size, bold=False):
    return ImageFont.truetype(f"/usr/share/fonts/truetype/dejavu/DejaVuSans{'-Bold' if bold else ''}.ttf", size)


def draw_frame(recordings, time):
    image = Image.new("RGB", SIZE, BACKGROUND)
    draw = ImageDraw.Draw(image)
    is_last = time > max(recording.completion for _, recording in recordings)
    clock = f"A fling over {LANDING} photos …" if time < 0 else f"{time:.1f} s after the fling"
    clock += f" (shown {FAST_FACTOR} times faster)" if time > FAST_FROM and not is_last else ""
    draw.text((SIZE[0] / 2, 8), clock, INK, font(15, bold=True), anchor="ma")
    for place, (name, recording) in enumerate(recordings):
        left = MARGIN + place * (WIDTH + GAP)
        draw.text((left + WIDTH / 2, 36), name, FAINT, font(13), anchor="ma")
        image.paste(recording.frame(time).resize((WIDTH, HEIGHT), Image.LANCZOS), (left, TOP))
        draw.rectangle((left - 1, TOP - 1, left + WIDTH, TOP + HEIGHT), outline="#c4ccd3")
        draw.text((left + WIDTH / 2, TOP + HEIGHT + 8), caption(recording, time), *caption_style(recording, time), anchor="ma")
    note = "Same server, same photos, same simulated 3G link (1.6 Mbit/s, 300 ms)"
    draw.text((SIZE[0] / 2, SIZE[1] - 24), note, FAINT, font(12), anchor="ma")
    return image


def caption(recording, time):
    shown = recording.shown(time)
    if shown is None:
        return " "
    if shown == recording.expected:
        return f"all {shown} photos in view: {recording.completion:.1f} s"
    return f"{shown} of {recording.expected} photos in view"


def caption_style(recording, time):
    is_complete = recording.shown(time) == recording.expected
    return ACCENT if is_complete else INK, font(14, bold=is_complete)


def timeline(recordings):
    """Yields the times of the frames with their durations in milliseconds."""
    end = max(recording.completion for recording in recordings)
    time = -FLING_SECONDS - 0.4
    while time < 0:
        yield time, STEP * 1_000
        time += STEP
    time = 0
    while time < min(end, FAST_FROM):
        yield time, SETTLED_STEP * 1_000
        time += SETTLED_STEP
    while time < end:
        yield time, SETTLED_STEP * 1_000
        time += SETTLED_STEP * FAST_FACTOR
    yield end + 0.3, 4_000


def palette_of(frames):
    """Returns a picture with the colours of frames, and those of texts."""
    montage = Image.new("RGB", (SIZE[0], SIZE[1] * len(frames) + 120), BACKGROUND)
    for place, frame in enumerate(frames):
        montage.paste(frame, (0, SIZE[1] * place))
    for place, colour in enumerate((INK, FAINT, ACCENT)):
        montage.paste(colour, (0, SIZE[1] * len(frames) + 40 * place, SIZE[0], SIZE[1] * len(frames) + 40 * place + 40))
    return montage.quantize(128, method=Image.Quantize.MEDIANCUT)


def save(recordings, file):
    frames, durations = [], []
    for time, duration in timeline([recording for _, recording in recordings]):
        frames.append(draw_frame(recordings, time))
        durations.append(round(duration))
    palette = palette_of([frames[0], frames[len(frames) // 2], frames[-1]])
    frames = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    frames[0].save(file, save_all=True, append_images=frames[1:], duration=durations, loop=0, optimize=True, disposal=1)
    print(f"Lading: {file}: {len(frames)} frames, {Path(file).stat().st_size:,} bytes", file=sys.stderr)


def main(binary, file):
    program = Program("run", "--port", 0, "--in-memory", "--link", LINK, binary=binary)
    try:
        for address in photo_addresses(program.origin_address)[:LANDING + 20]:
            read(address)  # The server draws its photos when they are first requested.
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            own, metrics = record_program(browser, program)
            naive = record_naive_list(browser, link_address(program), metrics)
            browser.close()
    finally:
        program.kill()
    save([("Lading: rows in view first", own), ("a naive list: every row, in order", naive)], file)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("Scripts/picture.py PROGRAM PICTURE: lading, and the file to write.")
    main(*sys.argv[1:])
