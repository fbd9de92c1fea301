"""Bugs that are planted in the store between the nodes and the database, so that a run shows whether the checker finds them.

A bug is planted in the statements that a node sends, or in the connection that it gets: the program stays as it is.
"""

import re
from collections import namedtuple

PROTOCOL = (3 << 16).to_bytes(4, "big")
"""The version in the message that begins a session; messages before it request encryption."""
IS_STANDBY, IS_PRIMARY = (
    b"S" + (4 + len(status)).to_bytes(4, "big") + status for status in (b"in_hot_standby\0on\0", b"in_hot_standby\0off\0"))
"""The messages by which libpq recognizes a server that accepts writes."""
APPLY_DELAY = "500ms"
"""The time by which a standby that is read is behind."""


class Bug(namedtuple("Bug", "text replacements reads_standby", defaults=[(), False])):
    """A planted bug: replacements in the texts of statements, and whether connections to the standby count as ones to the primary."""

    def rewriter(self):
        return StatementRewriter(self.replacements) if self.replacements else None


def replacement(pattern, text):
    return re.compile(pattern, re.DOTALL), text


BUGS = {
    "missing-condition": Bug("an order is written although it has changed since it was read", [
        replacement(rb"AND revision = (\$\d+)", rb"AND \1::bigint IS NOT NULL"),
        replacement(
            rb"(INSERT INTO order_events .*?\) AS new)\)", rb"\1 ON CONFLICT (order_id, number) DO UPDATE SET event = excluded.event)")]),
    # Commands take up to 50 ms longer, as on a slow disk, so that more of them overtake others.
    "naive-feed": Bug("the change feed continues after the last number seen, although commits overtake numbers", [
        replacement(rb"transaction < pg_snapshot_xmin\(pg_current_snapshot\(\)\)", rb"true"),
        replacement(rb"SELECT count\(\*\) AS written FROM", rb"SELECT count(*) AS written, pg_sleep(random() * 0.05) FROM")]),
    "repeat-unknown": Bug("a command whose outcome is unknown is carried out again, without a look at its key", [
        replacement(rb"verdicts\.key = (\$\d+)", rb"verdicts.key = '?' || \1"),
        replacement(rb"(INSERT INTO verdicts [^)]*\) SELECT [^()]* FROM written)\)", rb"\1 ON CONFLICT DO NOTHING)"),
        replacement(
            rb"(INSERT INTO verdicts [^)]*\) SELECT [^()]*) RETURNING 1\)",
            rb"\1 ON CONFLICT (person, key) DO UPDATE SET milliseconds = excluded.milliseconds RETURNING 1)")]),
    "read-standby": Bug("some reads come from the standby, which is behind", reads_standby=True),
}


class StatementRewriter:
    """Rewrites the statements in what a program sends to PostgreSQL (version 3 of its protocol)."""

    def __init__(self, replacements):
        self._replacements = replacements
        self._received, self._has_begun = b"", False

    def rewrite(self, data):
        """Returns the complete messages, with other statements."""
        self._received += data
        messages = []
        while message := self._next_message():
            messages.append(self._rewritten(message))
        return b"".join(messages)

    def _next_message(self):
        start = 1 if self._has_begun else 0
        if len(self._received) < start + 4:
            return None
        end = start + int.from_bytes(self._received[start:start + 4], "big")
        if len(self._received) < end:
            return None
        message, self._received = self._received[:end], self._received[end:]
        self._has_begun = self._has_begun or message[4:8] == PROTOCOL
        return message

    def _rewritten(self, message):
        if message[:1] not in (b"P", b"Q"):
            return message
        content = message[5:]
        for pattern, text in self._replacements:
            content = pattern.sub(text, content)
        return message[:1] + (4 + len(content)).to_bytes(4, "big") + content


def hide_standby(data):
    """Returns what a server sends, with a standby as one that accepts writes."""
    return data.replace(IS_STANDBY, IS_PRIMARY)
