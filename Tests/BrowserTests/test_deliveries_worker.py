"""With the program out of reach the deliveries that were seen are there, and what is marked meanwhile arrives."""

import pytest
from playwright.sync_api import expect

from delivery_list import DeliveryList
from order_list import OFFLINE
from worker import wait_until_kept, wait_until_worker_works

# Without a program the browser's console fills up.
pytestmark = pytest.mark.noisy


@pytest.fixture
def run_window(deliveries, start, tmp_path):
    """Starts the window at a port, each time with what it kept the time before."""
    return lambda port: start("window", "--port", port, "--data", tmp_path, *deliveries.arguments)


@pytest.fixture
def seen(run_window, page):
    """A program, and its list in a page that the worker has kept."""
    program = run_window(0)
    opened = DeliveryList(page, program.page).open()
    opened.expect_all_loaded()
    wait_until_worker_works(page)
    wait_until_kept(page, "/deliveries", "Parcel 3")
    return program, opened


def test_the_list_opens_with_its_rows_and_says_so(seen):
    program, opened = seen
    program.stop()

    opened.open()

    expect(opened.status).to_have_text(OFFLINE)
    expect(opened.row(3)).to_contain_text("Parcel 3")


def test_a_mark_is_shown_and_arrives_once_when_the_program_is_back(deliveries, seen, run_window):
    program, opened = seen
    program.stop()
    opened.open()

    opened.favourite(1).click()

    opened.expect_favourite(1, True)
    expect(opened.notice).to_have_text("Saved. Will be sent when you’re online.")
    assert deliveries.marks == []

    run_window(program.port)
    opened.page.evaluate("() => dispatchEvent(new Event('online'))")

    deliveries.wait_until(lambda: deliveries.marks)
    expect(opened.status).not_to_have_text(OFFLINE)
    opened.expect_favourite(1, True)
    assert [mark[0] for mark in deliveries.marks] == [1]
