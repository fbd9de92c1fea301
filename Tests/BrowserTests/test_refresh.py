"""Refreshes by pull and by button: their indicators, errors and new rows."""

import pytest
from playwright.sync_api import expect

from error_bar import retry
from order_list import OrderList
from orders_server import order_document
from touch import Finger

# The animation of the compass and the busy state of the list, frame by frame.
RECORD_COMPASS = """() => {
    globalThis.turns = [];
    const needle = document.querySelector(".compass-needle"), list = document.getElementById("list");
    const record = () => {
        turns.push({ turns: getComputedStyle(needle).animationName !== "none", busy: list.ariaBusy === "true" });
        requestAnimationFrame(record);
    };
    record();
}"""


@pytest.fixture
def touch_list(orders, start_window, new_page):
    """The list in a page with touch."""
    page = new_page(has_touch=True)
    orders_page = OrderList(page, start_window(orders).address).open()
    orders_page.expect_all_loaded()
    return orders_page


@pytest.fixture
def failed_refresh(orders, make_order_list):
    """A list whose refresh has failed, and the rows in view before."""
    orders_page = make_order_list(orders).open()
    orders_page.expect_all_loaded()
    rows = orders_page.rows_in_view()
    orders.stop()
    orders_page.refresh()
    expect(orders_page.error).to_be_visible()
    return orders_page, rows


# Pull to refresh

def test_a_pull_refreshes_and_the_compass_spins_until_the_refresh_ends(orders, touch_list):
    page = touch_list.page
    finger = Finger(page)
    page.evaluate(RECORD_COMPASS)
    orders.hold_lists()

    finger.down(180, 250)
    finger.move(180, 420)
    assert page.evaluate("() => turns.some(({ turns }) => turns)") is False
    finger.up()

    expect(touch_list.bar).to_have_attribute("data-status", "busy")
    page.wait_for_function("() => turns.at(-1).turns")
    orders.release_lists()
    expect(touch_list.bar).to_have_attribute("data-status", "ready")
    page.wait_for_function("() => !turns.at(-1).turns")
    assert orders.lists_sent == 2
    assert page.evaluate("() => turns.filter(({ turns, busy }) => turns !== busy).length") == 0


def test_the_compass_follows_the_finger(touch_list):
    page = touch_list.page
    compass = page.locator("#compass")
    finger = Finger(page)

    finger.down(180, 250)
    finger.move(180, 300)
    little = compass.bounding_box()["y"]
    finger.move(180, 350)

    page.wait_for_function("(little) => document.getElementById('compass').getBoundingClientRect().top > little + 1", arg=little)
    finger.move(180, 250)
    finger.up()
    expect(compass).to_have_css("opacity", "0")


def test_a_short_pull_does_not_refresh(touch_list):
    finger = Finger(touch_list.page)
    requested = []
    touch_list.page.on("request", lambda request: requested.append(request.url) if request.url.endswith("/refresh") else None)

    finger.down(180, 250)
    finger.move(180, 310)
    finger.up()
    touch_list.refresh()

    assert len(requested) == 1


def test_a_drag_in_the_middle_of_the_list_scrolls(orders, touch_list):
    page = touch_list.page
    touch_list.jump_to(10)
    before = page.evaluate("scrollY")
    finger = Finger(page)

    finger.down(180, 300)
    finger.move(180, 550)
    finger.up()

    page.wait_for_function("(before) => scrollY < before - 150", arg=before)
    assert page.evaluate("() => getComputedStyle(document.getElementById('compass')).getPropertyValue('--pull')").strip() in ("", "0")
    assert orders.lists_sent == 1


def test_the_refresh_button_spins_until_the_refresh_ends(orders, make_order_list):
    orders_page = make_order_list(orders).open()
    orders_page.expect_all_loaded()
    icon = orders_page.page.locator("#refresh .icon")
    orders.hold_lists()

    orders_page.page.get_by_role("button", name="Refresh").click()

    expect(icon).to_have_css("animation-name", "spin")
    orders.release_lists()
    expect(icon).to_have_css("animation-name", "none")


# Errors

def test_a_failed_refresh_shows_the_full_reason_and_hides_no_row(failed_refresh):
    orders_page, before = failed_refresh
    page = orders_page.page

    message = page.locator("#error-bar")
    expect(orders_page.error).to_have_text("The server can’t be reached.")
    assert page.evaluate("(element) => element.scrollWidth <= element.clientWidth", orders_page.error.element_handle())
    expect(orders_page.error).to_have_css("user-select", "text")
    assert [(row["id"], row["top"]) for row in orders_page.rows_in_view()] == [(row["id"], row["top"]) for row in before]

    page.evaluate("() => scrollTo(0, document.documentElement.scrollHeight)")
    orders_page.expect_in_view(39)
    assert orders_page.bounding_box_of(40)["bottom"] <= message.bounding_box()["y"] + 1


def test_the_focused_row_is_never_under_the_error_bar(failed_refresh):
    orders_page, _ = failed_refresh
    page = orders_page.page
    orders_page.row(1).focus()

    for number in range(2, 14):
        page.keyboard.press("PageDown")
        expect(orders_page.row(number)).to_be_focused()
        # Read in one step, because a loading row replaces its element.
        overlap = page.evaluate(
            """(number) => document.getElementById(`row-${number}`).getBoundingClientRect().bottom
                - document.getElementById("error-bar").getBoundingClientRect().top""",
            number,
        )
        assert overlap <= 1


def test_the_error_stays_until_the_next_successful_refresh(orders, failed_refresh):
    orders_page, _ = failed_refresh
    # Before the server starts, because the program retries by itself.
    orders.hold_lists()
    orders.start()

    orders_page.refresh()

    expect(orders_page.bar).to_have_attribute("data-status", "busy")
    expect(orders_page.error).to_be_visible()
    orders.stop()
    orders.release_lists()
    expect(orders_page.bar).to_have_attribute("data-status", "ready")
    expect(orders_page.error).to_be_visible()

    orders.start()
    retry(orders_page.page)

    expect(orders_page.error).to_be_hidden()


def test_a_row_that_fails_to_reload_keeps_its_content_and_height(orders, make_order_list):
    orders_page = make_order_list(orders).open()
    orders_page.expect_all_loaded()
    row = orders_page.row(2)
    height = orders_page.bounding_box_of(2)["height"]
    orders.responses[2] = 503

    orders_page.refresh()

    retry = row.get_by_role("button")
    expect(retry).to_be_visible()
    expect(row).to_contain_text("Groceries 2")
    expect(retry).to_have_accessible_name(
        "Couldn’t refresh: The server has a problem. Try again later. Retry")
    assert orders_page.bounding_box_of(2)["height"] == height
    assert min(retry.bounding_box()[side] for side in ("width", "height")) >= 44

    orders.responses[2] = order_document(2, title="Groceries for tomorrow")
    retry.click()

    expect(row).to_contain_text("Groceries for tomorrow")
    expect(row.get_by_role("button")).to_have_count(0)


# New rows

def test_new_rows_are_announced_by_a_button(orders, make_order_list):
    orders_page = make_order_list(orders).open()
    page = orders_page.page
    orders.numbers = list(range(4, 41))
    orders_page.refresh()
    expect(orders_page.heading).to_have_text("37 orders")
    orders_page.expect_all_loaded()
    rows = orders_page.rows_in_view()
    orders.numbers = list(range(1, 41))

    orders_page.refresh()

    expect(orders_page.new_rows_button).to_have_text("3 new orders")
    assert [(row["id"], row["top"]) for row in orders_page.rows_in_view()] == [(row["id"], row["top"]) for row in rows]

    orders_page.new_rows_button.click()

    expect(orders_page.new_rows_button).to_be_hidden()
    orders_page.expect_all_loaded()
    assert page.evaluate("scrollY") == 0
    assert [row["id"] for row in orders_page.rows_in_view()][:4] == [1, 2, 3, 4]


def test_new_rows_can_be_reached_by_scrolling(orders, make_order_list):
    orders.numbers = list(range(4, 41))
    orders_page = make_order_list(orders).open()
    page = orders_page.page
    orders_page.expect_all_loaded()
    orders.numbers = list(range(1, 41))
    orders_page.refresh()
    expect(orders_page.new_rows_button).to_be_visible()
    page.mouse.move(180, 500)

    page.mouse.wheel(0, 300)
    page.wait_for_function("() => scrollY > 500")
    page.mouse.wheel(0, -2_000)

    page.wait_for_function("() => scrollY === 0")
    expect(orders_page.new_rows_button).to_be_hidden()
    orders_page.expect_all_loaded()
    assert orders_page.rows_in_view()[0]["id"] == 1
