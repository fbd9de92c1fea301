"""Pages work in browsers that lack what Chromium has: these tests take it away. They cannot show other differences."""

import pytest
from playwright.sync_api import expect

from conftest import SCREENS
from couriers import choose_photo, expect_sent, open_order, press, send_now, sign_in, take
from delivery_list import DeliveryList

# In Safari 15 and in older versions of Chromium and Firefox.
REMOVE_FUNCTIONS = """
    delete AbortSignal.timeout;
    delete AbortSignal.any;
    delete Response.json;
    delete HTMLFormElement.prototype.requestSubmit;
    for (const name of Object.getOwnPropertyNames(Element.prototype)) if (/^(aria[A-Z]|role$)/.test(name)) delete Element.prototype[name];
"""

# In private windows of Firefox before version 138.
REMOVE_WORKERS = "delete Navigator.prototype.serviceWorker;"

# In Firefox before version 147, whose workers cannot be modules.
REFUSE_WORKERS = "ServiceWorkerContainer.prototype.register = () => Promise.reject(new TypeError('refused by a test'));"

# Records whether the page knows steps that wait.
RECORD_WAITING = "document.addEventListener('writes', ({ detail: { waiting } }) => { globalThis.isWaiting ||= waiting?.length > 0; });"

# In private windows of Safari.
REFUSE_BLOBS = """
    for (const name of ["add", "put"]) {
        const store = IDBObjectStore.prototype[name];
        IDBObjectStore.prototype[name] = function(value) {
            if (value.proofs?.some((proof) => Object.values(proof).some((part) => part instanceof Blob))) throw new DOMException("refused", "DataCloneError");
            return store.call(this, value);
        };
    }
"""

# In private windows of Firefox before version 115, and without room.
REFUSE_WRITES = """
    IDBObjectStore.prototype.add = () => { throw new DOMException("refused by a test", "QuotaExceededError"); };
"""

# As iOS does in the background.
CLOSE_DATABASES = """
    const open = IDBFactory.prototype.open, opened = [];
    IDBFactory.prototype.open = function(...values) {
        const request = open.apply(this, values);
        request.addEventListener("success", () => opened.push(request.result));
        return request;
    };
    window.closeDatabases = () => { for (const database of opened.splice(0)) database.close(); };
"""


@pytest.fixture
def screen():
    return SCREENS["phone"]


@pytest.fixture
def program(start, tmp_path):
    return start("run", "--orders", 10, "--deliveries", 5, "--data", tmp_path / "data", "--port", "0")


@pytest.fixture
def open_browser(new_page):
    """Opens a page of a browser whose documents run scripts first."""
    def open_browser(*scripts, **options):
        page = new_page(**options)
        for script in scripts:
            page.add_init_script(script)
        return page

    return open_browser


def deliver(page, program, order):
    """Carries out an order, with a photo and a name as proofs."""
    take(page, program, order)
    press(page, "Picked up", "On the way")
    press(page, "Arrived", "At the recipient")
    page.get_by_label("Name of the recipient").fill("Ms Lee")
    choose_photo(page)
    press(page, "Delivered", "Delivered")


@pytest.mark.parametrize("workers", [REMOVE_WORKERS, REFUSE_WORKERS])
def test_without_a_worker_each_page_sends_the_steps_that_wait(program, open_browser, workers):
    page = open_browser(workers)
    sign_in(page, program, "Mina")
    deliver(page, program, 1)

    # A page without the script of couriers.
    page.goto(f"{program.address}/deliveries")
    send_now(page)
    page.wait_for_timeout(1_000)

    open_order(page, program, 1)
    expect_sent(page, "Taken", "Picked up", "Arrived", "Delivered")


@pytest.mark.console_errors_allowed
def test_without_a_worker_a_courier_is_asked_before_signing_out_with_steps_that_wait(program, open_browser):
    page = open_browser(REMOVE_WORKERS, RECORD_WAITING)
    sign_in(page, program, "Mina")
    take(page, program, 1)
    press(page, "Picked up", "On the way")
    questions = []
    page.on("dialog", lambda dialog: (questions.append(dialog.message), dialog.dismiss()))

    page.goto(f"{program.address}/sign-in")
    page.wait_for_function("() => globalThis.isWaiting")
    page.get_by_role("button", name="Sign out").click()

    assert len(questions) == 1
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()


def test_proofs_are_stored_where_blobs_cannot_be(program, open_browser):
    page = open_browser(REFUSE_BLOBS)
    sign_in(page, program, "Mina")
    deliver(page, program, 2)

    send_now(page)

    expect_sent(page, "Taken", "Picked up", "Arrived", "Delivered")


def test_a_step_that_cannot_be_stored_is_sent_at_once(program, open_browser):
    page = open_browser(REFUSE_WRITES)
    sign_in(page, program, "Mina")

    deliver(page, program, 3)

    expect_sent(page, "Taken", "Picked up", "Arrived", "Delivered")


def test_a_database_that_the_system_has_closed_is_opened_again(program, open_browser):
    page = open_browser(CLOSE_DATABASES)
    sign_in(page, program, "Mina")
    take(page, program, 4)

    press(page, "Picked up", "On the way")
    page.evaluate("closeDatabases()")
    press(page, "Arrived", "At the recipient")

    send_now(page)
    expect_sent(page, "Taken", "Picked up", "Arrived")


def test_lists_forms_and_favourites_need_no_recent_functions(program, open_browser):
    page = open_browser(REMOVE_FUNCTIONS, REMOVE_WORKERS)
    opened = DeliveryList(page, program.address).open()
    opened.expect_all_loaded()
    opened.favourite(1).click()
    opened.expect_favourite(1, True)
    opened.favourite(1).click()
    opened.expect_favourite(1, False)

    sign_in(page, program, "Mina")
    deliver(page, program, 5)
    send_now(page)
    expect_sent(page, "Taken", "Picked up", "Arrived", "Delivered")


@pytest.mark.console_errors_allowed
def test_devices_of_apple_navigate_with_their_own_map(program, open_browser):
    page = open_browser("Object.defineProperty(Navigator.prototype, 'platform', { get: () => 'iPhone' });")
    page.route("https://maps.apple.com/**", lambda route: route.fulfill(content_type="text/html", body="<!doctype html><title>Map</title>"))
    page.goto(f"{program.address}/orders/1")
    place = page.get_by_role("link", name="Navigate").get_attribute("href").removeprefix("geo:").split("?")[0]

    page.get_by_role("link", name="Navigate").click()

    page.wait_for_url(f"https://maps.apple.com/?daddr={place}")
