#!/usr/bin/env python3
"""Fails where clang refuses or warns of what g++ has built: the library, the command, the fuzz targets. They are fuzzed with it, warnings as errors.

usage: check_clang.py BUILD_DIRECTORY
"""
import concurrent.futures
import json
import os
import shlex
import shutil
import subprocess
import sys

COMPILER = "clang++"
CHECKED = ("CMakeFiles/pld.dir/", "tools/cli/CMakeFiles/", "tests/fuzz/CMakeFiles/")
NOT_INSTALLED = 77  # ctest counts that as skipped


def compiled(build):
    listed = subprocess.run(["ninja", "-C", build, "-t", "compdb"], capture_output=True, text=True, check=True)
    return [each for each in json.loads(listed.stdout) if each["output"].startswith(CHECKED) and each["output"].endswith(".o")]


def complaint(each):
    """What clang says of one file."""
    words = shlex.split(each["command"].split(" -o ")[0])
    while words and not words[0].endswith("++"):  # behind a compiler cache
        words = words[1:]
    parsed = subprocess.run([COMPILER, *words[1:], "-fsyntax-only", each["file"]], cwd=each["directory"],
                            capture_output=True, text=True)
    return parsed.stderr if parsed.returncode else ""


def main():
    if not shutil.which(COMPILER):
        sys.exit(NOT_INSTALLED)
    files = compiled(sys.argv[1])
    if not files:
        sys.exit("check_clang: no file of the library in " + sys.argv[1])
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        wrong = [text for text in pool.map(complaint, files) if text]
    sys.exit("\n".join(wrong) if wrong else 0)


main()
