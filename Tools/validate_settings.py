"""Edits settings files with the real program, and reads them with other programs' readers.

Makes files of each format, with what people write into them, and has cloudsync change one key. json,
PyYAML, tomllib, plistlib and configparser then have to find that key with its new value and all others
as they were. An 'apply' with nothing to do has to leave every byte. See Tools/validate-settings.
"""

import configparser
import datetime
import json
import os
import plistlib
import random
import re
import subprocess
import sys
import tempfile
import tomllib

import yaml


class Tagged(yaml.SafeLoader):
    """Keeps values with tags of their own as pairs, and dates as they are."""


Tagged.add_multi_constructor("!", lambda loader, suffix, node: (suffix, node.value))

YAML_VALUES = [
    "yes", "no", "on", "0777", "1_000", "12:30", "1.10", "2026-01-02", "null", "~", "", "plain text",
    "'single ''quoted'''", '"double \\"quoted\\" \\u00e9"', "[a, 'b', 3]", "{a: 1, b: {c: d}}",
    "&anchor value", "!secret token", "!!str 12", "0x1F", "1e3", ".5", "-.inf", "12345678901234567890",
    "0.1234567890123456789", "|\n  line one\n\n  line two", ">-\n  folded\n  text", "\n  - a\n  - b # c",
    "\n  x: 1\n  y: yes", "\n- a\n- b: 1\n  c: 2", "http://example.org/#x", "a:b",
]
JSON_VALUES = [
    "1", "1.0", "1.10", "-0", "-0.0", "1e3", "12345678901234567890", "123456789012345678901234567890",
    "0.1234567890123456789", '"text"', '"\\u00e9\\n\\/"', '"🙂"', "null", "true", "[1, 2.0, []]",
    '{"a": {"b": [1, {"c": null}]}}', "[]", "{}", '{\n    "x": 1,\n    "y": [\n      1\n    ]\n  }',
]
TOML_VALUES = [
    "1", "1_000", "0o17", "0xFF", "1.10", "6.02e+23", "inf", "nan", '"text"', "'C:\\x'", "true",
    "2026-01-02", "07:32:00", "2026-01-02T03:04:05Z", "[1, 2,]", "[\n  'a', # one\n  'b',\n]",
    "{ a = 1, b.c = 2 }", '"""\nline\nline"""', "'''raw'''", "12345678901234567890123",
]
NEW = [
    17, -3, True, False, 2.5, "word", "yes", "0777", "12:30", "2026-01-02", "null", "~", "", " edge ",
    "a: b", "# no comment", "line\nline", "tab\there", "é漢🙂", "'", '"', "\\", [1, "two", False],
    {"a": 1, "b": {"c": "no"}}, [], {}, 18446744073709551615, "1e3", "<&>", "[x]", "- x", "=", "*a", "!b",
]


def keys(chance, count):
    names = ["size", "font", "on", "no", "with space", "a.b", "quote'd", "größe", "7", "x-y", "Z"]
    return chance.sample(names, count)


def make_yaml(chance):
    lines = [chance.choice(["", "# comment\n", "---\n", "%YAML 1.1\n---\n"])]
    names = keys(chance, 6)
    for name in names:
        value = chance.choice(YAML_VALUES)
        key = f"'{name}'" if re.search(r"[' ]", name) is None and chance.random() < 0.3 else name
        if "'" in name:
            key = json.dumps(name, ensure_ascii=False)
        gap = "" if value.startswith("\n") or not value else " "
        tail = chance.choice(["", "", " # says"]) if "\n" not in value else ""
        lines.append(f"{key}:{gap}{value}{tail}\n")
        if chance.random() < 0.2:
            lines.append(chance.choice(["\n", "# between\n"]))
    return "".join(lines), names


def make_json(chance, comments):
    names = keys(chance, 6)
    compact = chance.random() < 0.2 and not comments
    parts = []
    for index, name in enumerate(names):
        value = chance.choice(JSON_VALUES)
        text = f'{json.dumps(name, ensure_ascii=chance.random() < 0.5)}: {value}'
        comma = "," if index + 1 < len(names) or comments and chance.random() < 0.5 else ""
        if compact:
            parts.append(text.replace(": ", ":") + comma)
        else:
            note = chance.choice(["", " // says, \"x\": 1", " /* more */"]) if comments else ""
            above = "  // above\n" if comments and chance.random() < 0.3 else ""
            parts.append(f"{above}  {text}{comma}{note}\n")
    return "{" + ("" if compact else "\n") + "".join(parts) + "}" + chance.choice(["", "\n"]), names


def make_toml(chance):
    names = [name for name in keys(chance, 6)]
    text = chance.choice(["", "# top\n"])
    for index, name in enumerate(names):
        key = name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else json.dumps(name, ensure_ascii=False)
        if index == 4:
            text += f"\n[{key}] # table\nx = {chance.choice(TOML_VALUES)}\ny = 1 # y\n"
        elif index == 5:
            text += f"[[{key}]]\nx = 1\n[[{key}]]\nx = {chance.choice(TOML_VALUES)}\n"
        else:
            text += f"{key} = {chance.choice(TOML_VALUES)}{chance.choice(['', ' # says'])}\n"
    return text, names


def make_plist(chance, binary):
    names = keys(chance, 6)
    moment = datetime.datetime(2026, 1, 2, 3, 4, 5)
    values = [
        1, -5, 2**63 - 1, 2**64 - 1, 1.5, 0.1, float("inf"), True, "text", "é漢", b"\0\1\2", moment, [], {},
        [1, "two", {"x": b"y"}], {"a": {"b": moment}}, "a & b < c",
    ]
    if binary:
        values += [plistlib.UID(7), [plistlib.UID(1), plistlib.UID(70000)]]
    data = {name: chance.choice(values) for name in names}
    if binary:
        return plistlib.dumps(data, fmt=plistlib.FMT_BINARY, sort_keys=False), names
    text = plistlib.dumps(data, sort_keys=False).decode()
    if chance.random() < 0.5:
        text = text.replace("<dict>", "<dict>\n\t<!-- mine -->", 1)
    return text, names


def make_ini(chance):
    text, names = chance.choice(["; top\n", ""]), []
    for section in ["core", "remote \"a\"", "Default Applications"]:
        text += f"[{section}]\n"
        for key in chance.sample(["a", "b.c", "text/html", "Name[de]"], 2):
            text += key + chance.choice(["=", " = "]) + chance.choice(["1", "x y", '"q"', "a;b", ""]) + "\n"
            names.append(f"[{section}]{key}")
        text += chance.choice(["", "\n", "# end\n"])
    return text, names


def strip_comments(text):
    """JSON without comments and trailing commas, by a pattern that knows strings."""
    token = re.compile(r'"(?:\\.|[^"\\])*"|//[^\n]*|/\*.*?\*/', re.S)
    text = token.sub(lambda m: m.group() if m.group().startswith('"') else " ", text)
    token = re.compile(r'"(?:\\.|[^"\\])*"|,(?=\s*[}\]])', re.S)
    return token.sub(lambda m: m.group() if m.group().startswith('"') else "", text)


def exact_json(text):
    return json.loads(strip_comments(text), parse_float=lambda t: ("float", t), parse_int=lambda t: ("int", t))


def read_ini(text):
    parser = configparser.RawConfigParser(interpolation=None, delimiters=("=",))
    parser.optionxform = str
    parser.read_string(text)
    return {f"[{s}]{k}": v for s in parser.sections() for k, v in parser.items(s)}


FORMATS = {
    "yaml": (make_yaml, lambda b: yaml.load(b.decode(), Tagged)),
    "json": (lambda c: make_json(c, False), lambda b: exact_json(b.decode())),
    "jsonc": (lambda c: make_json(c, True), lambda b: exact_json(b.decode())),
    "toml": (make_toml, lambda b: tomllib.loads(b.decode())),
    "plist": (lambda c: make_plist(c, False), plistlib.loads),
    "bplist": (lambda c: make_plist(c, True), plistlib.loads),
    "ini": (make_ini, lambda b: read_ini(b.decode())),
}


def plain(value):
    """A value as readers of JSON without types of our own give it."""
    if isinstance(value, tuple) and len(value) == 2 and value[0] in ("int", "float"):
        return (int if value[0] == "int" else float)(value[1])
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value


# A setting keeps its type unless another one is asked for.
TYPES = {str: "string", bool: "bool", int: "int", float: "double", list: "array", dict: "dict"}


def run(program, home, *words, check=True):
    env = {"HOME": home, "PATH": os.environ["PATH"]}
    done = subprocess.run([program, *words], env=env, capture_output=True, text=True)
    if check and done.returncode not in (0, 3):
        raise SystemExit(f"{' '.join(words)}: {done.returncode}\n{done.stderr}")
    return done


def check(program, form, seed, folder):
    chance = random.Random(f"{form} {seed}")
    make, read = FORMATS[form]
    content, names = make(chance)
    before = content if isinstance(content, bytes) else content.encode()
    if form not in ("bplist",) and chance.random() < 0.2:
        before = before.replace(b"\n", b"\r\n")
    try:
        old = read(before)
    except Exception:
        return "skipped"
    home = os.path.join(folder, f"{form}-{seed}")
    os.makedirs(home)
    path = os.path.join(home, "file." + ("json" if form == "jsonc" else form))
    with open(path, "wb") as file:
        file.write(before)
    captured = run(program, home, "settings", "capture", path, "--namespace", "x", check=False)
    if captured.returncode != 0:
        return f"not captured: {captured.stderr.strip()}"
    run(program, home, "settings", "apply", path, "--namespace", "x")
    with open(path, "rb") as file:
        if file.read() != before:
            return "apply with nothing to do has changed the file"
    name = chance.choice(names + ["new key"] if form != "ini" else names)
    value = chance.choice([v for v in NEW if isinstance(v, str)] if form == "ini" else NEW)
    text = value if isinstance(value, str) else json.dumps(value)
    words = ["--type", TYPES[type(value)], text]
    put = run(program, home, "settings", "put", name, *words[-1:], *words[:-1], "--namespace", "x", check=False)
    if put.returncode != 0:
        return "skipped"
    applied = run(program, home, "settings", "apply", path, "--namespace", "x", "--force", check=False)
    with open(path, "rb") as file:
        after = file.read()
    if applied.returncode == 3:
        if after != before:
            return "refused, and the file has changed"
        reason = re.search(r"was not written: (.*)", applied.stderr)
        return f"refused: {reason.group(1)}" if reason else "refused without a reason"
    if applied.returncode != 0:
        return f"apply: {applied.returncode} {applied.stderr}"
    try:
        new = read(after)
    except Exception as error:
        return f"not readable any more: {error}\n{before!r}\n{after!r}"
    key = name
    if form == "yaml":
        matches = [k for k in new if str(k) == name or k is {"on": True, "no": False}.get(name, "")]
        key = matches[0] if matches else name
        key = 7 if name == "7" and "7" not in new else key
    if key not in new:
        return f"{key!r} is missing\n{before!r}\n{after!r}"
    wanted = value
    if form == "toml" and value == 2**64 - 1:
        wanted = {"$uint": str(value)}
    if plain(new[key]) != wanted or type(plain(new[key])) is not type(wanted):
        return f"{name!r} is {new[key]!r}, not {wanted!r}\n{before!r}\n{after!r}"
    rest = [{k: v for k, v in each.items() if k != key} for each in (old, new)]
    if repr(rest[0]) != repr(rest[1]):
        return f"another key has changed with {name!r}\n{before!r}\n{after!r}"
    return "ok"


def main():
    program = os.path.abspath(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 40
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for form in FORMATS:
            counts = {}
            for seed in range(first, first + count):
                outcome = check(program, form, seed, folder)
                kind = outcome if outcome in ("ok", "skipped") or outcome.startswith("refused: ") else "failed"
                counts[kind] = counts.get(kind, 0) + 1
                if kind == "failed":
                    failures += 1
                    print(f"{form} {seed}: {outcome}")
            print(f"{form}: {', '.join(f'{n} {k}' for k, n in sorted(counts.items()))}")
    sys.exit(1 if failures else 0)


main()
