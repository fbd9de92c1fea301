"""Pages cause no layout shifts while a slow phone loads them from a program without data. `make bench` measures their speed."""

import pytest

from page_speed import measure_page
from page_weight import PHONE

# Playwright logs that it blocks the service worker.
pytestmark = pytest.mark.console_errors_allowed


@pytest.fixture
def screen():
    return PHONE


@pytest.fixture
def expect_no_shift(new_page):
    """Expects no layout shifts without input."""
    def expect_no_shift(address):
        result = measure_page(new_page(service_workers="block", has_touch=True), address)
        assert result["cls"] == 0, result

    return expect_no_shift


def test_the_order_list_does_not_shift(many_orders, start_window, expect_no_shift):
    expect_no_shift(f"{start_window(many_orders).address}/orders")


def test_the_delivery_list_does_not_shift(deliveries, start, expect_no_shift):
    expect_no_shift(f"{start('window', '--port', 0, *deliveries.arguments).address}/deliveries")


def test_the_rover_list_does_not_shift(photos, start, expect_no_shift):
    expect_no_shift(f"{start('window', '--port', 0, *photos.arguments).address}/photos")
