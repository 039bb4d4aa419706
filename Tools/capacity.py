"""Measures several servers on one PostgreSQL: what a poll and a push cost them and the database, and how much they do.

    python3 Tools/capacity.py SERVER LOAD [--servers 1,2,4] [--seconds 10] [--accounts 1000] [--segments 100000]

SERVER is a released cloudsync-server, LOAD a released cloudsync-load. PostgreSQL is Debian's, in a temporary folder on
the disk of TMPDIR, with its defaults but for the memory of its pages. --accounts and --segments say how much is in the
database before; a million and ten million take some minutes and 12 GB.
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
        data.mkdir()
        if as_postgres:
            shutil.chown(folder, "postgres")
            shutil.chown(data, "postgres")
        subprocess.run([*as_postgres, f"{postgres}/initdb", "-D", data, "-U", "postgres", "-E", "UTF8", "--locale=C.UTF-8"],
                       check=True, stdout=subprocess.DEVNULL, cwd=folder)
        self.process = subprocess.Popen(
            [*as_postgres, f"{postgres}/postgres", "-D", data, "-k", folder, "-c", "listen_addresses=", "-c", "shared_buffers=1GB",
             "-c", "max_wal_size=4GB", "-c", "max_connections=100"],
            stdout=subprocess.DEVNULL, stderr=open(folder / "log", "w"), cwd=folder)
        for _ in range(200):
            if subprocess.run([f"{postgres}/pg_isready", "-q", "-h", folder]).returncode == 0:
                break
            time.sleep(0.1)
        self.run("CREATE DATABASE cloudsync", "postgres")
        self.address = f"host={folder} user=postgres dbname=cloudsync"

    def run(self, statements, database="cloudsync"):
        return subprocess.run([f"{postgres}/psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", self.folder, "-U", "postgres",
                               "-c", statements, database], check=True, capture_output=True, text=True).stdout.strip()

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
                SELECT {base} + n + 1, substr(repeat(sha256((n || '/{number}')::bytea)::text, 4)::bytea, 1, 200)
                FROM generate_series(0, {accounts - 1}) n;
              UPDATE counters SET value={base + accounts} WHERE name='cursor';
              COMMIT""")
        self.run("SELECT setval(pg_get_serial_sequence('feeds', 'id'), 10000000), setval(pg_get_serial_sequence('zones', 'id'), 10000000)")
        self.run("VACUUM ANALYZE")

    def sizes(self):
        rows = int(self.run("SELECT count(*) FROM segments"))
        size = int(self.run("SELECT pg_total_relation_size('segments') + pg_total_relation_size('contents')"))
        return rows, size

    def stop(self):
        self.process.send_signal(signal.SIGQUIT)
        self.process.wait()


def serve(database, count):
    servers = []
    for _ in range(count):
        process = subprocess.Popen(
            [given.server, "serve", "--listen", "127.0.0.1:0", "--store", database.address, "--trusted-proxy", "-q"],
            stdout=subprocess.PIPE, text=True)
        servers.append((process, process.stdout.readline().strip()))
    return servers


def tokens(database):
    made = []
    for number in range(TOKENS):
        made.append(subprocess.run(
            [given.server, "token", "create", "load", "--scope", "manage", "--account", f"account-{number}", "--store", database.address, "-q"],
            check=True, capture_output=True, text=True).stdout.strip())
    return made


def measure(database, servers, names, made):
    results = {}
    for name in names:
        before = cpu(database.process.pid), sum(cpu(process.pid) for process, _ in servers)
        wal = database.run("SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint")
        words = [given.load, name, "--json", "--reps", "3", "--seconds", str(given.seconds)]
        for _, url in servers:
            words += ["--url", url]
        for token in made:
            words += ["--token", token]
        outcome = subprocess.run(words, capture_output=True, text=True)
        report = json.loads(outcome.stdout)
        after = cpu(database.process.pid), sum(cpu(process.pid) for process, _ in servers)
        grown = int(database.run("SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint")) - int(wal)
        results[name] = report, after[0] - before[0], after[1] - before[1], grown
    return results


def tell(count, name, report, of_database, of_servers, log):
    for row in report["measurements"]:
        print(f"{count} servers, {name}: {row['measure']} {row['median']:.6g} {row['unit']} ({row['min']:.6g} to {row['max']:.6g})")
    for fault in report["faults"]:
        print(f"{count} servers, {name}: FAULT {fault['what']} {fault['count']} times")
    # Beside what was measured there is a second of warming up, which is a thirtieth.
    rate = next(row["median"] for row in report["measurements"] if row["unit"] == "/s") / (10 if name == "push" else 1)
    answers = rate * 3 * given.seconds
    print(f"{count} servers, {name}: of processor for each answer {of_servers / answers * 1e6:.0f} µs of the servers, "
          f"{of_database / answers * 1e6:.0f} µs of PostgreSQL; {log / answers:.0f} bytes of its log", flush=True)


def main():
    with tempfile.TemporaryDirectory(prefix="cloudsync-capacity-") as folder:
        database = Database(pathlib.Path(folder))
        try:
            for process, _ in (first := serve(database, 1)):
                process.terminate()
                process.wait()
            began = time.monotonic()
            database.fill(given.accounts, given.segments)
            rows, size = database.sizes()
            print(f"{given.accounts} accounts, {rows} segments: {size / rows:.0f} bytes a segment with its indexes, "
                  f"made in {time.monotonic() - began:.0f} s", flush=True)
            made = tokens(database)
            for count in map(int, given.servers.split(",")):
                servers = serve(database, count)
                try:
                    for name, measured in measure(database, servers, ("poll", "push"), made).items():
                        tell(count, name, *measured)
                finally:
                    for process, _ in servers:
                        process.terminate()
                    for process, _ in servers:
                        process.wait()
            rows_after, size_after = database.sizes()
            if rows_after > rows:
                print(f"{rows_after - rows} segments were stored: {(size_after - size) / (rows_after - rows):.0f} bytes each, "
                      "with their indexes")
        finally:
            database.stop()


main()
