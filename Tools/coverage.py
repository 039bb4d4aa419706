"""Adds up an lcov file by module, and lists missing lines in files that need full coverage."""

import collections
import os
import sys

path, least, whole = sys.argv[1], float(sys.argv[2]), sys.argv[3:]
root = os.getcwd() + "/"
lines = collections.defaultdict(dict)
with open(path) as report:
    for line in report:
        if line.startswith("SF:"):
            file = line[3:].strip()
            file = file[file.find("/Modules/") + 1:] if "/Modules/" in file else file.removeprefix(root)
            if "/Tools/" in file:
                file = file[file.find("/Tools/") + 1:]
        elif line.startswith("DA:"):
            number, count = line[3:].strip().split(",")[:2]
            lines[file][int(number)] = max(int(count), lines[file].get(int(number), 0))

total = collections.Counter()
modules = collections.defaultdict(collections.Counter)
left = []
for file, counts in sorted(lines.items()):
    if "/SyncKitTesting/" in file or "/checkouts/" in file or file.startswith("/"):
        continue
    module = "/".join(file.split("/")[:2])
    reached = sum(1 for count in counts.values() if count)
    for sums in (total, modules[module]):
        sums["lines"] += len(counts)
        sums["reached"] += reached
    if any(file.startswith(start) for start in whole):
        left += [f"{file}:{number}" for number, count in sorted(counts.items()) if not count]

for module, sums in sorted(modules.items()):
    print(f"{100 * sums['reached'] / sums['lines']:6.1f} %  {sums['lines']:6}  {module}")
share = 100 * total["reached"] / max(1, total["lines"])
print(f"{share:6.1f} %  {total['lines']:6}  all")
print(f"{len(left)} lines missing in files that need full coverage" + "".join(f"\n  {line}" for line in left))
sys.exit(0 if share >= least and not left else 1)
