"""A program, a browser and a server of orders for each test, all fresh."""

import pytest
from playwright.sync_api import expect, sync_playwright

from browser_profile import CHROMIUM, FLAGS, BrowserProfile
from deliveries_server import DeliveriesServer
from order_list import OrderList
from orders_server import OrdersServer
from photos_server import PhotosServer
from program import Program

SCREENS = {"phone": {"width": 390, "height": 844}, "desk": {"width": 1280, "height": 800}}

# For slow machines; what holds sooner is seen sooner.
expect.set_options(timeout=20_000)


# The program

@pytest.fixture
def start():
    """Starts programs, and sees that those still running at the end stop in peace."""
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
    """A server of 40 orders that is not ours."""
    server = OrdersServer()
    yield server
    server.stop()


@pytest.fixture
def many_orders():
    """A server of 4,000 orders that is not ours."""
    server = OrdersServer(4_000)
    yield server
    server.stop()


@pytest.fixture
def deliveries():
    """A server of 45 deliveries that is not ours."""
    server = DeliveriesServer()
    yield server
    server.stop()


@pytest.fixture
def many_deliveries():
    """A server of 210 deliveries that is not ours."""
    server = DeliveriesServer(210)
    yield server
    server.stop()


@pytest.fixture
def photos():
    """A server of Mars photos that is not ours, with 60 photos of the sol 1000."""
    server = PhotosServer()
    yield server
    server.stop()


@pytest.fixture
def many_photos():
    """A server of Mars photos that is not ours, with 900 photos of the sol 1000."""
    server = PhotosServer(900)
    yield server
    server.stop()


# The browser

@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(params=SCREENS)
def screen(request):
    """The size of a phone, then that of a desk."""
    return SCREENS[request.param]


@pytest.fixture
def complaints():
    """What browsers wrote into their consoles as warnings or errors, and errors that no script caught."""
    return []


@pytest.fixture
def new_page(browser, screen, complaints, request):
    """Makes pages, each in a browser profile of its own, and sees that none complains."""
    contexts = []

    def hear(message):
        if message.type in ("warning", "error"):
            complaints.append(f"{message.text} ({message.location.get('url')})")

    def new_page(**options):
        context = browser.new_context(viewport=screen, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("console", hear)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        return page

    yield new_page
    for context in contexts:
        context.close()
    if not request.node.get_closest_marker("noisy"):
        assert complaints == []


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
def window_on(start):
    """Starts a window on a server of orders."""
    return lambda orders: start("window", "--port", 0, *orders.arguments)


@pytest.fixture
def list_of(window_on, page):
    """Starts a window on a server of orders and gives its list, to be opened in the test's page."""
    return lambda orders: OrderList(page, window_on(orders).page)
