"""A disk that keeps synchronised data, and a random part of the rest.

Bytes of a file are safe once the file is synchronised, names of a folder once the folder is. Unsafe
changes are kept or lost call by call, writes also by sectors of 512 bytes.
"""

import copy

SECTOR = 512


class File:
    def __init__(self, content=b""):
        self.content = bytearray(content)

    def write(self, offset, data):
        if len(self.content) < offset:
            self.content.extend(bytes(offset - len(self.content)))
        self.content[offset:offset + len(data)] = data

    def truncate(self, size):
        del self.content[size:]
        self.content.extend(bytes(size - len(self.content)))


class Tree:
    """Names and what they stand for: a number for a file, None for a folder."""

    def __init__(self, names, files):
        self.names, self.files = names, files

    def apply(self, change):
        kind = change[0]
        if kind == "write" and change[1] in self.files:
            self.files[change[1]].write(change[2], change[3])
        elif kind == "truncate" and change[1] in self.files:
            self.files[change[1]].truncate(change[2])
        elif kind == "create":
            self.names.setdefault(change[1], change[2])
        elif kind == "mkdir":
            self.names.setdefault(change[1], None)
        elif kind in ("unlink", "rmdir"):
            self.names.pop(change[1], None)
        elif kind == "rename":
            # Moves what was there when it was called; the old name may already be lost.
            self.names.pop(change[1], None)
            self.names[change[2]] = change[3]
        elif kind == "link":
            self.names.setdefault(change[2], change[3])

    def contents(self):
        """The files and folders that can be reached."""
        folders = {path for path, number in self.names.items() if number is None}
        def reachable(path):
            above = path.rsplit("/", 1)[0]
            return above in folders and (above == self.root or reachable(above))
        return ({path: bytes(self.files[number].content) for path, number in self.names.items()
                 if number is not None and reachable(path)},
                {path for path in folders if path != self.root and reachable(path)})


class Disk:
    """The current state, the safe one, and the changes between them, in their order."""

    def __init__(self, root, files, folders):
        self.root = root
        names = {root: None, **{path: None for path in folders}}
        contents = {}
        for number, (path, content) in enumerate(files.items()):
            names[path] = number
            contents[number] = File(content)
        self.next = len(contents)
        self.now = Tree(names, contents)
        self.safe = Tree(dict(names), copy.deepcopy(contents))
        self.pending = []

    def play(self, call):
        """The changes that a call makes."""
        kind, path, other = call.kind, call.path, call.other
        number = self.now.names.get(path)
        if kind == "write" and number is not None:
            self.add(("write", number, call.offset, call.bytes))
        elif kind == "truncate" and number is not None:
            self.add(("truncate", number, call.offset))
        elif kind == "create":
            self.now.files[self.next] = File()
            self.safe.files[self.next] = File()
            self.add(("create", path, self.next))
            self.next += 1
        elif kind in ("mkdir", "unlink", "rmdir"):
            self.add((kind, path))
        elif kind in ("rename", "link"):
            self.add((kind, path, other, number))
        elif kind == "sync":
            self.synchronize(path.rstrip("/."), number)

    def add(self, change):
        self.now.apply(change)
        self.pending.append(change)

    def synchronize(self, path, number):
        rest = []
        for change in self.pending:
            if change[0] in ("write", "truncate"):
                is_safe = number is not None and change[1] == number
            else:
                target = change[2] if change[0] in ("rename", "link") else change[1]
                is_safe = number is None and target.rsplit("/", 1)[0] == path
            if is_safe:
                self.safe.apply(change)
            else:
                rest.append(change)
        self.pending = rest

    def crashed(self, chance, share):
        """A state that a loss of power may leave; `share` is how likely an unsafe change is kept."""
        tree = Tree(dict(self.safe.names), copy.deepcopy(self.safe.files))
        tree.root = self.root
        for change in self.pending:
            if change[0] == "write" and chance.random() < 0.25:
                _, number, offset, data = change
                at = 0
                while at < len(data):
                    end = min(len(data), (offset + at) // SECTOR * SECTOR + SECTOR - offset)
                    if chance.random() < share:
                        tree.apply(("write", number, offset + at, data[at:end]))
                    at = end
            elif chance.random() < share:
                tree.apply(change)
        return tree.contents()

    def is_empty(self, path):
        """Whether a file is empty now."""
        number = self.now.names.get(path)
        return number is not None and not self.now.files[number].content

    def unsafe(self):
        """The changes that are not safe, each as a path and a kind, by what they have now as a name."""
        names = {number: path for path, number in self.now.names.items() if number is not None}
        return [(change[0], names.get(change[1], "") if change[0] in ("write", "truncate") else
                 change[2] if change[0] in ("rename", "link") else change[1], change)
                for change in self.pending]
