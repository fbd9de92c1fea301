"""The journeys of the README, with the program as `make run` starts it: with its own server, its demo and default options."""

import re
import signal
import tempfile

import pytest
from playwright.sync_api import expect

from conftest import SCREENS
from delivery_list import DeliveryList
from order_list import OFFLINE_STATUS, VISIBLE_TEXTS, OrderList
from photo_grid import PhotoGrid
from program import REPOSITORY, Program
from service_worker import wait_until_page_is_stored, wait_until_worker_is_active


# Whether nothing is loaded for the search, and the first row has been the same for a second.
FIRST_ROW_IS_FINAL = """() => {
    const title = document.querySelector(".row[data-index='0'] .title")?.innerText;
    const isChanged = title !== window.firstTitle || !document.getElementById("search-progress").hidden;
    if (isChanged) [window.firstTitle, window.firstTitleTime] = [title, Date.now()];
    return Date.now() - window.firstTitleTime > 1_000;
}"""

VISIBLE_ROWS_MATCH = "(word) => { const texts = (%s)(); return texts.length > 2 && texts.every((text) => text.toLowerCase().includes(word)); }" % VISIBLE_TEXTS

# The program may have to be built first.
pytestmark = pytest.mark.timeout(900)


class DefaultProgram(Program):
    """The script behind `make run`, with its own data directory and any free port."""

    # The script runs an incremental build first.
    TIMEOUT = 600

    def __init__(self, data_home):
        super().__init__("--port", "0", binary=REPOSITORY / "Scripts" / "run", data_home=data_home)

    def stop(self):
        """Stops the program as `Program.stop` does; the compiler writes its progress to standard error."""
        self.send_signal(signal.SIGTERM)
        assert self.wait() == 0
        self.kill()


@pytest.fixture
def screen():
    """A phone, for which the journeys are designed."""
    return SCREENS["phone"]


@pytest.fixture(scope="module")
def default_program():
    """A program shared by the journeys that do not stop it."""
    with tempfile.TemporaryDirectory(prefix="lading-") as data_home:
        program = DefaultProgram(data_home)
        try:
            yield program
            program.stop()
        finally:
            program.kill()


def test_an_order_is_searched_sorted_opened_and_closed(default_program, page):
    page.goto(f"{default_program.address}/")
    page.locator("a[href='/orders']").first.click()
    orders_page = OrderList(page, default_program.address)
    expect(orders_page.heading).to_have_text("400 orders")
    orders_page.expect_all_loaded()

    orders_page.search.fill("street")
    page.wait_for_url(lambda url: "search=street" in url)
    # The address changes before the answer arrives.
    page.wait_for_function(VISIBLE_ROWS_MATCH, arg="street")
    orders_page.expect_all_loaded()
    orders_page.search.fill("")
    page.wait_for_url(lambda url: "search" not in url)
    with page.expect_response(lambda response: "arrange" in response.url):
        orders_page.sort("soonest").check(force=True)
    page.wait_for_url(lambda url: "sort=soonest" in url)
    # Orders that load later are inserted between those that have loaded, and the progress appears after the answer.
    page.wait_for_function(FIRST_ROW_IS_FINAL, polling=100, timeout=60_000)
    orders_page.expect_all_loaded()

    first = page.locator(".row[data-index='0']")
    title = first.locator(".title").inner_text()
    first.get_by_role("link").first.click()
    expect(page.locator("#detail").get_by_role("heading", level=1)).to_have_text(title)
    expect(page.locator(".items li").first).to_be_visible()
    assert "Unknown item" not in page.locator(".items").inner_text()

    page.go_back()
    page.wait_for_url(lambda url: "sort=soonest" in url)
    expect(page.locator(".row[data-index='0'] .title")).to_have_text(title)


@pytest.mark.console_errors_allowed  # between the two programs the page logs errors
def test_a_favourite_persists_through_refreshes_and_a_restart(page):
    with tempfile.TemporaryDirectory(prefix="lading-") as data_home:
        program = DefaultProgram(data_home)
        try:
            deliveries_page = DeliveryList(page, program.address).open()
            deliveries_page.expect_all_loaded()
            first = deliveries_page.page.locator(".row[data-index='0'] .favourite button")
            before = first.get_attribute("aria-pressed")
            after = "false" if before == "true" else "true"

            with page.expect_response(lambda response: "favourite" in response.url and response.ok):
                first.click()
            for _ in range(2):
                deliveries_page.refresh()
                expect(page.locator("#bar")).to_have_attribute("data-status", "ready")
            deliveries_page.open()

            expect(first).to_have_attribute("aria-pressed", after)

            program.stop()
            program = DefaultProgram(data_home)
            DeliveryList(page, program.address).open()

            expect(first).to_have_attribute("aria-pressed", after)
        finally:
            program.stop()


@pytest.mark.console_errors_allowed  # Chromium logs that it skips a transition to a page whose style sheet has not loaded
def test_photos_of_a_sol_are_shown_and_one_is_opened_from_the_grid(default_program, page):
    page.goto(f"{default_program.address}/photos")
    page.get_by_role("link", name=re.compile("Curiosity")).first.click()
    page.wait_for_url(re.compile(r"/photos/curiosity/\d+"))
    grid = PhotoGrid(page, default_program.address)
    grid.expect_pictures_loaded()

    page.locator(".cell a").first.click()

    page.wait_for_url(re.compile(r"/photos/curiosity/\d+/"))
    page.wait_for_function("() => [...document.images].some((image) => image.complete && image.naturalWidth > 200)")


def test_the_operations_page_shows_the_operations_of_another_page(default_program, new_page):
    watcher, page = new_page(), new_page()
    watcher.goto(f"{default_program.address}/operations")

    OrderList(page, default_program.address).open().expect_all_loaded()

    expect(watcher.locator("main")).to_contain_text(re.compile(r"[Oo]rder.\d+"))


@pytest.mark.console_errors_allowed
def test_a_visited_list_opens_without_the_program(page):
    with tempfile.TemporaryDirectory(prefix="lading-") as data_home:
        program = DefaultProgram(data_home)
        try:
            orders_page = OrderList(page, program.address).open()
            orders_page.expect_all_loaded()
            wait_until_worker_is_active(page)
            orders_page.open().expect_all_loaded()
            title = page.locator(".row[data-index='0'] .title").inner_text()
            wait_until_page_is_stored(page, "/orders", title)

            program.stop()
            orders_page.open()

            expect(orders_page.status).to_have_text(OFFLINE_STATUS)
            expect(page.locator(".row[data-index='0'] .title")).to_have_text(title)
        finally:
            if program.is_running:
                program.stop()


def test_sigint_ends_the_program_with_exit_code_130():
    with tempfile.TemporaryDirectory(prefix="lading-") as data_home:
        program = DefaultProgram(data_home)

        program.send_signal(signal.SIGINT)

        assert program.wait() == 130
        program.kill()
