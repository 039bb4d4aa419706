"""A real browser, and what holds for every page that it shows. The scripts of Tools/validate-pages use it."""

import contextlib
import pathlib
import sys
import urllib.parse

from selenium import webdriver

pictures = pathlib.Path(sys.argv[2])
axe = next(pathlib.Path(sys.prefix).glob("lib/*/site-packages/axe_playwright_python/axe.min.js")).read_text()


def check(holds, what):
    if not holds:
        sys.exit(f"{pathlib.Path(sys.argv[0]).stem.replace('_', '-')}: {what}")


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
