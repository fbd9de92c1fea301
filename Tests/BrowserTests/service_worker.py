"""The caches of the service worker, as a page reads them."""

FIND_STORED_PAGE = """async (path) => {
    for (const name of await caches.keys()) {
        const found = name.startsWith("pages-") && await (await caches.open(name)).match(path);
        if (found) return found.text();
    }
}"""

WAIT_UNTIL_PAGE_IS_STORED = """async ([path, text]) => {
    while (!(await (%s)(path))?.includes(text)) await new Promise((resolve) => setTimeout(resolve, 20));
}""" % FIND_STORED_PAGE

WAIT_FOR_PICTURES = """async (count) => {
    while ((await (await caches.open("pictures")).keys()).length < count) await new Promise((resolve) => setTimeout(resolve, 20));
}"""

WAIT_FOR_SHELLS = """async (count) => {
    const isShell = (name) => name.startsWith("shell-");
    while ((await caches.keys()).filter(isShell).length !== count) await new Promise((resolve) => setTimeout(resolve, 20));
}"""

WAIT_FOR_NEWEST_WORKER = """async (name) => {
    const isActive = ({ installing, waiting, active }) => !installing && !waiting && active?.state === "activated";
    while ((await caches.keys()).filter((name) => name.startsWith("shell-")).at(-1) !== name || !isActive(await navigator.serviceWorker.getRegistration())) {
        await new Promise((resolve) => setTimeout(resolve, 20));
    }
}"""


def wait_until_worker_is_active(page):
    """Waits until the worker has stored the shell and controls this page."""
    page.evaluate("() => navigator.serviceWorker.ready.then(() => {})")
    page.wait_for_function("() => navigator.serviceWorker.controller?.state === 'activated'")


def wait_until_worker_is_ready(page):
    """Waits until the worker controls each page that is opened from now on."""
    page.evaluate("() => navigator.serviceWorker.ready.then(() => {})")


def wait_until_newest_worker_is_active(page, shell):
    """Waits until the worker of a shell has replaced the one of an earlier program."""
    page.evaluate(WAIT_FOR_NEWEST_WORKER, shell)


def wait_until_page_is_stored(page, path, text):
    """Waits until the page at a path is stored with this text in it."""
    page.evaluate(WAIT_UNTIL_PAGE_IS_STORED, [path, text])


def wait_until_pictures_are_stored(page, count):
    """Waits until this number of pictures is stored, including tiles of maps."""
    page.evaluate(WAIT_FOR_PICTURES, count)
