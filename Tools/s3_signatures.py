#!/usr/bin/env python3
"""Signs made-up requests with botocore, for RequestSignatureTests: prints Tests/Corpora/s3/signatures.json.

    .build/peers/bin/python Tools/s3_signatures.py > Tests/Corpora/s3/signatures.json

`Tools/peers` installs botocore, which comes with moto.
"""
import datetime
import json
import random
import sys
from urllib.parse import quote

import botocore
import botocore.auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

KEYS = [
    "a", "a b", "a  b", " a", "a%b", "a%20b", "a%2Fb", "a+b", "a&b=c", "a?b", "a#b", "a~b", "a//b", "//a", "a/",
    "a/./b", "a/../b", "..", "ä", "a\u0308", "日本語/名前", "😀", "a:b", "a@b", "a!b", "a$b", "a'b", "a(b)", "a*b",
    "a,b", "a;b", "a=b", "a[b]", "a\\b", "a^b", "a`b", "a{b}", "a|b", "a\"b", "a<b>", "a_b-c.d~e", "A/B/C",
    "notes/0f0e0d0c/000000000001-000000000009.seg", "erased-x.mark", "root-0f0e0d0c-0b0a-4908-8706-050403020100",
]
QUERIES = [
    [], [("list-type", "2"), ("prefix", "a b/"), ("delimiter", "/"), ("encoding-type", "url")],
    [("uploads", "")], [("partNumber", "10"), ("uploadId", "a+b/c==~")], [("versioning", "")],
    [("continuation-token", "1/ä&=+ %"), ("list-type", "2"), ("prefix", "")], [("B", "2"), ("a", "1"), ("A", "3")],
    [("object-lock", "")],
]
HEADERS = [
    [], [("Range", "bytes=0-9")], [("If-None-Match", "*")],
    [("x-amz-storage-class", "STANDARD_IA"), ("If-None-Match", "*")],
    [("X-Amz-Server-Side-Encryption", "aws:kms"), ("x-amz-server-side-encryption-aws-kms-key-id", "arn:aws:kms:a:1:key/b")],
    [("x-amz-meta-note", "  two   spaces  ")],
]
HOSTS = [
    "examplebucket.s3.amazonaws.com", "s3.eu-central-1.amazonaws.com", "127.0.0.1:9000", "[::1]:9000",
    "minio.example.org:8443",
]
REGIONS = ["us-east-1", "eu-central-1", "auto", "garage"]


class FixedTime(botocore.auth.S3SigV4Auth):
    """Signs as of a given time."""

    def __init__(self, moment, *arguments):
        super().__init__(*arguments)
        self.moment = moment

    def add_auth(self, request):
        original = botocore.auth.get_current_datetime
        botocore.auth.get_current_datetime = lambda *_, **__: self.moment
        try:
            super().add_auth(request)
        finally:
            botocore.auth.get_current_datetime = original


def main():
    chance = random.Random(20240229)
    vectors = []
    for number in range(120):
        key = KEYS[number % len(KEYS)]
        query = chance.choice(QUERIES) if number % 2 else []
        headers = chance.choice(HEADERS)
        host = chance.choice(HOSTS)
        region = chance.choice(REGIONS)
        method = chance.choice(["GET", "PUT", "HEAD", "DELETE", "POST"])
        body = chance.choice(["", "x", "Welcome to Amazon S3.", "ä\n"]) if method in ("PUT", "POST") else ""
        token = chance.choice([None, None, "FwoGZXIvYXdzE//token+=="])
        moment = datetime.datetime(2013 + number % 14, 1 + number % 12, 1 + number % 28, number % 24, number % 60, 7)
        path = "/bucket/" + quote(key, safe="/~")
        address = "http://" + host + path
        if query:
            address += "?" + "&".join(f"{quote(name, safe='~')}={quote(value, safe='~')}" for name, value in query)
        request = AWSRequest(method=method, url=address, data=body.encode(), headers=dict(headers))
        request.headers["Host"] = host
        # Over HTTP botocore hashes the body, as we always do.
        credentials = Credentials("AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", token)
        FixedTime(moment.replace(tzinfo=datetime.timezone.utc), credentials, "s3", region).add_auth(request)
        vectors.append({
            "method": method, "host": host, "key": key, "query": [list(pair) for pair in query],
            "headers": [list(pair) for pair in headers], "body": body, "region": region, "token": token,
            "time": int(moment.replace(tzinfo=datetime.timezone.utc).timestamp()) * 1000,
            "sha256": request.headers["X-Amz-Content-SHA256"], "date": request.headers["X-Amz-Date"],
            "authorization": request.headers["Authorization"],
        })
    json.dump({"botocore": botocore.__version__, "vectors": vectors}, sys.stdout, ensure_ascii=False, indent=1)
    print()


main()
