"""Changes and segments, as the page Segment.md writes them."""

import zlib
from dataclasses import dataclass, field

from codes import Damage, Reader, Writer, hash16

MAGIC = bytes.fromhex("89435345470d0a1a")
KINDS = ["create", "edit", "touch", "delete", "restore", "erase", "forget"]


@dataclass
class Write:
    """The effect of one change on one register."""

    name: str
    value: object = None
    has_value: bool = True
    prior: object = None
    has_prior: bool = False
    yields: bool = False


@dataclass
class Operation:
    kind: str
    collection: str
    id: str
    writes: list = field(default_factory=list)
    stamp: int = None


@dataclass
class Change:
    stamp: int
    batch: bytes
    operations: list
    context: dict
    versions: dict
    part: int = 0
    is_last: bool = True
    author: bytes = None


def encode_change(change: Change, told: dict, own: bytes) -> bytes:
    """The bytes of a change; `told` is the context of the change before it, or the base."""
    writer = Writer()
    writer.byte((1 if change.author else 0) | (2 if change.is_last else 0))
    writer.fixed(change.stamp)
    if change.author:
        writer.raw(change.author)
    writer.raw(change.batch)
    writer.number(change.part)
    news = {
        series: entry
        for series, entry in change.context.items()
        if series != own and told.get(series) != entry
    }
    writer.vector(news)
    collections, names = [], []
    for operation in change.operations:
        if operation.collection not in collections:
            collections.append(operation.collection)
        for write in operation.writes:
            if write.name not in names:
                names.append(write.name)
    writer.number(len(collections))
    for name in collections:
        writer.text(name)
        writer.number(change.versions.get(name, 1))
    writer.number(len(names))
    for name in names:
        writer.text(name)
    writer.number(len(change.operations))
    for operation in change.operations:
        has_stamp = operation.stamp is not None
        writer.byte(KINDS.index(operation.kind) | (16 if has_stamp else 0))
        writer.number(collections.index(operation.collection))
        writer.string(operation.id)
        if has_stamp:
            writer.fixed(operation.stamp)
        writer.number(len(operation.writes))
        for write in operation.writes:
            writer.number(names.index(write.name))
            writer.byte(
                (1 if write.has_value else 0)
                | (2 if write.has_prior else 0)
                | (YIELDS if write.yields else 0)
            )
            if write.has_value:
                writer.value(write.value)
            if write.has_prior:
                writer.value(write.prior)
    return bytes(writer.out)


def decode_change(data: bytes, told: dict) -> Change:
    """Reads a change; additions of a newer version at its end are skipped."""
    reader = Reader(data)
    flags = reader.byte()
    if flags & ~FLAGS:
        raise Damage("the change is of a newer version")
    stamp = reader.fixed()
    author = reader.raw(16) if flags & 1 else None
    batch = reader.raw(10)
    part = reader.number()
    context = dict(told)
    context.update(reader.vector())
    versions, collections = {}, []
    for _ in range(reader.number()):
        name = reader.text()
        collections.append(name)
        versions[name] = reader.number()
    names = [reader.text() for _ in range(reader.number())]
    operations = []
    for _ in range(reader.number()):
        kind = reader.byte()
        if kind & ~31 or kind & 15 >= len(KINDS):
            raise Damage("an operation is of a newer version")
        collection = collections[reader.number()]
        id = reader.value()
        at = reader.fixed() if kind & 16 else None
        writes = [decode_write(reader, names) for _ in range(reader.number())]
        operations.append(Operation(KINDS[kind & 15], collection, id, writes, at))
    return Change(
        stamp, batch, operations, context, versions, part, bool(flags & 2), author
    )


FLAGS = 1 | 2
YIELDS = 4


def decode_write(reader: Reader, names: list) -> Write:
    name = names[reader.number()]
    flags = reader.byte()
    if flags & ~(1 | 2 | YIELDS):
        raise Damage("a write is of a newer version")
    write = Write(
        name, has_value=bool(flags & 1), has_prior=bool(flags & 2), yields=bool(flags & YIELDS)
    )
    if write.has_value:
        write.value = reader.value()
    if write.has_prior:
        write.prior = reader.value()
    return write


@dataclass
class Segment:
    domain: str
    zone: str
    series: bytes
    first: int
    last: int
    previous: bytes
    head: bytes
    base: dict
    changes: list
    operations: int = 0
    deletions: int = 0
    newest: int = 0
    features: list = field(default_factory=list)


def chain_start(zone: str, series: bytes) -> bytes:
    """The hash before the first change of a series."""
    return hash16(b"cloudsync series 1\0" + zone.encode() + b"\0" + series)


def encode_segment(segment: Segment, compress: bool = True) -> bytes:
    writer = Writer()
    writer.raw(MAGIC)
    writer.number(1)
    writer.number(len(segment.features))
    for feature in segment.features:
        writer.text(feature)
    writer.number(0)
    writer.byte(0)
    writer.block(b"")
    writer.block(b"")
    writer.text(segment.domain)
    writer.text(segment.zone)
    writer.raw(segment.series)
    writer.number(segment.first)
    writer.number(segment.last - segment.first)
    writer.raw(segment.previous)
    writer.raw(segment.head)
    writer.vector(segment.base)
    writer.number(segment.operations)
    writer.number(segment.deletions)
    writer.fixed(segment.newest)
    payload = Writer()
    for change in segment.changes:
        payload.block(change)
    raw = bytes(payload.out)
    deflater = zlib.compressobj(wbits=-15)
    packed = deflater.compress(raw) + deflater.flush()
    if not compress or len(packed) >= len(raw):
        writer.byte(0)
        packed = raw
    else:
        writer.byte(1)
    writer.number(len(raw))
    writer.number(len(packed))
    writer.raw(packed)
    return bytes(writer.out) + hash16(bytes(writer.out))


def decode_segment(data: bytes, is_chained: bool = True) -> Segment:
    if len(data) < 24 or hash16(data[:-16]) != data[-16:]:
        raise Damage("the segment is damaged")
    reader = Reader(data[:-16])
    if reader.raw(8) != MAGIC:
        raise Damage("this is not a segment")
    if reader.number() != 1:
        raise Damage("the segment is of a newer version")
    features = [reader.text() for _ in range(reader.number())]
    if reader.number() != 0 or reader.byte() != 0:
        raise Damage("the segment is encrypted")
    reader.block()
    reader.block()
    domain, zone, series = reader.text(), reader.text(), reader.raw(16)
    first = reader.number()
    last = first + reader.number()
    previous, head, base = reader.raw(16), reader.raw(16), reader.vector()
    operations, deletions, newest = reader.number(), reader.number(), reader.fixed()
    compression = reader.byte()
    length, packed = reader.number(), reader.number()
    if length > 64 << 20 or length > 1032 * (packed + 1) or last - first >= length:
        raise Damage("the payload is disproportionately large")
    payload = reader.raw(packed)
    if reader.rest():
        raise Damage("something follows the payload")
    if compression == 1:
        payload = zlib.decompress(payload, wbits=-15)
    elif compression != 0:
        raise Damage("the compression is of a newer version")
    if len(payload) != length:
        raise Damage("the payload has another length")
    reader = Reader(payload)
    changes = [reader.block() for _ in range(last - first + 1)]
    if reader.rest():
        raise Damage("something follows the last change")
    if is_chained and not features:
        chained = previous
        for change in changes:
            chained = hash16(chained + change)
        if chained != head:
            raise Damage("the chain of hashes does not lead to the head")
    return Segment(
        domain, zone, series, first, last, previous, head, base, changes, operations, deletions,
        newest, features,
    )
