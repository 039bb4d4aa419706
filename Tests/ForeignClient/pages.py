"""The content of the pages: the fields of every domain, and the bytes of the examples."""

import re
from dataclasses import dataclass, field


@dataclass
class Field:
    """A register: a plain field, or a group with members."""

    name: str
    type: str
    policy: str
    weight: str
    members: dict = field(default_factory=dict)


@dataclass
class Collection:
    name: str
    version: int
    place: str
    rule: str
    parents: list
    fields: dict = field(default_factory=dict)

    @property
    def is_root(self) -> bool:
        return self.place.startswith("root")


def domains(page: str) -> dict:
    """The page Domains.md: domain -> collection -> its description."""
    found, collection = {}, None
    for line in page.splitlines():
        title = re.fullmatch(r"#### `([a-z-]+)` / `([A-Za-z]+)`", line)
        if title:
            collection = Collection(title[2], 0, "", "", [])
            found.setdefault(title[1], {})[title[2]] = collection
            continue
        facts = re.fullmatch(r"Schema (\d+) · (.*) · of edit and deletion: `(\w+)`", line)
        if facts and collection:
            collection.version, collection.place = int(facts[1]), facts[2]
            collection.rule = facts[3]
            collection.parents = re.findall(r"`(\w+)`", facts[2].partition("one of ")[2])
            continue
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| `") and collection and len(cells) == 5:
            name, type, group, policy, weight = (cell.strip("`") for cell in cells)
            if group:
                whole = collection.fields.setdefault(
                    group, Field(group, "map", policy, weight)
                )
                whole.members[name] = type
            else:
                collection.fields[name] = Field(name, type, policy, weight)
    return found


def example(page: str, title: str) -> bytes:
    """The bytes of a block of a page: the hexadecimal digits left of the meaning."""
    block = page.split(f"### {title}\n", 1)[1].split("```", 2)[1]
    digits = ""
    for line in block.splitlines():
        left = re.split(r"\s{2,}", line.strip() + "  ", maxsplit=1)[0]
        if re.fullmatch(r"[0-9a-f ]*", left):
            digits += left.replace(" ", "")
    return bytes.fromhex(digits)


def root_zone(collection: str, id: str, generation: int = 0) -> str:
    """The zone of a root: two FNV-1a sums of 64 bits in base32."""
    from codes import base32

    data = f"{collection}\0{id}".encode()
    if generation:
        data += f"\0{generation}".encode()

    def total(start: int) -> bytes:
        for byte in data:
            start = (start ^ byte) * 0x100000001B3 % (1 << 64)
        return start.to_bytes(8, "big")

    return base32(total(0xCBF29CE484222325) + total(0x84222325CBF29CE4))
