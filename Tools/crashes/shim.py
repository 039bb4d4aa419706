"""The library that stands between the program and the system; see faults.c."""

import os
import shutil
import subprocess
import sys


class Shim:
    def __init__(self, folder):
        self.folder = folder
        self.path = f"{folder}/faults.so"
        compiler = next((c for c in ("clang", "cc", "gcc") if shutil.which(c)), None)
        if not compiler:
            sys.exit("crashes: a C compiler is needed (clang comes with Swift)")
        source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "faults.c")
        subprocess.run([compiler, "-O1", "-shared", "-fPIC", "-w", "-o", self.path, source,
                        "-ldl", "-lpthread"], check=True)

    def variables(self, roots, at=0, action="", kinds="wsn", forever=False, log=None):
        variables = {"LD_PRELOAD": self.path, "FAULTS_ROOTS": ":".join(roots), "FAULTS_AT": str(at),
                     "FAULTS_ACTION": action, "FAULTS_KINDS": kinds}
        if forever:
            variables["FAULTS_FOREVER"] = "1"
        if log:
            variables["FAULTS_LOG"] = log
        return variables

    def calls(self, scenario, kinds="wsn"):
        """The calls of a scenario's command when nothing fails, and its outcome."""
        log = f"{self.folder}/calls"
        if os.path.exists(log):
            os.unlink(log)
        outcome = scenario.device.run(
            *scenario.command, variables=self.variables([scenario.world.folder], log=log, kinds=kinds))
        lines = []
        if os.path.exists(log):
            with open(log) as file:
                lines = [line.rstrip("\n").split("\t") for line in file]
        return [Call(*line) for line in lines], outcome


class Call:
    def __init__(self, number, kind, path, other, offset, bytes_):
        self.number, self.kind, self.path, self.other = int(number), kind, path, other
        self.offset, self.bytes = int(offset), bytes.fromhex(bytes_)
