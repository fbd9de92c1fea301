#!/usr/bin/env python3
"""Measures the page of couriers; prints one line per figure: figure <name> <value> <unit>.

    Benchmarks/couriers.py PROGRAM

PROGRAM is `lading`. `tap-to-confirmed-locally` is the time from a tap until the page shows the step that it has
stored, on a slow processor. `photo-to-confirmed` is the time from the begin of an upload until the delivery is confirmed, as a ratio to the time that
the link needs for the bytes of the photo alone.
"""

import os
import re
import subprocess
import sys
import tempfile

from playwright.sync_api import sync_playwright

TAPS = 100
SLOWDOWN = 4
LINK = "3g"
UPLOAD_BYTES_PER_SECOND = 768_000 / 8
"""The rate of the link to the server."""

PHOTO_SIDE = 2_250
"""The side of the photo in pixels; of noise, so that it has about 4 MB."""

# Presses the button of a step, and returns the milliseconds until the page shows its state.
TAP = """async ([step, state]) => {
    const button = document.querySelector(`#step-${step} button`), shown = document.getElementById("order-state");
    const start = performance.now();
    const changed = new Promise((resolve) => new MutationObserver((_, observer) => {
        if (shown.textContent !== state) return;
        observer.disconnect();
        resolve();
    }).observe(shown, { childList: true, characterData: true, subtree: true }));
    button.click();
    await changed;
    await new Promise(requestAnimationFrame);
    return performance.now() - start;
}"""

NOISE = """async (side) => {
    const canvas = Object.assign(document.createElement("canvas"), { width: side, height: side }), context = canvas.getContext("2d");
    const image = context.createImageData(side, side);
    for (let start = 0; start < image.data.length; start += 65_536) crypto.getRandomValues(image.data.subarray(start, start + 65_536));
    for (let alpha = 3; alpha < image.data.length; alpha += 4) image.data[alpha] = 255;
    context.putImageData(image, 0, 0);
    const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.9));
    const files = new DataTransfer();
    files.items.add(new File([blob], "photo.jpg", { type: "image/jpeg" }));
    const input = document.querySelector("[name=photo]");
    input.files = files.files;
    input.dispatchEvent(new Event("change"));
    return blob.size;
}"""


class Lading:
    """A running program."""

    def __init__(self, program, *arguments):
        self.process = subprocess.Popen([program, "run", "--port", "0", *arguments], stdout=subprocess.PIPE, text=True)
        for line in self.process.stdout:
            if match := re.search(r"Lading is at (http://\S+)/", line):
                self.address = match[1]
                return
        raise SystemExit("The program did not start.")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


def open_order(page, address, order):
    """Signs in, takes an order and opens it."""
    page.goto(f"{address}/sign-in")
    page.locator("[name=demo]").first.click()
    page.goto(f"{address}/orders/{order}")
    page.locator("#step-claim button").click()
    page.locator("#work[data-standing=claimed] #steps li").wait_for()


def measure_taps(page, address):
    open_order(page, address, 1)
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
    times = []
    for _ in range(TAPS):
        times.append(page.evaluate(TAP, ["pick-up", "On the way"]))
        page.get_by_role("button", name="Undo").click()
        page.locator("#work[data-standing=claimed]").wait_for()
    print(f"figure tap-to-confirmed-locally {sorted(times)[TAPS * 99 // 100 - 1]:.0f} ms", flush=True)


def measure_photo(page, address):
    open_order(page, address, 1)
    for step, standing in [("pick-up", "pickedUp"), ("arrive", "arrived")]:
        page.locator(f"#step-{step} button").click()
        page.locator(f"#work[data-standing={standing}]").wait_for()
    size = page.evaluate(NOISE, PHOTO_SIDE)
    page.locator(".proof-preview:not([hidden])").wait_for()
    uploads = []
    page.context.on("request", lambda request: "/proofs/" in request.url and uploads.append(request))
    with page.context.expect_event("response", lambda response: response.url.endswith("/deliver") and response.ok, timeout=180_000) as response:
        page.locator("#step-deliver button").click()
    sent = int([request for request in uploads if request.method == "PATCH"][-1].response().headers["upload-offset"])
    first = min(request.timing["startTime"] for request in uploads)
    timing = response.value.request.timing
    seconds = (timing["startTime"] + timing["responseStart"] - first) / 1_000
    print(f"photo: {size} bytes, {sent} bytes sent in {seconds:.1f} s", file=sys.stderr)
    print(f"figure photo-to-confirmed {seconds / (sent / UPLOAD_BYTES_PER_SECOND):.2f} ratio", flush=True)


def main(program):
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("LADING_CHROMIUM", "/usr/bin/chromium"), args=["--no-sandbox"] if os.getuid() == 0 else [])
        for measure, link in [(measure_taps, []), (measure_photo, ["--link", LINK])]:
            with tempfile.TemporaryDirectory() as data, Lading(program, "--orders", "5", "--deliveries", "5", "--data", data, *link) as lading:
                # Without a worker the page sends its steps itself, where their requests can be observed.
                context = browser.new_context(viewport={"width": 390, "height": 844}, service_workers="block")
                measure(context.new_page(), lading.address)
                context.close()
        browser.close()


main(sys.argv[1])
