#!/usr/bin/env python3
"""Fails unless every command in docs/cookbook.md prints what the page shows: the same words, and numbers that agree to half a
percent. Times, widths of brackets and the engine may differ.

usage: check_cookbook.py PROJECT_ROOT PLD
With --update after them, runs the commands and rewrites the page instead.

A block begins with ```console; in it a line after "$ " is a command for the shell, the lines up to the next one its output.
All blocks run in one empty folder, in order.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

PAGE = "docs/cookbook.md"
BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)
NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![\w.]*[a-z])")
MAY_DIFFER = [(r"\b\d[\d.]* (ms|s)\b", "TIME"), (r"exact to [\d.e-]+", "exact to WIDTH"), (r"engine [\w-]+", "engine ENGINE"),
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
    done = subprocess.run(["sh", "-c", command], cwd=folder, capture_output=True, text=True,
                          env={**os.environ, "PATH": path})
    return done.stdout + done.stderr


def agree(page, real):
    for pattern, word in MAY_DIFFER:
        page, real = re.sub(pattern, word, page, flags=re.M), re.sub(pattern, word, real, flags=re.M)
    if NUMBER.sub("NUMBER", page) != NUMBER.sub("NUMBER", real):
        return False
    pairs = zip(map(float, NUMBER.findall(page)), map(float, NUMBER.findall(real)))
    return all(abs(a - b) <= 5e-3 * max(abs(a), abs(b)) for a, b in pairs)


def main():
    page, pld = pathlib.Path(sys.argv[1], PAGE), pathlib.Path(sys.argv[2]).resolve()
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
    elif stale:
        sys.exit(f"{PAGE} is stale; run this script with --update:\n" + "\n".join(stale))


main()
