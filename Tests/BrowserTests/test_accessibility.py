"""Every page, in every state and language, by the rules of axe; and its text at 200 %, which is whole.

One program serves all of them. A page is opened twice: as it is, to be judged in light and dark colours, and with large text, to be measured on two screens.
"""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from deliveries_server import DeliveriesServer
from orders_server import OrdersServer, order_document
from photos_server import PhotosServer
from text_fit import FAULTS, enlarge_text
from worker import wait_until_kept, wait_until_worker_works

LANGUAGES = {"en-US": "en", "de-DE": "de", "zh-TW": "zh-Hant", "ar-EG": "ar"}
# One from left to right, one from right to left, for what takes its time.
BOTH_DIRECTIONS = ["en-US", "ar-EG"]
WIDTHS = [390, 320]

# Where each page is, and what is there once it is in the state meant.
PAGES = {
    "start": ("/", "main"),
    # With few operations, because the program has done little yet.
    "operations": ("/operations", ".flight"),
    "operations without scripts": ("/operations", ".decisions"),
    "orders, one of which failed": ("/orders", ".row[data-state=failed]"),
    "orders without a match but one that failed": ("/orders?search=zzz", ".row[data-state=failed]"),
    "order": ("/orders/3", "#map.live"),
    "order elsewhere": ("/orders/4", ".nowhere"),
    "order that failed": ("/orders/1", ".problem"),
    "no such order": ("/orders/none", ".page-problem"),
    "deliveries": ("/deliveries", ".row[data-state=loaded]"),
    "deliveries without a match": ("/deliveries?search=zzz", "#empty:not(:empty)"),
    "delivery": ("/deliveries/1", "#map.live"),
    "delivery nowhere": ("/deliveries/3", ".nowhere"),
    "rovers": ("/photos", ".rover"),
    "photos, one of which failed": ("/photos/curiosity/1000", ".row[data-state=failed]"),
    "photo": ("/photos/curiosity/1000/1004", "#stage[aria-busy=false]"),
    "photo that failed": ("/photos/curiosity/1000/1000", "#trouble:not([hidden])"),
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
    """A window on orders, deliveries and photos, some of which fail or lie elsewhere; few of each, because axe looks at every row."""
    orders, deliveries, photos = OrdersServer(8), DeliveriesServer(8), PhotosServer(8)
    orders.replies[1] = 404
    orders.replies[4] = order_document(4).replace("Harbor Street, Lading Harbor", "Main Street, London")
    deliveries.nowhere.add(3)
    photos.broken.add(1_000)
    yield start("window", "--port", 0, "--retries", 0, *orders.arguments, *deliveries.arguments[:2], *photos.arguments[:2])
    for server in (orders, deliveries, photos):
        server.stop()


def states(page, program):
    """Opens one page after the other, each with its name, until it is in the state meant."""
    for name, (path, ready) in PAGES.items():
        # axe waits by timers, which a browser without scripts does not run.
        page.unroute("**/*.js")
        if name.endswith("without scripts"):
            page.route("**/*.js", lambda route: route.abort())
        page.goto(f"{program.page}{path}")
        expect(page.locator(ready).first).to_be_visible()
        yield name


def violations(page):
    """What axe finds in the colours of the day, and what it finds wrong with those of the night."""
    found = Axe().run(page).response["violations"]
    page.emulate_media(color_scheme="dark")
    found += page.evaluate("() => axe.run({ runOnly: ['color-contrast'], resultTypes: ['violations'] })")["violations"]
    page.emulate_media(color_scheme="light")
    return [f"{rule['id']}: {node['html'][:120]}" for rule in found for node in rule["nodes"]]


def faults(page, width, may_ellipsize=False):
    page.set_viewport_size({"width": width, "height": 640})
    page.evaluate("() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))")
    return [f"{width} px: {fault}" for fault in page.evaluate(FAULTS, may_ellipsize)]


@pytest.mark.noisy  # a page that is not there is a message in the console
@pytest.mark.parametrize("locale", LANGUAGES)
def test_every_page_obeys_the_rules_and_shows_its_text_whole(program, new_page, locale):
    page = new_page(locale=locale, service_workers="block", reduced_motion="reduce")
    page.route("**/health", lambda route: route.abort())  # Otherwise the page for offline readers would give way.
    found = {}

    for name in states(page, program):
        assert page.evaluate("() => document.documentElement.lang") == LANGUAGES[locale]
        found[name] = violations(page) + faults(page, 320, may_ellipsize=True)
        page.set_viewport_size({"width": 390, "height": 844})
    enlarge_text(page)
    for name in states(page, program):
        assert page.evaluate("() => parseFloat(getComputedStyle(document.documentElement).fontSize)") == 32
        found[name] += [f"large text, {fault}" for width in WIDTHS for fault in faults(page, width)]

    assert "\n".join(f"{name}: {complaint}" for name, complaints in found.items() for complaint in complaints) == ""


@pytest.mark.noisy  # a server that is away is a message in the console
def test_what_is_shown_while_the_program_is_away_obeys_the_rules_and_is_whole(program, new_page):
    pages = {}
    for locale in LANGUAGES:
        pages[locale] = page = new_page(locale=locale, reduced_motion="reduce")
        page.goto(f"{program.page}/orders")
        wait_until_worker_works(page)
        wait_until_kept(page, "/orders", "Groceries 3")
        if locale in BOTH_DIRECTIONS:
            page.goto(f"{program.page}/deliveries")
            wait_until_kept(page, "/deliveries", "Parcel 3")
    program.stop()

    found = []
    for locale, page in pages.items():
        assert page.goto(f"{program.page}/orders/7").status == 503
        found += [f"{locale}, not kept: {complaint}" for complaint in violations(page) + large_faults(page)]
        for path in ["/orders", "/deliveries"] if locale in BOTH_DIRECTIONS else ["/orders"]:
            page.goto(f"{program.page}{path}")
            expect(page.locator("#bar[data-status=offline]")).to_be_visible()
            found += [f"{locale}, {path} kept: {complaint}" for complaint in violations(page) + large_faults(page)]

    assert "\n".join(found) == ""


def large_faults(page):
    """What is wrong with large text; afterwards it has its size again."""
    enlarge_text(page)
    complaints = [fault for width in WIDTHS for fault in faults(page, width)]
    enlarge_text(page, 16)
    return complaints


# States that do not last

# A notice goes after 8 s, which may be sooner than it has been judged.
KEEP_NOTICES = """{
    const { setTimeout } = window;
    window.setTimeout = (work, delay, ...values) => setTimeout(work, delay === 8_000 ? 600_000 : delay, ...values);
}"""


@pytest.mark.noisy  # a mark that is refused is a message in the console
@pytest.mark.parametrize("locale", BOTH_DIRECTIONS)
def test_states_that_do_not_last_obey_the_rules_and_show_their_text_whole(orders, deliveries, start, new_page, locale):
    orders.numbers, deliveries.numbers = orders.numbers[:8], deliveries.numbers[:8]
    program = start("window", "--port", 0, *orders.arguments, *deliveries.arguments[:2])
    page = new_page(locale=locale, service_workers="block", reduced_motion="reduce")
    page.add_init_script(KEEP_NOTICES)
    found = []

    for name in passing_states(page, program.page, orders, deliveries):
        found += [f"{name}: {complaint}" for complaint in violations(page) + faults(page, 320, may_ellipsize=True) + large_faults(page)]
        page.set_viewport_size({"width": 390, "height": 844})

    assert "\n".join(found) == ""


def passing_states(page, address, orders, deliveries):
    """Brings the lists into one state after the other, each with its name."""
    orders.hold_lists()
    orders.hold()
    page.goto(f"{address}/orders")
    expect(page.locator("#skeletons .row").first).to_be_visible()
    yield "first load"

    orders.release_lists()
    orders.wait_until(lambda: 3 in orders.held)
    orders.replies[3] = 503
    orders.release(3)  # The next attempt is held again.
    expect(page.locator("#row-3[data-state=retrying]")).to_be_visible()
    yield "rows that are loading, one of them after a failure"

    page.locator("[name=search]").fill("zzz")
    expect(page.locator("#reading")).to_be_visible()
    yield "search in orders that are not yet known"

    del orders.replies[3]
    orders.release_all()
    page.goto(f"{address}/orders")
    expect(page.locator("#row-2[data-state=loaded]")).to_be_visible()
    orders.replies[2] = 404
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
