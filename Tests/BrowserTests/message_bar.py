"""The bar below a list that says what failed."""


def retry(page):
    """Presses its button. The program also asks again by itself and may have hidden the button by then, so this is no click at a place."""
    page.locator("#message button").dispatch_event("click")
