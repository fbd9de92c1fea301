"""Gestures and keys on the map of an order."""

import re

import pytest
from playwright.sync_api import expect

from touch import Finger

PIN_OFFSET = """() => {
    const { x, y, width, height } = document.getElementById("map").getBoundingClientRect();
    const tip = document.querySelector(".map-marks .pin").getScreenCTM();
    return [tip.e - x - width / 2, tip.f - y - height / 2];
}"""

TILES_LOADED = """() => {
    const layers = document.querySelectorAll(".map-tiles g");
    return layers.length === 1 && !document.querySelector("[data-awaited]");
}"""


@pytest.fixture
def page(new_page):
    return new_page(has_touch=True)


@pytest.fixture
def map_page(orders, make_order_list):
    """The page of an order with an active map. There is no service worker, because its requests cannot be held."""
    orders_page = make_order_list(orders)
    page = orders_page.page
    page.add_init_script("delete Navigator.prototype.serviceWorker")
    page.goto(f"{orders_page.address}/3")
    expect(page.locator("#map.live")).to_be_visible()
    page.wait_for_function(TILES_LOADED)
    return page


def pin_offset(page):
    """Returns the offset of the tip of the pin from the centre of the map."""
    page.evaluate("() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))")
    return [round(value) for value in page.evaluate(PIN_OFFSET)]


def top_layer_zoom(page):
    """Returns the zoom of the top layer of tiles."""
    return int(page.locator(".map-tiles g").last.get_attribute("data-zoom"))


def map_centre(page):
    box = page.locator("#map").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_drag_moves_the_map(map_page):
    x, y = map_centre(map_page)

    map_page.mouse.move(x, y)
    map_page.mouse.down()
    map_page.mouse.move(x + 60, y - 30, steps=4)
    map_page.mouse.up()

    assert pin_offset(map_page) == [60, -30]


def test_a_pointer_whose_release_was_missed_does_not_move_the_map(map_page):
    dispatch_pointer = """([type, pointerId, pointerType, clientX, clientY, buttons]) => document.querySelector(".map-marks").dispatchEvent(
        new PointerEvent(type, { pointerId, pointerType, clientX, clientY, buttons, isPrimary: true, bubbles: true }))"""
    x, y = map_centre(map_page)
    map_page.mouse.move(x, y)
    map_page.mouse.down(button="right")
    # The context menu captures the following events.
    map_page.evaluate(dispatch_pointer, ["pointermove", 1, "mouse", x + 80, y, 0])
    assert pin_offset(map_page) == [0, 0]
    map_page.mouse.up(button="right")
    map_page.mouse.down()
    map_page.evaluate("""() => document.querySelector(".map-marks").addEventListener(
        "pointerup", (event) => event.stopImmediatePropagation(), { capture: true, once: true })""")
    map_page.mouse.up()

    finger = Finger(map_page)
    finger.down(x, y)
    finger.move(x + 50, y)
    finger.up()

    assert pin_offset(map_page) == [50, 0]


def test_the_wheel_zooms_at_the_pointer(map_page):
    x, y = map_centre(map_page)
    zoom = top_layer_zoom(map_page)
    map_page.mouse.move(x, y)
    map_page.mouse.down()
    map_page.mouse.move(x + 60, y + 40, steps=4)
    map_page.mouse.up()

    map_page.mouse.wheel(0, -300)

    map_page.wait_for_function("(zoom) => +[...document.querySelectorAll('.map-tiles g')].at(-1).dataset.zoom === zoom + 1", arg=zoom)
    assert pin_offset(map_page) == [60, 40]


def test_a_pinch_zooms(map_page):
    x, y = map_centre(map_page)
    zoom = top_layer_zoom(map_page)

    Finger(map_page).pinch(x, y, 60, 240)

    map_page.wait_for_function("(zoom) => +[...document.querySelectorAll('.map-tiles g')].at(-1).dataset.zoom === zoom + 2", arg=zoom)
    assert max(map(abs, pin_offset(map_page))) <= 2


def test_a_vertical_swipe_over_the_map_scrolls_the_page(map_page):
    map_page.set_viewport_size({"width": 390, "height": 700})
    map_page.evaluate("() => scrollTo({ top: 0, behavior: 'instant' })")
    map_page.wait_for_function(TILES_LOADED)
    x, y = map_centre(map_page)

    finger = Finger(map_page)
    finger.down(x, y + 60)
    finger.move(x, y - 100)
    finger.up()

    map_page.wait_for_function("() => scrollY > 60")
    # The map itself does not move; on the screen it has parallax.
    expect(map_page.locator(".map-marks g")).to_have_attribute("transform", "translate(0,0)")


def test_two_fingers_move_the_map_but_not_the_page(map_page):
    map_page.set_viewport_size({"width": 390, "height": 700})
    map_page.wait_for_function(TILES_LOADED)
    x, y = map_centre(map_page)

    Finger(map_page).two_finger_drag(x, y, 30, -80)

    moved = pin_offset(map_page)
    assert abs(moved[0] - 30) <= 2 and abs(moved[1] + 80) <= 2
    assert map_page.evaluate("() => scrollY") == 0


def test_the_centre_button_resets_the_map(map_page):
    zoom = top_layer_zoom(map_page)
    map_page.locator(".map-marks").press("ArrowRight")
    map_page.get_by_role("button", name="Zoom in").click()
    map_page.wait_for_function("(zoom) => +[...document.querySelectorAll('.map-tiles g')].at(-1).dataset.zoom === zoom + 1", arg=zoom)
    assert pin_offset(map_page) != [0, 0]

    map_page.get_by_role("button", name="Centre the map").click()

    map_page.wait_for_function(TILES_LOADED)
    assert pin_offset(map_page) == [0, 0] and top_layer_zoom(map_page) == zoom


def test_a_failed_tile_does_not_keep_the_old_layer(map_page):
    zoom = top_layer_zoom(map_page)
    map_page.route(f"**/tiles/{zoom + 1}/**", lambda route: route.fulfill(status=204))

    map_page.get_by_role("button", name="Zoom in").click()

    map_page.wait_for_function("(zoom) => [...document.querySelectorAll('.map-tiles g')].map((layer) => +layer.dataset.zoom).join() === `${zoom + 1}`", arg=zoom)


def test_keys_pan_and_zoom_the_map(map_page):
    zoom = top_layer_zoom(map_page)
    map_page.locator(".map-marks").focus()

    map_page.keyboard.press("ArrowRight")
    assert pin_offset(map_page) == [-64, 0]
    map_page.keyboard.press("ArrowLeft")
    map_page.keyboard.press("-")
    map_page.wait_for_function("(zoom) => +[...document.querySelectorAll('.map-tiles g')].at(-1).dataset.zoom === zoom - 1", arg=zoom)

    assert pin_offset(map_page) == [0, 0]


def test_the_radius_and_the_scale_follow_the_zoom(map_page):
    radius = float(map_page.locator(".map-radius").get_attribute("r"))

    map_page.get_by_role("button", name="Zoom in").click()

    map_page.wait_for_function("(before) => Math.abs(document.querySelector('.map-radius').getAttribute('r') / before - 2) < 0.02", arg=radius)
    expect(map_page.locator(".map-scale")).to_have_text(re.compile(r"^[125]0* k?m$"))
    expect(map_page.locator(".map-source")).to_be_visible()


def test_old_tiles_stay_until_the_new_ones_have_loaded(map_page):
    zoom = top_layer_zoom(map_page)
    held, is_holding = [], True
    # Some tiles may be requested only after the others are released.
    map_page.route(f"**/tiles/{zoom + 1}/**", lambda route: held.append(route) if is_holding else route.continue_())

    map_page.get_by_role("button", name="Zoom in").click()

    map_page.wait_for_function("() => document.querySelectorAll('.map-tiles g').length === 2")
    old = map_page.locator(f".map-tiles g[data-zoom='{zoom}']")
    assert old.locator("image").count() > 0
    map_page.wait_for_function("() => document.querySelectorAll('[data-awaited]').length > 0")
    is_holding = False
    for route in held:
        route.continue_()

    map_page.wait_for_function(TILES_LOADED)
    assert top_layer_zoom(map_page) == zoom + 1


# The map at the top of the page

@pytest.fixture
def open_on_phone(start_window, orders, new_page):
    """Opens an order on a phone."""
    def open_on_phone(**options):
        page = new_page(**options)
        page.set_viewport_size({"width": 390, "height": 700})
        page.goto(f"{start_window(orders).address}/orders/3")
        expect(page.locator("#map.live")).to_be_visible()
        return page

    return open_on_phone


def parallax_offset(page):
    """Returns the offset of the pin from the scroll position."""
    before = pin_offset(page)
    page.evaluate("() => scrollTo(0, 100)")
    return pin_offset(page)[1] - before[1]


def test_the_map_scrolls_with_parallax(open_on_phone):
    assert 20 < parallax_offset(open_on_phone()) < 60


def test_the_map_has_no_parallax_with_reduced_motion(open_on_phone):
    assert parallax_offset(open_on_phone(reduced_motion="reduce")) == 0
