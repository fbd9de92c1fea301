"""A server that returns: the offline state ends, and failed requests are retried without user action."""

import re

import pytest
from playwright.sync_api import expect

from conftest import SCREENS
from delivery_list import DeliveryList
from order_list import UPDATED_STATUS, OrderList
from photo_grid import PhotoGrid
from program import OriginProgram

# The pictures of rows in view have loaded; those of the server are 64 px wide, placeholders are not.
PICTURES_ARE_THERE = """() => {
    const inView = [...document.querySelectorAll(".row img")].filter((img) => {
        const { top, bottom } = img.getBoundingClientRect();
        return bottom > 0 && top < innerHeight;
    });
    return inView.length > 2 && inView.every(({ complete, naturalWidth }) => complete && naturalWidth %s 64);
}"""


@pytest.fixture
def screen():
    """These pages behave alike on each screen."""
    return SCREENS["phone"]


@pytest.fixture
def start_origin(tmp_path):
    """Starts `lading serve` with the same port and data each time."""
    running = []

    def start():
        port = running[0].port if running else 0
        running.append(OriginProgram("--port", port, "--data", tmp_path / "origin", "--orders", 60, "--deliveries", 60))
        return running[-1]

    yield start
    for program in running:
        program.kill()


def test_a_failed_refresh_of_orders_is_retried_when_the_server_returns(orders, make_order_list):
    opened = make_order_list(orders).open()
    opened.expect_all_loaded()
    texts = opened.texts_in_view()
    orders.stop()
    opened.refresh()
    expect(opened.error).not_to_be_empty()

    orders.start()

    expect(opened.error).to_be_empty()
    expect(opened.status).to_have_text(UPDATED_STATUS)
    opened.expect_all_loaded()
    assert opened.texts_in_view() == texts


def test_orders_that_never_loaded_load_when_the_server_returns(orders, make_order_list):
    orders.stop()
    opened = make_order_list(orders).open()
    expect(opened.error).not_to_be_empty()

    orders.start()

    opened.expect_all_loaded()
    expect(opened.error).to_be_empty()


def test_failed_orders_in_view_are_each_loaded_once(many_orders, make_order_list):
    opened = make_order_list(many_orders).open()
    opened.expect_all_loaded()
    many_orders.stop()
    opened.jump_to(2_000)
    expect(opened.row(2_003)).to_have_attribute("data-state", "failed")
    many_orders.requested.clear()

    many_orders.start()

    opened.expect_all_loaded()
    # One of them may have been requested as a probe of the server.
    assert all(times <= 2 for times in many_orders.request_counts().values())
    assert all(1_900 < number < 2_100 for number in many_orders.requested)


def test_the_page_of_a_failed_order_loads_when_the_server_returns(orders, make_order_list):
    opened = make_order_list(orders).open()
    opened.expect_all_loaded()
    page = opened.page
    orders.stop()
    page.goto(f"{opened.address}/3")
    expect(page.locator(".stale-notice")).to_be_visible()

    orders.start()

    expect(page.locator(".stale-notice")).to_have_count(0)
    expect(page.get_by_role("heading", level=1, name="Groceries 3")).to_be_visible()


def test_deliveries_go_online_when_the_server_returns(deliveries, start_window, page):
    opened = DeliveryList(page, start_window(deliveries).address).open()
    opened.expect_count(45)
    deliveries.stop()
    opened.refresh()
    expect(opened.status).to_have_text(re.compile("Offline. Stored .*"))

    deliveries.start()

    expect(opened.status).to_contain_text("Updated")
    expect(opened.error).to_be_empty()


def test_paging_resumes_when_the_server_returns(many_deliveries, start_window, page):
    opened = DeliveryList(page, start_window(many_deliveries).address).open()
    opened.expect_all_loaded()
    many_deliveries.stop()
    # The first pages may have loaded before.
    page.wait_for_function("scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }) || error.textContent")

    many_deliveries.start()

    expect(opened.error).to_be_empty()
    opened.scroll_to_the_end()
    opened.expect_count(210)


def test_a_pending_favourite_is_sent_when_the_server_returns(deliveries, start_window, page):
    opened = DeliveryList(page, start_window(deliveries).address).open()
    opened.expect_all_loaded()
    deliveries.stop()
    opened.refresh()
    expect(opened.error).not_to_be_empty()
    opened.favourite(1).click()
    opened.expect_favourite(1, True)

    deliveries.start()

    deliveries.wait_until(lambda: len(deliveries.favourite_requests) == 1)
    opened.expect_favourite(1, True)


def test_pictures_replace_their_placeholders_when_the_server_returns(deliveries, start_window, page):
    program = start_window(deliveries)
    # Loads the rows without their pictures.
    assert "Parcel 3" in page.request.get(f"{program.address}/deliveries?plain=1").text()
    deliveries.stop()
    DeliveryList(page, program.address).open()
    page.wait_for_function(PICTURES_ARE_THERE % "!==")

    deliveries.start()

    page.wait_for_function(PICTURES_ARE_THERE % "===")


def test_failed_photos_load_when_the_server_returns(many_photos, start_window, page):
    opened = PhotoGrid(page, start_window(many_photos).address).open()
    opened.expect_pictures_loaded()
    many_photos.stop()
    opened.jump_to_end()
    expect(page.locator(".cell[data-state=failed]").first).to_be_visible()

    many_photos.start()

    opened.expect_pictures_loaded()


def test_the_list_of_a_sol_loads_when_the_server_returns(photos, start_window, page):
    photos.stop()
    opened = PhotoGrid(page, start_window(photos).address).open()
    expect(opened.error).not_to_be_empty()

    photos.start()

    opened.expect_pictures_loaded()
    expect(opened.error).to_be_empty()


@pytest.mark.console_errors_allowed
def test_a_failed_photo_page_loads_when_the_server_returns(photos, start_window, page):
    grid = PhotoGrid(page, start_window(photos).address).open()
    grid.expect_pictures_loaded()
    photos.stop()
    # The last photo is out of view, and was never loaded.
    page.goto(f"{grid.address}/1059")
    expect(page.locator("#photo-error")).to_be_visible()

    photos.start()

    expect(page.locator("#photo-error")).not_to_be_visible()
    expect(page.locator("#picture")).to_have_js_property("naturalWidth", 480)


@pytest.mark.console_errors_allowed
def test_error_pages_reload_when_the_server_returns(photos, start_window, page):
    program = start_window(photos)
    photos.stop()
    page.goto(f"{program.address}/photos")
    expect(page.locator(".rovers-error")).to_be_visible()

    photos.start()
    expect(page.locator(".rovers-error")).to_have_count(0)

    photos.stop()
    page.goto(f"{program.address}/photos/curiosity?date=2015-06-01")
    expect(page.locator("main")).to_contain_text("cannot reach")

    photos.start()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Sol")


def test_every_page_recovers_from_a_killed_origin(start_origin, start, new_page):
    first = start_origin()
    window = start("window", "--port", 0, "--origin", first.address)
    pages = [OrderList(new_page(), window.address), DeliveryList(new_page(), window.address)]
    for opened in pages:
        opened.open().expect_all_loaded()
    grid = PhotoGrid(new_page(), window.address, sol=1)
    grid.page.goto(f"{window.address}/photos/curiosity")
    expect(grid.page.locator(".cell[data-state=loaded]").first).to_be_visible()
    pages.append(grid)
    first.kill()
    for opened in pages:
        opened.refresh()
        expect(opened.error).not_to_be_empty()

    start_origin()

    for opened in pages:
        expect(opened.error).to_be_empty()
        expect(opened.page.locator("#list")).to_have_attribute("aria-busy", "false")
        expect(opened.page.locator("[data-state=failed]")).to_have_count(0)
