"""Nothing on a page shifts, while a slow phone gets it from a program that knows nothing yet. How fast pages are is measured by `make bench`."""

import pytest

from page_speed import time
from page_weight import PHONE

# Playwright says on the console that it blocks the worker.
pytestmark = pytest.mark.noisy


@pytest.fixture
def screen():
    return PHONE


@pytest.fixture
def expect_steady(new_page):
    """Expects that nothing shifts but by what the reader does."""
    def expect_steady(address):
        result = time(new_page(service_workers="block", has_touch=True), address)
        assert result["cls"] == 0, result

    return expect_steady


def test_a_list_of_orders_does_not_shift(many_orders, window_on, expect_steady):
    expect_steady(f"{window_on(many_orders).page}/orders")


def test_a_list_of_deliveries_does_not_shift(deliveries, start, expect_steady):
    expect_steady(f"{start('window', '--port', 0, *deliveries.arguments).page}/deliveries")


def test_the_page_of_rovers_does_not_shift(photos, start, expect_steady):
    expect_steady(f"{start('window', '--port', 0, *photos.arguments).page}/photos")
