"""The first load over a slow line: something is there at once, and one thing says that more is coming."""

from playwright.sync_api import expect

from delivery_list import DeliveryList
from message_bar import retry
from order_list import OrderList
from photo_grid import PhotoGrid
from touch import Finger

# What turns or says on the page that something is under way.
INDICATORS = """() => [...document.querySelectorAll("body *")]
    .filter((element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && getComputedStyle(element).animationIterationCount === "infinite")
    .map((element) => element.className)"""


def expect_first_load(page):
    """Skeletons fill the screen, and the status line alone says that the list is being loaded."""
    expect(page.locator("#bar")).to_have_attribute("data-status", "loading")
    expect(page.locator(".status-text")).to_have_text("Loading")
    page.wait_for_function("() => document.querySelectorAll('#skeletons .row').length > 8")
    first = page.locator("#skeletons .row").first
    expect(first).to_be_visible()
    expect(first.locator("> [aria-hidden]").first).to_be_visible()
    assert page.evaluate(INDICATORS) == ["status-mark icon"]


def expect_loaded(page):
    """The list has taken the place of the skeletons."""
    expect(page.locator("#bar")).to_have_attribute("data-status", "ready")
    expect(page.locator("#skeletons")).to_be_hidden()


def test_orders_have_skeletons_until_their_list_is_there(orders, list_of):
    orders.hold_lists()
    orders_page = list_of(orders).open()
    expect_first_load(orders_page.page)

    orders.release_lists()

    orders_page.expect_all_loaded()
    expect_loaded(orders_page.page)


def test_deliveries_have_skeletons_until_their_first_page_is_there(deliveries, window_on, page):
    deliveries.hold()
    opened = DeliveryList(page, window_on(deliveries).page).open()
    expect_first_load(page)

    deliveries.release()

    opened.expect_all_loaded()
    expect_loaded(page)


def test_photos_have_skeletons_until_their_list_is_there(photos, window_on, page):
    photos.hold_lists()
    grid = PhotoGrid(page, window_on(photos).page).open()
    expect_first_load(page)

    photos.release_lists()

    grid.expect_whole()
    expect_loaded(page)


def test_a_refresh_is_no_first_load(orders, list_of):
    orders_page = list_of(orders).open()
    orders_page.expect_all_loaded()
    orders.hold_lists()

    orders_page.refresh()

    expect(orders_page.bar).to_have_attribute("data-status", "busy")
    expect(orders_page.status).to_contain_text("Refreshing")
    expect(orders_page.page.locator("#skeletons")).to_be_hidden()
    orders.release_lists()


def test_a_first_load_that_fails_says_so_and_shows_skeletons_again_when_it_is_retried(orders, list_of):
    orders.stop()
    orders_page = list_of(orders).open()
    page = orders_page.page
    expect(orders_page.problem).to_be_visible()
    expect(orders_page.bar).to_have_attribute("data-status", "ready")
    expect(page.locator("#skeletons")).to_be_hidden()
    orders.hold_lists()
    orders.start()

    retry(page)

    # The button turns until the program has heard of it.
    expect(page.locator("form[data-busy]")).to_have_count(0)
    expect_first_load(page)
    orders.release_lists()
    orders_page.expect_all_loaded()
    expect(page.locator("#skeletons")).to_be_hidden()


def test_the_title_of_the_page_keeps_up_with_the_number_of_orders(orders, list_of):
    orders.hold_lists()
    orders_page = list_of(orders).open()
    expect(orders_page.page).to_have_title("Orders")

    orders.release_lists()

    expect(orders_page.page).to_have_title("40 orders")


def test_rows_below_the_fold_are_there_before_anybody_scrolls(orders, list_of):
    orders_page = list_of(orders).open()
    orders_page.expect_all_loaded()
    last = max(orders_page.numbers_in_view())

    orders.wait_until(lambda: set(range(1, min(40, last + 6))) <= set(orders.asked))

    assert len(set(orders.asked)) < 40


# The compass

def pulled(orders, window_on, new_page, to):
    page = new_page(has_touch=True)
    orders_page = OrderList(page, window_on(orders).page).open()
    orders_page.expect_all_loaded()
    finger = Finger(page)
    finger.down(180, 250)
    finger.move(180, 250 + to)
    return orders_page, finger


def expect_no_overlap(page):
    """Waits until the compass lies beside the field that searches."""
    page.wait_for_function("""() => {
        const parts = [...document.querySelectorAll(".compass-rose, .compass-hint")].filter((part) => part.checkVisibility({ visibilityProperty: true }));
        const field = document.getElementById("arrange").getBoundingClientRect().top;
        return getComputedStyle(document.getElementById("compass")).opacity === "0" || parts.every((part) => part.getBoundingClientRect().bottom <= field + 1);
    }""")


def test_a_pull_says_when_it_is_far_enough_and_covers_no_field(orders, window_on, new_page):
    orders_page, finger = pulled(orders, window_on, new_page, 90)
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
