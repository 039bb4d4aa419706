"""Shared by the peers: a device keeps each record as a file, and a file tool syncs the folders.

    files.py import DEVICE FILE.ndjson    files.py edit DEVICE FILE.ndjson    files.py export DEVICE
"""
import json, os, sys

verb, device, rest = sys.argv[1], sys.argv[2], sys.argv[3:]
data = device + "/data"


def path(key):
    return f"{data}/{key[:2]}/{key}.json"


def write(key, line):
    os.makedirs(os.path.dirname(path(key)), exist_ok=True)
    with open(path(key), "w") as file:
        file.write(line)


if verb == "import":
    for line in open(rest[0]):
        write(json.loads(line)["id"], line)
elif verb == "edit":
    for line in open(rest[0]):
        fields = json.loads(line)
        record = json.load(open(path(fields["id"]))) | fields
        write(fields["id"], json.dumps(record, separators=(",", ":"), ensure_ascii=False) + "\n")
elif verb == "export":
    names = [f"{folder}/{name}" for folder, _, names in os.walk(data) for name in names if name.endswith(".json")]
    for name in sorted(names):
        sys.stdout.write(open(name).read())
