"""The naive way: all state is one JSON file, and the last writer of a field wins."""
import json, os, sys, time

verb, folder, rest = sys.argv[1], sys.argv[2], sys.argv[3:]
path = folder + "/state.json"

def load(name):
    return json.load(open(name)) if os.path.exists(name) else {}

def save(name, state):
    with open(name, "w") as file:
        file.write(json.dumps(state, separators=(",", ":")))

if verb == "init":
    os.makedirs(folder, exist_ok=True)
    remote = rest[1].removeprefix("file:")
    os.makedirs(remote, exist_ok=True)
    open(folder + "/remote", "w").write(remote)
elif verb in ("import", "edit"):
    state, now = load(path), time.time()
    for line in open(rest[0]):
        fields = json.loads(line)
        state.setdefault(fields["id"], {}).update({k: [v, now] for k, v in fields.items()})
    save(path, state)
elif verb == "sync":
    remote = open(folder + "/remote").read() + "/state.json"
    mine, theirs = load(path), load(remote)
    for key, fields in theirs.items():
        own = mine.setdefault(key, {})
        for name, value in fields.items():
            if name not in own or own[name][1] < value[1]:
                own[name] = value
    save(path, mine)
    if mine != theirs:
        save(remote, mine)
elif verb == "export":
    for key, fields in sorted(load(path).items()):
        print(json.dumps({k: v for k, (v, _) in fields.items()}, separators=(",", ":"), ensure_ascii=False))
