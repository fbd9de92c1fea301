"""Everything can be read in a browser that runs no scripts."""

import pytest
from playwright.sync_api import expect

from order_list import OrderList
from photo_grid import PhotoGrid


@pytest.fixture
def page(new_page):
    return new_page(java_script_enabled=False)


def test_the_list_sends_on_to_a_page_with_its_rows_in_it(orders, list_of):
    orders_page = list_of(orders).open()
    page = orders_page.page

    page.wait_for_url("**/orders?plain=1")

    expect(orders_page.heading).to_have_text("40 orders")
    expect(page.locator(".row[data-state=loaded]")).to_have_count(30)
    expect(orders_page.row(30)).to_contain_text("Groceries 30")


def test_the_next_page_goes_on_where_the_first_ends_and_back_again(orders, list_of):
    orders_page = list_of(orders).open()
    page = orders_page.page

    page.get_by_role("link", name="Next").click()

    expect(page.locator(".row[data-state=loaded]")).to_have_count(10)
    expect(orders_page.row(31)).to_contain_text("Groceries 31")
    expect(page.get_by_role("link", name="Next")).to_have_count(0)

    page.get_by_role("link", name="Previous").click()

    expect(orders_page.row(1)).to_contain_text("Groceries 1")


def test_an_order_opens_with_its_items_and_its_map(orders, list_of):
    orders_page = list_of(orders).open()
    page = orders_page.page

    page.get_by_role("link", name="Groceries 3", exact=True).click()

    page.wait_for_url("**/orders/3?plain=1")
    expect(page.get_by_role("heading", level=1, name="Groceries 3")).to_be_visible()
    expect(page.locator(".items .item-name")).to_have_text(["Broccoli", "Onion"])
    expect(page.locator(".map-tiles image").first).to_be_attached()
    expect(page.locator(".map-marks .pin")).to_be_visible()


def test_a_failed_row_is_retried_by_a_form(orders, list_of):
    orders.replies[3] = 404
    orders_page = list_of(orders).open()
    expect(orders_page.row(3).locator(".reason")).to_have_text("The server doesn’t have this any more.")
    del orders.replies[3]

    orders_page.row(3).get_by_role("button", name="Retry").click()

    expect(orders_page.row(3)).to_contain_text("Groceries 3")


def test_a_retry_comes_back_to_the_row_whatever_its_id(orders, list_of):
    orders.numbers = list(range(10, 410, 10))
    orders.replies[30] = 404
    orders_page = list_of(orders).open()
    expect(orders_page.row(30).locator(".reason")).to_have_text("The server doesn’t have this any more.")
    del orders.replies[30]

    orders_page.row(30).get_by_role("button", name="Retry").click()

    expect(orders_page.row(30)).to_contain_text("Groceries 30")


def test_a_page_whose_rows_do_not_come_is_sent_all_the_same(orders, list_of):
    orders.hold()

    orders_page = list_of(orders).open()

    orders_page.page.wait_for_url("**/orders?plain=1")
    expect(orders_page.heading).to_have_text("40 orders")
    expect(orders_page.row(1).locator(".bone").first).to_be_visible()


def test_the_start_page_leads_to_the_list(orders, window_on, page):
    program = window_on(orders)
    page.goto(program.page)

    page.get_by_role("link", name="Show orders").click()

    page.wait_for_url("**/orders?plain=1")
    expect(OrderList(page, program.page).row(1)).to_contain_text("Groceries 1")


def test_a_photo_is_not_said_to_be_under_way_for_ever(photos, window_on, new_page, page):
    program = window_on(photos)
    PhotoGrid(new_page(), program.page).open().expect_whole()

    page.goto(f"{program.page}/photos/curiosity/1000/1002")

    expect(page.locator("#preview")).to_have_count(1)
    expect(page.locator("#preview")).to_be_hidden()
    expect(page.locator("#stage")).not_to_have_attribute("aria-busy", "true")
