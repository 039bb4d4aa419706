"""A disk that is really full, a read-only one, and a process that may open only few files.

The first two need a mount of their own, which needs root; without it they are skipped with a message.
"""

import os
import resource
import subprocess

from scenarios import KNOWN
from world import Found, World

READING = (("airports", "list"), ("airports", "export"), ("status",), ("history", "list"), ("verify",))
WRITING = (("airports", "add", "VIE", "LOWW"), ("airports", "rm", "ZRH"))


def run(program, shim, folder, scenarios, arguments):
    found, cases = [], 0
    for name, check in (("full", full), ("read-only", read_only), ("few files", few_files)):
        path = f"{folder}/medium"
        os.makedirs(path, exist_ok=True)
        isMounted = name != "few files"
        if isMounted and subprocess.run(
                ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", path],
                stderr=subprocess.DEVNULL).returncode:
            print(f"  {name}: skipped, as nothing can be mounted here")
            continue
        try:
            world = World(program, f"{path}/world", "folder")
            for device in (world.first, world.second):
                world.set_up(device)
            world.add(world.first, KNOWN)
            world.agree()
            cases += check(world, path)
            world.agree()
            print(f"  {name}: done", flush=True)
        except Found as failure:
            found.append(f"{name}: {failure}")
        finally:
            if isMounted:
                subprocess.run(["umount", path], check=False)
    return cases, found


def expect(outcome, *statuses):
    if outcome.status not in statuses:
        raise Found(str(outcome))
    return 1


def full(world, path):
    """Reading works; writing reports a full disk, and works again once there is space."""
    cases = 0
    with open(f"{path}/filler", "wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(1024))
        except OSError:
            pass
    for command in READING:
        cases += expect(world.first.run(*command), 0)
    for command in WRITING:
        cases += expect(world.first.run(*command), 74)
    os.unlink(f"{path}/filler")
    if world.first.codes() != KNOWN:
        raise Found(f"a refused write left something behind: {world.first.codes()}")
    return cases


def read_only(world, path):
    """Reading works, writing is refused, and nothing is changed."""
    cases = 0
    subprocess.run(["mount", "-o", "remount,ro", path], check=True)
    try:
        for command in READING:
            cases += expect(world.first.run(*command), 0)
        for command in WRITING + (("sync",),):
            cases += expect(world.first.run(*command), 74)
    finally:
        subprocess.run(["mount", "-o", "remount,rw", path], check=True)
    if world.first.codes() != KNOWN:
        raise Found(f"it shows {world.first.codes()}")
    return cases


def few_files(world, path):
    """A process that may open too few files says so, and changes nothing."""
    cases = 0
    for limit in range(5, 16):
        for command in (("airports", "list"), ("airports", "add", "VIE", "LOWW"), ("sync",)):
            result = subprocess.run(
                [world.program, *command], env=world.first.environment(), cwd=world.first.home,
                stdin=subprocess.DEVNULL, capture_output=True, text=True,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit)))
            cases += 1
            # 127: not even the program's libraries could be opened.
            if result.returncode not in (0, 69, 74, 75, 78, 127):
                raise Found(f"{limit} files, {' '.join(command)}: {result.returncode} {result.stderr[:300]}")
    world.first.must("airports", "add", "VIE", "LOWW")
    return cases
