"""Bytes of files change, vanish, double or change places: this is detected, or makes no difference.

Every byte of small files (segments, markers, configuration, identity), and a sample of the stores and
of a shared SQLite file. Detected damage is repaired: a store from its log and the remote, a remote by
the device that has the missing data.
"""

import json
import os
import random

from scenarios import KNOWN, OTHERS
from world import Device, Found, Frozen, World

NAMED = {65, 66, 69, 73, 74, 75, 76, 77, 78}
ALL = {**KNOWN, **OTHERS}


def run(program, shim, folder, scenarios, arguments):
    cases, found, noticed = 0, [], 0
    chance = random.Random(arguments.seed)
    only = arguments.only.split(",") if arguments.only else None
    for kind in ("folder", "sqlite"):
        world = World(program, f"{folder}/corruption", kind)
        for device in (world.first, world.second):
            world.set_up(device)
        world.add(world.first, KNOWN)
        world.agree()
        world.add(world.second, OTHERS)
        world.agree()
        frozen = Frozen(world.folder)
        for name, paths, judge in list(targets(world, kind)):
            if only and name not in only:
                continue
            before, seen = cases, noticed
            for path in paths:
                content = frozen.files[path][2]
                siblings = [frozen.files[p][2] for p in paths if p != path]
                for what, changed in changes(content, siblings, chance, large=len(content) > 4096):
                    if chance.randrange(arguments.share):
                        continue
                    files = {p: c for p, (_, _, c) in frozen.files.items()}
                    files[path] = changed
                    frozen.restore(files)
                    cases += 1
                    try:
                        noticed += judge(world, path, content)
                    except Found as failure:
                        found.append(f"{kind} {os.path.relpath(path, world.folder)} {what}: {failure}")
            print(f"  {kind} {name}: {len(paths)} files, {cases - before} cases, "
                  f"{noticed - seen} noticed, the others harmless", flush=True)
    return cases, found


def changes(content, siblings, chance, large):
    """What may happen to a file, byte by byte, or for a sample of its bytes."""
    places = range(len(content)) if not large else sorted(chance.sample(range(len(content)), 400))
    for place in places:
        for what, byte in (("flipped", content[place] ^ 1 << chance.randrange(8)), ("zeroed", 0),
                           ("set", 255)):
            if byte != content[place]:
                yield f"{what} at {place}", content[:place] + bytes([byte]) + content[place + 1:]
        yield f"cut at {place}", content[:place]
    for length in (1, 16, 512):
        start = chance.randrange(max(1, len(content) - length))
        piece = content[start:start + length]
        yield f"{length} doubled at {start}", content[:start] + piece + content[start:]
        yield f"{length} taken at {start}", content[:start] + content[start + length:]
    yield "doubled", content + content
    for sibling in siblings:
        yield "exchanged for another", sibling


def targets(world, kind):
    home = f"{world.first.home}/.local/share/cloudsync"
    yield "config", [f"{world.first.home}/.config/cloudsync/config.yaml"], judge_settings
    yield "identity", [f"{home}/airports.identity", f"{home}/device"], judge_identity
    yield "store", [f"{home}/airports.sqlite"], judge_store
    if kind == "sqlite":
        yield "shared-file", [world.place], judge_place
        return
    segments, markers = [], []
    for base, _, names in os.walk(world.place):
        for name in sorted(names):
            if name.endswith(".seg"):
                if "/airports/" in base:
                    segments.append(f"{base}/{name}")
            else:
                markers.append(f"{base}/{name}")
    yield "segments", segments, judge_place
    yield "markers", markers, judge_place


def judge_settings(world, path, content):
    """A damaged configuration is refused or valid; the data are as they were."""
    outcome = world.first.run("sync")
    if outcome.status not in NAMED | {0, 3, 64}:
        raise Found(str(outcome))
    with open(path, "wb") as file:
        file.write(content)
    check_data(world)
    return outcome.status != 0


def judge_identity(world, path, content):
    """A device with a damaged identity takes a new one at worst; nothing is lost."""
    outcome = world.first.run("sync")
    if outcome.status not in NAMED | {0}:
        raise Found(str(outcome))
    if outcome.status:
        with open(path, "wb") as file:
            file.write(content)
    check_data(world)
    return outcome.status != 0


def check_data(world):
    world.agree()
    if world.first.codes() != ALL:
        raise Found(f"it shows {world.first.codes()}")


def judge_store(world, path, content):
    """Reading a damaged store, or verify, reports it; repaired and synced it is complete again."""
    listed = world.first.run("airports", "list", "--json")
    if listed.status not in (0, 65, 76, 78, 66):
        raise Found(str(listed))
    verified = world.first.run("verify", "--json")
    if verified.status not in (0, 65, 76, 78, 66):
        raise Found(str(verified))
    if listed.status == 0 and verified.status == 0:
        if world.first.codes() != ALL:
            raise Found(f"it shows {world.first.codes()}, and verify finds nothing")
        world.agree()
        return 0
    if verified.status in (76, 78):
        # The file looks foreign or newer, so it is left alone.
        return 1
    world.first.must("verify", "--repair")
    check_data(world)
    return 1


def judge_place(world, path, content):
    """A new device takes nothing wrong from a damaged remote, and gets everything once it is repaired."""
    newcomer = Device(world, "newcomer")
    outcome = newcomer.run(*world.initial(newcomer))
    if outcome.status == 0:
        outcome = newcomer.run("sync", "--json")
    if outcome.status not in NAMED | {0, 3}:
        raise Found(str(outcome))
    listed = newcomer.run("airports", "list", "--json")
    codes = newcomer.codes() if listed.status == 0 else {}
    if any(ALL.get(code) != value for code, value in codes.items()):
        raise Found(f"a new device shows {codes}")
    isWaiting = outcome.status == 0 and any(
        job["waiting"] for job in json.loads(outcome.out)["jobs"])
    if outcome.status == 0 and codes != ALL and not isWaiting:
        raise Found(f"a new device reports no problem, and shows {codes}")
    # A device that has the damaged data uploads it again.
    for device in (world.first, world.second):
        said = device.run("sync")
        if said.status not in NAMED | {0}:
            raise Found(str(said))
        if device.codes() != ALL:
            raise Found(f"the {device.name} device shows {device.codes()}")
        device.zones()
        device.run("verify", "--remotes", "--repair")
    healed = newcomer.run("sync", "--json")
    isHealed = healed.status == 0 and newcomer.run("airports", "list").status == 0 \
        and newcomer.codes() == ALL
    if not isHealed:
        if path.endswith(".seg"):
            raise Found(f"a healthy device did not repair it: {healed}")
        for ending in ("-wal", "-shm"):
            # The log of a damaged file does not belong to the restored one.
            if os.path.exists(path + ending):
                os.unlink(path + ending)
        with open(path, "wb") as file:
            file.write(content)
        # A refused init has set up nothing; a second one does no harm.
        newcomer.must(*world.initial(newcomer))
        newcomer.must("sync")
        if newcomer.codes() != ALL:
            raise Found(f"with the file back a new device shows {newcomer.codes()}")
    return codes != ALL or outcome.status != 0
