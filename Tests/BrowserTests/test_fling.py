"""Flings through 4,000 orders over a slow link: rows in view are loaded first, and rows scrolled past are not requested."""

import json
import urllib.request

import pytest

from order_list import OrderList

# A screen of orders takes about a second on this link.
LINK = "3g"


@pytest.fixture
def program(start):
    return start("run", "--port", 0, "--in-memory", "--orders", 4000, "--link", LINK)


def order_request_count(program):
    """Returns the number of order documents requested from the origin."""
    with urllib.request.urlopen(f"{program.origin_address}/-/counts") as response:
        return json.load(response)["requests"]["orders"]


def fling(page, pixels, speed):
    """Scrolls down by a synthesized wheel gesture, at a speed in pixels per second."""
    size = page.viewport_size
    before = page.evaluate("scrollY")
    page.context.new_cdp_session(page).send(
        "Input.synthesizeScrollGesture",
        {
            "x": size["width"] // 2, "y": size["height"] // 2, "yDistance": -pixels, "speed": speed,
            "gestureSourceType": "mouse", "preventFling": True,
        },
    )
    assert page.evaluate("scrollY") > before + min(pixels, 10_000) / 2


def test_a_fling_loads_the_last_screen_first_and_few_other_rows(program, page):
    orders_page = OrderList(page, program.address).open()
    orders_page.expect_all_loaded()
    before = order_request_count(program)
    first_screen = len(orders_page.rows_in_view())

    fling(page, 400_000, speed=150_000)
    orders_page.expect_in_view(3_999)
    orders_page.expect_all_loaded()

    last_screen = len(orders_page.rows_in_view())
    requested = order_request_count(program)
    assert requested - before <= 5 * max(first_screen, last_screen)
    assert requested <= 6 * max(first_screen, last_screen)


def test_loading_pauses_during_a_fling_and_resumes_where_it_ends(program, page):
    orders_page = OrderList(page, program.address).open()
    orders_page.expect_all_loaded()
    before = order_request_count(program)

    # Two hundred rows per second: none is in view for 150 ms. After a second one of them is admitted.
    fling(page, 30_000, speed=20_000)
    orders_page.expect_all_loaded()

    landed = len(orders_page.rows_in_view())
    passed = order_request_count(program) - before - landed
    assert orders_page.rows_in_view()[0]["index"] > 200
    assert passed <= landed
