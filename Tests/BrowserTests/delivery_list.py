"""The list of deliveries as somebody sees it who looks at a page."""

from playwright.sync_api import expect

from order_list import OrderList


class DeliveryList(OrderList):
    """The list in a page: what all lists have, and what this one has beside it."""

    def __init__(self, page, address):
        super().__init__(page, address)
        self.address = f"{address}/deliveries"

    @property
    def foot(self):
        """What stands behind the last row."""
        return self.page.locator("#foot")

    @property
    def notice(self):
        return self.page.locator("#notice")

    def favourite(self, number):
        return self.row(number).locator(".favourite button")

    def expect_favourite(self, number, is_favourite):
        expect(self.favourite(number)).to_have_attribute("aria-pressed", "true" if is_favourite else "false")

    def expect_count(self, count):
        expect(self.page.locator("#list")).to_have_attribute("data-count", str(count))

    def scroll_to_the_end(self):
        """Scrolls on until the list ends."""
        while self.foot.get_attribute("data-state") != "end":
            count = self.page.locator("#list").get_attribute("data-count")
            self.page.evaluate("scrollTo({ top: document.body.scrollHeight, behavior: 'instant' })")
            self.page.wait_for_function(
                "(count) => list.dataset.count !== count || foot.dataset.state === 'end'", arg=count)
        self.page.evaluate("scrollTo({ top: document.body.scrollHeight, behavior: 'instant' })")
