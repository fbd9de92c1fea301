"""A browser profile of an earlier program opens without loss."""

import pytest
from playwright.sync_api import expect

from delivery_list import DeliveryList
from order_list import UPDATED_STATUS
from service_worker import wait_until_worker_is_active

# Without the program the browser logs errors.
pytestmark = pytest.mark.console_errors_allowed

KEY = '"1bf988ef-2005-4345-92ab-b6db62b0703b"'
BODY = '{"favourite":true,"at":"2026-05-15T16:00:00.000Z"}'

SNAPSHOT = """<!doctype html><html lang="en" dir="ltr"><head><meta charset="utf-8"><title>Parcel 7</title></head>
<body class="screen-delivery">
<header class="bar" id="bar" data-status="ready"><div class="bar-line"><h1 id="heading">Parcel 7 of an earlier program</h1></div>
<p class="status" id="status" role="status" data-offline="Offline" data-kept="1778846400000"><span class="status-text"></span></p></header>
<main class="detail" data-window="" data-list="" data-state="loaded"><p>7 Harbor Street</p></main>
</body></html>"""
"""The page of a delivery as an earlier `portrait.js` wrote it, without the scripts of that program."""

STORE_PROFILE = """async ({ key, body, snapshot }) => {
    const completed = (target, good, bad) =>
        new Promise((resolve, reject) => Object.assign(target, { [good]: resolve, [bad]: () => reject(target.error) }));

    const opening = indexedDB.open("lading");
    opening.onupgradeneeded = () => opening.result.createObjectStore("writes", { keyPath: "id", autoIncrement: true });
    await completed(opening, "onsuccess", "onerror");
    const transaction = opening.result.transaction("writes", "readwrite", { durability: "strict" });
    const headers = [["content-type", "application/json"], ["idempotency-key", key]];
    transaction.objectStore("writes").add({ url: `${location.origin}/deliveries/2/favourite`, method: "PUT", headers, body });
    await completed(transaction, "oncomplete", "onabort");
    opening.result.close();

    const html = { "content-type": "text/html; charset=utf-8", "content-language": "en" };
    const shell = await caches.open("shell-earlier");
    await shell.put("/assets/earlier/app.css", new Response("body {}", { headers: { "content-type": "text/css" } }));
    for (const path of ["/", "/offline"]) await shell.put(path, new Response("<!doctype html><title>Earlier</title>", { headers: html }));
    const pages = await caches.open("pages-en");
    const address = `${location.origin}/deliveries/7`;
    await pages.put("/deliveries/7", new Response(snapshot, { status: 503, headers: { ...html, shell: "shell-earlier", address } }));
}"""
"""Stores what the scripts of an earlier program left in the browser: a queued write, a shell and a page."""

COUNT_WRITES = """async () => {
    const opening = indexedDB.open("lading");
    await new Promise((resolve) => { opening.onsuccess = resolve; });
    const counting = opening.result.transaction("writes").objectStore("writes").count();
    await new Promise((resolve) => { counting.onsuccess = resolve; });
    opening.result.close();
    return counting.result;
}"""

WAIT_UNTIL_WRITES_ARE_SENT = """async () => {
    while (await (%s)() > 0) await new Promise((resolve) => setTimeout(resolve, 20));
}""" % COUNT_WRITES


@pytest.fixture
def earlier_profile(deliveries, start, page):
    """A program, and a page whose browser was last used with an earlier one."""
    program = start("window", "--port", 0, *deliveries.arguments)
    blank = f"{program.address}/blank"
    page.route(blank, lambda route: route.fulfill(content_type="text/html", body="<!doctype html><title>Blank</title>"))
    page.goto(blank)
    page.evaluate(STORE_PROFILE, {"key": KEY, "body": BODY, "snapshot": SNAPSHOT})
    page.unroute(blank)
    return program, page


def test_a_write_queued_by_an_earlier_program_is_sent_once_and_the_page_goes_live(deliveries, earlier_profile):
    program, page = earlier_profile
    assert page.evaluate(COUNT_WRITES) == 1

    opened = DeliveryList(page, program.address).open()

    opened.expect_all_loaded()
    expect(opened.status).to_have_text(UPDATED_STATUS)
    wait_until_worker_is_active(page)
    page.evaluate(WAIT_UNTIL_WRITES_ARE_SENT)
    opened.expect_favourite(2, True)
    opened.open().expect_all_loaded()
    opened.favourite(1).click()
    deliveries.wait_until(lambda: len(deliveries.favourite_requests) == 2)
    assert [(number, body["favourite"]) for number, body, _ in deliveries.favourite_requests] == [(2, True), (1, True)]
    assert deliveries.favourite_requests[0][2] == KEY


def test_a_page_stored_by_an_earlier_program_opens_offline(earlier_profile):
    program, page = earlier_profile
    DeliveryList(page, program.address).open().expect_all_loaded()
    wait_until_worker_is_active(page)
    program.stop()

    page.goto(f"{program.address}/deliveries/7")

    expect(page.get_by_role("heading", level=1)).to_have_text("Parcel 7 of an earlier program")
    assert int(page.locator("#status").get_attribute("data-kept")) == 1_778_846_400_000
