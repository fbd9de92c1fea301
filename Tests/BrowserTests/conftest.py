"""Fixtures: a program, a browser and stub servers, new for each test."""

import pytest
from playwright.sync_api import expect, sync_playwright

from browser_profile import CHROMIUM, FLAGS, HEADLESS_CHROMIUM, BrowserProfile
from deliveries_server import DeliveriesServer
from order_list import OrderList
from orders_server import OrdersServer
from photos_server import PhotosServer
from program import Program

SCREENS = {"phone": {"width": 390, "height": 844}, "desktop": {"width": 1280, "height": 800}}

on_phone = pytest.mark.parametrize("screen", [SCREENS["phone"]], ids=["phone"])
"""A test of what behaves alike on each screen."""

# For slow machines; an expectation that is met sooner ends sooner.
expect.set_options(timeout=40_000)

SLOW_FILES = [
    "test_couriers", "test_accessibility", "test_couriers_faults", "test_journeys", "test_search_progress", "test_dispatch", "test_openapi", "test_long_list",
]
"""The files whose tests take longest together; they begin first, so that none of them runs alone at the end."""


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: SLOW_FILES.index(item.path.stem) if item.path.stem in SLOW_FILES else len(SLOW_FILES))


# The program

@pytest.fixture
def start():
    """Starts programs; those still running at the end must stop without errors."""
    programs = []

    def start(*arguments, **options):
        programs.append(Program(*arguments, **options))
        return programs[-1]

    yield start
    try:
        for program in programs:
            if program.is_running:
                program.stop()
    finally:
        for program in programs:
            program.kill()


@pytest.fixture
def orders():
    """A stub server of 40 orders."""
    server = OrdersServer()
    yield server
    server.stop()


@pytest.fixture
def many_orders():
    """A stub server of 4,000 orders."""
    server = OrdersServer(4_000)
    yield server
    server.stop()


@pytest.fixture
def deliveries():
    """A stub server of 45 deliveries."""
    server = DeliveriesServer()
    yield server
    server.stop()


@pytest.fixture
def many_deliveries():
    """A stub server of 210 deliveries."""
    server = DeliveriesServer(210)
    yield server
    server.stop()


@pytest.fixture
def photos():
    """A stub server of Mars photos, 60 of them of sol 1000."""
    server = PhotosServer()
    yield server
    server.stop()


@pytest.fixture
def many_photos():
    """A stub server of Mars photos, 900 of them of sol 1000."""
    server = PhotosServer(900)
    yield server
    server.stop()


# The browser

@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=HEADLESS_CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def whole_browser(browser):
    """A browser with background sync and with the cache of pages."""
    browser = browser.browser_type.launch(
        executable_path=CHROMIUM, args=FLAGS, ignore_default_args=["--disable-back-forward-cache"])
    yield browser
    browser.close()


@pytest.fixture(params=SCREENS)
def screen(request):
    """The size of a phone, then that of a desktop."""
    return SCREENS[request.param]


@pytest.fixture
def console_messages():
    """The warnings and errors in the consoles of browsers, and uncaught errors of scripts."""
    return []


@pytest.fixture
def new_page(browser, screen, console_messages, request):
    """Creates pages, each in its own browser context; none may write warnings or errors to the console."""
    contexts = []

    def record(message):
        if message.type in ("warning", "error"):
            console_messages.append(f"{message.text} ({message.location.get('url')})")

    def new_page(**options):
        context = browser.new_context(viewport=screen, **options)
        context.set_default_timeout(60_000)
        contexts.append(context)
        page = context.new_page()
        page.on("console", record)
        page.on("pageerror", lambda error: console_messages.append(f"{error} {error.stack}"))
        return page

    yield new_page
    for context in contexts:
        context.close()
    if not request.node.get_closest_marker("console_errors_allowed"):
        assert console_messages == []


@pytest.fixture
def page(new_page):
    return new_page()


@pytest.fixture
def profile(browser, tmp_path, screen):
    """A browser profile on disk."""
    profile = BrowserProfile(browser.browser_type, tmp_path, screen)
    yield profile
    profile.close()


@pytest.fixture
def start_window(start):
    """Starts a window on a server of orders."""
    return lambda orders: start("window", "--port", 0, *orders.arguments)


@pytest.fixture
def make_order_list(start_window, page):
    """Starts a window on a server of orders, and returns its list in the page of the test."""
    return lambda orders: OrderList(page, start_window(orders).address)
