"""The journeys of the README in Firefox and in WebKit, on the program as a user starts it. The other tests use Chromium."""

import sys
import tempfile
from pathlib import Path

import pytest

from browsers import Firefox, WebKit

sys.path.append(str(Path(__file__).parents[1] / "BrowserTests"))
from program import Program  # noqa: E402

ORDERS, DELIVERIES = 40, 60

DRAW = """
    const canvas = document.querySelector(".signature canvas");
    canvas.scrollIntoView();
    const { left, top } = canvas.getBoundingClientRect(), empty = canvas.toDataURL();
    // Only pointers of a device can be captured.
    canvas.setPointerCapture = () => {};
    for (const [name, x] of [["pointerdown", 10], ["pointermove", 60], ["pointerup", 60]]) {
        const place = { clientX: left + x, clientY: top + x / 2, isPrimary: true, pointerId: 1, bubbles: true };
        canvas.dispatchEvent(new PointerEvent(name, place));
    }
    return canvas.toDataURL() !== empty;
"""


@pytest.fixture(scope="module")
def folder():
    with tempfile.TemporaryDirectory(prefix="lading-") as folder:
        yield folder


@pytest.fixture(scope="module")
def arguments(folder):
    return ("run", "--orders", ORDERS, "--deliveries", DELIVERIES, "--data", Path(folder) / "data")


@pytest.fixture(scope="module")
def running(arguments):
    """The running program, in a list, because a test replaces it."""
    programs = [Program(*arguments, "--port", "0")]
    yield programs
    programs[-1].stop()


@pytest.fixture
def address(running):
    return running[-1].address


@pytest.fixture(scope="module", params=[Firefox, WebKit])
def browser(request):
    browser = request.param()
    yield browser
    browser.quit()


def sign_in(browser, address, name):
    browser.open(f"{address}/sign-in")
    if "Signed in as" in browser.text("body"):
        browser.press("Sign out")
        browser.wait_for_text("body", "Try the demo as")
    browser.press(f"{name} (demo)")
    browser.wait_for_text("body", f"Signed in as {name}")


LAST_ROW = "[...document.querySelectorAll('.row[data-state=loaded]')].find((row) => row.getAttribute('aria-posinset') === row.getAttribute('aria-setsize'))"


def read_to_the_end(browser):
    """Scrolls until the last row is loaded."""
    browser.wait_for("document.querySelectorAll('.row[data-state=loaded]').length > 3")
    browser.wait_for(f"(scrollTo(0, document.documentElement.scrollHeight), {LAST_ROW} !== undefined)")


def test_orders_are_read_to_the_end(browser, address):
    browser.open(f"{address}/orders")
    browser.wait_for_text("#heading", "orders")

    read_to_the_end(browser)


def test_deliveries_are_read_to_the_end_and_marked(browser, address):
    browser.open(f"{address}/deliveries")
    read_to_the_end(browser)

    button = f"#{browser.run(f'return {LAST_ROW}.id;')} .favourite button"
    before = browser.run("return document.querySelector(arguments[0]).getAttribute('aria-pressed');", button)
    browser.run("document.querySelector(arguments[0]).click();", button)
    browser.wait_for(f'document.querySelector("{button}").getAttribute("aria-pressed") !== "{before}"')


def test_an_order_is_carried_out_and_proven(browser, address):
    sign_in(browser, address, "Mina")
    browser.open(f"{address}/orders")
    order = browser.wait_for("[...document.querySelectorAll('.row')].find((row) => row.dataset.standing === 'open')?.id.slice('row-'.length)")
    browser.run("document.querySelector(`#row-${arguments[0]} [data-step=claim] button`).click();", order)
    browser.wait_for_text(f"#row-{order}", "Yours")
    browser.open(f"{address}/orders/{order}")
    browser.wait_for("document.querySelector('#work[data-server-standing]') !== null")

    browser.press("Picked up")
    browser.wait_for_text("#order-state", "On the way")
    browser.press("Arrived")
    browser.wait_for_text("#order-state", "At the recipient")
    browser.type("[name=signature]", "Ms Lee")
    assert browser.run(DRAW)
    browser.press("Delivered")

    browser.wait_for_text("#order-state", "Delivered")
    browser.wait_for("[...document.querySelectorAll('#steps li')].filter((step) => /\\bsent$/.test(step.textContent.trim())).length === 4")
    browser.wait_for("document.querySelectorAll('#steps [data-write]').length === 0")


def test_photos_are_shown(browser, address):
    browser.open(f"{address}/photos/curiosity/4400")
    browser.wait_for("[...document.querySelectorAll('#list img')].filter((image) => image.complete && image.naturalWidth > 0).length > 5")

    browser.run("document.querySelector('#list a').click();")
    browser.wait_for("[...document.querySelectorAll('main img')].some((image) => image.naturalWidth > 200)")


def test_dispatchers_sort_orders_and_open_one(browser, address):
    sign_in(browser, address, "Ada")
    browser.open(f"{address}/dispatch?show=all")
    browser.wait_for("document.querySelectorAll('#dispatch-table tbody tr').length > 10")

    browser.run("""
        const choice = document.querySelector("#dispatch-search select");
        choice.value = "price";
        choice.dispatchEvent(new Event("change", { bubbles: true }));
    """)
    browser.wait_for("location.search.includes('sort=price')")
    browser.wait_for("document.querySelectorAll('#dispatch-table tbody tr').length > 10")
    browser.run("document.querySelector('#dispatch-table tbody a').click();")
    browser.wait_for("document.querySelector('#map.live') !== null")


def test_pages_that_were_read_open_offline_and_become_live(browser, running, arguments):
    program = running[-1]
    browser.open(f"{program.address}/deliveries")
    browser.wait_for("navigator.serviceWorker.controller !== null")
    browser.open(f"{program.address}/deliveries")
    read_to_the_end(browser)
    browser.wait_for("caches.match('/deliveries').then((page) => page !== undefined)")
    program.stop()

    browser.open(f"{program.address}/deliveries")
    browser.wait_for("document.querySelectorAll('.row[data-state=loaded]').length > 3")
    browser.wait_for("document.querySelector('[data-status=offline]') !== null")

    running.append(Program(*arguments, "--port", program.port))
    browser.wait_for("document.querySelector('#bar[data-status=ready]') !== null", timeout=60)
