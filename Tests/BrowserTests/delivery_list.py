"""The list of deliveries in a page."""

from playwright.sync_api import expect

from order_list import OrderList


class DeliveryList(OrderList):
    """The list of deliveries, in addition to `OrderList`."""

    def __init__(self, page, address):
        super().__init__(page, address)
        self.address = f"{address}/deliveries"

    @property
    def footer(self):
        """The footer of the list."""
        return self.page.locator("#list-footer")

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
        """Scrolls until the list ends."""
        while self.footer.get_attribute("data-state") != "end":
            count = self.page.locator("#list").get_attribute("data-count")
            self.page.evaluate("scrollTo({ top: document.body.scrollHeight, behavior: 'instant' })")
            self.page.wait_for_function(
                "(count) => list.dataset.count !== count || document.getElementById('list-footer').dataset.state === 'end'", arg=count)
        self.page.evaluate("scrollTo({ top: document.body.scrollHeight, behavior: 'instant' })")
