#!/usr/bin/env python3
"""Writes Modules/AirportReferenceData/airports.bin from the tables of the airportsdata package.

    python3 Tools/reference/build_airports.py FOLDER [--release 20260905] [--check]

FOLDER holds airports.csv and iata_macs.csv as the package ships them; metropolitan_areas.csv, beside
this script, adds to the latter. With --check it writes
nothing: it decodes the existing file and compares it with the tables, field by field.
Only the standard library is used. Equal tables give equal contents; the compressed bytes depend
on the zlib that Python is linked with, so compare with --check, not with cmp.

The format, version 1
---------------------
Numbers are unsigned and little-endian unless said otherwise; text is UTF-8.

    offset size
         0    8  "CSAIRPRT"
         8    2  format version, 1
        10    2  R, rows in a block
        12    4  release of the source as a decimal yyyymmdd
        16    4  N, rows in the table, at most 65,535
        20    4  M, rows that have an IATA code
        24    4  S, sections: 4 + 2 * ceil(N / R)
        28  8*S  for each section: its compressed length (4), its inflated length (4)
         …       the sections, back to back, each one zlib stream (RFC 1950)
       end    4  CRC-32 (zlib's) of every byte before it

Rows are ordered by ident, byte by byte, and numbered from 0. Row n is in block n / R.

    section 0  codes     N idents of 4 ASCII bytes, ascending; then M IATA codes of 3 bytes,
                         ascending; then, in the same order, M row numbers of 2 bytes
    section 1  regions   a line each: country, subdivision, time zone, separated by tabs
    section 2  cities    a line each: the city code, a tab, its airports' IATA codes ascending,
                         separated by spaces; lines ascend by city code
    section 3  foldings  5 bytes each, ascending: a scalar (2), how many ASCII bytes it becomes
                         when text is searched (1), those bytes (2, padded with zeros)
    4 + 2b     figures of block b, with r rows: four columns, region number (2 bytes a row),
                         then as two's complement of 4 bytes a row elevation in hundredths of a
                         foot, latitude and longitude in millionths of a degree. A column is
                         stored as its planes: first the highest byte of every row, and so on
    5 + 2b     texts of block b, a line each: IATA code, local code, name, city, separated by
                         tabs. A code that equals the ident is "=", one that equals the ident
                         without its first byte is "~"

A line ends with a line feed. No field holds a tab or a line feed. An ident "_XXX" means that
the airport with the IATA code XXX has no ICAO code. Every airport whose IATA code is also a city
code is listed under that city, which the package leaves out for JNB.
"""

import argparse
import csv
import struct
import sys
import unicodedata
import zlib
from pathlib import Path

MAGIC = b"CSAIRPRT"
VERSION = 1
BLOCK_ROWS = 512
# What every lookup needs lies there as it is: to inflate it took a tenth of a short command.
STORED = {0, 1}
HEADER = struct.Struct("<8sHHIIII")
AREAS = Path(__file__).resolve().parent / "metropolitan_areas.csv"
TARGET = Path(__file__).resolve().parents[2] / "Modules/AirportReferenceData/airports.bin"

# Letters that have no decomposition into an ASCII letter and marks.
LETTERS = {
    "Æ": "ae", "æ": "ae", "Œ": "oe", "œ": "oe", "ß": "ss", "ẞ": "ss", "Þ": "th", "þ": "th",
    "Đ": "d", "đ": "d", "Ð": "d", "ð": "d", "Ħ": "h", "ħ": "h", "ı": "i", "ĸ": "k", "Ł": "l",
    "ł": "l", "Ŋ": "n", "ŋ": "n", "Ø": "o", "ø": "o", "Ŧ": "t", "ŧ": "t", "Ə": "e", "ə": "e",
    "Ǝ": "e", "ǝ": "e",
}
# Signs inside a word: apostrophes, the okina, the soft hyphen. As in ASCII, they just vanish.
DROPPED = "\u00ad\u00b4\u02b9\u02bb\u02bc\u02bd\u2018\u2019\u201b\u2032\u200b\u200c\u200d\ufeff"
# Signs between words.
SPACES = "\u00a0\u00a7\u00b0\u00ab\u00bb\u00b7\u2010\u2011\u2012\u2013\u2014\u2015\u201c\u201d" \
    "\u201e\u2026\u202f\u2212"


def read_airports(folder):
    with open(folder / "airports.csv", encoding="utf-8", newline="") as file:
        rows = [{key: value.strip() for key, value in row.items()} for row in csv.DictReader(file)]
    rows.sort(key=lambda row: row["icao"].encode("ascii"))
    for row in rows:
        if len(row["icao"]) != 4 or len(row["iata"]) not in (0, 3):
            sys.exit(f"unexpected code in {row}")
        if any(mark in value for value in row.values() for mark in "\t\n\r"):
            sys.exit(f"a control character in {row}")
        if row["iata"] in ("=", "~") or row["lid"] in ("=", "~"):
            sys.exit(f"an abbreviation used as a code in {row}")
    for key in ("icao", "iata"):
        codes = [row[key] for row in rows if row[key]]
        if len(codes) != len(set(codes)):
            sys.exit(f"an {key} code is used twice")
    return rows


def read_cities(folder, rows):
    cities = {}
    with open(folder / "iata_macs.csv", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            cities.setdefault(row["City Code"].strip(), set()).add(row["Airport Code"].strip())
    # The package names some airports of each city; this list has the others, and other cities.
    with open(AREAS, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            cities.setdefault(row["City Code"], set()).update(row["Airport Codes"].split())
    airports = {row["iata"] for row in rows}
    for city, members in cities.items():
        members.update({city} & airports)
        if members - airports:
            sys.exit(f"city {city} names unknown airports {members - airports}")
    return cities


def foldings():
    """What each scalar beyond ASCII becomes in a search: ASCII letters, a space, or nothing."""
    table = dict(LETTERS)
    table.update({sign: "" for sign in DROPPED})
    table.update({sign: " " for sign in SPACES})
    table.update({chr(scalar): "" for scalar in range(0x300, 0x370)})
    for scalar in [*range(0xC0, 0x250), *range(0x1E00, 0x1F00)]:
        plain = "".join(c for c in unicodedata.normalize("NFKD", chr(scalar)) if c.isascii())
        if plain.isalpha() and len(plain) <= 2:
            table.setdefault(chr(scalar), plain.lower())
    return dict(sorted(table.items()))


def shortened(code, ident):
    return "=" if code == ident else "~" if code == ident[1:] else code


def lengthened(code, ident):
    return {"=": ident, "~": ident[1:]}.get(code, code)


def planes(values, width):
    rows = [(value & ((1 << 8 * width) - 1)).to_bytes(width, "big") for value in values]
    return bytes(row[plane] for plane in range(width) for row in rows)


def column(data, rows, width, signed):
    return [
        int.from_bytes(data[row::rows][:width], "big", signed=signed) for row in range(rows)
    ]


def scaled(text, digits):
    """The decimal in `text` as a whole number of its `digits`-th decimal place, exactly."""
    sign = -1 if text.startswith("-") else 1
    whole, _, fraction = text.lstrip("+-").partition(".")
    if len(fraction) > digits:
        sys.exit(f"{text} has more than {digits} decimals")
    return sign * int(whole + fraction.ljust(digits, "0"))


def lines(rows):
    return "".join(row + "\n" for row in rows).encode()


def sections(rows, cities, folding):
    region_of = lambda row: (row["country"], row["subd"], row["tz"])
    regions = {region: n for n, region in enumerate(sorted({region_of(row) for row in rows}))}
    index = sorted((row["iata"], n) for n, row in enumerate(rows) if row["iata"])
    yield (
        "".join(row["icao"] for row in rows).encode("ascii")
        + "".join(code for code, _ in index).encode("ascii")
        + struct.pack(f"<{len(index)}H", *(n for _, n in index))
    )
    yield lines("\t".join(region) for region in regions)
    yield lines(f"{city}\t{' '.join(sorted(cities[city]))}" for city in sorted(cities))
    yield b"".join(
        struct.pack("<HB2s", ord(scalar), len(plain), plain.encode("ascii"))
        for scalar, plain in folding.items()
    )
    for start in range(0, len(rows), BLOCK_ROWS):
        block = rows[start:start + BLOCK_ROWS]
        yield (
            planes([regions[region_of(row)] for row in block], 2)
            + planes([scaled(row["elevation"], 2) for row in block], 4)
            + planes([scaled(row["lat"], 6) for row in block], 4)
            + planes([scaled(row["lon"], 6) for row in block], 4)
        )
        yield lines(
            "\t".join((
                shortened(row["iata"], row["icao"]), shortened(row["lid"], row["icao"]),
                row["name"], row["city"],
            ))
            for row in block
        )


def encode(rows, cities, folding, release):
    inflated = list(sections(rows, cities, folding))
    deflated = [
        zlib.compress(section, 0 if number in STORED else 9)
        for number, section in enumerate(inflated)]
    with_iata = sum(bool(row["iata"]) for row in rows)
    data = HEADER.pack(
        MAGIC, VERSION, BLOCK_ROWS, release, len(rows), with_iata, len(inflated))
    for small, large in zip(deflated, inflated):
        data += struct.pack("<II", len(small), len(large))
    data += b"".join(deflated)
    return data + struct.pack("<I", zlib.crc32(data))


def decode(data):
    """The release, rows, cities and foldings of a file: the check of `encode`, written apart."""
    if zlib.crc32(data[:-4]) != struct.unpack("<I", data[-4:])[0]:
        sys.exit("the checksum is wrong")
    magic, version, block_rows, release, count, with_iata, pieces = HEADER.unpack_from(data)
    if (magic, version) != (MAGIC, VERSION):
        sys.exit("not an airport table of this version")
    offset, found = HEADER.size + 8 * pieces, []
    for piece in range(pieces):
        small, large = struct.unpack_from("<II", data, HEADER.size + 8 * piece)
        found.append(zlib.decompress(data[offset:offset + small]))
        assert len(found[-1]) == large
        offset += small
    assert offset == len(data) - 4
    codes, regions, cities, folding = found[:4]
    assert len(codes) == 4 * count + 5 * with_iata
    regions = [line.split("\t") for line in regions.decode().split("\n")[:-1]]
    rows = []
    for block in range((count + block_rows - 1) // block_rows):
        figures, texts = found[4 + 2 * block:6 + 2 * block]
        texts = [line.split("\t") for line in texts.decode().split("\n")[:-1]]
        size = len(texts)
        region = column(figures[:2 * size], size, 2, False)
        elevation, latitude, longitude = (
            column(figures[(2 + 4 * n) * size:(6 + 4 * n) * size], size, 4, True)
            for n in range(3)
        )
        for n, (iata, lid, name, city) in enumerate(texts):
            ident = codes[4 * len(rows):4 * len(rows) + 4].decode()
            country, subdivision, zone = regions[region[n]]
            rows.append({
                "icao": ident, "iata": lengthened(iata, ident), "name": name, "city": city,
                "subd": subdivision, "country": country, "elevation": elevation[n] / 100,
                "lat": latitude[n] / 1e6, "lon": longitude[n] / 1e6, "tz": zone,
                "lid": lengthened(lid, ident),
            })
    index = dict(zip(
        (codes[4 * count + 3 * n:][:3].decode() for n in range(with_iata)),
        struct.unpack_from(f"<{with_iata}H", codes, 4 * count + 3 * with_iata)))
    assert index == {row["iata"]: n for n, row in enumerate(rows) if row["iata"]}
    cities = {
        city: set(members.split(" "))
        for city, members in (line.split("\t") for line in cities.decode().split("\n")[:-1])
    }
    folding = {
        chr(scalar): plain[:size].decode()
        for scalar, size, plain in struct.iter_unpack("<HB2s", folding)
    }
    return release, rows, cities, folding


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--release", type=int, default=20260905)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    rows = read_airports(options.folder)
    cities, folding = read_cities(options.folder, rows), foldings()
    unknown = {
        char for row in rows for char in row["name"] + row["city"]
        if not char.isascii() and char not in folding
    }
    if unknown:
        sys.exit(f"no folding for {sorted(unknown)}")
    if not options.check:
        TARGET.write_bytes(encode(rows, cities, folding, options.release))
    data = TARGET.read_bytes()
    expected = [
        {key: float(value) if key in ("elevation", "lat", "lon") else value
         for key, value in row.items()}
        for row in rows
    ]
    if decode(data) != (options.release, expected, cities, folding):
        sys.exit(f"{TARGET.name} does not say what the tables say")
    print(
        f"{TARGET.name}: release {options.release}, {len(rows):,} airports, "
        f"{sum(bool(row['iata']) for row in rows):,} with an IATA code, "
        f"{len(cities)} city codes, {len(data):,} bytes")


if __name__ == "__main__":
    main()
