"""Stored lists of orders and photos after a kill of the program, without their server."""

import re
import sqlite3

import pytest
from playwright.sync_api import expect

from conftest import SCREENS
from order_list import OrderList
from orders_server import order_document
from photo_grid import PhotoGrid
from program import wait_until

pytestmark = pytest.mark.console_errors_allowed


@pytest.fixture
def screen():
    """These pages behave alike on each screen."""
    return SCREENS["phone"]


def stored_count(folder, name):
    """Returns the number of records on disk whose ids match a pattern."""
    count = 0
    for file in (folder / "feeds").glob("records-*.sqlite"):
        with sqlite3.connect(f"file:{file}?mode=ro", uri=True) as database:
            count += database.execute("SELECT count(*) FROM records WHERE id LIKE ?", (name,)).fetchone()[0]
    return count


def wait_until_stored(folder, *names):
    """Waits until the program has stored records with these ids."""
    for name in names:
        wait_until(lambda: stored_count(folder, name), f"{name} was never stored")


def test_stored_orders_are_shown_after_a_kill_without_their_server(orders, start, page, tmp_path):
    arguments = ("window", "--port", 0, "--data", tmp_path, *orders.arguments)
    program = start(*arguments)
    opened = OrderList(page, program.address).open()
    opened.expect_all_loaded()
    opened.jump_to_end()
    opened.expect_all_loaded()
    page.goto(f"{program.address}/orders/3")
    expect(page.locator(".items li")).to_have_count(2)
    expect(page.locator(".items img").first).to_have_js_property("naturalWidth", 64)
    wait_until_stored(tmp_path, "orders/list", "orders/row/1", "orders/row/3", "orders/row/40", "items")
    program.kill()
    orders.stop()

    program = start(*arguments)
    opened = OrderList(page, program.address).open()

    expect(opened.heading).to_have_text("40 orders")
    expect(opened.row(1)).to_contain_text("Groceries 1")
    expect(opened.error).not_to_be_empty()
    opened.search.fill("groceries 40")
    expect(page.locator("[data-index='0']")).to_contain_text("Groceries 40")
    page.goto(f"{program.address}/orders/3")
    expect(page.get_by_role("heading", level=1)).to_have_text("Groceries 3")
    expect(page.locator(".items li").first).to_contain_text("Broccoli")
    expect(page.locator(".items img").first).to_have_js_property("naturalWidth", 64)
    expect(page.locator(".stale-notice")).to_contain_text(re.compile("Stored (just now|.* ago)"))


def test_stored_orders_are_updated_when_their_server_returns(orders, start, page, tmp_path):
    arguments = ("window", "--port", 0, "--data", tmp_path, *orders.arguments)
    program = start(*arguments)
    OrderList(page, program.address).open().expect_all_loaded()
    program.stop()
    orders.stop()
    opened = OrderList(page, start(*arguments).address).open()
    expect(opened.row(1)).to_contain_text("Groceries 1")
    expect(opened.error).not_to_be_empty()

    orders.numbers.remove(2)
    orders.responses[1] = order_document(1, title="Groceries for tomorrow")
    orders.start()

    expect(opened.error).to_be_empty()
    expect(opened.heading).to_have_text("39 orders")
    expect(opened.row(1)).to_contain_text("Groceries for tomorrow")
    expect(opened.row(2)).to_have_count(0)


def test_stored_photos_are_shown_after_a_kill_without_their_server(photos, start, page, tmp_path):
    arguments = ("window", "--port", 0, "--data", tmp_path, *photos.arguments)
    program = start(*arguments)
    page.goto(f"{program.address}/photos")
    expect(page.locator(".rover")).not_to_have_count(0)
    rovers = page.locator(".rovers").inner_text()
    grid = PhotoGrid(page, program.address).open()
    grid.expect_all_loaded()
    page.goto(f"{program.address}/photos/curiosity/1000/1000")
    expect(page.locator("#picture")).to_have_js_property("complete", True)
    wait_until_stored(tmp_path, "sol/%", "manifest/%", "rovers")
    program.kill()
    photos.stop()

    program = start(*arguments)
    grid = PhotoGrid(page, program.address).open()
    grid.expect_all_loaded()
    expect(grid.error).not_to_be_empty()
    page.goto(f"{program.address}/photos/curiosity/1000/1000")
    expect(page.locator("#picture")).to_have_js_property("complete", True)
    assert page.locator("#picture").evaluate("image => image.naturalWidth") > 0
    page.goto(f"{program.address}/photos")
    expect(page.locator(".rovers-stored")).to_have_text(re.compile("Stored (just now|.* ago)"))
    assert rovers.split("\n")[1] in page.locator(".rovers").inner_text()
