#!/usr/bin/env python3
"""Takes the pictures of the guides for couriers and dispatchers, in the real page.

    Scripts/guide-pictures.py PROGRAM FOLDER
"""

import io
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import expect, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1] / "Tests" / "BrowserTests"))
import program as programs  # noqa: E402
from browser_profile import CHROMIUM, FLAGS  # noqa: E402

PHONE, DESKTOP = {"width": 390, "height": 700}, {"width": 1180, "height": 760}
COLORS = 64
"""The number of colours of a picture, which keeps its file small."""


def take_picture(page, folder, name):
    page.wait_for_timeout(400)
    picture = Image.open(io.BytesIO(page.screenshot(animations="disabled")))
    picture.convert("RGB").quantize(COLORS).save(folder / f"{name}.png", optimize=True)


def sign_in(page, address, name):
    page.goto(f"{address}/sign-in")
    page.get_by_role("button", name=f"{name} (demo)").click()
    expect(page.get_by_text("Signed in as")).to_be_visible()


def press(page, name, state):
    page.get_by_role("button", name=name, exact=True).press("Enter")
    expect(page.locator("#order-state")).to_have_text(state)


def sign(page):
    canvas = page.get_by_role("img", name="Signature")
    canvas.evaluate("(canvas) => canvas.scrollIntoView({ block: 'center' })")
    box = canvas.bounding_box()
    page.mouse.move(box["x"] + 40, box["y"] + 80)
    page.mouse.down()
    for x, y in [(60, 30), (75, 85), (95, 40), (110, 80), (140, 50), (165, 75), (200, 55), (240, 70)]:
        page.mouse.move(box["x"] + x, box["y"] + y, steps=6)
    page.mouse.up()


def courier_pictures(page, address, folder):
    page.goto(f"{address}/orders")
    expect(page.locator("article.row").nth(4)).to_be_visible()
    take_picture(page, folder, "courier-board")
    page.goto(f"{address}/orders/3")
    press(page, "Take", "To be picked up")
    expect(page.locator("#notice")).to_be_empty(timeout=15_000)
    page.evaluate("() => document.querySelector('.items').scrollIntoView()")
    take_picture(page, folder, "courier-pick-up")
    press(page, "Picked up", "On the way")
    page.evaluate("() => scrollTo(0, 0)")
    take_picture(page, folder, "courier-on-the-way")
    press(page, "Arrived", "At the recipient")
    page.get_by_label("Name of the recipient").fill("Ms Lee")
    sign(page)
    take_picture(page, folder, "courier-proof")
    page.context.set_offline(True)
    press(page, "Delivered", "Delivered")
    page.evaluate("() => document.getElementById('steps').scrollIntoView({ block: 'center' })")
    # The message would cover the steps.
    expect(page.locator("#notice")).to_be_empty(timeout=10_000)
    take_picture(page, folder, "courier-offline")
    page.context.set_offline(False)


def dispatch_pictures(page, address, folder):
    page.goto(f"{address}/dispatch?show=all&sort=newest")
    expect(page.locator("#dispatch-rows tr").first).to_be_visible()
    take_picture(page, folder, "dispatch-table")
    page.goto(f"{address}/dispatch/orders/3")
    expect(page.locator("#history li").nth(3)).to_be_visible(timeout=60_000)
    take_picture(page, folder, "dispatch-order")


def main(binary, folder):
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        program = programs.Program("run", "--orders", "40", "--deliveries", "5", "--data", data, "--port", "0", binary=binary)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        courier, dispatcher = (browser.new_context(viewport=size).new_page() for size in (PHONE, DESKTOP))
        sign_in(courier, program.address, "Mina")
        sign_in(dispatcher, program.address, "Ada")
        courier_pictures(courier, program.address, folder)
        dispatch_pictures(dispatcher, program.address, folder)
        browser.close()
        program.stop()


main(*sys.argv[1:])
