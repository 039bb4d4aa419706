"""Teaches the tester how to send our type of body."""

import schemathesis


@schemathesis.serializer("application/vnd.cloudsync.segments", "application/octet-stream")
def segments(context, value):
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")

