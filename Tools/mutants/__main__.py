"""Plants one bug after another in a scratch copy and checks whether a harness notices.

    python3 Tools/mutants                 all bugs; writes Documentation/PlantedBugs.md
    python3 Tools/mutants NAME…           only these
    python3 Tools/mutants --missing       only those that have not run, or were not noticed
    python3 Tools/mutants --check         only check that each still fits the code; seconds
    python3 Tools/mutants --rotate N      N of the quick ones, other ones each day or each --turn NUMBER; writes no files

    --kind KIND     only those whose first harness is of this kind
    --tree PATH     a copy with a warm build to alter, instead of .build/mutants
    --here          in this tree itself, which has a warm build in CI; each bug is removed again
    --seeds N       the number of worlds that the simulator tries (1000)
    --table         only write the page, from the existing results

A planted bug is a file in Tools/mutants/planted: what it does, which harness must catch it, and which
code it replaces. A harness is `simulator`, `test FILTER` or `crashes ARGUMENTS`, several separated by ' | '.
The first that reports a finding has caught it; one that ends for another reason, such as unknown arguments,
has caught nothing. A bug that does not compile is not noticed either. Each result is written to results.json
at once, so that an interrupted run can continue with --missing.
"""

import argparse
import datetime
import json
import os
import re
import signal
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
TABLE = os.path.join(ROOT, "Documentation", "PlantedBugs.md")
RESULTS = os.path.join(HERE, "results.json")
LIMIT = int(os.environ.get("CLOUDSYNC_MUTANTS_LIMIT", 1800))


class Bug:
    def __init__(self, name):
        self.name = name
        with open(f"{HERE}/planted/{name}.mutant") as file:
            text = file.read()
        head = dict(re.findall(r"^(what|by|file): (.+)$", text, re.M))
        self.what, self.file, self.harnesses = head["what"], head["file"], head["by"].split(" | ")
        self.pairs = re.findall(r"^<<<<\n(.*?)\n====\n(.*?)>>>>\n", text, re.M | re.S)
        if not self.pairs:
            sys.exit(f"mutants: {name} replaces nothing")

    def is_quick(self, result):
        """Whether CI can play it: the simulator starts with the world that noticed it last."""
        return self.harnesses[0] == "simulator" or result.get("seconds", 0) <= 60

    def planted(self, source):
        """The source with the bug; fails if the bug no longer fits."""
        for old, new in self.pairs:
            if source.count(old) != 1:
                sys.exit(f"mutants: {self.name} fits {source.count(old)} places of {self.file}:\n{old}")
            source = source.replace(old, new.rstrip("\n"))
        return source


class Tree:
    """A copy of the repository in which bugs are planted, one at a time."""

    def __init__(self, path, here=False):
        if here:
            self.path = ROOT
            return
        self.path = path or os.path.join(ROOT, ".build", "mutants", "tree")
        if not os.path.exists(self.path):
            subprocess.run(["git", "clone", "--quiet", "--shared", ROOT, self.path], check=True)
        head = subprocess.run(["git", "-C", ROOT, "rev-parse", "HEAD"], check=True,
                              capture_output=True, text=True).stdout.strip()
        subprocess.run(["git", "-C", self.path, "fetch", "--quiet", ROOT, head], check=True)
        subprocess.run(["git", "-C", self.path, "checkout", "--quiet", "--force", head], check=True)

    def run(self, command, limit=LIMIT):
        """Runs in the tree; kills all its processes if it takes too long."""
        process = subprocess.Popen(command, cwd=self.path, stdin=subprocess.DEVNULL, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   start_new_session=True)
        try:
            output, _ = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, _ = process.communicate()
            return None, output
        except BaseException:
            # Ending this script also ends what it has started.
            os.killpg(process.pid, signal.SIGKILL)
            raise
        return process.returncode, output

    def build(self, harness):
        words = {"simulator": ["--product", "cloudsync-sim"], "crashes": ["--product", "cloudsync"],
                 "test": ["--product", "cloudsyncPackageTests"]}[harness.split()[0]]
        return self.run(["swift", "build", *words], limit=3600)

    def judge(self, harness, seeds, likely):
        """Whether the harness fails, and its words then; the likely seed is tried first."""
        if harness == "simulator" and likely:
            caught, how = self.ask(harness, f"{likely}..{likely}")
            if caught:
                return caught, how
        return self.ask(harness, f"1..{seeds}")

    def ask(self, harness, seeds):
        words = harness.split()
        if words[0] == "simulator":
            command = [f"{self.path}/.build/debug/cloudsync-sim", "--seeds", seeds, "--no-shrink",
                       "--jobs", "1"]
        elif words[0] == "crashes":
            command = ["python3", "Tools/crashes", *words[1:], "--program", ".build/debug/cloudsync"]
        else:
            command = ["swift", "test", "--skip-build", "--filter", words[1]]
        status, output = self.run(command)
        if status is None:
            # On a busy machine that proves nothing.
            return False, f"does not end within {LIMIT // 60} minutes"
        if status in (-signal.SIGTERM, -signal.SIGKILL, -signal.SIGINT):
            sys.exit(f"mutants: {harness} was ended from outside")
        found = finding(words[0], output) if status != 0 else None
        if status < 0 and not found:
            found = f"ends by {signal.Signals(-status).name}"
        return found is not None, found or last_line(output)


def finding(kind, output):
    """The finding that a harness reports; None if it ended for another reason."""
    if kind == "simulator":
        found = re.search(r"^Seed (\d+) ", output, re.M)
        return found and f"seed {found.group(1)}"
    if kind == "crashes":
        found = re.search(r"FOUND (.{0,90})", output)
        return found and found.group(1)
    found = re.search(r"✘ Test (.+?) recorded an issue", output)
    if found:
        return re.sub(r"\(\).*|\"", "", found.group(1))
    # A test that ends the process has found something as well.
    ended = re.search(r"unexpected signal code \d+|Fatal error: .{0,60}", output)
    return ended and f"the test process ends: {ended.group(0)}"


def last_line(output):
    return (output.strip().splitlines() or ["says nothing"])[-1][:80]


def table(bugs, results):
    lines = [
        "# Planted bugs", "",
        "Each of these was planted alone into a copy of the code, by a file of "
        "[Tools/mutants/planted](../Tools/mutants/planted), and had to be noticed by the harness named: "
        "the simulator within 1,000 seeds, a test, or the crash harness. "
        "`python3 Tools/mutants` makes this page.", "",
        "| Bug | What goes wrong | Noticed by | How | After |", "|---|---|---|---|---|"]
    for bug in bugs:
        result = results.get(bug.name)
        by = result["by"] if result else " or ".join(bug.harnesses)
        how = result["how"] if result else "not run yet"
        after = f"{result['seconds']} s" if result and "seconds" in result else ""
        lines.append("| " + " | ".join(cell(text) for text in (bug.name, bug.what, by, how, after)) + " |")
    done = [results[bug.name] for bug in bugs if bug.name in results]
    caught = sum(result["caught"] for result in done)
    lines += ["", f"{len(bugs)} planted bugs, {len(done)} run, {caught} noticed. After tells how long the harness "
              "took, without the build.",
              "", "## Around the protocols", "",
              "Faulty parts that stand in place of sound ones, in tests that run each time:", "",
              "| Tests | Faulty parts |", "|---|---|",
              "| `Tests/SyncKitTests/MergeContractTests.swift` | 26 mistakes of a merging replica |",
              "| `Tests/SyncKitTests/ConflictPolicyTests.swift` | 7 conflict policies that break a promise |",
              "| `Tests/SyncKitTests/SimulationPlantedFaultTests.swift` | 5 parts of a simulated world |",
              "| `Tests/SQLiteStorageTests/ContractCatchesTests.swift` | 11 storages |",
              "| `Tests/FileTransportTests/ContractCatchesTests.swift` | 14 transports |", ""]
    return "\n".join(lines)


def cell(text):
    for found, put in ("|", "\\|"), ("<", "‹"), (">", "›"):
        text = text.replace(found, put)
    return text


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--rotate", type=int)
    parser.add_argument("--turn", type=int, default=datetime.date.today().toordinal())
    parser.add_argument("--kind", help="only bugs whose first harness is of this kind")
    parser.add_argument("--missing", action="store_true")
    parser.add_argument("--tree")
    parser.add_argument("--here", action="store_true")
    parser.add_argument("--seeds", type=int, default=1000)
    arguments = parser.parse_args()
    # The bug is removed even if this script is ended.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("mutants: ended"))
    every = [Bug(name[:-len(".mutant")]) for name in sorted(os.listdir(f"{HERE}/planted"))]
    for bug in every:
        with open(os.path.join(ROOT, bug.file)) as file:
            bug.planted(file.read())
    unknown = set(arguments.names) - {bug.name for bug in every}
    if unknown:
        sys.exit(f"mutants: there is no {', '.join(sorted(unknown))}")
    if arguments.check:
        print(f"mutants: {len(every)} planted bugs fit the code")
        return
    results = {}
    if os.path.exists(RESULTS):
        with open(RESULTS) as file:
            results = json.load(file)
    bugs = [bug for bug in every if not arguments.names or bug.name in arguments.names]
    if arguments.kind:
        bugs = [bug for bug in bugs if bug.harnesses[0].split()[0] == arguments.kind]
    if arguments.missing:
        bugs = [bug for bug in bugs if not results.get(bug.name, {}).get("caught")]
    if arguments.rotate:
        bugs = [bug for bug in bugs if bug.is_quick(results.get(bug.name, {}))]
        bugs = [bugs[(arguments.turn * arguments.rotate + n) % len(bugs)] for n in range(arguments.rotate)]
    if arguments.table:
        bugs = []
    missed = 0
    tree = None if arguments.table else Tree(arguments.tree, arguments.here)
    for bug in bugs:
        # Where it was noticed last; only to be quick, all the others follow.
        known = re.fullmatch(r"seed (\d+)", results.get(bug.name, {}).get("how", ""))
        likely = known.group(1) if known and arguments.rotate else None
        result = play(bug, tree, arguments.seeds, likely)
        missed += not result["caught"]
        print(f"{'noticed' if result['caught'] else 'MISSED '} {bug.name}: {result['by']}: "
              f"{result['how']} ({result['seconds']} s, and {result['build']} s to build)", flush=True)
        if not arguments.rotate:
            # The paths of temporary files mean nothing on another machine.
            result["how"] = re.sub(r" /\S+", "", result["how"])
            results[bug.name] = result
            with open(RESULTS, "w") as file:
                json.dump(results, file, indent=1, sort_keys=True)
                file.write("\n")
    if not arguments.rotate:
        with open(TABLE, "w") as file:
            file.write(table(every, results))
        print(f"mutants: wrote {os.path.relpath(TABLE, ROOT)}")
    if bugs:
        print(f"mutants: {len(bugs) - missed} of {len(bugs)} noticed")
    sys.exit(1 if missed else 0)


def play(bug, tree, seeds, likely):
    """Plants a bug, runs its harnesses, and removes it again."""
    path = os.path.join(tree.path, bug.file)
    with open(path) as file:
        sound = file.read()
    result = {"caught": False, "by": bug.harnesses[0], "how": "not noticed", "seconds": 0, "build": 0,
              "day": str(datetime.date.today())}
    try:
        with open(path, "w") as file:
            file.write(bug.planted(sound))
        for harness in bug.harnesses:
            started = time.monotonic()
            status, output = tree.build(harness)
            built = time.monotonic()
            result["build"] += round(built - started)
            if status != 0:
                result["how"] = "does not build: " + " ".join(re.findall(r"error: (.*)", output)[:2])
                break
            caught, how = tree.judge(harness, seeds, likely)
            result["seconds"] += round(time.monotonic() - built)
            if caught:
                result.update(caught=True, by=harness, how=how)
                break
            print(f"  {bug.name} passes {harness}: {how}", flush=True)
    finally:
        with open(path, "w") as file:
            file.write(sound)
    return result


if __name__ == "__main__":
    main()
