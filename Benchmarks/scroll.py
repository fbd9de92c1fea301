#!/usr/bin/env python3
"""Measures the scrolling of a list of 100,000 orders; prints one line per figure: figure <name> <value> <unit>.

    Benchmarks/scroll.py ADDRESS

ADDRESS is that of a program with 100,000 orders, such as http://127.0.0.1:8080. Frames are compared with those of an empty
scroller of the same height in the same browser and run, alternately, which cancels out the speed of the machine.
"""

import os
import sys

from playwright.sync_api import sync_playwright

PIXELS_PER_SECOND = 8_000
SECONDS = 5
ROUNDS = 3
BELOW_THE_FORM = 400
SLOW_FRAME = 25
"""The duration in milliseconds above which a frame is slow."""

# Scrolls by elapsed time, whatever the frame rate; records the duration of each frame, and whether a row was missing.
SCROLL = """async ({ speed, seconds, from, checkRows }) => {
    const bar = document.getElementById("bar"), frames = [];
    const missing = () => {
        const top = bar.getBoundingClientRect().bottom;
        for (let y = top + 1; y < innerHeight; y += 40) {
            const row = document.elementsFromPoint(innerWidth / 2, y).find((element) => element.matches(".row"));
            if (!row || row.dataset.state !== "loaded") return true;
        }
        return false;
    };
    const frame = () => new Promise(requestAnimationFrame);
    const start = await frame();
    for (let last = start, now; last - start < seconds * 1000; last = now) {
        scrollTo({ top: from + (last - start) / 1000 * speed, behavior: "instant" });
        now = await frame();
        frames.push({ time: now - last, missing: checkRows && missing() });
    }
    return frames;
}"""

EMPTY_SCROLLER = """(height) => {
    document.body.innerHTML = `<div id="bar"></div><div></div>`;
    document.body.lastElementChild.style.height = `${height}px`;
}"""

LOADED = """() => {
    const rows = [...document.querySelectorAll(".row")].filter((row) => {
        const { top, bottom } = row.getBoundingClientRect();
        return bottom > 0 && top < innerHeight;
    });
    return rows.length > 2 && rows.every((row) => row.dataset.state === "loaded");
}"""


def scroll(page, start=0, check_rows=False):
    return page.evaluate(SCROLL, {"speed": PIXELS_PER_SECOND, "seconds": SECONDS, "from": start, "checkRows": check_rows})


def load_all(page, pixels):
    """Scrolls through all screens until their rows have loaded, so that the program has cached them."""
    for top in range(0, pixels + 1, 600):
        page.evaluate("(top) => scrollTo({ top, behavior: 'instant' })", top)
        page.wait_for_function(LOADED)
    page.evaluate("() => scrollTo({ top: 0, behavior: 'instant' })")
    page.wait_for_function(LOADED)


def slow_frame_percentage(frames):
    """Returns the percentage of slow frames."""
    return 100 * sum(frame["time"] > SLOW_FRAME for frame in frames) / len(frames)


def main(address):
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("LADING_CHROMIUM", "/usr/bin/chromium"), args=["--no-sandbox"] if os.getuid() == 0 else [])
        context = browser.new_context(viewport={"width": 390, "height": 844})
        page = context.new_page()
        page.goto(f"{address}/orders")
        page.wait_for_function(LOADED)
        height = page.evaluate("() => document.documentElement.scrollHeight")
        empty = context.new_page()
        empty.goto(address)
        empty.evaluate(EMPTY_SCROLLER, height)
        load_all(page, PIXELS_PER_SECOND * SECONDS + 2_000)
        list_frames, baseline_frames = [], []
        for _ in range(ROUNDS):
            empty.bring_to_front()
            baseline_frames += scroll(empty)
            page.bring_to_front()
            page.evaluate("() => scrollTo({ top: 0, behavior: 'instant' })")
            page.wait_for_function(LOADED)
            list_frames += scroll(page)
        page.evaluate("() => scrollTo({ top: 0, behavior: 'instant' })")
        page.wait_for_function(LOADED)
        missing = sum(frame["missing"] for frame in scroll(page, start=BELOW_THE_FORM, check_rows=True))
        browser.close()
    print(f"figure window-scroll-slow-frames {max(0, slow_frame_percentage(list_frames) - slow_frame_percentage(baseline_frames)):.2f} points")
    print(f"figure window-scroll-missing {missing} frames")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("Benchmarks/scroll.py ADDRESS: the address of a program with 100,000 orders.")
    main(sys.argv[1].rstrip("/"))
