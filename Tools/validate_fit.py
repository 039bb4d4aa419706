"""Compares the rides that cloudsync reads from made-up FIT files with what fitdecode finds in them.

Called by Tools/validate-fit with the program, the number of files of each kind, and a seed.
"""

import json
import os
import random
import struct
import subprocess
import sys
import tempfile
import warnings

import fitdecode

# 1989-12-31T00:00:00Z, the beginning of the format's time.
EPOCH = 631065600
MORNING = 1705303800 - EPOCH

SIZES = {0x00: 1, 0x01: 1, 0x02: 1, 0x83: 2, 0x84: 2, 0x85: 4, 0x86: 4, 0x0D: 1, 0x8E: 8, 0x8F: 8}
CODES = {0x00: "B", 0x01: "b", 0x02: "B", 0x83: "h", 0x84: "H", 0x85: "i", 0x86: "I", 0x0D: "B",
         0x8E: "q", 0x8F: "Q"}
ENUM, U8, U16, S32, U32 = 0x00, 0x02, 0x84, 0x85, 0x86
INVALID = {ENUM: 0xFF, U8: 0xFF, U16: 0xFFFF, S32: 0x7FFFFFFF, U32: 0xFFFFFFFF}


def checksum(data):
    """CRC-16 of the FIT protocol, a bit at a time."""
    total = 0
    for byte in data:
        total ^= byte
        for _ in range(8):
            total = (total >> 1) ^ 0xA001 if total & 1 else total >> 1
    return total


class Writer:
    """Writes messages as the protocol has them."""

    def __init__(self, big, header=14):
        self.big = big
        self.header = header
        self.data = bytearray()

    def pack(self, code, value):
        return struct.pack((">" if self.big else "<") + code, value)

    def define(self, local, number, fields, developer=()):
        """Fields are (number, type) or (number, type, count); developer fields (number, size, index)."""
        self.data.append(0x40 | local | (0x20 if developer else 0))
        self.data += bytes([0, 1 if self.big else 0]) + self.pack("H", number)
        self.data.append(len(fields))
        for field in fields:
            count = field[2] if len(field) > 2 else 1
            self.data += bytes([field[0], SIZES[field[1]] * count, field[1]])
        if developer:
            self.data.append(len(developer))
            for field in developer:
                self.data += bytes(field)

    def message(self, local, fields, values, developer=b""):
        self.data.append(local)
        self.values(fields, values)
        self.data += developer

    def compressed(self, local, time, fields, values):
        self.data.append(0x80 | local << 5 | time & 0x1F)
        self.values(fields, values)

    def values(self, fields, values):
        for field, value in zip(fields, values):
            count = field[2] if len(field) > 2 else 1
            if value is None:
                value = INVALID[field[1]]
            for _ in range(count):
                self.data += self.pack(CODES[field[1]], value)

    def file(self):
        head = bytes([self.header, 0x20]) + struct.pack("<HI", 2132, len(self.data)) + b".FIT"
        if self.header == 14:
            head += struct.pack("<H", checksum(head))
        body = head + bytes(self.data)
        return body + struct.pack("<H", checksum(body))


SESSION = [(253, U32), (2, U32), (5, ENUM), (6, ENUM), (7, U32), (8, U32), (9, U32), (22, U16)]
LAP = [(253, U32), (2, U32), (7, U32), (8, U32), (9, U32)]
RECORD = [(253, U32), (5, U32), (3, U8)]


def ride(chance, kind):
    """A made-up file of a kind."""
    writer = Writer(chance.random() < 0.4, 14 if chance.random() < 0.7 else 12)
    identity = [(0, ENUM), (1, U16), (4, U32)]
    writer.define(0, 0, identity)
    writer.message(0, identity, [4, chance.choice([1, 32, 260]), MORNING])
    if kind == "developer":
        # An application and the description of its field, as readers need them.
        application = [(1, 0x0D, 16), (3, U8)]
        writer.define(1, 207, application)
        writer.message(1, application, [7, 0])
        description = [(0, U8), (1, U8), (2, U8), (3, 0x0D, 4)]
        writer.define(1, 206, description)
        writer.message(1, description, [0, 0, U16, 0x41])
    if chance.random() < 0.5:
        # Messages and fields that no one has named.
        unknown = [(200, U16), (201, S32, 3), (253, U32)]
        writer.define(2, 0xFF00 + chance.randrange(200), unknown)
        writer.message(2, unknown, [5, -7, MORNING])
    start = MORNING + chance.randrange(10_000_000)
    sessions = []
    for _ in range(chance.randint(1, 3) if kind == "sessions" else 1):
        sessions.append(records(writer, chance, kind, start))
        start = sessions[-1]["end"] + chance.randint(60, 4000)
    if kind == "records":
        return writer.file()
    if kind == "laps":
        for one in sessions:
            writer.define(4, 19, LAP)
            length = one["end"] - one["start"]
            writer.message(4, LAP, [one["end"], one["start"], length * 1000, length * 990,
                                    one["metres"] * 100])
        return writer.file()
    for one in sessions:
        length = one["end"] - one["start"]
        fields = list(SESSION)
        values = [one["end"], one["start"], 2, chance.choice([0, 7, 8, 46]), length * 1000,
                  int(length * 950), one["metres"] * 100, chance.choice([None, 0, 321])]
        if kind == "moving":
            fields.append((59, U32))
            values.append(int(length * 900))
        writer.define(5, 18, fields)
        writer.message(5, fields, values)
    return writer.file()


def records(writer, chance, kind, start):
    """The records of a session; the distance of a device begins at 0."""
    developer = [(0, 2, 0)] if kind == "developer" else []
    writer.define(1, 20, RECORD, developer)
    extra = writer.pack("H", 321) if developer else b""
    time, metres = start, 0
    writer.message(1, RECORD, [time, 0, None], extra)
    count = chance.randint(2, 60)
    if kind == "compressed":
        short = [(5, U32), (3, U8)]
        writer.define(2, 20, short)
        # A definition without fields: its messages are bare times.
        writer.define(3, 20, [])
    for index in range(count):
        step = chance.randint(1, 30)
        time += step
        metres += step * chance.randint(2, 9)
        if kind == "compressed":
            if chance.random() < 0.3:
                writer.compressed(3, time, [], [])
            writer.compressed(2, time, short, [metres * 100, chance.choice([None, 120])])
        else:
            writer.message(1, RECORD, [time, metres * 100, 120], extra)
    return {"start": start, "end": time, "metres": metres}


def damaged(chance):
    """A file of records, damaged in one of the ways that devices and transfers have."""
    data = ride(chance, "records")
    way = chance.choice(["checksum", "extra", "cut", "closed"])
    if way == "checksum":
        return data[:-2] + bytes([data[-2] ^ 0x55, data[-1]])
    if way == "extra":
        return data + bytes(chance.randrange(1, 600))
    if way == "cut":
        return data[:len(data) - 2 - chance.randrange(1, 60)]
    return data[:-2]


def expected(data):
    """The rides that fitdecode finds: sessions, or else the sum of laps or of records."""
    sessions, laps, rows = [], [], []
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with fitdecode.FitReader(
                    data, check_crc=fitdecode.CrcCheck.DISABLED,
                    error_handling=fitdecode.ErrorHandling.IGNORE) as reader:
                for frame in reader:
                    if frame.frame_type != fitdecode.FIT_FRAME_DATA:
                        continue
                    get = lambda name: frame.get_value(name, fallback=None)
                    if frame.name == "session":
                        sessions.append(
                            (get("start_time"), get("total_distance"),
                             get("total_moving_time") or get("total_timer_time"),
                             get("total_elapsed_time"), get("total_ascent")))
                    elif frame.name == "lap":
                        laps.append((get("start_time"), get("total_distance"),
                                     get("total_timer_time"), get("total_elapsed_time")))
                    elif frame.name == "record" and get("timestamp") is not None:
                        rows.append((get("timestamp"), get("distance")))
    except fitdecode.FitError:
        pass  # What came before the damage counts.
    if sessions:
        return [summary(*session) for session in sessions]
    if laps:
        return [summary(min(lap[0] for lap in laps), sum(lap[1] for lap in laps),
                        sum(lap[2] for lap in laps), sum(lap[3] for lap in laps), None)]
    if not rows:
        return []
    length = (rows[-1][0] - rows[0][0]).total_seconds()
    metres = max(row[1] for row in rows if row[1] is not None) if len(rows) > 1 else 0
    return [summary(rows[0][0], metres, length, length, None)] if length and metres else []


def summary(start, metres, moving, elapsed, ascent):
    whole = lambda number: int(number + 0.5)
    return (start.strftime("%Y-%m-%dT%H:%M:%S"), whole(metres), whole(moving), whole(elapsed),
            ascent or 0)


def found(program, path):
    """The rides that cloudsync reads from a file, on a device of its own."""
    with tempfile.TemporaryDirectory() as home:
        environment = {"HOME": home, "PATH": os.environ["PATH"], "TZ": "UTC"}
        run = lambda *words: subprocess.run(
            [program, "bike", "ride", *words, "--json"], env=environment, capture_output=True,
            text=True, check=False)
        outcome = run("import", path)
        if outcome.returncode not in (0, 65):
            raise SystemExit(f"{path}: exit {outcome.returncode}: {outcome.stderr}")
        rides = []
        for record in json.loads(run("list").stdout)["records"]:
            fields = record["fields"]
            rides.append((fields["startDate"][:19], int(fields.get("distance", 0) + 0.5),
                          fields.get("movingTime", 0), fields.get("elapsedTime", 0),
                          round(fields.get("elevationGain", 0))))
        return sorted(rides)


def main():
    program = os.path.abspath(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 40
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    kinds = ["plain", "developer", "compressed", "moving", "sessions", "laps", "records", "chained",
             "damaged"]
    wrong = rides = 0
    with tempfile.TemporaryDirectory() as folder:
        for kind in kinds:
            for number in range(count):
                chance = random.Random(f"{seed} {kind} {number}")
                if kind == "damaged":
                    data = damaged(chance)
                elif kind == "chained":
                    # A day apart, so that they are rides of their own.
                    data = ride(chance, "plain") + ride(chance, "compressed")
                else:
                    data = ride(chance, kind)
                path = os.path.join(folder, f"{kind}-{number}.fit")
                with open(path, "wb") as file:
                    file.write(data)
                theirs, ours = sorted(expected(data)), found(program, path)
                rides += len(theirs)
                if theirs != ours:
                    wrong += 1
                    print(f"{kind} {number}: fitdecode finds {theirs}, cloudsync {ours}")
    print(f"validate-fit: {count * len(kinds)} files, {rides} rides, {wrong} files read otherwise")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
