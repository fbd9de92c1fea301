"""Deliveries on every screen, in every direction, and without scripts."""

import pytest
from playwright.sync_api import expect

from delivery_list import DeliveryList
from test_layout import CUT_LINES, TARGETS, text_at_200_percent


@pytest.fixture
def screen():
    return {"width": 390, "height": 844}


def overflow(page):
    return page.evaluate("() => document.documentElement.scrollWidth - innerWidth")


def test_text_at_200_percent_fits(deliveries, window_on, page):
    text_at_200_percent(page)
    opened = DeliveryList(page, window_on(deliveries).page).open()
    opened.expect_state(1, "loaded")

    assert overflow(page) <= 0
    assert page.evaluate(CUT_LINES) == []
    page.goto(f"{opened.address}/1")
    assert overflow(page) <= 0


def test_right_to_left_nothing_hangs_out(deliveries, window_on, new_page):
    page = new_page(locale="ar")
    opened = DeliveryList(page, window_on(deliveries).page).open()
    opened.expect_all_loaded()

    assert page.evaluate("document.documentElement.dir") == "rtl"
    assert overflow(page) <= 0
    # In one look: the row may be another element in the next.
    heart, picture = opened.row(0).evaluate(
        "row => ['.favourite button', '.portrait'].map((part) => row.querySelector(part).getBoundingClientRect().x)"
    )
    assert heart < picture
    page.goto(f"{opened.address}/1")
    assert overflow(page) <= 0


def test_everything_to_touch_is_large_enough(deliveries, window_on, page):
    opened = DeliveryList(page, window_on(deliveries).page).open()
    opened.expect_all_loaded()
    assert page.evaluate(TARGETS) == []

    page.goto(f"{opened.address}/1")

    assert page.evaluate(TARGETS) == []


def test_without_scripts_one_page_leads_to_the_next(deliveries, window_on, new_page):
    page = new_page(java_script_enabled=False)
    opened = DeliveryList(page, window_on(deliveries).page).open()
    expect(page.locator(".row[data-state=loaded]")).to_have_count(30)
    expect(opened.foot).not_to_be_visible()

    page.get_by_role("link", name="Next").click()

    expect(page.locator(".row[data-state=loaded]")).to_have_count(15)
    expect(opened.foot).to_have_text("That is all")
    page.get_by_role("link", name="Previous").click()
    expect(opened.row(0)).to_contain_text("Parcel 0")
    opened.row(0).get_by_role("link").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Parcel 0 for Zoë")
