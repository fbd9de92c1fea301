"""Faults of the text of a page: text that is clipped, broken inside words, covered by other text, or outside the screen."""

# Each fault is a line with its kind and text. Text in a scrolling strip is accepted, as is an ellipsis where it is allowed; elements that overlay the page
# by design (bar, toast) cover nothing. Half a pixel is a matter of rounding; boxes of lines are higher than their letters and may overlap.
TEXT_FAULTS = """(mayEllipsize) => {
    const faults = [], lines = [];
    const seen = { opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true };
    const isSpoken = (element) => around(element).some((box) => getComputedStyle(box).clipPath !== "none");
    const around = (element) => element ? [element, ...around(element.parentElement)] : [];
    const name = (element, text) => `${element.closest("[class]")?.className.baseVal ?? element.closest("[class]")?.className}: ${text.trim().slice(0, 40)}`;

    // Returns the part of an element that its ancestors do not clip; scrolling does not clip.
    function room(element) {
        let [left, right, top, bottom] = [-Infinity, Infinity, -Infinity, Infinity];
        for (const box of around(element)) {
            const style = getComputedStyle(box), { x, y } = box.getBoundingClientRect();
            if (/hidden|clip/.test(style.overflowX)) [left, right] = [Math.max(left, x), Math.min(right, x + box.offsetWidth)];
            if (/hidden|clip/.test(style.overflowY)) [top, bottom] = [Math.max(top, y), Math.min(bottom, y + box.offsetHeight)];
            if (/fixed|absolute/.test(style.position) && style.position === "fixed") break;
        }
        return { left, right, top, bottom };
    }

    function partsOf(node, start, text) {
        const range = document.createRange();
        range.setStart(node, start);
        range.setEnd(node, start + text.length);
        return [...range.getClientRects()].filter(({ width }) => width > 1);
    }

    function judge(node) {
        const element = node.parentElement, range = document.createRange();
        range.selectNodeContents(node);
        const boxes = [...range.getClientRects()].filter(({ width, height }) => width > 1 && height > 1);
        if (!boxes.length) return;
        const isEllipsized = mayEllipsize && around(element).some((box) => getComputedStyle(box).textOverflow === "ellipsis");
        const { left, right, top, bottom } = room(element), size = parseFloat(getComputedStyle(element).fontSize);
        // The letters of a line are about as high as the font size.
        const cut = boxes.some((box) => box.left < left - 1 || box.right > right + 1
            || (box.top + box.bottom) / 2 - size / 2 < top - 1 || (box.top + box.bottom) / 2 + size / 2 > bottom + 1);
        if (cut && !isEllipsized) faults.push(`cut: ${name(element, node.data)}`);
        const scrolls = around(element).some((box) => /auto|scroll/.test(getComputedStyle(box).overflowX) && box !== document.documentElement);
        if (!scrolls && !isEllipsized && boxes.some((box) => box.right > innerWidth + 1 || box.left < -1)) faults.push(`beside the screen: ${name(element, node.data)}`);
        for (const run of node.data.matchAll(/\\S+/g)) {
            if (partsOf(node, run.index, run[0]).reduce((sum, { width }) => sum + width, 0) > innerWidth - 4 * size) continue;
            for (const word of run[0].matchAll(/[\\p{L}\\p{N}]{2,}/gu)) {
                const tops = new Set(partsOf(node, run.index + word.index, word[0]).map(({ top }) => Math.round(top)));
                if (tops.size > 1 && !/\\p{Script=Han}/u.test(word[0])) faults.push(`broken: ${word[0]} in ${name(element, node.data)}`);
            }
        }
        const over = around(element).some((box) => /fixed|sticky/.test(getComputedStyle(box).position));
        for (const box of boxes) lines.push({ element, over, text: node.data, left: Math.max(left, box.left), right: Math.min(right, box.right),
            top: Math.max(top, (box.top + box.bottom) / 2 - size / 2), bottom: Math.min(bottom, (box.top + box.bottom) / 2 + size / 2) });
    }

    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const node = texts.currentNode, element = node.parentElement;
        if (node.data.trim() && element.checkVisibility(seen) && !element.closest("noscript, template") && !isSpoken(element)) judge(node);
    }
    lines.sort((a, b) => a.top - b.top);
    lines.forEach((one, index) => {
        for (let next = index + 1; next < lines.length && lines[next].top < one.bottom - 2; next++) {
            const other = lines[next];
            if (other.over !== one.over || other.element === one.element) continue;
            if (Math.min(one.right, other.right) - Math.max(one.left, other.left) > 2 && Math.min(one.bottom, other.bottom) - other.top > 2)
                faults.push(`covered: ${name(one.element, one.text)} and ${name(other.element, other.text)}`);
        }
    });
    const wide = document.documentElement.scrollWidth - innerWidth;
    if (wide > 0) faults.push(`${wide} px beside the screen`);
    return [...new Set(faults)];
}"""


def enlarge_text(page, size=32):
    """Sets the size of all text, as in the settings of a browser; the default doubles it."""
    page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": size, "fixed": size}})
