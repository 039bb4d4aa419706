"""Kills the program at random moments, again and again, on two devices that keep working."""

import random
import signal
import subprocess
import time

from world import Found, World


class Book:
    """What was acknowledged for each code: the last value, or None for a removal."""

    def __init__(self):
        self.known, self.doubtful = {}, {}

    def note(self, code, value, acknowledged):
        if acknowledged:
            self.known[code] = value
            self.doubtful.pop(code, None)
        else:
            self.doubtful.setdefault(code, set()).add(value)

    def check(self, codes):
        for code, value in self.known.items():
            found = codes.get(code)
            if found != value and found not in self.doubtful.get(code, ()):
                raise Found(f"{code} is {found} instead of {value}")
        for code, value in codes.items():
            if self.known.get(code) != value and value not in self.doubtful.get(code, ()):
                raise Found(f"{code} is {value}, which no device wrote")


def run(program, shim, folder, scenarios, arguments):
    chance = random.Random(arguments.seed)
    cases, found, killed, acknowledged = 0, [], 0, 0
    for kind in ("folder", "sqlite"):
        world = World(program, f"{folder}/kills", kind)
        # Each device writes its own codes, so the expected state is certain; no city has one of these.
        books = {world.first: Book(), world.second: Book()}
        for device in books:
            world.set_up(device)
        started = time.monotonic()
        world.first.must("sync")
        typical = time.monotonic() - started
        number = 0
        try:
            for _ in range(arguments.count // 2):
                device = chance.choice(list(books))
                command = chance.choice(("add", "add", "add", "change", "rm", "sync", "sync"))
                number += 1
                letter = "X" if device is world.first else "V"
                code = letter + chr(65 + number // 26 % 26) + chr(65 + number % 26)
                other = "Z" + "".join(chance.choice("ABCDEFGH") for _ in range(3))
                mine = [c for c, value in books[device].known.items() if value]
                if command in ("change", "rm") and mine:
                    code = chance.choice(mine)
                words = {"add": ("airports", "add", code, other),
                         "change": ("airports", "add", code, other),
                         "rm": ("airports", "rm", code), "sync": ("sync",)}[command]
                process = device.start(*words)
                time.sleep(chance.random() * typical * 1.2)
                process.send_signal(signal.SIGKILL)
                _, err = process.communicate()
                cases += 1
                killed += process.returncode == -9
                if process.returncode not in (0, -9, 66):
                    raise Found(f"{' '.join(words)}: {process.returncode} {err.decode()[:300]}")
                is_done = process.returncode == 0 or any(
                    word in err for word in (b"1 added", b"1 changed", b"1 deleted", b"unchanged"))
                acknowledged += is_done
                if command != "sync" and process.returncode != 66:
                    books[device].note(code, None if command == "rm" else other, is_done)
                if cases % 10 == 0:
                    for each, letter in ((world.first, "X"), (world.second, "V")):
                        codes = each.codes()
                        books[each].check({c: v for c, v in codes.items() if c[0] == letter})
                if cases % 50 == 0:
                    world.agree()
            world.agree()
            codes = world.first.codes()
            for device, letter in ((world.first, "X"), (world.second, "V")):
                books[device].check({c: v for c, v in codes.items() if c[0] == letter})
        except Found as failure:
            found.append(f"{kind}, kill {cases}: {failure}")
    print(f"  {killed} killed midway, {acknowledged} acknowledged", flush=True)
    return cases, found
