"""Without a network, and without the server: everything that was stored can be read."""

import re

import pytest
from playwright.sync_api import expect

from delivery_list import DeliveryList
from message_bar import retry


@pytest.mark.noisy
def test_all_that_was_stored_can_be_read_after_the_server_has_gone(deliveries, start, page, tmp_path):
    arguments = ("window", "--port", 0, "--data", tmp_path, *deliveries.arguments)
    program = start(*arguments)
    DeliveryList(page, program.page).open().expect_count(45)
    program.stop()
    deliveries.stop()

    opened = DeliveryList(page, start(*arguments).page).open()

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


def test_an_empty_store_without_a_network_says_what_is_wrong(deliveries, window_on, page):
    program = window_on(deliveries)
    deliveries.stop()
    opened = DeliveryList(page, program.page).open()
    expect(opened.problem).to_have_text("The server can’t be reached.")

    deliveries.start()
    retry(page)

    opened.expect_count(45)
    expect(opened.problem).to_be_empty()


def test_a_refresh_without_a_network_says_how_old_the_rows_are(deliveries, window_on, page):
    opened = DeliveryList(page, window_on(deliveries).page).open()
    opened.expect_count(45)
    deliveries.stop()

    opened.refresh()

    expect(opened.problem).to_have_text("The server can’t be reached.")
    expect(opened.status).to_have_text(re.compile("Offline. Stored (this minute|.* ago)"))
    expect(opened.row(0)).to_contain_text("Parcel 0")

    deliveries.start()
    retry(page)

    expect(opened.problem).to_be_empty()
    expect(opened.status).to_contain_text("Updated")
