"""Measures what encryption costs two devices; see Documentation/Performance.md.

    python3 Tools/encryption_cost.py [PROGRAM [SERVER]]

Imports settings, once with 10,000 and once with 100,000 made-up values, and measures in turn without and with encryption, through a folder
and through a server on this machine: the first sync that sends them, the first sync of another device, a sync with nothing new, a short
command, the bytes in the folder or of the server, and the most memory that either first sync takes. Prints medians: seconds, seconds,
milliseconds, milliseconds, megabytes, mebibytes, mebibytes. At last how long a device takes to join by a code and by a passphrase, in
milliseconds. Takes five minutes.
"""

import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time

PROGRAM = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else ".build/release/cloudsync")
SERVER = os.path.abspath(sys.argv[2] if len(sys.argv) > 2 else f"{PROGRAM}-server")


def write_values(path, count):
    chance = random.Random(3)
    with open(path, "w") as file:
        file.write("collection,id,parent,type,value\nnamespace,x,,,\n")
        for number in range(count):
            file.write(f"setting,key-{number:06d},namespace/x,string,{chance.getrandbits(64):016x} made-up value\n")


def run(home, *arguments):
    """Runs the program; returns the seconds, what it has printed, and the mebibytes that it took at most."""
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        started = time.monotonic()
        child = subprocess.Popen(
            [PROGRAM, *arguments], env={"HOME": home, "PATH": "/usr/bin:/bin"}, stdout=output, stderr=errors)
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.monotonic() - started
        child.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0), errors.seek(0)
        if child.returncode:
            sys.exit(f"{' '.join(arguments)}: {errors.read()}")
        return seconds, output.read(), usage.ru_maxrss / 1024


class Server:
    """A server on this machine, with one account."""

    def __init__(self, folder):
        os.mkdir(folder, 0o700)
        self.folder = folder
        self.process = subprocess.Popen(
            [SERVER, "serve", "--listen", "127.0.0.1:0", "--data", folder], env={"HOME": folder}, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.url = self.process.stdout.readline().strip()

    def invite(self):
        return json.loads(subprocess.run(
            [SERVER, "server", "invite", "anna", "--data", self.folder, "--url", self.url, "--json"],
            env={"HOME": self.folder}, capture_output=True, text=True, check=True).stdout)["link"]

    def stop(self):
        self.process.terminate()
        self.process.wait()


def bytes_below(folder):
    return sum(os.path.getsize(os.path.join(base, name)) for base, _, names in os.walk(folder) for name in names)


def set_up(first, second, place, encrypted, server):
    """Sets up two devices on a folder, or on a server."""
    plain = () if encrypted else ("--unencrypted",)
    if server:
        run(first, "init", "--yes", "--domains", "settings", "--join", server.invite(), *plain)
        pairing = json.loads(run(first, "device", "pair", "--json")[1])
        run(second, "init", "--yes", "--domains", "settings", "--join", pairing["link"], *plain)
        return
    options = ("init", "--yes", "--domains", "settings", "--remote", f"place=file:{place}")
    run(first, *options, *plain)
    code = ("--code", json.loads(run(first, "device", "pair", "--json")[1])["key"]) if encrypted else plain
    run(second, *options, *code)


def measure(values, encrypted, served):
    with tempfile.TemporaryDirectory() as world:
        first, second, place = (f"{world}/{name}" for name in ("first", "second", "place"))
        for home in (first, second):
            os.mkdir(home)
        server = Server(place) if served else None
        try:
            set_up(first, second, place, encrypted, server)
            run(first, "settings", "import", values, "--quiet")
            push, pull = run(first, "sync"), run(second, "sync")
            for home in (first, second):
                run(home, "sync")
            quiet = statistics.median(run(first, "sync")[0] for _ in range(9))
            short = statistics.median(
                run(first, "settings", "get", "key-000001", "--namespace", "x")[0] for _ in range(9))
        finally:
            if server:
                server.stop()
        return push[0], pull[0], quiet * 1000, short * 1000, bytes_below(place) / 1e6, push[2], pull[2]


def joining(passphrase):
    """Milliseconds that a device takes to join by a code, or by a passphrase."""
    with tempfile.TemporaryDirectory() as world:
        first, second, place = (f"{world}/{name}" for name in ("first", "second", "place"))
        for home in (first, second):
            os.mkdir(home)
        options = ("init", "--yes", "--domains", "settings", "--remote", f"place=file:{place}")
        run(first, *options)
        if not passphrase:
            key = json.loads(run(first, "device", "pair", "--json")[1])["key"]
            return run(second, *options, "--code", key)[0] * 1000
        words = f"{world}/words"
        with open(os.open(words, os.O_CREAT | os.O_WRONLY, 0o600), "w") as file:
            file.write("lamp orbit mustard canoe\n")
        run(first, "vault", "passphrase", "--passphrase-file", words)
        return run(second, *options, "--passphrase-file", words)[0] * 1000


def main():
    for program in (PROGRAM, SERVER):
        if not os.access(program, os.X_OK):
            sys.exit(f"there is no program at {program}; 'Tools/release cloudsync cloudsync-server' makes both")
    with tempfile.TemporaryDirectory() as folder:
        for count, times in ((10_000, 5), (100_000, 3)):
            values = f"{folder}/values.csv"
            write_values(values, count)
            for served in (False, True):
                found = {False: [], True: []}
                for _ in range(times):
                    for encrypted in found:
                        found[encrypted].append(measure(values, encrypted, served))
                for encrypted, rows in found.items():
                    medians = [f"{statistics.median(column):.3f}" for column in zip(*rows)]
                    place = "server" if served else "folder"
                    print(count, place, "encrypted" if encrypted else "plain", *medians, flush=True)
    for passphrase in (False, True):
        found = statistics.median(joining(passphrase) for _ in range(7))
        print("joining by", "passphrase" if passphrase else "code", f"{found:.3f}")


if __name__ == "__main__":
    main()
