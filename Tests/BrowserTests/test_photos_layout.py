"""The layout of photos: large text, right to left, and without scripts."""

import pytest
from playwright.sync_api import expect

from photo_grid import PhotoGrid
from test_layout import SMALL_TARGETS, set_text_size_200_percent


@pytest.fixture
def screen():
    return {"width": 390, "height": 844}


def overflow(page):
    return page.evaluate("() => document.documentElement.scrollWidth - innerWidth")


def addresses(window):
    return [f"{window.address}/photos", f"{window.address}/photos/curiosity/1000", f"{window.address}/photos/curiosity/1000/1002"]


def test_text_at_200_percent_fits(photos, start_window, page):
    set_text_size_200_percent(page)
    for address in addresses(start_window(photos)):
        page.goto(address)
        assert overflow(page) <= 0


def test_right_to_left_pages_do_not_overflow(photos, start_window, new_page):
    page = new_page(locale="ar")
    window = start_window(photos)
    for address in addresses(window):
        page.goto(address)
        assert page.evaluate("document.documentElement.dir") == "rtl"
        assert overflow(page) <= 0

    opened = PhotoGrid(page, window.address).open()
    cells = opened.cells()
    assert cells[0]["x"] > cells[1]["x"], "a line begins on the right"


def test_every_target_is_at_least_44_px(photos, start_window, page):
    for address in addresses(start_window(photos)):
        page.goto(address)
        assert page.evaluate(SMALL_TARGETS) == []


def test_without_scripts_the_grid_shows_pictures_and_is_paginated(photos, start_window, new_page):
    page = new_page(java_script_enabled=False)
    opened = PhotoGrid(page, start_window(photos).address).open()
    expect(page.locator(".cell img")).to_have_count(48)
    expect(opened.cell(1_000).locator("img")).to_have_js_property("naturalWidth", 320)

    page.get_by_role("link", name="Next", exact=True).click()

    expect(page.locator(".cell img")).to_have_count(12)
    opened.cell(1_050).get_by_role("link").click()
    expect(page.locator("#picture")).to_have_js_property("naturalWidth", 480)


def test_leaving_the_photos_for_another_page_causes_no_transition_error(photos, start_window, page):
    """Transitions to pages that do not take part are skipped; errors in the console fail the test."""
    address = start_window(photos).address
    page.goto(f"{address}/photos")
    expect(page.locator("a.rover").first).to_be_visible()

    page.locator(".bar a.tool").click()
    expect(page).to_have_url(f"{address}/")

    page.goto(f"{address}/photos/curiosity/1000")
    expect(page.locator(".cell").first).to_be_visible()
    page.goto(f"{address}/orders")
    expect(page.locator("#list-controls")).to_be_visible()
