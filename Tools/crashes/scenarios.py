"""The interrupted commands, each with the state before it and the state required after it."""

import json
import os
import sqlite3

import services
from world import Found, World

KNOWN = {"ZRH": "LSZH", "CDG": "LFPG", "MUC": "EDDM"}
OTHERS = {"VIE": "LOWW", "OSL": "ENGM"}
UNSYNCED = {"HAM": "EDDH"}
ROWS = 40
STORES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "stores")


class Scenario:
    """A world before the command. `before` and `after` are the codes that the device shows."""

    name = ""
    kinds = ("folder",)
    # Exit statuses of the command when it is run again after a crash.
    again = (0,)

    @classmethod
    def chosen(cls, arguments):
        """The kinds of remotes for this run."""
        return [kind for kind in cls.kinds if kind in arguments.kinds.split(",")]

    def __init__(self, program, folder, kind):
        self.world = World(program, folder, kind)
        self.device = self.world.first
        self.before, self.after = {}, {}
        self.prepare()

    def set_up(self):
        for device in (self.world.first, self.world.second):
            self.world.set_up(device)
        self.world.add(self.world.first, KNOWN)
        self.world.agree()
        self.before, self.after = dict(KNOWN), dict(KNOWN)

    def said(self, outcome):
        """Whether the command reported success, even if it was killed then."""
        return outcome.status == 0

    def check_first(self, outcome, acknowledged):
        """Checks what the next command sees, before the command runs again."""
        codes = self.device.codes()
        if codes != self.after and (acknowledged or codes != self.before):
            raise Found(f"after '{outcome}' the device shows {codes}")

    def check(self, outcome, is_quick=False):
        acknowledged = self.said(outcome)
        self.check_first(outcome, acknowledged)
        if is_quick:
            self.device.zones()
            return
        self.device.must(*self.command, statuses=self.again)
        if self.device.codes() != self.after:
            raise Found(f"run again it shows {self.device.codes()} instead of {self.after}")
        self.world.agree()
        if self.device.codes() != self.agreed():
            raise Found(f"after syncing it shows {self.device.codes()}")
        check_modes(self.device.home)

    def agreed(self):
        """Checks what both devices show in the end."""
        return self.after


def check_modes(home):
    for base, folders, files in os.walk(home):
        for name in folders + files:
            mode = os.lstat(f"{base}/{name}").st_mode & 0o777
            if mode & 0o077:
                raise Found(f"{base}/{name} has mode {mode:o}")


class Init(Scenario):
    name, kinds = "init", ("folder", "sqlite")

    def prepare(self):
        self.world.set_up(self.world.second)
        self.world.add(self.world.second, KNOWN)
        self.world.second.must("sync")
        self.command = self.world.initial(self.device)

    def check_first(self, outcome, acknowledged):
        # Until the configuration is there, every command says so; then the device has no data yet.
        outcome = self.device.run("airports", "list", "--json")
        if acknowledged or outcome.status == 0:
            if outcome.status or json.loads(outcome.out)["records"]:
                raise Found(str(outcome))
        elif outcome.status not in (66, 78):
            raise Found(str(outcome))

    def agreed(self):
        return KNOWN


class InitFirst(Init):
    """The very first device creates the remote."""

    name = "init-first"

    def prepare(self):
        self.command = self.world.initial(self.device)

    def check(self, outcome, is_quick=False):
        self.check_first(outcome, self.said(outcome))
        self.device.must(*self.command)
        if self.world.encrypted:
            self.world.founded(self.device, "")
        self.world.set_up(self.world.second)
        self.world.add(self.world.second, KNOWN)
        self.world.agree()
        if self.device.codes() != KNOWN:
            raise Found(f"after syncing it shows {self.device.codes()}")
        check_modes(self.device.home)


class Add(Scenario):
    name = "add"

    def prepare(self):
        self.set_up()
        self.after["VIE"] = "LOWW"
        self.command = ("airports", "add", "VIE", "LOWW")

    def said(self, outcome):
        return outcome.status == 0 or "1 added" in outcome.err


class Remove(Scenario):
    name = "rm"
    again = (0, 66)

    def prepare(self):
        self.set_up()
        del self.after["ZRH"]
        self.command = ("airports", "rm", "ZRH")

    def said(self, outcome):
        return outcome.status == 0 or "1 deleted" in outcome.err


class Import(Scenario):
    name = "import"

    def prepare(self):
        self.set_up()
        path = f"{self.device.home}/rows.csv"
        rows = {"X" + chr(65 + n // 26) + chr(65 + n % 26): "ZY" + chr(65 + n // 26) + chr(65 + n % 26)
                for n in range(ROWS)}
        with open(path, "w") as file:
            file.write("iata,icao\n" + "".join(f"{a},{b}\n" for a, b in rows.items()))
        os.chmod(path, 0o600)
        self.after.update(rows)
        self.command = ("airports", "import", path)

    def said(self, outcome):
        return outcome.status == 0 or f"{ROWS} added" in outcome.err


class Undo(Scenario):
    name = "undo"
    # The undo is done already: nothing is left to undo, which status 3 says.
    again = (0, 3)

    def prepare(self):
        self.set_up()
        done = self.device.must("airports", "add", "VIE", "LOWW", "--json")
        self.before["VIE"] = "LOWW"
        self.command = ("undo", json.loads(done.out)["batch"])


class Push(Scenario):
    name, kinds = "push", ("folder", "sqlite", *services.KINDS)

    def prepare(self):
        self.set_up()
        self.world.add(self.device, OTHERS)
        self.before.update(OTHERS)
        self.after.update(OTHERS)
        self.command = ("sync",)

    def check_first(self, outcome, acknowledged):
        super().check_first(outcome, acknowledged)
        if acknowledged:
            self.world.second.must("sync")
            if self.world.second.codes() != self.after:
                raise Found(f"pushed, but the other device shows {self.world.second.codes()}")


class Pull(Scenario):
    name, kinds = "pull", ("folder", "sqlite", *services.KINDS)

    def prepare(self):
        self.set_up()
        self.world.add(self.world.second, OTHERS)
        self.world.second.must("airports", "rm", "MUC")
        self.world.second.must("sync")
        self.after.update(OTHERS)
        del self.after["MUC"]
        self.command = ("sync",)

    def check_first(self, outcome, acknowledged):
        # Changes arrive one after the other, each whole.
        codes = self.device.codes()
        expected = {**KNOWN, **OTHERS}
        isPart = (all(expected.get(key) == value for key, value in codes.items())
                  and all(key in codes for key in KNOWN if key != "MUC"))
        if codes != self.after and (acknowledged or not isPart):
            raise Found(f"after '{outcome}' the device shows {codes}")


class FirstPush(Scenario):
    """The very first sync: it creates the remote's folders and files, and every zone."""

    name, kinds = "first-push", ("folder", "sqlite")

    def prepare(self):
        for device in (self.world.first, self.world.second):
            self.world.set_up(device)
        self.world.add(self.device, KNOWN)
        self.before, self.after = dict(KNOWN), dict(KNOWN)
        self.command = ("sync",)


class Repair(Scenario):
    """A damaged store is rebuilt from its log, part of which was never synced."""

    name = "repair"

    def prepare(self):
        self.set_up()
        self.world.add(self.device, OTHERS)
        self.world.agree()
        self.world.add(self.device, UNSYNCED)
        self.after.update({**OTHERS, **UNSYNCED})
        path = f"{self.device.home}/.local/share/cloudsync/airports.sqlite"
        damage_table(path, "record")
        self.command = ("verify", "--repair")

    def check_first(self, outcome, acknowledged):
        listed = self.device.run("airports", "list", "--json")
        if acknowledged and listed.status:
            raise Found(str(listed))
        # Still damaged; repairing again helps.
        if listed.status not in (0, 65):
            raise Found(str(listed))
        if listed.status == 65:
            self.device.must(*self.command)
        codes = self.device.codes()
        if codes != self.after:
            raise Found(f"repaired it shows {codes}")

    def check(self, outcome, is_quick=False):
        self.check_first(outcome, self.said(outcome))
        self.device.must(*self.command)
        self.world.agree()
        if self.device.codes() != self.after:
            raise Found(f"repaired and synced it shows {self.device.codes()}")
        check_modes(self.device.home)


class Restore(Scenario):
    """A backup replaces stores that have changed since."""

    name = "restore"

    def prepare(self):
        self.set_up()
        path = f"{self.device.home}/backup.zip"
        self.device.must("backup", "create", "--unencrypted", path)
        self.world.add(self.device, UNSYNCED)
        self.before.update(UNSYNCED)
        self.command = ("backup", "restore", path, "--yes", "--discard-unsent")

    def said(self, outcome):
        return outcome.status == 0 or "restored" in outcome.err


class Migrate(Scenario):
    """An older store is opened: one without tables, and every golden store of a release."""

    name = "migrate"
    golden = None

    def prepare(self):
        self.set_up()
        path = f"{self.device.home}/.local/share/cloudsync/settings.sqlite"
        for ending in ("", "-wal", "-shm"):
            if os.path.exists(path + ending):
                os.unlink(path + ending)
        database = sqlite3.connect(path)
        database.executescript("PRAGMA page_size=8192; PRAGMA application_id=1668512110; VACUUM")
        database.close()
        os.chmod(path, 0o600)
        self.command = ("settings", "list", "--json")

    def check_first(self, outcome, acknowledged):
        super().check_first(outcome, acknowledged)
        self.device.must(*self.command)


class Encrypt(Scenario):
    """A remote in use is encrypted; the other device has an edit that it has not sent."""

    name, kinds = "encrypt", ("folder", "sqlite")

    def prepare(self):
        self.set_up()
        self.world.add(self.device, UNSYNCED)
        self.world.add(self.world.second, OTHERS)
        self.before.update(UNSYNCED)
        self.after.update(UNSYNCED)
        self.command = ("vault", "encrypt", "place")

    def check(self, outcome, is_quick=False):
        self.check_first(outcome, self.said(outcome))
        if is_quick:
            self.device.zones()
            return
        self.device.must(*self.command)
        plain = self.plain()
        if plain:
            raise Found(f"encrypted, and {plain} can be read")
        key = json.loads(self.device.must("device", "pair", "--json").out)["key"]
        self.world.second.must("vault", "encrypt", "place", "--code", key)
        self.world.agree()
        if self.device.codes() != {**self.after, **OTHERS}:
            raise Found(f"encrypted and synced it shows {self.device.codes()}")
        check_modes(self.device.home)

    def plain(self):
        """What can be read on the remote."""
        place, found = self.world.place, set()
        paths = [place + ending for ending in ("", "-wal") if os.path.isfile(place + ending)]
        for base, folders, files in os.walk(place):
            paths += [f"{base}/{name}" for name in files]
            found |= {word for word in ("airports", "settings") for name in folders + files if word in name}
        for path in paths:
            with open(path, "rb") as file:
                content = file.read()
            found |= {word for word in ("airports", "LSZH", "EDDH") if word.encode() in content}
        return sorted(found)


def damage_table(path, table):
    """Damages a byte of the value of every row of a table."""
    database = sqlite3.connect(path)
    database.execute(f"UPDATE {table} SET v = CAST(X'FF' || substr(v, 2) AS BLOB)")
    database.commit()
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()


ALL = (Init, InitFirst, Add, Remove, Import, Undo, Push, Pull, FirstPush, Repair, Restore, Migrate,
       Encrypt)
