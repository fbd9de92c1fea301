"""The history that a simulation writes."""


class History:
    """A growing file of records, of which claims are counted."""

    def __init__(self, path):
        self._file, self._rest = open(path, "rb"), b""
        self.path = path
        self.records = 0
        self.claims = 0
        """The number of claims that were accepted or finally refused."""
        self.accepted_claims = 0
        self.lost_answers = 0
        """The number of requests of claims without an answer."""
        self.final_records = 0
        """The number of records that were read at the end: events of the feed, and histories."""
        self.orders = 0
        """The number of orders whose whole history was read."""

    def update(self):
        """Counts the records that were written since the last call."""
        while data := self._file.read(1 << 22):
            *lines, self._rest = (self._rest + data).split(b"\n")
            for line in lines:
                self._count(line)

    def _count(self, line):
        self.records += 1
        if b'"kind":"history"' in line or b'"kind":"change"' in line:
            self.final_records += 1
            self.orders += b'"kind":"history"' in line
        elif b'"action":"claim"' in line:
            if b'"kind":"invoke"' in line:
                self.lost_answers += 1
            elif b'"kind":"answer"' in line:
                self.lost_answers -= 1
                self.accepted_claims += b'"outcome":"accepted"' in line
                self.claims += b'"outcome":"accepted"' in line or b'"isFinal":true' in line
