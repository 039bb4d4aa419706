"""Plants one bug after the other into a scratch copy and sees whether a harness notices.

    python3 Tools/mutants                 all of them; writes Documentation/PlantedBugs.md
    python3 Tools/mutants NAME…           these
    python3 Tools/mutants --check         only that each still fits the code; seconds
    python3 Tools/mutants --rotate N      N of them, other ones each day

    --tree PATH     a copy with a warm build that may be altered, in place of .build/mutants
    --seeds N       how many worlds the simulator tries (1000)
    --table         only writes the page, from the results that are there
    --results FILE  where results are kept, so that a run that was cut off goes on
                    (.build/mutants/results.json)

A planted bug is a file in Tools/mutants/planted: what it does, which harness must catch it, and what is
replaced where. A harness is `simulator`, `test FILTER` or `crashes ARGUMENTS`, several separated by ' | '.
The first that fails has caught it. A bug that does not compile, or whose harness fails without it, proves
nothing and counts as a failure of this tool.
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

    def planted(self, source):
        """The source with the bug; fails when the bug does not fit it any more."""
        for old, new in self.pairs:
            if source.count(old) != 1:
                sys.exit(f"mutants: {self.name} fits {source.count(old)} places of {self.file}:\n{old}")
            source = source.replace(old, new.rstrip("\n"))
        return source


class Tree:
    """A copy of the repository in which bugs are planted, one at a time."""

    def __init__(self, path):
        self.path = path or os.path.join(ROOT, ".build", "mutants", "tree")
        if not path and not os.path.exists(self.path):
            subprocess.run(["git", "clone", "--quiet", "--shared", ROOT, self.path], check=True)
        elif not path:
            head = subprocess.run(["git", "-C", ROOT, "rev-parse", "HEAD"], check=True,
                                  capture_output=True, text=True).stdout.strip()
            subprocess.run(["git", "-C", self.path, "fetch", "--quiet", ROOT, head], check=True)
            subprocess.run(["git", "-C", self.path, "checkout", "--quiet", "--force", head], check=True)

    def run(self, command, limit=LIMIT):
        """Runs in the tree; kills the whole family when it takes too long."""
        process = subprocess.Popen(command, cwd=self.path, stdin=subprocess.DEVNULL, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   start_new_session=True)
        try:
            output, _ = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, _ = process.communicate()
            return None, output
        return process.returncode, output

    def build(self, harness):
        words = {"simulator": ["--product", "cloudsync-sim"], "crashes": ["--product", "cloudsync"],
                 "test": ["--build-tests"]}[harness.split()[0]]
        return self.run(["swift", "build", *words], limit=3600)

    def judge(self, harness, seeds):
        """Whether the harness fails, and the words it says then."""
        words = harness.split()
        if words[0] == "simulator":
            command = [f"{self.path}/.build/debug/cloudsync-sim", "--seeds", f"1..{seeds}",
                       "--no-shrink", "--jobs", "1"]
        elif words[0] == "crashes":
            command = ["python3", "Tools/crashes", *words[1:], "--program", ".build/debug/cloudsync"]
        else:
            command = ["swift", "test", "--skip-build", "--filter", words[1]]
        status, output = self.run(command)
        if status is None:
            # Of tests that end within minutes; a thousand worlds may just take their time.
            return words[0] != "simulator", f"does not end within {LIMIT // 60} minutes"
        if status in (-signal.SIGTERM, -signal.SIGKILL, -signal.SIGINT):
            sys.exit(f"mutants: somebody has ended {harness}")
        return status != 0, " ".join(first_words(words[0], output))


def first_words(kind, output):
    if kind == "simulator":
        seed = re.search(r"seed[ =]+(\d+)", output, re.I)
        return [f"seed {seed.group(1)}" if seed else output.strip().splitlines()[-1][:80]]
    if kind == "crashes":
        found = re.search(r"FOUND (.{0,90})", output)
        return [found.group(1) if found else output.strip()[-90:]]
    found = re.search(r"✘ Test (.+?) recorded an issue", output)
    crashed = "" if found else " (the test process died)" if "signal" in output else ""
    return [found.group(1).strip('"') if found else output.strip().splitlines()[-1][:80], crashed]


def table(bugs, results):
    lines = [
        "# Planted bugs", "",
        "Each of these was planted alone into a copy of the code, by a file of "
        "[Tools/mutants/planted](../Tools/mutants/planted), and had to be noticed by the harness named: "
        "the simulator within 1,000 seeds, a test, or the crash harness. "
        "`python3 Tools/mutants` makes this page.", "",
        "| Bug | What goes wrong | Noticed by | How |", "|---|---|---|---|"]
    for bug in bugs:
        result = results.get(bug.name)
        if not result:
            by = " or ".join(bug.harnesses).replace("|", "\\|")
            lines.append(f"| {bug.name} | {bug.what} | {by} | not run yet |")
            continue
        how = result["how"].replace("|", "\\|").replace("<", "‹").replace(">", "›")
        by = result["by"].replace("|", "\\|")
        lines.append(f"| {bug.name} | {bug.what} | {by} | {how} |")
    done = [results[bug.name] for bug in bugs if bug.name in results]
    caught = sum(result["caught"] for result in done)
    lines += ["", f"{len(bugs)} planted bugs, {len(done)} run, {caught} noticed; {datetime.date.today()}.",
              "", "## Around the protocols", "",
              "Faulty parts that stand in place of sound ones, in tests that run each time:", "",
              "| Tests | Faulty parts |", "|---|---|",
              "| `Tests/SyncKitTests/MergeContractTests.swift` | 26 mistakes of a merging replica |",
              "| `Tests/SyncKitTests/ConflictPolicyTests.swift` | 7 conflict policies that break a promise |",
              "| `Tests/SyncKitTests/SimulationPlantedFaultTests.swift` | 5 parts of a simulated world |",
              "| `Tests/SQLiteStorageTests/ContractCatchesTests.swift` | 11 storages |",
              "| `Tests/FileTransportTests/ContractCatchesTests.swift` | 14 transports |", ""]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--rotate", type=int)
    parser.add_argument("--kind", help="only bugs whose first harness is of this kind")
    parser.add_argument("--tree")
    parser.add_argument("--seeds", type=int, default=1000)
    parser.add_argument("--results", default=os.path.join(ROOT, ".build", "mutants", "results.json"))
    arguments = parser.parse_args()
    every = [Bug(name[:-len(".mutant")]) for name in sorted(os.listdir(f"{HERE}/planted"))]
    for bug in every:
        with open(os.path.join(ROOT, bug.file)) as file:
            bug.planted(file.read())
    if arguments.check:
        print(f"mutants: {len(every)} planted bugs fit the code")
        return
    bugs = [bug for bug in every if not arguments.names or bug.name in arguments.names]
    if arguments.kind:
        bugs = [bug for bug in bugs if bug.harnesses[0].split()[0] == arguments.kind]
    results = {}
    if arguments.rotate:
        day = datetime.date.today().toordinal()
        bugs = [bugs[(day * arguments.rotate + n) % len(bugs)] for n in range(arguments.rotate)]
    elif os.path.exists(arguments.results) and not arguments.names:
        with open(arguments.results) as file:
            results = json.load(file)
    if arguments.table:
        bugs = []
    missed = 0
    tree = None if arguments.table else Tree(arguments.tree)
    for bug in bugs:
        if bug.name in results:
            continue
        path = os.path.join(tree.path, bug.file)
        with open(path) as file:
            sound = file.read()
        started = time.monotonic()
        result = {"caught": False, "by": bug.harnesses[0], "how": "not noticed"}
        try:
            with open(path, "w") as file:
                file.write(bug.planted(sound))
            for harness in bug.harnesses:
                status, output = tree.build(harness)
                if status != 0:
                    result["how"] = "does not build: " + " ".join(
                        re.findall(r"error: (.*)", output)[:2])
                    break
                caught, how = tree.judge(harness, arguments.seeds)
                if caught:
                    result = {"caught": True, "by": harness, "how": how}
                    break
        finally:
            with open(path, "w") as file:
                file.write(sound)
        result["seconds"] = round(time.monotonic() - started)
        results[bug.name] = result
        missed += not result["caught"]
        print(f"{'noticed' if result['caught'] else 'MISSED '} {bug.name}: {result['by']}: "
              f"{result['how']} ({result['seconds']} s)", flush=True)
        if not arguments.names and not arguments.rotate:
            os.makedirs(os.path.dirname(arguments.results), exist_ok=True)
            with open(arguments.results, "w") as file:
                json.dump(results, file, indent=1)
    if not arguments.names and not arguments.rotate:
        with open(TABLE, "w") as file:
            file.write(table(every, results))
        print(f"mutants: wrote {os.path.relpath(TABLE, ROOT)}")
    print(f"mutants: {len(bugs) - missed} of {len(bugs)} noticed")
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
