"""Touch gestures."""

STEPS = 10


class Finger:
    """One finger in a page with touch; it moves in steps, like a real one."""

    def __init__(self, page):
        self._session = page.context.new_cdp_session(page)

    def down(self, x, y):
        self._at = x, y
        self._send("touchStart", [self._at])

    def move(self, x, y):
        from_x, from_y = self._at
        for step in range(1, STEPS + 1):
            self._send("touchMove", [(from_x + (x - from_x) * step / STEPS, from_y + (y - from_y) * step / STEPS)])
        self._at = x, y

    def up(self):
        self._send("touchEnd", [])

    def pinch(self, x, y, before, after):
        """Moves two fingers on opposite sides of a point from one distance to another."""
        def around(distance):
            return [(x - distance / 2, y), (x + distance / 2, y)]

        self._send("touchStart", around(before))
        for step in range(1, STEPS + 1):
            self._send("touchMove", around(before + (after - before) * step / STEPS))
        self.up()

    def two_finger_drag(self, x, y, right, down):
        """Moves two fingers beside a point together."""
        def at(part):
            return [(x - 40 + right * part, y + down * part), (x + 40 + right * part, y + down * part)]

        self._send("touchStart", at(0))
        for step in range(1, STEPS + 1):
            self._send("touchMove", at(step / STEPS))
        self.up()

    def _send(self, kind, points):
        touches = [{"x": x, "y": y, "id": id} for id, (x, y) in enumerate(points)]
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})
