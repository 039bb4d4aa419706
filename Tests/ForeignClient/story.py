"""An independent device, written only from the pages in Documentation/Formats.

    story.py STATE PAGES join URL CODE      joins and remembers the answer
    story.py STATE PAGES write              writes a record into every collection of every domain
    story.py STATE PAGES odd DOMAIN/COLLECTION/ID '{"register": value, …}'
                                            writes registers as they are, whatever the schema says
    story.py STATE PAGES set DOMAIN/COLLECTION/ID '{"field": value, …}'
    story.py STATE PAGES delete DOMAIN/COLLECTION/ID
    story.py STATE PAGES read               all records that it sees
    story.py STATE PAGES registers DOMAIN/COLLECTION/ID    the values of its registers
    story.py STATE PAGES check              compares the examples of the pages with its own code

Each prints one object of JSON. STATE is a file, PAGES the folder of the pages.
"""

import base64
import json
import os
import pickle
import sys
import time
import uuid

import pages
from changes import Operation, Write, decode_change, decode_segment, encode_change, encode_segment
from codes import Instant, Set, hash16
from replica import Replica
from server import Server


def shown(value):
    """A value in the form of documents."""
    if isinstance(value, Instant):
        seconds = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(value // 1000))
        return f"{seconds}.{value % 1000:03d}Z"
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, Set):
        return sorted((shown(element) for element in value), key=str)
    if isinstance(value, list):
        return [shown(element) for element in value]
    if isinstance(value, dict):
        return {name: shown(member) for name, member in value.items()}
    return value


SAMPLES = {
    "bool": True,
    "int": 7,
    "double": 2.5,
    "string": "from elsewhere",
    "bytes": b"\0\1\2",
    "instant": Instant(1_795_599_000_123),
    "list": ["a", "b"],
    "map": {"a": 1},
    "set": Set(["x", "y"]),
    "any": "anything",
}


class Device:
    def __init__(self, url: str, schemas: dict):
        self.server = Server(url)
        self.id = f"foreign-{uuid.uuid4().hex[:8]}"
        self.replicas = {
            name: Replica(name, schema, self.id, "a client in Python")
            for name, schema in schemas.items()
        }

    def sync(self):
        for replica in self.replicas.values():
            replica.sync(self.server)

    # Writing into every collection

    def write_all(self) -> dict:
        written = {}
        for domain, replica in self.replicas.items():
            made = {}
            for collection in replica.schema.values():
                self.make(replica, collection, made)
            written[domain] = {
                name: {"id": id, "fields": {k: shown(v) for k, v in fields.items()}}
                for name, (id, zone, fields) in made.items()
            }
        return written

    def make(self, replica, collection, made):
        """A record of a collection with all fields, in the zone of its parent."""
        if collection.name in made:
            return made[collection.name]
        id, zone, parent = str(uuid.uuid4()), "home", None
        if collection.is_root:
            zone = pages.root_zone(collection.name, id)
        elif collection.parents:
            above = replica.schema[collection.parents[0]]
            parent_id, zone, _ = self.make(replica, above, made)
            parent = f"{above.name}/{parent_id}"
        fields = {}
        for register in collection.fields.values():
            for name, type in (register.members or {register.name: register.type}).items():
                fields[name] = SAMPLES[type]
        replica.save(collection.name, id, fields, zone, parent)
        made[collection.name] = (id, zone, fields)
        return made[collection.name]

    # One record

    def find(self, name: str):
        """Where a record is: replica, collection, id and zone."""
        domain, collection, id = name.split("/", 2)
        replica = self.replicas[domain]
        for zone in replica.zones.values():
            if (collection, id) in zone.records:
                return replica, collection, id, zone.name
        return replica, collection, id, "home"

    def odd(self, name: str, registers: dict):
        replica, collection, id, zone = self.find(name)
        is_there = replica.record(collection, id, zone) is not None
        writes = [Write(name, value) for name, value in sorted(registers.items())]
        replica.write(zone, [Operation("edit" if is_there else "create", collection, id, writes)])

    def read(self) -> dict:
        return {
            domain: {
                collection: {
                    id: {key: shown(value) for key, value in fields.items()}
                    for (_, id), fields in replica.records(collection).items()
                }
                for collection in replica.schema
            }
            for domain, replica in self.replicas.items()
        }


def check(folder: str) -> dict:
    """Whether this code produces the examples of the pages."""
    done = []
    with open(os.path.join(folder, "Segment.md")) as file:
        data = pages.example(file.read(), "Example")
    # Its hashes are invented.
    segment = decode_segment(data, is_chained=False)
    assert encode_segment(segment, compress=False) == data
    done.append("Segment.md")
    path = os.path.join(folder, "Example.md")
    with open(path) as file:
        page = file.read()
    data = pages.example(page, "The segment")
    segment = decode_segment(data)
    change = decode_change(segment.changes[0], segment.base)
    assert pages.example(page, "The change") == segment.changes[0]
    assert encode_segment(segment, compress=False) == data
    again = encode_change(change, segment.base, segment.series)
    assert again == segment.changes[0]
    assert hash16(segment.previous + again) == segment.head
    done.append("Example.md")
    return {"checked": done}


def main(words: list) -> dict:
    state, folder, verb = words[0], words[1], words[2]
    if verb == "check":
        return check(folder)
    with open(os.path.join(folder, "Domains.md")) as file:
        schemas = pages.domains(file.read())
    if verb == "join":
        device = Device(words[3], schemas)
        joined = device.server.join(words[4], device.id, "a client in Python")
        answer = {"account": joined["account"]["name"], "domains": sorted(schemas)}
    else:
        with open(state, "rb") as file:
            device = pickle.load(file)
        answer = {}
    device.sync()
    if verb == "write":
        answer = device.write_all()
    elif verb == "odd":
        device.odd(words[3], json.loads(words[4]))
    elif verb == "set":
        replica, collection, id, zone = device.find(words[3])
        replica.save(collection, id, json.loads(words[4]), zone)
    elif verb == "delete":
        replica, collection, id, zone = device.find(words[3])
        replica.delete(collection, id, zone)
    elif verb == "read":
        answer = device.read()
    elif verb == "registers":
        replica, collection, id, zone = device.find(words[3])
        state_of = replica.zone(zone).records[collection, id]
        answer = {
            name: [shown(sibling.value) for sibling in siblings]
            for name, siblings in state_of.registers.items()
        }
    device.sync()
    with open(state, "wb") as file:
        pickle.dump(device, file)
    return answer


if __name__ == "__main__":
    json.dump(main(sys.argv[1:]), sys.stdout)
    print()
