"""Kills the program, and kills or fails it again before it has recovered."""

import errno

import errors
from world import Found, Frozen

SECOND = (("kill", "kill"), ("torn", "torn"), ("EIO", str(errno.EIO)), ("ENOSPC", str(errno.ENOSPC)))
RECOVERY = 10


def run(program, shim, folder, scenarios, arguments):
    cases, found = 0, []
    for scenario_type in scenarios:
        for kind in scenario_type.chosen(arguments):
            scenario = scenario_type(program, f"{folder}/twice", kind)
            frozen = Frozen(scenario.world.folder, scenario.world.service)
            recorded, _ = shim.calls(scenario, scenario.world.calls)
            count = max((call.number for call in recorded), default=0)
            turn, done = arguments.seed, 0
            for first in range(1, count + 1):
                # Recovery takes a few more calls; with fewer, nothing fails, and the command must count as done.
                for second in range(1, count + RECOVERY):
                    turn += 1
                    if turn % arguments.share:
                        continue
                    name, action = SECOND[turn // arguments.share % len(SECOND)]
                    killed = kill(shim, scenario, frozen, first)
                    outcome = scenario.device.run(*scenario.command, variables=shim.variables(
                        [scenario.world.folder], at=second, action=action, kinds=scenario.world.calls))
                    done += 1
                    try:
                        if outcome.status not in errors.NAMED | {-9, 0}:
                            raise Found(f"not a named failure: {outcome}")
                        scenario.check(killed if scenario.said(killed) else outcome)
                    except Found as failure:
                        found.append(
                            f"{scenario.name} {kind} killed at {first}, {name} at {second}: {failure}")
            cases += done
            print(f"  {scenario.name} {kind}: {count} calls, {done} pairs", flush=True)
    return cases, found


def kill(shim, scenario, frozen, at):
    """The state after a kill; made each time, since names of one file cannot be put back as one."""
    frozen.restore()
    return scenario.device.run(
        *scenario.command, variables=shim.variables(
            [scenario.world.folder], at=at, action="kill", kinds=scenario.world.calls))
