"""The scroll position of the list is restored."""

import pytest
from playwright.sync_api import expect


@pytest.fixture
def scrolled_list(many_orders, make_order_list):
    """The list, scrolled to its middle, and the rows in view."""
    orders_page = make_order_list(many_orders).open()
    orders_page.expect_all_loaded()
    orders_page.jump_to(2_000)
    orders_page.expect_all_loaded()
    return orders_page, orders_page.rows_in_view()


def test_a_reload_restores_the_rows_in_view(scrolled_list):
    orders_page, rows = scrolled_list

    orders_page.page.reload()

    orders_page.expect_in_view(2_000)
    orders_page.expect_all_loaded()
    assert orders_page.rows_in_view() == rows


def test_rows_above_can_be_reached_after_a_reload(scrolled_list):
    orders_page, _ = scrolled_list
    orders_page.page.reload()
    orders_page.expect_in_view(2_000)

    orders_page.jump_to(1_500)

    orders_page.expect_in_view(1_500)
    orders_page.expect_all_loaded()
    expect(orders_page.row(1_503)).to_contain_text("Groceries 1503")


def test_the_back_link_of_an_order_restores_the_rows_in_view(scrolled_list):
    orders_page, rows = scrolled_list
    orders_page.row(2_003).get_by_role("link").click()
    expect(orders_page.page.get_by_role("heading", level=1, name="Groceries 2003")).to_be_visible()

    orders_page.page.get_by_role("link", name="Back to orders").click()

    orders_page.expect_in_view(2_000)
    orders_page.expect_all_loaded()
    assert orders_page.rows_in_view() == rows


def test_the_back_link_works_in_a_new_tab(orders, make_order_list):
    orders_page = make_order_list(orders).open()
    orders_page.expect_all_loaded()
    with orders_page.page.context.expect_page() as opening:
        orders_page.row(3).get_by_role("link").click(modifiers=["ControlOrMeta"])
    tab = opening.value
    expect(tab.locator("#map.live")).to_be_visible()

    tab.get_by_role("link", name="Back to orders").click()

    expect(tab).to_have_url(orders_page.address)


def test_back_navigation_restores_the_rows_in_view(scrolled_list):
    orders_page, rows = scrolled_list
    orders_page.row(2_003).get_by_role("link").click()
    expect(orders_page.page.get_by_role("heading", level=1, name="Groceries 2003")).to_be_visible()

    orders_page.page.go_back()

    orders_page.expect_in_view(2_000)
    orders_page.expect_all_loaded()
    assert orders_page.rows_in_view() == rows


def test_a_refresh_keeps_the_rows_in_view_when_rows_above_are_removed(scrolled_list, many_orders):
    orders_page, rows = scrolled_list
    many_orders.numbers = many_orders.numbers[7:]

    orders_page.page.get_by_role("button", name="Refresh").click()

    expect(orders_page.heading).to_have_text("3,993 orders")
    expect(orders_page.row(rows[0]["id"])).to_have_attribute("data-index", "1993")
    orders_page.expect_all_loaded()
    assert [(row["id"], row["top"]) for row in orders_page.rows_in_view()] == [(row["id"], row["top"]) for row in rows]
