#!/usr/bin/env python3
"""Takes the first picture of the README: a dispatcher's screen and a courier's phone, while simulated people work.

    Scripts/city-picture.py PROGRAM PICTURE
"""

import io
import sys
import tempfile
from pathlib import Path

from PIL import Image, ImageDraw
from playwright.sync_api import expect, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1] / "Tests" / "BrowserTests"))
import program as programs  # noqa: E402
from browser_profile import CHROMIUM, FLAGS  # noqa: E402

DESKTOP, PHONE = {"width": 1180, "height": 1040}, {"width": 390, "height": 844}
GAP, MARGIN, RADIUS = 32, 24, 16
COLORS = 128
"""The number of colours of the picture, which keeps its file small."""
MINUTES_OF_WORK = 2


def sign_in(browser, size, address, name):
    page = browser.new_context(viewport=size).new_page()
    page.goto(f"{address}/sign-in")
    page.get_by_role("button", name=f"{name} (demo)").click()
    expect(page.get_by_text("Signed in as")).to_be_visible()
    return page


def shot(page):
    return Image.open(io.BytesIO(page.screenshot(animations="disabled"))).convert("RGB")


def rounded(picture):
    mask = Image.new("L", picture.size, 0)
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, picture.width - 1, picture.height - 1), RADIUS, fill=255)
    return mask


def main(binary, target):
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        program = programs.Program(
            "run", "--orders", "120", "--deliveries", "5", "--data", data, "--port", "0", "--simulate", binary=binary)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        courier = sign_in(browser, PHONE, program.address, "Mina")
        dispatcher = sign_in(browser, DESKTOP, program.address, "Ada")
        dispatcher.goto(f"{program.address}/dispatch?show=attention")
        courier.goto(f"{program.address}/orders/7")
        courier.get_by_role("button", name="Take", exact=True).press("Enter")
        courier.wait_for_timeout(MINUTES_OF_WORK * 60_000)
        courier.goto(f"{program.address}/orders/7")
        expect(courier.locator("#order-state")).to_have_text("To be picked up")
        dispatcher.reload()
        expect(dispatcher.locator("#dispatch-rows tr").first).to_be_visible()
        courier.wait_for_timeout(2_000)
        left, right = shot(dispatcher), shot(courier)
        browser.close()
        program.stop()
    width = left.width + right.width + GAP + 2 * MARGIN
    picture = Image.new("RGB", (width, left.height + 2 * MARGIN), (228, 232, 236))
    picture.paste(left, (MARGIN, MARGIN), rounded(left))
    picture.paste(right, (MARGIN + left.width + GAP, MARGIN + (left.height - right.height) // 2), rounded(right))
    picture.quantize(COLORS).save(target, optimize=True)


main(*sys.argv[1:])
