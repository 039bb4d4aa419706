"""Checks and runs what contrib/deployment ships. Tools/validate-deployment runs it, with the program."""

import contextlib
import glob
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time

import compose_spec
import kubernetes_validate
import yaml

program = pathlib.Path(sys.argv[1])
server_program = program.parent / "cloudsync-server"
shipped = pathlib.Path("contrib/deployment")
kubernetes_version = "1.37"


def check(holds, what):
    if not holds:
        sys.exit(f"validate-deployment: {what}")


def wait_for(what, holds, seconds=20):
    """Waits until something holds, and gives what it gave."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with contextlib.suppress(OSError, http.client.HTTPException, subprocess.SubprocessError):
            if found := holds():
                return found
        time.sleep(0.05)
    check(False, f"after {seconds} s: {what}")


def run(command, **options):
    outcome = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=60, **options)
    check(outcome.returncode == 0, f"{' '.join(map(str, command))} ended with {outcome.returncode}: {outcome.stderr}{outcome.stdout}")
    return outcome.stdout


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def replaced(text, changes):
    """A shipped text with other addresses; each has to be there, so that nothing is tested that is not shipped."""
    for old, new in changes.items():
        check(old in text, f"a shipped file has no {old!r}")
        text = text.replace(old, str(new))
    return text


# --- the files ---------------------------------------------------------------------------------------------------------


def check_compose():
    text = (shipped / "compose.yaml").read_text()
    try:
        compose = compose_spec.PyOptions(apply_merge=True).from_yaml(text)
        compose.validate()
    except ValueError as error:
        check(False, f"compose.yaml: {error}")
    services = json.loads(compose.to_json())["services"]
    check({"balancer", "server-1", "server-2", "primary", "standby"} <= set(services), "a service is missing in compose.yaml")
    balancer = (shipped / "haproxy.cfg").read_text()
    for name, service in services.items():
        check(service.get("restart") == "unless-stopped" and service.get("stop_grace_period"), f"{name} has no restart or stop")
        check(name.startswith("server-") or service.get("healthcheck"), f"{name} has no health check")
        if name.startswith("server-"):
            check(f"server {name} {name}:8765" in balancer, f"haproxy.cfg does not know {name}")
            check("ports" not in service, f"{name} can be reached past the balancer")
        for volume in service.get("volumes", []):
            source = volume["source"] if isinstance(volume, dict) else volume.split(":")[0]
            check(not source.startswith("./") or (shipped / source).exists(), f"compose.yaml mounts {source}, which is missing")
    return len(services)


def check_kubernetes():
    with open(shipped / "kubernetes.yaml", encoding="utf-8") as file:
        resources = list(yaml.safe_load_all(file))
    for resource in resources:
        try:
            kubernetes_validate.validate(resource, kubernetes_version, strict=True)
        except kubernetes_validate.ValidationError as error:
            check(False, f"{resource.get('kind')} of kubernetes.yaml: {error.message}")
    kinds = {resource["kind"]: resource for resource in resources}
    labels = kinds["Deployment"]["spec"]["template"]["metadata"]["labels"]
    for kind, selector in (("Deployment", kinds["Deployment"]["spec"]["selector"]["matchLabels"]),
                           ("Service", kinds["Service"]["spec"]["selector"]),
                           ("PodDisruptionBudget", kinds["PodDisruptionBudget"]["spec"]["selector"]["matchLabels"]),
                           ("NetworkPolicy", kinds["NetworkPolicy"]["spec"]["podSelector"]["matchLabels"])):
        check(selector.items() <= labels.items(), f"{kind} of kubernetes.yaml selects no pod")
    pod = kinds["Deployment"]["spec"]["template"]["spec"]
    ports = {port["name"] for port in pod["containers"][0]["ports"]}
    check(kinds["Service"]["spec"]["ports"][0]["targetPort"] in ports, "the Service names a port that no container has")
    pause = pod["containers"][0]["lifecycle"]["preStop"]["sleep"]["seconds"]
    check(pod["terminationGracePeriodSeconds"] > pause + 10, "Kubernetes kills a server before it has answered everyone")
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "config.yaml")
        file.write_text(kinds["ConfigMap"]["data"]["config.yaml"])
        run([program, "config", "validate", "--config", file], env={"HOME": folder})
        run([program, "config", "validate", "--config", shipped.resolve() / "config.yaml"], env={"HOME": folder})
    return len(resources)


def check_patience():
    """No stream of news may end between two beats."""
    source = pathlib.Path("Modules/SyncKitServer/News/NewsHub.swift").read_text()
    beat = int(re.search(r"beatMilliseconds: Int64 = ([\d_]+)", source)[1].replace("_", "")) / 1_000
    for side in ("client", "server"):
        patience = int(re.search(rf"^\s*timeout {side} (\d+)s$", (shipped / "haproxy.cfg").read_text(), re.M)[1])
        check(patience >= 3 * beat, f"timeout {side} of {patience} s cuts streams that beat every {beat:.0f} s")


def check_dashboard(pages):
    """Everything that the dashboard asks for is in the pages that real servers gave."""
    names, labels = set(), {}
    for page in pages:
        for name, pairs in re.findall(r"^([a-z_]+)(?:\{(.*)\})? \S+$", page, re.M):
            names.add(name)
            for label, value in re.findall(r'(\w+)="([^"]*)"', pairs):
                labels.setdefault(label, set()).add(value)
    dashboard = json.loads((shipped / "grafana-dashboard.json").read_text())
    asked = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    asked += [variable["query"]["query"] for variable in dashboard["templating"]["list"] if variable["type"] == "query"]
    check(len(asked) > 10, "the dashboard asks for next to nothing")
    for expression in asked:
        found = re.findall(r"\b(?:cloudsync|process)_[a-z_]+", expression)
        check(found, f"the dashboard's {expression!r} names no metric")
        for name in found:
            check(name in names, f"the dashboard asks for {name}, which no server has")
        for label, value in re.findall(r'(\w+)="([^"$]*)"', expression):
            check(value in labels.get(label, ()), f"the dashboard asks for {label}={value!r}, which no server has")
        for clause in re.findall(r"\bby \(([^)]*)\)", expression):
            for label in clause.split(", "):
                # What Prometheus itself adds.
                check(label in labels or label == "instance", f"the dashboard groups by {label}, which no server has")
    identifiers = [panel["id"] for panel in dashboard["panels"]]
    check(len(set(identifiers)) == len(identifiers), "two panels of the dashboard have one number")
    return len(asked)


# --- what runs ---------------------------------------------------------------------------------------------------------


class Place:
    """A copy of what is shipped, with addresses of this machine, and all that was started from it."""

    def __init__(self, folder):
        self.folder = folder
        # The user of PostgreSQL goes through it.
        folder.chmod(0o711)
        self.ports = dict(zip(("https", "http", "health", "primary", "standby", "server-1", "server-2", "metrics-1", "metrics-2"),
                              free_ports(9)))
        self.processes = {}
        self.url = f"https://127.0.0.1:{self.ports['https']}"
        self.as_postgres = []
        if os.geteuid() == 0:
            self.as_postgres = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
        versions = glob.glob("/usr/lib/postgresql/*/bin")
        check(versions, "PostgreSQL is not installed")
        self.postgres = max(versions, key=lambda path: int(path.split("/")[4]))
        self.prepare()

    def prepare(self):
        shutil.copytree(shipped, self.folder / "deployment")
        deployment, secrets = self.folder / "deployment", self.folder / "deployment/secrets"
        run(["./make-secrets"], cwd=deployment)
        run(["./make-secrets"], cwd=deployment)
        check((secrets / "pgpass").stat().st_mode & 0o77 == 0, "make-secrets lets others read a password")
        self.certificate = self.folder / "certificate.pem"
        run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", secrets / "key.pem", "-out", self.certificate,
             "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"])
        (secrets / "tls.pem").write_text(self.certificate.read_text() + (secrets / "key.pem").read_text())
        # Here the servers run as the user who runs this.
        if os.geteuid() == 0:
            os.chown(secrets / "pgpass", 0, 0)
            for file in (*secrets.glob("*-password"), secrets / "replication-pgpass"):
                shutil.chown(file, "postgres")
        postgresql = deployment / "postgresql"
        for name in ("primary", "standby"):
            file = postgresql / f"{name}.conf"
            changes = {"/etc/postgresql/": f"{postgresql}/"}
            if name == "standby":
                changes |= {"host=primary port=5432": f"host=127.0.0.1 port={self.ports['primary']}", "/run/secrets/": f"{secrets}/"}
            file.write_text(replaced(file.read_text(), changes)
                            + f"\nlisten_addresses = '127.0.0.1'\nport = {self.ports[name]}\n"
                            f"unix_socket_directories = '{self.folder}/{name}'\nshared_buffers = 32MB\n")
            (self.folder / name).mkdir()
            if os.geteuid() == 0:
                shutil.chown(self.folder / name, "postgres")
        hba = postgresql / "pg_hba.conf"
        hba.write_text(replaced(hba.read_text(), {"peer": "trust"}))
        setup = postgresql / "primary-setup.sh"
        setup.write_text(replaced(setup.read_text(), {"/run/secrets/": f"{secrets}/"}))
        start = postgresql / "standby-start.sh"
        start.write_text(replaced(start.read_text(), {
            "/run/secrets/": f"{secrets}/", "/etc/postgresql/": f"{postgresql}/",
            "host=primary port=5432": f"host=127.0.0.1 port={self.ports['primary']}"}))
        config = (deployment / "config.yaml").read_text()
        for number in (1, 2):
            (self.folder / f"server-{number}").mkdir()
            (self.folder / f"server-{number}/config.yaml").write_text(replaced(config, {
                "0.0.0.0:8765": f"127.0.0.1:{self.ports[f'server-{number}']}",
                "0.0.0.0:9465": f"127.0.0.1:{self.ports[f'metrics-{number}']}",
                "https://sync.example.org": self.url,
                "cloudsync@primary,standby/":
                    f"cloudsync@127.0.0.1:{self.ports['primary']},127.0.0.1:{self.ports['standby']}/"}))
        balancer = deployment / "haproxy.cfg"
        balancer.write_text(replaced(balancer.read_text(), {
            "bind :8443": f"bind 127.0.0.1:{self.ports['https']}", "bind :8080": f"bind 127.0.0.1:{self.ports['http']}",
            "127.0.0.1:8404": f"127.0.0.1:{self.ports['health']}", "/run/secrets/tls.pem": secrets / "tls.pem",
            "server-1:8765": f"127.0.0.1:{self.ports['server-1']}", "server-2:8765": f"127.0.0.1:{self.ports['server-2']}",
            "maxconn 20000": "maxconn 1000"}))

    def start(self, name, command, environment=None, wait=None):
        log = open(self.folder / f"{name}.log", "a")
        self.processes[name] = subprocess.Popen(
            [str(word) for word in command], env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder)
        if wait:
            wait_for(f"{name} does not answer; see what it said: {self.said(name)}", wait)

    def said(self, name):
        return (self.folder / f"{name}.log").read_text()[-2_000:]

    def end(self, name, by=signal.SIGTERM, seconds=30):
        """Ends what was started, and says how it ended."""
        process = self.processes.pop(name)
        process.send_signal(by)
        try:
            return process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            check(False, f"{name} was asked to stop and still ran after {seconds} s")

    def end_all(self):
        for process in self.processes.values():
            process.send_signal(signal.SIGQUIT if "postgres" in str(process.args) else signal.SIGTERM)
        for process in self.processes.values():
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    # The database.

    @property
    def postgres_environment(self):
        return {"PATH": f"{self.postgres}:/usr/bin:/bin", "HOME": str(self.folder), "LC_ALL": "C.UTF-8"}

    def sql(self, name, statement):
        return run([*self.as_postgres, f"{self.postgres}/psql", "-X", "-q", "-A", "-t", "-h", self.folder / name,
                    "-p", self.ports[name], "-U", "postgres", "-c", statement, "postgres"],
                   env=self.postgres_environment).strip()

    def start_primary(self):
        self.start("primary", [*self.as_postgres, f"{self.postgres}/postgres", "-D", self.folder / "primary/data", "-c",
                               f"config_file={self.folder}/deployment/postgresql/primary.conf"], self.postgres_environment,
                   lambda: self.answers("primary"))

    def answers(self, name):
        return subprocess.run([f"{self.postgres}/pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.ports[name])]).returncode == 0

    def start_database(self):
        run([*self.as_postgres, f"{self.postgres}/initdb", "-D", self.folder / "primary/data", "-U", "postgres", "--encoding=UTF8",
             "--locale=C.UTF-8", "--data-checksums", "--no-sync"], env=self.postgres_environment, cwd=self.folder)
        self.start_primary()
        run([*self.as_postgres, "bash", self.folder / "deployment/postgresql/primary-setup.sh"],
            env=self.postgres_environment | {"PGHOST": f"{self.folder}/primary", "PGPORT": str(self.ports["primary"]),
                                             "PGOPTIONS": "-c synchronous_commit=local"})
        self.start_standby()

    def start_standby(self):
        self.start("standby", [*self.as_postgres, "bash", self.folder / "deployment/postgresql/standby-start.sh"],
                   self.postgres_environment | {"PGDATA": f"{self.folder}/standby/18/docker"}, lambda: self.answers("standby"))
        wait_for("the standby is not synchronous", lambda: self.sql(
            "primary", "SELECT application_name || ' ' || sync_state FROM pg_stat_replication") == "standby sync")

    # The servers.

    def server_environment(self, number):
        return {"PATH": "/usr/bin:/bin", "HOME": f"{self.folder}/none", "CONFIGURATION_DIRECTORY": f"{self.folder}/server-{number}",
                "STATE_DIRECTORY": f"{self.folder}/none", "PGPASSFILE": f"{self.folder}/deployment/secrets/pgpass"}

    def start_server(self, number):
        self.start(f"server-{number}", [server_program, "serve", "--log-format", "json"], self.server_environment(number),
                   lambda: self.metrics(number))

    def metrics(self, number):
        connection = http.client.HTTPConnection("127.0.0.1", self.ports[f"metrics-{number}"], timeout=5)
        with contextlib.closing(connection):
            connection.request("GET", "/metrics")
            return connection.getresponse().read().decode()

    def number(self, number, name):
        return sum(float(value) for value in re.findall(rf"^{re.escape(name)} (\S+)$", self.metrics(number), re.M))

    def host(self, *arguments):
        return run([server_program, "server", *arguments], env=self.server_environment(1))

    # Through the balancer.

    def connection(self, source="127.0.0.1", timeout=20):
        context = ssl.create_default_context(cafile=self.certificate)
        return http.client.HTTPSConnection("127.0.0.1", self.ports["https"], timeout=timeout, context=context,
                                           source_address=(source, 0))

    def ask(self, method, path, headers, source="127.0.0.1", timeout=20):
        with contextlib.closing(self.connection(source, timeout)) as connection:
            connection.request(method, path, headers=headers)
            answer = connection.getresponse()
            return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()

    def ready(self):
        return self.ask("GET", "/readyz", {})[0] == 200


class Device:
    """A home folder of its own, and the program in it."""

    def __init__(self, place, name):
        self.place, self.home = place, place.folder / name
        self.home.mkdir()

    @property
    def environment(self):
        return {"HOME": str(self.home), "PATH": "/usr/bin:/bin", "TMPDIR": str(self.home), "LC_ALL": "C.UTF-8",
                "SSL_CERT_FILE": str(self.place.certificate)}

    def run(self, *arguments):
        return run([program, *arguments], env=self.environment)

    def codes(self):
        return {code for code in ("JFK", "ZRH", "BER", "OSL", "LIS") if code in self.run("airports", "list", "--plain")}


class Stream(threading.Thread):
    """Live news, read until the stream ends."""

    def __init__(self, place, headers):
        super().__init__(daemon=True)
        self.connection = place.connection(timeout=60)
        self.connection.request("GET", "/v1/events", headers=headers)
        self.answer = self.connection.getresponse()
        check(self.answer.status == 200, f"the stream of news gave {self.answer.status}")
        self.began, self.ended, self.lines = time.monotonic(), None, []
        self.start()

    def run(self):
        with contextlib.suppress(OSError, http.client.HTTPException):
            while line := self.answer.readline():
                self.lines.append(line.decode().rstrip())
        self.ended = time.monotonic()

    def count(self, line):
        return sum(each.startswith(line) for each in list(self.lines))


class Load(threading.Thread):
    """A caller that asks again and again, on a new connection each time, and writes down what failed."""

    def __init__(self, place, headers):
        super().__init__(daemon=True)
        self.place, self.headers = place, headers
        self.count, self.failures, self.slowest, self.is_over = 0, [], 0.0, False
        self.start()

    def run(self):
        while not self.is_over:
            began = time.monotonic()
            try:
                status = self.place.ask("GET", "/v1/account", self.headers)[0]
            except (OSError, http.client.HTTPException) as error:
                status = repr(error)
            self.count += 1
            self.slowest = max(self.slowest, time.monotonic() - began)
            if status != 200:
                self.failures.append((began, status))
            time.sleep(0.02)

    def over(self):
        self.is_over = True
        self.join(30)
        check(self.count > 20, "the caller hardly asked")
        return (self.failures[-1][0] - self.failures[0][0]) if self.failures else 0.0


class Upload:
    """A push that is under way: half of its body is with the server."""

    body = b"x" * 200

    def __init__(self, place, headers):
        self.connection = place.connection()
        self.connection.putrequest("POST", "/v1/domains/airports/segments")
        for name, value in (headers | {"Content-Type": "application/octet-stream", "Content-Length": str(len(self.body))}).items():
            self.connection.putheader(name, value)
        self.connection.endheaders()
        self.connection.send(self.body[:100])

    def finish(self):
        self.connection.send(self.body[100:])
        answer = self.connection.getresponse()
        return answer.status, answer.read()


def story(place):
    place.start_database()
    for number in (1, 2):
        place.start_server(number)
    balancer = place.folder / "deployment/haproxy.cfg"
    run(["haproxy", "-c", "-f", balancer])
    place.start("haproxy", ["haproxy", "-db", "-f", balancer], wait=place.ready)

    # Two devices, and news between them.
    laptop, phone = Device(place, "laptop"), Device(place, "phone")
    link = next(line for line in place.host("invite", "anna", "--quiet").splitlines() if line.startswith(place.url))
    laptop.run("init", "--yes", "--unencrypted", "--device", "laptop", "--join", link)
    pairing = json.loads(laptop.run("device", "pair", "--json"))["code"]
    phone.run("init", "--yes", "--unencrypted", "--device", "phone", "--join", pairing, "--remote", f"home={place.url}")
    token = place_token(place)
    caller = {"Authorization": f"Bearer {token}"}
    stream = Stream(place, caller)
    carrier = wait_for("no server has the stream", lambda: next(
        (number for number in (1, 2) if place.number(number, "cloudsync_event_streams")), None))
    other = 3 - carrier
    laptop.run("airports", "add", "JFK", "KJFK")
    laptop.run("sync")
    phone.run("sync")
    phone.run("airports", "add", "ZRH", "LSZH")
    phone.run("sync")
    laptop.run("sync")
    check(laptop.codes() == phone.codes() == {"JFK", "ZRH"}, f"the devices have {laptop.codes()} and {phone.codes()}")
    wait_for("the stream has no news", lambda: stream.count("event: news"))

    # Both servers work, although one connection may be used again.
    asked = 'cloudsync_requests_total{method="GET",route="/v1/account",status="200"}'
    for _ in range(10):
        place.ask("GET", "/v1/account", caller)
    check(place.number(1, asked) and place.number(2, asked), "the balancer asks only one of the servers")

    # What a stranger says of himself is not where he is; straight at a server, where no stranger is, it would be.
    lie = caller | {"X-Forwarded-For": "203.0.113.7", "Forwarded": "for=203.0.113.7"}
    check(place.ask("POST", "/v1/pairings", lie, source="127.0.0.2")[0] == 201, "a pairing was refused")
    check(addresses(place, caller)[0] == "127.0.0.2", f"a stranger's word became an address: {addresses(place, caller)[0]}")
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", place.ports["server-1"], timeout=20)) as straight:
        straight.request("POST", "/v1/pairings", headers=lie)
        straight.getresponse().read()
    check(addresses(place, caller)[0] == "203.0.113.7", "the servers do not believe their balancer, so the check above says nothing")

    # Plain HTTP leads to the encrypted address.
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", place.ports["http"], timeout=20)) as plain:
        plain.request("GET", "/join")
        check(plain.getresponse().status == 308, "plain HTTP is not sent to HTTPS")

    # A server is killed while a caller asks.
    load = Load(place, caller)
    time.sleep(1)
    killed = time.monotonic()
    place.end(f"server-{other}", signal.SIGKILL)
    laptop.run("airports", "add", "BER", "EDDB")
    laptop.run("sync")
    synced = time.monotonic() - killed
    time.sleep(3)
    lost = load.over()
    check(lost <= 3, f"after a kill requests failed for {lost:.1f} s: {load.failures[:3]}")
    print(f"- killed: {len(load.failures)} of {load.count} requests failed, over {lost:.1f} s, the slowest took "
          f"{load.slowest:.2f} s; the next edit was with the other server after {synced:.1f} s")
    place.start_server(other)
    wait_for("the balancer does not take a server back", lambda: (place.ask("GET", "/v1/account", caller), place.number(other, asked))[1])

    # The stream has outlived the balancer's patience.
    patience = int(re.search(r"timeout server (\d+)s", balancer.read_text())[1])
    while stream.ended is None and time.monotonic() - stream.began < patience + 8:
        time.sleep(0.2)
    check(stream.ended is None, f"the stream of news ended after {(stream.ended or 0) - stream.began:.0f} s")
    # A comment is a beat.
    check(stream.count(":") >= 3, f"the stream had {stream.count(':')} beats")
    print(f"- the stream of news is open after {time.monotonic() - stream.began:.0f} s, with {stream.count(':')} beats")
    pages = [place.metrics(number) for number in (1, 2)]

    # A server is stopped while callers ask and pushes are under way.
    load = Load(place, caller)
    uploads = [Upload(place, caller) for _ in range(4)]
    time.sleep(1)
    stopped = time.monotonic()
    place.processes[f"server-{carrier}"].send_signal(signal.SIGTERM)
    time.sleep(2)
    for upload in uploads:
        status, body = upload.finish()
        check(status in (400, 415, 422), f"a push that was under way got {status} {body!r} when its server stopped")
    code = place.end(f"server-{carrier}", signal.SIGTERM)
    check(code == 0, f"a server that was stopped ended with {code}: {place.said(f'server-{carrier}')}")
    took = time.monotonic() - stopped
    check(took < 15, f"a server took {took:.0f} s to stop")
    wait_for("the stream of a server that stopped is still open", lambda: stream.ended)
    time.sleep(2)
    load.over()
    check(not load.failures, f"a server was stopped, and callers noticed: {load.failures[:3]}")
    print(f"- stopped in {took:.1f} s: none of {load.count} requests and {len(uploads)} pushes failed, the slowest took "
          f"{load.slowest:.2f} s")
    place.start_server(carrier)

    # The standby is away: nothing is acknowledged that is not on both, and everything goes on when it is back.
    place.end("standby", signal.SIGINT)
    away = time.monotonic()
    with contextlib.suppress(OSError):
        status = place.ask("POST", "/v1/pairings", caller, timeout=2)[0]
        check(status == 503, f"without a standby a change was acknowledged: {status}")
    wait_for("without its standby the balancer takes requests", lambda: place.ask("GET", "/v1/account", caller, timeout=2)[0] == 503)
    told = time.monotonic() - away
    laptop.run("airports", "add", "LIS", "LPPT")
    place.start_standby()
    back = time.monotonic()
    wait_for("the standby is back and no server is ready", place.ready, seconds=40)
    print(f"- the standby was away: callers were told after {told:.1f} s; {time.monotonic() - back:.1f} s after it was back the servers "
          "were ready")
    laptop.run("sync")
    phone.run("sync")
    check("LIS" in phone.codes(), "an edit of the time without a standby is lost")

    # The primary is gone: callers are told to come again. The standby takes its place.
    place.end("primary", signal.SIGQUIT)
    gone = time.monotonic()
    answer = wait_for("the balancer does not say that no server is ready",
                      lambda: (found := place.ask("GET", "/v1/account", caller))[0] == 503 and b"No server is ready" in found[2] and found)
    check(answer[1].get("retry-after") == "2" and json.loads(answer[2])["error"]["code"] == "unavailable",
          f"the balancer's own answer is {answer}")
    told = time.monotonic() - gone
    pages += [place.metrics(number) for number in (1, 2)]
    laptop.run("airports", "add", "OSL", "ENGM")
    promoted = time.monotonic()
    check(place.sql("standby", "SELECT pg_promote()") == "t", "the standby was not promoted")
    wait_for("no server is ready after the promotion", place.ready)
    back = time.monotonic() - promoted
    laptop.run("sync")
    phone.run("sync")
    everything = {"JFK", "ZRH", "BER", "LIS", "OSL"}
    check(phone.codes() == laptop.codes() == everything, f"after the promotion the phone has {phone.codes()}")
    print(f"- the primary failed: callers were told after {told:.1f} s; {back:.1f} s after the promotion the servers were ready")
    check("no problems" in (report := place.host("check")) or "none" in report, f"server check says {report}")
    check(not (place.folder / "none").exists(), "a server with a database keeps something in a folder")

    # The balancer itself stops after the requests under way.
    upload = Upload(place, caller)
    time.sleep(0.3)
    place.processes["haproxy"].send_signal(signal.SIGUSR1)
    time.sleep(0.5)
    status = upload.finish()[0]
    check(status in (400, 415, 422), f"the balancer stopped and a push got {status}")
    place.end("haproxy", signal.SIGUSR1)
    return pages


def place_token(place):
    return run([server_program, "token", "create", "tester", "--scope", "manage", "--expires", "1h", "--account", "anna", "--quiet"],
               env=place.server_environment(1)).strip()


def addresses(place, caller):
    """From where the account was changed, the last one first."""
    entries = json.loads(place.ask("GET", "/v1/audit?limit=20", caller)[2])["entries"]
    return [entry.get("address") for entry in entries]


def main():
    services, resources = check_compose(), check_kubernetes()
    check_patience()
    with tempfile.TemporaryDirectory(prefix="cloudsync-deployment-") as folder:
        place = Place(pathlib.Path(folder))
        try:
            pages = story(place)
        finally:
            place.end_all()
    questions = check_dashboard(pages)
    print(f"validate-deployment: {services} services, {resources} resources and {questions} questions of the dashboard are right; "
          "two devices noticed neither a killed nor a stopped server")


main()
