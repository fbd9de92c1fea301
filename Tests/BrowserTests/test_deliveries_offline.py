"""Deliveries without a network or their server: all stored rows can be read."""

import re

import pytest
from playwright.sync_api import expect

from delivery_list import DeliveryList
from error_bar import retry


@pytest.mark.console_errors_allowed
def test_stored_deliveries_can_be_read_and_searched_without_their_server(deliveries, start, page, tmp_path):
    arguments = ("window", "--port", 0, "--data", tmp_path, *deliveries.arguments)
    program = start(*arguments)
    DeliveryList(page, program.address).open().expect_count(45)
    program.stop()
    deliveries.stop()

    opened = DeliveryList(page, start(*arguments).address).open()

    opened.expect_all_loaded()
    expect(opened.row(0)).to_contain_text("Parcel 0")
    opened.scroll_to_the_end()
    expect(opened.row(44)).to_be_in_viewport()
    opened.search.fill("parcel 12")
    expect(opened.row(12)).to_contain_text("12 Harbor Street")
    opened.search.fill("")
    opened.expect_count(45)
    opened.sort("title").check()
    expect(page.locator("[data-index='2']")).to_contain_text("Parcel 10 ")
    opened.sort("title").click()
    opened.search.fill("parcel 12")
    opened.row(12).get_by_role("link").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Parcel 12 for Zoë")
    expect(page.locator("#map .pin-title")).to_have_text("12 Harbor Street")


def test_an_empty_store_without_a_network_shows_the_error(deliveries, start_window, page):
    program = start_window(deliveries)
    deliveries.stop()
    opened = DeliveryList(page, program.address).open()
    expect(opened.error).to_have_text("The server can’t be reached.")

    deliveries.start()
    retry(page)

    opened.expect_count(45)
    expect(opened.error).to_be_empty()


def test_a_refresh_without_a_network_shows_the_age_of_the_rows(deliveries, start_window, page):
    opened = DeliveryList(page, start_window(deliveries).address).open()
    opened.expect_count(45)
    deliveries.stop()

    opened.refresh()

    expect(opened.error).to_have_text("The server can’t be reached.")
    expect(opened.status).to_have_text(re.compile("Offline. Stored (this minute|.* ago)"))
    expect(opened.row(0)).to_contain_text("Parcel 0")

    deliveries.start()
    retry(page)

    expect(opened.error).to_be_empty()
    expect(opened.status).to_contain_text("Updated")
