"""Pages in a browser without scripts."""

import pytest
from playwright.sync_api import expect

from conftest import SCREENS
from order_list import OrderList
from photo_grid import PhotoGrid


@pytest.fixture
def screen():
    """These pages behave alike on each screen."""
    return SCREENS["phone"]


@pytest.fixture
def page(new_page):
    return new_page(java_script_enabled=False)


def test_the_list_redirects_to_a_page_with_all_its_rows(orders, make_order_list):
    orders_page = make_order_list(orders).open()
    page = orders_page.page

    page.wait_for_url("**/orders?plain=1")

    expect(orders_page.heading).to_have_text("40 orders")
    expect(page.locator(".row[data-state=loaded]")).to_have_count(30)
    expect(orders_page.row(30)).to_contain_text("Groceries 30")


def test_pages_of_the_list_link_to_the_next_and_the_previous_one(orders, make_order_list):
    orders_page = make_order_list(orders).open()
    page = orders_page.page

    page.get_by_role("link", name="Next").click()

    expect(page.locator(".row[data-state=loaded]")).to_have_count(10)
    expect(orders_page.row(31)).to_contain_text("Groceries 31")
    expect(page.get_by_role("link", name="Next")).to_have_count(0)

    page.get_by_role("link", name="Previous").click()

    expect(orders_page.row(1)).to_contain_text("Groceries 1")


def test_an_order_page_shows_its_items_and_its_map(orders, make_order_list):
    orders_page = make_order_list(orders).open()
    page = orders_page.page

    page.get_by_role("link", name="Groceries 3", exact=True).click()

    page.wait_for_url("**/orders/3?plain=1")
    expect(page.get_by_role("heading", level=1, name="Groceries 3")).to_be_visible()
    expect(page.locator(".items .item-name")).to_have_text(["Broccoli", "Onion"])
    expect(page.locator(".map-tiles image").first).to_be_attached()
    expect(page.locator(".map-marks .pin")).to_be_visible()


def test_a_failed_row_is_retried_with_a_form(orders, make_order_list):
    orders.responses[3] = 404
    orders_page = make_order_list(orders).open()
    expect(orders_page.row(3).locator(".reason")).to_have_text("This is no longer on the server.")
    del orders.responses[3]

    orders_page.row(3).get_by_role("button", name="Retry").click()

    expect(orders_page.row(3)).to_contain_text("Groceries 3")


def test_a_retry_returns_to_the_row_whatever_its_id(orders, make_order_list):
    orders.numbers = list(range(10, 410, 10))
    orders.responses[30] = 404
    orders_page = make_order_list(orders).open()
    expect(orders_page.row(30).locator(".reason")).to_have_text("This is no longer on the server.")
    del orders.responses[30]

    orders_page.row(30).get_by_role("button", name="Retry").click()

    expect(orders_page.row(30)).to_contain_text("Groceries 30")


def test_a_page_is_sent_although_its_rows_have_not_loaded(orders, make_order_list):
    orders.hold()

    orders_page = make_order_list(orders).open()

    orders_page.page.wait_for_url("**/orders?plain=1")
    expect(orders_page.heading).to_have_text("40 orders")
    expect(orders_page.row(1).locator(".skeleton-line").first).to_be_visible()


def test_the_start_page_links_to_the_list(orders, start_window, page):
    program = start_window(orders)
    page.goto(program.address)

    page.get_by_role("link", name="Show orders").click()

    page.wait_for_url("**/orders?plain=1")
    expect(OrderList(page, program.address).row(1)).to_contain_text("Groceries 1")


def test_a_photo_page_does_not_show_an_endless_loading_state(photos, start_window, new_page, page):
    program = start_window(photos)
    PhotoGrid(new_page(), program.address).open().expect_pictures_loaded()

    page.goto(f"{program.address}/photos/curiosity/1000/1002")

    expect(page.locator("#preview")).to_have_count(1)
    expect(page.locator("#preview")).to_be_hidden()
    expect(page.locator("#stage")).not_to_have_attribute("aria-busy", "true")
