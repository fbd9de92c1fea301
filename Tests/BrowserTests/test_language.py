"""Pages speak the language that the browser asks for, and go on in it."""

import pytest
from playwright.sync_api import expect

from order_list import OrderList


@pytest.fixture
def german_list_of(window_on, new_page):
    return lambda orders: OrderList(new_page(locale="de-AT"), window_on(orders).page)


def test_a_german_list_stays_german_as_its_rows_come_in(orders, german_list_of):
    orders.replies[2] = 500
    orders.hold()
    orders_page = german_list_of(orders).open()

    expect(orders_page.page.locator("html")).to_have_attribute("lang", "de")
    expect(orders_page.heading).to_have_text("40 Bestellungen")

    orders.release_all()
    expect(orders_page.row(1)).to_contain_text("1,50")
    expect(orders_page.row(1)).to_contain_text("2 Artikel")
    expect(orders_page.row(2)).to_contain_text("der Server hat mit 500 geantwortet")
    expect(orders_page.row(2).get_by_role("button")).to_have_text("Nochmal")


def test_an_order_is_german_too(orders, german_list_of):
    orders_page = german_list_of(orders).open()
    orders_page.page.goto(f"{orders_page.address}/3")

    expect(orders_page.page.locator("#detail")).to_contain_text("Im Umkreis von 1,5 km")
    expect(orders_page.page.get_by_role("link", name="Navigieren")).to_be_visible()


def test_a_window_in_another_language_than_german_is_english(orders, window_on, new_page):
    orders_page = OrderList(new_page(locale="fr-FR"), window_on(orders).page).open()

    expect(orders_page.page.locator("html")).to_have_attribute("lang", "en")
    expect(orders_page.heading).to_have_text("40 orders")
