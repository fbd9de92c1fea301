"""The bodies that are bytes, for the tests of the API of orders."""

import schemathesis
from hypothesis import strategies

BYTE_TYPES = ["application/partial-upload", "image/jpeg", "image/png", "image/webp"]

for media_type in BYTE_TYPES:
    schemathesis.openapi.media_type(media_type, strategies.binary(max_size=64))
