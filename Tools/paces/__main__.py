"""Measures how fast the real program delivers an edit, and whether it keeps its intervals.

    python3 Tools/paces            batches of 0.5 s and 2 s, one sync a second, a look every 30 s, live news
    python3 Tools/paces batches throttle poll live     only some of them

    --edits N       the number of edits for each figure (15)
    --load PATH     cloudsync-load: measure live news while it loads the server (push, 64 connections)
    --program PATH  the program; CLOUDSYNC_BINARY or .build/release/cloudsync or the debug build
    --json          print the figures as JSON

Everything is measured from outside: by the clock of this machine and by what `watch --jsonl` prints. Nothing
else should run beside it. The latest results are in Documentation/Guides/with-and-without-a-server.md.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def program():
    named = [os.environ.get("CLOUDSYNC_BINARY", "")]
    built = [os.path.join(ROOT, ".build", kind, "cloudsync") for kind in ("release", "debug")]
    return next((path for path in named + built if path and os.access(path, os.X_OK)), "cloudsync")


class Device:
    """A home folder, and the program that uses it."""

    def __init__(self, folder, name, path):
        self.home, self.path, self.name = os.path.join(folder, name), path, name
        os.makedirs(self.home, mode=0o700)
        self.environment = {"HOME": self.home, "PATH": "/usr/bin:/bin"}

    def run(self, *words):
        done = subprocess.run([self.path, *words], env=self.environment, capture_output=True, text=True,
                              cwd=self.home, stdin=subprocess.DEVNULL)
        if done.returncode != 0:
            sys.exit(f"{self.name}: {' '.join(words)} ended with {done.returncode}: {done.stderr}")
        return done.stdout

    def start(self, *words):
        return Running(self, *words)


class Running:
    """A running program: its lines, each with the moment of its arrival."""

    def __init__(self, device, *words):
        self.lines, self.seen = [], threading.Condition()
        self.process = subprocess.Popen([device.path, *words], env=device.environment, cwd=device.home,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT, text=True)
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            with self.seen:
                self.lines.append((time.monotonic(), line.strip()))
                self.seen.notify_all()

    def wait(self, is_it, since=0, limit=120):
        """The moment of the first line from `since` on for which `is_it` holds, and the number of the next line."""
        end = time.monotonic() + limit
        with self.seen:
            while True:
                for number in range(since, len(self.lines)):
                    if is_it(self.lines[number][1]):
                        return self.lines[number][0], number + 1
                since = len(self.lines)
                if not self.seen.wait(max(0, end - time.monotonic())):
                    sys.exit(f"nothing arrived in {limit} s; the last lines: {self.lines[-5:]}")

    def end(self):
        self.process.terminate()
        self.process.wait()


def event(line):
    try:
        return json.loads(line)
    except ValueError:
        return {}


def pushes(line):
    found = event(line)
    return found.get("event") == "sync" and found.get("pushed", 0) > 0


def codes():
    """Pairs of codes that no airport has, one after the other."""
    letters = "ABCDEFGHIJKLMNOPRSTUVWXYZ"
    for a in letters:
        for b in letters:
            for c in letters:
                yield f"X{b}{c}" if a == "A" else f"{a}{b}{c}", f"KX{b}{c}"


class Bench:
    def __init__(self, options):
        self.options, self.figures = options, []
        self.codes = iter(codes())

    def note(self, name, values, unit="s"):
        self.figures.append({"what": name, "unit": unit, "count": len(values),
                             "median": round(statistics.median(values), 3),
                             "least": round(min(values), 3), "most": round(max(values), 3)})

    def pair(self, folder, *more):
        """A server, and two devices of one account there."""
        host = Device(folder, "host", self.options.program)
        serve = host.start("serve", "--listen", "127.0.0.1:0", *more)
        _, _ = serve.wait(lambda line: line.startswith("http"))
        url = next(line for _, line in serve.lines if line.startswith("http"))
        link = json.loads(host.run("server", "invite", "anna", "--url", url, "--json"))["link"]
        laptop = Device(folder, "laptop", self.options.program)
        laptop.run("init", "--yes", "--unencrypted", "--domains", "airports", "--device", "laptop", "--join", link)
        code = json.loads(laptop.run("device", "pair", "--json"))["code"]
        phone = Device(folder, "phone", self.options.program)
        phone.run("init", "--yes", "--unencrypted", "--domains", "airports", "--device", "phone", "--join", code, "--remote",
                  f"home={url}")
        return host, serve, url, laptop, phone

    def watch(self, device):
        watcher = device.start("watch", "--jsonl")
        watcher.wait(lambda line: event(line).get("event") == "connected")
        return watcher

    def add(self, device):
        device.run("airports", "add", *next(self.codes), "-q")
        return time.monotonic()

    def batches(self, folder):
        """Five edits in a row are one sync, `debounce` after the last one."""
        _, serve, _, laptop, _ = self.pair(folder)
        for debounce in ("500ms", "2s"):
            laptop.run("config", "set", "defaults.debounce", debounce)
            watcher = self.watch(laptop)
            times, counts = [], []
            for _ in range(max(3, self.options.edits // 3)):
                time.sleep(2.5)
                start = len(watcher.lines)
                for _ in range(5):
                    edited = self.add(laptop)
                pushed, _ = watcher.wait(pushes, start)
                time.sleep(1.5)
                counts.append(sum(pushes(line) for _, line in watcher.lines[start:]))
                times.append(pushed - edited)
            watcher.end()
            self.note(f"debounce {debounce}: from the last of five edits until all are sent", times)
            self.note(f"debounce {debounce}: syncs for five edits", counts, "")
        serve.end()

    def throttle(self, folder):
        """However many edits come, and even without debounce, there is one sync a second."""
        _, serve, _, laptop, _ = self.pair(folder)
        laptop.run("config", "set", "defaults.debounce", "0s")
        watcher = self.watch(laptop)
        start = len(watcher.lines)
        end = time.monotonic() + 10
        while time.monotonic() < end:
            self.add(laptop)
        time.sleep(2)
        moments = [moment for moment, line in watcher.lines[start:] if pushes(line)]
        watcher.end()
        serve.end()
        self.note("between two syncs under continuous edits",
                  [later - sooner for sooner, later in zip(moments, moments[1:])])

    def poll(self, folder):
        """A remote is checked every 30 s, even without a notification."""
        _, serve, _, laptop, _ = self.pair(folder, "-v")
        watcher = self.watch(laptop)
        start = len(serve.lines)
        time.sleep(100)
        moments = [moment for moment, line in serve.lines[start:] if "feed" in line]
        watcher.end()
        serve.end()
        self.note("between two looks at a quiet server",
                  [later - sooner for sooner, later in zip(moments, moments[1:])])

    def live(self, folder):
        """From the end of an edit's command until the watcher of the other device has it."""
        # One machine plays all clients, so no limit of rates holds while there is a load.
        host, serve, url, laptop, phone = self.pair(folder, *(["--auth", "none"] if self.options.load else []))
        load = None
        if self.options.load:
            tokens = [host.run("token", "create", f"load{number}", "--account", f"load{number}", "--scope",
                               "manage", "--expires", "1d").split()[0] for number in range(8)]
            words = [self.options.load, "push", "--url", url, "--seconds", "60", "--reps", "30"]
            for token in tokens:
                words += ["--token", token]
            load = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        watchers = [self.watch(laptop), self.watch(phone)]
        times = []
        for _ in range(self.options.edits):
            time.sleep(2)
            start = len(watchers[1].lines)
            edited = self.add(laptop)
            came, _ = watchers[1].wait(lambda line: event(line).get("pulled", 0) > 0, start)
            times.append(came - edited)
        if load:
            if load.poll() is not None:
                sys.exit(f"the load ended with {load.returncode}")
            load.terminate()
            load.wait()
        for watcher in watchers:
            watcher.end()
        serve.end()
        self.note("live news over a server" + (", loaded" if load else ""), times)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="*", default=["batches", "throttle", "poll", "live"])
    parser.add_argument("--edits", type=int, default=15)
    parser.add_argument("--load")
    parser.add_argument("--program", default=program())
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    options.program = os.path.abspath(options.program)
    bench = Bench(options)
    for name in options.what:
        with tempfile.TemporaryDirectory(prefix="cloudsync-paces-") as folder:
            getattr(bench, name)(folder)
    if options.json:
        print(json.dumps(bench.figures, indent=2))
        return
    for figure in bench.figures:
        print(f"{figure['what']}: {figure['median']} {figure['unit']} (median of {figure['count']};"
              f" {figure['least']} to {figure['most']})")


main()
