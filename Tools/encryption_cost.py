"""Measures what encryption costs two devices that sync through a folder; see Documentation/Performance.md.

    python3 Tools/encryption_cost.py [PROGRAM]

Imports settings, once with 10,000 and once with 100,000 made-up values, and measures in turn without and with encryption:
the first sync that sends them, the first sync of another device, a sync with nothing new, a short command, and the bytes in the
folder. Prints medians: seconds, seconds, milliseconds, milliseconds, megabytes. Takes two minutes.
"""

import os
import random
import statistics
import subprocess
import sys
import tempfile
import time

PROGRAM = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else ".build/release/cloudsync")


def write_values(path, count):
    chance = random.Random(3)
    with open(path, "w") as file:
        file.write("collection,id,parent,type,value\nnamespace,x,,,\n")
        for number in range(count):
            file.write(f"setting,key-{number:06d},namespace/x,string,{chance.getrandbits(64):016x} made-up value\n")


def run(home, *arguments):
    """Runs the program; returns the seconds, and what it has printed."""
    started = time.monotonic()
    done = subprocess.run([PROGRAM, *arguments], env={"HOME": home, "PATH": "/usr/bin:/bin"}, capture_output=True, text=True)
    seconds = time.monotonic() - started
    if done.returncode:
        sys.exit(f"{' '.join(arguments)}: {done.stderr}")
    return seconds, done.stdout


def bytes_below(folder):
    return sum(os.path.getsize(os.path.join(base, name)) for base, _, names in os.walk(folder) for name in names)


def measure(values, encrypted):
    with tempfile.TemporaryDirectory() as world:
        first, second, place = (f"{world}/{name}" for name in ("first", "second", "place"))
        for home in (first, second):
            os.mkdir(home)
        set_up = ("init", "--yes", "--domains", "settings", "--remote", f"place=file:{place}")
        run(first, *set_up, *(() if encrypted else ("--unencrypted",)))
        option = ("--unencrypted",)
        if encrypted:
            option = ("--code", run(first, "device", "pair")[1].split()[1])
        run(second, *set_up, *option)
        run(first, "settings", "import", values, "--quiet")
        push, pull = run(first, "sync")[0], run(second, "sync")[0]
        for home in (first, second):
            run(home, "sync")
        quiet = statistics.median(run(first, "sync")[0] for _ in range(9))
        short = statistics.median(run(first, "settings", "get", "key-000001", "--namespace", "x")[0] for _ in range(9))
        return push, pull, quiet * 1000, short * 1000, bytes_below(place) / 1e6


def main():
    with tempfile.TemporaryDirectory() as folder:
        for count, times in ((10_000, 5), (100_000, 3)):
            values = f"{folder}/values.csv"
            write_values(values, count)
            found = {False: [], True: []}
            for _ in range(times):
                for encrypted in found:
                    found[encrypted].append(measure(values, encrypted))
            for encrypted, rows in found.items():
                medians = [f"{statistics.median(column):.3f}" for column in zip(*rows)]
                print(count, "encrypted" if encrypted else "plain", *medians, flush=True)


if __name__ == "__main__":
    main()
