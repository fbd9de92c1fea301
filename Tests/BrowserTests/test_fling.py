"""A fling through 4,000 orders across a slow link: what is only passed is not asked for, and where it lands comes first."""

import json
import urllib.request

import pytest

from order_list import OrderList

# On such a line a screen of orders takes about a second.
LINK = "3g"


@pytest.fixture
def program(start):
    return start("run", "--port", 0, "--in-memory", "--orders", 4000, "--link", LINK)


def orders_asked_for(program):
    """How many documents of orders the origin itself was asked for."""
    with urllib.request.urlopen(f"{program.origin}/-/counts") as reply:
        return json.load(reply)["requests"]["orders"]


def fling(page, pixels, speed):
    """Scrolls down as a wheel does that was given a good push, at a speed in pixels a second."""
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


def test_a_fling_loads_the_last_screen_first_and_little_else(program, page):
    orders_page = OrderList(page, program.page).open()
    orders_page.expect_all_loaded()
    before = orders_asked_for(program)
    first_screen = len(orders_page.rows_in_view())

    fling(page, 400_000, speed=150_000)
    orders_page.expect_to_show(3_999)
    orders_page.expect_all_loaded()

    last_screen = len(orders_page.rows_in_view())
    asked = orders_asked_for(program)
    assert asked - before <= 5 * max(first_screen, last_screen)
    assert asked <= 6 * max(first_screen, last_screen)


def test_loading_rests_while_the_list_is_flung_and_goes_on_where_it_lands(program, page):
    orders_page = OrderList(page, program.page).open()
    orders_page.expect_all_loaded()
    before = orders_asked_for(program)

    # Two hundred rows a second: none stays for 150 ms. After a second of it one of them is let in.
    fling(page, 30_000, speed=20_000)
    orders_page.expect_all_loaded()

    landed = len(orders_page.rows_in_view())
    passed = orders_asked_for(program) - before - landed
    assert orders_page.rows_in_view()[0]["index"] > 200
    assert passed <= landed
