"""A second implementation of Documentation/Formats/Encryption.md, over the package `cryptography`.

    encryption_vectors.py write FILE    writes test vectors
    encryption_vectors.py check FILE    opens what is in a file of vectors, and makes it again
    encryption_vectors.py open KEYS FOLDER [WORD…]
                                        opens everything in an encrypted folder with the keys of a device, and finds the
                                        words in what it says; prints how many objects there are
    encryption_vectors.py invitation FOLDER CODE [DOMAIN…]
                                        opens the invitation in a folder with its code, and finds the domains in what it
                                        says of the folder

The vectors in Tests/Corpora/encryption are made by it; the tests of SyncKitEncryption read them, and must make the same
bytes from the same keys and salts.
"""

import base64
import hashlib
import hmac
import json
import pathlib
import random
import sys
import zlib

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives import hashes, hpke
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id
from cryptography.hazmat.primitives.kdf.hkdf import HKDFExpand
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

MAGIC = bytes.fromhex("894353454 70d0a1a".replace(" ", ""))


def number(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes(out + bytes([value]))


def signed(value):
    return number(value << 1 if value >= 0 else (-value << 1) - 1)


def fixed(value):
    return value.to_bytes(8, "big")


def prefixed(data):
    data = data.encode() if isinstance(data, str) else data
    return number(len(data)) + data


def base32(data):
    return base64.b32encode(data).decode().lower().rstrip("=")


def text(data):
    return base64.b64encode(data).decode()


def expand(key, purpose, length=32):
    return HKDFExpand(algorithm=hashes.SHA256(), length=length, info=purpose).derive(key)


def extract(secret, salt):
    return hmac.new(salt, secret, hashlib.sha256).digest()


def short(data):
    return hashlib.sha256(data).digest()[:16]


class Vault:
    def __init__(self, ident, owner, root, epochs, seed_of_owner=b""):
        """`epochs` are pairs of a number and a key; `owner` is a public key."""
        self.id, self.owner, self.root, self.epochs = ident, owner, root, epochs
        self.seed_of_owner = seed_of_owner
        self.directory = expand(root, b"cloudsync/1/directory")

    def code(self, kind, content, key=None):
        return hmac.new(key or self.directory, bytes([kind]) + content, hashlib.sha256).digest()

    def domain(self, domain):
        return base32(self.code(1, prefixed(domain))[:16])

    def zone(self, domain, zone):
        return base32(self.code(2, prefixed(domain) + prefixed(zone))[:16])

    def names(self, domain, zone):
        """The key from which the names of a zone's objects follow."""
        return expand(self.directory, b"cloudsync/1/names" + prefixed(domain) + prefixed(zone))

    def name(self, domain, zone, series, first, last, head):
        key = self.names(domain, zone)
        identity = prefixed(domain) + prefixed(zone) + series + fixed(first) + fixed(last) + head
        place = (int.from_bytes(self.code(4, identity, key)[:8], "big") >> 12) + 1
        return {
            "domain": self.domain(domain),
            "zone": self.zone(domain, zone),
            "series": self.code(3, prefixed(domain) + prefixed(zone) + series, key)[:16],
            "number": place,
            "head": self.code(5, identity, key)[:16],
        }

    def zone_keys(self, name, epoch, share):
        """The keys of a zone in an epoch: two where two devices began it at once."""
        purpose = b"cloudsync/1/zone" + prefixed(name["domain"]) + prefixed(name["zone"]) + fixed(share)
        return [expand(key, purpose) for number, key in self.epochs if number == epoch]

    def secrets(self):
        """What is in a slot, and among the keys of a device."""
        keys = b"".join(number(place) + prefixed(key) for place, key in self.epochs)
        return prefixed(self.owner) + prefixed(self.root) + number(len(self.epochs)) + keys

    def context(self, name, epoch, share, length):
        return (
            b"cloudsync/1" + bytes([1]) + fixed(epoch) + fixed(share) + prefixed(self.id) + prefixed(name["domain"])
            + prefixed(name["zone"]) + name["series"] + fixed(name["number"]) + name["head"] + fixed(length)
        )


def padded(count):
    if count <= 16 << 10:
        return max(4 << 10, (count + 1023) // 1024 * 1024)
    exponent = count.bit_length() - 1
    digits = exponent.bit_length()
    mask = (1 << exponent - digits) - 1
    return (count + mask) & ~mask


def nonce(place, last):
    return b"\0\0\0" + fixed(place) + bytes([1 if last else 0])


def envelope(message, context, key, salt):
    secret = extract(key, salt)
    cipher = ChaCha20Poly1305(expand(secret, b"cloudsync/1/object"))
    out = salt + expand(secret, b"cloudsync/1/commitment")
    if len(message) <= 1 << 20:
        return out + cipher.encrypt(nonce(0, False), message, context)
    parts = [message[i:i + (64 << 10)] for i in range(0, len(message), 64 << 10)]
    for place, part in enumerate(parts):
        out += cipher.encrypt(nonce(place, place == len(parts) - 1), part, context)
    return out


def open_envelope(data, context, key):
    secret = extract(key, data[:32])
    if not hmac.compare_digest(data[32:64], expand(secret, b"cloudsync/1/commitment")):
        raise InvalidTag
    cipher = ChaCha20Poly1305(expand(secret, b"cloudsync/1/object"))
    sealed = data[64:]
    if len(sealed) <= (1 << 20) + 16:
        return cipher.decrypt(nonce(0, False), sealed, context)
    size = (64 << 10) + 16
    parts = [sealed[i:i + size] for i in range(0, len(sealed), size)]
    return b"".join(
        cipher.decrypt(nonce(place, place == len(parts) - 1), part, context) for place, part in enumerate(parts))


def open_any(data, context, keys):
    for key in keys:
        try:
            return open_envelope(data, context, key)
        except InvalidTag:
            continue
    raise InvalidTag


def envelope_length(count):
    parts = (count + (64 << 10) - 1) // (64 << 10) if count > 1 << 20 else 1
    return 64 + count + 16 * parts


def segment_file(domain, zone, series, first, last, previous, head, payload, epoch=0, suite=0, newest=0, counts=(0, 0)):
    """A segment file whose payload is stored as it is, with an empty base."""
    body = MAGIC + number(1) + number(0) + number(epoch) + bytes([suite]) + prefixed(b"") + prefixed(b"")
    body += prefixed(domain) + prefixed(zone) + series + number(first) + number(last - first) + previous + head
    body += number(0) + number(counts[0]) + number(counts[1]) + fixed(newest) + bytes([0])
    body += number(len(payload)) + number(len(payload)) + payload
    return body + short(body)


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        part = self.data[self.at:self.at + count]
        if len(part) != count:
            raise ValueError("cut off")
        self.at += count
        return part

    def number(self):
        value = shift = 0
        while True:
            byte = self.take(1)[0]
            value |= (byte & 0x7F) << shift
            if value >= 1 << 64 or byte == 0 and shift:
                raise ValueError("a number is too large, or not in its shortest form")
            shift += 7
            if byte < 0x80:
                return value

    def signed(self):
        value = self.number()
        return value >> 1 if value & 1 == 0 else -(value >> 1) - 1

    def text(self, limit):
        data = self.block()
        if len(data) > limit:
            raise ValueError("a text is too long")
        return data.decode()

    def flag(self):
        byte = self.take(1)[0]
        if byte > 1:
            raise ValueError("a yes or no is neither")
        return byte == 1

    def end(self):
        if self.at != len(self.data):
            raise ValueError("bytes are left over")

    def block(self):
        return self.take(self.number())


def read_file(data):
    """The names and the payload of a segment file."""
    if short(data[:-16]) != data[-16:]:
        raise ValueError("the checksum is wrong")
    reader = Reader(data[:-16])
    if reader.take(8) != MAGIC or reader.number() != 1:
        raise ValueError("no segment")
    for _ in range(reader.number()):
        reader.block()
    epoch, suite = reader.number(), reader.take(1)[0]
    reader.block(), reader.block()
    head = {"domain": reader.block().decode(), "zone": reader.block().decode(), "series": reader.take(16)}
    head["number"], further = reader.number(), reader.number()
    head["previous"], head["head"] = reader.take(16), reader.take(16)
    for _ in range(reader.number()):
        reader.take(16), reader.number(), reader.take(16)
    reader.number()
    head["share"] = reader.number()
    reader.take(8), reader.take(1), reader.number()
    return head, further, epoch, suite, reader.block()


def public_of(key):
    return key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)


def seal(vault, author, plain, names, epoch, share, salt):
    name = vault.name(*names)
    public = public_of(author)
    statement = b"cloudsync/1/author" + vault.context(name, epoch, share, 0) + hashlib.sha256(plain).digest()
    content = prefixed(plain) + prefixed(public) + prefixed(author.sign(statement))
    content += bytes(padded(len(content)) - len(content))
    context = vault.context(name, epoch, share, envelope_length(len(content)))
    sealed = envelope(content, context, vault.zone_keys(name, epoch, share)[0], salt)
    return sealed_file(name, sealed, epoch, share)


def sealed_file(name, sealed, epoch, share):
    return segment_file(
        name["domain"], name["zone"], name["series"], name["number"], name["number"], bytes(16), name["head"], sealed,
        epoch, 1, counts=(0, share))


def open_sealed(vault, data):
    name, further, epoch, suite, sealed = read_file(data)
    if suite != 1 or further:
        raise ValueError("not sealed")
    share = name["share"]
    content = open_any(sealed, vault.context(name, epoch, share, len(sealed)), vault.zone_keys(name, epoch, share))
    reader = Reader(content)
    plain, public, signature = reader.block(), reader.block(), reader.block()
    if any(content[reader.at:]) or padded(len(content)) != len(content):
        raise ValueError("the padding is wrong")
    # The author may have signed it in an earlier epoch than the one in which it was sealed again.
    for signed_in in sorted({place for place, _ in vault.epochs if place <= epoch}, reverse=True):
        for then in range(share, -1, -1):
            statement = b"cloudsync/1/author" + vault.context(name, signed_in, then, 0) + hashlib.sha256(plain).digest()
            try:
                Ed25519PublicKey.from_public_bytes(public).verify(signature, statement)
                return plain
            except InvalidSignature:
                continue
    raise InvalidSignature


def seal_again(vault, data, epoch, salt):
    """The same object with the key of a later epoch, still signed by its author."""
    name, _, former, _, sealed = read_file(data)
    share = name["share"]
    content = open_any(sealed, vault.context(name, former, share, len(sealed)), vault.zone_keys(name, former, share))
    again = envelope(
        content, vault.context(name, epoch, share, len(sealed)), vault.zone_keys(name, epoch, share)[0], salt)
    return sealed_file(name, again, epoch, share)


def slot_head(kind, vault, salt, passes=0, memory=0, expires=0):
    return (
        prefixed("cloudsync/1/slot") + bytes([kind]) + prefixed(vault.id) + prefixed(salt) + number(passes)
        + number(memory) + signed(expires)
    )


def slot(kind, vault, secret, salt, envelope_salt, passes=0, memory=0, expires=0, known=([], {})):
    if kind == 1:
        key = Argon2id(
            salt=salt, length=32, iterations=passes, lanes=1, memory_cost=memory >> 10).derive(secret)
    else:
        key = expand(extract(secret, salt), b"cloudsync/1/recovery" if kind == 2 else b"cloudsync/1/invitation")
    head = slot_head(kind, vault, salt, passes, memory, expires)
    content = vault.secrets() + prefixed(vault.seed_of_owner if kind == 2 else b"")
    if kind == 3:
        content += frontier(*known)
        content += bytes(padded(len(content)) - len(content))
    return head + envelope(content, head, key, envelope_salt)


def frontier(epochs, stored):
    """What who invites knows of a place: statements, and by domain and zone (series, last change, hash)."""
    said = number(len(epochs)) + b"".join(prefixed(one) for one in epochs) + number(len(stored))
    for domain, zones in sorted(stored.items()):
        said += prefixed(domain) + number(len(zones))
        for zone, heads in sorted(zones.items()):
            said += prefixed(zone) + number(len(heads)) + b"".join(
                series + number(last) + head for series, last, head in sorted(heads))
    return said


def open_pairing(data, secret):
    """The id of the vault, and what who invites knows of the place."""
    reader = Reader(data)
    if reader.text(16) != "cloudsync/1/slot" or reader.take(1) != b"\x03":
        raise ValueError("it is no invitation")
    ident, salt = reader.block(), reader.block()
    if (reader.number(), reader.number()) != (0, 0):
        raise ValueError("an invitation has the parameters of a passphrase")
    reader.signed()
    head = data[:reader.at]
    message = open_envelope(data[reader.at:], head, expand(extract(secret, salt), b"cloudsync/1/invitation"))
    if len(message) != padded(len(message)):
        raise ValueError("an invitation is not padded")
    reader = Reader(message)
    owner, root = reader.block(), reader.block()
    keys = [(reader.number(), reader.block()) for _ in range(reader.number())]
    if {len(one) for one in [owner, root] + [key for _, key in keys]} != {32} or reader.block():
        raise ValueError("an invitation has other secrets than the keys of a vault")
    epochs = [reader.block() for _ in range(reader.number())]
    stored = {}
    for _ in range(reader.number()):
        zones = stored[reader.block().decode()] = {}
        for _ in range(reader.number()):
            zone = reader.block().decode()
            zones[zone] = [(reader.take(16), reader.number(), reader.take(16)) for _ in range(reader.number())]
    return ident, epochs, stored


def made_up_frontier(place):
    """Another one for each place, and nothing drawn by chance."""
    def draw(*words):
        return hashlib.sha256(repr((place, *words)).encode()).digest()
    epochs = [draw("epoch", one) for one in range(place % 3)]
    stored = {
        f"domain{one}": {
            zone: sorted(
                (draw(one, zone, head)[:16], head * 100 + 1, draw(one, zone, head)[16:]) for head in range(place))
            for zone in ["home", base32(draw(one)[:16])]}
        for one in range(place % 4)}
    return epochs, stored


def code_text(secret):
    digits = base32(secret) + base32(hashlib.sha256(secret).digest())[:2]
    return "-".join(digits[i:i + 4] for i in range(0, len(digits), 4))


def vectors(seed=7):
    chance = random.Random(seed)
    draw = chance.randbytes
    seed_of_owner = draw(32)
    owner = Ed25519PrivateKey.from_private_bytes(seed_of_owner)
    vault = Vault(
        draw(16), public_of(owner), draw(32), [(place, draw(32)) for place in (1, 2, 3)], seed_of_owner)
    seed_of_author = draw(32)
    author = Ed25519PrivateKey.from_private_bytes(seed_of_author)
    out = {
        "vault": text(vault.id), "owner": text(seed_of_owner), "root": text(vault.root),
        "epochs": [text(key) for _, key in vault.epochs],
        "author": text(seed_of_author), "domains": [], "zones": [], "lengths": [], "codes": [], "slots": [],
        "segments": [],
    }
    domains = ["airports", "settings", "health", "media", "bike", "a", "x" * 64]
    zones = ["home", "erased", "z" * 64] + [base32(draw(16)) for _ in range(5)]
    for domain in domains:
        out["domains"].append({"domain": domain, "pseudonym": vault.domain(domain)})
        for zone in zones[:3]:
            out["zones"].append({"domain": domain, "zone": zone, "pseudonym": vault.zone(domain, zone)})
    for count in [0, 1, 4095, 4096, 4097, 16383, 16384, 16385, 17408, 17409, 65535, 65537, 100000, 1 << 20, (1 << 20) + 1,
                  5000000]:
        out["lengths"].append({"count": count, "padded": padded(count)})
    for _ in range(8):
        secret = draw(16)
        out["codes"].append({"secret": text(secret), "text": code_text(secret)})
    for kind, count in [(1, 2), (2, 8), (3, 8)]:
        for place in range(count):
            secret = f"passphrase {place} ü".encode() if kind == 1 else draw(16)
            salt, inner = draw(16), draw(32)
            extra = {"passes": 2, "memory": 19 << 20} if kind == 1 else {}
            told = {}
            if kind == 3:
                extra = {"expires": chance.randrange(1 << 45)}
                known = made_up_frontier(place)
                told = {"known": known}
                assert open_pairing(slot(kind, vault, secret, salt, inner, **extra, **told), secret) == (vault.id, *known)
            out["slots"].append({
                "kind": kind, "secret": text(secret), "salt": text(salt), "envelopeSalt": text(inner), **extra,
                "slot": text(slot(kind, vault, secret, salt, inner, **extra, **told)),
                **({"frontier": text(frontier(*known))} if told else {})})
    for place in range(40):
        domain, zone = chance.choice(domains), chance.choice(zones)
        series, previous = draw(16), draw(16)
        first = chance.choice([1, 2, 300, 9999999999999999])
        size = chance.choice([0, 1, 100, 3000, 4000, 5000]) if place else (1 << 20) + 100
        # A long one is one byte many times over, so that the file of vectors stays small.
        change = draw(size) if place else b"\x61" * size
        head = short(change)
        payload = prefixed(change)
        counts = (chance.randrange(5), chance.randrange(3))
        newest = chance.randrange(1 << 60)
        plain = segment_file(domain, zone, series, first, first, previous, head, payload, newest=newest, counts=counts)
        epoch, share, salt = chance.randint(1, 3), chance.choice([0, 0, 1, 200]), draw(32)
        names = (domain, zone, series, first, first, head)
        sealed = seal(vault, author, plain, names, epoch, share, salt)
        assert open_sealed(vault, sealed) == plain
        name = vault.name(*names)
        one = {
            "domain": domain, "zone": zone, "epoch": epoch, "share": share, "salt": text(salt),
            "name": f"{name['domain']}/{name['zone']}/{base32(name['series'])}/{name['number']}/{base32(name['head'])}",
            "hash": hashlib.sha256(sealed).hexdigest(),
        }
        if place:
            one.update({"plain": text(plain), "sealed": text(sealed)})
        else:
            one.update({"plainHead": text(plain[:len(plain) - 16 - size]), "fill": 0x61, "count": size,
                        "trailer": text(plain[-16:])})
        out["segments"].append(one)
    out.update(statement_vectors(vault, owner, draw))
    statement_keys = [base64.b64decode(seed) for seed in out["statementSeeds"]]
    out["resealed"] = []
    for one in out["segments"]:
        if one["epoch"] == 3 or "sealed" not in one or len(out["resealed"]) == 6:
            continue
        epoch, salt = one["epoch"] + 1, draw(32)
        sealed = seal_again(vault, base64.b64decode(one["sealed"]), epoch, salt)
        assert open_sealed(vault, sealed) == base64.b64decode(one["plain"])
        out["resealed"].append({
            "domain": one["domain"], "epoch": epoch, "salt": text(salt), "former": one["sealed"], "sealed": text(sealed)})
    guests = [person(draw, 3), person(draw, 2)]
    out["persons"] = [
        {"vault": text(guest.id), "owner": text(guest.seed_of_owner), "root": text(guest.root),
         "epochs": [text(key) for _, key in guest.epochs]} for guest in guests]
    out.update(share_vectors([vault] + guests, statement_keys, draw))
    return out


def device_keys(data):
    """The keys of a device: the vault, the seed of its own key, the statements that it has, and the entries of shared zones."""
    reader = Reader(data)
    if reader.take(1) != b"\x02":
        sys.exit("keys of another version")
    ident, author, owner, root = reader.block(), reader.block(), reader.block(), reader.block()
    epochs = [(reader.number(), reader.block()) for _ in range(reader.number())]
    statements = [reader.block() for _ in range(reader.number())]
    entries = [(reader.block().decode(), reader.block().decode(), reader.block()) for _ in range(reader.number())]
    reader.end()
    return Vault(ident, owner, root, epochs), author, statements, entries


def statement_head(epoch):
    return prefixed("cloudsync/1/statement") + number(epoch)


def seal_statement(vault, author, epoch, said, salt):
    """A statement, sealed with the key of an epoch."""
    context = statement_head(epoch) + prefixed(vault.id)
    signature = author.sign(context + hashlib.sha256(said).digest())
    message = prefixed(said) + prefixed(public_of(author)) + prefixed(signature)
    message += bytes(padded(len(message)) - len(message))
    key = expand(dict(vault.epochs)[epoch], b"cloudsync/1/statements")
    return statement_head(epoch) + envelope(message, context, key, salt)


def open_statement(vault, data):
    """The epoch, the author and the content of a statement."""
    for epoch, key in vault.epochs:
        head = statement_head(epoch)
        context = head + prefixed(vault.id)
        try:
            if not data.startswith(head):
                continue
            message = open_envelope(data[len(head):], context, expand(key, b"cloudsync/1/statements"))
        except InvalidTag:
            continue
        reader = Reader(message)
        said, author, signature = reader.block(), reader.block(), reader.block()
        Ed25519PublicKey.from_public_bytes(author).verify(signature, context + hashlib.sha256(said).digest())
        return epoch, author, said
    raise InvalidTag


def introduction(ident, name, box_key, time):
    return b"\x01" + prefixed(ident) + prefixed(name) + prefixed(box_key) + signed(time)


def departure(member, name, digests):
    return prefixed(member) + prefixed(name) + number(len(digests)) + b"".join(sorted(digests))


def owner_signs(vault, said):
    return b"cloudsync/1/owner" + prefixed(vault.id) + hashlib.sha256(said).digest()


def epoch_content(vault, owner, place, key, members, departures, slots):
    """What begins an epoch; `members` are (key, box key, id, name, sealed key), `departures` (key, name, digests)."""
    said = number(place) + prefixed(epoch_hash(key)) + number(len(members))
    said += b"".join(prefixed(part) for member in members for part in member)
    said += number(len(departures)) + b"".join(departure(*one) for one in departures)
    said += number(len(slots)) + b"".join(prefixed(one) for one in slots)
    return b"\x02" + said + prefixed(owner.sign(owner_signs(vault, said)))


def closing_content(vault, owner, remote, location, time):
    """The owner's word that a place is encrypted no more."""
    said = prefixed(remote) + prefixed(location) + signed(time)
    word = b"cloudsync/1/closing" + prefixed(vault.id) + hashlib.sha256(said).digest()
    return b"\x05" + said + prefixed(owner.sign(word))


def epoch_hash(key):
    return hashlib.sha256(b"cloudsync/1/epoch" + key).digest()


def check_epoch(vault, seed, said):
    """Verifies what begins an epoch, and that a device finds in it the key that it has."""
    reader = Reader(said[1:])
    place, digest = reader.number(), reader.block()
    members = [[reader.block() for _ in range(5)] for _ in range(reader.number())]
    for _ in range(reader.number()):
        reader.block(), reader.block()
        for _ in range(reader.number()):
            reader.take(16)
    for _ in range(reader.number()):
        reader.block()
    signed_part = reader.data[:reader.at]
    Ed25519PublicKey.from_public_bytes(vault.owner).verify(reader.block(), owner_signs(vault, signed_part))
    own = public_of(Ed25519PrivateKey.from_private_bytes(seed))
    for member, _, _, _, sealed in members:
        if member != own:
            continue
        key = HPKE.decrypt(sealed, box(seed), info=hpke_info(vault, place, member))
        if epoch_hash(key) != digest or (place, key) not in vault.epochs:
            sys.exit("the key of an epoch is not the one that the device has")


# Base mode of RFC 9180 with DHKEM(X25519, HKDF-SHA256), HKDF-SHA256 and ChaCha20-Poly1305.
HPKE = hpke.Suite(hpke.KEM.X25519, hpke.KDF.HKDF_SHA256, hpke.AEAD.CHACHA20_POLY1305)


def hpke_info(vault, place, member):
    return b"cloudsync/1/epoch-key" + prefixed(vault.id) + fixed(place) + prefixed(member)


def box(seed):
    """The key pair of a device to which the keys of new epochs are sealed."""
    return X25519PrivateKey.from_private_bytes(expand(seed, b"cloudsync/1/box"))


def hpke_seal(message, receiver, info, ephemeral):
    """As the package seals, but with an ephemeral key that is given, so that it can be done again."""
    def extracted(suite, salt, label, secret):
        return extract(b"HPKE-v1" + suite + label + secret, salt or bytes(32))

    def expanded(suite, key, label, info, length):
        return expand(key, length.to_bytes(2, "big") + b"HPKE-v1" + suite + label + info, length)

    sender = X25519PrivateKey.from_private_bytes(ephemeral)
    kem, suite = b"KEM\x00\x20", b"HPKE\x00\x20\x00\x01\x00\x03"
    shared = sender.exchange(X25519PublicKey.from_public_bytes(receiver))
    secret = expanded(
        kem, extracted(kem, b"", b"eae_prk", shared), b"shared_secret", public_of(sender) + receiver, 32)
    context = b"\x00" + extracted(suite, b"", b"psk_id_hash", b"") + extracted(suite, b"", b"info_hash", info)
    main = extracted(suite, secret, b"secret", b"")
    cipher = ChaCha20Poly1305(expanded(suite, main, b"key", context, 32))
    return public_of(sender) + cipher.encrypt(expanded(suite, main, b"base_nonce", context, 12), message, b"")


def statement_vectors(vault, owner, draw):
    """Two devices introduce themselves, the second is let go, and the first keeps something of it."""
    seeds = [draw(32), draw(32)]
    keys = [Ed25519PrivateKey.from_private_bytes(seed) for seed in seeds]
    boxes = [public_of(box(seed)) for seed in seeds]
    first = Vault(vault.id, vault.owner, vault.root, vault.epochs[:1])
    place, key = vault.epochs[1]
    out = {"statementSeeds": [text(seed) for seed in seeds], "statements": []}

    def add(kind, by, epoch, said, salt, **more):
        sealed = seal_statement(vault, keys[by], epoch, said, salt)
        assert open_statement(vault, sealed) == (epoch, public_of(keys[by]), said)
        out["statements"].append({
            "kind": kind, "by": by, "epoch": epoch, "salt": text(salt), "said": text(said), "sealed": text(sealed),
            **more})

    for by, name in enumerate(["laptop", "phone"]):
        said = introduction(f"id-{by}", name, boxes[by], 1000 + by)
        add("introduction", by, 1, said, draw(32), id=f"id-{by}", name=name, time=1000 + by)
    member, ephemeral = public_of(keys[0]), draw(32)
    sealed = hpke_seal(key, boxes[0], hpke_info(first, place, member), ephemeral)
    assert HPKE.decrypt(sealed, box(seeds[0]), info=hpke_info(first, place, member)) == key
    digests, inner = [draw(16), draw(16)], draw(32)
    new_slot = slot(2, Vault(vault.id, vault.owner, vault.root, vault.epochs[:2], vault.seed_of_owner), draw(16), draw(16),
                    inner)
    said = epoch_content(
        first, owner, place, key, [(member, boxes[0], b"id-0", b"laptop", sealed)],
        [(public_of(keys[1]), b"phone", digests)], [new_slot])
    check_epoch(vault, seeds[0], said)
    add("epoch", 0, 1, said, draw(32), digests=[text(digest) for digest in sorted(digests)], slot=text(new_slot))
    more = draw(16)
    add("kept", 0, 2, b"\x03" + departure(public_of(keys[1]), b"phone", [more]), draw(32), digests=[text(more)])
    add("slots", 0, 2, b"\x04" + signed(2000) + number(1) + prefixed(new_slot), draw(32), time=2000, slot=text(new_slot))
    said = closing_content(vault, owner, "box", "file:/home/anna/box", 3000)
    add("closing", 0, 2, said, draw(32), remote="box", location="file:/home/anna/box", time=3000)
    return out


# Sharing


def person(draw, count):
    """The vault of a person with so many epochs."""
    seed = draw(32)
    return Vault(
        draw(16), public_of(Ed25519PrivateKey.from_private_bytes(seed)), draw(32),
        [(place + 1, draw(32)) for place in range(count)], seed)


def person_keys(vault, epoch):
    """What a person signs with in an epoch, and to what others seal."""
    key = dict(vault.epochs)[epoch]
    return (Ed25519PrivateKey.from_private_bytes(expand(key, b"cloudsync/1/person-signing")),
            X25519PrivateKey.from_private_bytes(expand(key, b"cloudsync/1/person-box")))


def card_word(ident, epoch, signing, box_key):
    return b"cloudsync/1/card" + prefixed(ident) + fixed(epoch) + prefixed(signing) + prefixed(box_key)


def card(vault, place, **changed):
    """A card; what is `changed` is so before the owner signs, but for `signature` and what is `late`."""
    signing, box_key = person_keys(vault, changed.pop("keys_of", place))
    parts = {"id": vault.id, "owner": vault.owner, "epoch": number(place), "signing": public_of(signing),
             "box": public_of(box_key)}
    late, seed = changed.pop("late", {}), changed.pop("seed", vault.seed_of_owner)
    word, signature = changed.pop("word", None), changed.pop("signature", None)
    parts.update(changed)
    if signature is None:
        said = word or card_word(parts["id"], Reader(parts["epoch"]).number(), parts["signing"], parts["box"])
        signature = Ed25519PrivateKey.from_private_bytes(seed).sign(said)
    parts.update(late)
    return (prefixed(parts["id"]) + prefixed(parts["owner"]) + parts["epoch"] + prefixed(parts["signing"])
            + prefixed(parts["box"]) + prefixed(signature))


def read_card(reader):
    start = reader.at
    ident, owner, epoch = reader.block(), reader.block(), reader.number()
    signing, box_key, signature = reader.block(), reader.block(), reader.block()
    if len(ident) != 16 or {len(owner), len(signing), len(box_key)} != {32} or not epoch:
        raise ValueError("a card is none")
    Ed25519PublicKey.from_public_bytes(owner).verify(signature, card_word(ident, epoch, signing, box_key))
    return {"id": ident, "owner": owner, "epoch": epoch, "signing": signing, "box": box_key,
            "bytes": reader.data[start:reader.at]}


def whole(data, read):
    reader = Reader(data)
    found = read(reader)
    reader.end()
    return found


def code_key(code, purpose):
    return expand(extract(code, b""), purpose)


def shown_card(data, code):
    return data + prefixed(hmac.new(code_key(code, b"cloudsync/1/share-card"), data, hashlib.sha256).digest())


def is_shown(data, code):
    def read(reader):
        found = read_card(reader)["bytes"]
        return hmac.compare_digest(shown_card(found, code), found + prefixed(reader.block()))
    return whole(data, read)


def shelf(magic, message, key, context, salt):
    """An entry or an invitation as it lies in a zone."""
    message += bytes(padded(len(message)) - len(message))
    return prefixed(magic) + envelope(message, prefixed(magic) + context, key, salt)


def open_shelf(magic, data, key, context):
    head = prefixed(magic)
    if not data.startswith(head):
        raise ValueError("something else")
    return open_envelope(data[len(head):], head + context, key)


def names_of(vault, domain, zone):
    return {"domain": vault.domain(domain), "zone": vault.zone(domain, zone), "key": vault.names(domain, zone)}


def at(names):
    return prefixed(names["domain"]) + prefixed(names["zone"])


def zone_key_name(key):
    return number(key[0]) + number(key[1])


def read_zone_key_name(reader):
    key = (reader.number(), reader.number())
    if not key[0] or key[1] > 1000:
        raise ValueError("a zone has no such key")
    return key


INVITATION = "cloudsync/1/share-invitation"
ENTRY = "cloudsync/1/share-entry"
FOLDER_SIGNS = set("abcdefghijklmnopqrstuvwxyz0123456789-")


def grant(owner_card, domain, zone, names, title, may_write, place, keys):
    """`keys` are (epoch, s, key)."""
    return (owner_card + prefixed(domain) + prefixed(zone) + at(names) + prefixed(names["key"]) + prefixed(title)
            + (may_write if isinstance(may_write, bytes) else bytes([may_write])) + number(place) + number(len(keys))
            + b"".join(zone_key_name(key) + prefixed(key[2]) for key in keys))


def read_grant(reader):
    found = {"card": read_card(reader)}
    domain, zone = reader.text(64), reader.text(64)
    names = {"domain": reader.text(64), "zone": reader.text(64), "key": reader.block()}
    found.update({"domain": domain, "zone": zone, "names": names, "title": reader.text(512), "mayWrite": reader.flag()})
    found["number"] = reader.number()
    found["keys"] = {read_zone_key_name(reader): reader.block() for _ in range(reader.number())}
    if any(not 1 <= len(one) <= 64 or set(one) - FOLDER_SIGNS for one in (domain, zone, names["domain"], names["zone"])):
        raise ValueError("a name that is none")
    if zone in ("home", "local", "erased") or {len(names["key"])} | {len(key) for key in found["keys"].values()} != {32}:
        raise ValueError("no share of a zone")
    if not found["keys"]:
        raise ValueError("no key")
    return found


def seal_invitation(said, code, names, salt, magic=INVITATION):
    return shelf(magic, said, code_key(code, INVITATION.encode()), at(names), salt)


def open_invitation(data, code, names):
    found = read_grant(Reader(open_shelf(INVITATION, data, code_key(code, INVITATION.encode()), at(names))))
    if (found["names"]["domain"], found["names"]["zone"]) != (names["domain"], names["zone"]):
        raise ValueError("it lies elsewhere")
    return found


def share_info(vault, names, epoch, place, signing):
    """What the keys in an entry are sealed for."""
    return (b"cloudsync/1/share-keys" + prefixed(vault.id) + at(names) + fixed(epoch) + fixed(place) + prefixed(signing))


def entry_content(owner_card, place, keys, devices, parts, ended, former, kept, withdrawn):
    """`parts` are (id, card, flag, sealed keys)."""
    said = owner_card + number(place) + number(len(keys)) + b"".join(map(zone_key_name, keys))
    said += number(len(devices)) + b"".join(map(prefixed, devices)) + number(len(parts))
    for ident, shown, flag, sealed in parts:
        said += prefixed(ident) + shown + bytes([flag]) + prefixed(sealed)
    said += number(len(ended)) + b"".join(map(prefixed, ended)) + number(len(former)) + b"".join(map(prefixed, former))
    return said + number(len(kept)) + b"".join(sorted(kept)) + prefixed(withdrawn)


def seal_entry(vault, said, signer, names, salt, magic=ENTRY, signed_at=None, context=None):
    word = ENTRY.encode() + (signed_at or prefixed(vault.id) + at(names)) + hashlib.sha256(said).digest()
    message = prefixed(said) + prefixed(signer.sign(word))
    key = expand(names["key"], b"cloudsync/1/share-entries")
    return shelf(magic, message, key, context or prefixed(vault.id) + at(names), salt)


def open_entry(vault, data, names):
    """The entry of the zone of a vault, of which only the public parts are used."""
    context = prefixed(vault.id) + at(names)
    key = expand(names["key"], b"cloudsync/1/share-entries")
    message = Reader(open_shelf(ENTRY, data, key, context))
    said, signature = message.block(), message.block()
    reader = Reader(said)
    found = {"card": read_card(reader)}
    if (found["card"]["id"], found["card"]["owner"]) != (vault.id, vault.owner):
        raise ValueError("another person's")
    Ed25519PublicKey.from_public_bytes(found["card"]["signing"]).verify(
        signature, ENTRY.encode() + context + hashlib.sha256(said).digest())
    found["number"] = reader.number()
    found["keys"] = [read_zone_key_name(reader) for _ in range(reader.number())]
    found["devices"] = [reader.block() for _ in range(reader.number())]
    found["parts"] = [
        {"id": reader.text(256), "card": read_card(reader), "mayWrite": reader.flag(), "sealed": reader.block()}
        for _ in range(reader.number())]
    found["ended"] = [reader.text(256) for _ in range(reader.number())]
    found["former"] = [reader.block() for _ in range(reader.number())]
    found["kept"] = {reader.take(16) for _ in range(reader.number())}
    found["withdrawal"] = reader.block()
    reader.end()
    if found["number"] > 1 << 48 or not found["keys"] or found["keys"] != sorted(set(found["keys"])):
        raise ValueError("an entry says what it cannot say")
    if {len(key) for key in found["devices"] + found["former"] + [found["withdrawal"]]} != {32}:
        raise ValueError("a key has another length")
    return found


def entry_keys(vault, found, names, guest, epoch):
    """The keys of the zone that are sealed to a guest; empty for whoever has no part."""
    signing, box_key = person_keys(guest, epoch)
    for part in found["parts"]:
        if part["card"]["signing"] == public_of(signing):
            info = share_info(vault, names, found["card"]["epoch"], found["number"], public_of(signing))
            message = HPKE.decrypt(part["sealed"], box_key, info=info)
            if len(message) != 32 * len(found["keys"]):
                raise ValueError("other keys")
            return {key: message[32 * place:32 * place + 32] for place, key in enumerate(found["keys"])}
    return {}


def share_series(names):
    return hashlib.sha256(b"cloudsync/1/share-series" + at(names)).digest()[:16]


def withdrawal(vault, domain, zone):
    """What the owner's devices tell a place when they withdraw a zone; an entry has its hash."""
    return vault.code(6, prefixed(domain) + prefixed(zone))[:16]


def invitation_content(participant, domain, zone, title, name, may_write, code, time):
    rights = b"\0" if may_write is None else bytes([1, may_write])
    return (b"\x07" + prefixed(participant) + prefixed(domain) + prefixed(zone) + prefixed(title) + prefixed(name) + rights
            + prefixed(code) + signed(time))


def accepted_content(said, share, secret, code, time, left=0):
    return b"\x08" + said + prefixed(share) + prefixed(secret) + prefixed(code) + bytes([left]) + signed(time)


def check_share_content(vault, said):
    """Reads what a statement of the kinds 6 to 9 says."""
    reader = Reader(said)
    kind = reader.take(1)[0]
    code = b"\0" * 16
    if kind == 6:
        found = read_card(reader)
        if (found["id"], found["owner"]) != (vault.id, vault.owner):
            raise ValueError("a card is another person's")
    elif kind == 7:
        for _ in range(5):
            reader.text(512)
        if reader.flag():
            reader.flag()
        code = reader.block()
        reader.signed()
    elif kind == 8:
        read_grant(reader), reader.text(512), reader.text(512)
        code = reader.block()
        reader.flag()
        reader.signed()
    elif kind == 9:
        reader.block()
    else:
        raise ValueError("an unknown kind")
    reader.end()
    if len(code) != 16:
        raise ValueError("a code has another length")


def must_refuse(why, read):
    try:
        read()
    except (ValueError, InvalidTag, InvalidSignature):
        return
    sys.exit(f"{why} is not refused")


def share_vectors(persons, seeds, draw):
    vault, guest, other = persons
    out = {name: [] for name in (
        "cards", "refusedCards", "shownCards", "shelves", "invitations", "refusedInvitations", "entries", "refusedEntries",
        "guestObjects", "refusedGuestObjects", "shareStatements", "refusedStatements")}
    card_vectors(out, persons, draw)
    domain, zone = "media", base32(draw(16))
    second = base32(draw(16))
    for one in ((domain, zone), (domain, second), ("a", "z" * 64)):
        names = names_of(vault, *one)
        word = withdrawal(vault, *one)
        out["shelves"].append({
            "domain": one[0], "zone": one[1], "series": text(share_series(names)), "withdrawal": text(word),
            "hash": text(hashlib.sha256(word).digest())})
    invitation_vectors(out, persons, domain, zone, second, draw)
    entry_vectors(out, persons, seeds, domain, zone, second, draw)
    guest_vectors(out, persons, seeds, domain, zone, draw)
    share_statement_vectors(out, persons, seeds, domain, zone, draw)
    return out


def card_vectors(out, persons, draw):
    vault, guest, other = persons
    for place, one in enumerate(persons):
        for epoch, _ in one.epochs:
            data = card(one, epoch)
            assert whole(data, read_card)["epoch"] == epoch
            out["cards"].append({"person": place, "epoch": epoch, "card": text(data)})
    good, (signing, box_key) = card(vault, 2), map(public_of, person_keys(vault, 2))
    refused = {
        "the owner of another vault has signed it": card(vault, 2, seed=guest.seed_of_owner),
        "its epoch was changed": card(vault, 2, late={"epoch": number(3)}),
        "its epoch is 0": card(vault, 2, epoch=number(0)),
        "its epoch is not in the shortest form": card(vault, 2, epoch=b"\x82\0", word=card_word(vault.id, 2, signing, box_key)),
        "its keys were swapped": card(vault, 2, late={"signing": box_key, "box": signing}),
        "it has the box key of another person": card(vault, 2, late={"box": public_of(person_keys(guest, 2)[1])}),
        "it has the signing key of another person": card(vault, 2, late={"signing": public_of(person_keys(guest, 2)[0])}),
        "it has the keys of another epoch": card(vault, 2, keys_of=1, word=card_word(vault.id, 2, signing, box_key)),
        "it has the id of another vault": card(vault, 2, late={"id": guest.id}),
        "it names another owner": card(vault, 2, late={"owner": guest.owner}),
        "its vault id has 15 bytes": card(vault, 2, id=vault.id[:15]),
        "its owner's key has 31 bytes": card(vault, 2, owner=vault.owner[:31]),
        "its signing key has 31 bytes": card(vault, 2, signing=signing[:31]),
        "its box key has 33 bytes": card(vault, 2, box=box_key + b"\0"),
        "the signature is empty": card(vault, 2, signature=b""),
        "a bit of the signature was changed": good[:-1] + bytes([good[-1] ^ 1]),
        "the signature is for an epoch": card(
            vault, 2, word=owner_signs(vault, card_word(vault.id, 2, signing, box_key))),
        "it is cut off": good[:-1],
        "something follows": good + b"\0",
    }
    for why, data in refused.items():
        must_refuse(why, lambda: whole(data, read_card))
        out["refusedCards"].append({"why": why, "card": text(data)})
    for place, epoch in [(1, 1), (1, 3), (2, 2)]:
        code, data = draw(16), card(persons[place], epoch)
        shown = shown_card(data, code)
        later = card(persons[place], 1 if epoch > 1 else 2)
        proof = shown[len(data):]
        for why, one, by in [
                ("as it should be", shown, code), ("by another code", shown, draw(16)),
                ("with the proof of another card", later + proof, code),
                ("with a changed proof", shown[:-1] + bytes([shown[-1] ^ 1]), code),
                ("with an empty proof", data + b"\0", code), ("with a short proof", data + prefixed(proof[1:-1]), code)]:
            assert is_shown(one, by) == (why == "as it should be")
            out["shownCards"].append({
                "why": why, "person": place, "epoch": epoch, "code": text(by), "shown": text(one),
                "isShown": why == "as it should be"})


def invitation_vectors(out, persons, domain, zone, second, draw):
    vault, guest, _ = persons
    names, elsewhere = names_of(vault, domain, zone), names_of(vault, domain, second)

    def keyed(keys):
        return [(epoch, share, vault.zone_keys(names, epoch, share)[-1]) for epoch, share in keys]

    def said(owner_card=card(vault, 3), domain=domain, zone=zone, names=names, title="Made-up list", may_write=True,
             place=1, keys=keyed([(1, 0), (3, 2)])):
        return grant(owner_card, domain, zone, names, title, may_write, place, keys)

    for title, may_write, place, epoch, keys in [
            ("Made-up list", True, 1, 3, [(1, 0), (2, 0), (3, 0)]), ("", False, 0, 1, [(1, 0)]),
            ("Ü" * 256, True, 1 << 48, 2, [(1, 0), (1, 1), (2, 1)]), ("read this", False, 7, 3, [(3, 1000)]),
            ("x", True, 300, 3, [(epoch, share) for epoch in (1, 2, 3) for share in range(70)])]:
        code, salt = draw(16), draw(32)
        sealed = seal_invitation(
            said(card(vault, epoch), title=title, may_write=may_write, place=place, keys=keyed(keys)), code, names, salt)
        assert open_invitation(sealed, code, names)["title"] == title
        out["invitations"].append({
            "domain": domain, "zone": zone, "code": text(code), "salt": text(salt), "title": title, "mayWrite": may_write,
            "number": place, "epoch": epoch, "keys": [list(key) for key in keys], "sealed": text(sealed)})
    code = draw(16)
    short_key = {**names, "key": names["key"][:16]}
    slashed = {**names, "zone": "../" + names["zone"]}
    refused = {
        "it is opened with another code": (said(), names, draw(16), {}),
        "it lies in another zone": (said(), elsewhere, code, {}),
        "it was moved to the zone that it is for": (said(names=elsewhere), names, code, {}),
        "it is called an entry": (said(), names, code, {"magic": ENTRY}),
        "its zone is home": (said(zone="home"), names, code, {}),
        "its zone is local": (said(zone="local"), names, code, {}),
        "its zone is erased": (said(zone="erased"), names, code, {}),
        "its zone is a path": (said(zone="../x"), names, code, {}),
        "its domain is empty": (said(domain=""), names, code, {}),
        "its domain has 65 letters": (said(domain="x" * 65), names, code, {}),
        "its place is a path": (said(names=slashed), slashed, code, {}),
        "it has no keys": (said(keys=[]), names, code, {}),
        "a key has 31 bytes": (said(keys=[(1, 0, bytes(31))]), names, code, {}),
        "the key of names has 16 bytes": (said(names=short_key), short_key, code, {}),
        "the s of a key is 1001": (said(keys=[(1, 1001, bytes(32))]), names, code, {}),
        "the epoch of a key is 0": (said(keys=[(0, 0, bytes(32))]), names, code, {}),
        "whether the guest may write is 2": (said(may_write=b"\x02"), names, code, {}),
        "its title has 513 bytes": (said(title="x" * 513), names, code, {}),
        "its card is not signed": (said(card(vault, 3, seed=guest.seed_of_owner)), names, code, {}),
        "it ends too early": (said()[:-300], names, code, {}),
        "it has more keys than bytes": (said(keys=[])[:-1] + number((1 << 63) - 1), names, code, {}),
    }
    for why, (content, place, key, more) in refused.items():
        at_first = names if why == "it lies in another zone" else place
        sealed = seal_invitation(content, code, at_first, draw(32), **more)
        must_refuse(why, lambda: open_invitation(sealed, key, place))
        out["refusedInvitations"].append({
            "why": why, "code": text(key), "placeDomain": place["domain"], "placeZone": place["zone"],
            "sealed": text(sealed)})


def entry_vectors(out, persons, seeds, domain, zone, second, draw):
    vault, guest, other = persons
    names, elsewhere = names_of(vault, domain, zone), names_of(vault, domain, second)
    devices = [public_of(Ed25519PrivateKey.from_private_bytes(seed)) for seed in seeds]
    gone = withdrawal(vault, domain, zone)

    def part(epoch, place, keys, ident, person, person_epoch, flag, ephemeral):
        shown = whole(card(persons[person], person_epoch), read_card)
        message = b"".join(vault.zone_keys(names, *key)[-1] for key in keys)
        sealed = hpke_seal(message, shown["box"], share_info(vault, names, epoch, place, shown["signing"]), ephemeral)
        return ident, shown["bytes"], flag, sealed

    def said(epoch=3, place=5, keys=((1, 0), (3, 1)), parts=(), devices=devices, ended=(), former=(), kept=(),
             owner_card=None, withdrawn=hashlib.sha256(gone).digest()):
        return entry_content(
            owner_card or card(vault, epoch), place, keys, devices, parts, ended, former, kept, withdrawn)

    for epoch, place, keys, parts, ended, former, kept in [
            (1, 1, [(1, 0)], [], [], [], 0),
            (1, 2, [(1, 0)], [("p1", 1, 1, True)], [], [], 0),
            (2, 3, [(1, 0), (2, 0)], [("p1", 1, 2, True), ("p2", 2, 1, False)], [], [(1, 1)], 3),
            (3, 4, [(1, 0), (2, 0), (2, 1), (3, 1)], [("p2", 2, 2, True)], ["p1"], [(1, 2), (2, 1)], 40),
            (3, 1 << 48, [(3, 1000)], [("x" * 256, 1, 3, False)], ["a", "ü"], [], 1),
            (3, 300, [(3, share) for share in range(200)], [("p1", 1, 3, True), ("p2", 2, 2, True)], [], [], 0)]:
        ephemerals, salt = [draw(32) for _ in parts], draw(32)
        digests = [draw(16) for _ in range(kept)]
        keys_of_former = [public_of(person_keys(persons[one], then)[0]) for one, then in former]
        sealed_parts = [part(epoch, place, keys, *one, ephemeral) for one, ephemeral in zip(parts, ephemerals)]
        content = said(epoch, place, keys, sealed_parts, ended=ended, former=keys_of_former, kept=digests)
        sealed = seal_entry(vault, content, person_keys(vault, epoch)[0], names, salt)
        found = open_entry(vault, sealed, names)
        for _, person, then, _ in parts:
            assert entry_keys(vault, found, names, persons[person], then) == {
                key: vault.zone_keys(names, *key)[-1] for key in keys}
        out["entries"].append({
            "domain": domain, "zone": zone, "epoch": epoch, "number": place, "keys": [list(key) for key in keys],
            "devices": [text(key) for key in devices],
            "parts": [{"id": ident, "person": person, "epoch": then, "mayWrite": flag} for ident, person, then, flag in parts],
            "ended": ended, "former": [text(key) for key in keys_of_former], "kept": [text(digest) for digest in digests],
            "drawn": text(b"".join(ephemerals) + salt), "sealed": text(sealed)})
    signer = person_keys(vault, 3)[0]
    guest_card = whole(card(guest, 3), read_card)["bytes"]
    good = said()

    def one_part(ident=b"p1", shown=guest_card, flag=1):
        return said(parts=[(ident, shown, flag, bytes(80))])

    device = Ed25519PrivateKey.from_private_bytes(seeds[0])
    there = prefixed(vault.id) + at(elsewhere)
    foreign = prefixed(guest.id) + at(names)
    unsigned = card(vault, 3, seed=guest.seed_of_owner)
    refused = {
        "a guest has signed it": (good, person_keys(guest, 3)[0], names, {}),
        "a device has signed it": (good, device, names, {}),
        "the person of another epoch has signed it": (good, person_keys(vault, 2)[0], names, {}),
        "it was sealed for another zone": (good, signer, elsewhere, {}),
        "it lay in another zone": (good, signer, names, {"context": there}),
        "it was signed for another zone": (good, signer, names, {"signed_at": there}),
        "it was sealed for another vault": (good, signer, names, {"context": foreign}),
        "it was signed for another vault": (good, signer, names, {"signed_at": foreign}),
        "it is called an invitation": (good, signer, names, {"magic": INVITATION}),
        "its card is that of a guest": (said(owner_card=guest_card), person_keys(guest, 3)[0], names, {}),
        "its card is of another vault of the owner": (said(owner_card=card(vault, 3, id=guest.id)), signer, names, {}),
        "its card is not signed": (said(owner_card=unsigned), signer, names, {}),
        "its number is beyond 2^48": (said(place=(1 << 48) + 1), signer, names, {}),
        "its number has 65 bits": (
            said().replace(b"\x05\x02\x01\0\x03\x01", b"\xff" * 9 + b"\x02\x02\x01\0\x03\x01", 1), signer, names, {}),
        "it has no keys": (said(keys=()), signer, names, {}),
        "its keys are not in order": (said(keys=((3, 1), (1, 0))), signer, names, {}),
        "it has a key twice": (said(keys=((1, 0), (1, 0))), signer, names, {}),
        "the s of a key is 1001": (said(keys=((1, 1001),)), signer, names, {}),
        "the epoch of a key is 0": (said(keys=((0, 0),)), signer, names, {}),
        "a device's key has 31 bytes": (said(devices=[bytes(31)]), signer, names, {}),
        "a former key has 33 bytes": (said(former=[bytes(33)]), signer, names, {}),
        "whether a guest may write is 2": (one_part(flag=2), signer, names, {}),
        "the card of a guest is not signed": (
            one_part(shown=card(guest, 3, seed=vault.seed_of_owner)), signer, names, {}),
        "the id of a guest has 257 bytes": (one_part(ident=b"x" * 257), signer, names, {}),
        "the id of a guest is not UTF-8": (one_part(ident=b"\xff"), signer, names, {}),
        "the id of one who has gone has 257 bytes": (said(ended=["x" * 257]), signer, names, {}),
        "the hash of its withdrawal has 31 bytes": (said(withdrawn=bytes(31)), signer, names, {}),
        "it has more guests than bytes": (
            said(devices=(), withdrawn=b"")[:-5] + number((1 << 62) + 1), signer, names, {}),
        "it is cut off": (good[:-1], signer, names, {}),
        "something follows": (good + b"\0", signer, names, {}),
    }
    for why, (content, by, place, more) in refused.items():
        sealed = seal_entry(vault, content, by, place, draw(32), **more)
        must_refuse(why, lambda: open_entry(vault, sealed, names))
        out["refusedEntries"].append({"why": why, "domain": domain, "zone": zone, "sealed": text(sealed)})
    sealed = bytearray(seal_entry(vault, good, signer, names, draw(32)))
    open_entry(vault, bytes(sealed), names)
    for why, place in [("a byte of the salt was changed", 40), ("a byte of the content was changed", 1000),
                       ("the last byte was changed", -1)]:
        changed = sealed.copy()
        changed[place] ^= 1
        must_refuse(why, lambda: open_entry(vault, bytes(changed), names))
        out["refusedEntries"].append({"why": why, "domain": domain, "zone": zone, "sealed": text(bytes(changed))})


def guest_vectors(out, persons, seeds, domain, zone, draw):
    """What a guest stores in another person's zone: sealed with the zone's key, signed by the guest's person."""
    vault, guest, other = persons

    def plain_file():
        change, series = draw(300), draw(16)
        head = short(change)
        plain = segment_file(domain, zone, series, 1, 1, bytes(16), head, prefixed(change), counts=(1, 0))
        return plain, (domain, zone, series, 1, 1, head)

    for place, epoch, share, may_write in [
            (1, 1, 0, True), (1, 3, 2, True), (2, 2, 1000, True), (2, 3, 1, True), (1, 3, 1, False), (2, 1, 0, False)]:
        one = persons[place]
        plain, names = plain_file()
        author, salt = person_keys(one, one.epochs[-1][0])[0], draw(32)
        sealed = seal(vault, author, plain, names, epoch, share, salt)
        assert open_sealed(vault, sealed) == plain
        out["guestObjects"].append({
            "person": place, "domain": domain, "zone": zone, "epoch": epoch, "share": share, "mayWrite": may_write,
            "salt": text(salt), "plain": text(plain), "sealed": text(sealed)})
    person = person_keys(guest, 3)[0]
    as_guest = Vault(guest.id, vault.owner, vault.root, vault.epochs)

    def made(author, signed_of, sealed_of, signed_with=(3, 1), sealed_with=(3, 1), says=(3, 1)):
        plain, names = plain_file()
        name = vault.name(*names)
        word = b"cloudsync/1/author" + signed_of.context(name, *signed_with, 0) + hashlib.sha256(plain).digest()
        content = prefixed(plain) + prefixed(public_of(author)) + prefixed(author.sign(word))
        content += bytes(padded(len(content)) - len(content))
        context = sealed_of.context(name, *says, envelope_length(len(content)))
        return sealed_file(name, envelope(content, context, vault.zone_keys(name, *sealed_with)[0], draw(32)), *says)

    for why, code, sealed in [
            ("the guest's device has signed it", "crypto.not-introduced",
             made(Ed25519PrivateKey.from_private_bytes(seeds[1]), vault, vault)),
            ("the person of an earlier epoch has signed it", "crypto.not-introduced",
             made(person_keys(guest, 2)[0], vault, vault)),
            ("another guest has signed it", "crypto.not-introduced", made(person_keys(other, 2)[0], vault, vault)),
            ("it was signed for the guest's vault", "crypto.forged", made(person, as_guest, vault)),
            ("it was sealed for the guest's vault", "crypto.forged", made(person, vault, as_guest)),
            ("it was sealed with a former key", "crypto.forged", made(person, vault, vault, sealed_with=(3, 0))),
            ("it was signed for a later key", "crypto.forged", made(person, vault, vault, signed_with=(3, 2))),
            ("it was signed for a later epoch", "crypto.forged",
             made(person, vault, vault, sealed_with=(2, 1), says=(2, 1)))]:
        out["refusedGuestObjects"].append({
            "why": why, "code": code, "domain": domain, "zone": zone, "sealed": text(sealed)})


def share_statement_vectors(out, persons, seeds, domain, zone, draw):
    vault, guest, other = persons
    keys = [Ed25519PrivateKey.from_private_bytes(seed) for seed in seeds]

    def add(kind, by, epoch, said, **more):
        salt = draw(32)
        sealed = seal_statement(vault, keys[by], epoch, said, salt)
        assert open_statement(vault, sealed) == (epoch, public_of(keys[by]), said)
        check_share_content(vault, said)
        out["shareStatements"].append({
            "kind": kind, "by": by, "epoch": epoch, "salt": text(salt), "sealed": text(sealed), **more})

    for epoch, _ in vault.epochs:
        add("card", 0, epoch, b"\x06" + card(vault, epoch), card=text(card(vault, epoch)))
    code = draw(16)
    for time, may_write in [(1000, True), (1001, False), (-5, None)]:
        add("invitation", 0, 3, invitation_content("p1", domain, zone, "Made-up", "Béa", may_write, code, time),
            participant="p1", domain=domain, zone=zone, title="Made-up", name="Béa", mayWrite=may_write, code=text(code),
            time=time)
    theirs = base32(draw(16))
    names = names_of(guest, "media", theirs)
    granted = [(3, 0), (3, 1)]
    zone_keys = [(*key, guest.zone_keys(names, *key)[-1]) for key in granted]
    for epoch, may_write, time, left in [(2, True, 2000, 0), (3, False, 2001, 1)]:
        said = grant(card(guest, 3), "media", theirs, names, "Theirs", may_write, 4, zone_keys)
        add("share", 1, epoch, accepted_content(said, "share-1", "secret", code, time, left), person=1, domain="media",
            zone=theirs, left=bool(left),
            title="Theirs", mayWrite=may_write, number=4, keys=[list(key) for key in granted], share="share-1",
            secret="secret", code=text(code), time=time)
    add("verified", 1, 3, b"\x09" + prefixed(guest.owner), owner=text(guest.owner))
    refused = {
        "a card of another person": b"\x06" + card(guest, 3),
        "a card of another vault of the owner": b"\x06" + card(vault, 3, id=guest.id),
        "a card that the owner has not signed": b"\x06" + card(vault, 3, seed=guest.seed_of_owner),
        "a card that something follows": b"\x06" + card(vault, 3) + b"\0",
        "an invitation with a code of 15 bytes": invitation_content("p", domain, zone, "", "", True, code[:15], 1),
        "an invitation that gives the right 2": invitation_content("p", domain, zone, "", "", 2, code, 1),
        "an invitation of an id of 513 bytes": invitation_content("p" * 513, domain, zone, "", "", None, code, 1),
        "a share with a code of 17 bytes": accepted_content(said, "s", "t", code + b"\0", 1),
        "a share that is left twice": accepted_content(said, "s", "t", code, 1, 2),
        "a share of a zone that is home": accepted_content(
            grant(card(guest, 3), "media", "home", names, "", True, 4, zone_keys), "s", "t", code, 1),
        "a share without keys": accepted_content(
            grant(card(guest, 3), "media", theirs, names, "", True, 4, []), "s", "t", code, 1),
        "something of kind 10": b"\x0a" + prefixed(guest.owner),
    }
    for why, said in refused.items():
        must_refuse(why, lambda: check_share_content(vault, said))
        out["refusedStatements"].append({"why": why, "sealed": text(seal_statement(vault, keys[0], 3, said, draw(32)))})


def open_folder(keys, folder, words):
    with open(keys) as file:
        ring = json.load(file)
    vault, seed, statements, entries = device_keys(base64.b64decode(ring["keys"]))
    if entries:
        sys.exit("a device knows entries of zones that nobody shares here")
    stated = dict.fromkeys(range(1, 10), 0)
    for statement in statements:
        _, _, said = open_statement(vault, statement)
        stated[said[0]] += 1
        if said[0] == 2:
            check_epoch(vault, seed, said)
        if said[0] > 5:
            check_share_content(vault, said)
    if not stated[6]:
        sys.exit("the owner has signed no card")
    count, missing = 0, set(words)
    for path in sorted(pathlib.Path(folder).rglob("*.seg")):
        data = path.read_bytes()
        for word in words:
            if word.encode() in data or word in str(path.relative_to(folder)):
                sys.exit(f"{path} shows '{word}'")
        name, _, _, suite, _ = read_file(data)
        if name["domain"] == "vault-keys":
            if suite not in (254, 255):
                sys.exit(f"{path} is neither a slot nor a statement")
            if suite == 254 and read_file(data)[4] not in statements:
                sys.exit(f"{path} is a statement that the device does not have")
            continue
        plain = open_sealed(vault, data)
        inner, further, epoch, suite, payload = read_file(plain)
        if (epoch, suite) != (0, 0):
            sys.exit(f"{path} holds something sealed")
        last = inner["number"] + further
        names = (inner["domain"], inner["zone"], inner["series"], inner["number"], last, inner["head"])
        if vault.name(*names) != {key: name[key] for key in ("domain", "zone", "series", "number", "head")}:
            sys.exit(f"{path} lies under the name of another one")
        try:
            said = zlib.decompress(payload, -15)
        except zlib.error:
            said = payload
        missing -= {word for word in missing if word.encode() in said + inner["domain"].encode()}
        count += 1
    if missing or not count:
        sys.exit(f"of {count} objects none says {', '.join(sorted(missing)) or 'anything'}")
    print(f"{count} objects of {folder} opened and verified, with {stated[1]} introductions of devices, "
          f"{stated[2]} new epochs, {stated[3]} words of what was kept, {stated[4]} of new slots and {stated[6]} cards")


def find_invitation(folder, code, domains):
    digits = code.replace("-", "").upper()[:26]
    secret = base64.b32decode(digits + "=" * 6)
    for path in pathlib.Path(folder).rglob("*.seg"):
        name, _, _, suite, payload = read_file(path.read_bytes())
        if name["domain"] != "vault-keys" or suite != 255:
            continue
        try:
            _, epochs, stored = open_pairing(payload, secret)
        except (ValueError, InvalidTag):
            continue
        if missing := set(domains) - stored.keys():
            sys.exit(f"the invitation does not say what is there of {', '.join(sorted(missing))}")
        heads = sum(len(heads) for zones in stored.values() for heads in zones.values())
        return print(f"the invitation names {heads} ends of logs and {len(epochs)} beginnings of an epoch")
    sys.exit(f"no invitation in {folder} is opened by this code")


def main():
    if sys.argv[1] == "open":
        return open_folder(sys.argv[2], sys.argv[3], sys.argv[4:])
    if sys.argv[1] == "invitation":
        return find_invitation(sys.argv[2], sys.argv[3], sys.argv[4:])
    command, path = sys.argv[1:3]
    made = vectors()
    count = sum(len(part) for part in made.values() if isinstance(part, list))
    count -= len(made["epochs"]) + len(made["statementSeeds"]) + len(made["persons"])
    if command == "write":
        with open(path, "w") as file:
            json.dump(made, file, indent=1)
            file.write("\n")
    else:
        with open(path) as file:
            if json.load(file) != made:
                sys.exit("the vectors differ from what this implementation makes")
    print(f"{count} vectors")


if __name__ == "__main__":
    main()
