"""Measures several servers on one PostgreSQL: what a poll and a push cost them and the database, and how much they do.

    python3 Tools/capacity.py SERVER LOAD [--folder] [--client CLOUDSYNC] [--servers 1,2,4] [--scenarios poll,push,mixed,streams] [--seconds 10]
        [--accounts 1000] [--segments 100000]

SERVER is a released cloudsync-server, LOAD a released cloudsync-load. PostgreSQL is Debian's, in a temporary folder on
the disk of TMPDIR, with its defaults but for the memory of its pages. --accounts and --segments say how much is in the
database before; a million and ten million take ten minutes and 9 GB. With --place FOLDER the database stays there and is
used again.
"""

import argparse
import glob
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time

arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
arguments.add_argument("server", type=pathlib.Path)
arguments.add_argument("load", type=pathlib.Path)
arguments.add_argument("--servers", default="1,2,4")
arguments.add_argument("--scenarios", default="poll,push,mixed", help="poll, push, mixed, streams")
arguments.add_argument("--streams", type=int, default=10_000)
arguments.add_argument("--client", type=pathlib.Path, help="a cloudsync, to measure a day of two devices")
arguments.add_argument("--place", type=pathlib.Path, help="a folder for the database, which is used again if it has one")
arguments.add_argument("--folder", action="store_true", help="measure a server on a folder of its own before")
arguments.add_argument("--seconds", type=int, default=10)
arguments.add_argument("--accounts", type=int, default=1_000)
arguments.add_argument("--segments", type=int, default=100_000)
given = arguments.parse_args()

TOKENS = 200
TICK = os.sysconf("SC_CLK_TCK")
postgres = max(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: int(path.split("/")[4]))
as_postgres = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.geteuid() == 0 else []


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as one:
        return one.getsockname()[1]


def cpu(process):
    """Seconds of processor of a process and of its children, ended ones included."""
    def fields(number):
        return pathlib.Path(f"/proc/{number}/stat").read_text().rsplit(")", 1)[1].split()
    mine = fields(process)
    total = sum(map(int, mine[11:15]))
    for child in pathlib.Path(f"/proc/{process}/task/{process}/children").read_text().split():
        try:
            total += sum(map(int, fields(child)[11:13]))
        except FileNotFoundError:
            pass
    return total / TICK


class Database:
    def __init__(self, folder):
        self.folder = folder
        folder.chmod(0o755)
        data = folder / "data"
        self.is_new = not data.exists()
        if self.is_new:
            data.mkdir()
            if as_postgres:
                shutil.chown(folder, "postgres")
                shutil.chown(data, "postgres")
            subprocess.run([*as_postgres, f"{postgres}/initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8",
                            "--locale=C.UTF-8"], check=True, stdout=subprocess.DEVNULL, cwd=folder)
        self.process = subprocess.Popen(
            [*as_postgres, f"{postgres}/postgres", "-D", data, "-k", folder, "-c", "listen_addresses=", "-c", "shared_buffers=1GB",
             "-c", "max_wal_size=4GB", "-c", "max_connections=100"],
            stdout=subprocess.DEVNULL, stderr=open(folder / "log", "w"), cwd=folder)
        for _ in range(200):
            if subprocess.run([f"{postgres}/pg_isready", "-q", "-h", folder]).returncode == 0:
                break
            time.sleep(0.1)
        if self.is_new:
            self.run("CREATE DATABASE cloudsync", "postgres")
        self.address = f"host={folder} user=postgres dbname=cloudsync"

    def run(self, statements, database="cloudsync"):
        return subprocess.run([f"{postgres}/psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", self.folder, "-U", "postgres",
                               "-c", statements, database], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()

    def fill(self, accounts, segments):
        """Adds accounts with a device, a token, a feed and a zone each, and segments of 200 bytes that are spread over them."""
        each = max(1, segments // accounts)
        first = int(self.run("SELECT value FROM counters WHERE name='cursor'"))
        for part in range(0, accounts, 100_000):
            last = min(accounts, part + 100_000) - 1
            self.run(f"""
              BEGIN;
              INSERT INTO accounts(id, name, created, bytes, records)
                SELECT 'made' || n, 'made ' || n, 1, {each} * 200, {each} FROM generate_series({part}, {last}) n;
              INSERT INTO devices(account, id, name, joined, seen)
                SELECT 'made' || n, 'device', 'Device', 1, 1 FROM generate_series({part}, {last}) n;
              INSERT INTO tokens(id, account, device, digest, name, scope, created)
                SELECT 'made' || n, 'made' || n, 'device', sha256(n::text::bytea), 'Device', 'manage', 1
                FROM generate_series({part}, {last}) n;
              INSERT INTO feeds(id, account, domain)
                SELECT 1000000 + n, 'made' || n, 'load' FROM generate_series({part}, {last}) n;
              INSERT INTO zones(id, feed, zone)
                SELECT 1000000 + n, 1000000 + n, 'home' FROM generate_series({part}, {last}) n;
              INSERT INTO series(zone, series, account)
                SELECT 1000000 + n, substr(sha256(n::text::bytea), 1, 16), 'made' || n FROM generate_series({part}, {last}) n;
              COMMIT""")
        for number in range(each):
            base = first + number * accounts
            self.run(f"""
              BEGIN;
              INSERT INTO segments(cursor, feed, zone, series, first, last, head, size, records)
                SELECT {base} + n + 1, 1000000 + n, 1000000 + n, substr(sha256(n::text::bytea), 1, 16), {number + 1}, {number + 1},
                  substr(sha256((n || '/{number}')::bytea), 1, 16), 200, 1 FROM generate_series(0, {accounts - 1}) n;
              INSERT INTO contents(cursor, bytes)
                SELECT {base} + n + 1, substr(decode(repeat(encode(sha256((n || '/{number}')::bytea), 'hex'), 7), 'hex'), 1, 200)
                FROM generate_series(0, {accounts - 1}) n;
              UPDATE counters SET value={base + accounts} WHERE name='cursor';
              COMMIT""")
        self.run("SELECT setval(pg_get_serial_sequence('feeds', 'id'), 10000000), setval(pg_get_serial_sequence('zones', 'id'), 10000000)")
        self.run("VACUUM ANALYZE")

    def log_position(self):
        return int(self.run("SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint"))

    def sizes(self):
        rows = int(self.run("SELECT count(*) FROM segments"))
        size = int(self.run("SELECT pg_total_relation_size('segments') + pg_total_relation_size('contents')"))
        return rows, size

    def stop(self):
        self.process.send_signal(signal.SIGQUIT)
        self.process.wait()


class Cluster:
    """Servers on one place, with a token for each of its accounts."""

    def __init__(self, place, count, database=None, tokens=TOKENS):
        self.database, self.servers = database, []
        self.tokens = [
            subprocess.run([given.server, "token", "create", "load", "--scope", "manage", "--account", f"account-{number}", *place, "-q"],
                           check=True, stdout=subprocess.PIPE, text=True).stdout.strip() for number in range(tokens)]
        for _ in range(count):
            # One machine plays all devices and names another address for each, so that the limits count them one by one.
            process = subprocess.Popen([given.server, "serve", "--listen", "127.0.0.1:0", "--trusted-proxy", *place, "-q"],
                                       stdout=subprocess.PIPE, text=True)
            self.servers.append((process, process.stdout.readline().strip()))

    def used(self):
        return (self.database and cpu(self.database.process.pid) or 0, sum(cpu(process.pid) for process, _ in self.servers),
                self.database and self.database.log_position() or 0)

    def memory(self):
        """The most that one of the servers held, in MB."""
        return max(int(line.split()[1]) for process, _ in self.servers
                   for line in pathlib.Path(f"/proc/{process.pid}/status").read_text().splitlines() if line.startswith("VmHWM")) / 1000

    def load(self, *words):
        outcome = subprocess.run(
            [given.load, *words, "--json", *(word for _, url in self.servers for word in ("--url", url)),
             *(word for token in self.tokens for word in ("--token", token))], stdout=subprocess.PIPE, text=True)
        if not outcome.stdout:
            raise SystemExit(f"{given.load} reported nothing and ended with {outcome.returncode}")
        return json.loads(outcome.stdout)

    def stop(self):
        for process, _ in self.servers:
            process.terminate()
        for process, _ in self.servers:
            process.wait()


def tell(title, report):
    for row in report["measurements"]:
        print(f"{title}: {row['measure']} {row['median']:.6g} {row['unit']} ({row['min']:.6g} to {row['max']:.6g})")
    for fault in report["faults"]:
        print(f"{title}: FAULT {fault['what']} {fault['count']} times")


def measure(title, place, count, database=None):
    cluster = Cluster(place, count, database)
    try:
        for name in filter(None, given.scenarios.split(",")):
            before = cluster.used()
            report = cluster.load(name, "--reps", "3", "--seed", str(count), "--seconds", str(given.seconds), "--streams", str(given.streams))
            of_database, of_servers, log = (after - earlier for after, earlier in zip(cluster.used(), before))
            tell(f"{title}, {name}", report)
            if name != "streams":
                # Beside what was measured there is a second of warming up, which is a thirtieth.
                rate = next(row["median"] for row in report["measurements"] if row["unit"] == "/s") / (10 if name == "push" else 1)
                answers = rate * 3 * given.seconds
                print(f"{title}, {name}: of processor for each answer {of_servers / answers * 1e6:.0f} µs of the servers, "
                      f"{of_database / answers * 1e6:.0f} µs of PostgreSQL; {log / answers:.0f} bytes of its log")
            connections = database and int(database.run("SELECT count(*) FROM pg_stat_activity WHERE datname='cloudsync'")) - 1
            print(f"{title}, {name}: {cluster.memory():.0f} MB of memory of a server at most, {connections or 0} connections to PostgreSQL",
                  flush=True)
    finally:
        cluster.stop()


def play_day(title, place, database=None):
    """Two devices of one person, encrypted, five domains: a sync each quarter of an hour, and ten edits on each."""
    cluster = Cluster(place, 1, database, tokens=0)
    try:
        url = cluster.servers[0][1]
        with tempfile.TemporaryDirectory(prefix="cloudsync-capacity-") as homes:
            def run(device, *words):
                home = pathlib.Path(homes) / device
                home.mkdir(exist_ok=True)
                return subprocess.run([given.client, *words], check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                      env={"HOME": str(home), "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}).stdout
            link = subprocess.run([given.server, "server", "invite", f"day {time.time()}", "--url", url, *place, "-q"], check=True,
                                  stdout=subprocess.PIPE, text=True).stdout.split()[-1]
            run("one", "init", "--yes", "--join", link)
            run("two", "init", "--yes", "--join", json.loads(run("one", "device", "pair", "--json"))["link"])
            for device in ("one", "two"):
                run(device, "sync")
            before, rows = cluster.used(), database and database.sizes()
            for quarter in range(96):
                for device in ("one", "two"):
                    if quarter % 10 == 3:
                        letters = [chr(ord("A") + part) for part in (quarter // 26, quarter % 26, device == "one")]
                        run(device, "airports", "add", "".join(letters), "L" + "".join(letters))
                    run(device, "sync")
            of_database, of_servers, log = (after - earlier for after, earlier in zip(cluster.used(), before))
            print(f"{title}, a day of a device: {of_servers / 2 * 1000:.0f} ms of processor of the server, {of_database / 2 * 1000:.0f} ms of "
                  f"PostgreSQL, {log / 2 / 1000:.0f} KB of its log", flush=True)
            if rows:
                after = database.sizes()
                print(f"{title}, a day of a device: {(after[0] - rows[0]) / 2:.0f} rows, {(after[1] - rows[1]) / 2000:.0f} KB of them", flush=True)
    finally:
        cluster.stop()


def main():
    with tempfile.TemporaryDirectory(prefix="cloudsync-capacity-") as folder:
        if given.folder:
            measure("a folder", ["--data", f"{folder}/server"], 1)
            if given.client:
                play_day("a folder", ["--data", f"{folder}/server"])
        place = given.place or pathlib.Path(folder) / "database"
        place.mkdir(exist_ok=True)
        pathlib.Path(folder).chmod(0o755)
        database = Database(place)
        try:
            # The first server makes the tables.
            began = time.monotonic()
            Cluster(["--store", database.address], 1).stop()
            print(f"the first server had begun after {time.monotonic() - began:.1f} s, with {TOKENS} tokens made")
            if database.is_new:
                began = time.monotonic()
                database.fill(given.accounts, given.segments)
                print(f"filled in {time.monotonic() - began:.0f} s")
            rows, size = database.sizes()
            print(f"{database.run('SELECT count(*) FROM accounts')} accounts, {rows} segments: {size / rows:.0f} bytes a segment with its "
                  "indexes", flush=True)
            if given.client:
                play_day("PostgreSQL", ["--store", database.address], database)
            for count in map(int, filter(None, given.servers.split(","))):
                measure(f"{count} servers", ["--store", database.address], count, database)
            rows_after, size_after = database.sizes()
            if rows_after > rows:
                print(f"{rows_after - rows} segments were stored: {(size_after - size) / (rows_after - rows):.0f} bytes each, "
                      "with their indexes")
        finally:
            database.stop()


main()
