"""Every page in every state and language: the rules of axe, and unclipped text at 200 %.

One program serves all of them. A page is opened twice: with default text, for axe in light and dark colours, and with large text, on two screens.
"""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from deliveries_server import DeliveriesServer
from orders_server import OrdersServer, order_document
from photos_server import PhotosServer
from text_fit import TEXT_FAULTS, enlarge_text
from service_worker import wait_until_page_is_stored, wait_until_worker_is_active

LANGUAGES = {"en-US": "en", "de-DE": "de", "zh-TW": "zh-Hant", "ar-EG": "ar"}
# One left-to-right and one right-to-left language, for slow tests.
BOTH_DIRECTIONS = ["en-US", "ar-EG"]
WIDTHS = [390, 320]

# The path of each page, and the selector that is visible in the intended state.
PAGES = {
    "start": ("/", "main"),
    # With few operations: the program has just started.
    "operations": ("/operations", ".flight"),
    "operations without scripts": ("/operations", ".decisions"),
    "orders, one of which failed": ("/orders", ".row[data-state=failed]"),
    "orders without a match but one that failed": ("/orders?search=zzz", ".row[data-state=failed]"),
    "order": ("/orders/3", "#map.live"),
    "order elsewhere": ("/orders/4", ".map-placeholder"),
    "order that failed": ("/orders/1", ".problem"),
    "no such order": ("/orders/none", ".page-problem"),
    "deliveries": ("/deliveries", ".row[data-state=loaded]"),
    "deliveries without a match": ("/deliveries?search=zzz", "#empty:not(:empty)"),
    "delivery": ("/deliveries/1", "#map.live"),
    "delivery nowhere": ("/deliveries/3", ".map-placeholder"),
    "rovers": ("/photos", ".rover"),
    "photos, one of which failed": ("/photos/curiosity/1000", ".row[data-state=failed]"),
    "photo": ("/photos/curiosity/1000/1004", "#stage[aria-busy=false]"),
    "photo that failed": ("/photos/curiosity/1000/1000", "#photo-error:not([hidden])"),
    "nothing": ("/nowhere", ".page-problem"),
    "offline": ("/offline", ".page-problem"),
    "orders without scripts": ("/orders?plain=1", ".row[data-state=loaded]"),
    "order without scripts": ("/orders/3?plain=1", ".map"),
    "deliveries without scripts": ("/deliveries?plain=1", ".row[data-state=loaded]"),
    "delivery without scripts": ("/deliveries/1?plain=1", ".map"),
    "photos without scripts": ("/photos/curiosity/1000?plain=1", ".cell img"),
}


@pytest.fixture
def screen():
    return {"width": 390, "height": 844}


@pytest.fixture
def program(start):
    """A window on orders, deliveries and photos, some of which fail or are outside the demo city; few of each, because axe checks every row."""
    orders, deliveries, photos = OrdersServer(8), DeliveriesServer(8), PhotosServer(8)
    orders.responses[1] = 404
    orders.responses[4] = order_document(4).replace("Harbor Street, Lading Harbor", "Main Street, London")
    deliveries.without_location.add(3)
    photos.broken.add(1_000)
    yield start("window", "--port", 0, "--retries", 0, *orders.arguments, *deliveries.arguments[:2], *photos.arguments[:2])
    for server in (orders, deliveries, photos):
        server.stop()


def visit_pages(page, program):
    """Opens each page, and yields its name once it is in the intended state."""
    for name, (path, ready) in PAGES.items():
        # axe uses timers, which do not run in a browser without scripts.
        page.unroute("**/*.js")
        if name.endswith("without scripts"):
            page.route("**/*.js", lambda route: route.abort())
        page.goto(f"{program.address}{path}")
        expect(page.locator(ready).first).to_be_visible()
        yield name


def violations(page):
    """Returns the violations found by axe in light colours, and those of contrast in dark colours."""
    found = Axe().run(page).response["violations"]
    page.emulate_media(color_scheme="dark")
    found += page.evaluate("() => axe.run({ runOnly: ['color-contrast'], resultTypes: ['violations'] })")["violations"]
    page.emulate_media(color_scheme="light")
    return [f"{rule['id']}: {node['html'][:120]}" for rule in found for node in rule["nodes"]]


def text_faults(page, width, may_ellipsize=False):
    page.set_viewport_size({"width": width, "height": 640})
    page.evaluate("() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))")
    return [f"{width} px: {fault}" for fault in page.evaluate(TEXT_FAULTS, may_ellipsize)]


@pytest.mark.console_errors_allowed  # a missing page logs an error
@pytest.mark.parametrize("locale", LANGUAGES)
def test_every_page_passes_axe_and_shows_its_text_unclipped(program, new_page, locale):
    page = new_page(locale=locale, service_workers="block", reduced_motion="reduce")
    page.route("**/health", lambda route: route.abort())  # The offline page would reload otherwise.
    found = {}

    for name in visit_pages(page, program):
        assert page.evaluate("() => document.documentElement.lang") == LANGUAGES[locale]
        found[name] = violations(page) + text_faults(page, 320, may_ellipsize=True)
        page.set_viewport_size({"width": 390, "height": 844})
    enlarge_text(page)
    for name in visit_pages(page, program):
        assert page.evaluate("() => parseFloat(getComputedStyle(document.documentElement).fontSize)") == 32
        found[name] += [f"large text, {fault}" for width in WIDTHS for fault in text_faults(page, width)]

    assert "\n".join(f"{name}: {complaint}" for name, complaints in found.items() for complaint in complaints) == ""


@pytest.mark.console_errors_allowed  # an unreachable server logs errors
def test_offline_pages_pass_axe_and_show_their_text_unclipped(program, new_page):
    pages = {}
    for locale in LANGUAGES:
        pages[locale] = page = new_page(locale=locale, reduced_motion="reduce")
        page.goto(f"{program.address}/orders")
        wait_until_worker_is_active(page)
        wait_until_page_is_stored(page, "/orders", "Groceries 3")
        if locale in BOTH_DIRECTIONS:
            page.goto(f"{program.address}/deliveries")
            wait_until_page_is_stored(page, "/deliveries", "Parcel 3")
    program.stop()

    found = []
    for locale, page in pages.items():
        assert page.goto(f"{program.address}/orders/7").status == 503
        found += [f"{locale}, not stored: {complaint}" for complaint in violations(page) + large_text_faults(page)]
        for path in ["/orders", "/deliveries"] if locale in BOTH_DIRECTIONS else ["/orders"]:
            page.goto(f"{program.address}{path}")
            expect(page.locator("#bar[data-status=offline]")).to_be_visible()
            found += [f"{locale}, {path} stored: {complaint}" for complaint in violations(page) + large_text_faults(page)]

    assert "\n".join(found) == ""


def large_text_faults(page):
    """Returns the faults of large text, and restores the size of text."""
    enlarge_text(page)
    complaints = [fault for width in WIDTHS for fault in text_faults(page, width)]
    enlarge_text(page, 16)
    return complaints


# Transient states

# A notice is cleared after 8 s, possibly before it has been checked.
EXTEND_NOTICES = """{
    const { setTimeout } = window;
    window.setTimeout = (work, delay, ...values) => setTimeout(work, delay === 8_000 ? 600_000 : delay, ...values);
}"""


@pytest.mark.console_errors_allowed  # a refused favourite logs an error
@pytest.mark.parametrize("locale", BOTH_DIRECTIONS)
def test_transient_states_pass_axe_and_show_their_text_unclipped(orders, deliveries, start, new_page, locale):
    orders.numbers, deliveries.numbers = orders.numbers[:8], deliveries.numbers[:8]
    program = start("window", "--port", 0, *orders.arguments, *deliveries.arguments[:2])
    page = new_page(locale=locale, service_workers="block", reduced_motion="reduce")
    page.add_init_script(EXTEND_NOTICES)
    found = []

    for name in visit_transient_states(page, program.address, orders, deliveries):
        found += [f"{name}: {complaint}" for complaint in violations(page) + text_faults(page, 320, may_ellipsize=True) + large_text_faults(page)]
        page.set_viewport_size({"width": 390, "height": 844})

    assert "\n".join(found) == ""


def visit_transient_states(page, address, orders, deliveries):
    """Brings the lists into each transient state, and yields its name."""
    orders.hold_lists()
    orders.hold()
    page.goto(f"{address}/orders")
    expect(page.locator("#skeletons .row").first).to_be_visible()
    yield "first load"

    orders.release_lists()
    orders.wait_until(lambda: 3 in orders.held)
    orders.responses[3] = 503
    orders.release(3)  # The next attempt is held as well.
    expect(page.locator("#row-3[data-state=retrying]")).to_be_visible()
    yield "rows that are loading, one of them after a failure"

    page.locator("[name=search]").fill("zzz")
    expect(page.locator("#search-progress")).to_be_visible()
    yield "search in orders that are not yet known"

    del orders.responses[3]
    orders.release_all()
    page.goto(f"{address}/orders")
    expect(page.locator("#row-2[data-state=loaded]")).to_be_visible()
    orders.responses[2] = 404
    page.locator("#refresh button").click()
    expect(page.locator("#row-2.stale")).to_be_visible()
    yield "row that could not be reloaded"

    orders.stop()
    page.locator("#refresh button").click()
    expect(page.locator("#error")).not_to_be_empty()
    yield "list that could not be refreshed"

    deliveries.refused.add(2)
    page.goto(f"{address}/deliveries")
    page.locator("#row-2 .favourite button").click()
    expect(page.locator("#notice")).not_to_be_empty()
    yield "mark that was refused"
