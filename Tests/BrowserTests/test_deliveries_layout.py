"""The layout of deliveries: large text, right to left, and without scripts."""

import pytest
from playwright.sync_api import expect

from delivery_list import DeliveryList
from test_layout import CLIPPED_LINES, SMALL_TARGETS, set_text_size_200_percent


@pytest.fixture
def screen():
    return {"width": 390, "height": 844}


def overflow(page):
    return page.evaluate("() => document.documentElement.scrollWidth - innerWidth")


def test_text_at_200_percent_fits(deliveries, start_window, page):
    set_text_size_200_percent(page)
    opened = DeliveryList(page, start_window(deliveries).address).open()
    opened.expect_state(1, "loaded")

    assert overflow(page) <= 0
    assert page.evaluate(CLIPPED_LINES) == []
    page.goto(f"{opened.address}/1")
    assert overflow(page) <= 0


def test_right_to_left_pages_do_not_overflow(deliveries, start_window, new_page):
    page = new_page(locale="ar")
    opened = DeliveryList(page, start_window(deliveries).address).open()
    opened.expect_all_loaded()

    assert page.evaluate("document.documentElement.dir") == "rtl"
    assert overflow(page) <= 0
    # Read in one step, because an update may replace the element of the row.
    heart, picture = opened.row(0).evaluate(
        "row => ['.favourite button', '.portrait'].map((part) => row.querySelector(part).getBoundingClientRect().x)"
    )
    assert heart < picture
    page.goto(f"{opened.address}/1")
    assert overflow(page) <= 0


def test_every_target_is_at_least_44_px(deliveries, start_window, page):
    opened = DeliveryList(page, start_window(deliveries).address).open()
    opened.expect_all_loaded()
    assert page.evaluate(SMALL_TARGETS) == []

    page.goto(f"{opened.address}/1")

    assert page.evaluate(SMALL_TARGETS) == []


def test_without_scripts_the_list_is_paginated(deliveries, start_window, new_page):
    page = new_page(java_script_enabled=False)
    opened = DeliveryList(page, start_window(deliveries).address).open()
    expect(page.locator(".row[data-state=loaded]")).to_have_count(30)
    expect(opened.footer).not_to_be_visible()

    page.get_by_role("link", name="Next").click()

    expect(page.locator(".row[data-state=loaded]")).to_have_count(15)
    expect(opened.footer).to_have_text("End of list")
    page.get_by_role("link", name="Previous").click()
    expect(opened.row(0)).to_contain_text("Parcel 0")
    opened.row(0).get_by_role("link").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Parcel 0 for Zoë")
