"""A second implementation of Documentation/Formats/Encryption.md, over the package `cryptography`.

    encryption_vectors.py write FILE    writes test vectors
    encryption_vectors.py check FILE    opens what is in a file of vectors, and makes it again
    encryption_vectors.py open KEYS FOLDER [WORD…]
                                        opens everything in an encrypted folder with the keys of a device, and finds the
                                        words in what it says; prints how many objects there are

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
            shift += 7
            if byte < 0x80:
                return value

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


def slot(kind, vault, secret, salt, envelope_salt, passes=0, memory=0, expires=0):
    if kind == 1:
        key = Argon2id(
            salt=salt, length=32, iterations=passes, lanes=1, memory_cost=memory >> 10).derive(secret)
    else:
        key = expand(extract(secret, salt), b"cloudsync/1/recovery" if kind == 2 else b"cloudsync/1/invitation")
    head = slot_head(kind, vault, salt, passes, memory, expires)
    content = vault.secrets() + prefixed(vault.seed_of_owner if kind == 2 else b"")
    return head + envelope(content, head, key, envelope_salt)


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
            if kind == 3:
                extra = {"expires": chance.randrange(1 << 45)}
            out["slots"].append({
                "kind": kind, "secret": text(secret), "salt": text(salt), "envelopeSalt": text(inner), **extra,
                "slot": text(slot(kind, vault, secret, salt, inner, **extra))})
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
    out["resealed"] = []
    for one in out["segments"]:
        if one["epoch"] == 3 or "sealed" not in one or len(out["resealed"]) == 6:
            continue
        epoch, salt = one["epoch"] + 1, draw(32)
        sealed = seal_again(vault, base64.b64decode(one["sealed"]), epoch, salt)
        assert open_sealed(vault, sealed) == base64.b64decode(one["plain"])
        out["resealed"].append({
            "domain": one["domain"], "epoch": epoch, "salt": text(salt), "former": one["sealed"], "sealed": text(sealed)})
    return out


def device_keys(data):
    """The keys of a device: the vault, the seed of its own key, and the statements that it has."""
    reader = Reader(data)
    if reader.take(1) != b"\x01":
        sys.exit("keys of another version")
    ident, author, owner, root = reader.block(), reader.block(), reader.block(), reader.block()
    epochs = [(reader.number(), reader.block()) for _ in range(reader.number())]
    statements = [reader.block() for _ in range(reader.number())]
    if reader.at != len(data):
        sys.exit("more than keys")
    return Vault(ident, owner, root, epochs), author, statements


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


def departure(member, name, heads):
    return prefixed(member) + prefixed(name) + number(len(heads)) + b"".join(sorted(heads))


def owner_signs(vault, said):
    return b"cloudsync/1/owner" + prefixed(vault.id) + hashlib.sha256(said).digest()


def epoch_content(vault, owner, place, key, members, departures, slots):
    """What begins an epoch; `members` are (key, box key, id, name, sealed key), `departures` (key, name, heads)."""
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
    heads, inner = [draw(16), draw(16)], draw(32)
    new_slot = slot(2, Vault(vault.id, vault.owner, vault.root, vault.epochs[:2], vault.seed_of_owner), draw(16), draw(16),
                    inner)
    said = epoch_content(
        first, owner, place, key, [(member, boxes[0], b"id-0", b"laptop", sealed)],
        [(public_of(keys[1]), b"phone", heads)], [new_slot])
    check_epoch(vault, seeds[0], said)
    add("epoch", 0, 1, said, draw(32), heads=[text(head) for head in sorted(heads)], slot=text(new_slot))
    more = draw(16)
    add("kept", 0, 2, b"\x03" + departure(public_of(keys[1]), b"phone", [more]), draw(32), heads=[text(more)])
    add("slots", 0, 2, b"\x04" + signed(2000) + number(1) + prefixed(new_slot), draw(32), time=2000, slot=text(new_slot))
    said = closing_content(vault, owner, "box", "file:/home/anna/box", 3000)
    add("closing", 0, 2, said, draw(32), remote="box", location="file:/home/anna/box", time=3000)
    return out


def open_folder(keys, folder, words):
    with open(keys) as file:
        ring = json.load(file)
    vault, seed, statements = device_keys(base64.b64decode(ring["keys"]))
    stated = {1: 0, 2: 0, 3: 0, 4: 0}
    for statement in statements:
        _, _, said = open_statement(vault, statement)
        stated[said[0]] += 1
        if said[0] == 2:
            check_epoch(vault, seed, said)
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
          f"{stated[2]} new epochs, {stated[3]} words of what was kept and {stated[4]} of new slots")


def main():
    if sys.argv[1] == "open":
        return open_folder(sys.argv[2], sys.argv[3], sys.argv[4:])
    command, path = sys.argv[1:3]
    made = vectors()
    count = sum(len(part) for part in made.values() if isinstance(part, list))
    count -= len(made["epochs"]) + len(made["statementSeeds"])
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
