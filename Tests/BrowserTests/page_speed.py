"""Measurements of how fast a page loads and responds on a phone, and of its layout shifts."""

CPU_SLOWDOWN = 4
"""The factor by which the processor of a phone is slower than this one."""

# Records the performance entries of the browser, from the start of the page.
OBSERVE = """
    globalThis.speed = { lcp: 0, cls: 0, inp: 0 };
    const observe = (type, handle, options = {}) =>
        new PerformanceObserver((list) => list.getEntries().forEach(handle)).observe({ type, buffered: true, ...options });
    observe("largest-contentful-paint", ({ startTime }) => { speed.lcp = startTime; });
    observe("layout-shift", ({ value, hadRecentInput }) => { if (!hadRecentInput) speed.cls += value; });
    const recordInteraction = ({ interactionId, duration }) => { if (interactionId) speed.inp = Math.max(speed.inp, duration); };
    observe("event", recordInteraction, { durationThreshold: 16 });
    observe("first-input", recordInteraction); // of any duration
"""

SETTLE_TIME = 2_000
"""Milliseconds until a page has settled."""


def throttle_cpu(page, factor=CPU_SLOWDOWN):
    """Throttles the processor of a page."""
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": factor})


def speed_metrics(page):
    """Returns the time of the largest contentful paint and the duration of the slowest interaction, in ms, and the sum of layout shifts."""
    # An event is reported after the frame that shows its outcome.
    page.evaluate("() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100)))")
    return page.evaluate("() => speed")


def measure_page(page, address):
    """Opens an address, interacts with the page, and returns its `speed_metrics`."""
    page.add_init_script(OBSERVE)
    page.goto("about:blank")
    throttle_cpu(page)
    page.goto(address, wait_until="load")
    page.wait_for_timeout(SETTLE_TIME)
    (search_and_sort if page.get_by_role("searchbox").count() else tab_through_links)(page)
    result = speed_metrics(page)
    assert result["lcp"] > 0 and result["inp"] > 0, f"{address} has no figure: {result}"
    return result


def search_and_sort(page):
    """Searches and sorts, the first interactions with a list."""
    page.get_by_role("searchbox").press_sequentially("gro", delay=120)
    page.wait_for_timeout(SETTLE_TIME / 2)
    page.get_by_role("searchbox").press("Backspace")
    page.wait_for_timeout(SETTLE_TIME / 2)
    for chip in page.locator("[name=sort]").all()[:2]:
        chip.click()
        page.wait_for_timeout(SETTLE_TIME / 2)


def tab_through_links(page):
    """Moves the focus through the links of a page without a list. Following a link would discard the metrics."""
    links = page.locator("main a")
    links.first.focus()
    for _ in range(links.count() + 1):
        page.keyboard.press("Tab")
        page.wait_for_timeout(SETTLE_TIME / 10)
