"""Real services on loopback that keep a remote in a folder; Tools/peers installs them.

None of them remembers for long what is in its folder, so that a folder which is put back is what the next command
finds.
"""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time

USER, PASSWORD = "anna", "two words: 50% and more"
ACCESS_KEY, SECRET_KEY = "AKIACLOUDSYNCCRASHES", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLE=="
PEERS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", ".build", "peers", "bin")


class Service:
    """A running server of a folder, with the remote's URL and what `init` has to be told beside it."""

    # By kind and folder: one for each in a run.
    running = {}
    # For how many seconds it may answer from memory.
    memory = 0

    @classmethod
    def of(cls, kind, folder):
        if (kind, folder) not in cls.running:
            cls.running[kind, folder] = KINDS[kind](folder)
        return cls.running[kind, folder]

    def __init__(self, folder):
        self.folder = folder
        # Beside the folder of the world, which is made from nothing for each scenario.
        self.base = f"{os.path.dirname(folder)}-{type(self).__name__.lower()}"
        os.makedirs(self.base, exist_ok=True)
        os.makedirs(folder, exist_ok=True)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.process = self.start(f"{self.base}/log")

    def start(self, log):
        with open(log, "ab") as file:
            process = subprocess.Popen(
                self.command(), cwd=self.base, stdin=subprocess.DEVNULL, stdout=file, stderr=file,
                env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": self.base, "LANG": "C.UTF-8"},
                start_new_session=True)
        for _ in range(600):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return process
            if process.poll() is not None:
                break
            time.sleep(0.05)
        process.kill()
        with open(log, errors="replace") as file:
            sys.exit(f"crashes: {type(self).__name__} does not listen: {file.read()[-2000:]}")

    def end(self):
        self.process.terminate()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def settle(self):
        """Waits until the server is done with what a killed program has sent."""
        deadline = time.monotonic() + 30
        while self.is_busy():
            if time.monotonic() > deadline:
                sys.exit(f"crashes: {type(self).__name__} has not ended its connections")
            time.sleep(0.005)

    def forget(self):
        """Waits until the server looks at its folder, which has changed behind its back."""
        time.sleep(2 * self.memory)

    def is_busy(self):
        """Whether a connection to the server is open at one of its ends."""
        port = f":{self.port:04X}"
        with open("/proc/net/tcp") as table:
            rows = [line.split()[1:4] for line in table.readlines()[1:]]
        # ESTABLISHED and CLOSE_WAIT, on the side of the server: the other end may be gone.
        return any(local.endswith(port) and state in ("01", "08") for local, _, state in rows)

    def secret(self, text):
        path = f"{self.base}/secret"
        with open(path, "w", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
            file.write(text + "\n")
        return path


def peer(name):
    found = shutil.which(name, path=f"{PEERS}:/usr/sbin:/usr/bin:/sbin:/bin")
    if not found:
        sys.exit(f"crashes: {name} is not installed; Tools/peers installs it")
    return found


class WebDAV(Service):
    def command(self):
        settings = f"{self.base}/wsgidav.yaml"
        with open(settings, "w") as file:
            file.write(f"""
host: 127.0.0.1
port: {self.port}
provider_mapping: {{"/": "{self.folder}"}}
http_authenticator:
  domain_controller: null
  accept_basic: true
  accept_digest: false
  default_to_digest: false
simple_dc:
  user_mapping: {{"*": {{"{USER}": {{"password": "{PASSWORD}"}}}}}}
""")
        return [peer("wsgidav"), "--config", settings]

    @property
    def url(self):
        return f"webdav:http://{USER}@127.0.0.1:{self.port}/sync"

    @property
    def options(self):
        return ("--password-file", self.secret(PASSWORD))


class S3(Service):
    # With nothing at all this server of rclone is busy with forgetting.
    memory = 0.05

    def command(self):
        return [peer("rclone"), "serve", "s3", "--addr", f"127.0.0.1:{self.port}", "--auth-key",
                f"{ACCESS_KEY},{SECRET_KEY}", "--config", f"{self.base}/rclone.conf",
                "--dir-cache-time", f"{self.memory * 1000:.0f}ms", self.folder]

    @property
    def url(self):
        # A bucket is a folder.
        os.makedirs(f"{self.folder}/bucket", exist_ok=True)
        return f"s3:http://127.0.0.1:{self.port}/bucket/sync"

    @property
    def options(self):
        return ("--set", f"access-key={ACCESS_KEY}", "--set", "region=us-east-1", "--set",
                f"secret-key.file={self.secret(SECRET_KEY)}")


class SFTP(Service):
    def command(self):
        for key in ("host", "client"):
            subprocess.run([peer("ssh-keygen"), "-q", "-t", "ed25519", "-N", "", "-C", key, "-f",
                            f"{self.base}/{key}"], check=True)
        with open(f"{self.base}/host.pub") as file:
            host = file.read()
        files = {"known_hosts": f"[127.0.0.1]:{self.port} {host}", "sshd_config": f"""
ListenAddress 127.0.0.1
Port {self.port}
HostKey {self.base}/host
PidFile {self.base}/sshd.pid
AuthorizedKeysFile {self.base}/client.pub
PasswordAuthentication no
KbdInteractiveAuthentication no
UsePAM no
StrictModes no
PermitRootLogin yes
MaxStartups 100
MaxSessions 100
Subsystem sftp internal-sftp
""", "ssh_config": f"""
Host *
  IdentityFile {self.base}/client
  IdentitiesOnly yes
  IdentityAgent none
  UserKnownHostsFile {self.base}/known_hosts
  GlobalKnownHostsFile /dev/null
"""}
        for name, text in files.items():
            with open(f"{self.base}/{name}", "w") as file:
                file.write(text)
        if os.geteuid() == 0:
            # The server leaves its privileges in an empty folder that is made when the machine starts it.
            os.makedirs("/run/sshd", mode=0o755, exist_ok=True)
        return [peer("sshd"), "-D", "-e", "-f", f"{self.base}/sshd_config"]

    @property
    def url(self):
        return f"sftp://127.0.0.1:{self.port}{self.folder}/sync"

    @property
    def options(self):
        return ("--set", f"ssh-command=ssh -F {self.base}/ssh_config")

    def is_busy(self):
        """Whether a session is left: it outlives its connection until it has done what was asked."""
        number = self.process.pid
        with open(f"/proc/{number}/task/{number}/children") as file:
            return bool(file.read().split()) or super().is_busy()


KINDS = {"webdav": WebDAV, "s3": S3, "sftp": SFTP}


class Running:
    """The services of a run, which end with it, also when it is ended from outside."""

    def __enter__(self):
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))

    def __exit__(self, *_):
        for service in Service.running.values():
            service.end()
        Service.running.clear()
