"""A loss of power at any call: synchronised data is there, and a random part of the rest.

The calls of each scenario are recorded once, with their bytes. For each call, states of the disk just
after it are created, and the device continues from each. The order of the calls is checked as well:
nothing is acknowledged before it is safe, and SQLite's file is written only after its log.
"""

import random

import services
from disk import Disk
from shim import Call
from world import Found, Frozen

STATES = 12


def run(program, shim, folder, scenarios, arguments):
    cases, found, damaged = 0, [], 0
    for scenario_type in scenarios:
        # What a server has on its disk is the server's.
        for kind in [k for k in scenario_type.chosen(arguments) if k not in services.KINDS]:
            scenario = scenario_type(program, f"{folder}/power", kind)
            frozen = Frozen(scenario.world.folder)
            calls, outcome = shim.calls(scenario)
            found += [f"{scenario.name} {kind}: {line}" for line in check_order(frozen, calls)]
            done = 0
            for is_lying in (False, True):
                disk = begin(frozen)
                chance = random.Random(arguments.seed)
                said = False
                for position, call in enumerate(calls + [None]):
                    # The end of the program after the last call acknowledges as well.
                    said = said or call is None or call.kind == "say"
                    if call is not None and call.kind != "say":
                        if not (is_lying and call.kind == "sync"):
                            disk.play(call)
                    elif call is not None:
                        continue
                    for number in range(STATES if not is_lying else 2):
                        files, folders = disk.crashed(chance, (0, 1, 0.5, 0.8)[number % 4])
                        if chance.randrange(arguments.share):
                            continue
                        frozen.restore(files, {path: 0o700 for path in folders})
                        cases += 1
                        done += 1
                        try:
                            if is_lying:
                                damaged += check_lying(scenario)
                            else:
                                ended = as_if(outcome, call is None)
                                scenario.check(ended, is_quick=done % 8 != 0)
                        except Found as failure:
                            what = "lying " if is_lying else ""
                            found.append(f"{scenario.name} {kind}, {what}after call {position}, "
                                         f"state {number}: {failure}")
            frozen.restore()
            print(f"  {scenario.name} {kind}: {len(calls)} calls, {done} states", flush=True)
    print(f"  lying disk: {damaged} states were reported as damaged and repaired")
    return cases, found


def begin(frozen):
    return Disk(frozen.folder, {p: c for p, (_, _, c) in frozen.files.items()}, frozen.folders)


def as_if(outcome, is_over):
    """The outcome of a command that was interrupted, or has ended."""
    class Ended:
        status, out, err = (outcome.status if is_over else -9), "", ""
        def __str__(self):
            return "power lost " + ("after the end" if is_over else "midway")
    return Ended()


def check_lying(scenario):
    """A disk that lies about synchronising may lose data; but the loss is reported, and can be repaired."""
    device = scenario.device
    listed = device.run("airports", "list", "--json")
    if listed.status == 0:
        device.run("sync")
        return 0
    if listed.status not in (65, 66, 78):
        raise Found(f"not a named failure: {listed}")
    if listed.status == 65:
        device.must("verify", "--repair")
        device.must("airports", "list")
    return 1


def check_order(frozen, calls):
    """Data acknowledged before it is safe, and writes of SQLite in the wrong order."""
    disk = begin(frozen)
    for call in calls:
        if call.kind == "say":
            for line in waiting(disk):
                yield f"acknowledged before it is safe: {line}"
            continue
        if call.kind in ("write", "truncate") and call.path.endswith(".sqlite"):
            if any(path == call.path + "-wal" for _, path, _ in disk.unsafe()):
                yield f"call {call.number} writes {call.path} before its log is safe"
        if call.path.endswith(".sqlite-wal") and call.kind in ("write", "truncate") and call.offset == 0:
            main = call.path[:-len("-wal")]
            if any(path == main for _, path, _ in disk.unsafe()):
                yield f"call {call.number} starts {call.path} again before its file is safe"
        disk.play(call)
    for line in waiting(disk):
        yield f"ended before it is safe: {line}"


def waiting(disk):
    """Data that is not safe and would be missed."""
    lines = set()
    for kind, path, change in disk.unsafe():
        if path.endswith("-shm") or path.endswith(".lock"):
            continue  # The log's index is rebuilt, and a lock means nothing after a crash.
        if path.endswith("/runs.jsonl"):
            continue  # A diary for people; no run depends on it, and none waits for the disk for it.
        if kind in ("write", "truncate") and not path:
            continue  # The file no longer has a name, such as the log of a merged draft.
        if kind == "create" and path.endswith("-wal") and disk.is_empty(path):
            continue  # An empty log says what no log says; SQLite makes its name safe with the first commit.
        if kind in ("unlink", "rmdir") or kind in ("create", "mkdir") and path not in disk.now.names:
            continue  # A name that comes back is a leftover at worst.
        if kind == "truncate" and path.endswith("-wal"):
            continue  # All of the log is in the file already.
        if kind == "rename" and change[2] not in disk.now.names:
            continue
        lines.add(f"{kind} {path}")
    return sorted(lines)
