"""Numbers, texts, values and ids, as the page Segment.md writes them."""

import hashlib
import struct
import zlib

ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"


class Damage(Exception):
    """Bytes that break a rule of the pages."""


def base32(data: bytes) -> str:
    """RFC 4648 in lowercase, without padding."""
    bits = "".join(f"{byte:08b}" for byte in data)
    bits += "0" * (-len(bits) % 5)
    return "".join(ALPHABET[int(bits[i : i + 5], 2)] for i in range(0, len(bits), 5))


def unbase32(text: str) -> bytes:
    bits = "".join(f"{ALPHABET.index(digit):05b}" for digit in text)
    whole = len(bits) // 8 * 8
    return bytes(int(bits[i : i + 8], 2) for i in range(0, whole, 8))


def hash16(data: bytes) -> bytes:
    """The first 16 bytes of a SHA-256."""
    return hashlib.sha256(data).digest()[:16]


def is_token(text: str, prefix: str = "cst_") -> bool:
    """Whether a token has the right form and checksum."""
    if len(text) != len(prefix) + 13 + 1 + 52 + 7 or not text.startswith(prefix):
        return False
    body, check = text[:-7], text[-7:]
    return base32(struct.pack(">I", zlib.crc32(body.encode()))) == check


class Instant(int):
    """Milliseconds since 1970; a different value from the number."""


class Set(list):
    """The elements of a set, only in the client's own records; never a value on the wire."""


class Writer:
    def __init__(self):
        self.out = bytearray()

    def byte(self, value: int):
        self.out.append(value)

    def raw(self, data: bytes):
        self.out += data

    def number(self, value: int):
        while value >= 0x80:
            self.out.append(value & 0x7F | 0x80)
            value >>= 7
        self.out.append(value)

    def signed(self, value: int):
        self.number(value << 1 if value >= 0 else (-value << 1) - 1)

    def fixed(self, value: int):
        self.out += struct.pack(">Q", value)

    def text(self, value: str):
        self.block(value.encode("utf-8"))

    def block(self, data: bytes):
        self.number(len(data))
        self.out += data

    def vector(self, entries: dict):
        """Series -> (number, hash), in the order of the ids."""
        self.number(len(entries))
        for series in sorted(entries):
            number, head = entries[series]
            self.raw(series)
            self.number(number)
            self.raw(head)

    def string(self, value: str):
        uuid = uuid_bytes(value)
        if uuid is not None:
            self.byte(10)
            self.raw(uuid)
        else:
            self.byte(5)
            self.text(value)

    def value(self, value):
        if value is None:
            self.byte(0)
        elif value is False:
            self.byte(1)
        elif value is True:
            self.byte(2)
        elif isinstance(value, Instant):
            self.byte(7)
            self.signed(int(value))
        elif isinstance(value, int):
            self.byte(3)
            self.signed(value)
        elif isinstance(value, float):
            self.byte(4)
            nan = value != value
            self.raw(bytes.fromhex("7ff8000000000000") if nan else struct.pack(">d", value))
        elif isinstance(value, str):
            self.string(value)
        elif isinstance(value, (bytes, bytearray)):
            self.byte(6)
            self.block(bytes(value))
        elif isinstance(value, list):
            self.byte(8)
            self.number(len(value))
            for element in value:
                self.value(element)
        elif isinstance(value, dict):
            self.byte(9)
            self.number(len(value))
            for name in sorted(value, key=lambda name: name.encode("utf-8")):
                self.text(name)
                self.value(value[name])
        else:
            raise TypeError(f"not a value: {value!r}")


def uuid_bytes(text: str):
    """The 16 bytes of a lowercase UUID; None for any other text."""
    parts = text.split("-")
    if [len(part) for part in parts] != [8, 4, 4, 4, 12]:
        return None
    digits = "".join(parts)
    if any(digit not in "0123456789abcdef" for digit in digits):
        return None
    return bytes.fromhex(digits)


def encoded(value) -> bytes:
    """The bytes of one value."""
    writer = Writer()
    writer.value(value)
    return bytes(writer.out)


class Reader:
    def __init__(self, data: bytes):
        self.data = data
        self.place = 0

    def raw(self, count: int) -> bytes:
        if self.place + count > len(self.data):
            raise Damage("the bytes end too early")
        part = self.data[self.place : self.place + count]
        self.place += count
        return part

    def byte(self) -> int:
        return self.raw(1)[0]

    def number(self) -> int:
        value, shift = 0, 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                if byte == 0 and shift > 0:
                    raise Damage("a number is not in its shortest form")
                return value
            shift += 7
            if shift > 63:
                raise Damage("a number is too long")

    def signed(self) -> int:
        value = self.number()
        return value >> 1 if value & 1 == 0 else -(value >> 1) - 1

    def fixed(self) -> int:
        return struct.unpack(">Q", self.raw(8))[0]

    def block(self) -> bytes:
        return self.raw(self.number())

    def text(self) -> str:
        return self.block().decode("utf-8")

    def vector(self) -> dict:
        entries = {}
        for _ in range(self.number()):
            series = self.raw(16)
            number = self.number()
            entries[series] = (number, self.raw(16))
        return entries

    def rest(self) -> bytes:
        return self.data[self.place :]

    def value(self):
        tag = self.byte()
        if tag == 0:
            return None
        if tag in (1, 2):
            return tag == 2
        if tag == 3:
            return self.signed()
        if tag == 4:
            return struct.unpack(">d", self.raw(8))[0]
        if tag == 5:
            return self.text()
        if tag == 6:
            return self.block()
        if tag == 7:
            return Instant(self.signed())
        if tag == 8:
            return [self.value() for _ in range(self.number())]
        if tag == 9:
            return {self.text(): self.value() for _ in range(self.number())}
        if tag == 10:
            digits = self.raw(16).hex()
            return "-".join(
                [digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]]
            )
        raise Damage(f"a value has the tag {tag}")
