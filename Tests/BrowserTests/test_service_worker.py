"""Stored pages while the program is unreachable, which go live when it returns."""

import gzip
import os
import re
import shutil
import signal
from pathlib import Path

import pytest
from playwright.sync_api import expect

from browser_profile import FLAGS, HEADLESS_CHROMIUM
from conftest import SCREENS
from order_list import OFFLINE_STATUS, UPDATED_STATUS, OrderList
from orders_server import order_document
from program import BINARY, BUILD
from service_worker import (
    WAIT_FOR_SHELLS, wait_until_newest_worker_is_active, wait_until_page_is_stored, wait_until_pictures_are_stored,
    wait_until_worker_is_active,
)

ENTRY_COUNT = "async (name) => (await (await caches.open(name)).keys()).length"

# Without the program the browser logs errors.
pytestmark = pytest.mark.console_errors_allowed

WINDOW = Path(__file__).parents[2] / "Program" / "Window"
OFFLINE_ICON = WINDOW / "Shell" / "Resources" / "Icons" / "offline.svg"

RECORD_MESSAGES = """
    globalThis.messageKeys = [];
    const { postMessage } = ServiceWorker.prototype;
    ServiceWorker.prototype.postMessage = function (message) {
        messageKeys.push(...Object.keys(message));
        postMessage.call(this, message);
    };
"""


@pytest.fixture
def screen():
    """These pages behave alike on each screen."""
    return SCREENS["phone"]


@pytest.fixture
def stored_pages(orders, start_window, page):
    """A program, and the list in a page that has stored order 3 as well."""
    program = start_window(orders)
    orders_page = OrderList(page, program.address).open()
    orders_page.expect_all_loaded()
    wait_until_worker_is_active(page)
    wait_until_page_is_stored(page, "/orders", "Groceries 8")
    page.goto(f"{orders_page.address}/3")
    expect(page.get_by_role("heading", level=1, name="Groceries 3")).to_be_visible()
    wait_until_page_is_stored(page, "/orders/3", "Ring 3 times")
    wait_until_pictures_are_stored(page, 6)
    return program, orders_page


# Without the program

def test_the_stored_list_opens_offline_with_its_rows_and_their_age(stored_pages):
    program, orders_page = stored_pages
    program.stop()

    orders_page.open()

    expect(orders_page.status).to_have_text(OFFLINE_STATUS)
    orders_page.expect_all_loaded()
    assert orders_page.heading.inner_text() == "40 orders"
    assert "Groceries 1" in orders_page.texts_in_view()[0]
    assert int(orders_page.status.get_attribute("data-stored-at")) > 1_700_000_000_000
    mask = orders_page.page.evaluate("() => getComputedStyle(document.querySelector('.search .icon')).maskImage")
    assert re.search(r' d="([^"]+)"', OFFLINE_ICON.read_text())[1] in mask


def test_a_stored_order_opens_offline_with_its_map_and_pictures(stored_pages):
    program, orders_page = stored_pages
    page = orders_page.page
    program.stop()
    orders_page.open()

    orders_page.row(3).get_by_role("link").click()

    expect(page.get_by_role("heading", level=1, name="Groceries 3")).to_be_visible()
    expect(page.locator("#status")).to_have_text(OFFLINE_STATUS)
    expect(page.locator("#map image[data-awaited]")).to_have_count(0)
    assert page.locator("#map image").count() > 0
    page.wait_for_function("() => [...document.images].every(({ naturalWidth }) => naturalWidth > 0)")


def test_an_order_that_is_not_stored_shows_the_offline_page_until_the_program_returns(stored_pages, orders, start):
    program, orders_page = stored_pages
    page = orders_page.page
    program.stop()

    page.goto(f"{orders_page.address}/5")
    expect(page.get_by_role("heading", level=1)).to_have_text("You are offline")
    start("window", "--port", program.port, *orders.arguments)

    expect(page.get_by_role("heading", level=1)).to_have_text("Groceries 5")


def test_the_start_page_opens_offline(stored_pages):
    program, orders_page = stored_pages
    page = orders_page.page
    program.stop()

    page.goto(program.address)
    page.get_by_role("link", name="Show orders").click()

    orders_page.expect_all_loaded()


def test_the_scroll_position_is_restored_offline(many_orders, start_window, page):
    program = start_window(many_orders)
    orders_page = OrderList(page, program.address).open()
    orders_page.expect_all_loaded()
    wait_until_worker_is_active(page)
    orders_page.jump_to(2_000)
    orders_page.expect_all_loaded()
    rows = orders_page.rows_in_view()
    wait_until_page_is_stored(page, "/orders", f"Groceries {rows[0]['id']}<")
    program.stop()

    page.reload()

    orders_page.expect_all_loaded()
    assert orders_page.rows_in_view() == rows


def test_a_sort_that_is_not_stored_redirects_to_the_stored_list(stored_pages):
    program, orders_page = stored_pages
    program.stop()

    orders_page.page.goto(f"{orders_page.address}?sort=price")

    orders_page.expect_all_loaded()
    assert orders_page.page.url == orders_page.address
    expect(orders_page.sort("price")).not_to_be_checked()


def test_stored_pages_of_a_previous_language_are_not_shown(orders, start_window, profile):
    program = start_window(orders)
    page = profile.open(locale="en-US")
    page.goto(f"{program.address}/orders/3")
    wait_until_worker_is_active(page)
    wait_until_page_is_stored(page, "/orders/3", "Within 1.5 km")
    profile.close()
    page = profile.open(locale="de-DE")
    page.goto(f"{program.address}/orders")
    wait_until_page_is_stored(page, "/orders", "40 Bestellungen")
    program.stop()

    page.goto(f"{program.address}/orders/3")
    expect(page.get_by_role("heading", level=1)).to_have_text("Sie sind offline")
    page.goto(f"{program.address}/orders")
    expect(page.get_by_role("heading", level=1)).to_have_text("40 Bestellungen")


# After the program returns

def test_a_stored_list_goes_live_without_a_reload(stored_pages, orders, start):
    program, orders_page = stored_pages
    program.stop()
    orders_page.open()
    orders_page.expect_all_loaded()
    orders_page.page.evaluate("() => { globalThis.sameDocument = true; }")
    orders.responses[2] = order_document(2, title="Groceries for tomorrow")

    start("window", "--port", program.port, *orders.arguments)

    expect(orders_page.row(2)).to_contain_text("Groceries for tomorrow")
    expect(orders_page.status).to_have_text(UPDATED_STATUS)
    orders_page.expect_all_loaded()
    assert orders_page.page.evaluate("globalThis.sameDocument")


def test_a_search_made_offline_is_sent_when_the_program_returns(stored_pages, orders, start):
    program, orders_page = stored_pages
    program.stop()
    orders_page.open()
    orders_page.expect_all_loaded()

    orders_page.search.fill("Groceries 17")
    orders_page.search.press("Enter")
    expect(orders_page.status).to_have_text(OFFLINE_STATUS)
    start("window", "--port", program.port, *orders.arguments)

    expect(orders_page.heading).to_have_text("1 order")


def test_an_unresponsive_program_falls_back_to_the_stored_page(stored_pages):
    program, orders_page = stored_pages
    program.send_signal(signal.SIGSTOP)
    try:
        orders_page.open()
        expect(orders_page.status).to_have_text(OFFLINE_STATUS)
        orders_page.expect_all_loaded()
    finally:
        program.send_signal(signal.SIGCONT)

    expect(orders_page.status).to_have_text(UPDATED_STATUS)


# With the program

def test_streams_and_posts_bypass_the_worker(stored_pages):
    _, orders_page = stored_pages
    page = orders_page.page
    responses = []
    page.on("response", lambda response: responses.append(response))

    orders_page.open()
    orders_page.expect_all_loaded()
    orders_page.refresh()

    bypassing = {response.url.split("/windows", 1)[0]: response.from_service_worker for response in responses if "/windows" in response.url}
    assert len(bypassing) == 1 and not any(bypassing.values())
    assert any(response.from_service_worker for response in responses if "/assets/" in response.url)


def test_a_failed_page_does_not_replace_a_stored_one(stored_pages, orders, start):
    program, orders_page = stored_pages
    program.stop()
    orders.stop()
    restarted = start("window", "--port", program.port, *orders.arguments)
    orders_page.page.add_init_script(RECORD_MESSAGES)
    orders_page.open()
    expect(orders_page.error).not_to_be_empty()
    orders_page.page.wait_for_function("() => messageKeys.includes('seen')")
    orders_page.page.evaluate("() => { dispatchEvent(new PageTransitionEvent('pagehide')); }")
    assert "page" not in orders_page.page.evaluate("messageKeys")
    restarted.stop()

    orders_page.open()

    orders_page.expect_all_loaded()
    expect(orders_page.status).to_have_text(OFFLINE_STATUS)


@pytest.fixture
def make_newer_binary():
    """Returns the program with another style sheet, and hence another version of its assets; the name is that of the version."""
    folders = []

    def make_newer_binary(name):
        folder = BINARY.parent / name
        folders.append(folder)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        os.link(BINARY, folder / BINARY.name)
        for resources in BUILD.glob("*.resources"):
            shutil.copytree(resources, folder / resources.name)
        with open(folder / "lading_Window.resources" / "app.css", "a") as style:
            style.write(f"\n.{name} {{ color: red }}\n")
        return folder / BINARY.name

    yield make_newer_binary
    for folder in folders:
        shutil.rmtree(folder)


def test_a_newer_program_adds_a_newer_shell_and_the_older_one_stays(stored_pages, orders, start, make_newer_binary):
    program, orders_page = stored_pages
    page = orders_page.page
    program.stop()
    start("window", "--port", program.port, *orders.arguments, binary=make_newer_binary("newer"))

    orders_page.open()

    page.evaluate(WAIT_FOR_SHELLS, 2)
    wait_until_newest_worker_is_active(page, shell_of(page))
    wait_until_page_is_stored(page, "/orders", page.locator("[rel=stylesheet]").get_attribute("href"))


def test_after_a_rollback_the_shell_of_the_installed_program_stays_beside_the_next(stored_pages, orders, start, make_newer_binary):
    program, orders_page = stored_pages
    page = orders_page.page
    installed = shell_of(page)
    count = page.evaluate(ENTRY_COUNT, installed)

    for options in ({"binary": make_newer_binary("newer")}, {}, {"binary": make_newer_binary("newest")}):
        program.stop()
        program = start("window", "--port", program.port, *orders.arguments, **options)
        orders_page.open()
        wait_until_newest_worker_is_active(page, shell_of(page))

    page.evaluate(WAIT_FOR_SHELLS, 2)
    assert page.evaluate("(name) => caches.has(name)", installed)
    assert page.evaluate(ENTRY_COUNT, installed) == count > 0


def test_an_update_that_failed_leaves_the_stored_pages_and_their_shell(stored_pages):
    program, orders_page = stored_pages
    page = orders_page.page
    page.evaluate("async () => { for (const name of ['shell-second', 'shell-third']) await caches.open(name); }")
    orders_page.open()
    page.evaluate("async () => { while (await caches.has('shell-second')) await new Promise((resolve) => setTimeout(resolve, 20)); }")
    program.stop()

    orders_page.open()

    orders_page.expect_all_loaded()
    expect(orders_page.status).to_have_text(OFFLINE_STATUS)
    assert page.evaluate("() => [...document.styleSheets].some(({ cssRules }) => cssRules.length > 0)")


def test_a_page_of_a_newer_program_is_stored_with_its_shell(stored_pages, orders, start, make_newer_binary):
    program, orders_page = stored_pages
    page = orders_page.page
    program.stop()
    program = start("window", "--port", program.port, *orders.arguments, binary=make_newer_binary("newer"))

    page.evaluate("() => navigator.serviceWorker.controller.postMessage({ fetch: ['/orders/5'] })")

    # The fetched page makes the worker update itself, though nobody has opened a page of the newer program.
    wait_until_page_is_stored(page, "/orders/5", "Groceries 5")
    page.evaluate(WAIT_FOR_SHELLS, 2)
    newest = page.evaluate("() => caches.keys().then((names) => names.filter((name) => name.startsWith('shell-')).at(-1))")
    wait_until_newest_worker_is_active(page, newest)
    program.stop()
    page.goto(f"{orders_page.address}/5")
    expect(page.get_by_role("heading", level=1)).to_have_text("Groceries 5")
    assert page.evaluate("() => [...document.styleSheets].some(({ cssRules }) => [...cssRules].some(({ cssText }) => cssText.startsWith('.newer')))")


def test_a_sign_out_erases_the_start_page_of_each_shell(stored_pages):
    page = stored_pages[1].page
    page.evaluate("async () => (await caches.open('shell-other')).put('/', new Response('Signed in as Mina'))")

    page.evaluate("() => navigator.serviceWorker.controller.postMessage({ erase: true })")

    page.evaluate("""async () => {
        const other = await caches.open("shell-other");
        while (await other.match("/")) await new Promise((resolve) => setTimeout(resolve, 20));
    }""")


def shell_of(page):
    """Returns the name of the cache with the assets of a page."""
    return "shell-" + page.locator("[rel=stylesheet]").first.get_attribute("href").split("/")[2]


def test_without_a_secure_context_the_list_works_without_a_worker(orders, start, browser, screen):
    program = start("window", "--host", "0.0.0.0", "--allowed-host", "lading.test", "--port", 0, *orders.arguments)
    plain = browser.browser_type.launch(executable_path=HEADLESS_CHROMIUM, args=["--host-resolver-rules=MAP lading.test 127.0.0.1", *FLAGS])
    try:
        page = plain.new_page(viewport=screen)
        orders_page = OrderList(page, f"http://lading.test:{program.port}").open()

        orders_page.expect_all_loaded()
        expect(orders_page.status).to_have_text(UPDATED_STATUS)
        assert page.evaluate("() => !isSecureContext && !navigator.serviceWorker")
    finally:
        plain.close()


# Installation

def test_the_app_is_installable(orders, start_window, profile):
    page = profile.open()
    page.goto(start_window(orders).address)
    wait_until_worker_is_active(page)
    session = page.context.new_cdp_session(page)

    manifest = session.send("Page.getAppManifest")

    assert manifest["errors"] == []
    assert session.send("Page.getInstallabilityErrors")["installabilityErrors"] == []


def test_each_icon_has_the_size_given_in_the_manifest(orders, start_window, page):
    page.goto(start_window(orders).address)

    icons = page.evaluate("""async () => {
        const { icons } = await (await fetch(document.querySelector("[rel=manifest]").href)).json();
        const touch = { src: document.querySelector("[rel=apple-touch-icon]").href, sizes: "180x180" };
        return Promise.all([...icons, touch].map(async ({ src, sizes }) => {
            const image = new Image();
            image.src = src;
            await image.decode();
            return [sizes, `${image.naturalWidth}x${image.naturalHeight}`];
        }));
    }""")

    assert [declared for declared, _ in icons] == ["any", "192x192", "512x512", "512x512", "180x180"]
    assert all(declared in ("any", actual) for declared, actual in icons)


def test_the_scripts_of_the_worker_stay_within_their_budget(orders, start_window, page):
    program = start_window(orders)
    stub = page.request.get(f"{program.address}/worker.js").text()
    module = re.search(r'"(/assets/[^"]+/worker\.js)"', stub)[1]

    script = page.request.get(program.address + module).body()

    assert b"import " not in script
    assert 2_000 < len(gzip.compress(script, 9)) <= 6_656
