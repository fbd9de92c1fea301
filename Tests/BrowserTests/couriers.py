"""Actions of couriers on their pages, and expectations of the result."""

import os
import random
import re
import time

from playwright.sync_api import expect

from png_files import png_file

SOAK = os.environ.get("LADING_SOAK") == "1"
"""Whether the long variants of the tests run."""

UNDO_TIME = 10_000
"""The time in which a step can be undone, in milliseconds."""

DOUBLE_TAP_TIME = 1_000
"""The time in which the same step again is a double tap, in milliseconds."""

STATES_AFTER = {"Picked up": "On the way", "Arrived": "At the recipient", "Delivered": "Delivered"}
"""The steps of an order after it was taken, and the state after each."""

WRITES = """
    const result = (request) => new Promise((resolve, reject) => {
        Object.assign(request, { onsuccess: () => resolve(request.result), onerror: reject });
    });
    const database = await result(indexedDB.open("lading"));
    const store = database.transaction("writes", "readwrite").objectStore("writes");
    const writes = await result(store.getAll());
    database.close();
"""
"""The part of a script that reads the stored writes."""

READ_PROOFS = """async () => {
    %s
    return writes.flatMap(({ proofs }) => proofs.map(({ kind, bytes }) => [kind, bytes.byteLength]));
}""" % WRITES
"""Returns the kinds and lengths of the proofs of stored writes."""

COUNT_WRITES = """async () => {
    %s
    return writes.length;
}""" % WRITES

DELETE_WRITES = """async () => {
    %s
    await result(store.clear());
}""" % WRITES

SEND_AT = """async (time) => {
    %s
    for (const write of writes) await result(store.put({ ...write, sendAfter: 0 }));
    setTimeout(() => dispatchEvent(new Event("online")), time - Date.now());
}""" % WRITES


def sign_in(page, program, name):
    page.goto(f"{program.address}/sign-in")
    page.get_by_role("button", name=f"{name} (demo)").click()
    expect(page.get_by_text(f"Signed in as {name}")).to_be_visible()


def token_of(page):
    """Returns the token of the person who is signed in."""
    return next(cookie["value"] for cookie in page.context.cookies() if cookie["name"] == "token")


def take(page, program, order):
    """Takes an order on the board, and opens it."""
    page.goto(f"{program.address}/orders")
    row = page.locator(f"#row-{order}")
    row.get_by_role("button", name="Take").click()
    expect(row).to_contain_text("Yours")
    open_order(page, program, order)


def open_order(page, program, order):
    """Opens an order, and waits until its page shows the stored steps."""
    page.goto(f"{program.address}/orders/{order}")
    expect(page.locator("#work[data-server-standing]")).to_be_visible()


def press(page, step, state):
    page.get_by_role("button", name=step, exact=True).click()
    expect(page.locator("#order-state")).to_have_text(state)


def send_now(*tabs, delay=0):
    """Ends the time in which steps can be undone, and sends them after a delay in seconds, from all tabs at once."""
    at = (time.time() + delay) * 1_000
    for tab in tabs:
        tab.evaluate(SEND_AT, at)


def expect_sent(page, *steps, timeout=60_000):
    """Expects these steps of an order, all of them sent."""
    expect(page.locator("#steps li")).to_contain_text([re.compile(rf"^{step}[\s\S]*\bsent$") for step in steps], timeout=timeout)


# Photos

def noise_photo(seed, side=400):
    """Returns a photo of noise as PNG, of which the page makes a JPEG with about one byte per pixel."""
    source = random.Random(seed)
    return png_file(side, (source.randbytes(3 * side) for _ in range(side)), level=1)


PHOTO = noise_photo(0, side=1)


def choose_photo(page, photo=PHOTO):
    set_photo(page, photo)
    expect(page.get_by_role("img", name="Photo")).to_be_visible()


def set_photo(page, photo):
    """Chooses a photo, which the page may not show yet."""
    page.locator("[name=photo]").set_input_files({"name": "photo.png", "mimeType": "image/png", "buffer": photo})
