#!/usr/bin/env python3
"""Fails unless README.md quotes what is there: the example's source, its output, and the tables of mechanisms and engines.

usage: check_readme.py PROJECT_ROOT EXAMPLE_BINARY PLD
With --update after them, rewrites those parts of README.md instead.

A part is the text between `<!-- NAME -->` and `<!-- end -->`.
"""
import pathlib
import subprocess
import sys


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def parts(root, example, pld):
    source = (root / "examples/first.cpp").read_text()
    return {
        "examples/first.cpp": f"```cpp\n{source}```\n",
        "output of examples/first.cpp": f"```\n{output_of(example)}```\n",
        "pld mechanisms --markdown": output_of(pld, "mechanisms", "--markdown"),
        "pld help engines": output_of(pld, "help", "engines"),
    }


def replaced(readme, name, text):
    start = f"<!-- {name} -->\n"
    before, found, rest = readme.partition(start)
    _, ended, after = rest.partition("<!-- end -->")
    if not found or not ended:
        sys.exit(f"README.md has no part {start.strip()} ... <!-- end -->")
    return before + start + text + ended + after


def main():
    root = pathlib.Path(sys.argv[1])
    written = (root / "README.md").read_text()
    readme = written
    stale = []
    for name, text in parts(root, *sys.argv[2:4]).items():
        updated = replaced(readme, name, text)
        if updated != readme:
            stale.append(name)
        readme = updated
    if "--update" in sys.argv[4:]:
        (root / "README.md").write_text(readme)
    elif stale:
        sys.exit(f"README.md is stale in: {', '.join(stale)}; run this script with --update")


main()
