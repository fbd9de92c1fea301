"""What the worker of a page keeps, as the page can look at it."""

FIND_KEPT = """async (path) => {
    for (const name of await caches.keys()) {
        const found = name.startsWith("pages-") && await (await caches.open(name)).match(path);
        if (found) return found.text();
    }
}"""

WAIT_UNTIL_KEPT = """async ([path, text]) => {
    while (!(await (%s)(path))?.includes(text)) await new Promise((resolve) => setTimeout(resolve, 20));
}""" % FIND_KEPT

WAIT_FOR_PICTURES = """async (count) => {
    while ((await (await caches.open("pictures")).keys()).length < count) await new Promise((resolve) => setTimeout(resolve, 20));
}"""

WAIT_FOR_SHELLS = """async (count) => {
    const isShell = (name) => name.startsWith("shell-");
    while ((await caches.keys()).filter(isShell).length !== count) await new Promise((resolve) => setTimeout(resolve, 20));
}"""


def wait_until_worker_works(page):
    """Until the worker has the shell, and answers for this page."""
    page.evaluate("() => navigator.serviceWorker.ready.then(() => {})")
    page.wait_for_function("() => navigator.serviceWorker.controller?.state === 'activated'")


def wait_until_kept(page, path, text):
    """Until the page at a path is kept with this text in it."""
    page.evaluate(WAIT_UNTIL_KEPT, [path, text])


def wait_until_pictures_are_kept(page, count):
    """Until so many pictures are kept, tiles of maps among them."""
    page.evaluate(WAIT_FOR_PICTURES, count)
