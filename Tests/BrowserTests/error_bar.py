"""The error bar below a list."""


def retry(page):
    """Presses the button of the bar by an event: the program retries by itself as well, and may have hidden the button by then."""
    page.locator("#error-bar button").dispatch_event("click")
