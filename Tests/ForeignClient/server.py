"""A client of the protocol, as the page Wire.md describes it; needs only the standard library."""

import json
import struct
import urllib.error
import urllib.parse
import urllib.request

from codes import is_token

SEGMENTS = "application/vnd.cloudsync.segments"


class Refusal(Exception):
    def __init__(self, status: int, code: str, message: str):
        super().__init__(f"{status} {code}: {message}")
        self.status, self.code = status, code


class Server:
    def __init__(self, url: str, token: str = None):
        self.url = url.rstrip("/")
        self.token = token

    def ask(self, method: str, path: str, body=None, kind="application/json"):
        """Sends a request; gives status, headers and bytes."""
        data = None
        if body is not None:
            data = body if isinstance(body, bytes) else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data=data, method=method)
        if data is not None:
            request.add_header("Content-Type", kind)
        if self.token:
            request.add_header("Authorization", f"Bearer {self.token}")
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return self.checked(answer.status, answer.headers, answer.read())
        except urllib.error.HTTPError as error:
            body = error.read()
            self.checked(error.code, error.headers, body)
            said = json.loads(body)["error"]
            raise Refusal(error.code, said["code"], said["message"]) from None

    @staticmethod
    def checked(status, headers, body):
        if headers.get("Cloudsync-Protocol") != "1":
            raise Refusal(status, "foreign", "this server does not speak the protocol")
        return status, headers, body

    def json(self, method: str, path: str, body=None):
        data = self.ask(method, path, body)[2]
        return json.loads(data) if data else None

    # Identity

    def join(self, code: str, device: str, name: str):
        joined = self.json(
            "POST", "/v1/join", {"code": code, "device": {"id": device, "name": name}}
        )
        if not is_token(joined["token"]):
            raise Refusal(201, "token", "the token is malformed")
        self.token = joined["token"]
        return joined

    # Segments

    def feed(self, domain: str, state: dict):
        """The new entries since `state`, which is updated; and whether it started over."""
        entries, begun_anew = [], False
        while True:
            query = {}
            if "epoch" in state:
                query = {"epoch": state["epoch"], "after": state["cursor"]}
                if state.get("inside"):
                    query["inside"] = state["inside"]
            path = f"/v1/domains/{domain}/feed"
            if query:
                path += "?" + urllib.parse.urlencode(query)
            page = self.json("GET", path)
            if not page["continues"] and "epoch" in state:
                begun_anew = True
                entries = []
            state["epoch"], state["cursor"] = page["epoch"], page["cursor"]
            state["inside"] = page.get("inside")
            entries += page["segments"]
            if not page["more"] and not page.get("inside"):
                return page, entries, begun_anew

    def fetch(self, domain: str, cursors: list):
        """The bytes of segments, in the order of their cursors; None for a missing one."""
        found = []
        while len(found) < len(cursors):
            body = {"cursors": cursors[len(found) : len(found) + 1000]}
            _, headers, data = self.ask(
                "POST", f"/v1/domains/{domain}/segments/fetch", body
            )
            place = 0
            for _ in range(int(headers["Cloudsync-Frames"])):
                (length,) = struct.unpack_from(">I", data, place)
                place += 4
                found.append(data[place : place + length] if length else None)
                place += length
        return found

    def store(self, domain: str, segments: list):
        body = b"".join(struct.pack(">I", len(data)) + data for data in segments)
        data = self.ask("POST", f"/v1/domains/{domain}/segments", body, SEGMENTS)[2]
        return json.loads(data)["results"]

    def news(self, seconds: float):
        """Events as they arrive: name and data."""
        request = urllib.request.Request(self.url + "/v1/events")
        request.add_header("Authorization", f"Bearer {self.token}")
        with urllib.request.urlopen(request, timeout=seconds) as answer:
            event = {}
            for line in answer:
                line = line.decode().rstrip("\r\n")
                if not line and event:
                    yield event.get("event"), json.loads(event.get("data", "{}"))
                    event = {}
                elif line and not line.startswith(":"):
                    key, _, text = line.partition(":")
                    event[key] = text.strip()
