"""Uses the pages of `cloudsync web` in a real browser, as a person with two devices. Tools/validate-pages runs it."""

import base64
import contextlib
import http.client
import json
import os
import pathlib
import pwd
import re
import socket
import subprocess
import sys
import tempfile
import urllib.parse

from selenium.webdriver.common.by import By
from selenium.webdriver.support.select import Select
from selenium.webdriver.support.wait import WebDriverWait


from validate_browser import browser, check, look

program, pictures = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])

# What a template might show without escaping it. The last ones have an accent behind what would end an attribute.
hostile = ["<script>document.title='pwned'</script>", "\"><img src=x onerror=\"document.title='pwned'\">",
           "'><svg/onload=document.title='pwned'>", "{{t.overview}}{{{token}}}", "</textarea><h1>pwned</h1>",
           "javascript:document.title='pwned'", "<\u0301script>document.title='pwned'</script>",
           "\"\u0301 onfocus=\"document.title='pwned'\" autofocus x=\"", "\u202eevil\u202c", "-1", "--help", "a=b&c=d",
           "%3Cscript%3E", "\u0007bell"]


class Device:
    """A home folder of its own, and the program in it."""

    def __init__(self, folder, place):
        self.home, self.place = folder, place
        self.extra = {}
        folder.mkdir()

    @property
    def environment(self):
        return {"HOME": str(self.home), "PATH": f"{program.parent}:/usr/bin:/bin", "LANG": "C.UTF-8", "TZ": "UTC",
                **self.extra}

    def run(self, *arguments, status=0):
        outcome = subprocess.run([program, *arguments], env=self.environment, capture_output=True, text=True)
        check(outcome.returncode == status, f"{arguments} ended with {outcome.returncode}: {outcome.stderr}")
        return outcome.stdout

    def json(self, *arguments):
        return json.loads(self.run(*arguments, "--json"))

    @contextlib.contextmanager
    def pages(self, *options):
        with open(self.home / "log", "a") as log:
            process = subprocess.Popen([program, "web", *options], env=self.environment, stdout=subprocess.PIPE,
                                       stderr=log, text=True)
        try:
            link = process.stdout.readline().strip()
            check(link.startswith("http://127.0.0.1:"), f"the pages did not start: {(self.home / 'log').read_text()}")
            yield link
        finally:
            process.terminate()
            check(process.wait(20) in (0, 143), f"the pages ended with {process.returncode}")


def text(driver):
    return driver.find_element(By.TAG_NAME, "main").text


def press(driver, label, within=None):
    """Presses the button with a text, as a person does, and waits for the next page."""
    body = driver.find_element(By.TAG_NAME, "html")
    for button in (within or driver).find_elements(By.TAG_NAME, "button"):
        if button.text.split("\n")[0].startswith(label):
            button.click()
            WebDriverWait(driver, 30).until(lambda _: gone(body))
            return
    check(False, f"there is no button '{label}' in {text(driver)}")


def gone(element):
    try:
        element.is_enabled()
        return False
    except Exception:
        return True


def follow(driver, label):
    body = driver.find_element(By.TAG_NAME, "html")
    driver.find_element(By.LINK_TEXT, label).click()
    WebDriverWait(driver, 30).until(lambda _: gone(body))


def fill(driver, name, value):
    field = driver.find_element(By.NAME, name)
    field.clear()
    field.send_keys(value)


def tell_the_story(laptop, desk, script):
    """First start with no data, a record, an edit, undo, a conflict, the history."""
    with laptop.pages() as link, browser(script=script) as driver:
        driver.get(link)
        check("not set up" in text(driver), f"a device that is not set up is told: {text(driver)}")
        if script:
            look(driver, "web-first")
        laptop.run("init", "--remote", f"place=file:{laptop.place}", "--unencrypted", "--no-input", "--yes")
        driver.refresh()
        check("No other device" in text(driver), f"a device that is alone is told: {text(driver)}")
        follow(driver, "Airports")
        check("Nothing is found" in text(driver), "an empty table says nothing")
        follow(driver, "New record")
        fill(driver, "id", "JFK")
        fill(driver, "field.icao", "KJFK")
        press(driver, "Add")
        check("Added." in text(driver) and "KJFK" in text(driver), f"an added record is not shown: {text(driver)}")
        if script:
            look(driver, "web-table")
        follow(driver, "Overview")
        check("1 edit is on this device alone" in text(driver), f"an edit that waits is told: {text(driver)}")
        press(driver, "Sync now")
        check("Synced: " in text(driver), f"a sync says nothing: {text(driver)}")

        if not (desk.home / ".config").exists():
            desk.run("init", "--remote", f"place=file:{desk.place}", "--no-input", "--yes")
        desk.run("sync")
        desk.run("airports", "set", "JFK", "icao=KLGA", "--quiet")
        desk.run("sync")
        follow(driver, "Airports")
        follow(driver, "JFK")
        check("KJFK" in driver.page_source, "a record shows no value")
        fill(driver, "field.icao", "KEWR")
        press(driver, "Save")
        check("Changed." in text(driver), f"a change says nothing: {text(driver)}")
        if script:
            look(driver, "web-record")
        laptop.run("sync", "--quiet")
        driver.get(driver.current_url)
        follow(driver, "Conflicts")
        check("KEWR" in text(driver) and "KLGA" in text(driver), f"a conflict is not shown: {text(driver)}")
        if script:
            look(driver, "web-conflicts")
        side = next(side for side in driver.find_elements(By.CLASS_NAME, "side") if "KLGA" in side.text)
        press(driver, "Take this value", side)
        check("There are no conflicts" in text(driver), f"a settled conflict is still there: {text(driver)}")
        check(laptop.json("airports", "show", "JFK")["fields"]["icao"] == "KLGA", "another value was taken")

        follow(driver, "History")
        check("changed mapping/JFK" in text(driver), f"the history says {text(driver)}")
        if script:
            look(driver, "web-history")
        follow(driver, "Airports")
        follow(driver, "JFK")
        press(driver, "Delete")
        check("Deleted." in text(driver), "a deleted record says nothing")
        press(driver, "Undo")
        check("Undone." in text(driver), "an undo says nothing")
        check(laptop.json("airports", "show", "JFK")["fields"]["icao"] == "KLGA", "an undo has brought nothing back")
        laptop.run("airports", "rm", "JFK", "--quiet")
        follow(driver, "Airports")
        driver.get(driver.current_url.split("?")[0] + "/mapping/JFK")
        press(driver, "Restore")
        check("Restored." in text(driver), "a restored record says nothing")
        follow(driver, "Devices")
        press(driver, "Make a code")
        check("needs a server" in text(driver), f"pairing says {text(driver)}")
        follow(driver, "Devices")
        fill(driver, "name", "the laptop")
        press(driver, "Rename this device")
        check("the laptop" in text(driver), f"a device that was renamed is called {text(driver)}")
        if script:
            look(driver, "web-devices")
        follow(driver, "Overview")
        laptop.run("sync")
        driver.refresh()
        if script:
            look(driver, "web-overview")
        said = [entry for entry in driver.get_log("browser") if "favicon" not in entry["message"]] if script else []
        check(not said, f"the browser complains: {said}")


def show_hostile_values(laptop):
    """Values of others, which may say anything, through every page that shows them."""
    for number, value in enumerate(hostile):
        outcome = subprocess.run([program, "health", "add", "--collection", "subject", "--", f"personalName=x{number} {value}"],
                                 env=laptop.environment, capture_output=True, text=True)
        check(outcome.returncode in (0, 65), f"{value!r}: {outcome.stderr}")
    known = [record["fields"]["personalName"] for record in laptop.json("health", "list", "--collection", "subject")["records"]]
    check(len(known) >= len(hostile) - 2, f"only {known} were taken")
    with laptop.pages() as link, browser() as driver:
        driver.get(link)
        base = driver.current_url
        records = laptop.json("health", "search", "--collection", "subject", "--limit", "0")["records"]
        places = ["data/health?collection=subject", "history", "conflicts", "devices", ""]
        places += [f"data/health/subject/{urllib.parse.quote(record['id'], safe='')}" for record in records]
        places += [f"data/health?collection=subject&q={urllib.parse.quote(value)}" for value in hostile]
        places += [f"data/{urllib.parse.quote(value, safe='')}" for value in hostile]
        for place in places:
            driver.get(base + place)
            check("pwned" not in driver.title, f"{place}: a value was run")
            check(not driver.find_elements(By.CSS_SELECTOR, "main img, main svg[onload], main script, h1 ~ h1"),
                  f"{place}: a value became a part of the page")
        driver.get(base + "data/health?collection=subject")
        for name in known:
            check(" ".join(name.split()) in " ".join(text(driver).replace("\u202e", "").split())
                  or any(mark in name for mark in "\u0007\u202e"), f"{name!r} is not shown in {text(driver)}")


def fill_in_health(device):
    """Made-up people and a pet: one with readings of ten months, an allergy that others have named, and a past one."""
    device.run("health", "subject", "add", "Ada Example", "personalBirthdate=1980-02-29", "bloodType=A+", "--quiet")
    device.run("health", "subject", "add", "Waldi", "--pet", "--quiet")
    device.run("health", "subject", "add", "Zoe Blank", "--quiet")
    for month in range(1, 11):
        device.run("health", "entry", "add", "Ada", "weight", f"{70 + month % 4}.5 kg", "--date", f"2026-{month:02}-15",
                   "--quiet")
        device.run("health", "entry", "add", "Ada", "blood", f"{120 + month}/{80 - month} mmHg", "--date",
                   f"2026-{month:02}-10", "--quiet")
        device.run("health", "entry", "add", "Ada", "blood", f"name={hostile[0]}", f"value={60 + month}", "unit=/min",
                   "--date", f"2026-{month:02}-11", "--quiet")
    for subject, *words in [
        ["Ada", "allergy", f"name={hostile[1]}", "information=rash"],
        ["Ada", "allergy", "Outgrown milk", "status=resolved"], ["Ada", "drug", "Examplin 5 mg", "until=2020-01-01"],
        ["Ada", "drug", "Testol 10 mg", "refillDue=2999-01-01"], ["Ada", "illness", "Asthma"],
        ["Ada", "vaccination", "Tetanus", "--date", "2010-11-01", "nextDue=2020-11-01"],
        ["Ada", "emergencyContact", "Ben Example", "phone=+49 30 000000"], ["Waldi", "allergy", "No known allergies"],
        ["Waldi", "vaccination", "Rabies", "--date", "2019-06-01", "nextDue=2020-06-01"],
    ]:
        device.run("health", "entry", "add", subject, *words, "--quiet")


def see_images(driver, count):
    """Whether every image is one, and how many there are."""
    shown = driver.execute_async_script("""
        const images = [...document.querySelectorAll("main img")], done = arguments[0]
        for (const image of images) image.loading = "eager"
        Promise.all(images.map(image => image.decode().then(() => image.naturalWidth, () => 0))).then(done)""")
    check(len(shown) == count and all(width > 100 for width in shown), f"the images are {shown} pixels wide")


def care_for_people(device):
    """Who there is and what is due, the page of a person, an entry by the form, the sheet for an emergency."""
    fill_in_health(device)
    with device.pages() as link, browser() as driver:
        driver.get(link)
        base = driver.current_url
        follow(driver, "Health")
        due = text(driver).split("Due within 30 days")[1]
        check(due.index("Rabies") > due.index("overdue") and due.index("Rabies") < due.index("Tetanus")
              and "Testol" not in due, f"what is due is {due}")
        look(driver, "web-health")
        driver.get(base + "data/health?collection=weight")
        check("Due within" not in text(driver), "a table that was chosen is below other things")
        follow(driver, "Health")
        follow(driver, "Example - Ada")
        person = driver.current_url
        look(driver, "web-person")
        see_images(driver, 3)
        for words in ["A+", "29 Feb 1980", "Tetanus", "Ben Example", hostile[0], hostile[1], "Outgrown milk",
                      "10 values. 70.5 to 73.5 kg. Latest: 72.5 kg (15 Oct 2026).",
                      "Systolic 121 to 130, diastolic 70 to 79 mmHg", "Page 1 of 2"]:
            check(words in text(driver), f"{words!r} is not on the page of a person: {text(driver)}")
        check("pwned" not in driver.title and not driver.find_elements(By.CSS_SELECTOR, "main script, main img[onerror]"),
              "a value was run")
        follow(driver, "Older")
        check("Page 2 of 2" in text(driver), "the timeline has no second page")
        follow(driver, "Weight")
        check(len(driver.find_elements(By.CSS_SELECTOR, "#timeline ~ .scroll tbody tr")) == 10, "a kind was not chosen")

        def attempt(kind, **values):
            if not driver.find_elements(By.CSS_SELECTOR, "details[open] form"):
                driver.find_element(By.CSS_SELECTOR, "details:has(form) summary").click()
            Select(driver.find_element(By.NAME, "kind")).select_by_value(kind)
            for name, value in values.items():
                if name in ["date", "due"]:
                    driver.execute_script("document.getElementsByName(arguments[0])[0].value = arguments[1]", name, value)
                else:
                    fill(driver, name, value)
            press(driver, "Add")

        def error(name):
            # The answer is 422, which the browser notes.
            driver.get_log("browser")
            field = driver.find_element(By.NAME, name)
            check(field.get_attribute("aria-invalid") == "true" and f"e-{name}" in field.get_attribute("aria-describedby"),
                  f"the field {name} is not marked")
            return driver.find_element(By.ID, f"e-{name}").text

        before = device.json("history", "list", "--limit", "0")
        attempt("weight", text="72,5")
        check("needs a number and its unit" in error("text"), f"a weight without a unit is told: {text(driver)}")
        check(driver.find_element(By.NAME, "text").get_attribute("value") == "72,5", "what was typed is gone")
        look(driver, "web-entry")
        attempt("weight", text="72,5 kg", due="2030-01-01")
        check("Only vaccinations" in error("due"), "a weight is due again")
        attempt("illness", text="")
        check("Write what" in error("text"), "an entry needs no text")
        check(device.json("history", "list", "--limit", "0") == before, "an entry with an error was added")
        driver.get(person)
        for value in hostile:
            attempt("allergy", text=value if "\u0007" not in value else "bell", remark=value.replace("\u0007", ""))
            check("Added." in text(driver), f"{value!r} was not added: {text(driver)}")
            check("pwned" not in driver.title, f"{value!r} was run")
        kept = [record["fields"] for record in device.json("health", "entry", "list", "Ada", "--kind", "allergy")["records"]]
        check(all(any(fields["name"] == value and fields.get("comment") == value for fields in kept)
                  for value in hostile if value.isprintable() and value.isascii()), f"the form has added {kept}")
        attempt("vaccination", text="Flu", date="2026-10-01", due="2027-10-01")
        check("Flu" in text(driver) and "next due 1 Oct 2027" in text(driver), "a vaccination is not there")
        press(driver, "Undo")
        driver.get(person)
        check("Flu" not in text(driver), "an undo has done nothing")

        follow(driver, "Emergency sheet")
        sheet = text(driver)
        for words in ["A+", "Testol 10 mg", "Asthma", "Ben Example", hostile[1], "rash"]:
            check(words in sheet, f"{words!r} is not on the sheet: {sheet}")
        for words in ["Outgrown milk", "Examplin", "Tetanus"]:
            check(words not in sheet, f"{words!r} is on the sheet")
        look(driver, "web-emergency")
        check(driver.find_element(By.CSS_SELECTOR, "[data-print]").is_displayed(), "there is no button to print")
        printed = base64.b64decode(driver.print_page())
        check(len(re.findall(rb"/Type\s*/Page\b", printed)) == 1, "the sheet is not one page")
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print", "features": [
            {"name": "prefers-color-scheme", "value": "dark"}]})
        for shown in ["header", "[data-print]", ".no-print", ".skip"]:
            check(not driver.find_element(By.CSS_SELECTOR, shown).is_displayed(), f"{shown} is printed")
        style = driver.execute_script("""
            const body = getComputedStyle(document.body), side = getComputedStyle(document.querySelector(".side"))
            return [body.color, body.backgroundColor, side.backgroundColor]""")
        check(style == ["rgb(0, 0, 0)", "rgb(255, 255, 255)", "rgb(255, 255, 255)"], f"the sheet is printed in {style}")
        driver.save_screenshot(str(pictures / "web-emergency-print.png"))
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
        for name, words in [("Waldi", "None known; this was asked"), ("Blank - Zoe", "Nothing is recorded. That does not")]:
            driver.get(base + "data/health")
            follow(driver, name)
            follow(driver, "Emergency sheet")
            side = driver.find_element(By.CSS_SELECTOR, ".side")
            check("Allergies" in side.text and words in side.text, f"{name} has {side.text}")
        check(ends(driver, base + "health/person/nobody"), "a person who is not there has a page")
    with device.pages() as link, browser("de", script=False) as driver:
        driver.get(link)
        driver.get(person.replace(urllib.parse.urlsplit(base).netloc + urllib.parse.urlsplit(base).path,
                                  urllib.parse.urlsplit(driver.current_url).netloc
                                  + urllib.parse.urlsplit(driver.current_url).path))
        check("Zuletzt: 72,5 kg (15.10.2026)" in text(driver), f"the page in German says {text(driver)}")
        follow(driver, "Notfallblatt")
        check("Strg+P" in text(driver) and not driver.find_element(By.CSS_SELECTOR, "[data-print]").is_displayed(),
              "without script there is a button that does nothing")
    return [urllib.parse.urlsplit(person).path.split("/", 2)[2]]


def ends(driver, address):
    """Whether an address has no page."""
    driver.get(address)
    return "This did not work" in text(driver)


def care_for_bikes(device):
    """What is worn, a service by the button and by the form, the parts, the log and the months, in both units."""
    device.run("bike", "add", "b1", "name=Trail bike", "--quiet")
    device.run("bike", "add", "b2", f"name={hostile[0]}", "--quiet")
    device.run("bike", "defaults", "b1", "--kind", "hardtail", "--quiet")
    with device.pages() as link, browser() as driver:
        driver.get(link)
        base = driver.current_url
        follow(driver, "Bike")
        check("This device has no rides" in text(driver) and "no rides here" in text(driver),
              f"a device without rides says {text(driver)}")
        check(not driver.find_elements(By.TAG_NAME, "meter"), "a device without rides knows what is worn")
        device.run("bike", "component", "add", "Front wheel", "--on", "b1", "--at", "1970-01-01", "--quiet")
        device.run("bike", "component", "add", hostile[1], "--on", "component/Front wheel", "--at", "1970-01-01", "--quiet")
        for month in range(1, 11):
            for bike, distance in [("b1", "80.5"), ("b2", "40")]:
                device.run("bike", "ride", "add", "--bike", bike, "--date", f"2026-{month:02}-12T10:00:00Z", "--km",
                           distance, "--time", "4h", "--quiet")
        device.run("bike", "service", "chain", "--bike", "b1", "--date", "2026-08-20", "--cost", "30.5", "--currency",
                   "EUR", "--note", hostile[2], "--quiet")
        follow(driver, "Bike")
        look(driver, "web-bike")
        see_images(driver, 1)
        for words in ["overdue", "805 km · 40 h · 10 rides", "Costs in all: 30.50 EUR", hostile[0], hostile[1],
                      hostile[2], "Oct 2026", "120.5"]:
            check(words in text(driver), f"{words!r} is not on the page of the bike: {text(driver)}")
        check("pwned" not in driver.title, "a value was run")
        check(driver.find_elements(By.CSS_SELECTOR, ".tree .tree .tree li"), "a part of a part is not below it")

        def row(part):
            rows = driver.find_elements(By.CSS_SELECTOR, "#due ~ .scroll tbody tr")
            return next(row for row in rows if row.text.startswith(part))

        check("160 %" in row("Chain").text and "of 5 h" in row("Chain").text, f"the chain is {row('Chain').text}")
        press(driver, "Serviced now", row("Chain"))
        check("The service is recorded" in text(driver) and "good" in row("Chain").text, f"a service says {text(driver)}")
        press(driver, "Undo")
        follow(driver, "Bike")
        check("160 %" in row("Chain").text, "an undo has done nothing")
        details = row("Chain").find_element(By.TAG_NAME, "a").get_attribute("href")
        driver.get(details)
        look(driver, "web-service")
        for name, value, words in [("date", "2999-01-01", "in the future"), ("cost", "much", "--cost")]:
            driver.execute_script("document.getElementsByName('date')[0].value = ''")
            driver.execute_script("document.getElementsByName(arguments[0])[0].value = arguments[1]", name, value)
            press(driver, "Record the service")
            check(words in driver.find_element(By.ID, f"e-{name}").text, f"a wrong {name} is told: {text(driver)}")
        fill(driver, "cost", "12,50")
        fill(driver, "currency", "EUR")
        fill(driver, "note", hostile[3])
        driver.find_element(By.NAME, "keep").click()
        press(driver, "Record the service")
        check("The service is recorded." in text(driver) and "160 %" in row("Chain").text
              and "43.00 EUR" in text(driver) and hostile[3] in text(driver), f"a service says {text(driver)}")
        check(ends(driver, base + "bike/service/" + urllib.parse.quote(hostile[0], safe="")), "no interval has a page")
        device.run("config", "set", "domains.bike.units", "imperial", "--quiet")
        driver.get(base + "data/bike")
        check("500 mi" in text(driver) and "Distances in mi" in text(driver) and " km" not in text(driver),
              f"in miles it says {text(driver)}")
        device.run("config", "unset", "domains.bike.units", "--quiet")
    return ["/".join(urllib.parse.urlsplit(details).path.split("/")[2:])]


def choose(driver, path):
    """Chooses a file on the page of a domain's imports and sends it."""
    driver.find_element(By.NAME, "file").send_keys(str(path))
    press(driver, "See what it would change")


def kept_files(folder):
    return [path for path in folder.rglob("*") if path.is_file()]


def import_and_export(laptop, script):
    """A file is shown before it is written, can be thrown away, and comes back as an export."""
    temporary = laptop.home / "tmp"
    temporary.mkdir(exist_ok=True)
    files = laptop.home / "files"
    files.mkdir(exist_ok=True)
    laptop.extra["TMPDIR"] = str(temporary)
    films = files / "films <b>&amp;' {{t.overview}}.csv"
    rows = ["Title,Year,Rating"] + [f'"x{number} {value.replace(chr(34), chr(34) * 2)}",2001,7'
                                    for number, value in enumerate(hostile)]
    films.write_text("\n".join(rows))
    wrong = files / "pairs.csv"
    wrong.write_text("iata,icao\nJ<b>K,KJFK\nLHR,EGLL\nFRA,EDDM\n")
    downloads = laptop.home / "downloads"
    downloads.mkdir(exist_ok=True)
    with laptop.pages() as link, browser(script=script) as driver:
        driver.get(link)
        base = driver.current_url
        driver.execute_cdp_cmd("Browser.setDownloadBehavior",
                               {"behavior": "allow", "downloadPath": str(downloads)})
        follow(driver, "Airports")
        follow(driver, "Import and export")
        if script:
            look(driver, "web-import")
        choose(driver, wrong)
        check("Leave the bad rows out" in text(driver) and "J<b>K" in text(driver), f"a bad row is told: {text(driver)}")
        check(str(temporary) not in text(driver), "a page says where files are kept")
        kept = kept_files(temporary)
        check(len(kept) == 1 and kept[0].stat().st_mode & 0o777 == 0o600, f"kept is {kept}")
        check(all(folder.stat().st_mode & 0o777 == 0o700 for folder in temporary.rglob("*") if folder.is_dir()),
              "others may look at a file that was sent")
        if script:
            look(driver, "web-import-bad")
        follow(driver, "Leave the bad rows out")
        check("Would be added: 2" in text(driver) and "Munich" in text(driver), f"a plan says {text(driver)}")
        if script:
            look(driver, "web-import-plan")
        press(driver, "Import it")
        check("Imported. Added: 2" in text(driver) and "Munich" in text(driver), f"an import says {text(driver)}")
        check(not kept_files(temporary), "an imported file is kept")
        press(driver, "Undo")
        check("Undone." in text(driver), "an import cannot be undone")
        driver.get(base + "import/airports")
        choose(driver, films)
        check("airports" not in driver.title and "films" in text(driver), f"a wrong file is told: {text(driver)}")
        press(driver, "Throw it away")
        check("thrown away" in text(driver) and not kept_files(temporary), "a file cannot be thrown away")
        driver.get(base + "import/media")
        choose(driver, films)
        check("pwned" not in driver.title and not driver.find_elements(By.CSS_SELECTOR, "main img, main script, main b"),
              "a value of a file became a part of the page")
        shown = driver.find_element(By.CSS_SELECTOR, "[aria-labelledby=plan]").get_attribute("textContent")
        for value in hostile[:6]:
            check(value in shown, f"{value!r} is not shown in {shown}")
        fill(driver, "list", "Hostile")
        press(driver, "See what it would change")
        press(driver, "Import it")
        check("Imported." in text(driver), f"films are not imported: {text(driver)}")
        check(len(laptop.json("media", "search", "--collection", "item", "--limit", "0")["records"]) >= len(hostile) - 2,
              "films are missing")
        driver.get(base + "import/media")
        driver.find_element(By.XPATH, "//button[text()='Export']").click()
        WebDriverWait(driver, 30).until(lambda _: list(downloads.glob("cloudsync-media-*.json")))
        exported = list(downloads.glob("cloudsync-media-*.json"))[0]
        WebDriverWait(driver, 30).until(lambda _: exported.read_text().rstrip().endswith("}"))
        check(json.loads(exported.read_text())["records"], "an export is empty")
        exported.unlink()
        # A file that stays behind ends with the pages.
        choose(driver, films)
        check(kept_files(temporary), "a file is not kept for its page")
    check(not list(temporary.iterdir()), "files stay behind")
    laptop.extra.clear()


def is_whole(driver, place):
    """A page on which no value has become anything but text."""
    check("pwned" not in driver.title and "Overview" not in driver.title, f"{place}: a value was run")
    check(not driver.find_elements(By.CSS_SELECTOR, "main img:not([src*='.svg']), main script, main svg, h1 ~ h1"),
          f"{place}: a value became a part of the page")


def look_at_airports(laptop, script):
    """What the reference says of the mappings, a code that is looked up, and the map."""
    for pair in [("FRA", "EDDM"), ("XYZ", "KXYZ"), ("SYD", "YSSY"), ("GRU", "SBGR"), ("HND", "RJTT")]:
        laptop.run("airports", "add", *pair, "--quiet")
    with laptop.pages() as link, browser(script=script) as driver:
        driver.get(link)
        base = driver.current_url
        follow(driver, "Airports")
        check("not EDDM" in text(driver) and "knows no airport" in text(driver), f"doubts are not told: {text(driver)}")
        fill(driver, "code", "heathrow")
        press(driver, "Look up")
        check("EGLL" in text(driver) and "London Heathrow" in text(driver), f"a look-up finds {text(driver)}")
        if script:
            look(driver, "web-airports")
            check(driver.execute_script("return document.querySelector('img.map').naturalWidth") > 0, "no map is drawn")
        press(driver, "Use EDDF")
        check("not EDDM" not in text(driver), f"a correction did nothing: {text(driver)}")
        press(driver, "Undo")
        check(laptop.json("airports", "show", "FRA")["fields"]["icao"] == "EDDM", "a correction cannot be undone")
        driver.get(base + "data/airports")
        fill(driver, "iata", "BER")
        fill(driver, "icao", "EDDB")
        press(driver, "Add")
        check("Added." in text(driver), f"a pair is not added: {text(driver)}")
        fill(driver, "iata", "--h")
        fill(driver, "icao", "-n")
        press(driver, "Add")
        check("Added." not in text(driver) and "USAGE" not in text(driver), f"a pair became an option: {text(driver)}")
        for value in hostile:
            driver.get(base + "data/airports?code=" + urllib.parse.quote(value))
            is_whole(driver, value)
        driver.get(base + "airports/map.svg")
        check(driver.execute_script("return document.documentElement.querySelectorAll('circle').length") >= 5
              if script else "<circle" in driver.page_source, "the map has no dots")
        if script:
            driver.save_screenshot(str(pictures / "web-map.png"))


def look_at_media(laptop, script):
    """What to watch next, what was watched and how it was, a year, and a title of one's own."""
    laptop.run("media", "lists", "--add", "Weekend", "--quiet")
    laptop.run("media", "add", "Breaking Bad", "--tv", "--year", "2008", "--list", "Weekend", "--quiet")
    laptop.run("media", "watched", "Breaking Bad", "--episode", "S01E01", "--quiet")
    with laptop.pages() as link, browser(script=script) as driver:
        driver.get(link)
        base = driver.current_url
        follow(driver, "Media")
        check("S01E02" in text(driver), f"what is next is not told: {text(driver)}")
        driver.find_element(By.ID, "new-title").send_keys("The Matrix")
        fill(driver, "year", "1999")
        press(driver, "Add", driver.find_element(By.CSS_SELECTOR, "[aria-labelledby=add]"))
        check("Added." in text(driver) and "The Matrix" in text(driver), f"a title is not added: {text(driver)}")
        next_row = next(row for row in driver.find_elements(By.CSS_SELECTOR, "[aria-labelledby=next] tr")
                        if "Breaking Bad" in row.text)
        press(driver, "Watched", next_row)
        check("S01E03" in text(driver) and "Noted as watched." in text(driver), f"after an episode: {text(driver)}")
        press(driver, "Undo")
        driver.get(base + "data/media")
        check("S01E02" in text(driver), "a viewing cannot be undone")
        driver.find_element(By.ID, "rated").send_keys("The Matrix")
        fill(driver, "rating", "9")
        press(driver, "Rate")
        check("Rated." in text(driver) and "Mean rating: 9 of 10" in text(driver), f"a rating: {text(driver)}")
        driver.find_element(By.ID, "title").send_keys("No such title")
        press(driver, "Watched", driver.find_element(By.CSS_SELECTOR, "[aria-labelledby=judge]"))
        check("Noted" not in text(driver), f"a title that is not there was watched: {text(driver)}")
        if script:
            look(driver, "web-media")
        follow(driver, "The Matrix")
        press(driver, "Watched")
        check("Noted as watched." in text(driver), f"the page of a title: {text(driver)}")
        if script:
            look(driver, "web-title")
        for value in hostile:
            subprocess.run([program, "media", "add", "--list", "Weekend", "--", f"y {value}"], env=laptop.environment,
                           capture_output=True)
            subprocess.run([program, "media", "watched", "--", *f"y {value}".split()], env=laptop.environment,
                           capture_output=True)
            subprocess.run([program, "media", "lists", f"--add=z {value}"], env=laptop.environment, capture_output=True)
        for place in ["data/media", "media/year/" + laptop.json("media", "year")["events"][0]["date"][:4]]:
            driver.get(base + place)
            is_whole(driver, place)
            check("<script>document" in text(driver), f"{place} does not show what others say: {text(driver)}")
        if script:
            look(driver, "web-year")
        for year in ["0", "x", "99999", "-1", "%2e%2e"]:
            driver.get(base + f"media/year/{year}")
            check("There is no such page" in text(driver), f"the year {year} says {text(driver)}")


def look_at_much(device, script):
    """A table of many records comes at once, and what looks at all of them by itself or by a link."""
    file = device.home / "films.csv"
    file.write_text("list,title,year,mediaType,tmdbId\n"
                    + "".join(f"All,Film {number},1999,movie,{number}\n" for number in range(1, 6001)))
    device.run("media", "import", str(file), "--format", "csv", "--quiet")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    device.run("config", "set", "web.port", str(port))
    with device.pages() as link, browser(script=script) as driver:
        check(f":{port}/" in link, f"the port of the configuration is {port}, the link {link}")
        driver.get(link)
        follow(driver, "Media")
        check("Film 1" in text(driver) or "All" in text(driver), f"a large table is not shown: {text(driver)}")
        if not script:
            follow(driver, "Show the summary, which looks at all of these records")
        WebDriverWait(driver, 60).until(lambda _: driver.find_elements(By.ID, "lists"))
        check("6,000" in text(driver), f"the summary of a large library: {text(driver)}")
        fill(driver, "year", "1999")
        driver.find_element(By.ID, "new-title").send_keys("The Matrix")
        press(driver, "Add", driver.find_element(By.CSS_SELECTOR, "[aria-labelledby=add]"))
        check("Added." in text(driver), f"a title is not added to a large library: {text(driver)}")
        if script:
            WebDriverWait(driver, 60).until(lambda _: driver.find_elements(By.ID, "lists"))
            look(driver, "web-much")


def look_at_settings(laptop, script):
    """What applies here, and a file that differs, written, taken over and put back."""
    file = laptop.home / "editor.json"
    file.write_text(json.dumps({"appFont": "Georgia", "evil": hostile[1]}))
    elsewhere = laptop.home / "elsewhere.json"
    elsewhere.write_text("{}")
    app = "com.example.editor"
    laptop.run("settings", "put", "appFont", "Menlo", "--namespace", app, "--quiet")
    laptop.run("config", "set", "domains.settings.track.editor", f"{{namespace: {app}, path: ~/editor.json}}")
    for number, value in enumerate(hostile):
        subprocess.run([program, "settings", "put", "--namespace", app, "--", f"k{number}", value],
                       env=laptop.environment, capture_output=True)
    with laptop.pages() as link, browser(script=script) as driver:
        driver.get(link)
        base = driver.current_url
        follow(driver, "Settings")
        is_whole(driver, "settings")
        check("Menlo" in text(driver) and "<script>document" in text(driver), f"what applies: {text(driver)}")
        fill(driver, "key", "fontSize")
        fill(driver, "value", "-14.5")
        press(driver, "Save")
        check(laptop.json("settings", "get", "fontSize", "--namespace", app)["value"] == -14.5, "a value is not set")
        if script:
            look(driver, "web-settings")
        follow(driver, str(file))
        is_whole(driver, "the page of a file")
        check("Georgia" in text(driver) and hostile[1] in text(driver), f"a difference is not shown: {text(driver)}")
        if script:
            look(driver, "web-settings-file")
        press(driver, "Write the settings into the file")
        check(json.loads(file.read_text())["appFont"] == "Menlo", f"the file has {file.read_text()}")
        check(".before-cloudsync" in text(driver), f"a file that was written: {text(driver)}")
        press(driver, "Put an earlier state of the file back")
        check(json.loads(file.read_text())["appFont"] == "Georgia", f"the file has {file.read_text()}")
        press(driver, "Take the file")
        check(laptop.json("settings", "get", "appFont", "--namespace", app)["value"] == "Georgia", text(driver))
        press(driver, "Undo")
        check(laptop.json("settings", "get", "appFont", "--namespace", app)["value"] == "Menlo", text(driver))
        for path in [elsewhere, "/etc/passwd", "-", "", f"{file}/../elsewhere.json"]:
            driver.get(base + "settings/file?" + urllib.parse.urlencode({"app": app, "path": path}))
            check("There is no such page" in text(driver), f"{path} says {text(driver)}")


def attack(laptop, places):
    """Requests from other places, without the cookie, without the token, of another user."""
    with laptop.pages() as link, browser() as driver:
        parts = urllib.parse.urlsplit(link)

        def ask(method, path, headers=None, body=None, host=None):
            connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=20)
            connection.putrequest(method, path, skip_host=True)
            connection.putheader("Host", host or parts.netloc)
            for name, value in {**(headers or {}), "Content-Length": str(len(body or ""))}.items():
                connection.putheader(name, value)
            connection.endheaders((body or "").encode())
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read().decode(errors="replace")

        check(ask("GET", parts.path, host="evil.example")[0] == 421, "a name that leads here was answered")
        check(ask("GET", "/")[0] == 404, "the top says something")
        driver.get(link)
        base = urllib.parse.urlsplit(driver.current_url).path
        cookie = driver.get_cookies()[0]
        check(cookie["httpOnly"] and cookie["sameSite"] == "Strict" and cookie["path"] == base, f"the cookie is {cookie}")
        mine = {"Cookie": f"{cookie['name']}={cookie['value']}"}
        token = driver.find_element(By.NAME, "token").get_attribute("value")
        origin = {"Origin": f"http://{parts.netloc}"}
        status, headers, _ = ask("GET", base, mine)
        check(status == 200, f"the person gets {status}")
        for name, wanted in {"Content-Security-Policy": "default-src 'none'", "Cache-Control": "no-store",
                             "X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin"}.items():
            check(wanted in headers.get(name, ""), f"{name} is {headers.get(name)}")
        check("'unsafe-inline'" not in headers["Content-Security-Policy"], "scripts in pages are allowed")
        check(ask("GET", parts.path)[0] == 403, "the link works twice")
        for cookies in [None, {"Cookie": f"{cookie['name']}={'x' * len(cookie['value'])}"}, {"Cookie": ""}]:
            check(ask("GET", base, cookies)[0] == 403, f"{cookies} lets in")
            check(ask("GET", base + "web.css", cookies)[0] == 403, f"{cookies} lets in")
        check(ask("GET", base, mine, host=f"localhost:{parts.port + 1}")[0] == 421, "another port was answered")
        # Every form, of every page, from elsewhere, without the token, and with another one.
        forms = set()
        for place in ["", "data/airports", "data/airports/mapping/JFK", "new/airports/mapping", "conflicts", "history",
                      "devices", "data/health", "data/bike", "data/media", "data/settings", "import/airports",
                      "import/media", "sharing", *places]:
            driver.get(f"http://{parts.netloc}{base}{place}")
            for form in driver.find_elements(By.CSS_SELECTOR, "form[method=post]"):
                forms.add(urllib.parse.urlsplit(form.get_attribute("action")).path)
        check(len(forms) >= 5, f"only {forms} were found")
        before = laptop.json("history", "list", "--limit", "0")
        for form in sorted(forms):
            body = urllib.parse.urlencode({"token": token, "domain": "airports", "collection": "mapping", "id": "JFK",
                                           "name": "x", "batch": "x", "value": "x"})
            without = body.replace(token, "")
            for headers, sent, why in [
                (mine, body, "without an origin"),
                ({**mine, "Origin": "http://evil.example"}, body, "from another origin"),
                ({**mine, "Origin": "null"}, body, "from a sandbox"),
                ({**mine, "Origin": f"http://127.0.0.1:{parts.port + 1}"}, body, "from another port"),
                ({**mine, **origin}, without, "without the token"),
                ({**mine, **origin}, body.replace(token, "x" * len(token)), "with another token"),
                (origin, body, "without the cookie"),
            ]:
                status = ask("POST", form, headers, sent)[0]
                check(status == 403, f"{form} {why} gets {status}")
            check(ask("PUT", form, {**mine, **origin}, body)[0] == 405, f"{form} takes PUT")
        check(ask("POST", sorted(forms)[0], {**mine, **origin}, "x" * (2 << 20))[0] == 413, "a form has no limit")
        check(laptop.json("history", "list", "--limit", "0") == before, "a request that was refused did something")
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            seen = subprocess.run(["curl", "-sS", "-o", "/dev/null", "-w", "%{http_code}", f"http://{parts.netloc}{base}"],
                                  user=nobody.pw_uid, group=nobody.pw_gid, capture_output=True, text=True)
            check(seen.stdout == "403", f"another user of the machine gets {seen.stdout} {seen.stderr}")
            words = subprocess.run(["ps", "-eo", "args"], user=nobody.pw_uid, capture_output=True, text=True).stdout
            check(base.strip("/") not in words and parts.path not in words, "other users see the link")
        return len(forms)


def let_in_and_share(folder, encrypted):
    """Another device joins by the QR code, a record is shared, and access ends; over a server."""
    folder.mkdir()
    host = Device(folder / "host", None)
    with open(host.home / "log", "w") as log:
        server = subprocess.Popen([program, "serve", "--listen", "127.0.0.1:0", "--data", host.home / "server"],
                                  env=host.environment, stdout=subprocess.PIPE, stderr=log, text=True)
    try:
        address = server.stdout.readline().strip()
        check(address.startswith("http://"), "the server did not start")

        def invited(name):
            said = host.run("server", "invite", name, "--url", address, "--data", host.home / "server", "--quiet")
            return said.split()[-1]

        anna, phone, ben = [Device(folder / name, None) for name in ["anna", "phone", "ben"]]
        mode = [] if encrypted else ["--unencrypted"]
        code = anna.json("init", "--join", invited("anna"), "--yes", "--no-input", "--device", "laptop", *mode)["recovery"]
        ben.run("init", "--join", invited("ben"), "--yes", "--no-input", "--unencrypted")
        anna.run("health", "add", "--collection", "subject", "personalName=Grandpa", "--quiet")
        grandpa = anna.json("health", "list", "--collection", "subject")["records"][0]["id"]
        anna.run("health", "scope", grandpa, "synced", "--quiet")
        anna.run("sync")
        with anna.pages() as link, browser() as driver:
            driver.get(link)
            follow(driver, "Devices")
            press(driver, "Make a code")
            look(driver, "web-pair")
            picture = pictures / "web-qr.png"
            driver.set_window_size(1280, 1200)
            driver.execute_script("document.querySelector('.qr').scrollIntoView()")
            driver.find_element(By.CLASS_NAME, "qr").screenshot(str(picture))
            read = subprocess.run(["zbarimg", "--quiet", "--raw", picture], capture_output=True, text=True).stdout.strip()
            command = driver.find_element(By.TAG_NAME, "pre").text
            check(read and read in command, f"the QR code says {read!r}, the command {command!r}")
            phone.run("init", "--join", read, "--yes", "--no-input", "--device", "phone")
            phone.run("sync")
            check(phone.json("health", "list", "--collection", "subject")["records"], "the phone has nothing")
            follow(driver, "Devices")
            check("phone" in text(driver), f"the phone is not shown: {text(driver)}")

            follow(driver, "Sharing")
            Select(driver.find_element(By.NAME, "what")).select_by_visible_text("Health: Grandpa")
            fill(driver, "name", "Ben")
            press(driver, "Make an invitation")
            if encrypted:
                check("encrypted" in text(driver), f"a share of encrypted data: {text(driver)}")
            else:
                look(driver, "web-shared")
                command = driver.find_elements(By.TAG_NAME, "pre")[1].text
                check(command.startswith("cloudsync share accept"), f"the guest is told {command}")
                pasted = subprocess.run(["sh", "-c", command + " --yes"], env=ben.environment, capture_output=True, text=True)
                check(pasted.returncode == 0, f"the guest gets {pasted.stderr}")
                check(ben.json("health", "list", "--collection", "subject")["records"], "the guest sees nothing")
                follow(driver, "Sharing")
                check("takes part" in text(driver) and "may look" in text(driver), f"the guest is shown as {text(driver)}")
                look(driver, "web-sharing")
                press(driver, "Let change")
                check("may change it" in text(driver), f"a guest who may write is shown as {text(driver)}")
                press(driver, "Remove")
                check("Removed." in text(driver), f"a guest who was removed: {text(driver)}")
                press(driver, "Stop sharing")
                check("No longer shared." in text(driver), f"what is shared no more: {text(driver)}")

            follow(driver, "Devices")
            for row in driver.find_elements(By.TAG_NAME, "tr"):
                if "phone" in row.text:
                    row.find_element(By.TAG_NAME, "a").click()
                    break
            WebDriverWait(driver, 30).until(lambda page: page.find_elements(By.NAME, "code"))
            look(driver, "web-revoke")
            if encrypted:
                fill(driver, "code", code)
            press(driver, "End its access")
            check("Its access has ended" in text(driver), f"a revoked device: {text(driver)}")
        refused = subprocess.run([program, "sync"], env=phone.environment, capture_output=True, text=True)
        check(refused.returncode == 77, f"a device whose access has ended gets {refused.returncode}: {refused.stderr}")
    finally:
        server.terminate()
        server.wait()


def main():
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for script in [True, False]:
            name = "with" if script else "without"
            laptop = Device(folder / f"laptop-{name}", folder / f"place-{name}")
            desk = Device(folder / f"desk-{name}", folder / f"place-{name}")
            tell_the_story(laptop, desk, script)
            import_and_export(laptop, script)
            tablet = Device(folder / f"tablet-{name}", folder / f"tablets-{name}")
            tablet.run("init", "--remote", f"place=file:{tablet.place}", "--unencrypted", "--no-input", "--yes")
            look_at_airports(tablet, script)
            look_at_media(tablet, script)
            look_at_settings(tablet, script)
            look_at_much(Device(folder / f"much-{name}", tablet.place), script)
        show_hostile_values(laptop)
        for encrypted in [True, False]:
            let_in_and_share(folder / f"shared-{encrypted}", encrypted)
        places = care_for_people(laptop) + care_for_bikes(laptop)
        forms = attack(laptop, places)
    print(f"validate-web: {len(list(pictures.glob('web-*')))} pictures, {len(hostile)} hostile values, {forms} forms attacked")


main()
