"""How soon a page shows and answers on a phone, and how far its layout shifts."""

SLOW_PROCESSOR = 4
"""How many times slower than this machine a phone's processor is taken to be."""

# Notes what the browser says of speed, from the first moment of the page.
OBSERVE = """
    globalThis.speed = { lcp: 0, cls: 0, inp: 0 };
    const observe = (type, note, options = {}) =>
        new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true, ...options });
    observe("largest-contentful-paint", ({ startTime }) => { speed.lcp = startTime; });
    observe("layout-shift", ({ value, hadRecentInput }) => { if (!hadRecentInput) speed.cls += value; });
    const noteInteraction = ({ interactionId, duration }) => { if (interactionId) speed.inp = Math.max(speed.inp, duration); };
    observe("event", noteInteraction, { durationThreshold: 16 });
    observe("first-input", noteInteraction); // however short it was
"""

REST = 2_000
"""Milliseconds in which a page comes to rest."""


def slow_down(page, times=SLOW_PROCESSOR):
    """Makes the page's processor slower from now on."""
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": times})


def speed(page):
    """When the largest content was painted and how long the slowest interaction took, in ms, and how far the layout shifted."""
    # An event is reported behind the frame that shows its outcome.
    page.evaluate("() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100)))")
    return page.evaluate("() => speed")


def time(page, address):
    """Opens an address and does what a reader does first; returns what `speed` does."""
    page.add_init_script(OBSERVE)
    page.goto("about:blank")
    slow_down(page)
    page.goto(address, wait_until="load")
    page.wait_for_timeout(REST)
    (search_and_sort if page.get_by_role("searchbox").count() else walk)(page)
    result = speed(page)
    assert result["lcp"] > 0 and result["inp"] > 0, f"{address} has no figure: {result}"
    return result


def search_and_sort(page):
    """What a reader does first in a list."""
    page.get_by_role("searchbox").press_sequentially("gro", delay=120)
    page.wait_for_timeout(REST / 2)
    page.get_by_role("searchbox").press("Backspace")
    page.wait_for_timeout(REST / 2)
    for chip in page.locator("[name=sort]").all()[:2]:
        chip.click()
        page.wait_for_timeout(REST / 2)


def walk(page):
    """Goes through the links of a page without a list by keyboard: whoever follows one leaves the page, and its figures with it."""
    links = page.locator("main a")
    links.first.focus()
    for _ in range(links.count() + 1):
        page.keyboard.press("Tab")
        page.wait_for_timeout(REST / 10)
