"""With the program out of reach pages open as they were last seen, and go live when it is back."""

import gzip
import os
import re
import shutil
import signal
from pathlib import Path

import pytest
from playwright.sync_api import expect

from browser_profile import CHROMIUM, FLAGS
from order_list import OFFLINE, UPDATED, OrderList
from orders_server import order_document
from program import BINARY
from worker import WAIT_FOR_SHELLS, wait_until_kept, wait_until_pictures_are_kept, wait_until_worker_works

# Without a program the browser's console fills up.
pytestmark = pytest.mark.noisy

WINDOW = Path(__file__).parents[2] / "Sources" / "Window"
OFFLINE_ICON = WINDOW / "Icons" / "offline.svg"

NOTE_MESSAGES = """
    globalThis.told = [];
    const { postMessage } = ServiceWorker.prototype;
    ServiceWorker.prototype.postMessage = function (message) {
        told.push(...Object.keys(message));
        postMessage.call(this, message);
    };
"""


@pytest.fixture
def seen(orders, window_on, page):
    """A program, and the list in a page that has also seen order 3."""
    program = window_on(orders)
    orders_page = OrderList(page, program.page).open()
    orders_page.expect_all_loaded()
    wait_until_worker_works(page)
    wait_until_kept(page, "/orders", "Groceries 8")
    page.goto(f"{orders_page.address}/3")
    expect(page.get_by_role("heading", level=1, name="Groceries 3")).to_be_visible()
    wait_until_kept(page, "/orders/3", "Ring 3 times")
    wait_until_pictures_are_kept(page, 6)
    return program, orders_page


# Without the program

def test_the_list_opens_with_its_rows_and_their_age(seen):
    program, orders_page = seen
    program.stop()

    orders_page.open()

    expect(orders_page.status).to_have_text(OFFLINE)
    orders_page.expect_all_loaded()
    assert orders_page.heading.inner_text() == "40 orders"
    assert "Groceries 1" in orders_page.texts_in_view()[0]
    assert int(orders_page.status.get_attribute("data-kept")) > 1_700_000_000_000
    mask = orders_page.page.evaluate("() => getComputedStyle(document.querySelector('.search .icon')).maskImage")
    assert re.search(r' d="([^"]+)"', OFFLINE_ICON.read_text())[1] in mask


def test_an_order_that_was_seen_opens_with_its_map_and_pictures(seen):
    program, orders_page = seen
    page = orders_page.page
    program.stop()
    orders_page.open()

    orders_page.row(3).get_by_role("link").click()

    expect(page.get_by_role("heading", level=1, name="Groceries 3")).to_be_visible()
    expect(page.locator("#status")).to_have_text(OFFLINE)
    expect(page.locator("#map image[data-awaited]")).to_have_count(0)
    assert page.locator("#map image").count() > 0
    page.wait_for_function("() => [...document.images].every(({ naturalWidth }) => naturalWidth > 0)")


def test_an_order_that_was_never_seen_says_so_and_opens_when_the_program_is_back(seen, orders, start):
    program, orders_page = seen
    page = orders_page.page
    program.stop()

    page.goto(f"{orders_page.address}/5")
    expect(page.get_by_role("heading", level=1)).to_have_text("You are offline")
    start("window", "--port", program.port, *orders.arguments)

    expect(page.get_by_role("heading", level=1)).to_have_text("Groceries 5")


def test_the_start_page_opens(seen):
    program, orders_page = seen
    page = orders_page.page
    program.stop()

    page.goto(program.page)
    page.get_by_role("link", name="Show orders").click()

    orders_page.expect_all_loaded()


def test_the_place_in_the_list_is_kept(many_orders, window_on, page):
    program = window_on(many_orders)
    orders_page = OrderList(page, program.page).open()
    orders_page.expect_all_loaded()
    wait_until_worker_works(page)
    orders_page.jump_to(2_000)
    orders_page.expect_all_loaded()
    rows = orders_page.rows_in_view()
    wait_until_kept(page, "/orders", f"Groceries {rows[0]['id']}<")
    program.stop()

    page.reload()

    orders_page.expect_all_loaded()
    assert orders_page.rows_in_view() == rows


def test_an_order_of_rows_that_was_never_seen_leads_to_the_one_that_was(seen):
    program, orders_page = seen
    program.stop()

    orders_page.page.goto(f"{orders_page.address}?sort=price")

    orders_page.expect_all_loaded()
    assert orders_page.page.url == orders_page.address
    expect(orders_page.sort("price")).not_to_be_checked()


def test_pages_are_not_shown_in_a_language_that_the_reader_has_left(orders, window_on, profile):
    program = window_on(orders)
    page = profile.open(locale="en-US")
    page.goto(f"{program.page}/orders/3")
    wait_until_worker_works(page)
    wait_until_kept(page, "/orders/3", "Within 1.5 km")
    profile.close()
    page = profile.open(locale="de-DE")
    page.goto(f"{program.page}/orders")
    wait_until_kept(page, "/orders", "40 Bestellungen")
    program.stop()

    page.goto(f"{program.page}/orders/3")
    expect(page.get_by_role("heading", level=1)).to_have_text("Keine Verbindung")
    page.goto(f"{program.page}/orders")
    expect(page.get_by_role("heading", level=1)).to_have_text("40 Bestellungen")


# The program is back

def test_the_list_goes_live_without_a_reload(seen, orders, start):
    program, orders_page = seen
    program.stop()
    orders_page.open()
    orders_page.expect_all_loaded()
    orders_page.page.evaluate("() => { globalThis.sameDocument = true; }")
    orders.replies[2] = order_document(2, title="Groceries for tomorrow")

    start("window", "--port", program.port, *orders.arguments)

    expect(orders_page.row(2)).to_contain_text("Groceries for tomorrow")
    expect(orders_page.status).to_have_text(UPDATED)
    orders_page.expect_all_loaded()
    assert orders_page.page.evaluate("globalThis.sameDocument")


def test_what_was_searched_for_meanwhile_is_found(seen, orders, start):
    program, orders_page = seen
    program.stop()
    orders_page.open()
    orders_page.expect_all_loaded()

    orders_page.search.fill("Groceries 17")
    orders_page.search.press("Enter")
    expect(orders_page.status).to_have_text(OFFLINE)
    start("window", "--port", program.port, *orders.arguments)

    expect(orders_page.heading).to_have_text("1 order")


def test_a_program_that_does_not_answer_is_not_waited_for(seen):
    program, orders_page = seen
    program.send_signal(signal.SIGSTOP)
    try:
        orders_page.open()
        expect(orders_page.status).to_have_text(OFFLINE)
        orders_page.expect_all_loaded()
    finally:
        program.send_signal(signal.SIGCONT)

    expect(orders_page.status).to_have_text(UPDATED)


# With the program

def test_streams_and_posts_go_past_the_worker(seen):
    _, orders_page = seen
    page = orders_page.page
    replies = []
    page.on("response", lambda response: replies.append(response))

    orders_page.open()
    orders_page.expect_all_loaded()
    orders_page.refresh()

    past = {response.url.split("/windows", 1)[0]: response.from_service_worker for response in replies if "/windows" in response.url}
    assert len(past) == 1 and not any(past.values())
    assert any(response.from_service_worker for response in replies if "/assets/" in response.url)


def test_what_fails_does_not_take_the_place_of_what_was_seen(seen, orders, start):
    program, orders_page = seen
    program.stop()
    orders.stop()
    restarted = start("window", "--port", program.port, *orders.arguments)
    orders_page.page.add_init_script(NOTE_MESSAGES)
    orders_page.open()
    expect(orders_page.problem).not_to_be_empty()
    orders_page.page.wait_for_function("() => told.includes('seen')")
    orders_page.page.evaluate("() => { dispatchEvent(new PageTransitionEvent('pagehide')); }")
    assert "page" not in orders_page.page.evaluate("told")
    restarted.stop()

    orders_page.open()

    orders_page.expect_all_loaded()
    expect(orders_page.status).to_have_text(OFFLINE)


@pytest.fixture
def newer_binary():
    """The program with another style sheet, and so with other assets."""
    folder = BINARY.parent / "newer"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    os.link(BINARY.resolve(), folder / BINARY.name)
    for resources in BINARY.parent.glob("*.resources"):
        shutil.copytree(resources, folder / resources.name)
    with open(folder / "lading_Window.resources" / "Styles" / "app.css", "a") as style:
        style.write("\n.newer { color: red }\n")
    yield folder / BINARY.name
    shutil.rmtree(folder)


def test_a_newer_program_brings_a_newer_shell_and_the_older_one_stays(seen, orders, start, newer_binary):
    program, orders_page = seen
    page = orders_page.page
    program.stop()
    start("window", "--port", program.port, *orders.arguments, binary=newer_binary)

    orders_page.open()

    page.evaluate(WAIT_FOR_SHELLS, 2)
    wait_until_kept(page, "/orders", page.locator("[rel=stylesheet]").get_attribute("href"))


def test_without_a_secure_context_the_list_works_as_ever(orders, start, browser, screen):
    program = start("window", "--host", "0.0.0.0", "--allowed-host", "lading.test", "--port", 0, *orders.arguments)
    plain = browser.browser_type.launch(executable_path=CHROMIUM, args=["--host-resolver-rules=MAP lading.test 127.0.0.1", *FLAGS])
    try:
        page = plain.new_page(viewport=screen)
        orders_page = OrderList(page, f"http://lading.test:{program.port}").open()

        orders_page.expect_all_loaded()
        expect(orders_page.status).to_have_text(UPDATED)
        assert page.evaluate("() => !isSecureContext && !navigator.serviceWorker")
    finally:
        plain.close()


# Installing

def test_a_browser_finds_nothing_that_keeps_it_from_installing(orders, window_on, profile):
    page = profile.open()
    page.goto(window_on(orders).page)
    wait_until_worker_works(page)
    session = page.context.new_cdp_session(page)

    manifest = session.send("Page.getAppManifest")

    assert manifest["errors"] == []
    assert session.send("Page.getInstallabilityErrors")["installabilityErrors"] == []


def test_each_icon_has_the_size_that_the_manifest_tells(orders, window_on, page):
    page.goto(window_on(orders).page)

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

    assert [told for told, _ in icons] == ["any", "192x192", "512x512", "512x512", "180x180"]
    assert all(told in ("any", actual) for told, actual in icons)


def test_the_scripts_of_the_worker_keep_to_their_budget(orders, window_on, page):
    program = window_on(orders)
    stub = page.request.get(f"{program.page}/worker.js").text()
    module = re.search(r'"(/assets/[^"]+/worker\.js)"', stub)[1]

    script = page.request.get(program.page + module).body()

    assert b"import " not in script
    assert 2_000 < len(gzip.compress(script, 9)) <= 6_144
