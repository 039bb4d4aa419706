"""Looks at the pages of a real server in a real browser. Tools/validate-pages runs it."""

import contextlib
import pathlib
import subprocess
import sys
import tempfile
import urllib.parse

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.wait import WebDriverWait

program, pictures = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
axe = next(pathlib.Path(sys.prefix).glob("lib/*/site-packages/axe_playwright_python/axe.min.js")).read_text()

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


def check(holds, what):
    if not holds:
        sys.exit(f"validate-pages: {what}")


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


@contextlib.contextmanager
def browser(language="en", script=True):
    options = webdriver.ChromeOptions()
    for option in ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                   f"--accept-lang={language}"]:
        options.add_argument(option)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    preferences = {"intl.accept_languages": language}
    if not script:
        preferences["profile.managed_default_content_settings.javascript"] = 2
    options.add_experimental_option("prefs", preferences)
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService("/usr/bin/chromedriver"))
    try:
        yield driver
    finally:
        driver.quit()


def look(driver, name):
    """What holds for every page, however it is looked at."""
    for scheme in ["light", "dark"]:
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia",
                               {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
        for width, height in [(1280, 800), (320, 720)]:
            driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                   {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
            wide = driver.execute_script("return document.documentElement.scrollWidth")
            check(wide <= width, f"{name}: {wide} pixels wide where there are {width}")
            driver.execute_script(axe)
            found = driver.execute_async_script(
                "axe.run({runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']})"
                ".then(arguments[0])")
            faults = [f"{fault['id']}: {node['html']}" for fault in found["violations"] for node in fault["nodes"]]
            check(not faults, f"{name}, {scheme}, {width}: {faults}")
            check(found["passes"], f"{name}: nothing was checked")
            driver.save_screenshot(str(pictures / f"{name}-{scheme}-{width}.png"))
    driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    origin = urllib.parse.urlsplit(driver.current_url)[:2]
    loaded = driver.execute_script("return performance.getEntriesByType('resource').map(entry => entry.name)")
    check(loaded, f"{name} loads no style")
    check(all(urllib.parse.urlsplit(place)[:2] == origin for place in loaded), f"{name} loads {loaded}")
    said = driver.get_log("browser")
    check(not said, f"{name}: the browser complains: {said}")


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
            check(driver.current_url == link, "the address has lost its secret")
            driver.save_screenshot(str(pictures / f"join-{language}-without-script.png"))


def main():
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        host = Person(folder / "host")
        with server(host) as address:
            for language in words:
                said = host.run("server", "invite", f"anna-{language}", "--url", address, "--data", host.home / "server", "--quiet")
                link = said.split()[-1]
                check(link.startswith(f"{address}/join#"), f"the invitation is {said}")
                if language == "en":
                    visit_without_script(address, link)
                visit(language, address, link, Person(folder / f"guest-{language}"))
        log = (host.home / "log").read_text()
        secret = link.split("#")[1]
        check(secret not in log, "the server has seen the secret of a link")
        check("pages.js" in log or "/join" in log, f"the server has logged no page: {log[-300:]}")
        check(not list(folder.rglob("pwned")), "a command of a link was run")
    print(f"validate-pages: {len(list(pictures.iterdir()))} pictures, {len(hostile)} hostile links, 2 devices let in")


main()
