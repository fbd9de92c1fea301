"""The first load over a slow link: skeletons at once, and one indicator of progress."""

from playwright.sync_api import expect

from delivery_list import DeliveryList
from error_bar import retry
from order_list import OrderList
from photo_grid import PhotoGrid
from touch import Finger

# The elements with an endless animation.
INDICATORS = """() => [...document.querySelectorAll("body *")]
    .filter((element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && getComputedStyle(element).animationIterationCount === "infinite")
    .map((element) => element.className)"""


def expect_first_load(page):
    """Expects skeletons that fill the screen, and a status line as the only indicator of loading."""
    expect(page.locator("#bar")).to_have_attribute("data-status", "loading")
    expect(page.locator(".status-text")).to_have_text("Loading")
    page.wait_for_function("() => document.querySelectorAll('#skeletons .row').length > 8")
    first = page.locator("#skeletons .row").first
    expect(first).to_be_visible()
    expect(first.locator("> [aria-hidden]").first).to_be_visible()
    assert page.evaluate(INDICATORS) == ["status-icon icon"]


def expect_loaded(page):
    """Expects rows in place of the skeletons."""
    expect(page.locator("#bar")).to_have_attribute("data-status", "ready")
    expect(page.locator("#skeletons")).to_be_hidden()


def test_orders_show_skeletons_until_the_list_has_loaded(orders, make_order_list):
    orders.hold_lists()
    orders_page = make_order_list(orders).open()
    expect_first_load(orders_page.page)

    orders.release_lists()

    orders_page.expect_all_loaded()
    expect_loaded(orders_page.page)


def test_deliveries_show_skeletons_until_the_first_page_has_loaded(deliveries, start_window, page):
    deliveries.hold()
    opened = DeliveryList(page, start_window(deliveries).address).open()
    expect_first_load(page)

    deliveries.release()

    opened.expect_all_loaded()
    expect_loaded(page)


def test_photos_show_skeletons_until_the_list_has_loaded(photos, start_window, page):
    photos.hold_lists()
    grid = PhotoGrid(page, start_window(photos).address).open()
    expect_first_load(page)

    photos.release_lists()

    grid.expect_pictures_loaded()
    expect_loaded(page)


def test_a_refresh_shows_no_skeletons(orders, make_order_list):
    orders_page = make_order_list(orders).open()
    orders_page.expect_all_loaded()
    orders.hold_lists()

    orders_page.refresh()

    expect(orders_page.bar).to_have_attribute("data-status", "busy")
    expect(orders_page.status).to_contain_text("Refreshing")
    expect(orders_page.page.locator("#skeletons")).to_be_hidden()
    orders.release_lists()


def test_a_failed_first_load_shows_the_error_and_skeletons_again_on_retry(orders, make_order_list):
    orders.stop()
    orders_page = make_order_list(orders).open()
    page = orders_page.page
    expect(orders_page.error).to_be_visible()
    expect(orders_page.bar).to_have_attribute("data-status", "ready")
    expect(page.locator("#skeletons")).to_be_hidden()
    orders.hold_lists()
    orders.start()

    retry(page)

    # The button spins until the program has received the request.
    expect(page.locator("form[data-busy]")).to_have_count(0)
    expect_first_load(page)
    orders.release_lists()
    orders_page.expect_all_loaded()
    expect(page.locator("#skeletons")).to_be_hidden()


def test_the_page_title_shows_the_number_of_orders(orders, make_order_list):
    orders.hold_lists()
    orders_page = make_order_list(orders).open()
    expect(orders_page.page).to_have_title("Orders")

    orders.release_lists()

    expect(orders_page.page).to_have_title("40 orders")


def test_rows_below_the_fold_are_prefetched(orders, make_order_list):
    orders_page = make_order_list(orders).open()
    orders_page.expect_all_loaded()
    last = max(orders_page.numbers_in_view())

    orders.wait_until(lambda: set(range(1, min(40, last + 6))) <= set(orders.requested))

    assert len(set(orders.requested)) < 40


# The compass

def pull(orders, start_window, new_page, distance):
    page = new_page(has_touch=True)
    orders_page = OrderList(page, start_window(orders).address).open()
    orders_page.expect_all_loaded()
    finger = Finger(page)
    finger.down(180, 250)
    finger.move(180, 250 + distance)
    return orders_page, finger


def expect_no_overlap(page):
    """Waits until the compass does not overlap the search field."""
    page.wait_for_function("""() => {
        const parts = [...document.querySelectorAll(".compass-rose, .compass-hint")].filter((part) => part.checkVisibility({ visibilityProperty: true }));
        const field = document.getElementById("list-controls").getBoundingClientRect().top;
        return getComputedStyle(document.getElementById("compass")).opacity === "0" || parts.every((part) => part.getBoundingClientRect().bottom <= field + 1);
    }""")


def test_a_pull_shows_when_to_release_and_covers_no_field(orders, start_window, new_page):
    orders_page, finger = pull(orders, start_window, new_page, 90)
    page, hint = orders_page.page, orders_page.page.locator(".compass-hint")
    expect(hint).to_have_text("Pull to refresh")
    orders.hold_lists()

    finger.move(180, 250 + 150)
    expect(hint).to_have_text("Release to refresh")
    expect_no_overlap(page)
    finger.up()

    expect(orders_page.bar).to_have_attribute("data-status", "busy")
    expect(page.locator("#compass")).to_have_css("opacity", "1")
    expect_no_overlap(page)
    orders.release_lists()
    expect(orders_page.bar).to_have_attribute("data-status", "ready")
    expect(page.locator("#compass")).to_have_css("opacity", "0")
