"""Stored deliveries while the program is unreachable, and favourites that are sent afterwards."""

import pytest
from playwright.sync_api import expect

from couriers import DELETE_WRITES
from delivery_list import DeliveryList
from order_list import OFFLINE_STATUS
from service_worker import wait_until_page_is_stored, wait_until_worker_is_active

# Without the program the browser logs errors.
pytestmark = pytest.mark.console_errors_allowed


@pytest.fixture
def restart_window(deliveries, start, tmp_path):
    """Starts a window on a port with the data of the previous one."""
    return lambda port: start("window", "--port", port, "--data", tmp_path, *deliveries.arguments)


@pytest.fixture
def stored_list(restart_window, page):
    """A program, and its list in a page that the worker has stored."""
    program = restart_window(0)
    opened = DeliveryList(page, program.address).open()
    opened.expect_all_loaded()
    wait_until_worker_is_active(page)
    wait_until_page_is_stored(page, "/deliveries", "Parcel 3")
    return program, opened


def test_the_stored_list_opens_offline_and_shows_its_age(stored_list):
    program, opened = stored_list
    program.stop()

    opened.open()

    expect(opened.status).to_have_text(OFFLINE_STATUS)
    expect(opened.row(3)).to_contain_text("Parcel 3")


def test_a_favourite_set_offline_is_sent_once_when_the_program_returns(deliveries, stored_list, restart_window):
    program, opened = stored_list
    program.stop()
    opened.open()

    opened.favourite(1).click()

    opened.expect_favourite(1, True)
    expect(opened.notice).to_have_text("Saved. Will be sent when you’re online.")
    assert deliveries.favourite_requests == []

    restart_window(program.port)
    opened.page.evaluate("() => dispatchEvent(new Event('online'))")

    deliveries.wait_until(lambda: deliveries.favourite_requests)
    expect(opened.status).not_to_have_text(OFFLINE_STATUS)
    opened.expect_favourite(1, True)
    assert [mark[0] for mark in deliveries.favourite_requests] == [1]


def test_a_page_that_the_browser_has_kept_forgets_a_favourite_that_was_sent_meanwhile(stored_list):
    program, opened = stored_list
    program.stop()
    opened.open()
    opened.favourite(1).click()
    expect(opened.notice).to_have_text("Saved. Will be sent when you’re online.")
    opened.expect_favourite(1, True)
    # As if it was sent, and then removed on another page.
    opened.page.evaluate(DELETE_WRITES)

    opened.page.evaluate("() => { dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })); }")

    opened.expect_favourite(1, False)
