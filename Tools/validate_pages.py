"""Looks at the pages of a real server in a real browser. Tools/validate-pages runs it."""

import contextlib
import http.client
import http.server
import json
import pathlib
import subprocess
import sys
import tempfile
import threading
import urllib.parse

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.wait import WebDriverWait

from validate_browser import browser, check, look

program, pictures = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])

words = {
    "en": {"title": "Join with a device", "share": "Take part in a shared record", "state": "can store data",
           "copied": "Copied.", "by hand": "Replace LINK", "broken": "not a whole link"},
    "de": {"title": "Ein Gerät aufnehmen", "share": "An einem geteilten Eintrag teilnehmen",
           "state": "kann Daten speichern", "copied": "Kopiert.", "by hand": "Ersetzen Sie LINK",
           "broken": "kein ganzer Link"},
}
# What could end the quotes of a command, hide a second one, or be no secret at all.
hostile = ["", "x", "AAAA-BBBB' ; touch pwned ; '", "AAAA-BBBB'%0atouch pwned%0a'", "AAAA$(touch pwned)",
           "AAAA`touch pwned`", "AAAA&key=\u2018x\u2019", "<img src=x onerror=alert(1)>", "A" * 500]


class Person:
    """A home folder of its own, and the program in it."""

    def __init__(self, folder):
        self.home = folder
        folder.mkdir()

    @property
    def environment(self):
        return {"HOME": str(self.home), "PATH": f"{program.parent}:/usr/bin:/bin"}

    def run(self, *arguments):
        outcome = subprocess.run([program, *arguments], env=self.environment, capture_output=True, text=True)
        check(outcome.returncode == 0, f"{arguments} ended with {outcome.returncode}: {outcome.stderr}")
        return outcome.stdout

    def paste(self, line):
        return subprocess.run(["sh", "-c", line], env=self.environment, cwd=self.home, capture_output=True, text=True)


@contextlib.contextmanager
def server(host):
    with open(host.home / "log", "w") as log:
        process = subprocess.Popen([program, "serve", "-v", "--listen", "127.0.0.1:0", "--data", host.home / "server"],
                                   env=host.environment, stdout=subprocess.PIPE, stderr=log, text=True)
    try:
        address = process.stdout.readline().strip()
        check(address.startswith("http://"), "the server did not start")
        yield address
    finally:
        process.terminate()
        process.wait()


def shown(driver, name):
    return driver.find_element(By.ID, name).is_displayed()


def visit(language, address, link, guest):
    mine = words[language]
    with browser(language) as driver:
        driver.get(address)
        check(mine["state"] in driver.find_element(By.TAG_NAME, "main").text, f"the first page is {driver.page_source}")
        look(driver, f"home-{language}")
        driver.get(f"{address}/share#csi_6wq3hn7c2p")
        check(driver.title == mine["share"], f"the title is {driver.title}")
        text = driver.find_element(By.ID, "command").text
        check(text == f"cloudsync share accept '{address}/share#csi_6wq3hn7c2p'", f"the command is {text}")
        look(driver, f"share-{language}")
        for secret in hostile:
            driver.get("about:blank")
            driver.get(f"{address}/join#{secret}")
            check(shown(driver, "broken") and mine["broken"] in driver.find_element(By.ID, "broken").text,
                  f"{secret!r} is taken for a secret")
            check(not shown(driver, "steps"), f"{secret!r} is shown in a command")
        look(driver, f"broken-{language}")

        driver.get("about:blank")
        driver.get(link)
        check(driver.title == mine["title"], f"the title is {driver.title}")
        check(not shown(driver, "by-hand"), "a page with a script says how to do without")
        command = driver.find_element(By.ID, "command").text
        check(command == f"cloudsync init --join '{link}'", f"the command is {command}")
        look(driver, f"join-{language}")
        picture = pictures / f"join-{language}-qr.png"
        driver.set_window_size(1280, 1200)
        driver.execute_script("document.getElementById('qr').scrollIntoView()")
        driver.find_element(By.ID, "qr").screenshot(str(picture))
        read = subprocess.run(["zbarimg", "--quiet", "--raw", picture], capture_output=True, text=True).stdout.strip()
        check(read == link, f"the QR code says {read!r}, the link is {link!r}")
        # Another address of the same page, as when a second link is pasted over the first.
        driver.execute_script("location.hash = 'ZZZZ-9999'")
        WebDriverWait(driver, 20).until(lambda page: "#ZZZZ-9999'" in page.find_element(By.ID, "command").text)
        driver.execute_script("location.hash = arguments[0]", link.split("#")[1])
        WebDriverWait(driver, 20).until(lambda page: page.find_element(By.ID, "command").text == command)
        # By the keyboard alone.
        driver.execute_cdp_cmd("Emulation.setFocusEmulationEnabled", {"enabled": True})
        driver.execute_cdp_cmd("Browser.grantPermissions",
                               {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"], "origin": address})
        for _ in range(10):
            driver.switch_to.active_element.send_keys(Keys.TAB)
            if driver.switch_to.active_element.get_attribute("id") == "copy":
                break
        driver.switch_to.active_element.send_keys(Keys.ENTER)
        WebDriverWait(driver, 20).until(lambda page: page.find_element(By.ID, "copied").text == mine["copied"])
        copied = driver.execute_async_script(
            "const done = arguments[0]; navigator.clipboard.readText().then(done, error => done(String(error)))")
        check(copied == command, f"the clipboard has {copied}")
        # What was copied is what lets a device in.
        joined = guest.paste(f"{copied} --yes --device guest-{language}")
        check(joined.returncode == 0, f"the pasted command ended with {joined.returncode}: {joined.stderr}")


def visit_without_script(address, link):
    for language in words:
        with browser(language, script=False) as driver:
            driver.get(link)
            check(shown(driver, "by-hand") and words[language]["by hand"] in driver.find_element(By.ID, "by-hand").text,
                  "without a script the page does not say what to copy")
            check(driver.find_element(By.ID, "command").text == "cloudsync init --join 'LINK'", "the command is odd")
            check(not shown(driver, "copy") and not shown(driver, "broken"), "without a script there is more")
            check(not shown(driver, "camera"), "without a script there is a QR code")
            check(driver.current_url == link, "the address has lost its secret")
            driver.save_screenshot(str(pictures / f"join-{language}-without-script.png"))


# What a template might show without escaping it. The last ones have an accent behind what would end an attribute.
names = ["<script>document.title='pwned'</script>", "\"><img src=x onerror=\"document.title='pwned'\">",
         "'><svg/onload=document.title='pwned'>", "{{root}}{{{token}}}", "</title><h1>pwned</h1>",
         "javascript:document.title='pwned'", "<\u0301script>document.title='pwned'</script>",
         "\"\u0301 onfocus=\"document.title='pwned'\" autofocus x=\"", "../../admin", "--help", "a=b&c=d", "W" * 200]
admin_words = {
    "en": {"none": "If you are the host", "overview": "Overview", "used": "used, expired or wrong", "made": "was created",
           "lock": "Lock the account", "unlock": "Unlock the account", "locked": "The account is locked.",
           "quota": "The quota is set.", "remove": "Remove the account", "wrong": "nothing was removed",
           "removed": "The account was removed.", "audit": "Audit", "invite": "Make a link", "set": "Set the quota",
           "open": "Open", "out": "Sign out", "joined": "device joined"},
    "de": {"none": "Wenn Sie der Betreiber sind", "overview": "Übersicht", "used": "benutzt, abgelaufen oder falsch",
           "made": "wurde angelegt", "lock": "Konto sperren", "unlock": "Konto entsperren",
           "locked": "Das Konto ist gesperrt.", "quota": "Die Grenzen sind gesetzt.", "remove": "Konto entfernen",
           "wrong": "nichts entfernt", "removed": "Das Konto wurde entfernt.", "audit": "Protokoll",
           "invite": "Link erzeugen", "set": "Grenzen setzen", "open": "Öffnen", "out": "Abmelden",
           "joined": "Gerät aufgenommen"},
}


class Host(Person):
    """The person who runs the server."""

    def __init__(self, folder):
        super().__init__(folder)
        self.codes = []

    def server(self, *arguments):
        return self.run("server", *arguments, "--data", self.home / "server")

    def admin(self, address):
        link = self.server("admin", "--url", address, "--quiet").strip()
        check(link.startswith(f"{address}/admin/open#"), f"the link of the host is {link}")
        self.codes.append(link.split("#")[1])
        return link

    def accounts(self):
        return {account["name"]: account for account in json.loads(self.server("accounts", "--json"))["accounts"]}


def text(driver):
    return driver.find_element(By.TAG_NAME, "main").text


def gone(element):
    try:
        element.is_enabled()
        return False
    except Exception:
        return True


def leave(driver, element):
    """Presses a button or follows a link, and waits for the next page."""
    page = driver.find_element(By.TAG_NAME, "html")
    element.click()
    WebDriverWait(driver, 30).until(lambda _: gone(page))


def press(driver, label, number=0):
    buttons = [button for button in driver.find_elements(By.TAG_NAME, "button") if button.text.startswith(label)]
    check(len(buttons) > number, f"there is no button '{label}' in {text(driver)}")
    leave(driver, buttons[number])


def fill(driver, name, value):
    field = driver.find_element(By.NAME, name)
    field.clear()
    field.send_keys(value)


def sign_in(driver, link, language):
    driver.get("about:blank")
    driver.get(link)
    WebDriverWait(driver, 30).until(lambda page: page.title.startswith(admin_words[language]["overview"]))


def look_at_refusal(driver, name):
    """A page that comes with a status of 400 and more, or after one, which the browser mentions."""
    driver.get_log("browser")
    look(driver, name)


def invite(driver, name, language):
    fill(driver, "name", name)
    press(driver, admin_words[language]["invite"])
    check(admin_words[language]["made"] in text(driver), f"an invitation says {text(driver)}")
    link, command = (element.text for element in driver.find_elements(By.TAG_NAME, "pre"))
    check(command == f"cloudsync init --join '{link}'", f"the command is {command}")
    return command


def administer(language, address, host, guest):
    """A host comes in, invites a person, locks, limits and removes the account, and leaves."""
    mine = admin_words[language]
    with browser(language) as driver:
        driver.get(f"{address}/admin")
        check(mine["none"] in text(driver), f"without a link /admin says {text(driver)}")
        look_at_refusal(driver, f"admin-none-{language}")
        link = host.admin(address)
        sign_in(driver, link, language)
        check(driver.current_url == f"{address}/admin", f"the host is at {driver.current_url}")
        cookie = driver.get_cookie("cloudsync-admin")
        check(cookie["httpOnly"] and cookie["sameSite"] == "Strict" and cookie["path"] == "/admin", f"it is {cookie}")
        with browser(language) as other:
            other.get(link)
            WebDriverWait(other, 30).until(lambda page: mine["used"] in page.page_source)
            look_at_refusal(other, f"admin-used-{language}")

        name = f"Ben {language}"
        command = invite(driver, name, language)
        look(driver, f"admin-invited-{language}")
        joined = guest.paste(f"{command} --yes --device {guest.home.name}")
        check(joined.returncode == 0, f"the pasted command ended with {joined.returncode}: {joined.stderr}")
        guest.run("airports", "add", "ZRH", "LSZH", "--quiet")
        guest.run("sync", "--quiet")
        leave(driver, driver.find_element(By.PARTIAL_LINK_TEXT, name))
        check(guest.home.name in text(driver) and mine["joined"] in text(driver), f"the account says {text(driver)}")
        look(driver, f"admin-account-{language}")
        page = driver.current_url

        press(driver, mine["lock"])
        check(mine["locked"] in text(driver), f"a lock says {text(driver)}")
        look(driver, f"admin-locked-{language}")
        refused = guest.paste("cloudsync sync")
        check(refused.returncode == 77, f"a locked account ended with {refused.returncode}: {refused.stderr}")
        press(driver, mine["unlock"])
        guest.run("sync", "--quiet")

        fill(driver, "bytes", "1.5")
        fill(driver, "devices", "3")
        press(driver, mine["set"])
        check(mine["quota"] in text(driver), f"a quota says {text(driver)}")
        check(host.accounts()[name]["quota"] == {"bytes": 1_500_000_000, "records": None, "devices": 3},
              f"the quota is {host.accounts()[name]['quota']}")
        fill(driver, "bytes", "much")
        press(driver, mine["set"])
        check(driver.find_element(By.CSS_SELECTOR, "[role=alert]").text, "a wrong quota says nothing")
        look_at_refusal(driver, f"admin-quota-{language}")

        leave(driver, driver.find_element(By.LINK_TEXT, mine["audit"]))
        check("127.0.0.1" in text(driver), f"the audit says {text(driver)}")
        look(driver, f"admin-audit-{language}")
        driver.get(page)
        leave(driver, driver.find_element(By.LINK_TEXT, mine["remove"]))
        look(driver, f"admin-remove-{language}")
        fill(driver, "name", "Ben")
        press(driver, mine["remove"])
        check(mine["wrong"] in text(driver) and name in host.accounts(), "a wrong name removes an account")
        fill(driver, "name", name)
        press(driver, mine["remove"])
        check(mine["removed"] in text(driver) and name not in host.accounts(), f"a removal says {text(driver)}")
        look_at_refusal(driver, f"admin-{language}")
        refused = guest.paste("cloudsync sync")
        check(refused.returncode == 77, f"a removed account ended with {refused.returncode}: {refused.stderr}")
        for image in driver.find_elements(By.CLASS_NAME, "chart"):
            check(driver.execute_script("return arguments[0].naturalWidth", image) == 640, "a chart is not shown")

        press(driver, mine["out"])
        check(not driver.get_cookies(), "who has signed out has a cookie")
        driver.back()
        check(mine["none"] in text(driver) or mine["open"] in text(driver), f"going back shows {text(driver)}")


def administer_without_script(address, host):
    link = host.admin(address)
    with browser(script=False) as driver:
        driver.get(link)
        fill(driver, "code", link.split("#")[1].lower())
        driver.save_screenshot(str(pictures / "admin-open-without-script.png"))
        press(driver, "Open")
        check(driver.current_url == f"{address}/admin", f"without a script the host is at {driver.current_url}")
        check("Accounts" in text(driver), f"without a script the host sees {text(driver)}")
        host.server("admin", "--revoke", "--quiet")
        driver.refresh()
        check(admin_words["en"]["none"] in text(driver), "a session that was ended goes on")


def show_hostile_names(driver, address):
    """Accounts, devices and tokens with names that would do something, on every page that shows them."""
    for name in names:
        driver.get(f"{address}/admin")
        command = invite(driver, name, "en")
        check("pwned" not in driver.title.replace("document.title='pwned'", "").replace("<h1>pwned</h1>", ""),
              f"{name!r} has run: {driver.title}")
        check(name.strip() in driver.title, f"{name!r} is shown as {driver.title}")
        code = urllib.parse.urlsplit(command.split("'")[1]).fragment
        server = http.client.HTTPConnection(urllib.parse.urlsplit(address).netloc)
        server.request("POST", "/v1/join", json.dumps({"code": code, "device": {"id": "phone", "name": name}}),
                       {"Content-Type": "application/json"})
        check(server.getresponse().status == 201, f"no device of {name!r} joins")
        server.close()
    driver.get(f"{address}/admin")
    check(all(name in text(driver) for name in names), f"the overview shows {text(driver)}")
    look(driver, "admin-hostile")
    for place in [link.get_attribute("href") for link in driver.find_elements(By.CSS_SELECTOR, "tbody a")]:
        for page in [place, f"{place}/audit", f"{place}/remove"]:
            driver.get(page)
            check("pwned" != driver.title and not driver.find_elements(By.CSS_SELECTOR, "main script, main svg, h1 h1"),
                  f"a name has run at {page}")
    driver.get(place)
    look(driver, "admin-hostile-account")


def crawl(driver, address):
    """Follows every link, and collects every form with what it would send."""
    waiting, seen, forms = [f"{address}/admin"], set(), {}
    while waiting:
        page = waiting.pop()
        if page in seen or not page.startswith(f"{address}/admin"):
            continue
        seen.add(page)
        driver.get(page)
        found = driver.execute_script(
            "return [[...document.links].map(link => link.href.split('#')[0]), [...document.forms].map(form =>"
            "[form.method, form.action, [...new FormData(form)]])]")
        waiting += found[0]
        for method, action, values in found[1]:
            check(method == "post", f"a form of {page} is sent by {method}")
            forms[action] = dict(values)
    return seen, forms


def send_forms(driver, address, host):
    """Sends every form from elsewhere, without its token, with another one, and without the cookie."""
    host.server("invite", "Crawled", "--quiet")
    pages, forms = crawl(driver, address)
    check(len(forms) > 5 and any(action.endswith("/remove") for action in forms), f"the forms are {list(forms)}")
    cookie = f"cloudsync-admin={driver.get_cookie('cloudsync-admin')['value']}"
    before = host.accounts()
    invitations = host.server("invitations", "--json")
    for action, values in forms.items():
        place = urllib.parse.urlsplit(action)
        values["name"] = values.get("name") or "Crawled"
        without = {name: value for name, value in values.items() if name != "token"}
        for what, origin, body, cookies, status in [
            ("from elsewhere", "http://evil.example", values, cookie, 403),
            ("from another port", f"http://{place.hostname}:1", values, cookie, 403),
            ("from a sandbox", "null", values, cookie, 403), ("from nowhere", None, values, cookie, 403),
            ("without a token", address, without, cookie, 403),
            ("with another token", address, {**values, "token": "a" * 52}, cookie, 403),
            ("without a cookie", address, values, None, 404),
        ]:
            fields = {"Content-Type": "application/x-www-form-urlencoded"}
            fields.update({"Origin": origin} if origin else {})
            fields.update({"Cookie": cookies} if cookies else {})
            connection = http.client.HTTPConnection(place.netloc)
            connection.request("POST", place.path, urllib.parse.urlencode(body), fields)
            answer = connection.getresponse()
            connection.close()
            check(answer.status == status, f"{place.path} {what} is answered with {answer.status}")
    check(host.accounts() == before and host.server("invitations", "--json") == invitations, "a form from elsewhere did something")
    # As a browser does it: a page at another port of this machine, to which the cookie belongs as well.
    action = next(action for action in forms if action.endswith("/lock"))

    class Trap(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(f'<form method="post" action="{action}"><input name="token" value="x"><button>Win</button></form>'.encode())

        def log_message(self, *_):
            pass

    with serving(Trap) as trap:
        driver.get(trap)
        leave(driver, driver.find_element(By.TAG_NAME, "button"))
        check("nothing was done" in text(driver), f"a form of another port is told: {text(driver)}")
    check(host.accounts() == before, "a form of another port did something")
    return len(pages), len(forms)


@contextlib.contextmanager
def serving(handler):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def administer_below_a_path(address, host):
    """A proxy that has the server below a path."""
    target = urllib.parse.urlsplit(address).netloc

    class Proxy(http.server.BaseHTTPRequestHandler):
        def pass_on(self):
            if not self.path.startswith("/below/"):
                return self.send_error(404)
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            connection = http.client.HTTPConnection(target)
            connection.request(self.command, self.path[len("/below"):], body, dict(self.headers))
            answer = connection.getresponse()
            content = answer.read()
            self.send_response(answer.status)
            for name, value in answer.getheaders():
                if name.lower() not in ("connection", "date", "transfer-encoding"):
                    self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)
            connection.close()

        do_GET = do_POST = pass_on

        def log_message(self, *_):
            pass

    with serving(Proxy) as proxy, browser() as driver:
        sign_in(driver, host.admin(f"{proxy}/below"), "en")
        check(driver.current_url == f"{proxy}/below/admin", f"below a path the host is at {driver.current_url}")
        check(driver.get_cookie("cloudsync-admin")["path"] == "/below/admin", "the cookie belongs to another path")
        look(driver, "admin-below")
        leave(driver, driver.find_element(By.CSS_SELECTOR, "tbody a"))
        press(driver, admin_words["en"]["lock"])
        check(admin_words["en"]["locked"] in text(driver), f"below a path a lock says {text(driver)}")
        press(driver, admin_words["en"]["unlock"])
        press(driver, admin_words["en"]["out"])
        check(driver.current_url == f"{proxy}/below/admin/open", f"who leaves is at {driver.current_url}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        host = Host(folder / "host")
        with server(host) as address:
            for language in words:
                said = host.run("server", "invite", f"anna-{language}", "--url", address, "--data", host.home / "server", "--quiet")
                link = said.split()[-1]
                check(link.startswith(f"{address}/join#"), f"the invitation is {said}")
                if language == "en":
                    visit_without_script(address, link)
                visit(language, address, link, Person(folder / f"guest-{language}"))
                administer(language, address, host, Person(folder / f"ben-{language}"))
            administer_without_script(address, host)
            administer_below_a_path(address, host)
            with browser() as driver:
                sign_in(driver, host.admin(address), "en")
                show_hostile_names(driver, address)
                pages, forms = send_forms(driver, address, host)
        log = (host.home / "log").read_text()
        secret = link.split("#")[1]
        check(secret not in log, "the server has seen the secret of a link")
        check("/admin/accounts/{account}/lock" in log and "/admin/open" in log, "the log has no page of administration")
        check(all(code not in log for code in host.codes), "the server has logged the code of a host")
        check("pages.js" in log or "/join" in log, f"the server has logged no page: {log[-300:]}")
        check(not list(folder.rglob("pwned")), "a command of a link was run")
    print(f"validate-pages: {len(list(pictures.iterdir()))} pictures, {len(hostile)} hostile links, 4 devices let in, "
          f"{len(names)} hostile names, {forms} forms of {pages} pages of administration sent from elsewhere")


main()
