"""A device: the changes that it has applied, the records that it shows, and its own changes.

The rules are those of SyncModel.md: changes apply in causal order, a write drops what its author had seen, the
operations of a record decide whether it is there.
"""

import os
import time
from dataclasses import dataclass, field

from changes import (
    Change,
    Operation,
    Segment,
    Write,
    chain_start,
    decode_change,
    decode_segment,
    encode_change,
    encode_segment,
)
from codes import Instant, Set, base32, encoded, hash16


@dataclass
class Sibling:
    dot: tuple
    stamp: int
    author: bytes
    value: object
    yields: bool = False
    is_discarded: bool = False  # a deletion of the record had seen it


@dataclass
class State:
    """One record: its register `alive` and the others."""

    alive: list = field(default_factory=list)
    registers: dict = field(default_factory=dict)
    erased: bool = False


class Zone:
    def __init__(self, name: str):
        self.name = name
        self.heads = {}  # series -> (number, hash) of the last applied change
        self.records = {}  # (collection, id) -> State
        self.waiting = []  # changes whose context is not here yet
        self.own = os.urandom(16)
        self.own_context = {}
        self.clock = 0


class Replica:
    """One device in one domain."""

    def __init__(self, domain, schema, device: str, name: str):
        self.domain, self.schema = domain, schema
        self.device, self.name = device, name
        self.zones = {}
        self.feed = {}
        self.outgoing = []
        self.access = {}

    def zone(self, name: str) -> Zone:
        return self.zones.setdefault(name, Zone(name))

    # Exchange with the server

    def sync(self, server):
        page, entries, begun_anew = server.feed(self.domain, self.feed)
        self.access = {entry["zone"]: entry["role"] for entry in page["access"]}
        if entries:
            cursors = [entry["cursor"] for entry in entries]
            for data in server.fetch(self.domain, cursors):
                if data is not None:
                    self.take(decode_segment(data))
        results = server.store(self.domain, self.outgoing) if self.outgoing else []
        for result in results:
            if result["status"] not in ("stored", "known"):
                raise RuntimeError(f"the server answered {result}")
        self.outgoing = []

    def take(self, segment: Segment):
        """Applies the changes of a segment whose context has arrived."""
        if segment.domain != self.domain or segment.features:
            return
        zone = self.zone(segment.zone)
        context = segment.base
        head = segment.previous
        for offset, data in enumerate(segment.changes):
            change = decode_change(data, context)
            context = change.context
            head = hash16(head + data)
            zone.waiting.append((segment.series, segment.first + offset, change, head))
        self.settle(zone)

    def settle(self, zone: Zone):
        is_moving = True
        while is_moving:
            is_moving = False
            for item in list(zone.waiting):
                series, number, change, head = item
                applied = zone.heads.get(series, (0, b""))[0]
                if number <= applied:
                    zone.waiting.remove(item)
                elif number == applied + 1 and self.covers(zone, change.context, series):
                    zone.waiting.remove(item)
                    self.apply(zone, series, number, change)
                    zone.heads[series] = (number, head)
                    is_moving = True

    @staticmethod
    def covers(zone: Zone, context: dict, own: bytes) -> bool:
        return all(
            zone.heads.get(series, (0, b""))[0] >= number
            for series, (number, _) in context.items()
            if series != own
        )

    # Merging

    def apply(self, zone: Zone, series: bytes, number: int, change: Change):
        dot = (series, number)
        author = change.author or series
        zone.clock = max(zone.clock, change.stamp)

        def seen(sibling: Sibling) -> bool:
            other, count = sibling.dot
            if other == series:
                return count < number
            return change.context.get(other, (0, b""))[0] >= count

        for operation in change.operations:
            state = zone.records.setdefault((operation.collection, operation.id), State())
            stamp = change.stamp if operation.stamp is None else operation.stamp
            kind = operation.kind
            if kind == "forget":
                zone.records.pop((operation.collection, operation.id), None)
                continue
            replaced = {
                "touch": lambda s: s.value == "touch",
                "edit": lambda s: s.value != "create",
            }.get(kind, lambda s: True)
            state.alive = [s for s in state.alive if not (seen(s) and replaced(s))]
            meaning = "create" if kind == "restore" else kind
            state.alive.append(Sibling(dot, stamp, author, meaning))
            if kind == "erase":
                state.erased, state.registers = True, {}
            if kind == "delete":
                for siblings in state.registers.values():
                    for sibling in siblings:
                        sibling.is_discarded |= seen(sibling)
            if kind == "create":
                for name in list(state.registers):
                    self.drop(state, name, seen)
            for write in operation.writes:
                self.drop(state, write.name, seen, dot)
                if write.has_value and not state.erased:
                    state.registers.setdefault(write.name, []).append(
                        Sibling(dot, stamp, author, write.value, write.yields)
                    )

    @staticmethod
    def drop(state: State, name: str, seen, own=None):
        left = [s for s in state.registers.get(name, []) if not seen(s) and s.dot != own]
        if left:
            state.registers[name] = left
        else:
            state.registers.pop(name, None)

    # Showing

    def shown(self, siblings: list, state: State = None):
        """The newest of the best rank; a deleted or overridden value stands behind others."""
        if state and any(s.value == "create" for s in state.alive):
            siblings = [s for s in siblings if not s.is_discarded]
        if not siblings:
            return None
        best = min((s.is_discarded, s.yields) for s in siblings)
        standing = [s for s in siblings if (s.is_discarded, s.yields) == best]
        return max(standing, key=lambda s: (s.stamp, [255 - byte for byte in s.author])).value

    def exists(self, state: State) -> bool:
        ranks = {"erase": 4, "create": 3, "edit": 3, "delete": 2, "touch": 1}
        return bool(state.alive) and max(
            ((ranks[s.value], s.stamp, s.value) for s in state.alive)
        )[2] in ("create", "edit", "touch")

    def record(self, collection: str, id: str, zone: str = "home"):
        """The fields of a record, members of groups among the others; None if it does not exist."""
        state = self.zone(zone).records.get((collection, id))
        if state is None or not self.exists(state):
            return None
        fields = {}
        known = self.schema[collection].fields
        for register, siblings in state.registers.items():
            name, _, element = register.partition("\0")
            value = self.shown(siblings, state)
            if value is None or name == "_parent":
                continue
            if element:
                fields.setdefault(name, Set()).append(value)
            elif name in known and known[name].members and isinstance(value, dict):
                fields.update(value)
            else:
                fields[name] = value
        return fields

    def records(self, collection: str):
        """All existing records of a collection: (zone, id) -> fields."""
        found = {}
        for zone in self.zones.values():
            for name, id in zone.records:
                if name == collection:
                    fields = self.record(collection, id, zone.name)
                    if fields is not None:
                        found[zone.name, id] = fields
        return found

    # Writing

    def write(self, zone_name: str, operations: list):
        """Makes one change of operations, applies it and puts it into its own segment."""
        zone = self.zone(zone_name)
        now = int(time.time() * 1000) << 16
        zone.clock = max(zone.clock + 1, now)
        number, head = zone.heads.get(zone.own, (0, chain_start(zone_name, zone.own)))
        context = {series: entry for series, entry in zone.heads.items() if series != zone.own}
        base = dict(zone.own_context)
        change = Change(
            zone.clock,
            os.urandom(10),
            operations,
            context,
            {name: self.schema[name].version for name in self.schema},
        )
        data = encode_change(change, base, zone.own)
        next_head = hash16(head + data)
        segment = Segment(
            self.domain,
            zone_name,
            zone.own,
            number + 1,
            number + 1,
            head,
            next_head,
            base,
            [data],
            operations=sum(not o.collection.startswith("_") for o in operations),
            deletions=sum(o.kind in ("delete", "erase") for o in operations),
            newest=max([zone.clock] + [o.stamp or 0 for o in operations]),
        )
        self.outgoing.append(encode_segment(segment))
        zone.own_context = context
        self.take(segment)
        return segment

    def introduction(self, zone_name: str) -> list:
        """The record that tells other devices the name of this one."""
        zone = self.zone(zone_name)
        id = base32(zone.own)
        if ("_device", id) in zone.records:
            return []
        writes = [
            Write("device", self.device),
            Write("lastSeen", Instant(int(time.time() * 1000))),
            Write("name", self.name),
        ]
        return [Operation("create", "_device", id, writes)]

    def save(self, collection: str, id: str, fields: dict, zone="home", parent=None):
        """Creates or changes a record; members of groups are written as their group."""
        key = (collection, id)
        state = self.zone(zone).records.get(key)
        is_new = state is None or not self.exists(state)
        registers = {}
        known = self.schema[collection].fields
        groups = {member: f for f in known.values() for member in f.members}
        for name, value in fields.items():
            if name in groups:
                group = groups[name].name
                if group not in registers:
                    present = state.registers.get(group) if state and not is_new else None
                    whole = self.shown(present) if present else {}
                    registers[group] = dict(whole) if isinstance(whole, dict) else {}
                if value is None:
                    registers[group].pop(name, None)
                else:
                    registers[group][name] = value
            elif isinstance(value, Set):
                for element in value:
                    registers[name + "\0" + base32(encoded(element))] = element
            else:
                registers[name] = value
        if parent and is_new:
            registers["_parent"] = parent
        writes = []
        for name in sorted(registers, key=lambda name: name.encode()):
            present = state.registers.get(name) if state and not is_new else None
            prior = self.shown(present) if present else None
            writes.append(
                Write(name, registers[name], prior=prior, has_prior=prior is not None)
            )
        operation = Operation("create" if is_new else "edit", collection, id, writes)
        return self.write(zone, self.introduction(zone) + [operation])

    def delete(self, collection: str, id: str, zone="home"):
        return self.write(zone, [Operation("delete", collection, id)])
