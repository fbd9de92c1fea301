"""The bodies that are bytes, and a header that is not sent, for the tests of the API of orders."""

import schemathesis
from hypothesis import strategies

BYTE_TYPES = ["application/partial-upload", "image/jpeg", "image/png", "image/webp"]
# Files of orders, one with a faulty row for each.
FILES = {
    "text/csv": [b"title,price,currency,address\nSoup,3,EUR,1 Ash Street\n", b"title,price,currency,address\nSoup,cheap,EUR,1 Ash Street\n"],
    "application/jsonl": [b'{"title":"Soup","price":"3","currency":"EUR","destination":{"address":"1 Ash Street"}}\n', b'{"title":7}\n'],
}


@schemathesis.hook
def before_call(context, case, kwargs):
    """Names no author: a request of somebody else would be refused before the rest of it is read."""
    case.headers.pop("Lading-Person", None)


for media_type in BYTE_TYPES:
    schemathesis.openapi.media_type(media_type, strategies.binary(max_size=64))
for media_type, files in FILES.items():
    schemathesis.openapi.media_type(media_type, strategies.sampled_from(files) | strategies.binary(max_size=64))
