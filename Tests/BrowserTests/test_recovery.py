"""A server that was away: "offline" ends by itself when it answers, and what failed because of it is loaded without anybody asking."""

import re

import pytest
from playwright.sync_api import expect

from delivery_list import DeliveryList
from order_list import UPDATED, OrderList
from photo_grid import PhotoGrid
from program import OriginProgram

# The pictures of rows in view that are there; those of the server are 64 px wide, the stand-in is not.
PICTURES_ARE_THERE = """() => {
    const inView = [...document.querySelectorAll(".row img")].filter((img) => {
        const { top, bottom } = img.getBoundingClientRect();
        return bottom > 0 && top < innerHeight;
    });
    return inView.length > 2 && inView.every(({ complete, naturalWidth }) => complete && naturalWidth %s 64);
}"""


@pytest.fixture
def origin(tmp_path):
    """Starts `lading serve` on the same port and with the same data each time, and gives it."""
    running = []

    def start():
        port = running[0].port if running else 0
        running.append(OriginProgram("--port", port, "--data", tmp_path / "origin", "--orders", 60, "--deliveries", 60))
        return running[-1]

    yield start
    for program in running:
        program.kill()


def test_a_refresh_of_orders_that_failed_is_made_again(orders, list_of):
    opened = list_of(orders).open()
    opened.expect_all_loaded()
    texts = opened.texts_in_view()
    orders.stop()
    opened.refresh()
    expect(opened.problem).not_to_be_empty()

    orders.start()

    expect(opened.problem).to_be_empty()
    expect(opened.status).to_have_text(UPDATED)
    opened.expect_all_loaded()
    assert opened.texts_in_view() == texts


def test_orders_that_were_never_there_come_when_their_server_does(orders, list_of):
    orders.stop()
    opened = list_of(orders).open()
    expect(opened.problem).not_to_be_empty()

    orders.start()

    opened.expect_all_loaded()
    expect(opened.problem).to_be_empty()


def test_orders_in_view_that_failed_are_loaded_each_once(many_orders, list_of):
    opened = list_of(many_orders).open()
    opened.expect_all_loaded()
    many_orders.stop()
    opened.jump_to(2_000)
    expect(opened.row(2_003)).to_have_attribute("data-state", "failed")
    many_orders.asked.clear()

    many_orders.start()

    opened.expect_all_loaded()
    # One of them may have been requested to find out whether the server answers.
    assert all(times <= 2 for times in many_orders.times_asked().values())
    assert all(1_900 < number < 2_100 for number in many_orders.asked)


def test_the_page_of_an_order_that_failed_shows_it(orders, list_of):
    opened = list_of(orders).open()
    opened.expect_all_loaded()
    page = opened.page
    orders.stop()
    page.goto(f"{opened.address}/3")
    expect(page.locator(".setback")).to_be_visible()

    orders.start()

    expect(page.locator(".setback")).to_have_count(0)
    expect(page.get_by_role("heading", level=1, name="Groceries 3")).to_be_visible()


def test_offline_ends_for_deliveries(deliveries, window_on, page):
    opened = DeliveryList(page, window_on(deliveries).page).open()
    opened.expect_count(45)
    deliveries.stop()
    opened.refresh()
    expect(opened.status).to_have_text(re.compile("Offline. Stored .*"))

    deliveries.start()

    expect(opened.status).to_contain_text("Updated")
    expect(opened.problem).to_be_empty()


def test_paging_goes_on(many_deliveries, window_on, page):
    opened = DeliveryList(page, window_on(many_deliveries).page).open()
    opened.expect_all_loaded()
    many_deliveries.stop()
    # The first pages may have come before.
    page.wait_for_function("scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }) || error.textContent")

    many_deliveries.start()

    expect(opened.problem).to_be_empty()
    opened.scroll_to_the_end()
    opened.expect_count(210)


def test_a_mark_that_waits_is_sent(deliveries, window_on, page):
    opened = DeliveryList(page, window_on(deliveries).page).open()
    opened.expect_all_loaded()
    deliveries.stop()
    opened.refresh()
    expect(opened.problem).not_to_be_empty()
    opened.favourite(1).click()
    opened.expect_favourite(1, True)

    deliveries.start()

    deliveries.wait_until(lambda: len(deliveries.marks) == 1)
    opened.expect_favourite(1, True)


def test_pictures_take_the_place_of_their_stand_ins(deliveries, window_on, page):
    program = window_on(deliveries)
    # This loads the rows alone.
    assert "Parcel 3" in page.request.get(f"{program.page}/deliveries?plain=1").text()
    deliveries.stop()
    DeliveryList(page, program.page).open()
    page.wait_for_function(PICTURES_ARE_THERE % "!==")

    deliveries.start()

    page.wait_for_function(PICTURES_ARE_THERE % "===")


def test_photos_that_failed_are_loaded(many_photos, window_on, page):
    opened = PhotoGrid(page, window_on(many_photos).page).open()
    opened.expect_whole()
    many_photos.stop()
    opened.jump_to_end()
    expect(page.locator(".cell[data-state=failed]").first).to_be_visible()

    many_photos.start()

    opened.expect_whole()


def test_a_sol_that_could_not_be_listed_is_there(photos, window_on, page):
    photos.stop()
    opened = PhotoGrid(page, window_on(photos).page).open()
    expect(opened.problem).not_to_be_empty()

    photos.start()

    opened.expect_whole()
    expect(opened.problem).to_be_empty()


@pytest.mark.noisy
def test_a_photo_on_a_page_of_its_own_comes(photos, window_on, page):
    grid = PhotoGrid(page, window_on(photos).page).open()
    grid.expect_whole()
    photos.stop()
    # The last one is out of view, and was never loaded.
    page.goto(f"{grid.address}/1059")
    expect(page.locator("#trouble")).to_be_visible()

    photos.start()

    expect(page.locator("#trouble")).not_to_be_visible()
    expect(page.locator("#picture")).to_have_js_property("naturalWidth", 480)


@pytest.mark.noisy
def test_pages_that_could_not_be_made_load_themselves_again(photos, window_on, page):
    program = window_on(photos)
    photos.stop()
    page.goto(f"{program.page}/photos")
    expect(page.locator(".rovers-error")).to_be_visible()

    photos.start()
    expect(page.locator(".rovers-error")).to_have_count(0)

    photos.stop()
    page.goto(f"{program.page}/photos/curiosity?date=2015-06-01")
    expect(page.locator("main")).to_contain_text("cannot reach")

    photos.start()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Sol")


def test_every_page_recovers_from_an_origin_that_was_killed(origin, start, new_page):
    first = origin()
    window = start("window", "--port", 0, "--origin", first.page)
    pages = [OrderList(new_page(), window.page), DeliveryList(new_page(), window.page)]
    for opened in pages:
        opened.open().expect_all_loaded()
    grid = PhotoGrid(new_page(), window.page, sol=1)
    grid.page.goto(f"{window.page}/photos/curiosity")
    expect(grid.page.locator(".cell[data-state=loaded]").first).to_be_visible()
    pages.append(grid)
    first.kill()
    for opened in pages:
        opened.refresh()
        expect(opened.problem).not_to_be_empty()

    origin()

    for opened in pages:
        expect(opened.problem).to_be_empty()
        expect(opened.page.locator("#list")).to_have_attribute("aria-busy", "false")
        expect(opened.page.locator("[data-state=failed]")).to_have_count(0)
