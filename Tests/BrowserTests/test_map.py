"""The map of an order under the hand."""

import re

import pytest
from playwright.sync_api import expect

from touch import Finger

TIP = """() => {
    const { x, y, width, height } = document.getElementById("map").getBoundingClientRect();
    const tip = document.querySelector(".map-marks .pin").getScreenCTM();
    return [tip.e - x - width / 2, tip.f - y - height / 2];
}"""

SETTLED = """() => {
    const layers = document.querySelectorAll(".map-tiles g");
    return layers.length === 1 && !document.querySelector("[data-awaited]");
}"""


@pytest.fixture
def page(new_page):
    return new_page(has_touch=True)


@pytest.fixture
def map_page(orders, list_of):
    """The page of an order whose map lives. Without a worker: what that one fetches cannot be held back."""
    orders_page = list_of(orders)
    page = orders_page.page
    page.add_init_script("delete Navigator.prototype.serviceWorker")
    page.goto(f"{orders_page.address}/3")
    expect(page.locator("#map.live")).to_be_visible()
    page.wait_for_function(SETTLED)
    return page


def tip(page):
    """Where the tip of the pin is, seen from the middle of the map."""
    page.evaluate("() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))")
    return [round(value) for value in page.evaluate(TIP)]


def layer(page):
    """The zoom whose tiles lie on top."""
    return int(page.locator(".map-tiles g").last.get_attribute("data-zoom"))


def middle(page):
    box = page.locator("#map").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_drag_moves_the_map(map_page):
    x, y = middle(map_page)

    map_page.mouse.move(x, y)
    map_page.mouse.down()
    map_page.mouse.move(x + 60, y - 30, steps=4)
    map_page.mouse.up()

    assert tip(map_page) == [60, -30]


def test_a_pointer_that_was_never_seen_to_go_up_moves_nothing(map_page):
    told = """([type, pointerId, pointerType, clientX, clientY, buttons]) => document.querySelector(".map-marks").dispatchEvent(
        new PointerEvent(type, { pointerId, pointerType, clientX, clientY, buttons, isPrimary: true, bubbles: true }))"""
    x, y = middle(map_page)
    map_page.mouse.move(x, y)
    map_page.mouse.down(button="right")
    # Its menu takes what follows.
    map_page.evaluate(told, ["pointermove", 1, "mouse", x + 80, y, 0])
    assert tip(map_page) == [0, 0]
    map_page.mouse.up(button="right")
    map_page.mouse.down()
    map_page.evaluate("""() => document.querySelector(".map-marks").addEventListener(
        "pointerup", (event) => event.stopImmediatePropagation(), { capture: true, once: true })""")
    map_page.mouse.up()

    finger = Finger(map_page)
    finger.down(x, y)
    finger.move(x + 50, y)
    finger.up()

    assert tip(map_page) == [50, 0]


def test_the_wheel_zooms_and_keeps_what_is_under_the_pointer(map_page):
    x, y = middle(map_page)
    zoom = layer(map_page)
    map_page.mouse.move(x, y)
    map_page.mouse.down()
    map_page.mouse.move(x + 60, y + 40, steps=4)
    map_page.mouse.up()

    map_page.mouse.wheel(0, -300)

    map_page.wait_for_function("(zoom) => +[...document.querySelectorAll('.map-tiles g')].at(-1).dataset.zoom === zoom + 1", arg=zoom)
    assert tip(map_page) == [60, 40]


def test_a_pinch_zooms(map_page):
    x, y = middle(map_page)
    zoom = layer(map_page)

    Finger(map_page).pinch(x, y, 60, 240)

    map_page.wait_for_function("(zoom) => +[...document.querySelectorAll('.map-tiles g')].at(-1).dataset.zoom === zoom + 2", arg=zoom)
    assert max(map(abs, tip(map_page))) <= 2


def test_a_finger_that_goes_up_over_the_map_scrolls_the_page(map_page):
    map_page.set_viewport_size({"width": 390, "height": 700})
    map_page.evaluate("() => scrollTo({ top: 0, behavior: 'instant' })")
    map_page.wait_for_function(SETTLED)
    x, y = middle(map_page)

    finger = Finger(map_page)
    finger.down(x, y + 60)
    finger.move(x, y - 100)
    finger.up()

    map_page.wait_for_function("() => scrollY > 60")
    # The map itself stays; on the screen it lags behind the page.
    expect(map_page.locator(".map-marks g")).to_have_attribute("transform", "translate(0,0)")


def test_two_fingers_move_the_map_and_not_the_page(map_page):
    map_page.set_viewport_size({"width": 390, "height": 700})
    map_page.wait_for_function(SETTLED)
    x, y = middle(map_page)

    Finger(map_page).drag_with_two(x, y, 30, -80)

    moved = tip(map_page)
    assert abs(moved[0] - 30) <= 2 and abs(moved[1] + 80) <= 2
    assert map_page.evaluate("() => scrollY") == 0


def test_a_map_that_was_moved_is_centred_again_by_its_button(map_page):
    zoom = layer(map_page)
    map_page.locator(".map-marks").press("ArrowRight")
    map_page.get_by_role("button", name="Zoom in").click()
    map_page.wait_for_function("(zoom) => +[...document.querySelectorAll('.map-tiles g')].at(-1).dataset.zoom === zoom + 1", arg=zoom)
    assert tip(map_page) != [0, 0]

    map_page.get_by_role("button", name="Centre the map").click()

    map_page.wait_for_function(SETTLED)
    assert tip(map_page) == [0, 0] and layer(map_page) == zoom


def test_a_tile_that_fails_keeps_no_old_tiles(map_page):
    zoom = layer(map_page)
    map_page.route(f"**/tiles/{zoom + 1}/**", lambda route: route.fulfill(status=204))

    map_page.get_by_role("button", name="Zoom in").click()

    map_page.wait_for_function("(zoom) => [...document.querySelectorAll('.map-tiles g')].map((layer) => +layer.dataset.zoom).join() === `${zoom + 1}`", arg=zoom)


def test_keys_move_and_zoom(map_page):
    zoom = layer(map_page)
    map_page.locator(".map-marks").focus()

    map_page.keyboard.press("ArrowRight")
    assert tip(map_page) == [-64, 0]
    map_page.keyboard.press("ArrowLeft")
    map_page.keyboard.press("-")
    map_page.wait_for_function("(zoom) => +[...document.querySelectorAll('.map-tiles g')].at(-1).dataset.zoom === zoom - 1", arg=zoom)

    assert tip(map_page) == [0, 0]


def test_the_radius_grows_with_the_map_and_the_scale_tells(map_page):
    radius = float(map_page.locator(".map-radius").get_attribute("r"))

    map_page.get_by_role("button", name="Zoom in").click()

    map_page.wait_for_function("(before) => Math.abs(document.querySelector('.map-radius').getAttribute('r') / before - 2) < 0.02", arg=radius)
    expect(map_page.locator(".map-scale")).to_have_text(re.compile(r"^[125]0* k?m$"))
    expect(map_page.locator(".map-source")).to_be_visible()


def test_old_tiles_stay_until_the_new_ones_are_there(map_page):
    zoom = layer(map_page)
    held = []
    map_page.route(f"**/tiles/{zoom + 1}/**", lambda route: held.append(route))

    map_page.get_by_role("button", name="Zoom in").click()

    map_page.wait_for_function("() => document.querySelectorAll('.map-tiles g').length === 2")
    old = map_page.locator(f".map-tiles g[data-zoom='{zoom}']")
    assert old.locator("image").count() > 0
    map_page.wait_for_function("() => document.querySelectorAll('[data-awaited]').length > 0")
    for route in held:
        route.continue_()

    map_page.wait_for_function(SETTLED)
    assert layer(map_page) == zoom + 1


# The header of the page

@pytest.fixture
def phone(new_page, window_on, orders):
    """Opens an order on a phone."""
    def phone(**options):
        page = new_page(**options)
        page.set_viewport_size({"width": 390, "height": 700})
        page.goto(f"{window_on(orders).page}/orders/3")
        expect(page.locator("#map.live")).to_be_visible()
        return page

    return phone


def lag(page):
    """How far the pin is behind the map that scrolls away."""
    before = tip(page)
    page.evaluate("() => scrollTo(0, 100)")
    return tip(page)[1] - before[1]


def test_the_map_lags_behind_the_sheet_that_scrolls_over_it(phone):
    assert 20 < lag(phone()) < 60


def test_the_map_keeps_still_for_readers_who_want_no_motion(phone):
    assert lag(phone(reduced_motion="reduce")) == 0
