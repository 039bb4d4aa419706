"""Kills the program at every call that changes a file, before the call and in the middle of it.

Where the remote is on a server, also at every call that sends to it, and after every one that receives from it.
"""

from world import Found, Frozen


def run(program, shim, folder, scenarios, arguments):
    cases, found = 0, []
    for scenario_type in scenarios:
        for kind in scenario_type.chosen(arguments):
            scenario = scenario_type(program, f"{folder}/points", kind)
            frozen = Frozen(scenario.world.folder, scenario.world.service)
            calls, outcome = shim.calls(scenario, scenario.world.calls)
            if outcome.status:
                found.append(f"{scenario.name} {kind}: {outcome}")
                continue
            count = max((call.number for call in calls), default=0)
            done = 0
            for action in ("kill", "torn"):
                # After the last call nothing is interrupted, and the command must count as done.
                for at in range(1, count + 2):
                    if (at + arguments.seed) % arguments.share:
                        continue
                    if action == "torn" and at > count:
                        continue
                    frozen.restore()
                    killed = scenario.device.run(*scenario.command, variables=shim.variables(
                        [scenario.world.folder], at=at, action=action, kinds=scenario.world.calls))
                    cases += 1
                    done += 1
                    try:
                        if killed.status not in (-9, 0):
                            raise Found(str(killed))
                        scenario.check(killed)
                    except Found as failure:
                        found.append(f"{scenario.name} {kind} {action} at {at}: {failure}")
            print(f"  {scenario.name} {kind}: {count} calls, {done} kills", flush=True)
    return cases, found
