"""The page listens while it is seen, and notices when nobody speaks any more."""

import os

import pytest
from playwright.sync_api import expect

from order_list import OrderList
from worker import wait_until_worker_works

HIDE = """(hidden) => {
    Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""

COUNT_STREAMS = """
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
def page(new_page):
    """A page that counts its streams."""
    page = new_page()
    page.add_init_script(COUNT_STREAMS)
    return page


@pytest.fixture
def listening(orders, list_of):
    orders_page = list_of(orders).open()
    orders_page.expect_all_loaded()
    orders_page.page.wait_for_function(f"() => ({OPEN_STREAMS})() === 1")
    return orders_page


def test_a_hidden_page_listens_no_more_until_it_is_shown(listening):
    page = listening.page

    page.evaluate(HIDE, True)
    assert page.evaluate(OPEN_STREAMS) == 0

    with page.expect_response(lambda response: response.url.endswith("/windows")):
        page.evaluate(HIDE, False)

    page.wait_for_function(f"() => ({OPEN_STREAMS})() === 1")
    assert page.evaluate("streams.length") == 2


def test_a_stream_goes_on_behind_the_last_event(listening):
    page = listening.page

    page.evaluate(HIDE, True)
    page.evaluate(HIDE, False)

    page.wait_for_function("() => streams.length === 2")
    assert "?after=" in page.evaluate("streams[1].url")


def test_a_page_that_was_asleep_listens_anew(orders, window_on, new_page):
    page = new_page()
    page.clock.install()
    page.add_init_script(COUNT_STREAMS)
    orders_page = OrderList(page, window_on(orders).page).open()
    # An event in the moment in which the clock is put forward would be heard after the sleep.
    orders_page.expect_all_loaded()
    page.wait_for_function(f"() => ({OPEN_STREAMS})() === 1")

    with page.expect_response(lambda response: response.url.endswith("/windows")):
        page.clock.fast_forward(30_000)

    page.wait_for_function("() => streams.length === 2")
    page.wait_for_function(f"() => ({OPEN_STREAMS})() === 1")
    expect(orders_page.heading).to_have_text("40 orders")


def test_lost_streams_come_back_after_waits_that_differ(listening):
    page = listening.page
    page.evaluate("""() => {
        globalThis.waits = [];
        const wait = setTimeout;
        globalThis.setTimeout = (act, time, ...rest) => { waits.push(time); return wait(act, time, ...rest); };
    }""")

    for count in range(1, 5):
        page.evaluate("() => streams.at(-1).dispatchEvent(new Event('error'))")
        page.wait_for_function("(count) => streams.length === count + 1", arg=count)
        page.wait_for_function(f"() => ({OPEN_STREAMS})() === 1")

    waits = [time for time in page.evaluate("waits") if time != 100 and time <= 500]
    assert len(set(waits)) >= 4
    assert all(250 <= time <= 500 for time in waits)


def test_a_page_that_the_browser_kept_listens_again(orders, window_on, browser, screen):
    keeping = browser.browser_type.launch(
        executable_path=os.environ.get("LADING_CHROMIUM", "/usr/bin/chromium"),
        args=["--no-sandbox"] if os.getuid() == 0 else [],
        ignore_default_args=["--disable-back-forward-cache"],
    )
    try:
        page = keeping.new_page(viewport=screen)
        page.add_init_script(COUNT_STREAMS)
        page.add_init_script("addEventListener('pageshow', ({ persisted }) => { globalThis.wasKept = persisted; });")
        orders_page = OrderList(page, window_on(orders).page).open()
        orders_page.expect_all_loaded()
        page.wait_for_function(f"() => ({OPEN_STREAMS})() === 1")
        # A browser forgets pages when a worker takes them over.
        wait_until_worker_works(page)
        orders_page.row(3).get_by_role("link").click()
        expect(page.get_by_role("heading", level=1, name="Groceries 3")).to_be_visible()

        page.evaluate("() => { history.back(); }")

        page.wait_for_function("() => globalThis.wasKept")
        page.wait_for_function(f"() => ({OPEN_STREAMS})() === 1")
        assert "?after=" in page.evaluate("streams.at(-1).url")
    finally:
        keeping.close()
