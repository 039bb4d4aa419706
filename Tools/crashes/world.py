"""Devices of a test, each a home folder, and the remote they share."""

import json
import os
import shutil
import stat
import subprocess

import services


class Found(Exception):
    """Something that must not happen has happened."""


class Outcome:
    def __init__(self, arguments, status, out, err):
        self.arguments, self.status, self.out, self.err = arguments, status, out, err

    def __str__(self):
        return f"{' '.join(self.arguments)}: {self.status} {self.err.strip()[:600]}"


class Device:
    def __init__(self, world, name):
        self.world, self.name, self.home = world, name, f"{world.folder}/{name}"
        os.makedirs(self.home, exist_ok=True)

    def environment(self, variables=None):
        environment = {"HOME": self.home, "PATH": "/usr/bin:/bin", "TMPDIR": self.home,
                       "SWIFT_BACKTRACE": "enable=no"}
        environment.update(variables or {})
        return environment

    def start(self, *arguments, variables=None):
        return subprocess.Popen(
            [self.world.program, *arguments], env=self.environment(variables), cwd=self.home,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def run(self, *arguments, variables=None, timeout=120):
        process = self.start(*arguments, variables=variables)
        try:
            out, err = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise Found(f"{' '.join(arguments)} hangs")
        return Outcome(arguments, process.returncode, out.decode(errors="replace"),
                       err.decode(errors="replace"))

    def must(self, *arguments, statuses=(0,)):
        outcome = self.run(*arguments)
        if outcome.status not in statuses:
            raise Found(str(outcome))
        return outcome

    def codes(self):
        """The airport codes that the device shows."""
        records = json.loads(self.must("airports", "list", "--json").out)["records"]
        return {record["id"]: record["fields"].get("icao") for record in records}

    def zones(self):
        """Vector and digest of each zone; fails where `verify` finds a problem."""
        zones = json.loads(self.must("verify", "--json").out)["zones"]
        return {(zone["domain"], zone["zone"]): (zone["vector"], zone["digest"]) for zone in zones}


class World:
    """Two devices and one remote. `kind` is folder, sqlite, or one of `services.KINDS`."""

    # Whether everything on the remote is encrypted; set for a whole run.
    encrypted = False

    def __init__(self, program, folder, kind):
        self.program, self.folder, self.kind = program, folder, kind
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        self.first, self.second = Device(self, "first"), Device(self, "second")
        # The device that has made an encrypted vault, and what it has printed.
        self.owner, self.recovery = None, None
        self.place = f"{folder}/place" + (".sqlite" if kind == "sqlite" else "")
        self.service = None
        if kind in services.KINDS:
            os.makedirs(self.place)
            self.service = services.Service.of(kind, self.place)

    @property
    def url(self):
        if self.service:
            return f"place={self.service.url}"
        return f"place={'sqlite' if self.kind == 'sqlite' else 'file'}:{self.place}"

    @property
    def calls(self):
        """The kinds of calls at which the program is interrupted."""
        return "wsnoi" if self.service else "wsn"

    def set_up(self, device):
        made = device.must(*self.initial(device))
        if self.encrypted and not self.owner:
            self.founded(device, made.out)

    def founded(self, device, said):
        """Notes which device has made the vault, and the recovery code that it has printed."""
        self.owner = device
        self.recovery = said.partition("recovery code")[2].split()[0] if "recovery code" in said else None

    def encryption(self, device):
        """The options by which a device joins: the first one makes the vault, the second one gets its key, and any
        other has the recovery code."""
        if not self.encrypted:
            return ("--unencrypted",)
        if self.owner in (None, device):
            return ("--encrypted",)
        if device not in (self.first, self.second):
            return ("--code", self.recovery)
        pairing = json.loads(self.owner.must("device", "pair", "--json").out)
        return ("--code", pairing["key"])

    def initial(self, device):
        options = self.service.options if self.service else ()
        return ("init", "--yes", *self.encryption(device), "--device", device.name, "--remote", self.url,
                *options, "--domains", "airports,settings")

    def add(self, device, codes):
        for code, other in codes.items():
            device.must("airports", "add", code, other)

    def agree(self):
        """Both devices sync until each has everything, and must then have the same."""
        for device in (self.first, self.second, self.first):
            device.must("sync")
        if self.first.codes() != self.second.codes():
            raise Found(f"the devices differ: {self.first.codes()} {self.second.codes()}")
        if self.first.zones() != self.second.zones():
            raise Found(f"the states differ: {self.first.zones()} {self.second.zones()}")


class Frozen:
    """A folder as it was, to be put back in place.

    Files keep their inode: a store whose file is another one is a copy, which is another situation.
    """

    def __init__(self, folder, service=None):
        self.folder, self.service = folder, service
        self.files, self.folders = {}, {}
        self.settle()
        for base, names, files in os.walk(folder):
            for name in names:
                path = f"{base}/{name}"
                self.folders[path] = stat.S_IMODE(os.stat(path).st_mode)
            for name in files:
                path = f"{base}/{name}"
                status = os.stat(path)
                with open(path, "rb") as file:
                    self.files[path] = (status.st_ino, stat.S_IMODE(status.st_mode), file.read())

    def settle(self):
        """Waits until nothing that was sent before is under way."""
        if self.service:
            self.service.settle()

    def restore(self, files=None, folders=None):
        """Puts the folder back, with other contents where given."""
        self.settle()
        files = {p: c for p, (_, _, c) in self.files.items()} if files is None else files
        folders = self.folders if folders is None else folders
        for base, names, present in os.walk(self.folder, topdown=False):
            for name in present:
                if f"{base}/{name}" not in files:
                    os.unlink(f"{base}/{name}")
            for name in names:
                if f"{base}/{name}" not in folders:
                    os.rmdir(f"{base}/{name}")
        for path in sorted(folders):
            if not os.path.isdir(path):
                os.mkdir(path)
            os.chmod(path, self.folders.get(path, 0o700))
        for path, content in files.items():
            known = self.files.get(path)
            mode = known[1] if known else 0o600
            if os.path.exists(path) and (not known or os.stat(path).st_ino == known[0]):
                os.chmod(path, 0o600)
                with open(path, "r+b") as file:
                    if file.read() != content:
                        file.seek(0)
                        file.write(content)
                        file.truncate()
            else:
                if os.path.exists(path):
                    os.unlink(path)
                with open(path, "wb") as file:
                    file.write(content)
            os.chmod(path, mode)
        if self.service:
            self.service.forget()
