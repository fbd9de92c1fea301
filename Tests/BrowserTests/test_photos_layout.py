"""Photos on every screen, in every direction, and without scripts."""

import pytest
from playwright.sync_api import expect

from photo_grid import PhotoGrid
from test_layout import TARGETS, text_at_200_percent


@pytest.fixture
def screen():
    return {"width": 390, "height": 844}


def overflow(page):
    return page.evaluate("() => document.documentElement.scrollWidth - innerWidth")


def addresses(window):
    return [f"{window.page}/photos", f"{window.page}/photos/curiosity/1000", f"{window.page}/photos/curiosity/1000/1002"]


def test_text_at_200_percent_fits(photos, window_on, page):
    text_at_200_percent(page)
    for address in addresses(window_on(photos)):
        page.goto(address)
        assert overflow(page) <= 0


def test_right_to_left_nothing_hangs_out(photos, window_on, new_page):
    page = new_page(locale="ar")
    window = window_on(photos)
    for address in addresses(window):
        page.goto(address)
        assert page.evaluate("document.documentElement.dir") == "rtl"
        assert overflow(page) <= 0

    opened = PhotoGrid(page, window.page).open()
    cells = opened.cells()
    assert cells[0]["x"] > cells[1]["x"], "a line begins on the right"


def test_everything_to_touch_is_large_enough(photos, window_on, page):
    for address in addresses(window_on(photos)):
        page.goto(address)
        assert page.evaluate(TARGETS) == []


def test_without_scripts_the_pictures_are_there_and_one_page_leads_to_the_next(photos, window_on, new_page):
    page = new_page(java_script_enabled=False)
    opened = PhotoGrid(page, window_on(photos).page).open()
    expect(page.locator(".cell img")).to_have_count(48)
    expect(opened.cell(1_000).locator("img")).to_have_js_property("naturalWidth", 320)

    page.get_by_role("link", name="Next", exact=True).click()

    expect(page.locator(".cell img")).to_have_count(12)
    opened.cell(1_050).get_by_role("link").click()
    expect(page.locator("#picture")).to_have_js_property("naturalWidth", 480)


def test_the_photos_are_left_for_a_page_of_another_kind_without_an_error(photos, window_on, page):
    """A page transition that the next page has no part in is skipped; what browsers complain of fails the test."""
    address = window_on(photos).page
    page.goto(f"{address}/photos")
    expect(page.locator("a.rover").first).to_be_visible()

    page.locator(".bar a.tool").click()
    expect(page).to_have_url(f"{address}/")

    page.goto(f"{address}/photos/curiosity/1000")
    expect(page.locator(".cell").first).to_be_visible()
    page.goto(f"{address}/orders")
    expect(page.locator("#arrange")).to_be_visible()
