"""Calls that change files, or speak to a server, fail: with an error once, with an error from then on, or half done."""

import errno
import json

from world import Found, Frozen

# Name, action, kinds of calls, from then on.
FAULTS = (
    ("EIO", str(errno.EIO), "wsn", False),
    ("EIO from then on", str(errno.EIO), "wsn", True),
    ("ENOSPC", str(errno.ENOSPC), "wn", False),
    ("ENOSPC from then on", str(errno.ENOSPC), "wn", True),
    ("EIO on sync", str(errno.EIO), "s", False),
    ("EINTR", str(errno.EINTR), "w", False),
    ("half a write", "short", "w", True),
    ("EIO on read", str(errno.EIO), "r", False),
    ("EIO on read from then on", str(errno.EIO), "r", True),
)

# The same for calls to servers.
NETWORK = (
    ("ECONNRESET", str(errno.ECONNRESET), "oi", False),
    ("ECONNRESET from then on", str(errno.ECONNRESET), "oi", True),
    ("EPIPE on send", str(errno.EPIPE), "o", False),
    ("ETIMEDOUT on receive", str(errno.ETIMEDOUT), "i", False),
    ("half of each send", "short", "o", True),
)

# The allowed names of a failing disk; a bug (70), a signal or a usage error is not among them.
NAMED = {3, 65, 66, 69, 73, 74, 75, 76, 77, 78}


def run(program, shim, folder, scenarios, arguments):
    cases, found, table = 0, [], {}
    for scenario_type in scenarios:
        for kind in scenario_type.chosen(arguments):
            scenario = scenario_type(program, f"{folder}/errors", kind)
            frozen = Frozen(scenario.world.folder, scenario.world.service)
            turn = arguments.seed
            for name, action, kinds, forever in FAULTS + (NETWORK if scenario.world.service else ()):
                if not name.startswith(arguments.fault):
                    continue
                frozen.restore()
                if kinds == "r":
                    count = reads(shim, scenario)
                else:
                    calls, _ = shim.calls(scenario, kinds)
                    count = max((call.number for call in calls), default=0)
                places = [1] if action == "short" else range(1, count + 1)
                for at in places:
                    turn += 1
                    if turn % arguments.share:
                        continue
                    frozen.restore()
                    variables = shim.variables(
                        [scenario.world.folder], at=at, action=action, kinds=kinds, forever=forever)
                    cases += 1
                    try:
                        outcome = scenario.device.run(*scenario.command, "--json", variables=variables)
                        statuses = table.setdefault(name, {})
                        statuses[outcome.status] = statuses.get(outcome.status, 0) + 1
                        check(scenario, outcome, name, variables)
                    except Found as failure:
                        found.append(f"{scenario.name} {kind}, {name} at {at}: {failure}")
            print(f"  {scenario.name} {kind}: done", flush=True)
    for name, statuses in table.items():
        print(f"  {name}: " + ", ".join(f"exit {s}: {n}" for s, n in sorted(statuses.items())))
    return cases, found


def reads(shim, scenario):
    """The number of calls that read, found by failing ever later ones."""
    calls, _ = shim.calls(scenario, "r")
    return max((call.number for call in calls), default=0)


def check(scenario, outcome, name, variables):
    if outcome.status not in NAMED | {0}:
        raise Found(f"not a named failure: {outcome}")
    if name in ("EINTR", "half a write", "half of each send") and outcome.status:
        raise Found(f"this is no failure at all: {outcome}")
    if outcome.status:
        try:
            error = json.loads(outcome.err.strip().splitlines()[-1])
        except (ValueError, IndexError):
            error = {}
        if error.get("schema") != "cloudsync.error/1" and '"error"' not in outcome.out:
            raise Found(f"no error document: {outcome}")
    if name == "ENOSPC from then on" and scenario.name in ("add", "import", "push"):
        # Reading works on a full disk.
        listed = scenario.device.run("airports", "list", "--json", variables=variables)
        if listed.status:
            raise Found(f"with a full disk: {listed}")
    scenario.check(outcome)
