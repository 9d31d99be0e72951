#!/usr/bin/env python3
"""Fails unless every command in docs/cookbook.md, docs/recipes.md and docs/budgets.md prints what the page shows: the same words, and numbers that
agree to half a percent. Times, widths of brackets, the engine and the links of a ledger's chain may differ.

usage: check_cookbook.py PROJECT_ROOT PLD
With --update after them, runs the commands and rewrites the page instead.

A block begins with ```console; in it a line after "$ " is a command for the shell, the lines up to the next one its output.
All blocks of a page run in one empty folder, in order.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

PAGES = ["docs/cookbook.md", "docs/recipes.md", "docs/budgets.md"]
BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)
NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![\w.]*[a-z])")
MAY_DIFFER = [(r"\b\d[\d.]* (ms|s)\b", "TIME"), (r"exact to [\d.e-]+", "exact to WIDTH"), (r"engine [\w-]+", "engine ENGINE"),
              (r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "TIME"), (r"\b(?:[0-9a-f]{32}){1,2}\b", "HASH"),
              (r'"seconds":[\d.e-]+', '"seconds":TIME'), (r'"engine":"[\w-]+"', '"engine":ENGINE')]


def shown(block):
    """[(command, output)] of a block's text."""
    found = []
    for line in block.split("\n")[:-1]:
        if line.startswith("$ "):
            found.append((line[2:], ""))
        else:
            found[-1] = (found[-1][0], found[-1][1] + line + "\n")
    return found


def printed(command, folder, pld):
    path = os.pathsep.join([str(pathlib.Path(folder, "bin")), os.environ["PATH"]])
    return subprocess.run(["sh", "-c", command], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env={**os.environ, "PATH": path}).stdout


def agree(page, real):
    for pattern, word in MAY_DIFFER:
        page, real = re.sub(pattern, word, page, flags=re.M), re.sub(pattern, word, real, flags=re.M)
    if NUMBER.sub("NUMBER", page) != NUMBER.sub("NUMBER", real):
        return False
    pairs = zip(map(float, NUMBER.findall(page)), map(float, NUMBER.findall(real)))
    return all(abs(a - b) <= 5e-3 * max(abs(a), abs(b)) for a, b in pairs)


def check(page, pld):
    """What is stale on the page, which --update rewrites instead."""
    stale = []
    with tempfile.TemporaryDirectory() as folder:
        bin_folder = pathlib.Path(folder, "bin")
        bin_folder.mkdir()
        (bin_folder / "pld").symlink_to(pld)

        def run(block):
            text = ""
            for command, output in shown(block[1]):
                real = printed(command, folder, pld)
                if not agree(output, real):
                    stale.append(f"$ {command}\nshown:\n{output}printed:\n{real}")
                text += f"$ {command}\n{real}"
            return f"```console\n{text}```"

        updated = BLOCK.sub(run, page.read_text())
    if "--update" in sys.argv[3:]:
        page.write_text(updated)
        return []
    return [f"{page.name}: {one}" for one in stale]


def main():
    pld = pathlib.Path(sys.argv[2]).resolve()
    stale = [one for page in PAGES for one in check(pathlib.Path(sys.argv[1], page), pld)]
    if stale:
        sys.exit("pages are stale; run this script with --update:\n" + "\n".join(stale))


main()
