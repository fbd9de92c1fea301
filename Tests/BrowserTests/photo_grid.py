"""The grid of the photos of a sol in a page."""

from playwright.sync_api import expect

from order_list import OrderList

# Index, photo, state and position of each cell in view, and the colour at the centre of its picture once that has loaded.
VISIBLE_CELLS = """() => {
    const brush = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
    const colour = (img) => {
        if (!img?.complete || !img.naturalWidth) return null;
        brush.drawImage(img, img.naturalWidth / 2, img.naturalHeight / 2, 1, 1, 0, 0, 1, 1);
        return [...brush.getImageData(0, 0, 1, 1).data].slice(0, 3);
    };
    const top = document.getElementById("bar").getBoundingClientRect().bottom;
    return [...document.querySelectorAll("#list > .row")]
        .map((cell) => ({ cell, box: cell.getBoundingClientRect(), img: cell.querySelector("img") }))
        .filter(({ box }) => box.bottom > top + 1 && box.top < innerHeight - 1)
        .map(({ cell, box: { x, y, width, height }, img }) => ({
            index: +cell.dataset.index, number: +(cell.dataset.id ?? "").split("/").at(-1), state: cell.dataset.state, x, y, width, height,
            colour: colour(img) }))
        .sort((a, b) => a.index - b.index);
}"""

# The cells in view, once they are in the columns of the list, leave no gaps, and have loaded their pictures.
LOADED_CELLS = """() => {
    const cells = (%s)(), columns = getComputedStyle(list).gridTemplateColumns.split(" ").length, last = cells.at(-1);
    const isEnd = ({ index, y, height }) => index === list.dataset.count - 1 || (index + 1) %% columns === 0 && y + height >= innerHeight - 1;
    const areInPlace = new Set(cells.map(({ x }) => Math.round(x))).size === Math.min(columns, cells.length)
        && cells.every(({ index }, place) => index === cells[0].index + place);
    return cells.length > 2 && isEnd(last) && areInPlace && cells.every(({ colour }) => colour) && cells;
}""" % VISIBLE_CELLS


class PhotoGrid(OrderList):
    """The grid, in addition to `OrderList`."""

    def __init__(self, page, address, sol=1000):
        super().__init__(page, address)
        self.address = f"{address}/photos/curiosity/{sol}"

    def cell(self, number):
        return self.page.locator(f".cell[data-id$='/{number}']")

    def cells(self, timeout=60_000):
        """Returns the cells in view, once they fill the viewport with loaded pictures, within a time in ms."""
        return self.page.wait_for_function(LOADED_CELLS, timeout=timeout).json_value()

    def columns(self):
        cells = self.cells()
        return len({round(cell["x"]) for cell in cells})

    def expect_pictures_loaded(self):
        """Waits until cells with loaded pictures fill the viewport."""
        self.cells()

    def expect_state(self, number, state):
        expect(self.cell(number)).to_have_attribute("data-state", state)

    def scroll_to_the_end(self):
        self.page.evaluate("scrollTo({ top: document.body.scrollHeight, behavior: 'instant' })")
        self.page.wait_for_function(f"() => (({VISIBLE_CELLS})()).some(({{ index }}) => index === +list.dataset.count - 1)")

    def jump_to_grid_row(self, grid_row):
        """Scrolls in one step until a grid row is the first in view."""
        self.page.evaluate(
            """(gridRow) => {
                const { height } = document.querySelector(".cell").getBoundingClientRect();
                const lead = document.getElementById("list").offsetTop - document.getElementById("bar").offsetHeight;
                scrollTo({ top: Math.ceil(lead + gridRow * height), behavior: "instant" });
            }""",
            grid_row,
        )
        self.page.wait_for_url(lambda url: "from=" in url)
