"""Opens pages in a headless browser and fails on what a reader would stumble over.

usage: check.py PAGE.html...   (bash tools/browser makes the pages and a place for Playwright)

Each page, at a phone's width and at a desk's: no error in the console, nothing asked of a network, nothing wider than the
window but what scrolls by itself, every drawing with a name and every table with a caption, headings that skip no level, a
contrast of 4.5 and more (WCAG 2.1, 1.4.3) for all text; and in print: a PDF.
"""
import os
import pathlib
import shutil
import sys

from playwright.sync_api import sync_playwright

PROBLEMS = """() => {
  const problems = [];
  const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  if (wide > 1) problems.push(`the page is ${wide} pixels wider than the window`);
  for (const drawing of document.querySelectorAll("svg, img")) {
    const names = drawing.tagName === "IMG" ? drawing.alt : (drawing.getAttribute("aria-labelledby") || "").split(" ")
        .map(id => document.getElementById(id)?.textContent || "").join("") || drawing.getAttribute("aria-label");
    if (!names && !drawing.closest("[aria-hidden=true]")) problems.push("a drawing has no name");
  }
  for (const table of document.querySelectorAll("table"))
    if (!table.caption && !table.querySelector("th")) problems.push("a table has neither caption nor headings");
  let level = 0;
  for (const heading of document.querySelectorAll("h1, h2, h3, h4")) {
    const next = Number(heading.tagName[1]);
    if (next > level + 1) problems.push(`heading "${heading.textContent}" skips a level`);
    level = next;
  }
  if (!document.documentElement.lang) problems.push("no language");
  const ids = [...document.querySelectorAll("[id]")].map(e => e.id);
  for (const id of new Set(ids.filter((id, i) => ids.indexOf(id) !== i))) problems.push(`id ${id} is used twice`);
  const light = rgb => {
    const [r, g, b] = rgb.map(c => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const colour = text => (text.match(/[\\d.]+/g) || [0, 0, 0, 0]).map(Number);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const seen = new Set();
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || element.closest("title, desc, style, script")) continue;
    const style = getComputedStyle(element), svg = element.closest("svg");
    const front = colour(svg ? style.fill : style.color).slice(0, 3);
    let behind = element, back = [255, 255, 255];
    for (; behind; behind = behind.parentElement) {
      const c = colour(getComputedStyle(behind).backgroundColor);
      if (c.length === 3 || c[3] > 0) { back = c.slice(0, 3); break; }
    }
    const [a, b] = [light(front), light(back)].sort((x, y) => y - x), contrast = (a + 0.05) / (b + 0.05);
    const what = `contrast ${contrast.toFixed(1)} of "${walker.currentNode.textContent.trim().slice(0, 30)}"`;
    if (contrast < 4.5 && !seen.has(what)) { seen.add(what); problems.push(what); }
  }
  return problems;
}"""


def problems_of(browser, path, width, print_to=None):
    page = browser.new_page(viewport={"width": width, "height": 800})
    found = []
    page.on("console", lambda message: found.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: found.append(str(error)))
    page.on("request", lambda request: None if request.url.startswith(("file:", "data:")) else found.append(f"asks for {request.url}"))
    page.goto(path.resolve().as_uri())
    found += page.evaluate(PROBLEMS)
    if print_to:
        page.pdf(path=print_to, format="A4", margin=dict.fromkeys(("top", "bottom", "left", "right"), "15mm"))
        if pathlib.Path(print_to).stat().st_size < 1000:
            found.append("prints as nothing")
    page.close()
    return found


def main():
    bad = False
    with sync_playwright() as playwright:
        installed = os.environ.get("CHROMIUM") or shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=installed, args=["--no-sandbox"])
        for path in map(pathlib.Path, sys.argv[1:]):
            for width in (360, 1200):
                found = problems_of(browser, path, width, str(path.with_suffix(".pdf")) if width == 1200 else None)
                for problem in found:
                    print(f"{path} at {width} pixels: {problem}")
                bad = bad or bool(found)
            print(f"{path}: looked at")
        browser.close()
    sys.exit(1 if bad else 0)


main()
