"""The event stream of a page: open while the page is visible, and reopened when it is silent."""

import pytest
from playwright.sync_api import expect

from conftest import SCREENS
from order_list import OrderList
from service_worker import wait_until_worker_is_active

SET_HIDDEN = """(hidden) => {
    Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""

RECORD_STREAMS = """
    globalThis.streams = [];
    globalThis.EventSource = class extends EventSource {
        constructor(address) {
            super(address);
            streams.push(this);
        }
    };
"""

OPEN_STREAMS = "() => streams.filter(({ readyState }) => readyState === EventSource.OPEN).length"


@pytest.fixture
def screen():
    """These pages behave alike on each screen."""
    return SCREENS["phone"]


@pytest.fixture
def page(new_page):
    """A page that records its streams."""
    page = new_page()
    page.add_init_script(RECORD_STREAMS)
    return page


@pytest.fixture
def streaming_list(orders, make_order_list):
    orders_page = make_order_list(orders).open()
    orders_page.expect_all_loaded()
    orders_page.page.wait_for_function(f"() => ({OPEN_STREAMS})() === 1")
    return orders_page


def test_a_hidden_page_closes_its_stream_and_reopens_it_when_shown(streaming_list):
    page = streaming_list.page

    page.evaluate(SET_HIDDEN, True)
    assert page.evaluate(OPEN_STREAMS) == 0

    with page.expect_response(lambda response: response.url.endswith("/windows")):
        page.evaluate(SET_HIDDEN, False)

    page.wait_for_function(f"() => ({OPEN_STREAMS})() === 1")
    assert page.evaluate("streams.length") == 2


def test_a_reopened_stream_resumes_after_the_last_event(streaming_list):
    page = streaming_list.page

    page.evaluate(SET_HIDDEN, True)
    page.evaluate(SET_HIDDEN, False)

    page.wait_for_function("() => streams.length === 2")
    assert "?after=" in page.evaluate("streams[1].url")


def test_a_page_reopens_its_stream_after_sleep(orders, start_window, new_page):
    page = new_page()
    page.clock.install()
    page.add_init_script(RECORD_STREAMS)
    orders_page = OrderList(page, start_window(orders).address).open()
    # An event during the jump of the clock would be received after it.
    orders_page.expect_all_loaded()
    page.wait_for_function(f"() => ({OPEN_STREAMS})() === 1")

    with page.expect_response(lambda response: response.url.endswith("/windows")):
        page.clock.fast_forward(30_000)

    page.wait_for_function("() => streams.length === 2")
    page.wait_for_function(f"() => ({OPEN_STREAMS})() === 1")
    expect(orders_page.heading).to_have_text("40 orders")


def test_lost_streams_reconnect_after_randomised_delays(streaming_list):
    page = streaming_list.page
    page.evaluate("""() => {
        globalThis.waits = [];
        const wait = setTimeout;
        globalThis.setTimeout = (act, time, ...rest) => { waits.push(time); return wait(act, time, ...rest); };
    }""")

    for count in range(1, 5):
        page.evaluate("() => { for (const name of ['beat', 'error']) streams.at(-1).dispatchEvent(new Event(name)); }")
        page.wait_for_function("(count) => streams.length === count + 1", arg=count)
        page.wait_for_function(f"() => ({OPEN_STREAMS})() === 1")

    waits = [time for time in page.evaluate("waits") if time != 100 and time <= 500]
    assert len(set(waits)) >= 4
    assert all(250 <= time <= 500 for time in waits)


@pytest.mark.console_errors_allowed
def test_streams_that_are_closed_at_once_are_reopened_less_and_less_often(orders, make_order_list):
    orders_page = make_order_list(orders)
    orders_page.page.route("**/events*", lambda route: route.fulfill(content_type="text/event-stream", body=""))

    orders_page.open()
    orders_page.page.wait_for_timeout(10_000)

    assert 3 <= orders_page.page.evaluate("streams.length") <= 7


def test_a_page_from_the_back_forward_cache_reopens_its_stream(orders, start_window, whole_browser, screen):
    page = whole_browser.new_page(viewport=screen)
    page.add_init_script(RECORD_STREAMS)
    page.add_init_script("addEventListener('pageshow', ({ persisted }) => { globalThis.wasKept = persisted; });")
    orders_page = OrderList(page, start_window(orders).address).open()
    orders_page.expect_all_loaded()
    page.wait_for_function(f"() => ({OPEN_STREAMS})() === 1")
    # A browser evicts cached pages when a worker takes control of them.
    wait_until_worker_is_active(page)
    orders_page.row(3).get_by_role("link").click()
    expect(page.get_by_role("heading", level=1, name="Groceries 3")).to_be_visible()

    page.evaluate("() => { history.back(); }")

    page.wait_for_function("() => globalThis.wasKept")
    page.wait_for_function(f"() => ({OPEN_STREAMS})() === 1")
    assert "?after=" in page.evaluate("streams.at(-1).url")
