"""The reader keeps their place in the list."""

import pytest
from playwright.sync_api import expect


@pytest.fixture
def middle(many_orders, list_of):
    """The list, scrolled to its middle, and what is then in view."""
    orders_page = list_of(many_orders).open()
    orders_page.expect_all_loaded()
    orders_page.jump_to(2_000)
    orders_page.expect_all_loaded()
    return orders_page, orders_page.rows_in_view()


def test_a_reload_comes_back_to_the_same_rows(middle):
    orders_page, rows = middle

    orders_page.page.reload()

    orders_page.expect_to_show(2_000)
    orders_page.expect_all_loaded()
    assert orders_page.rows_in_view() == rows


def test_after_a_reload_the_rows_before_can_be_reached(middle):
    orders_page, _ = middle
    orders_page.page.reload()
    orders_page.expect_to_show(2_000)

    orders_page.jump_to(1_500)

    orders_page.expect_to_show(1_500)
    orders_page.expect_all_loaded()
    expect(orders_page.row(1_503)).to_contain_text("Groceries 1503")


def test_the_link_back_from_an_order_leads_to_the_same_rows(middle):
    orders_page, rows = middle
    orders_page.row(2_003).get_by_role("link").click()
    expect(orders_page.page.get_by_role("heading", level=1, name="Groceries 2003")).to_be_visible()

    orders_page.page.get_by_role("link", name="Back to the orders").click()

    orders_page.expect_to_show(2_000)
    orders_page.expect_all_loaded()
    assert orders_page.rows_in_view() == rows


def test_the_link_back_leads_to_the_list_also_in_a_tab_of_its_own(orders, list_of):
    orders_page = list_of(orders).open()
    orders_page.expect_all_loaded()
    with orders_page.page.context.expect_page() as opening:
        orders_page.row(3).get_by_role("link").click(modifiers=["ControlOrMeta"])
    tab = opening.value
    expect(tab.locator("#map.live")).to_be_visible()

    tab.get_by_role("link", name="Back to the orders").click()

    expect(tab).to_have_url(orders_page.address)


def test_the_browsers_way_back_leads_to_the_same_rows(middle):
    orders_page, rows = middle
    orders_page.row(2_003).get_by_role("link").click()
    expect(orders_page.page.get_by_role("heading", level=1, name="Groceries 2003")).to_be_visible()

    orders_page.page.go_back()

    orders_page.expect_to_show(2_000)
    orders_page.expect_all_loaded()
    assert orders_page.rows_in_view() == rows


def test_a_refresh_keeps_the_row_in_view_although_others_came_before_it(middle, many_orders):
    orders_page, rows = middle
    many_orders.numbers = many_orders.numbers[7:]

    orders_page.page.get_by_role("button", name="Refresh").click()

    expect(orders_page.heading).to_have_text("3,993 orders")
    expect(orders_page.row(rows[0]["id"])).to_have_attribute("data-index", "1993")
    orders_page.expect_all_loaded()
    assert [(row["id"], row["top"]) for row in orders_page.rows_in_view()] == [(row["id"], row["top"]) for row in rows]
