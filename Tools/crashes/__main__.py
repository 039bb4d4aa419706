"""Crash consistency of the real program. See Documentation/Proof.md.

    python3 Tools/crashes points               killed before, and in the middle of, every call that
                                               changes a file, or speaks to a server
    python3 Tools/crashes twice                killed, then killed or failed again on the next try
    python3 Tools/crashes errors               every such call fails, once and from then on
    python3 Tools/crashes power                states after a loss of power, and the order of calls
    python3 Tools/crashes kills --count 300    killed at random moments
    python3 Tools/crashes corruption           bytes of files change, vanish, double, change places
    python3 Tools/crashes media                a full disk, a read-only one, few open files
    python3 Tools/crashes all                  all of these

    --share N       only every Nth case, starting at --seed
    --seed N        the seed of random choices (printed on failure; a seed always gives the same cases)
    --only A,B      only these scenarios
    --kinds A,B     these kinds of remotes: folder and sqlite unless given; webdav, s3 and sftp are real
                    servers on loopback (Tools/peers), in points, twice and errors with push and pull
    --fault NAME    only errors whose name starts like this
    --encrypted     everything on the remote is encrypted
    --program PATH  the program; CLOUDSYNC_BINARY or .build/release/cloudsync or the debug build
"""

import argparse
import os
import sys
import tempfile
import time

sys.dont_write_bytecode = True

import corruption
import errors
import kills
import media
import points
import power
import scenarios
import services
import twice
from shim import Shim
from world import Found, World

HARNESSES = {"points": points, "twice": twice, "errors": errors, "power": power, "kills": kills,
             "corruption": corruption, "media": media}


def program(path):
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
    for candidate in (path, os.environ.get("CLOUDSYNC_BINARY"), f"{root}/.build/release/cloudsync",
                      f"{root}/.build/debug/cloudsync"):
        if candidate and os.path.exists(candidate):
            return os.path.realpath(candidate)
    sys.exit("crashes: found no cloudsync; build one with swift build")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("harness", choices=[*HARNESSES, "all"])
    parser.add_argument("--share", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--kinds", default="folder,sqlite")
    parser.add_argument("--fault", default="")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--program")
    parser.add_argument("--encrypted", action="store_true")
    arguments = parser.parse_args()
    World.encrypted = arguments.encrypted
    chosen = [s for s in scenarios.ALL if not arguments.only or s.name in arguments.only.split(",")]
    failures = 0
    with tempfile.TemporaryDirectory(prefix="cloudsync-crashes-") as folder, services.Running():
        shim = Shim(folder)
        for name in HARNESSES if arguments.harness == "all" else [arguments.harness]:
            started = time.monotonic()
            cases, found = HARNESSES[name].run(
                program(arguments.program), shim, folder, chosen, arguments)
            failures += len(found)
            for line in found[:20]:
                print(f"  FOUND {line}")
            print(f"{name}: {cases} cases, {len(found)} findings, "
                  f"{time.monotonic() - started:.0f} s, seed {arguments.seed}", flush=True)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
